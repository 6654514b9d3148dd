"""Web addresses as strings: canonical form, host, site, components. Pure functions, no network.

**The canonical form**, step by step (`CANONICAL_VERSION` changes whenever this list does):

1. ASCII spaces and control characters around the text are removed. The WHATWG URL parser (ada) reads the rest: a
   lower-case scheme and host, IDN hosts in ASCII (`xn--`), numeric IPv4, no default port, no dot segments, no tabs or
   newlines, `/` for `\\` and for an empty path, and percent-encoding of what must be encoded. A lone surrogate, which
   is no character, is read as U+FFFD, as browsers do.
2. The fragment, the user name and the password are removed.
3. Dots at the end of the host are removed (`example.org.` is `example.org`).
4. Percent-encoding: upper-case hex; unreserved characters (letters, digits, `-._~`) decoded; a `%` that encodes
   nothing is written `%25`.
5. An empty query is removed (`/a?` is `/a`); without a query, so is a default document (`/a/index.html` is `/a/`).

The result for a URL is ASCII, and canonicalising it again changes nothing.

Kept as they are: http or https, `www.`, the order of the query, double slashes, the case of the path. A look-up tries
`variants` of an address instead.

Text that has no web scheme (a DOI, a CiteSeer number) is an *identifier*: taken as it is, without the white space
around it. All identifiers, and `file:` addresses, belong to the one host `""`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b

from ada_url import check_url, idna_to_ascii, join_url, normalize_url

from pagekin.errors import unknown

CANONICAL_VERSION = 1

WEB_SCHEMES = ("http://", "https://", "ftp://")
SCHEMES = (*WEB_SCHEMES, "file://")
# How the names of files end that are not pages, as an alternative of a regular expression.
FILE_ENDINGS = (
    "7z|aac|aif|aiff|apk|avi|bin|bmp|bz2|class|css|csv|deb|djvu|dmg|doc|docx|dvi|eps|epub|exe|flac|flv|gif|gz|hqx|ico|iso|"
    "jar|jpeg|jpg|js|json|m4a|m4v|mid|mkv|mobi|mov|mp3|mp4|mpeg|mpg|msi|odp|ods|odt|ogg|pdf|pkg|png|ppt|pptx|ps|psd|qt|ra|"
    "ram|rar|rpm|rtf|sit|svg|swf|tar|tex|tgz|tif|tiff|torrent|wav|webm|webp|wma|wmv|xls|xlsx|xz|z|zip|zst"
)
DEFAULT_DOCUMENTS = frozenset(
    f"{name}.{ending}"
    for name in ("index", "default")
    for ending in ("html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp")
)
LONGEST_ORIGIN = 270  # characters of scheme, host and port: a host has at most 253, or it has no address (RFC 1035)
LEVELS = ("page", "host", "site")

_HTTP = ("http://", "https://")
# The parser drops tabs and newlines anywhere, even in the scheme of a link that was broken over two lines.
# Without re.ASCII, "ſ" would match "s" and "ı" would match "i".
_GAP = "[\t\n\r]*"
_SCHEME = "(?:" + "|".join(_GAP.join(scheme) for scheme in ("http", "https", "ftp", "file")) + f"){_GAP}:"
_LOOKS_LIKE_URL = re.compile(_SCHEME, re.IGNORECASE | re.ASCII)
# On an http: page, "http:?q" is "?q" and "http:" is the page (WHATWG, "special relative or authority state").
_SCHEME_ALONE = re.compile(rf"{_SCHEME}{_GAP}(?:[?#]|\Z)", re.IGNORECASE | re.ASCII)
# References that the parser would return unchanged, two thirds of a page's: that takes it 4 µs, and this half a µs.
# Between single dots and slashes there is always something, so there are no dot segments; no label has two hyphens
# in a row (xn--), and the last is no number, so the host is a name that IDNA leaves as it is.
_PLAIN = re.compile(
    r"(https?://(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}(?=/))?"
    r"(?:/?[A-Za-z0-9_~-]+(?:[./][A-Za-z0-9_~-]+)*/?|(?(1)/|(?!)))"
)
# Every % that step 4 changes: all but those followed by the upper-case hex of a reserved character. Addresses in
# Cyrillic or Japanese are full of the latter.
_PERCENT = re.compile(r"%(?!(?!2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)[0-9A-F]{2})([0-9A-Fa-f]{2})?")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_CONTROLS = "".join(map(chr, range(0x21)))  # what the URL parser strips from both ends

# A site's navigation repeats the same references from the same few directories. Measured once: 96 % of PlanetMath's
# joins were answered from here, 26 % of WebKB's, 12 % of the awesome lists'.
_REMEMBERED_JOINS = 1 << 17
_REMEMBERED_BASES = 1 << 8  # a page's links are joined one after the other, so one would almost be enough
_LONGEST_RULE = 10  # labels; the longest rule of the Public Suffix List has 7, but a host may have thousands
_ANY_BASE = "http://base.invalid/"


def canonical(text: str) -> str | None:
    """The canonical form of an address, or an identifier as it is; None if the URL is broken or the text is empty.

    >>> canonical("HTTP://user:pw@WWW.Example.COM.:80/a/../%7Ejo/Index%2ehtml?#top")
    'http://www.example.com/~jo/Index.html'
    >>> canonical("https://bücher.example/index.html")
    'https://xn--bcher-kva.example/'
    >>> canonical(" 10.1145/324133.324140 ")
    '10.1145/324133.324140'
    >>> canonical("http://a b/") is None
    True
    """
    text = text.strip(_CONTROLS)
    if (plain := _PLAIN.fullmatch(text)) and plain[1]:
        return _finish(text)
    if not text.isascii():
        text = _characters(text)
    if not text.startswith(_HTTP) and not _LOOKS_LIKE_URL.match(text):
        return text or None
    try:
        return _finish(normalize_url(text))
    except ValueError:
        return None


def _characters(text: str) -> str:
    """Replace lone surrogates by U+FFFD: no URL parser and no UTF-8 file accepts them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def join(base: str, reference: str) -> str | None:
    """Resolve a link's `reference` on the page (or `<base>`) `base` to a canonical address; None if it is not a page.

    `mailto:`, `javascript:`, `data:` and the like are not pages, nor is `file:` unless the page itself is a file.

    >>> join("http://a.example/x/y.html", "../z/index.html#part")
    'http://a.example/z/'
    >>> join("http://a.example/", "mailto:jo@a.example") is None
    True
    """
    page, directory, root = _bases(base)
    reference = reference.strip(_CONTROLS)
    first = reference[:1]
    # Join a reference to only as much of its base as it needs, so that pages share cached results.
    if first == "/":
        return _join(root, reference)
    if reference.startswith(_HTTP):
        return _join(page and _ANY_BASE, reference)
    if first in "?#" or (":" in reference and _SCHEME_ALONE.match(reference)):
        return _join(page, reference)
    return _join(directory, reference)


