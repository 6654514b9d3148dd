"""The words of pages as they were read for an index, kept for the next build, which reads only those of other pages.

Beside the index there are then

    words.parquet    rows of words: a row group for what one part says (`terms`, `compounds`), what is said of pages
                     (`anchors`) or follows from their names (`names`); pages by their numbers in ids.npy
    words.json       the kind and the part of each row group; who read them
    prints.npy       for each page a print of what it says, of what is said of it, and of its names; and whether it says
                     something of others
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.collection.array_files import load, save
from pagekin.index.prints import Prints
from pagekin.index.spooled import FIELDS, MOST, Spelled
from pagekin.kernels import Ints, Longs
from pagekin.kernels.numbers import numbers_in
from pagekin.model import PARSER
from pagekin.version import VERSION

Kind = Literal["terms", "compounds", "anchors", "names"]
FORM = 2  # of these files; 1 did not tell which pages say something of others
MOST_TEXTS = 1 << 30  # bytes of the different texts of a row group

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


class Keeping:
    """Keeps rows of words in the folder of an index: `with Keeping(folder, segmenters) as kept`."""

    def __init__(self, folder: Path, segmenters: dict[str, str]) -> None:
        self.folder, self.groups, self.read_by = folder, list[tuple[str, str]](), _reader(segmenters)
        # Texts stay the dictionaries that they are, however large. To look for repeated numbers took most of the time.
        self._file = pq.ParquetWriter(
            folder / "words.parquet", ROWS, compression="lz4", use_dictionary=["term", "surface"],
            dictionary_pagesize_limit=MOST_TEXTS, write_statistics=False,
        )  # fmt: skip

    def add(self, kind: Kind, part: str, words: Spelled, page: Ints, counts: dict[str, npt.ArrayLike]) -> None:
        if not page.size:
            return
        zero = np.zeros(page.size, np.int32)
        columns = [np.asarray(counts.get(name, zero)) for name in FIELDS]
        columns[1:] = [np.minimum(each, MOST) for each in columns[1:]]
        rows = pa.table([page, *words, *columns], ROWS.names).cast(ROWS)
        self._file.write_table(rows, row_group_size=rows.num_rows)
        self.groups.append((kind, part))

    def finish(self, prints: PagePrints) -> None:
        self._file.close()
        about = {"form": FORM, "read_by": self.read_by, "groups": self.groups}
        (self.folder / "words.json").write_text(json.dumps(about))
        save(self.folder / "prints.npy", prints.table())

    def __enter__(self) -> "Keeping":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()


@dataclass
class KeptWords:
    """What the former index kept, for the pages of a later state. Without a former index, nothing."""

    number: Ints  # by former page number: the number now, −1 if it is gone
    known: npt.NDArray[np.bool_]  # by number: whether the former index knew the page
    prints: PagePrints  # by number
    groups: list[tuple[str, str]] = field(default_factory=list)
    file: pq.ParquetFile | None = None

    @classmethod
    def nothing(cls, pages: int) -> "KeptWords":
        return cls(np.empty(0, np.int32), np.zeros(pages, bool), PagePrints.none(pages))

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
        file = pq.ParquetFile(former / "words.parquet", memory_map=True)
        if file.num_row_groups != len(about["groups"]):
            raise ValueError("words.json does not fit words.parquet")
        return cls(number, known, prints, [(kind, part) for kind, part in about["groups"]], file)

    @property
    def parts(self) -> set[str]:
        return {part for kind, part in self.groups if kind in ("terms", "compounds")}

    def rows(self, kind: Kind, part: str, same: npt.NDArray[np.bool_]) -> Iterator[tuple[pa.Table, Ints]]:
        """The rows of a kind and a part about pages (by number) that are the same, and their numbers."""
        for group, held in enumerate(self.groups):
            if held == (kind, part) and self.file is not None:
                rows = self.file.read_row_group(group)
                page = self.number[rows["page"].to_numpy()]
                kept = (page >= 0) & same[page]
                yield (rows if kept.all() else rows.filter(pa.array(kept))), page[kept]


def _reader(segmenters: dict[str, str]) -> dict[str, Any]:
    """What decides how texts become words: whatever else reads them may find other words."""
    return {"pagekin": VERSION, "parser": PARSER, "segmenters": dict(segmenters)}
