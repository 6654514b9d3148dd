"""The roots of hosts that addresses with a query string lead to, as rows like those of parts.

Paper 3 counts a link with a query string for its host's root, which perhaps nobody has linked to. To be an answer, and
to have a name, it needs a row. The rows follow from the addresses alone, so they are not in parts: whoever puts the
parts together makes them (`Store.runs`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.runs import PART, Run
from pagekin.collection.schema import ALIASES, SCHEMAS, table
from pagekin.collection.snapshot import UNITED
from pagekin.url import host, page_id, site

DYNAMIC = r"^https?://[^?]*\?"
_BEGINNING = r"^(https?://[^/?]*).*$"


def root_of(url: str) -> str:
    """The root of an address's host.

    >>> root_of("http://a.example/search?q=bee")
    'http://a.example/'
    """
    return f"{url.partition('://')[0]}://{host(url)}/"


@dataclass(frozen=True)
class Roots:
    """The roots of the hosts with addresses that have a query string, in other runs, as a run of their own."""

    others: Sequence[Run]
    icann_only: bool

    def size(self, name: str) -> int:
        return self._pages.num_rows if name == "pages" else 0

    def batches(self, name: str, rows: int) -> Iterator[pa.Table]:
        held = self._pages if name == "pages" else SCHEMAS[name].append(PART).empty_table()
        for first in range(0, held.num_rows, rows):
            yield held.slice(first, rows)

    def addresses(self) -> Iterator[pa.Array]:
        return iter(())

    def values(self, column: str) -> Iterator[pa.Array]:
        return iter(())

    def aliases(self) -> pa.Table:
        return ALIASES.empty_table()

    @cached_property
    def _pages(self) -> pa.Table:
        beginnings = set[str]()
        for run in self.others:
            for urls in run.addresses():
                some = urls.filter(pc.match_substring(urls, "?"))  # few have one, and looking for it takes no regex
                some = some.filter(pc.match_substring_regex(some, DYNAMIC))
                beginnings.update(pc.unique(pc.replace_substring_regex(some, _BEGINNING, r"\1/")).to_pylist())
        roots = sorted((page_id(root), root, host(root)) for root in set(map(root_of, beginnings)))
        columns = {
            "id": [number for number, _, _ in roots],
            "url": [root for _, root, _ in roots],
            "host": [name for _, _, name in roots],
            "site": [site(name, self.icann_only) for _, _, name in roots],
        }
        return table("pages", columns).append_column(PART, pa.repeat(pa.scalar(UNITED, pa.int32()), len(roots)))