@lru_cache(_REMEMBERED_BASES)
def _bases(base: str) -> tuple[str, str, str]:
    """The base itself, its directory and its root, to join references to; `""` if the base is not a URL."""
    base = _characters(base)
    try:
        directory = join_url(base, ".")
    except ValueError:  # not a URL, or mailto: and the like, which have no path: only a whole URL can be joined to it
        page = base if check_url(base) else ""
        return page, page, page
    if directory.startswith(WEB_SCHEMES):
        return base, directory, directory[: directory.index("/", directory.index("//") + 2) + 1]
    return normalize_url(base), directory, join_url(directory, "/")  # C: is part of the root of file:///C:/


@lru_cache(_REMEMBERED_JOINS)
def _join(base: str, reference: str) -> str | None:
    if (plain := _PLAIN.fullmatch(reference)) and base.startswith(WEB_SCHEMES):
        return _finish(reference if plain[1] else base + reference.removeprefix("/"))
    try:
        joined = join_url(base, reference if reference.isascii() else _characters(reference))
    except ValueError:
        return None
    if joined.startswith(WEB_SCHEMES) or (joined.startswith("file://") and base.startswith("file://")):
        return _finish(joined)
    return None


def _finish(url: str) -> str | None:
    """Apply steps 2 to 5 to the parser's result; a usual address needs only a few substring tests."""
    cut = url.find("#")
    if cut >= 0:
        url = url[:cut]
    if "%" in url:
        url = _PERCENT.sub(_percent, url)
        if url.startswith("file:"):  # "%43|" was no drive, "C|" is one
            url = normalize_url(url)
    if "@" in url or "./" in url or ".:" in url:
        trimmed = _trim_authority(url)
        if trimmed is None:
            return None
        url = trimmed
    if len(url) > LONGEST_ORIGIN and url.find("/", 8, LONGEST_ORIGIN) < 0 and not url.startswith("file:"):
        return None
    query = url.find("?")
    if query >= 0:
        if query < len(url) - 1:
            return url
        url = url[:-1]
    slash = url.rfind("/") + 1
    return url[:slash] if url[slash:] in DEFAULT_DOCUMENTS else url


