"""The page is written from the kept figures: every table that was measured is on it, in the order of the sets."""

import json

from leaderboard import board
from leaderboard.sets import SETS


def test_the_page_in_the_docs_is_that_of_the_figures():
    assert board.PAGE.read_text(encoding="utf-8") == board.page(json.loads(board.RESULTS.read_text(encoding="utf-8")))


def test_figures_are_shown_best_first_and_baselines_in_italics():
    rows = [
        {"method": "amsler", board.MAIN: 0.5, "low": 0.4, "high": 0.6, "P@10": 1.0},
        {"method": "LSA cosine", board.MAIN: 0.25, "low": 0.0, "high": 0.5},
    ]
    assert board.table(rows).splitlines() == [
        "| method | nDCG@10 (95 %) | P@10 |",
        "| --- | --: | --: |",
        "| `amsler` | .500 (.400–.600) | 1.000 |",
        "| *LSA cosine* | .250 (.000–.500) |  |",
    ]


def test_every_set_says_what_it_is():
    assert all((make.__doc__ or "").strip().endswith(".") for make in SETS.values())
