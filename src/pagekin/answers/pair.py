"""`pair`: how related two given pages are, and every kind of evidence there is between them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pagekin.answer import Answer, PageName, Row
from pagekin.answers.sentences import by_title
from pagekin.answers.telling import every_line
from pagekin.collection.lookup import known
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.methods import index_note
from pagekin.methods.fused import Fused, pair_parts
from pagekin.model import Evidence


@dataclass(frozen=True)
class PairScore(Row):
    """How related two pages are: deviations from what any two pages have, the sum of those of the parts."""

    score: float
    linked: bool  # a link in either direction
    parts: Mapping[str, float]
    why: tuple[Evidence, ...] | None = None  # None: not asked for

    def as_dict(self) -> dict[str, Any]:
        row = super().as_dict()
        del row["why"]
        return row if self.why is None else row | {"why": [reason.as_dict() for reason in self.why]}


@dataclass(frozen=True, repr=False)
class Pair(Answer[PairScore]):
    """How related two pages are, as one row."""

    shown: ClassVar[tuple[str, ...]] = ("score", "linked")

    def reasons(self, at: int) -> list[str]:
        """What each part contributes, and the evidence as sentences."""
        parts = self.results[at].parts
        given = [f"{part} {value:+.2f}" for part, value in sorted(parts.items(), key=lambda item: -item[1]) if value]
        names = {each.url: each.title or each.url for each in self.query if isinstance(each, PageName)}
        naming = by_title(next(iter(names)), names)
        return [
            *([", ".join(given)] if given else []),
            *every_line((each.as_dict() for each in self.results[at].why or ()), naming),
        ]


def pair(store: Store, one: str, other: str, why: bool = False) -> Pair:
    """How related two pages are; the same whichever is named first."""
    found = [known(store, each) for each in (one, other)]
    a, b = (each.page for each in found)
    if a == b:
        raise UsageError(f"both are {store.url(a)}; give two pages")
    method = Fused()
    seen = method.seen(store)
    parts = pair_parts(seen, a, b)
    row = PairScore(
        sum(parts.values()), b in store.arrays.linked(a), parts, tuple(method.why(seen, a, b)) if why else None
    )
    notes = [each.note for each in found if each.note] + [said for said in [index_note(method, store)] if said]
    return Pair(
        tuple(PageName(store.url(page), store.title(page)) for page in (a, b)), "; ".join(notes) or None, (row,)
    )
