"""Questions in words and the pages that answer them, from query files and qrels.

Queries are SMART records (`.I 1`, `.W`, the words) or lines `number<TAB>words`. Qrels are TREC's rows `query 0 page
relevance`, where a relevance over 0 counts, or SMART's `query page 0 0`, where every row does, or just `query page`.
Pages are named as in a question; numbers may have leading zeros. Rows that cannot be read are counted in the notes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pagekin.acquire.smart import records
from pagekin.acquire.text import lines
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.names import pages_named
from pagekin.model import Skipped

EXAMPLES = 3  # pages that a note names

Relevant = Mapping[str, frozenset[int]]  # query → pages


@dataclass(frozen=True)
class Judgements:
    """Questions in words, and the pages judged relevant to each; questions without a relevant page are left out."""

    queries: Mapping[str, str]
    relevant: Relevant
    notes: tuple[str, ...] = ()


def read(store: Store, queries: Path, qrels: Path) -> Judgements:
    """Read the judged questions from a query file and a qrels file."""
    asked = read_queries(queries)
    relevant, notes = read_qrels(store, qrels)
    judged = {query: words for query, words in asked.items() if query in relevant}
    if not judged:
        raise PagekinError(
            "; ".join([f"no question of {queries} has a page of {store.path} judged relevant in {qrels}", *notes])
        )
    if len(judged) < len(asked):
        notes.append(f"{len(asked) - len(judged):,} of {len(asked):,} questions have no relevant page and are left out")
    return Judgements(judged, {query: relevant[query] for query in judged}, tuple(notes))


def read_queries(path: Path) -> dict[str, str]:
    """Read questions: number → words."""
    rows = [line for line in lines(path) if not isinstance(line, Skipped) and line.strip()]
    if rows and rows[0].startswith(".I"):
        smart = (record for record in records(path) if not isinstance(record, Skipped))
        return {str(record.number): record.text("W") for record in smart if record.text("W")}
    pairs = (line.split("\t", 1) for line in rows)
    found = {_number(pair[0]): pair[1] for pair in pairs if len(pair) == 2}
    if not found:
        raise PagekinError(f"{path} has no questions; expected SMART records (.I, .W) or lines number<TAB>words")
    return found


def read_qrels(store: Store, path: Path) -> tuple[dict[str, frozenset[int]], list[str]]:
    """Read qrels: query → relevant pages, and notes about rows that could not be used."""
    rows = [line.split() for line in lines(path) if not isinstance(line, Skipped) and line.strip()]
    whole = [row for row in rows if len(row) in (2, 4)]
    smart = all(row[2:] == ["0", "0"] for row in whole if len(row) == 4)
    pairs = [(row[0], row[1] if smart or len(row) == 2 else row[2]) for row in whole if smart or _counts(row)]
    pages = pages_named(store, [spelling for _, page in pairs for spelling in (page, _number(page))])
    found: dict[str, set[int]] = {}
    strangers = []
    for query, page in pairs:
        known = pages.get(page, pages.get(_number(page)))
        if known is None:
            strangers.append(page)
        else:
            found.setdefault(_number(query), set()).add(known)
    notes = [f"{len(strangers):,} judged pages are not in the collection: {_some(strangers)}"] if strangers else []
    if len(whole) < len(rows):
        notes.append(f"{len(rows) - len(whole):,} rows of {path.name} could not be read (expected two or four columns)")
    return {query: frozenset(judged) for query, judged in found.items()}, notes


def one_click(store: Store, relevant: Relevant, most_links: int) -> dict[str, frozenset[int]]:
    """Derive one-click judgements: pages with few links that link to a relevant page count as relevant, too."""
    arrays = store.arrays
    few = {
        page: [int(citer) for citer in arrays.citers(page) if arrays.targets(int(citer)).size <= most_links]
        for judged in relevant.values()
        for page in judged
    }
    return {query: judged | {citer for page in judged for citer in few[page]} for query, judged in relevant.items()}


def _counts(row: Sequence[str]) -> bool:
    if len(row) == 2:
        return True
    try:
        return float(row[3]) > 0
    except ValueError:
        return False


def _number(text: str) -> str:
    """A number without leading zeros, other text as it is: `01` and `1` are the same question."""
    return (text.lstrip("0") or "0") if text.isdigit() else text


def _some(what: Sequence[str]) -> str:
    return ", ".join(what[:EXAMPLES]) + (" …" if len(what) > EXAMPLES else "")
