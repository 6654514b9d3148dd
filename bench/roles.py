"""Links and lines of templates told apart among a million pages: how long does it take, and how much memory?

A thousand sites of a thousand pages. A page has a menu of 15 links and 20 lines that its site repeats, 15 links and 40
lines of its own. `PAGEKIN_MEMORY` is a quarter of what all pairs would take at once, so several passes are needed; what
the graph itself holds, the table of links and the lines, is made before the clock and is not counted.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from bench.case import Case, timed
from bench.graphs import SHRINK
from bench.memory import peak
from pagekin.collection.repeats import Sites
from pagekin.collection.roles import CONTENT, Stretches, repeated, roles, without_words
from pagekin.engine.memory import SETTING

SITES, PAGES = 1000 // SHRINK, 1000
MENU, OWN_LINKS = 15, 15
TEMPLATE_LINES, OWN_LINES = 20, 40
MEMORY_MB = 1024


def run() -> Iterator[Case]:
    os.environ[SETTING] = f"{MEMORY_MB}MiB"
    seconds, said = timed(told_apart())
    right = said == (TEMPLATE_LINES, MENU)
    yield Case(
        f"roles of {SITES * PAGES:,} pages", seconds, "s", agrees=right,
        note=f"{said[0]:.1f} lines and {said[1]:.1f} links a page are the template's; {TEMPLATE_LINES} and {MENU} are",
    )  # fmt: skip
    taken = peak("bench.roles:told_apart")
    yield Case(
        f"memory of roles of {SITES * PAGES:,} pages", taken.megabytes, "MB", bar=MEMORY_MB, bar_on="ours at most",
        note="beside the links and the lines themselves",
    )  # fmt: skip


def told_apart() -> Callable[[], tuple[float, float]]:
    """The work: how many lines and links a page are found to be the template's."""
    sites, links, stretches = a_million_pages()
    start = np.arange(sites.of.size + 1) * (MENU + OWN_LINKS)

    def work() -> tuple[float, float]:
        in_template = repeated(stretches, sites)
        without = without_words(stretches, in_template)
        made = roles(links, start, sites, stretches, in_template)
        return without.sum() / sites.of.size, np.count_nonzero(made != CONTENT) / sites.of.size

    return work


def a_million_pages() -> tuple[Sites, pa.Table, Stretches]:
    """The sites, the links and the lines of all pages."""
    dice, pages = np.random.default_rng(1), SITES * PAGES
    site = np.repeat(np.arange(SITES, dtype=np.int32), PAGES)
    sites = Sites(site, np.ones(pages, bool), np.full(SITES, 10, np.int32))
    lines = np.empty((pages, TEMPLATE_LINES + OWN_LINES), np.int32)
    lines[:, :TEMPLATE_LINES] = site[:, None] * TEMPLATE_LINES + np.arange(TEMPLATE_LINES)
    lines[:, TEMPLATE_LINES:] = dice.integers(1 << 31, size=(pages, OWN_LINES), dtype=np.int32)
    start = np.arange(pages + 1) * lines.shape[1]
    stretches = Stretches(start, lines.ravel(), np.zeros(lines.size, bool))
    target = np.empty((pages, MENU + OWN_LINKS), np.int32)
    target[:, :MENU] = site[:, None] * PAGES + np.arange(MENU)
    target[:, MENU:] = dice.integers(pages, size=(pages, OWN_LINKS), dtype=np.int32)
    return sites, _links(target), stretches


def _links(target: np.ndarray[Any, Any]) -> pa.Table:
    """A menu in one box, the other links in running text, in the lines behind the template's."""
    pages, each = target.shape
    in_menu = np.arange(each) < MENU
    block = np.where(in_menu, 0, 1).astype(np.int32)
    stretch = np.where(in_menu, TEMPLATE_LINES, TEMPLATE_LINES + np.arange(each) - MENU).astype(np.int32)
    region = pa.DictionaryArray.from_arrays(
        pa.array(np.tile(np.where(in_menu, 0, 1), pages), pa.int32()), ["list", "text"]
    )
    return pa.table(
        {
            "source": np.repeat(np.arange(pages, dtype=np.int32), each), "target": target.ravel(),
            "block": np.tile(block, pages), "stretch": np.tile(stretch, pages), "region": region,
        }
    )  # fmt: skip
