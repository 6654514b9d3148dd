"""`report`: what the keeper of a site would mend. Each kind of finding is a function below, and a table of the answer.

Only links that authors made count (`links=content`), except where it says otherwise. Pages are those that were fetched.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple
from urllib.parse import unquote, urlsplit

import numpy as np
import numpy.typing as npt

from pagekin.acquire import generators
from pagekin.acquire.origin import markdown_of
from pagekin.answer import Answer, Row
from pagekin.answers.mirrors import mirrors
from pagekin.collection.lookup import find
from pagekin.collection.store import Store
from pagekin.engine.watch import step
from pagekin.errors import UsageError
from pagekin.index.mirrors.kin import is_complete, known
from pagekin.kernels import Ints
from pagekin.methods import method
from pagekin.methods.narrowed import lists
from pagekin.model import DEFAULT_METHOD

BAD = 400  # HTTP's statuses from here on are errors
RELATED = 5  # pages that are among each other's first so many should be linked
MOST_ASKED = 10_000  # pages whose related pages are looked for: a minute or two
TIMES_LINKED, LEAST_LINKED = 10, 100  # over-linked: so many times as many links as the median page, and so many at all

CAPTIONS = {
    "broken": "Links that lead nowhere: the page was asked for and is not there, or the folder has no such file",
    "orphans": "Pages that no other page links to in its text: readers find them by menus and searches alone",
    "dead ends": "Pages that link to no other page in their text",
    "missing links": f"Pages without a link between them, though each is among the {RELATED} most related to the other",
    "copies": "Pages with the same text, or nearly",
    "over-linked": f"Pages with {TIMES_LINKED} times as many links in their text as most, and {LEAST_LINKED} at least",
    "without words": "Pages that say nothing of their own: all their text is on many other pages, too",
}


@dataclass(frozen=True)
class Finding(Row):
    """Something to mend on a page."""

    table: str
    url: str
    title: str
    other: str | None = None  # the page it is about, too
    said: str = ""  # the anchor of a link, why …
    count: float | None = None


@dataclass(frozen=True, repr=False)
class SiteReport(Answer[Finding]):
    """What to mend, kind by kind, the worst first; at most k of a kind, and how many there are."""

    found: dict[str, int] = field(default_factory=dict)

    shown: ClassVar[tuple[str, ...]] = ("table", "url", "other", "said", "count")
    header: ClassVar[tuple[str, ...]] = ("table", "url", "title", "other", "said", "count")

    def tables_in(self) -> dict[str, str]:
        rows = Counter(row.table for row in self)
        return {
            name: f"{caption} ({rows[name]:,} of {self.found[name]:,})"
            for name, caption in CAPTIONS.items()
            if rows[name]
        }


class Site(NamedTuple):
    """A collection as a report sees it."""

    store: Store
    fetched: npt.NDArray[np.bool_]  # which numbers are pages that were fetched
    notes: list[str]  # what could not be looked at
    files: bool = True  # whether to look on disk for files that links name

    def finding(
        self, table: str, page: int, other: int | None = None, said: str = "", count: float | None = None
    ) -> Finding:
        name = None if other is None else self.store.url(other)
        return Finding(table, self.store.url(page), self.store.title(page), name, said, count)


def report(store: Store, k: int, files: bool = True) -> SiteReport:
    """What to mend in a collection, at most k of a kind. `files`: look in added folders for what links name."""
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    site = Site(store, store.fetched & store.graph.is_page, [], files)
    if not site.fetched.any():
        return SiteReport(note="no page was fetched, so there is nothing to report on; add pages or crawl them")
    kinds: dict[str, Callable[[Site], Iterator[Finding]]] = {
        "broken": _broken, "orphans": _orphans, "dead ends": _dead_ends, "missing links": _missing_links,
        "copies": _copies, "over-linked": _over_linked, "without words": _without_words,
    }  # fmt: skip
    rows, found = list[Finding](), dict[str, int]()
    for number, (name, findings) in enumerate(kinds.items(), 1):
        with step(f"{name} ({number} of {len(kinds)})"):
            every = list(findings(site))
        found[name] = len(every)
        rows += every[:k]
    none = [] if rows else ["nothing to mend was found"]
    return SiteReport(note="; ".join([*none, *site.notes]) or None, results=tuple(rows), found=found)


def _broken(site: Site) -> Iterator[Finding]:
    """Links of any role, once for each page and target."""
    store = site.store
    status = store.graph.pages["status"].fill_null(0).to_numpy()
    gone = {page: f"status {status[page]}" for page in np.flatnonzero((status >= BAD) & ~store.fetched).tolist()}
    never = np.flatnonzero(~store.fetched & store.graph.is_page & (status == 0))
    if site.files:
        gone |= dict.fromkeys(_without_file(site, never.astype(np.int32)), "no such file")
    seen = set[tuple[int, int]]()
    for links in store.all_links():
        target = links["target"].to_numpy()
        at = np.flatnonzero(np.isin(target, list(gone)))
        anchors = links["anchor"].take(at).to_pylist()
        for source, page, anchor in zip(
            links["source"].to_numpy()[at].tolist(), target[at].tolist(), anchors, strict=True
        ):
            if (source, page) not in seen:
                seen.add((source, page))
                yield site.finding("broken", source, page, f"“{anchor}”: {gone[page]}" if anchor else gone[page])


def _without_file(site: Site, pages: Ints) -> Iterator[int]:
    """Those of some pages that were never fetched that should be files of an added folder, and are not."""
    folders = _folders(site)
    for page, url in zip(pages.tolist(), site.store.values("url", pages), strict=True):
        parts = urlsplit(url)
        for below, base, folder in folders.get(f"{parts.scheme}://{parts.netloc}", ()):
            if parts.path.startswith(below) and not parts.query and parts.path.startswith(base):
                file = folder + unquote(parts.path.removeprefix(base))
                if not any(map(_exists, (file, f"{file}.html"))):
                    yield page
                break


def _exists(file: str) -> bool:
    """Whether there is such a file; an address may be no name of one."""
    try:
        return Path(file).exists()
    except (OSError, ValueError):
        return False


def _folders(site: Site) -> dict[str, list[tuple[str, str, str]]]:
    """Host → where its pages are below, a path of addresses, and the folder on disk that stands for that path."""
    pages = np.flatnonzero(site.fetched).astype(np.int32)
    counts: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    below: dict[str, list[str]] = defaultdict(list)
    contents: dict[Path, str] = {}
    for url, origin in zip(*(site.store.values(name, pages) for name in ("url", "origin")), strict=True):
        parts = urlsplit(url)
        host = f"{parts.scheme}://{parts.netloc}"
        below[host].append(parts.path.rpartition("/")[0] + "/")
        if notes := markdown_of(origin or ""):
            if notes[0] not in contents:
                contents[notes[0]] = _content(notes[0])
            content = contents[notes[0]]
            counts[host].update([(urlsplit(notes[1]).path, content)] if content else ())
            continue
        address, file = parts.path.split("/"), origin.split("/")
        while len(address) > 1 and file and unquote(address[-1]) == file[-1]:
            address.pop(), file.pop()
        if file and len(file) < len(origin.split("/")):
            counts[host]["/".join(address) + "/", "/".join(file) + "/"] += 1
    found: dict[str, list[tuple[str, str, str]]] = {}
    for host, pairs in counts.items():
        (base, folder), _ = max(pairs.items(), key=lambda pair: (pair[1], pair[0]))
        if Path(folder).is_dir():
            found[host] = [(os.path.commonpath(below[host]).rstrip("/") + "/", base, folder)]
        else:
            site.notes.append(f"{folder} is not there any more, so links to files it lacks are not known")
    return found


def _content(root: Path) -> str:
    """The folder of Markdown whose files are a site's pages; nothing if the generator makes pages of its own, too."""
    made = generators.found(root)
    return "" if made.by_address else f"{made.content}/"


