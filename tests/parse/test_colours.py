"""Colours against webcolors, which reads the same standards, and CIELAB against published values and another route."""

import pytest
import webcolors
from hypothesis import given
from hypothesis import strategies as st

from pagekin.parse.colours import BLACK, NAMES, WHITE, attribute_colour, css_colour, distance, lab

channels = st.integers(0, 255)
colours = st.tuples(channels, channels, channels)


def test_the_names_are_those_of_css() -> None:
    assert {name: tuple(webcolors.name_to_rgb(name)) for name in [*webcolors.names("css3"), *OTHERS]} | {
        "rebeccapurple": (0x66, 0x33, 0x99)
    } == NAMES


OTHERS = ("grey", "darkgrey", "dimgrey", "lightgrey", "slategrey", "darkslategrey", "lightslategrey")


@given(
    st.text("0123456789abcdefgxyz# é😀\t", max_size=60)
    | st.sampled_from([*webcolors.names("css3"), "x" * 300, "#" + "f" * 200])
)
def test_attributes_are_read_as_html_says(text: str) -> None:
    try:
        expected = tuple(webcolors.html5_parse_legacy_color(text))
    except ValueError:
        expected = None
    assert attribute_colour(text) == expected


@given(colours)
def test_style_sheets_write_a_colour_in_many_ways(colour: tuple[int, int, int]) -> None:
    red, green, blue = colour
    written = webcolors.rgb_to_hex(colour)
    assert css_colour(written) == css_colour(written.upper()) == css_colour(f" {written}ff ") == colour
    assert css_colour(f"rgb({red},{green}, {blue})") == css_colour(f"RGBA({red} {green} {blue} / 1)") == colour


@pytest.mark.parametrize(
    "text",
    ["", "#", "#12", "#12345", "#ggg", "rgb(1,2)", "rgb(a,b,c)", "rgb(1,2,3,4,5)", "transparent", "red;"],
)
def test_what_is_no_colour_is_none(text: str) -> None:
    assert css_colour(text) is None


@pytest.mark.parametrize(
    ("colour", "expected"),
    [  # Lindbloom's calculator, D65
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 255, 0), (87.73, -86.18, 83.18)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
        ((128, 128, 128), (53.59, 0.0, 0.0)),
        (WHITE, (100.0, 0.0, 0.0)),
        (BLACK, (0.0, 0.0, 0.0)),
    ],
)
def test_cielab_is_as_published(colour: tuple[int, int, int], expected: tuple[float, float, float]) -> None:
    assert lab(colour) == pytest.approx(expected, abs=0.01)


def slow_lab(colour: tuple[int, int, int]) -> tuple[float, float, float]:
    """The same by CIE 15's own κ and ε, and the matrix made from the primaries' chromaticities."""
    import numpy as np

    primaries = np.array([[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]])
    xyz = np.array([[x / y, 1.0, (1 - x - y) / y] for x, y in primaries]).T
    white = np.array([0.95047, 1.0, 1.08883])
    matrix = xyz * np.linalg.solve(xyz, white)
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    epsilon, kappa = 216 / 24389, 24389 / 27
    x, y, z = (np.cbrt(v) if v > epsilon else (kappa * v + 16) / 116 for v in matrix @ linear / white)
    return float(116 * y - 16), float(500 * (x - y)), float(200 * (y - z))


@given(colours, colours)
def test_distances_are_those_of_the_slow_twin(one: tuple[int, int, int], other: tuple[int, int, int]) -> None:
    assert lab(one) == pytest.approx(slow_lab(one), abs=0.01)
    assert distance(one, other) == pytest.approx(distance(other, one))
    assert distance(one, one) == 0
