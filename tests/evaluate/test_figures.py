"""Figures: what is drawn is what there is, whatever the labels hold."""

import re

import numpy as np
import pytest

from pagekin.cluster.dendrogram import around
from pagekin.cluster.flexible import flexible
from pagekin.evaluate.figures import dendrogram, figure, save


def test_a_dendrogram_s_lines_end_at_the_heights(tmp_path):
    drawing = around(flexible(4, [0, 0, 0, 1], [1, 2, 3, 3], [0.5, 0.4, 0.3, 0.2]), 1, 4)
    page = figure(4, 3)
    axes = page.add_subplot()
    dendrogram(axes, drawing, ["$x", "<b>\x1b[31m", "漢字", "d\ne"])
    plain, marked = (collection.get_segments() for collection in axes.collections)
    ends = sorted({round(float(segment[-1, 0]), 6) for segment in [*plain, *marked]})
    assert ends == pytest.approx(sorted(drawing.scale.at(height) for height in (0.5, 0.75, 0.9)), abs=1e-5)
    assert len(marked) == 3 and len(plain) == 3
    save(page, tmp_path / "d.svg", "svg")
    text = (tmp_path / "d.svg").read_text()
    assert "$x" in text and "\x1b" not in text and re.search("&lt;b&gt;", text)


def test_the_same_figure_is_the_same_file(tmp_path):
    for name in ("a", "b"):
        page = figure(3, 2)
        page.add_subplot().plot(np.arange(3))
        save(page, tmp_path / name, "svg")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
