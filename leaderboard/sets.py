"""The development sets: data with known answers, each made into a collection and one or more tasks.

Documentation is asked what its authors wrote under "See also" (`related`) and in its index (`search`); both are hidden
from the methods. Real data is read from the folder that `PAGEKIN_DATA` names, documentation from Debian's packages.
"""

import os
import random
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from leaderboard import blog
from leaderboard.clock import timed
from leaderboard.debian import documentation
from pagekin import Collection
from pagekin.acquire.folder import open_folder
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate import index_entries, judgements, see_also, truth
from pagekin.evaluate.truth import Labels, Relevance, Truth
from pagekin.model import Capture
from pagekin.parse import parse

SEED = 16
INDEXES: list[str] = []  # what is built; if none is named, all that methods need
HELD_OUT = 5  # every fifth list is the truth, the others are the collection


@dataclass(frozen=True)
class Task:
    """One kind of question about one collection."""

    name: str  # citeseer, cacm-search …
    store: Store
    truth: Truth


Tasks = Iterator[Task]


class MissingError(Exception):
    """The data is not on this machine."""


def sampled(known: Truth, count: int) -> Relevance:
    """The truth about some of the questions, drawn by a seed."""
    asked = known.asked
    if len(asked) > count:
        asked = sorted(random.Random(SEED).sample(list(asked), count), key=asked.index)
    of = {question: dict(known.relevant(question)) for question in asked}
    return Relevance(of, tuple(known.notes), known.hidden, known.kind, known.words)


def data(name: str, folder: Path) -> Path:
    """The folder that a file of real data unpacks to."""
    if not (home := os.environ.get("PAGEKIN_DATA")):
        raise MissingError("PAGEKIN_DATA does not name a directory with the real data")
    if not (folder / name).is_dir():
        with tarfile.open(Path(home) / f"{name}.tar.xz") as archive:
            archive.extractall(folder, filter="data")
    return folder / name


def _built(path: Path) -> Store:
    with timed(f"{path.name}: the indexes"):
        Collection(path).build(index=INDEXES, all=not INDEXES)
    return Store(path)


def citeseer(folder: Path) -> Tasks:
    """Papers with their citations and word flags; papers of one class are related."""
    Collection(folder / "c.kin").add(data("citeseer", folder))
    store = _built(folder / "c.kin")
    yield Task("citeseer", store, truth.labels_of(store))


def webkb(folder: Path) -> Tasks:
    """Pages of universities, 1997; pages of one class (course, project, person …) are related."""
    Collection(folder / "w.kin").add(data("webkb", folder))
    store = _built(folder / "w.kin")
    yield Task("webkb", store, truth.labels_of(store))


def planetmath(folder: Path) -> Tasks:
    """An encyclopedia; entries that its authors marked as related are."""
    Collection(folder / "p.kin").add(data("planetmath", folder) / "pages", base_url="http://planetmath.org/")
    store = _built(folder / "p.kin")
    yield Task("planetmath", store, truth.read_pairs(store, folder / "planetmath/related.tsv"))


def cacm(folder: Path) -> Tasks:
    """Abstracts with citations; abstracts relevant to the same question are related, and the questions are searched."""
    Collection(folder / "a.kin").add(data("cacm", folder) / "cacm.all")
    store = _built(folder / "a.kin")
    questions = judgements.read(store, folder / "cacm/query.text", folder / "cacm/qrels.text")
    yield Task("cacm", store, _together(questions.of.values()))
    yield Task("cacm-search", store, questions)


def _together(groups: Iterable[Iterable[int]]) -> Relevance:
    """Pages of one group are related to each other."""
    of: dict[int | str, dict[int, int]] = {}
    for group in map(list, groups):
        for page in group:
            of.setdefault(page, {}).update((other, 1) for other in group if other != page)
    return Relevance({page: others for page, others in sorted(of.items()) if others})


