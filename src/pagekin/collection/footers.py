"""What is kept of each Parquet file of a part, so that its row groups can be read after it was damaged.

A Parquet file is read from its footer, which comes last: cut the file short, or flip a bit in the footer, and nothing
can be read though nearly all of it is there. So a part keeps a copy of the footers, and a checksum of each row group's
bytes, which tells the groups that are whole.
"""

import base64
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from mmap import ACCESS_READ, mmap
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

MAGIC = b"PAR1"


@dataclass(frozen=True)
class Footer:
    """A Parquet file's footer (compressed, base64), and the CRC-32 of the bytes of each of its row groups."""

    footer: str
    groups: tuple[int, ...]

    def metadata(self) -> pq.FileMetaData:
        return pq.read_metadata(BytesIO(MAGIC + zlib.decompress(base64.b64decode(self.footer))))


def footer_of(path: Path) -> Footer:
    """The footer of a file that is whole."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        size = int.from_bytes(data[-8:-4], "little") + 8  # the footer, its size, the magic number
        groups = tuple(zlib.crc32(data[first:last]) for first, last in _spans(pq.read_metadata(path)))
        return Footer(base64.b64encode(zlib.compress(data[-size:])).decode(), groups)


def whole_groups(data: bytes, footer: Footer) -> tuple[pa.Table, list[int]]:
    """The rows of the row groups that are whole in what is left of a file, and which groups are not."""
    metadata = footer.metadata()
    whole: list[int] = []
    lost: list[int] = []
    for group, ((first, last), crc) in enumerate(zip(_spans(metadata), footer.groups, strict=True)):
        (whole if zlib.crc32(data[first:last]) == crc and last <= len(data) else lost).append(group)
    with pq.ParquetFile(pa.BufferReader(data), metadata=metadata) as file:
        return file.read_row_groups(whole), lost


def _spans(metadata: pq.FileMetaData) -> Iterator[tuple[int, int]]:
    """Where the bytes of each row group begin and end."""
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        columns = [group.column(at) for at in range(group.num_columns)]
        first = min(column.dictionary_page_offset or column.data_page_offset for column in columns)
        yield first, first + sum(column.total_compressed_size for column in columns)
