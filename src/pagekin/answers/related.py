"""`related`: the pages related to one page, or to several together, each with its evidence."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from pagekin.answer import PageName
from pagekin.answers.bridges import bridge_mark
from pagekin.answers.commonplace import commonplace
from pagekin.answers.filters import NO_FILTERS, Filters, Sieve, narrows
from pagekin.answers.ranking import PageClass, Ranking, Related
from pagekin.collection.lookup import find, nearest
from pagekin.collection.store import Store
from pagekin.errors import UnknownPageError, UsageError
from pagekin.methods import Method, Scores, ask, index_note
from pagekin.methods.narrowed import Folding, depths
from pagekin.model import Evidence
from pagekin.wording import option, voice

# Reciprocal rank fusion of several seeds: rank r in a seed's list adds 1 / (60 + r) to a page (Cormack et al. 2009).
RANK_OFFSET = 60
FUSED_DEPTH = 200  # how many results of each seed are read, at least
# Of a visit, the page that was seen i pages before the newest weighs 0.8^i: the latest pages say most about what a
# reader wants now (paper 4's introduction).
FADING = 0.8
VISITED = 20  # pages of a visit that are asked about; the next would weigh 0.012


def related(
    store: Store,
    pages: Sequence[str],
    k: int,
    method: Method,
    why: bool = False,
    filters: Filters | None = None,
    history: Sequence[str] = (),
) -> Ranking:
    """The k pages most related to one page, to several together, or to those of a visit (`history`, newest last).

    Pages of a visit weigh less the longer ago they were seen, and none of them is a result.
    """
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if not pages and not history:
        raise UsageError("no page given; name at least one page to find related pages for")
    asked = store.memo.get("answering", method, lambda: method.answering(store))
    seen = asked.seen(store)
    filters = NO_FILTERS if filters is None else filters
    named, unknown, notes = _seeds(store, [*pages, *reversed(history)])
    fixed = len({found.page for text in pages if (found := find(store, text))}) if history else len(named)
    seeds, weights = named[: fixed + VISITED], [FADING ** max(at - fixed, 0) for at in range(len(named))]
    if len(named) > len(seeds):
        notes.append(
            f"the {VISITED} newest pages of the visit count, of {len(named) - fixed}; none of them is a result"
        )
    sought = min(k, max(store.size, 1))
    scores, note = _ranked(store, asked, seeds, sought, filters, weights, set(named))
    same = _commonplace(store, asked, seeds, scores, filters)
    stale = store.memo.get("index note", (method, voice()), lambda: index_note(method, store))
    notes += [said for said in (note, same, stale) if said]
    linked = {page for seed in seeds for page in store.arrays.linked(seed).tolist()}
    folded = Folding(store, asked, (), filters.fold)
    url, title, host = map(store.reading, ("url", "title", "host"))
    kin = folded.among([page for page, _ in scores])
    results = tuple(
        Related(
            rank=rank,
            url=url(page),
            title=title(page),
            host=host(page),
            score=score,
            linked=page in linked,
            bridge=bridge_mark(seen, asked, page),
            mirrors=_addresses(store, folded.mirrors(page)) if page in kin else (),
            translations=_addresses(store, folded.translations(page)) if page in kin else (),
            why=tuple(evidence_between(asked, seen, seeds, page)) if why else None,
        )
        for rank, (page, score) in enumerate(scores, 1)
    )
    query = tuple(PageName(store.url(seed), store.title(seed)) for seed in seeds)
    own = {page for seed in seeds for page in folded.mirrors(seed)}.difference(seeds)
    others = {page for seed in seeds for page in folded.translations(seed)}.difference(seeds)
    return Ranking(
        query, "; ".join(notes) or None, results, tuple(unknown), repr(asked),
        _addresses(store, own), _addresses(store, others),
    )  # fmt: skip


def _addresses(store: Store, pages: Iterable[int]) -> tuple[str, ...]:
    return tuple(sorted(map(store.url, pages)))


def in_classes(store: Store, ranking: Ranking) -> Ranking:
    """The same ranking with its pages grouped into classes, each labelled with its main keywords."""
    from pagekin.search.classes import classes

    rank = {page: result.rank for result in ranking if (page := _page(store, result.url)) is not None}
    found = classes(store, list(rank))
    return replace(
        ranking, classes=tuple(PageClass(each.label, tuple(rank[page] for page in each.pages)) for each in found)
    )


def _page(store: Store, url: str) -> int | None:
    found = find(store, url)
    return found.page if found else None


def _seeds(store: Store, pages: Iterable[str]) -> tuple[list[int], list[str], list[str]]:
    """The numbers of the pages asked about, the texts that match no page, and notes on how the others were found."""
    seeds: list[int] = []
    unknown, notes = [], []
    for text in pages:
        found = find(store, text)
        if found is None:
            unknown.append(text)
        elif found.page not in seeds:
            seeds.append(found.page)
            notes += [found.note] if found.note else []
    if not seeds:
        raise UnknownPageError(unknown, nearest(store, unknown[0]))
    return seeds, unknown, notes


def _ranked(
    store: Store,
    asked: Method,
    seeds: Sequence[int],
    k: int,
    filters: Filters,
    weights: Sequence[float],
    seen: Collection[int],
) -> tuple[list[tuple[int, float]], str | None]:
    """The k best pages that pass the filters; longer lists are asked for while too few pass."""
    least = k + len(seen) - 1 if len(seeds) == 1 else max(FUSED_DEPTH, k)
    narrow = narrows(store, seeds, filters)
    sieved = narrow or not filters.plain
    for depth in depths(store, asked, least, narrow):
        lists = [ask(asked, store, seed, depth) for seed in seeds]
        merged = _merged(lists, weights) if len(seeds) > 1 else list(_pairs(lists[0]))
        merged = [(page, score) for page, score in merged if page not in seen]
        sieve = Sieve(store, filters, seeds) if sieved else None  # it remembers what passed
        passed = _passed(merged, k, sieve, Folding(store, asked, seeds, filters.fold))
        if len(passed) >= k or all(len(found.pages) < depth for found in lists):
            break
    note = _note(store, seeds, lists)
    if not passed and merged and filters.plain and filters.fetched is not False:
        asked_for = option("fetched", False)
        note = f"none of the {len(merged):,} related pages was fetched; to see them: {asked_for}"
    elif not passed and merged:
        note = f"the filters left out all {len(merged)} related pages; loosen them"
    elif not passed and not note:
        note = "these pages are related to each other, and to no other page"
    return passed[:k], note


def _commonplace(
    store: Store, asked: Method, seeds: Sequence[int], scores: Sequence[tuple[int, float]], filters: Filters
) -> str | None:
    """The note on a list that nearly every page of the site would get; filters and several seeds make it special."""
    if not asked.drifts or len(seeds) > 1 or not filters.plain:
        return None

    def first(page: int, k: int) -> list[int]:
        found = scores if page == seeds[0] else _ranked(store, asked, [page], k, filters, [1.0], {page})[0]
        return [each for each, _ in found[:k]]

    return commonplace(store, asked, seeds[0], first, filters)


def _passed(merged: Sequence[tuple[int, float]], k: int, sieve: Sieve | None, fold: Folding) -> list[tuple[int, float]]:
    """The first k pages of a list that pass the filters, if there are any, and are not folded into another."""
    kin = fold.among([page for page, _ in merged])
    passed: list[tuple[int, float]] = []
    for page, score in merged:
        if page not in fold.hidden and (sieve is None or sieve.lets_pass(page, score)):
            if page in kin:
                fold.keep(page)
            passed.append((page, score))
            if len(passed) == k:
                break
    return passed


def _note(store: Store, seeds: Sequence[int], lists: Sequence[Scores]) -> str | None:
    """The notes of the lists as one; a note that does not apply to all seeds names the pages it is about."""
    said: dict[str, list[int]] = {}
    for seed, found in zip(seeds, lists, strict=True):
        if found.note:
            said.setdefault(found.note, []).append(seed)
    notes = [
        note if len(about) == len(seeds) else f"{', '.join(map(store.url, about))}: {note}"
        for note, about in said.items()
    ]
    return "; ".join(notes) or None


def _pairs(scores: Scores) -> Iterable[tuple[int, float]]:
    return zip(scores.pages.tolist(), scores.scores.tolist(), strict=True)


def _merged(lists: Sequence[Scores], weights: Sequence[float]) -> list[tuple[int, float]]:
    """Merge several rankings into one by weighted reciprocal rank; equal scores are in page order."""
    total: dict[int, float] = {}
    for scores, weight in zip(lists, weights, strict=False):  # seen pages that are not asked about have a weight too
        for rank, page in enumerate(scores.pages.tolist(), 1):
            total[page] = total.get(page, 0.0) + weight / (RANK_OFFSET + rank)
    return sorted(total.items(), key=lambda item: (-float(f"{item[1]:.12g}"), item[0]))


def evidence_between(asked: Method, store: Store, seeds: Sequence[int], page: int) -> Iterable[Evidence]:
    """The evidence for a result; with several seeds, each reason names the seed it is about."""
    for seed in seeds:
        for reason in asked.why(store, seed, page):
            detail: dict[str, Any] = dict(reason.detail)
            yield Evidence(reason.kind, detail if len(seeds) == 1 else {"seed": store.url(seed), **detail})