def _percent(match: re.Match[str]) -> str:
    digits = match[1]
    if digits is None:
        return "%25"
    char = chr(int(digits, 16))
    return char if char in _UNRESERVED else f"%{digits.upper()}"


def _trim_authority(url: str) -> str | None:
    """Remove the user name, the password and the dots at the end of the host."""
    scheme, _, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    authority = authority.rpartition("@")[2]
    name, colon, port = authority.partition(":") if not authority.startswith("[") else (authority, "", "")
    bare = name.rstrip(".")
    if bare == name:
        return f"{scheme}://{authority}{slash}{path}"
    if not bare:
        return None
    try:  # "1.2.3.." is a name but "1.2.3" an address: without its dots the host is parsed again
        return normalize_url(f"{scheme}://{bare}{colon}{port}{slash}{path}")
    except ValueError:
        return None


def page_id(url: str) -> int:
    """The id of a canonical URL: the first 8 bytes of its BLAKE2b as a signed integer.

    Any machine can compute it on its own, and nobody can craft a link whose id collides with another page's.

    >>> page_id("http://a.example/") == page_id("http://a.example/")
    True
    """
    return int.from_bytes(blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little", signed=True)


def host(url: str) -> str:
    """The host of a canonical URL, with a port that is not the scheme's default; `""` for identifiers and files.

    >>> host("http://a.example:8080/x"), host("10.1145/324133"), host("file:///tmp/x")
    ('a.example:8080', '', '')
    """
    return url.split("/", 3)[2] if url.startswith(WEB_SCHEMES) else ""


def site(host: str, icann_only: bool = False) -> str:
    """The registrable domain of a host by the bundled Public Suffix List. A numeric address, a single label or a suffix
    is its own site; the site of a name that no rule covers is its last two labels.

    `icann_only` ignores the list's private section, by which `github.io` and `blogspot.com` contain many sites.

    >>> site("www.bbc.co.uk:8080"), site("jo.github.io"), site("jo.github.io", icann_only=True)
    ('bbc.co.uk', 'jo.github.io', 'github.io')
    >>> site("a.b.example.example"), site("localhost"), site("10.0.0.1"), site("[::1]:81")
    ('example.example', 'localhost', '10.0.0.1', '[::1]')
    """
    name = host[: host.index("]") + 1] if host.startswith("[") else host.partition(":")[0]
    return _site(name, icann_only)


@lru_cache(1 << 16)
def _site(name: str, icann_only: bool) -> str:
    labels = name.rsplit(".", _LONGEST_RULE)
    if len(labels) == 1 or name.startswith("[") or labels[-1].isdigit():  # a name that ends in a number is an address
        return name
    rules = _suffixes(icann_only)
    for start in range(len(labels)):  # the longest rule wins, exceptions first: https://publicsuffix.org/list/
        if "!" + ".".join(labels[start:]) in rules:
            return ".".join(labels[start:])
        if ".".join(labels[start:]) in rules or ".".join(["*", *labels[start + 1 :]]) in rules:
            return ".".join(labels[max(start - 1, 0) :])
    return ".".join(labels[-2:])


@lru_cache(2)
def _suffixes(icann_only: bool) -> frozenset[str]:
    """The rules of tldextract's bundled list, in ASCII. Its own look-up mistakes some suffixes for sites: those that
    match a wildcard and are part of a longer rule (`ex.futurecms.at`)."""
    from tldextract import TLDExtract  # 60 ms, and only adding pages needs it

    rules = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=not icann_only).tlds
    return frozenset(rule if rule.isascii() else idna_to_ascii(rule).decode() for rule in rules)


