"""Finds out where a folder of HTML stands on the web, and whether the links within it meet its pages.

    public/posts/bees.html:  <link rel=canonical href="https://blog.example/sub/posts/bees.html">
                             → the folder stands at https://blog.example/sub/

A few pages are looked at, spread over the folder. What counts, the first that speaks clearly:

1. folders as `wget -r` writes them: every page is below a folder with the name of a host;
2. what pages say their own address is (`rel=canonical`, `og:url`), where it ends with the file's path;
3. a sitemap or a feed at the top, if most of what it lists is in the folder;
4. links with a whole address that lead to files of the folder, if most of those to this place do.

A link that begins with `/` shows the path of the site, but not its host.
"""

import html
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from pagekin import url as urls
from pagekin.acquire.capture import ascii_reference
from pagekin.acquire.crawl.sitemaps import read as sitemap
from pagekin.parse.listed import unlisted

EXTENSIONS = (".html", ".htm", ".xhtml", ".shtml")
HTTP = ("http://", "https://")
_PACKED = tuple(f"{extension}.gz" for extension in EXTENSIONS)
WGET = "wget -r"
UNKNOWN = "https://site.invalid/"  # the address of a folder on a host that nothing names
SITEMAPS = ("sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "sitemap-0.xml", "sitemap_index.xml")
FEEDS = ("feed.xml", "atom.xml", "rss.xml", "index.xml", "feed.atom", "feed.rss", "feed/index.xml", "blog/rss.xml")

LOOK_AT = 200  # pages
LOOK_AT_BYTES = 1 << 20  # of each
LOOK_AT_LINKS = 500  # of each: an index of everything must not outvote the other pages
MOST = 0.5  # the share of what pages declare, or a list names, that must agree
CLEARLY = 0.8  # the share of links with whole addresses: these may lead to another edition, or to another site
SEVERAL = 5  # pages that such links must lead to
BETTER = 1.5  # how many times as many links must meet before another address is proposed

_SAFE = "/-._~!$&'()*+,;=:@"  # characters that a path may hold unescaped, RFC 3986, 3.3
_QUOTED = r"""\s*=\s*(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})'|([^"'\s<>]{1,2000}))"""
_LINK = re.compile(rf"<(?:a|area)\s(?:[^<>]{{0,4000}}?\s)?href{_QUOTED}".encode(), re.IGNORECASE)
_VALUE = re.compile(rf"\s(?:href|content){_QUOTED}".encode(), re.IGNORECASE)
_NAMED = {
    "rel=canonical": re.compile(rb"""<link\s[^<>]{0,4000}?\brel\s*=\s*["']?canonical\b[^<>]{0,4000}>""", re.IGNORECASE),
    "og:url": re.compile(rb"""<meta\s[^<>]{0,4000}?=\s*["']?og:url\b[^<>]{0,4000}>""", re.IGNORECASE),
}
_FEED_LINK = re.compile(rb"""<link>\s*([^<\s]{1,2000})|<link\s[^<>]{0,1000}?\bhref\s*=\s*["']([^"'<>]{1,2000})""")
# Links to pictures and the like say nothing about pages.
_OTHER_FILE = re.compile(r"/[^/?]*\.(?!html?$|xhtml$|shtml$|php\d?$|aspx?$|jspx?$|cgi$)[A-Za-z][A-Za-z0-9]{0,4}$")
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|xn--[a-z0-9-]+)(?:[:+]\d{1,5})?", re.ASCII)
_RESERVED = frozenset({"example", "test", "invalid", "localhost", "local", "internal"})  # RFC 2606, RFC 6762


@dataclass(frozen=True)
class Stand:
    """Where a folder stands: its address, or that of each folder of a host in it; and what says so."""

    bases: dict[str, str]  # the beginning of paths → their address; {"": base} for a folder of one site
    by: str = ""  # "rel=canonical"


class Look(NamedTuple):
    """What one page shows: its path in the folder, what it says its address is, and its links as written."""

    path: str
    named: dict[str, str]  # by rel=canonical, by og:url
    links: list[str]


