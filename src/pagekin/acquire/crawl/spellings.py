"""Two spellings of one address, `/docs/` and `/docs/index.html`: are they the same page?

They have the same canonical form, which is the name of a page in the collection, and only the first that is met is
fetched for it. On most sites the other one is the same page. Where it is not, the user should know; so the other
spelling of a few addresses of each host is asked for as well, and compared.
"""

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

from pagekin.url import host, page_id

MOST = 3  # addresses of one host that are compared in one round: one answer tells how a server does it
NEAR = 0.1  # pages with the same links whose lengths differ by less are the same: a clock, a counter


class Fingerprint(NamedTuple):
    """What tells one page from another."""

    digest: bytes
    links: bytes
    length: int

    def is_like(self, other: "Fingerprint") -> bool:
        near = abs(self.length - other.length) <= NEAR * max(self.length, other.length)
        return self.digest == other.digest or (self.links == other.links and near)


def fingerprint(body: bytes, links: list[str]) -> Fingerprint:
    """The fingerprint of a page, from its bytes and from where it leads."""
    return Fingerprint(_digest(body), _digest("\n".join(links).encode()), len(body))


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


class Pair(NamedTuple):
    """An address, the spelling that was fetched, and another one."""

    url: str
    kept: str
    other: str


@dataclass
class Spellings:
    """How addresses of folders are written, and which were fetched."""

    ways: dict[int, list[str]] = field(default_factory=dict)  # id of an address that is not fetched yet → its spellings
    failed: dict[int, tuple[str, int]] = field(default_factory=dict)  # … → a spelling that is not there, and its status
    kept: dict[int, tuple[str, Fingerprint]] = field(default_factory=dict)  # … → its spelling and what was there
    asked: Counter[str] = field(default_factory=Counter)  # host → how many were compared
    done: set[int] = field(default_factory=set)
    differing: list[tuple[str, str, str]] = field(default_factory=list)  # kept, other, what is there

    def met(self, url: str, way: str) -> Pair | None:
        """Note a spelling; returns what to compare now."""
        number = page_id(url)
        if number in self.kept:
            return self._pair(url, number, way)
        ways = self.ways.setdefault(number, [])
        if way not in ways and len(ways) < MOST:
            ways.append(way)
        return None

    def missed(self, url: str, way: str, status: int) -> None:
        """Note that there is nothing under one spelling; the other one is asked for next."""
        self.failed[page_id(url)] = (way, status)

    def fetched(self, url: str, way: str, found: Fingerprint) -> Pair | None:
        """Note what was fetched; returns what to compare now."""
        if not url.endswith("/"):
            return None
        number = page_id(url)
        self.kept.setdefault(number, (way, found))
        others = [each for each in self.ways.pop(number, []) if each != way]
        if number in self.failed:
            missing, status = self.failed.pop(number)
            self.done.add(number)
            self.compared(Pair(url, way, missing), None, status)
        return self._pair(url, number, others[0]) if others else None

    def _pair(self, url: str, number: int, way: str) -> Pair | None:
        kept = self.kept[number][0]
        if way == kept or number in self.done or self.asked[host(url)] >= MOST:
            return None
        self.done.add(number)
        self.asked[host(url)] += 1
        return Pair(url, kept, way)

    def compared(self, pair: Pair, found: Fingerprint | None, status: int) -> None:
        """Note what was found under the other spelling."""
        if found is None:
            self.differing.append((pair.kept, pair.other, f"answers with status {status}"))
        elif not found.is_like(self.kept[page_id(pair.url)][1]):
            self.differing.append((pair.kept, pair.other, "is another page"))
