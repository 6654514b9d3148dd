"""A ranking: the answer of `related`, and how it reads as rows, as lines and as sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar

from pagekin.answer import Answer, PageName, Row, plain
from pagekin.answers.sentences import Naming, Reason, by_title
from pagekin.answers.telling import brief_lines, every_line, shared, shared_lines, without
from pagekin.harmless import clean
from pagekin.model import Evidence


@dataclass(frozen=True, init=False)
class Related(Row):
    """A related page, with its score."""

    rank: int
    url: str
    title: str
    host: str
    score: float
    linked: bool  # a link in either direction joins it with a page asked about
    bridge: Mapping[str, Any] | None = None
    mirrors: tuple[str, ...] = ()  # copies of it, which are no further results
    translations: tuple[str, ...] = ()  # likewise
    why: tuple[Evidence, ...] | None = None  # None: not asked for

    def __init__(
        self,
        rank: int,
        url: str,
        title: str,
        host: str,
        score: float,
        linked: bool,
        bridge: Mapping[str, Any] | None = None,
        mirrors: tuple[str, ...] = (),
        translations: tuple[str, ...] = (),
        why: tuple[Evidence, ...] | None = None,
    ) -> None:
        # Written out: a frozen dataclass sets its fields one by one, for which an answer took as long as for its names.
        self.__dict__.update(
            rank=rank, url=url, title=title, host=host, score=score, linked=linked, bridge=bridge, mirrors=mirrors,
            translations=translations, why=why,
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        row = dict(self.__dict__)  # the fields in order: half of the time of an answer's JSON went into finding them
        why = row.pop("why")
        row.update(bridge=plain(self.bridge), mirrors=list(self.mirrors), translations=list(self.translations))
        return row if why is None else row | {"why": [reason.as_dict() for reason in why]}


@dataclass(frozen=True)
class PageClass(Row):
    """A class of results that belong together, given by their ranks, with words that say what they are about."""

    label: tuple[str, ...]  # empty: pages without keywords
    ranks: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Ranking(Answer[Related]):
    """The pages related to a page, best first, and the method that found them."""

    unknown: tuple[str, ...] = ()  # pages asked about that are not in the collection
    method: str = ""
    mirrors: tuple[str, ...] = ()  # copies of the pages asked about, which are no results
    translations: tuple[str, ...] = ()  # likewise
    classes: tuple[PageClass, ...] | None = None  # None: not asked for

    shown: ClassVar[tuple[str, ...]] = ("rank", "score", "title", "url")
    header: ClassVar[tuple[str, ...]] = tuple(each.name for each in fields(Related) if each.name != "why")

    def as_dict(self) -> dict[str, Any]:
        answer = super().as_dict()
        if self.classes is None:
            del answer["classes"]
        return answer

    def rows(self) -> list[dict[str, Any]]:
        label = {rank: ", ".join(each.label) or "–" for each in self.classes or () for rank in each.ranks}
        return [row.as_dict() | ({"class": label[row.rank]} if label else {}) for row in self.results]

    def as_lines(self) -> list[str]:
        """The ranking as lines, with the evidence under each page if it was asked for."""
        lines = super().as_lines()
        rows, note = lines[: len(self)], lines[len(self) :]
        asked = ", ".join(each.url for each in self.query if isinstance(each, PageName))
        under = [[f"      {clean(reason)}" for reason in self.reasons(at)] for at in range(len(self))]
        found = [line for row, reasons in zip(rows, under, strict=True) for line in (row, *reasons)]
        said = [clean(line) for line in self.shared_reasons()]
        return [f"related to {clean(asked)} by {self.method}:", *said, *found, *note]

    def visible(self) -> tuple[str, ...]:
        return self.shown if self.classes is None else ("class", *self.shown)

    def by_class(self) -> "Ranking":
        """The same ranking, sorted by class."""
        ranks = [rank for each in self.classes or () for rank in each.ranks]
        return replace(self, results=tuple(self.results[rank - 1] for rank in ranks)) if ranks else self

    def shared_reasons(self) -> list[str]:
        """The evidence that is the same for all results, as sentences, said once."""
        return shared_lines(self._shared, "this page", self._naming(None))

    def reasons(self, at: int, all: bool = False) -> list[str]:
        """The evidence for one result as sentences: the most telling ones, or all; not what all results share."""
        row = self.results[at]
        own = without((reason.as_dict() for reason in row.why or ()), self._shared)
        return (every_line if all else brief_lines)(own, self._naming(row.url))

    def _naming(self, result: str | None) -> Naming:
        """Pages by title; the page asked about and the result by what they are here."""
        asked = [each for each in self.query if isinstance(each, PageName)]
        names = {each.url: "this page" if len(asked) == 1 else each.title or each.url for each in asked}
        return by_title(asked[0].url if asked else "", names | ({result: "it"} if result else {}))

    @cached_property
    def _shared(self) -> list[Reason]:
        return shared([[reason.as_dict() for reason in row.why or ()] for row in self.results])
