"""`compare`: methods side by side on one page: what each finds, on how many hosts, how much is new, what they share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

from pagekin.answer import Answer, Row
from pagekin.answers.comparison_page import html, tables
from pagekin.answers.export.files import whole
from pagekin.answers.filters import Filters
from pagekin.answers.ranking import Ranking, Related
from pagekin.answers.related import related
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.harmless import clean
from pagekin.index.base import is_built
from pagekin.methods import Method, method
from pagekin.model import DEFAULT_METHOD
from pagekin.wording import option

LIST_HEADER = ("method", *Ranking.header)
# By words and links, by links alone, by what stands side by side, by keywords, by clusters: each sees something else.
TELLING = ("fused", "amsler", "block", "integrated", "siblings", "walk")
CHOSEN = 4


@dataclass(frozen=True)
class ComparedMethod(Row):
    """What one method finds, with figures about its list."""

    method: str
    results: tuple[Related, ...]
    hosts: int  # distinct hosts of the results; an identifier has none
    diversity: float | None  # hosts per result; None if nothing was found
    novelty: float | None  # share of the results that have no link to or from the page
    alone: int  # results that no other method found
    note: str | None


@dataclass(frozen=True)
class Overlap(Row):
    """How many pages two methods both find, and as a share of all the pages they find."""

    methods: tuple[str, str]
    common: int
    share: float | None


@dataclass(frozen=True, repr=False)
class Comparison(Answer[ComparedMethod]):
    """Methods side by side on one page."""

    unknown: tuple[str, ...] = ()
    k: int = 15
    overlap: tuple[Overlap, ...] = ()

    shown: ClassVar[tuple[str, ...]] = ("method", "hosts", "diversity", "novelty", "alone", "note")

    def lists(self) -> list[dict[str, Any]]:
        """One row for every result of every method, for tables and spreadsheets."""
        return [{"method": row.method, **result.as_dict()} for row in self for result in row.results]

    def side_by_side(self) -> list[dict[str, Any]]:
        """A row for each rank and a column for each method; cells are titles, or addresses of pages without one."""
        longest = max(len(row.results) for row in self)
        return [
            {"rank": at + 1}
            | {row.method: row.results[at].title or row.results[at].url for row in self if at < len(row.results)}
            for at in range(longest)
        ]

    def as_lines(self) -> list[str]:
        lines = []
        for row in self:
            lines.append(f"{row.method}: {row.hosts} hosts, {row.alone} pages found by no other method")
            lines += [f"  {each.rank}  {clean(each.title or each.url)}  {clean(each.url)}" for each in row.results]
        return lines

    def _repr_html_(self) -> str:
        return tables(self.as_dict())

    def write(self, path: Path | str) -> str:
        """Write the comparison as one HTML file, whole or not at all, and return a sentence that says so."""
        file = Path(path)
        check_html(file)
        with whole(file) as beside:
            beside.write_text(html(self.as_dict()), encoding="utf-8")
        return f"wrote the comparison of {len(self)} methods to {file}"


def compare(store: Store, page: str, methods: Sequence[str], k: int = 15, filters: Filters | None = None) -> Comparison:
    """The k best of each method for one page, with figures for each list and for each pair of lists.

    If no method is named, the first of those that differ most that need nothing more than is built.
    """
    asked = list(dict.fromkeys(map(method, methods))) or _telling(store)
    if len(asked) < 2:
        raise UsageError(f"give two methods or more to compare with {option('method')}, for example hits and walk")
    answers = [related(store, [page], k, each, filters=filters) for each in asked]
    found = {answer.method: [row.url for row in answer] for answer in answers}
    return Comparison(
        query=answers[0].query,
        results=tuple(_row(answer, found) for answer in answers),
        unknown=answers[0].unknown,
        k=k,
        overlap=tuple(_overlap(found, *pair) for pair in combinations(found, 2)),
    )


def _telling(store: Store) -> list[Method]:
    """Methods that answer from what there is; the default one always does."""
    chosen = (method(name).chosen_for(store) for name in TELLING)
    return [each for each in chosen if each.name == DEFAULT_METHOD or is_built(store, each.index)][:CHOSEN]


def _row(answer: Ranking, found: Mapping[str, Sequence[str]]) -> ComparedMethod:
    hosts = len({row.host for row in answer} - {""})
    elsewhere = {url for name, urls in found.items() if name != answer.method for url in urls}
    return ComparedMethod(
        method=answer.method,
        results=answer.results,
        hosts=hosts,
        diversity=_share(hosts, len(answer)),
        novelty=_share(sum(not row.linked for row in answer), len(answer)),
        alone=sum(row.url not in elsewhere for row in answer),
        note=answer.note,
    )


def _overlap(found: Mapping[str, Sequence[str]], a: str, b: str) -> Overlap:
    common = len(set(found[a]) & set(found[b]))
    return Overlap((a, b), common, _share(common, len(set(found[a]) | set(found[b]))))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def check_html(path: Path) -> None:
    """Refuse a file name that does not end in .html or .htm, before any work is done."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"{option('out')} writes HTML: end the name with .html, not '{path.suffix}' ({path})")
