"""How well pages are cut into blocks: compared with blocks made by people (paper 3, Eq. 2–4), and by size (Figure 4).

A cut is the list of the block of each link of a page, in document order; `ALONE` means a link in no block.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pagekin.model import ALONE

Cut = Sequence[int]

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# The upper ends of the classes of sizes; larger sizes are one more class. The last is S of paper 3.
SIZES = (2, 3, 5, 10, 20, 40, 80)


@dataclass(frozen=True, slots=True)
class Precision:
    """How many blocks were found, and how many of them are right.

    >>> precision_of([0, 0, 0, 1, 1, -1], [7, 7, 7, 8, 8, 8])
    Precision(blocks=2, exact=1, included=2)
    """

    blocks: int = 0
    exact: int = 0  # has the same links as a block of the truth
    included: int = 0  # all its links are in the same block of the truth

    @property
    def e_precision(self) -> float:
        """Eq. 3: the share of blocks that are exactly a block of the truth."""
        return self.exact / max(self.blocks, 1)

    @property
    def i_precision(self) -> float:
        """Eq. 4: the share of blocks that lie within a block of the truth."""
        return self.included / max(self.blocks, 1)

    def __add__(self, other: "Precision") -> "Precision":
        return Precision(self.blocks + other.blocks, self.exact + other.exact, self.included + other.included)


def precision_of(found: Cut, truth: Cut) -> Precision:
    """Compare the cut of one page with the true cut."""
    if len(found) != len(truth):
        raise ValueError(f"a page with {len(found)} links is compared with one of {len(truth)}")
    right = set(map(frozenset, members(truth)))
    mine = members(found)
    exact = sum(frozenset(block) in right for block in mine)
    return Precision(len(mine), exact, sum(len({truth[link] for link in block}) == 1 for block in mine))


def members(cut: Cut) -> list[list[int]]:
    """The links of each block.

    >>> members([0, 0, -1, 1, 1])
    [[0, 1], [3, 4]]
    """
    blocks: dict[int, list[int]] = {}
    for link, block in enumerate(cut):
        if block != ALONE:
            blocks.setdefault(block, []).append(link)
    return list(blocks.values())


def sizes(cuts: Iterable[Cut]) -> dict[int, int]:
    """Size → number of blocks of that size; links in no block count as blocks of 1.

    >>> sizes([[0, 0, 1, 1, 1], [-1]])
    {1: 1, 2: 1, 3: 1}
    """
    counts: Counter[int] = Counter()
    for cut in cuts:
        counts[1] += sum(block == ALONE for block in cut)
        counts.update(map(len, members(cut)))
    return {size: count for size, count in sorted(counts.items()) if count}


def classes(counts: Mapping[int, int]) -> dict[str, int]:
    """The counts in a few classes of sizes; the last is what the bound S leaves out.

    >>> {name: count for name, count in classes({1: 7, 4: 2, 5: 1, 81: 1}).items() if count}
    {'1': 7, '4–5': 3, 'over 80': 1}
    """
    found = dict.fromkeys((_class(size) for size in (1, *SIZES, SIZES[-1] + 1)), 0)
    for size, count in counts.items():
        found[_class(size)] += count
    return found


def _class(size: int) -> str:
    low = 0
    for high in (1, *SIZES):
        if size <= high:
            return str(high) if high == low + 1 else f"{low + 1}–{high}"
        low = high
    return f"over {low}"