def _orphans(site: Site) -> Iterator[Finding]:
    arrays = site.store.seeing().arrays
    urls = site.store.graph.pages["url"]
    for page in np.flatnonzero(site.fetched & (np.diff(arrays.in_start) == 0)).tolist():
        if urlsplit(urls[page].as_py()).path not in ("", "/"):  # nobody need link to the front page
            every = site.store.arrays.citers(page).size
            said = f"linked from {every:,} menus and templates" if every else "no link at all leads there"
            yield site.finding("orphans", page, said=said)


def _dead_ends(site: Site) -> Iterator[Finding]:
    arrays = site.store.seeing().arrays
    return (
        site.finding("dead ends", page)
        for page in np.flatnonzero(site.fetched & (np.diff(arrays.out_start) == 0)).tolist()
    )


def _missing_links(site: Site) -> Iterator[Finding]:
    """Pairs by the lower of both scores, the highest first."""
    store, pages = site.store, np.flatnonzero(site.fetched).astype(np.int32)
    if pages.size > MOST_ASKED:
        site.notes.append(f"missing links were looked for among {MOST_ASKED:,} of {pages.size:,} pages")
        pages = pages[:MOST_ASKED]
    near: dict[tuple[int, int], float] = {}
    found = lists(method(DEFAULT_METHOD).answering(store), store, RELATED, pages)  # fetched pages, no copies of it
    for page, size, others, scores in zip(pages.tolist(), *found, strict=True):
        near |= {(page, other): score for other, score in zip(others[:size].tolist(), scores.tolist(), strict=False)}
    arrays = store.seeing().arrays
    pairs = [
        (min(score, near[other, page]), page, other)
        for (page, other), score in near.items()
        if page < other and (other, page) in near
        and other not in arrays.targets(page) and page not in arrays.targets(other)
    ]  # fmt: skip
    for score, page, other in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:])):
        yield site.finding("missing links", page, other, count=score)


def _copies(site: Site) -> Iterator[Finding]:
    if not is_complete(site.store):
        site.notes.append(f"counted as duplicates: {known(site.store)}")
    for group in mirrors(site.store):
        first, *others = (find(site.store, url) for url in group.urls)
        yield from (site.finding("copies", first.page, other.page) for other in others if first and other)


def _over_linked(site: Site) -> Iterator[Finding]:
    links = np.diff(site.store.seeing().arrays.out_start)
    usual = float(np.median(links[site.fetched]))
    many = np.flatnonzero(site.fetched & (links >= max(LEAST_LINKED, TIMES_LINKED * usual)))
    for page in many[np.argsort(-links[many], kind="stable")].tolist():
        yield site.finding("over-linked", page, said=f"most have {usual:.0f}", count=int(links[page]))


def _without_words(site: Site) -> Iterator[Finding]:
    start = site.store.graph.stretches.start
    said = np.diff(start)
    again = np.diff(np.concatenate(([0], np.cumsum(site.store.graph.repeated)))[start])
    return (
        site.finding("without words", page)
        for page in np.flatnonzero(site.fetched & (said > 0) & (again == said)).tolist()
    )
