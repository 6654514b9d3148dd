"""Figures 4, 6 and 7 of paper 3, from which the bounds S, r and N are read, for any collection.

Figure 4: links in a block, and links on a page, which is the block if nothing is cut. Figure 6: how often a site links
to a page by the same anchor. Figure 7: the similarity of two pages by one site, DS_d of Eq. 12, before the bound. In
the paper very few blocks have more than 80 links, 75 % of the links occur once, fewer than 5 % more than 9 times, and
fewer than 1 % of the similarities are above 10: hence S = 80, r = 9 and N = 10.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.figures import MARKED, figure, save
from pagekin.evaluate.papers.distributions import (
    anchor_repetitions,
    block_sizes,
    domain_similarities,
    page_sizes,
    share_over,
)
from pagekin.evaluate.papers.tables import Options, PaperTables
from pagekin.evaluate.segmentation import SIZES, classes
from pagekin.methods.block import BlockCoCitation

S, R, N = SIZES[-1], 9, 10

Counted = dict[str, Any]


def table(store: Store, options: Options) -> PaperTables:
    """A row for each class of sizes, number of repetitions and similarity; the last row of each is above the bound."""
    rule = BlockCoCitation(links="all").chosen_for(store).index
    blocks, pages = block_sizes(store), page_sizes(store)
    repeated, given = anchor_repetitions(store), domain_similarities(store, rule)
    cut, whole = sum(blocks.values()), sum(pages.values())
    rows: list[Counted] = [
        {"table": "Figure 4", "links": name, **_share("blocks", count, cut), **_share("pages", of, whole)}
        for (name, count), of in zip(classes(blocks).items(), classes(pages).values(), strict=True)
    ]
    rows += [{"table": "Figure 6", "times": name, **held} for name, held in _up_to(R, repeated, "links")]
    rows += [{"table": "Figure 7", "similarity": name, **held} for name, held in _up_to(N, given, "pairs")]
    captions = {
        "Figure 4": f"Links in a block, and on a page: {share_over(blocks, S):.2%} of the blocks and "
        f"{share_over(pages, S):.2%} of the pages are over S = {S}",
        "Figure 6": f"How often a site links to a page by the same anchor: {share_over(repeated, R):.2%} over r = {R}",
        "Figure 7": f"The similarity of two pages by one site (rounded up): {share_over(given, N):.2%} over N = {N}",
    }
    empty = {
        "Figure 4": None if cut else "there are no links, so Figure 4 is left out",
        "Figure 6": None if repeated else "no link has an anchor, so Figure 6 is left out",
        "Figure 7": None if given else "no site makes two pages similar, so Figure 7 is left out",
    }
    notes = [said for said in empty.values() if said]
    if cut and blocks == pages:
        notes.append("nothing was cut into blocks: the links came from tables, where a page is one block")
    shown = tuple(row for row in rows if empty[row["table"]] is None)
    about = {"index": repr(rule), "blocks": cut}
    return PaperTables((), "; ".join(notes) or None, shown, "paper3", about, captions)


def _up_to(bound: int, counts: Mapping[int, int], of: str) -> Iterator[tuple[str, Counted]]:
    """A row for each of 1, 2 … bound, and one for what is over it."""
    whole = sum(counts.values())
    for value in range(1, bound + 1):
        yield str(value), _share(of, counts.get(value, 0), whole)
    yield f"over {bound}", _share(of, sum(count for value, count in counts.items() if value > bound), whole)


def _share(of: str, count: int, whole: int) -> Counted:
    return {of: count, f"share of {of}": count / max(whole, 1)}


def plot(store: Store, options: Options, answer: PaperTables, path: Path) -> None:
    """Draw the figures, one above the other: shares on a logarithmic scale, and the bound."""
    parts = list(answer.parts())
    if not parts:
        raise PagekinError("there are no links, so there is nothing to draw")
    page = figure(7, 3.4 * len(parts))
    bounds = {"Figure 4": f"S = {S}", "Figure 6": f"r = {R}", "Figure 7": f"N = {N}"}
    for place, (name, _, rows) in enumerate(parts, 1):
        axes = page.add_subplot(len(parts), 1, place)
        values = next(iter(rows[0]))
        columns = [column for column in rows[0] if column.startswith("share of ")]
        for column in columns:
            shares = [
                row[column] or float("nan") for row in rows
            ]  # an empty class gets no point, rather than one at minus ∞
            axes.plot([row[values] for row in rows], shares, "o-", label=column)
        if any(row[column] for row in rows for column in columns):
            axes.set_yscale("log")
        axes.axvline(len(rows) - 1.5, color=MARKED, linestyle="--", label=bounds[name])
        axes.set(xlabel=values, ylabel="share", xlim=(-0.4, len(rows) - 0.6))
        axes.set_title(f"{name}. {answer.captions[name]}", fontsize=8)
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["right", "top"]].set_visible(False)
    page.set_layout_engine("constrained")
    save(page, path, path.suffix.removeprefix(".").lower())