def is_suffix(name: str) -> bool:
    """Whether a name is a rule of the Public Suffix List.

    >>> is_suffix("org"), is_suffix("co.uk"), is_suffix("html")
    (True, True, False)
    """
    return name in _suffixes(True)


def components(url: str) -> tuple[str, ...]:
    """Host, path elements and query, for link-containment weights (paper 5, 2.2.2.3); the scheme is not a component.

    >>> components("http://a.example/b/c.html?d=1")
    ('a.example', 'b', 'c.html', 'd=1')
    """
    if not url.startswith(SCHEMES):
        return (url,)
    address, _, query = url.partition("?")
    authority, *path = address.split("/")[2:]
    return (authority, *filter(None, path), *filter(None, [query]))


def chop(url: str, level: str, icann_only: bool = False) -> str:
    """A page's address reduced to a level: the page itself, its host or its site (paper 1, experiment E2c).

    >>> [chop("http://www.a.example/b", level) for level in LEVELS]
    ['http://www.a.example/b', 'www.a.example', 'a.example']
    """
    if level == "page":
        return url
    if level == "host":
        return host(url)
    if level == "site":
        return site(host(url), icann_only)
    raise unknown("level", level, LEVELS)


def ancestors(url: str) -> Iterator[str]:
    """The address with one, two … elements of its path removed, down to the host's root (paper 1, 6.1).

    The query is removed with the last element, or counts as one if the path ends with a slash.

    >>> list(ancestors("http://a.example/b/c?d")), list(ancestors("http://a.example/b/?d"))
    (['http://a.example/b/', 'http://a.example/'], ['http://a.example/b/', 'http://a.example/'])
    """
    if not url.startswith(SCHEMES):
        return
    address, query, _ = url.partition("?")
    if not query:
        address = address.removesuffix("/")
    start = address.index("://") + 3
    while (slash := address.rfind("/", start)) >= 0:
        address = address[:slash]
        yield address + "/"


def variants(url: str) -> Iterator[str]:
    """Other addresses by which a person may mean the same page, likeliest first, each once.

    >>> list(variants("http://a.example/b"))[:3]
    ['https://a.example/b', 'http://a.example/b/', 'https://a.example/b/']
    >>> next(variants("a.example/b"))
    'http://a.example/b'
    """
    seen = {url}
    for spelling in _spellings(url):
        found = canonical(spelling)
        if found is not None and found not in seen:
            seen.add(found)
            yield found


def _spellings(url: str) -> Iterator[str]:
    if not url.startswith(_HTTP):
        name = url.partition("/")[0]
        if (
            "@" in name or name.endswith(":") or not ("." in name or ":" in name)
        ):  # a mail address, another scheme, a word
            return
        url = "http://" + url
        yield url
    scheme, _, rest = url.partition("://")
    rest, mark, query = rest.partition("?")
    for name in (rest, rest.removeprefix("www.") if rest.startswith("www.") else "www." + rest):
        for path in (name, name[:-1] if name.endswith("/") else name + "/"):
            for prefix in (scheme, "https" if scheme == "http" else "http"):
                yield f"{prefix}://{path}{mark}{query}"
