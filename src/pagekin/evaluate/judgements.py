"""Questions in words and the pages that answer them, from query files and qrels.

Queries are SMART records (`.I 1`, `.W`, the words), TREC topics (`<top>`, `<num>`, `<title>`) or lines
`number<TAB>words`. Qrels are TREC's rows `query 0 page grade`, where a grade over 0 counts, or SMART's
`query page 0 0`, where every row does, or just `query page`. Pages are named as in a question; numbers may have leading
zeros. Rows that cannot be used are counted in the notes.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from pagekin.acquire.smart import records
from pagekin.acquire.text import lines
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.names import pages_named
from pagekin.evaluate.truth import Question, Relevance, how_named, some
from pagekin.model import Skipped

Relevant = Mapping[Question, Mapping[int, int]]  # question → relevant pages with their grades

GRADE = re.compile(r"-?[0-9]{1,4}")  # TREC has grades below 0, for spam; they count as 0
_TOPIC = re.compile(r"<top>(.*?)</top>", re.DOTALL | re.IGNORECASE)
_PARTS = re.compile(r"<(num|title)>\s*(?:Number:|Topic:)?(.*?)(?=<|$)", re.DOTALL | re.IGNORECASE)


def read(store: Store, queries: Path, qrels: Path) -> Relevance:
    """Read the judged questions from a query file and a qrels file; those without a relevant page are left out."""
    asked, notes = read_queries(queries)
    relevant, said = read_qrels(store, qrels)
    notes += said
    judged: dict[Question, str] = {query: words for query, words in asked.items() if query in relevant}
    if 0 < len(judged) < len(asked):
        notes.append(f"{len(asked) - len(judged):,} of {len(asked):,} questions have no relevant page and are left out")
    strange = [str(query) for query in relevant if query not in asked]
    if strange:
        notes.append(f"{len(strange):,} judged questions are not in {queries.name} and are left out: {some(strange)}")
    if not judged:
        if strange:
            notes.append(f"the questions of {queries.name} are called {some(list(asked))}")
        said_first = f"no question of {queries} has a page of {store.path} judged relevant in {qrels}"
        raise PagekinError("; ".join([said_first, *notes, *([] if relevant else how_named(store))]))
    return Relevance({query: relevant[query] for query in judged}, tuple(notes), kind="queries", words=judged)


def read_queries(path: Path) -> tuple[dict[str, str], list[str]]:
    """Read questions: number → words, and notes about what could not be used."""
    rows = list(lines(path))
    broken = [row for row in rows if isinstance(row, Skipped)]
    text = [row for row in rows if not isinstance(row, Skipped) and row.strip()]
    if text and text[0].startswith(".I"):
        read = list(records(path))
        broken = [record for record in read if isinstance(record, Skipped)]
        smart = [record for record in read if not isinstance(record, Skipped)]
        pairs = [(str(record.number), record.text("W")) for record in smart]
    elif text and text[0].lstrip().lower().startswith("<top>"):
        pairs = list(map(_topic, _TOPIC.findall("\n".join(text))))
    else:
        pairs = [(number(first.strip()), words.strip()) for first, _, words in (row.partition("\t") for row in text)]
    whys = list(dict.fromkeys(each.why for each in broken))
    notes = [f"{len(broken):,} lines of {path.name} could not be read: {some(whys)}"] if broken else []
    found: dict[str, str] = {}
    for query, words in pairs:
        if query and words:
            found.setdefault(query, words)
    if not found:
        forms = "SMART records (.I, .W), TREC topics (<top>) or lines number<TAB>words"
        raise PagekinError("; ".join([f"{path} has no questions; expected {forms}", *notes]))
    whole = [query for query, words in pairs if query and words]
    if len(whole) < len(pairs):
        notes.append(f"{len(pairs) - len(whole):,} questions of {path.name} have no number or no words")
    if len(found) < len(whole):
        twice = sorted({query for query in whole if whole.count(query) > 1})
        notes.append(
            f"{len(whole) - len(found):,} questions of {path.name} repeat a number; the first counts: {some(twice)}"
        )
    return found, notes


def _topic(text: str) -> tuple[str, str]:
    """The number and the title of a TREC topic.

    >>> _topic("<num> Number: 051 <title> Topic: honey\\n  bees <desc> Which …")
    ('51', 'honey bees')
    """
    parts = {name.lower(): " ".join(words.split()) for name, words in _PARTS.findall(text)}
    return number(parts.get("num", "")), parts.get("title", "")


def read_qrels(store: Store, path: Path) -> tuple[dict[Question, dict[int, int]], list[str]]:
    """Read qrels: query → relevant pages with their grades, and notes about rows that could not be used."""
    read = list(lines(path))
    broken = [line.why for line in read if isinstance(line, Skipped)]
    rows = [line.split() for line in read if not isinstance(line, Skipped) and line.strip()]
    whole = [row for row in rows if len(row) == 2 or (len(row) == 4 and GRADE.fullmatch(row[3]))]
    smart = all(row[2:] == ["0", "0"] for row in whole if len(row) == 4)
    judged = [(row[0], row[1], 1) if smart or len(row) == 2 else (row[0], row[2], int(row[3])) for row in whole]
    pages = named(store, [page for _, page, grade in judged if grade > 0])
    found: dict[Question, dict[int, int]] = {}
    strangers, again = [], 0
    for query, page, grade in judged:
        known = pages.get(page)
        if grade > 0 and known is None:
            strangers.append(page)
        elif grade > 0 and known is not None:
            graded = found.setdefault(number(query), {})
            again += known in graded
            graded[known] = max(grade, graded.get(known, 0))
    notes = [f"{len(strangers):,} judged pages are not in the collection: {some(strangers)}"] if strangers else []
    if again:
        notes.append(f"{again:,} rows of {path.name} judge a page once more; the best grade counts")
    bad = len(rows) - len(whole) + len(broken)
    if bad:
        expected = "expected two or four columns, the last a whole number"
        notes.append(f"{bad:,} rows of {path.name} could not be read ({expected})")
    if not rows and not broken:
        notes.append(f"{path.name} has no rows")
    elif whole and not any(grade > 0 for _, _, grade in judged):
        notes.append(f"no row of {path.name} has a grade over 0, so no page is relevant")
    return found, notes


def named(store: Store, names: Sequence[str]) -> dict[str, int]:
    """Name → the page it means, in files that TREC's tools read: without leading zeros, and with spaces as `%20`."""
    spelled = {name: (name, number(name), unquote(name)) for name in dict.fromkeys(names)}
    pages = pages_named(store, [each for ways in spelled.values() for each in ways])
    return {
        name: next(pages[way] for way in ways if way in pages)
        for name, ways in spelled.items()
        if any(way in pages for way in ways)
    }


def one_click(store: Store, relevant: Relevant, most_links: int) -> dict[Question, dict[int, int]]:
    """Derive one-click judgements: pages with few links that link to a relevant page count as relevant, too."""
    arrays = store.arrays
    few = {
        page: [int(citer) for citer in arrays.citers(page) if arrays.targets(int(citer)).size <= most_links]
        for judged in relevant.values()
        for page in judged
    }
    return {
        query: dict.fromkeys((citer for page in judged for citer in few[page]), 1) | dict(judged)
        for query, judged in relevant.items()
    }


def number(text: str) -> str:
    """A number without leading zeros, other text as it is: `01` and `1` are the same question."""
    return (text.lstrip("0") or "0") if text.isdigit() else text
