"""What does it cost to cut pages into blocks? Compares with the same parser without (all links in one block), one core.

The pages are those of `bench.parse`. Both sides take turns, page by page, so that a busy machine disturbs both alike;
CPU time is counted, the best of `ROUNDS` rounds.
"""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from bench.case import Case
from pagekin.model import Block, Capture
from pagekin.parse import blocks, html, parse, scan
from pagekin.parse.walk import LINK_ROLES

BAR = 0.5  # half as many pages per second as without blocks: cutting adds at most 100 %
SAMPLE = 300
ROUNDS = 3


def run() -> Iterator[Case]:
    yield from segmentation()


def segmentation() -> Iterator[Case]:
    """Pages per second with and without blocks."""
    from bench.parse import corpora  # which needs its own peers

    for name, captures in corpora():
        random.Random(1).shuffle(captures)
        sample = captures[:SAMPLE]
        ours, theirs = (len(sample) / seconds for seconds in in_turn(sample))
        yield Case(f"blocks {name}", ours, "pages/s", "the parser without blocks", theirs, BAR, note=_said(sample))


def in_turn(sample: list[Capture]) -> tuple[float, float]:
    """Seconds with and without blocks."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        total = [0.0, 0.0]
        for capture in sample:
            total[0] += _seconds(capture)
            with without_blocks():
                total[1] += _seconds(capture)
        best = [min(pair) for pair in zip(best, total, strict=True)]
    return best[0], best[1]


def _seconds(capture: Capture) -> float:
    start = time.process_time()
    parse(capture)
    return time.process_time() - start


@contextmanager
def without_blocks() -> Iterator[None]:
    """The parser as it would be if it left all links of a page in one block."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(html, "ROLES", LINK_ROLES))
        stack.enter_context(patch.object(scan.Scan, "learn", _learn_nothing))
        stack.enter_context(patch.object(blocks, "count_words", lambda text: 0))
        stack.enter_context(patch.object(blocks, "sections", lambda scan, links: ()))
        stack.enter_context(
            patch.object(blocks, "blocks", lambda found, count: ([0] * count, (Block(0, count),) if count else ()))
        )
        yield


def _learn_nothing(noted: scan.Scan, tree: object) -> None:
    noted.by_tag, noted.pending = {}, False
    noted.cuts.append((0, "", False, scan.PAGE, True, "", False))  # all of the page is one section


def _said(sample: list[Capture]) -> str:
    pages = [parse(capture) for capture in sample]
    links = sum(len(page.links) for page in pages)
    held = sum(block.links for page in pages for block in page.blocks)
    found = sum(len(page.blocks) for page in pages)
    return f"{found / len(pages):.1f} blocks a page, {held / max(links, 1):.0%} of the links in one"