@dataclass(frozen=True)
class Looked:
    """The pages of a folder: the paths of all, and what some of them show."""

    paths: frozenset[str]  # in canonical form, without the address of the folder: "", "a/", "a/b.html"
    looks: list[Look]
    lists: dict[str, list[str]]  # the addresses in lists at the top, by what the list is: "its sitemap"

    @property
    def links(self) -> int:
        """How many links were looked at."""
        return sum(len(look.links) for look in self.looks)

    @cached_property
    def written(self) -> frozenset[str]:
        """The paths in every way that links may write them."""
        return frozenset(way for path in self.paths for way in ways(path))

    @cached_property
    def whole(self) -> Counter[str]:
        """The whole addresses that pages link to, in canonical form, and how many links lead to each."""
        found = Counter(link for look in self.looks for link in look.links if link[:4].lower() == "http")
        whole: Counter[str] = Counter()
        for link, times in found.items():
            url = urls.canonical(link)
            if url and url.startswith(HTTP) and not _OTHER_FILE.search(url):
                whole[url] += times
        return whole

    @cached_property
    def rooted(self) -> set[str]:
        """The links that begin with `/`: they show the path of a site, but not its host."""
        return {link for look in self.looks for link in look.links if link[:1] == "/" != link[1:2]}

    def targets(self, bases: dict[str, str]) -> Iterator[str]:
        """The paths in the folder that links within the site lead to, if it stands there; `?` for one outside."""
        hosts = {urls.host(base) for base in bases.values()}
        for look in self.looks:
            top = next((top for top in bases if look.path.startswith(top)), "")
            at = bases.get(top, "") + look.path[len(top) :]
            for link in look.links:
                target = urls.join(at, link)
                if target is None or urls.host(target) not in hosts or _OTHER_FILE.search(target):
                    continue
                yield next((top + target[len(base) :] for top, base in bases.items() if target.startswith(base)), "?")

    def meeting(self, bases: dict[str, str]) -> tuple[int, int]:
        """How many links within the site meet a page, and how many there are."""
        targets = list(self.targets(bases))
        return sum(target in self.written for target in targets), len(targets)

    def guess(self, top: Path) -> Stand | None:
        """Where the folder stands, if something says so clearly."""
        if hosts := self.hosts():
            return Stand(hosts, WGET)
        for by, votes, of in self._declared():
            base, count = max(votes.items(), key=lambda vote: (vote[1], vote[0]), default=("", 0))
            if count > MOST * of:
                return Stand({"": base}, by)
        for base, count in self.bases(self.whole).most_common(1):
            if count >= SEVERAL and count > CLEARLY * sum(url.startswith(base) for url in self.whole):
                return Stand({"": base}, "its links")
        if is_host(top.name) and (self.rooted or any(urls.host(url) == top.name for url in self.whole)):
            return Stand({"": self._at(top.name)}, "its name")
        return None

    def better(self, base: str) -> str | None:
        """An address on the same host, or one that the folder names, that makes clearly more links meet."""
        root = base[: base.index("/", len("https://")) + 1] if base.startswith(HTTP) else UNKNOWN
        rooted = {urls.join(root, link) for link in self.rooted}
        tried = [root, *(found for found, _ in self.bases(filter(None, rooted)).most_common(3))]
        tried += [found for _, votes, _ in self._declared() for found, _ in votes.most_common(1)]
        best = max(tried, key=lambda each: self.meeting({"": each})[0])
        now, _ = self.meeting({"": base})
        return best if self.meeting({"": best})[0] > BETTER * now else None

    def hosts(self) -> dict[str, str]:
        """The addresses of the hosts that the folders at the top are named after; none if one is not."""
        tops = {path.partition("/")[0] if "/" in path else "" for path in self.paths}
        return {f"{top}/": self._at(top) for top in sorted(tops)} if tops and all(map(is_host, tops)) else {}

    def _at(self, host: str) -> str:
        """The address of a host's root, with the scheme by which it is linked to."""
        host = host.replace("+", ":")  # as wget writes a port on Windows
        plain, safe = (sum(url.startswith(f"{scheme}{host}/") for url in self.whole) for scheme in HTTP)
        return f"{'http' if plain > safe else 'https'}://{host}/"

    def _declared(self) -> Iterator[tuple[str, Counter[str], int]]:
        """What says where the folder stands: the addresses with their votes, and how many votes there might be."""
        for by in _NAMED:
            named = [(look.path, look.named[by]) for look in self.looks if by in look.named]
            yield by, Counter(base for each in named for base in _before(*each)), len(named)
        for by, addresses in self.lists.items():
            yield by, self.bases(addresses), len(addresses)

    def bases(self, addresses: Iterable[str]) -> Counter[str]:
        """What comes before the path of a page in each address; the longest path counts, a site's front never."""
        votes: Counter[str] = Counter()
        for address in addresses:
            start = address.index("/", len("https://")) + 1
            while 0 < start < len(address):
                if address[start:] in self.written:
                    votes[address[:start]] += 1
                    break
                start = address.find("/", start) + 1
        return votes


