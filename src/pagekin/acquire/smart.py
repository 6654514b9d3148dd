"""Reads SMART collections (CACM, CISI): numbered documents, each field on lines of its own after a mark.

.I 30                                   number
.T                                      title; also .W abstract, .K keywords, .B bibliography, .A authors,
Algorithm for Analyzing Logical …       .C categories, .N notes
.X
848  5  35                              other, kind, this: 5 = linked, 4 = coupled, 6 = co-cited
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten

import pyarrow as pa

from pagekin.acquire.capture import spelled
from pagekin.acquire.tables import links_of, terms_of
from pagekin.acquire.text import decoded, lines
from pagekin.errors import SourceError
from pagekin.model import Item, Rows, Skipped

LINKED, COUPLED, COCITED = 5, 4, 6
KINDS = {LINKED, COUPLED, COCITED}
LANGUAGE = "en"  # both collections are English
SUMMARY = 200  # characters: two lines on a screen

_NUMBER = re.compile(r"\.I\s*(\d{1,18})\s*", re.ASCII)
_MARK = re.compile(r"\.([TWBANKCX])\s*")
_RELATION = re.compile(r"\s*(\d{1,18})\s+(\d{1,18})\s+(\d{1,18})\s*", re.ASCII)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_DATE = re.compile(rf"\b({_MONTHS.replace(' ', '|')})[a-z]*\W+(\d{{4}})\b", re.IGNORECASE)

Relation = tuple[int, int, int]  # other, kind, this


@dataclass(frozen=True, slots=True)
class Document:
    """A record: its number and the lines of each field."""

    number: int
    fields: dict[str, list[str]] = field(default_factory=dict)

    def text(self, *marks: str) -> str:
        """The fields with these marks, each on one line."""
        texts = (" ".join(" ".join(self.fields.get(mark, ())).split()) for mark in marks)
        return "\n".join(filter(None, texts))


def read(path: Path) -> Iterator[Item]:
    """The documents of a SMART file as pages with text and terms, and their links if the file has any."""
    documents: dict[int, Document] = {}
    for item in records(path):
        if isinstance(item, Skipped):
            yield item
        elif item.number in documents:
            yield Skipped(f"{spelled(path.name)} .I {item.number}", "number used twice")
        else:
            documents[item.number] = item
    if not any("T" in document.fields for document in documents.values()):
        raise SourceError(
            f"{spelled(path)} has no document with a title; expected .I, .T and .W marks (not queries or qrels)"
        )
    relations, bad = _relations(path, documents.values())
    yield from bad
    links = None
    if {kind for _, kind, _ in relations} <= KINDS:
        links = links_of(_links(relations, documents))
    else:
        yield Skipped(spelled(path.name), "no links, because .X counts co-citations")
    yield Rows(links=links, pages=_pages(documents.values()), terms=_terms(documents.values()))


def recognises(path: Path, head: bytes) -> bool:
    """Whether the first record has a number and a title: queries have no title, and qrels have no marks at all."""
    first, _, rest = decoded(head).lstrip("\ufeff \t\r\n").replace("\r", "\n").partition("\n")
    record = re.split(r"(?m)^\.I\b", rest, maxsplit=1)[0]
    return bool(_NUMBER.fullmatch(first) and re.search(r"(?m)^\.T\s*$", record))


def records(path: Path) -> Iterator[Document | Skipped]:
    """The records of the file; lines that belong to no record are reported."""
    document: Document | None = None
    section: list[str] | None = None
    for number, line in enumerate(lines(path), 1):
        if isinstance(line, Skipped):
            yield line
        elif line.split(" ")[0].rstrip() == ".I":
            if document:
                yield document
            begins = _NUMBER.fullmatch(line)
            document, section = Document(int(begins[1])) if begins else None, None
            if not begins:
                yield Skipped(f"{spelled(path.name)}:{number}", "a record without a number")
        elif document and (mark := _MARK.fullmatch(line)):
            section = document.fields.setdefault(mark[1], [])
        elif section is not None:
            section.append(line)
        elif line.strip():
            yield Skipped(f"{spelled(path.name)}:{number}", "a line outside any field")
    if document:
        yield document


def _relations(path: Path, documents: Iterable[Document]) -> tuple[list[Relation], list[Skipped]]:
    """The rows of all `.X` fields, and the rows that cannot be read."""
    relations, bad = [], []
    for document in documents:
        for line in filter(str.strip, document.fields.get("X", ())):
            if row := _RELATION.fullmatch(line):
                relations.append((int(row[1]), int(row[2]), int(row[3])))
            else:
                bad.append(
                    Skipped(
                        f"{spelled(path.name)} .I {document.number}: {line[:80]}", "an .X row that is not three numbers"
                    )
                )
    return relations, bad


def _links(relations: list[Relation], documents: Mapping[int, Document]) -> list[tuple[str, str]]:
    """Every linked pair once, in file order, from the later document to the earlier: papers cite older papers."""
    dates = {number: date for number, document in documents.items() if (date := _date(document))}

    def later(one: int, other: int) -> bool:
        # Within a month the smaller number is the later one: CACM numbers each year backwards, December first.
        if one in dates and other in dates and dates[one] != dates[other]:
            return dates[one] > dates[other]
        return one < other if one in dates and other in dates else one > other

    pairs = ((one, other) for one, kind, other in relations if kind == LINKED and one != other)
    oriented = ((one, other) if later(one, other) else (other, one) for one, other in pairs)
    return [(str(source), str(target)) for source, target in dict.fromkeys(oriented)]


def _date(document: Document) -> tuple[int, int] | None:
    """The year and month of publication, from the bibliography line ("CACM December, 1958")."""
    found = _DATE.search(document.text("B"))
    return (int(found[2]), _MONTHS.index(found[1].lower())) if found else None  # only their order matters


def _pages(documents: Iterable[Document]) -> pa.Table:
    rows = [
        {
            "url": str(document.number),
            "title": document.text("T"),
            "text": document.text("W", "K"),
            "summary": shorten(document.text("W") or document.text("B"), SUMMARY, placeholder=" …"),
            "language": LANGUAGE,
        }
        for document in documents
    ]
    return pa.Table.from_pylist(rows)


def _terms(documents: Iterable[Document]) -> pa.Table:
    from pagekin.parse.words import analyse  # stemmers and stop words: no other reader needs them

    texts = ((document, document.text("W", "K"), document.text("T")) for document in documents)
    return terms_of(
        [(str(document.number), term) for document, text, title in texts for term in analyse(text, title, LANGUAGE)]
    )
