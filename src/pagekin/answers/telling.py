"""Which evidence a person reads: the most telling lines of each result, and what all results share, said once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

from pagekin.answers.sentences import Naming, Reason, address, role, sentence

BRIEF = 3  # lines under a result
SHARED_BY = 3  # results, at least, before what they share is said once
NOT_SHOWN = {"base-set"}  # the same for every result of an answer, and its note already says most of it


def every_line(reasons: Iterable[Reason], naming: Naming = address, most: int | None = None) -> list[str]:
    """All reasons as lines, or the first few of each kind; then how many more of the kind there are.

    >>> hub = {"kind": "cited-by", "page": "http://hub.example/", "anchors": ["Bees", "Hives"], "of": 12}
    >>> every_line([hub, hub, hub, hub], most=3)[2:]
    ['http://hub.example/ links to both as “Bees” and “Hives”', '… and 9 more like this']
    """
    lines = []
    for same in _kinds(reasons):
        lines += [sentence(reason, naming) for reason in same[:most]]
        more = _of(same) - len(same[:most])
        lines += [f"… and {more:,} more like this"] if more > 0 else []
    return lines


def brief_lines(reasons: Iterable[Reason], naming: Naming = address, most: int = BRIEF) -> list[str]:
    """The most telling reasons, the first of every kind before the second of any; the last line counts the rest.

    >>> hub = {"kind": "cited-by", "page": "http://hub.example/", "anchors": ["Bees", "Hives"], "of": 12}
    >>> brief_lines([{"kind": "part", "part": "links", "share": 1.0}, hub, hub], most=1)
    ['links 100%: http://hub.example/ links to both as “Bees” and “Hives” (and 11 more)']
    """
    kinds = list(_kinds(reasons))
    rounds = [each for round in zip_longest(*kinds) for each in round if each is not None]
    shares = ", ".join(sentence(each, naming) for each in rounds if _only_share(each))
    told = [each for each in rounds if not _only_share(each)]
    first = next((at for at, each in enumerate(told[:most]) if each["kind"] != "part"), None)
    lines = [sentence(each, naming) for each in told[:most]]
    if shares and first is not None:
        lines[first] = f"{shares}: {lines[first]}"
    elif shares:
        lines = [*lines[: most - 1], shares]
    more = sum(_of(same) for same in kinds if not _only_share(same[0])) - len(told[:most])
    return [*lines[:-1], f"{lines[-1]} (and {more:,} more)"] if lines and more > 0 else lines


def shared(results: Sequence[Sequence[Reason]]) -> list[Reason]:
    """The pages that are evidence for every result alike: they link to all of them, or all of them link there."""
    if len(results) < SHARED_BY:
        return []
    of_each = [{_key(reason): reason for reason in reasons} for reasons in results]
    everywhere = set.intersection(*(set(found) for found in of_each)) - {None}
    return [reason for key, reason in of_each[0].items() if key in everywhere]


def shared_lines(said: Sequence[Reason], asked: str, naming: Naming = address, most: int = BRIEF) -> list[str]:
    """What all results share, as lines; `asked` is what to call the pages asked about."""
    lines = []
    for reason in said[:most]:
        page, one = naming(reason["page"], reason.get("title", "")), naming(reason.get("seed", ""), "") or asked
        links = f"{page} links to {one} and to all" if reason["kind"] == "cited-by" else f"{one} and all link to {page}"
        lines.append(f"{links} of these{role(reason)}")
    more = len(said) - len(lines)
    return [*lines[:-1], f"{lines[-1]} (and {more:,} more)"] if more > 0 else lines


def without(reasons: Iterable[Reason], said: Sequence[Reason]) -> list[Reason]:
    """The reasons that were not said already, and how many of their kind are left."""
    keys, kinds = {_key(reason) for reason in said}, Counter(reason["kind"] for reason in said)
    left = (reason for reason in reasons if _key(reason) is None or _key(reason) not in keys)
    return [{**each, "of": each["of"] - kinds[each["kind"]]} if "of" in each else each for each in left]


def _key(reason: Reason) -> tuple[object, ...] | None:
    """What makes two results' reasons the same: a page that links to both, or that both link to."""
    same = reason["kind"] in ("cited-by", "cites")
    return (reason["kind"], reason["page"], reason.get("seed")) if same else None


def _only_share(reason: Reason) -> bool:
    return reason["kind"] == "part" and not reason.get("words")


def _kinds(reasons: Iterable[Reason]) -> Iterator[list[Reason]]:
    """The reasons of each kind, for each seed; links of menus and templates last."""
    said = (reason for reason in reasons if reason["kind"] not in NOT_SHOWN)
    for _, group in groupby(said, key=lambda reason: (reason["kind"], reason.get("seed"), _only_share(reason))):
        yield sorted(group, key=lambda reason: "role" in reason)


def _of(same: Sequence[Reason]) -> int:
    """How many reasons there are of a kind, listed or not."""
    return int(same[0].get("of", len(same)))
