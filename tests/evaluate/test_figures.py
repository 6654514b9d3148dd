"""Figures: what is drawn is what there is, whatever the labels hold."""

import re

import numpy as np
import pytest

from pagekin.cluster.dendrogram import around
from pagekin.cluster.flexible import flexible
from pagekin.evaluate.figures import categories, dendrogram, figure, save, spread


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


def test_what_is_alike_is_near_and_the_same_every_time():
    rng = np.random.default_rng(0)
    pairs = [(i, j) for i in range(20) for j in range(i) if (i < 10) == (j < 10)] + [(0, 10)]
    a, b = np.array(pairs, np.int32).T
    at = spread(20, a, b, rng.random(a.size) + 0.1)
    assert np.isfinite(at).all() and (at == spread(20, a, b, np.random.default_rng(0).random(a.size) + 0.1)).all()
    apart = np.linalg.norm(at[:, None] - at[None], axis=2)
    assert apart[:10, :10].mean() < 0.6 * apart[:10, 10:].mean()
    assert apart[np.triu_indices(20, 1)].min() > 0.01


def test_a_graph_without_edges_and_hostile_categories(tmp_path):
    page = figure(3, 3)
    none = np.empty(0, np.int32)
    categories(page.add_subplot(), none, none, np.empty(0), ["$x", "<y>\x1b", "_z"], ["1", "$2", "3"], 1)
    save(page, tmp_path / "g.svg", "svg")
    assert "\x1b" not in (tmp_path / "g.svg").read_text()