def look(top: Path, files: Sequence[Path]) -> Looked:
    """Look at some of the pages in a folder, evenly spread, and at the lists at its top."""
    step = max(1, -(-len(files) // LOOK_AT))
    looks = [_look(file, path_of(top, file)) for file in files[::step]]
    return Looked(frozenset(path_of(top, file) for file in files), looks, _lists(top) if files else {})


def path_of(top: Path, file: Path, bare: bool = False, query: bool = False) -> str:
    """The path of a page in a folder, as part of an address: without the extension if `bare`; with `query`, a `?` in
    the name of a file begins a query, and `index.html?a` is the folder's `?a`."""
    inside = file.relative_to(top)
    if is_packed(file):
        file, inside = file.with_suffix(""), inside.with_suffix("")
    if bare and file.suffix.lower() in EXTENSIONS and file.name.lower() not in urls.DEFAULT_DOCUMENTS:
        inside = inside.with_suffix("")
    path = quote(os.fsencode(inside.as_posix()), safe=_SAFE)
    if query and "%3F" in path:
        front, _, asked = path.partition("%3F")
        folder, slash, name = front.rpartition("/")
        front = folder + slash if name in urls.DEFAULT_DOCUMENTS else front
        path = f"{front}?{asked.replace('%3F', '?')}"
    return (urls.canonical(UNKNOWN + path) or UNKNOWN + path)[len(UNKNOWN) :]


def is_packed(file: Path) -> bool:
    """Whether a file is a page in gzip: `page.html.gz`. One that has an address as its name has headers for that."""
    name = file.name.lower()
    return name.endswith(_PACKED) and ":^^" not in name


def ways(path: str) -> Iterator[str]:
    """The ways in which links write the path of a page.

    >>> list(ways("a/b.html")), list(ways("a/")), list(ways("b%3Fc=1"))
    (['a/b.html', 'a/b'], ['a/', 'a'], ['b%3Fc=1', 'b?c=1'])
    """
    yield path
    for ending in (*EXTENSIONS, "/"):
        if path.endswith(ending) and len(path) > len(ending):
            yield path.removesuffix(ending)
    if "%3F" in path:
        yield path.replace("%3F", "?", 1)


def is_host(name: str) -> bool:
    """Whether a folder has the name of a host: one under a public suffix, or under a name reserved for examples.

    >>> is_host("www.bees.example"), is_host("bees.org:8080"), is_host("python3.11"), is_host("manual.en")
    (True, True, False, False)
    """
    fits = _HOST.fullmatch(name.lower())
    return fits is not None and (fits[1] in _RESERVED or urls.is_suffix(fits[1]))


def _look(file: Path, path: str) -> Look:
    head = unlisted(_head(file))  # we write names of files, whatever the site's own links look like
    links = [_text(found) for found in islice(_LINK.finditer(head), LOOK_AT_LINKS)]
    named: dict[str, str] = {}
    for by, pattern in _NAMED.items():
        if (tag := pattern.search(head)) and (value := _VALUE.search(tag[0])):
            url = urls.canonical(_text(value))
            named |= {by: url} if url and url.startswith(HTTP) and "?" not in url else {}
    return Look(path, named, [link for link in links if not link.startswith("#")])


def _lists(top: Path) -> dict[str, list[str]]:
    """The addresses that a sitemap and a feed at the top of a folder list."""
    found: dict[str, list[str]] = {}
    for name in SITEMAPS:
        if pages := sitemap(_head(top / name)).pages:
            found.setdefault("its sitemap", list(pages))
    for name in FEEDS:
        links = {urls.canonical(_text(each)) for each in _FEED_LINK.finditer(_head(top / name))}
        if pages := tuple(url for url in sorted(filter(None, links)) if url.startswith(HTTP)):
            found.setdefault("its feed", list(pages))
    return found


def _head(file: Path) -> bytes:
    try:
        if not file.is_file():  # a pipe would wait for its other end
            return b""
        with file.open("rb") as opened:
            head = opened.read(LOOK_AT_BYTES)
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, LOOK_AT_BYTES) if is_packed(file) else head
    except (OSError, zlib.error):
        return b""


def _text(found: re.Match[bytes]) -> str:
    return html.unescape(ascii_reference(next(filter(None, found.groups()), b"")).strip())


def _before(path: str, address: str) -> list[str]:
    """What comes before the path of a page in its address.

    >>> _before("a/b.html", "http://x.example/y/a/b"), _before("c.html", "http://x.example/")
    (['http://x.example/y/'], [])
    """
    if not path:
        return [address if address.endswith("/") else address + "/"]
    return [address.removesuffix(way) for way in ways(path) if address.endswith("/" + way)][:1]
