"""The words of pages as they were read for an index, kept for the next build, which reads only those of other pages.

Beside the index there are then

    words.arrows     groups of rows of words, each a stream of Arrow's: what one part says (`terms`, `compounds`), what
                     is said of pages (`anchors`) or follows from their names (`names`)
    words.npy        for each group the numbers of its pages in ids.npy; −1 where its rows count no more
    words.json       the kind and the part of each group, and where it ends in both files; who read them
    prints.npy       for each page a print of what it says, of what is said of it, and of its names; and whether it says
                     something of others

A group names pages by their places in its own list, so the next build copies it as it is, and writes a new list.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.array_files import Growing, load, save
from pagekin.index.prints import Prints
from pagekin.index.spellings import Spelled
from pagekin.index.spooled import FIELDS, MOST
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import numbers_in
from pagekin.model import PARSER
from pagekin.version import VERSION

Kind = Literal["terms", "compounds", "anchors", "names"]
FORM = 3  # of these files; 1 did not tell which pages say something of others, 2 was one Parquet file
LEAST = 0.5  # of the pages of a group: with fewer that count, their rows are written anew

TEXTS = pa.dictionary(pa.int32(), pa.large_string())
ROWS = pa.schema(
    [("page", pa.int32()), ("term", TEXTS), ("surface", TEXTS), ("body", pa.int32())]
    + [(name, pa.uint8()) for name in FIELDS[1:]]
)


@dataclass
class PagePrints:
    """Prints of what is read of each page."""

    says: Prints  # which part's rows are the page's, what of them the template says, and which page they count for
    said: Prints  # what links say of it
    names: Prints  # its title and address
    tells: Prints  # 1 if a link on it says something of another page, else 0

    @classmethod
    def none(cls, pages: int) -> "PagePrints":
        return cls(*(np.zeros(pages, np.uint64) for _ in fields(cls)))

    def table(self) -> Prints:
        return np.column_stack([getattr(self, each.name) for each in fields(self)])


@dataclass(frozen=True)
class Group:
    """Rows of words that a former index kept: a stream of Arrow's."""

    kind: Kind
    part: str
    stream: pa.Buffer
    pages: Ints  # the numbers of the pages of its rows; −1 where they count no more

    def rows(self) -> tuple[pa.Table, Ints]:
        """The rows that count, and the number of each one's page."""
        rows = pa.ipc.open_stream(self.stream).read_all()
        page = self.pages[rows["page"].to_numpy()]
        kept = page >= 0
        return (rows, page) if kept.all() else (rows.filter(pa.array(kept)), page[kept])

    @property
    def is_worth_copying(self) -> bool:
        return int(np.count_nonzero(self.pages >= 0)) >= LEAST * self.pages.size


class Keeping:
    """Keeps rows of words in the folder of an index: `with Keeping(folder, segmenters) as kept`."""

    def __init__(self, folder: Path, segmenters: dict[str, str]) -> None:
        self.folder, self.read_by = folder, _reader(segmenters)
        self._groups, self._files = list[tuple[Kind, str, int, int]](), ExitStack()
        self._rows = self._files.enter_context(pa.OSFile(str(folder / "words.arrows"), "wb"))
        self._pages = self._files.enter_context(Growing(folder / "words.npy", np.int32))

    def add(self, kind: Kind, part: str, words: Spelled, page: Ints, counts: dict[str, npt.ArrayLike]) -> None:
        """Keep rows of these pages, which are read for the first time."""
        if not page.size:
            return
        known = np.flatnonzero(np.bincount(page)).astype(np.int32)
        place = np.empty(known[-1] + 1, np.int32)
        place[known] = np.arange(known.size)
        zero = np.zeros(page.size, np.int32)
        columns = [np.asarray(counts.get(name, zero)) for name in FIELDS]
        columns[1:] = [np.minimum(each, MOST) for each in columns[1:]]
        rows = pa.table([place[page], *words, *columns], ROWS.names).cast(ROWS)
        with pa.ipc.new_stream(self._rows, ROWS, options=pa.ipc.IpcWriteOptions(compression="lz4")) as stream:
            stream.write_table(rows)
        self._ended(kind, part, known)

    def copy(self, group: Group) -> None:
        """Keep the rows of a former index."""
        self._rows.write(group.stream)
        self._ended(group.kind, group.part, group.pages)

    def _ended(self, kind: Kind, part: str, pages: Ints) -> None:
        self._pages.append(pages)
        self._groups.append((kind, part, self._rows.tell(), self._pages.size))

    def finish(self, prints: PagePrints) -> None:
        self._files.close()
        about = {"form": FORM, "read_by": self.read_by, "groups": self._groups}
        (self.folder / "words.json").write_text(json.dumps(about))
        save(self.folder / "prints.npy", prints.table())

    def __enter__(self) -> "Keeping":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._files.close()


@dataclass
class KeptWords:
    """What the former index kept, for the pages of a later state. Without a former index, nothing."""

    known: npt.NDArray[np.bool_]  # by number: whether the former index knew the page
    prints: PagePrints  # by number
    held: list[Group] = field(default_factory=list)

    @classmethod
    def nothing(cls, pages: int) -> "KeptWords":
        return cls(np.zeros(pages, bool), PagePrints.none(pages))

    @classmethod
    def read(cls, former: Path, ids: Longs, segmenters: dict[str, str]) -> "KeptWords":
        """Raises a `ValueError` if other readers of words made it."""
        about = json.loads((former / "words.json").read_text())
        if (about["form"], about["read_by"]) != (FORM, _reader(segmenters)):
            raise ValueError("another version read these words")
        held, table = load(former / "ids.npy"), load(former / "prints.npy")
        number = numbers_in(ids, held)
        there = number >= 0
        known, prints = np.zeros(ids.size, bool), PagePrints.none(ids.size)
        known[number[there]] = True
        for at, each in enumerate(fields(prints)):
            getattr(prints, each.name)[number[there]] = table[there, at]
        rows, pages = pa.memory_map(str(former / "words.arrows")).read_buffer(), load(former / "words.npy")
        now, groups = np.append(number, np.int32(-1))[pages], list[Group]()  # −1 is the last
        first = first_page = 0
        for kind, part, last, last_page in about["groups"]:
            groups.append(Group(kind, part, rows[first:last], now[first_page:last_page]))
            first, first_page = last, last_page
        return cls(known, prints, groups)

    @property
    def parts(self) -> set[str]:
        return {each.part for each in self.held if each.kind in ("terms", "compounds")}

    def groups(self, kind: Kind, part: str, same: npt.NDArray[np.bool_]) -> Iterator[Group]:
        """What was kept of a kind and a part: only the rows of pages (by number) that are the same count."""
        for group in self.held:
            if (group.kind, group.part) == (kind, part):
                pages = group.pages.copy()
                there = np.flatnonzero(pages >= 0)
                pages[there[~same[pages[there]]]] = -1
                yield replace(group, pages=pages)


def _reader(segmenters: dict[str, str]) -> dict[str, Any]:
    """What decides how texts become words: whatever else reads them may find other words."""
    return {"pagekin": VERSION, "parser": PARSER, "segmenters": dict(segmenters)}
