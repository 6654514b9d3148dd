"""The base of every answer: the question, the rows found and a note, for programs, terminals and notebooks.

An answer can be iterated, indexed and passed to `len`, like the tuple of its rows. `as_dict()` is what the shell prints
as JSON, `to_arrow()` is a table of the rows, `repr` is the rows as lines, and a notebook shows them as a table.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, overload

from pagekin.harmless import as_json, clean, clean_line

if TYPE_CHECKING:
    import pyarrow as pa

R = TypeVar("R")
_SCALARS = frozenset((str, int, float, bool))


class PageName(NamedTuple):
    """A page in an answer: its address and title."""

    url: str
    title: str = ""


@dataclass(frozen=True)
class Row:
    """One row of an answer; its fields are its columns."""

    def as_dict(self) -> dict[str, Any]:
        return {name: plain(getattr(self, name)) for name in _names(type(self))}  # type: ignore[arg-type]


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a row or an answer; `fields` takes as long as the rest of an answer's JSON."""
    return tuple(item.name for item in fields(kind))


@dataclass(frozen=True, repr=False)
class Answer(Generic[R]):
    """The rows found, best first. Subclasses add fields, which become further keys of the JSON."""

    query: tuple[PageName | str, ...] = ()  # the pages or words that were asked about
    note: str | None = None  # what to know about the rows, or why there are none
    results: tuple[R, ...] = ()

    shown: ClassVar[tuple[str, ...]] = ()  # the columns of a table for people; empty: all
    header: ClassVar[tuple[str, ...]] = ()  # all columns, if these are not the same

    def __iter__(self) -> Iterator[R]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @overload
    def __getitem__(self, at: int) -> R: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[R, ...]: ...
    def __getitem__(self, at: int | slice) -> R | tuple[R, ...]:
        return self.results[at]

    def as_dict(self) -> dict[str, Any]:
        """The answer as JSON values, as the shell prints it."""
        names = [name for name in _names(type(self)) if name not in ("query", "note", "results")]  # type: ignore[arg-type]
        further = {name: plain(getattr(self, name)) for name in names}
        return {"query": plain(self.query), **further, "note": self.note, "results": self.rows()}

    def rows(self) -> list[dict[str, Any]]:
        """The rows as dicts of JSON values."""
        return [plain(row) for row in self.results]

    def columns(self) -> tuple[str, ...]:
        """All columns: those of the rows or, without rows, those that rows would have."""
        return tuple(dict.fromkeys(name for row in self.rows() for name in row)) or self.header or self.shown

    def visible(self) -> tuple[str, ...]:
        """The columns to show to a person."""
        return self.shown or self.columns()

    def tables_in(self) -> Mapping[str, str]:
        """Table name → caption, for an answer of several tables, where each row has its `table`; otherwise empty."""
        return {}

    def to_arrow(self) -> "pa.Table":
        """The rows as an Arrow table; evidence and other nested values become JSON text."""
        import pyarrow as pa

        rows = self.rows()
        columns = {name: pa.array(_column(row.get(name) for row in rows)) for name in self.columns()}
        # Without any value Arrow cannot infer a type. Use text, so that the tables of two answers can be concatenated.
        unknown = {pa.null(): pa.string(), pa.list_(pa.null()): pa.list_(pa.string())}
        return pa.table({name: column.cast(unknown.get(column.type, column.type)) for name, column in columns.items()})

    def as_lines(self) -> list[str]:
        """The rows as text, one line each, and the note."""
        lines = ["  ".join(filter(None, (cell(row.get(name)) for name in self.visible()))) for row in self.rows()]
        return [*lines, *([clean(self.note)] if self.note else [])]

    def __repr__(self) -> str:
        return "\n".join(self.as_lines()) or f"{type(self).__name__}: nothing"

    def _repr_html_(self) -> str:
        return html_table(self.visible(), self.rows()) + html_note(self.note)


@dataclass(frozen=True, repr=False)
class Report:
    """What a change to a collection did; `lines` says it in words."""

    @property
    def lines(self) -> Sequence[str]:
        return ()

    def as_dict(self) -> dict[str, Any]:
        return {item.name: plain(getattr(self, item.name)) for item in fields(self)}

    def __repr__(self) -> str:
        return "\n".join(map(clean_line, self.lines))

    def _repr_html_(self) -> str:
        return "".join(f"<div>{escape(clean(line))}</div>" for line in self.lines)


def plain(value: Any) -> Any:
    """A value made of dicts, lists and scalars only, ready for JSON."""
    if value is None or type(value) in _SCALARS:
        return value
    if isinstance(value, Row):
        return value.as_dict()
    if isinstance(value, PageName):
        return {"url": value.url, "title": value.title}
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def _column(values: Iterable[Any]) -> list[Any]:
    """Values that an Arrow column can hold: nested values become JSON text, values of mixed types become text."""
    flat = [as_json(value) if _has_parts(value) else value for value in values]
    kinds = {"number" if type(value) in (int, float) else type(value) for value in flat if value is not None}
    return flat if len(kinds) < 2 else [None if value is None else str(value) for value in flat]


def _has_parts(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(part, dict | list) for part in value))


def html_table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as an HTML table; addresses are links, and text from crawled pages is escaped."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = ("".join(f"<td>{_linked(name, row.get(name))}</td>" for name in columns) for row in rows)
    return f"<table><tr>{head}</tr>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def html_note(note: str | None) -> str:
    """The note of an answer as HTML, if there is one."""
    return f"<p>{escape(clean(note))}</p>" if note else ""


def _linked(name: str, value: Any) -> str:
    return html_link(value) if name == "url" and isinstance(value, str) else escape(cell(value))


def html_link(url: str, title: str = "") -> str:
    """A link if the address is http(s), otherwise only its text: an identifier could be `javascript:…`."""
    named = escape(clean(title or url))
    return f'<a href="{escape(url)}">{named}</a>' if url.startswith(("http://", "https://")) else named


def cell(value: Any) -> str:
    """A value as a table shows it."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) >= 1e-3 or value == 0 else f"{value:.2e}"
    if isinstance(value, list | tuple):
        return ", ".join(cell(item) for item in value)
    return "" if value is None else clean(str(value))
