"""How elements look: tags, attributes, rules and style attributes, and what an enemy writes there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagekin.parse.style import LARGEST, PLAIN, Style, changed, changes_of, declarations, rules_of


def look(tag: str, rules: str = "", parent: Style = PLAIN, /, **attributes: str) -> Style:
    named: dict[str, str | None] = {key.rstrip("_"): value for key, value in attributes.items()}
    return changed(parent, changes_of(tag, named, rules_of(rules)))


@pytest.mark.parametrize(
    ("tag", "attributes", "expected"),
    [
        ("b", {}, Style(bold=True)),
        ("h1", {}, Style(bold=True, size=32)),
        ("small", {}, Style(size=13)),
        ("span", {}, PLAIN),
        ("body", {"bgcolor": "#000000", "text": "white"}, Style(colour=(255, 255, 255), background=(0, 0, 0))),
        ("td", {"bgcolor": "silver"}, Style(background=(192, 192, 192))),
        ("td", {"color": "red", "text": "red"}, PLAIN),
        ("font", {"size": "7", "face": "'Arial', sans-serif"}, Style(face="arial", size=48)),
        ("font", {"size": "-1"}, Style(size=13)),
        ("font", {"size": "+99"}, Style(size=48)),
        ("font", {"size": "huge", "color": ""}, PLAIN),
        ("p", {"style": "font-weight: 700; color: rgb(0, 0, 255)"}, Style(bold=True, colour=(0, 0, 255))),
        ("b", {"style": "font-weight: normal"}, PLAIN),
        ("p", {"style": "font: italic bold 12pt/2 Times, serif"}, Style(bold=True, face="times")),
        ("p", {"style": "font-size: 150%; background: #eee url(x.png)"}, Style(background=(238, 238, 238), size=24)),
        ("p", {"style": "color: nonsense; font-size: 12; font-weight: very; : ; ;;"}, PLAIN),
    ],
)
def test_tags_attributes_and_styles(tag: str, attributes: dict[str, str], expected: Style) -> None:
    assert look(tag, **attributes) == expected


def test_rules_go_by_tag_then_class_then_id_then_the_attribute() -> None:
    css = "#i { color: #010101 } .c { color: #020202; font-weight: bold } p { color: #030303; font-size: 20px }"
    assert look("p", css).colour == (3, 3, 3)
    assert look("p", css, class_="x c").colour == (2, 2, 2)
    assert look("p", css, class_="c", id="i") == Style(bold=True, colour=(1, 1, 1), size=20)
    assert look("p", css, class_="c", id="i", style="color:#040404").colour == (4, 4, 4)
    assert look("div", css) == PLAIN


def test_what_is_not_understood_sets_nothing() -> None:
    css = "@import 'x'; p > a, a:hover, .a .b, * {color:red} @media print {p{color:red} .c{color:red}} em{color:blue}"
    assert rules_of(css) == {"em": (("colour", (0, 0, 255)),)}


def test_of_many_rules_for_one_the_last_counts() -> None:
    assert look("p", "p{color:red}" * 1000 + "p{color:blue}").colour == (0, 0, 255)


@given(st.text("{}@;:,.#/*p ab\"'\n!", max_size=200))
def test_garbage_is_read_without_complaint(css: str) -> None:
    rules_of(css)
    declarations(css)


def test_sizes_stay_within_reason() -> None:
    style = PLAIN
    for _ in range(1000):
        style = look("big", "", style)
    assert style.size == LARGEST


@pytest.mark.parametrize("garbage", ["{", "}", "/*", "/* */", "p{", "@media{", ",", "a,", "p{color:red}", "@", ":;"])
def test_a_megabyte_of_garbage_is_read(garbage: str) -> None:
    """Anything quadratic would take hours here."""
    assert set(rules_of(garbage * (2**20 // len(garbage)))) <= {"p"}