def awesome_lists(folder: Path) -> Tasks:
    """Hand-made lists of links; links under one heading are related. Every fifth list is the truth and not read."""
    lists = [item for item in open_folder(data("awesome-lists", folder), None) if isinstance(item, Capture)]
    lists.sort(key=lambda page: page.url)
    ingest(folder / "l.kin", [[page for at, page in enumerate(lists) if at % HELD_OUT]])
    store = _built(folder / "l.kin")
    groups = [group for page in lists[::HELD_OUT] for group in _under_headings(page)]
    numbers = [[_number(store, url) for url in group] for group in groups]
    yield Task("awesome-lists", store, _together([[page for page in group if page is not None] for group in numbers]))


def _under_headings(page: Capture) -> Iterator[set[str]]:
    """The addresses that a page links to under each of its headings."""
    markup = page.body.decode("utf-8", "replace")
    tree, group = LexborHTMLParser(markup), set[str]()
    targets = {link.position: link.target for link in parse(page).links}
    position = 0
    for node in tree.css("h1,h2,h3,h4,h5,h6,a[href],area[href],iframe[src],frame[src]"):
        if (node.tag or "").startswith("h"):
            yield group
            group = set()
        elif position in targets:
            group.add(targets[position])
            position += 1
    yield group


def _number(store: Store, url: str) -> int | None:
    """A page that links lead to or from; without any, it is there as the root of a host alone."""
    from pagekin.url import page_id

    number = store.number(page_id(url))
    page = -1 if number is None else int(store.graph.page_of[number])
    return page if page >= 0 and store.arrays.linked(page).size else None


def the_blog(folder: Path) -> Tasks:
    """A blog of our own making, most of whose links are its template; posts on one topic are related."""
    (folder / "blog").mkdir(exist_ok=True)
    topics = blog.write(folder / "blog")
    Collection(folder / "b.kin").add(folder / "blog", base_url=blog.BASE)
    store = _built(folder / "b.kin")
    found = {_number(store, url): frozenset([topic]) for url, topic in topics.items()}
    yield Task("blog", store, Labels({page: topic for page, topic in found.items() if page is not None}))


def manual(package: str, inside: str, searched: bool = True) -> Callable[[Path], Tasks]:
    """Documentation of a Debian package, below a folder of it."""

    def tasks(folder: Path) -> Tasks:
        try:
            root = documentation(package, folder / package)
        except OSError as error:
            raise MissingError(str(error)) from error
        if not (root / inside).is_dir():
            raise MissingError(f"{package} has no folder usr/share/{inside} in this version of the distribution")
        whole = folder / "whole.kin"
        with timed(f"{package}: reading"):
            Collection(whole).add(root / inside, base_url=f"https://{package}.example/")
        for kind, hide in (("", see_also.hide), ("-search", index_entries.hide)):
            if kind and not searched:
                continue
            try:
                with timed(f"{package}{kind}: hiding the truth"):
                    _, known = hide(Store(whole), folder / f"hidden{kind}.kin")
            except PagekinError as error:
                print(f"{package}{kind}: {error}")
                continue
            yield Task(f"{package}{kind}", _built(folder / f"hidden{kind}.kin"), known)

    asked = ", and the entries of its indexes are the questions of a search" if searched else ""
    tasks.__doc__ = f"The documentation of {package}; what its authors name under “See also” is related{asked}."
    return tasks


# Package → the folder of its pages, below usr/share, and whether its indexes are asked about. That of OpenJDK is a
# symbolic link to another folder of the package.
MANUALS = {
    "python3.11-doc": ("doc/python3.11/html", True),
    "postgresql-doc-15": ("doc/postgresql-doc-15/html", True),
    "cppreference-doc-en-html": ("cppreference/doc/html", False),
    "openjdk-17-doc": ("doc/openjdk-17-doc/api", False),
    "python-pandas-doc": ("doc/python-pandas-doc/html", True),
}
_manuals = {package: manual(package, *where) for package, where in MANUALS.items()}
SETS: dict[str, Callable[[Path], Tasks]] = {
    "blog": the_blog,
    "citeseer": citeseer,
    "cacm": cacm,
    "python3.11-doc": _manuals["python3.11-doc"],
    "planetmath": planetmath,
    "webkb": webkb,
    "awesome-lists": awesome_lists,
    **_manuals,
}
GATED = ("blog", "citeseer", "cacm", "python3.11-doc")  # by tests; the others by `make leaderboard`
