"""Methods side by side on one page: what each finds, how many hosts, how much of it is new, and what they share."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from pagekin.answers.collection import Collection
from pagekin.answers.comparison_page import html
from pagekin.answers.export.files import whole
from pagekin.errors import UsageError
from pagekin.methods import method
from pagekin.wording import option


def compare(site: Path, page: str, methods: Sequence[str], k: int = 15) -> dict[str, Any]:
    """The k best of each method for one page, with figures for each list and for each pair of lists.

    A row of `results` is a method: its `results` as `related` gives them, `hosts` (how many different ones; an
    identifier has none), `diversity` (hosts per result), `novelty` (share of the results that no link joins with the
    page already), `alone` (how many no other method found) and its `note`. A row of `overlap` is a pair of methods: how
    many results they have in `common`, and the share that those are of all results of the two. An empty list has no
    shares.
    """
    asked = list(dict.fromkeys(map(method, methods)))
    if len(asked) < 2:
        raise UsageError(f"name two methods or more to compare with {option('method')}, as hits and walk")
    collection = Collection(site)
    answers = [collection.related(page, k=k, method=each).as_dict() for each in asked]
    found = {answer["method"]: [row["url"] for row in answer["results"]] for answer in answers}
    return {
        "query": answers[0]["query"],
        "unknown": answers[0]["unknown"],
        "k": k,
        "note": None,
        "results": [_row(answer, found) for answer in answers],
        "overlap": [_overlap(found, *pair) for pair in combinations(found, 2)],
    }


def _row(answer: Mapping[str, Any], found: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    rows = answer["results"]
    hosts = len({row["host"] for row in rows} - {""})
    elsewhere = {url for name, urls in found.items() if name != answer["method"] for url in urls}
    return {
        "method": answer["method"],
        "results": rows,
        "hosts": hosts,
        "diversity": _share(hosts, len(rows)),
        "novelty": _share(sum(not row["linked"] for row in rows), len(rows)),
        "alone": sum(row["url"] not in elsewhere for row in rows),
        "note": answer["note"],
    }


def _overlap(found: Mapping[str, Sequence[str]], a: str, b: str) -> dict[str, Any]:
    common = len(set(found[a]) & set(found[b]))
    return {"methods": [a, b], "common": common, "share": _share(common, len(set(found[a]) | set(found[b])))}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def methods(answer: Mapping[str, Any]) -> list[str]:
    """The methods compared, as their texts."""
    return [row["method"] for row in answer["results"]]


def lists(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every result of every method as a row, for tables and spreadsheets."""
    return [{"method": row["method"], **result} for row in answer["results"] for result in row["results"]]


def side_by_side(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A row for each rank, a column for each method: titles, or addresses where there is none."""
    longest = max(len(row["results"]) for row in answer["results"])
    return [
        {"rank": at + 1}
        | {row["method"]: _name(row["results"][at]) for row in answer["results"] if at < len(row["results"])}
        for at in range(longest)
    ]


def _name(result: Mapping[str, Any]) -> str:
    return str(result["title"] or result["url"])


def check(path: Path) -> None:
    """Refuse a file that would not be taken for HTML, before any work."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"--out writes HTML: end the name with .html, not '{path.suffix}' ({path})")


def write(answer: Mapping[str, Any], path: Path) -> str:
    """Write a comparison as one HTML file and say so; it is there when it is whole, or not at all."""
    with whole(path) as beside:
        beside.write_text(html(answer), encoding="utf-8")
    return f"wrote the comparison of {len(answer['results'])} methods to {path}"
