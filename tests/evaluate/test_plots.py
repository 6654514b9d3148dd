"""The figures of an evaluation are drawn in each format, also with names that matplotlib would take for formulas."""

from dataclasses import replace

import pytest

from pagekin.evaluate.experiment import evaluate
from pagekin.evaluate.plots import draw, figures, svg
from pagekin.evaluate.truth import Relevance
from tests.small_webs import from_edges


@pytest.fixture
def made(tmp_path):
    store = from_edges(tmp_path / "s.kin", [("x", "a"), ("x", "b"), ("y", "b"), ("y", "c")])
    truth = Relevance({page: {(page + 1) % store.size: 2} for page in range(store.size)})
    return evaluate(store, truth, ["amsler", "co-citation"], 3)


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_formats(made, tmp_path, ending, begins):
    draw(made, tmp_path / "f", ending)
    assert (tmp_path / "f").read_bytes().startswith(begins)


def test_the_points_are_the_means_and_the_curves_end_at_the_r_score(made):
    means, curves = (page.axes[0] for page in figures(made).values())
    points = sorted(line.get_xdata()[0] for line in means.lines if len(line.get_xdata()) == 1)
    assert points == pytest.approx(sorted(row["nDCG@3"] for row in made))
    assert [line.get_ydata()[-1] for line in curves.lines] == pytest.approx([row["R-score@3"] for row in made])
    assert curves.get_ylabel() == "mean grade of the first R results"


def test_names_stay_text(made):
    strange = replace(made, results=tuple({**row, "method": "a$b$_<c>"} for row in made))
    found = [svg(page) for page in figures(strange).values()]
    assert all(text.startswith("<svg") for text in found)
    assert "a$b$_&lt;c&gt;" in found[0]
