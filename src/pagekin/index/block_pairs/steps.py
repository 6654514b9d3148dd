"""The relational steps of paper 3, which make pairs of links that appear together on a page, and scores of pairs.

Every function takes tables and returns one, as an Ibis expression that any engine can run. The tables:

    links   source, block, position, target, anchor, words    a link; `block` is one number for the page and its block
    pages   page, site, weight, bare, stands, at, random      a page; `stands` is the page for which a link to it
                                                              counts (−1: none), `at` that page's site, `random` a
                                                              number of 31 bits for it; `bare`: see `filtered`
    words   words, word                                       a word of the word set that a link names in `words`

The index runs them over all links, `evidence` over those on the pages that cite the page asked about.

Pages, sites, anchors and words are whole numbers here; the number of an empty anchor is 0.

Scores are summed as decimals, which are exact: the sum does not depend on the order in which threads or machines add.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pagekin.index.block_pairs.rule import PairRule

if TYPE_CHECKING:
    from ibis import Column, Table

# A pair scores at most 2, so one digit before the point is enough, and 18 digits are what a 64-bit integer holds.
SCORE = "decimal(18, 17)"
PRIME = 2**31 - 1  # the product of two numbers below it is below 2⁶²


def in_blocks(links: "Table", rule: PairRule) -> "Table":
    """The links in blocks of a size that counts."""
    sizes = links.group_by("block").agg(size=links.count())
    return links.semi_join(sizes.filter(sizes.size.between(*rule.block_sizes)).select("block"), "block")


def aimed(links: "Table", pages: "Table") -> "Table":
    """The links with the page for which they count and its site; `pages` says it (files, query strings, aliases)."""
    target = pages.filter(pages.stands >= 0).select(target="page", stands="stands", site="at", random="random")
    found = links.inner_join(target, "target")
    return found.select("source", "block", "position", "anchor", "words", "site", "random", target="stands")


def first_in_block(links: "Table") -> "Table":
    """Of the links of a block that count for one page, the first."""
    first = links.group_by(["block", "target"]).agg(position=links.position.min())
    return links.semi_join(first, ["block", "target", "position"])


def filtered(links: "Table", pages: "Table", repeated: "Table", rule: PairRule) -> "Table":
    """The links that may form pairs, with the target's site, the citing page's site and weight and, within one site,
    whether they belong to its template (`repeated`).

    The paper's filters are in its order: `in_blocks`, `aimed` and `first_in_block` come before, each a step of its own,
    since an engine holds the tables of all joins of a step at once. A page for whose links no table has an anchor
    (`bare`) is exempt from the filter on empty anchors.
    """
    source = pages.select(source="page", citing="site", weight="weight", bare="bare", own="stands")
    found = links.inner_join(source, "source")
    found = found.filter(((found.anchor != 0) | found.bare) & (found.target != found.own))
    if rule.scope == "web":
        return found.filter(found.site != found.citing).drop("bare", "own")
    keys = ["citing", "target", "anchor"]
    found = found.left_join(repeated.select(keys), keys)
    found = found.mutate(template=found.anchor_right.notnull())
    return found.drop("bare", "own", "citing_right", "target_right", "anchor_right")


def template(links: "Table", pages: "Table", rule: PairRule) -> "Table":
    """The links of a site's template, in `scope=site`: those with one anchor on more than r of its pages and on over
    half of its pages with links. Columns: citing, target, anchor, and one page of the site.

    Within the site they are next to everything. Its navigation bar also links to the next page, the previous page and
    the parent, so no two bars are copies of each other and r does not bound what they give. So template links form
    pairs with each other, but not with the rest.
    """
    source = pages.select(source="page", citing="site")
    target = pages.filter(pages.stands >= 0).select(target="page", stands="stands")
    rows = links.inner_join(source, "source")
    whole = rows.group_by("citing").agg(whole=rows.source.nunique())
    rows = rows.filter(rows.anchor != 0).inner_join(target, "target").drop("target")
    repeated = rows.group_by(["citing", "stands", "anchor"]).agg(times=rows.source.nunique(), page=rows.source.min())
    found = repeated.rename(target="stands").inner_join(whole, "citing")
    found = found.filter((found.times > rule.max_repeats) & (2 * found.times > found.whole) & (rule.scope == "site"))
    return found.select("citing", "target", "anchor", "page")


def holding_by_site(kept: "Table") -> "Table":
    """The number of blocks of each site that link to a page; their sum is in(p₂) of Eq. 13: citing, target, blocks."""
    return kept.group_by(["citing", "target"]).agg(blocks=kept.count())


def marked(kept: "Table") -> "Table":
    """The links with a flag `twice`: whether the page links to the target in another block as well."""
    on_page = kept.group_by(["source", "target"]).agg(times=kept.count())
    more = on_page.filter(on_page.times > 1).select("source", "target", "times")
    rows = kept.left_join(more, ["source", "target"])
    return rows.mutate(twice=rows.times.notnull()).drop("times", "source_right", "target_right")


def without_copies(rows: "Table", rule: PairRule) -> "Table":
    """The links without the blocks that a site's template repeats: of equal blocks, r copies stay.

    All copies would give the same result: each gives the very same pairs, of which at most the best r count. The copies
    on the best citing pages stay. But on a page only the first block that gives a pair counts, so a block with two
    targets that are also in another block of its page (`twice`) may take pairs from that block or lose them to it: it
    stays.

    Equal blocks are recognised by sums of pseudo-random numbers, one for each link and its distance from the first.
    """
    import ibis

    code = (rows.random * (rows.anchor.abs() % PRIME + 1) + rows.words.abs() % PRIME) % PRIME
    rows = rows.mutate(code=code)
    blocks = rows.group_by(["block", "source", "citing"]).agg(
        size=rows.count(),
        seen=rows.twice.cast("int64").sum(),
        first=rows.position.min(),
        what=rows.code.sum(),
        where=(rows.code * rows.position).sum(),
        weight=rows.weight.max(),
    )
    blocks = blocks.filter(blocks.size > 1)
    blocks = blocks.mutate(where=blocks.where - blocks.what * blocks.first, mixed=blocks.seen > 1)
    copy = ibis.row_number().over(
        group_by=[blocks.citing, blocks.size, blocks.what, blocks.where, blocks.mixed],
        order_by=[blocks.weight.desc(), blocks.block],
    )
    blocks = blocks.mutate(copy=copy)
    stay = blocks.filter((blocks.copy < rule.max_repeats) | blocks.mixed).select("block")
    return rows.drop("code", "random").semi_join(stay, "block")


def worded(rows: "Table", words: "Table") -> "Table":
    """Each word of each link's anchor: block, target, word.

    It is a step of its own, and `sharing` another: in one query the engine may join the words of all anchors with each
    other first, which is quadratic if most of them have a word in common.
    """
    return rows.select("block", "target", "words").inner_join(words, "words").select("block", "target", "word")


def sharing(rows: "Table", own: "Table | None" = None) -> "Table":
    """How many words two anchors in a block have in common, if any: block, target, other, common.

    `rows` and `own` are as `worded` gives them.
    """
    one, other = _sides(rows, own, lambda side: side)
    both = one.inner_join(other, [*_together(one, other, own), one.word == other.word])
    both = both.select(block=one.block, target=one.target, other=other.target)
    return both.group_by(["block", "target", "other"]).agg(common=both.count())


def _sides(rows: "Table", own: "Table | None", made: "Callable[[Table], Table]") -> "tuple[Table, Table]":
    """The links that come first in pairs, and the links that come second."""
    if own is not None:
        return made(own), made(rows)
    one = made(rows)
    return one, one.view()


def _together(one: "Table", other: "Table", own: "Table | None") -> "list[Column]":
    """The condition for two links to be in one block; for all pairs, target < other, as the other way says the same."""
    return [one.block == other.block, one.target < other.target if own is None else one.target != other.target]


def pairs(rows: "Table", shared: "Table", words: "Table", rule: PairRule, own: "Table | None" = None) -> "Table":
    """The pairs of targets in one block with their scores (Eq. 5–7), and both anchors and positions.

    These are all pairs in `rows` with target < other or, given `own` (some of those rows), the pairs from them to any
    other.

    With i, j the positions of the two links, and W the word sets of their anchors:

        P = 1 if |i − j| ≤ λ else exp(−(|i − j| − λ) / 2)        A = |W₁ ∩ W₂| / |W₁ ∪ W₂|        S = P (1 + A)

    A page gives a pair once, from the first of its blocks that has it (`once`).
    """
    import ibis

    one, other = _sides(rows, own, lambda side: _with_sizes(side, words))
    fit = one.site != other.site if rule.scope == "web" else one.template == other.template
    both = one.inner_join(other, [*_together(one, other, own), fit]).select(
        source=one.source,
        block=one.block,
        target=one.target,
        other=other.target,
        citing=one.citing,
        anchor=one.anchor,
        other_anchor=other.anchor,
        position=one.position,
        other_position=other.position,
        gap=(one.position - other.position).abs(),
        sizes=one.size + other.size,
        weight=one.weight,
        again=one.twice & other.twice,
    )
    both = both.left_join(shared, ["block", "target", "other"])
    common = both.common.fill_null(0)
    near = ibis.ifelse(both.gap <= rule.near, 1.0, ((rule.near - both.gap) / 2).exp())
    alike = ibis.ifelse(common > 0, common / (both.sizes - common), 0.0)
    both = both.mutate(score=near * (1 + alike) * both.weight)
    return both.select(*PAIR, *SHOWN)


def _with_sizes(rows: "Table", words: "Table") -> "Table":
    """The links with the sizes of their word sets."""
    counted = words.group_by("words").agg(size=words.count())
    rows = rows.left_join(counted, "words").drop("words_right")
    return rows.mutate(size=rows.size.fill_null(0))


# The columns of a pair that the sums need, and those that only its evidence shows.
PAIR = ["source", "block", "target", "other", "citing", "anchor", "other_anchor", "score", "again"]
SHOWN = ["position", "other_position", "gap"]


def once(pairs: "Table") -> "Table":
    """The pairs with each pair of a page only from the first block that gives it.

    Only two targets that are both in several blocks of the page (`again`) can be a pair twice.
    """
    import ibis

    again = pairs.filter(pairs.again)
    turn = ibis.row_number().over(group_by=[again.source, again.target, again.other], order_by=again.block)
    again = again.mutate(turn=turn)
    return pairs.filter(~pairs.again).union(again.filter(again.turn == 0).drop("turn"))


def both_ways(pairs: "Table") -> "Table":
    """Each pair in both directions: page, other, citing, anchor (the other's), score."""
    return one_way(pairs).union(
        one_way(pairs.select("citing", "score", target="other", other="target", other_anchor="anchor"))
    )


def one_way(pairs: "Table") -> "Table":
    """Each pair from its first page to the other, with its score as a decimal for summing."""
    return pairs.select("citing", score=pairs.score.cast(SCORE), page="target", other="other", anchor="other_anchor")


GROUP = ["page", "other", "citing", "anchor"]


def summed(pairs: "Table") -> "Table":
    """The total score and the number of the pairs from one citing site with one anchor of the other page."""
    return pairs.group_by(GROUP).agg(score=pairs.score.sum(), times=pairs.count())


def capped(sums: "Table", pairs: "Table", rule: PairRule) -> "Table":
    """The sums of `summed`, but of only the r best pairs each."""
    import ibis

    over = pairs.semi_join(sums.filter(sums.times > rule.max_repeats), GROUP)
    over = over.mutate(turn=ibis.row_number().over(group_by=GROUP, order_by=over.score.desc()))
    best = over.filter(over.turn < rule.max_repeats)
    best = best.group_by(GROUP).agg(score=best.score.sum(), times=best.count())
    return sums.filter(sums.times <= rule.max_repeats).union(best)


def given(sums: "Table") -> "Table":
    """What each citing site gives over all anchors, not yet bounded by N (Eq. 12): page, other, citing, score."""
    return sums.group_by(["page", "other", "citing"]).agg(score=sums.score.sum())


def bounded(sites: "Table", rule: PairRule) -> "Table":
    """What each citing site gives, at most N; within one site (`scope=site`) there is no such bound."""
    import ibis

    if rule.scope != "web":
        return sites
    most = ibis.literal(f"{rule.max_site:.17f}").cast("decimal(38, 17)")
    return sites.mutate(score=ibis.least(sites.score, most))
