"""Every step of the canonical form, and what must hold for any text at all; the slow twins are below."""

import re
import string
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import pytest
from ada_url import URL, join_url, normalize_url
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pagekin import url as urls
from pagekin.errors import UsageError
from pagekin.url import ancestors, canonical, chop, components, host, join, page_id, site, variants

# Slow twins: the documented steps 2 to 5 after whatever parsed the URL, and joining without shared bases and memory.

SPLIT = re.compile(r"(https?|ftp|file)://(?:[^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.DOTALL)
DOCUMENTS = {
    f"{name}.{ending}"
    for name in ("index", "default")
    for ending in ("html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp")
}


def slow_finish(href: str) -> str | None:
    """The canonical form of a serialised URL of the WHATWG parser; None for a scheme that we do not take."""
    parts = SPLIT.fullmatch(href)
    if parts is None:
        return None
    scheme, authority, path, query = parts[1], parts[2], slow_percent(parts[3]), slow_percent(parts[4] or "")
    name, port = re.fullmatch(r"(\[.*\]|[^:]*)((?::\d+)?)", authority).groups()  # type: ignore[union-attr]
    if name.endswith("."):
        try:
            name = URL(f"{scheme}://{name.rstrip('.')}").hostname if name.strip(".") else None
        except ValueError:
            name = None
        if name is None:
            return None
    if scheme == "file":
        path = re.sub(r"^/([A-Za-z])\|(?=/|$)", r"/\1:", path)
    folder, _, last = path.rpartition("/")
    if last in DOCUMENTS and not query:
        path = folder + "/"
    return f"{scheme}://{name}{port}{path}" + (f"?{query}" if query else "")


def slow_percent(text: str) -> str:
    done = ""
    while text:
        before, sign, text = text.partition("%")
        done += before
        if sign and len(text) >= 2 and set(text[:2]) <= set(string.hexdigits):
            char = chr(int(text[:2], 16))
            done += char if char.isascii() and (char.isalnum() or char in "-._~") else "%" + text[:2].upper()
            text = text[2:]
        elif sign:
            done += "%25"
    return done


def slow_join(base: str, reference: str) -> str | None:
    try:
        page = normalize_url(slow_characters(base))
        joined = join_url(page, slow_characters(reference))
    except ValueError:
        return None
    return slow_finish(joined) if not joined.startswith("file:") or page.startswith("file:") else None


def slow_characters(text: str) -> str:
    """JavaScript's `toWellFormed`: pairs of surrogates are the character they stand for, others U+FFFD."""

    def pair(found: re.Match[str]) -> str:
        high, low = map(ord, found[0])
        return chr(0x10000 + (high - 0xD800 << 10) + (low - 0xDC00))

    return re.sub("[\ud800-\udfff]", "\ufffd", re.sub("[\ud800-\udbff][\udc00-\udfff]", pair, text))


# Text that looks like URLs, made of what has ever been difficult in one.

PIECES = [
    *("http:", "https:", "HTTP:", "ftp:", "file:", "ht\ttp:", "mailto:", "javascript:", "ws:", "httpſ:", "10.1145"),
    *(
        "/",
        "//",
        "///",
        "\\",
        "\\\\",
        "?",
        "??",
        "#",
        "@",
        ":",
        ";",
        "&",
        "=",
        "|",
        " ",
        "\t",
        "\n",
        "\r",
        "\0",
        "\x7f",
    ),
    *(".", "..", "...", "./", "../", "%2e", "%2E.", "%", "%%", "%4", "%41", "%7e", "%ff", "%00", "%2F", "%3f", "%25"),
    *("%43|", "C|", "C:", "c:/", "localhost", "a", "a.example", "WWW.A.Example.", "b.co.uk", "1.2.3", "0x7f.1", "256"),
    *("[::1]", "[1:2:3:4:5:6:7:8]", "[", "]", ":80", ":443", ":21", ":8080", ":0", ":65536", "user", "user:pw@", "@@"),
    *("bücher", "faß", "İ", "ı", "🦊", "xn--", "xn--bcher-kva", "。", "\u00ad", "\u200d", "\u3000", "\ufeff", "_"),
    *("index.html", "default.asp", "Index.html", "index%2ehtml", "q=1", "x", "-", "~", "*", "<", '"', "{", "^", "`"),
    *("\ud800", "\udc00", "\udfff", "é", "\u2028"),
]
url_like = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
any_text = st.text(st.characters(exclude_categories=()), max_size=30)
absolute = st.builds(
    str.__add__, st.sampled_from(["http://", "https://", "http:", "HTTPS:\\\\", "ftp://", "file://", "file:"]), url_like
)
anything = st.one_of(absolute, url_like, any_text)
patient = settings(deadline=None)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # 1: the parser
        ("http://a.example", "http://a.example/"),
        (" \t\n\x00http://a.example/x\x1f ", "http://a.example/x"),
        ("HTTP://A.Example/B", "http://a.example/B"),
        ("http://a.example:80/", "http://a.example/"),
        ("https://a.example:443/", "https://a.example/"),
        ("ftp://a.example:21/", "ftp://a.example/"),
        ("http://a.example:443/", "http://a.example:443/"),
        ("http://a.example:00080/", "http://a.example/"),
        ("http://a.example:/", "http://a.example/"),
        ("http://a.example/b/./c/../d", "http://a.example/b/d"),
        ("http://a.example/../../b", "http://a.example/b"),
        ("http://a.example/b/%2e%2E/c", "http://a.example/c"),
        ("http://a.example/b/..", "http://a.example/"),
        ("http://a.example\\b\\c", "http://a.example/b/c"),
        ("http:\\\\a.example", "http://a.example/"),
        ("http:a.example/b", "http://a.example/b"),
        ("http:/a.example/b", "http://a.example/b"),
        ("http:///a.example/b", "http://a.example/b"),
        ("http://a.exa\tmple/b\r\nc", "http://a.example/bc"),
        ("ht\ntp\r:\t//a.example/", "http://a.example/"),
        ("http://a.example/b c?d e", "http://a.example/b%20c?d%20e"),
        ("http://a.example/é?ü=ß", "http://a.example/%C3%A9?%C3%BC=%C3%9F"),
        ('http://a.example/<">`{}', "http://a.example/%3C%22%3E%60%7B%7D"),
        ("http://0x7F.1/", "http://127.0.0.1/"),
        ("http://3232235777/", "http://192.168.1.1/"),
        ("http://[2001:DB8:0:0::1]/", "http://[2001:db8::1]/"),
        ("http://[::ffff:1.2.3.4]:8080/", "http://[::ffff:102:304]:8080/"),
        ("http://a_b.example/", "http://a_b.example/"),
        ("http://localhost/", "http://localhost/"),
        ("http://%61.example/", "http://a.example/"),
        # IDN
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
        ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
        ("http://XN--Bcher-Kva.example/", "http://xn--bcher-kva.example/"),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
        ("http://faß.example/", "http://xn--fa-hia.example/"),
        ("http://🦊.example/", "http://xn--9s9h.example/"),
        ("http://İ.example/", "http://xn--i-9bb.example/"),
        ("http://ı.example/", "http://xn--cfa.example/"),
        ("http://I.example/", "http://i.example/"),
        ("http://a。example．/", "http://a.example/"),
        ("http://ａ.example/", "http://a.example/"),
        ("http://a\u00adb.example/", "http://ab.example/"),
        # 2: fragment, user name, password
        ("http://a.example/b#c", "http://a.example/b"),
        ("http://a.example/b#", "http://a.example/b"),
        ("http://a.example/#!/b?c", "http://a.example/"),
        ("http://jo@a.example/", "http://a.example/"),
        ("http://jo:pw@a.example:81/", "http://a.example:81/"),
        ("http://jo@work@a.example/", "http://a.example/"),
        ("http://jo:p@w:d@a.example/b@c", "http://a.example/b@c"),
        ("http://@a.example/", "http://a.example/"),
        ("http://:@a.example/", "http://a.example/"),
        ("http://a.example/jo@b.example/?c@d", "http://a.example/jo@b.example/?c@d"),
        # 3: dots at the end of the host
        ("http://a.example./", "http://a.example/"),
        ("http://a.example...:81/b", "http://a.example:81/b"),
        ("http://jo@a.example./b./c", "http://a.example/b./c"),
        ("http://1.2.3../", "http://1.2.0.3/"),
        ("file://localhost./b", "file:///b"),
        ("http://a.example/b./c.:d/", "http://a.example/b./c.:d/"),
        # 4: percent-encoding
        ("http://a.example/%7ejo/%41%2d%5F%2E", "http://a.example/~jo/A-_."),
        ("http://a.example/%c3%a9?%c3%A9", "http://a.example/%C3%A9?%C3%A9"),
        ("http://a.example/b%2fc%3Fd%23e%25", "http://a.example/b%2Fc%3Fd%23e%25"),
        ("http://a.example/?b%3dc%26d%2B+", "http://a.example/?b%3Dc%26d%2B+"),
        ("http://a.example/100%", "http://a.example/100%25"),
        ("http://a.example/%zz%4?%", "http://a.example/%25zz%254?%25"),
        ("http://a.example/%%41%%", "http://a.example/%25A%25%25"),
        ("http://a.example/%4%31", "http://a.example/%2541"),
        ("http://a.example/%2541", "http://a.example/%2541"),
        ("http://a.example/%00", "http://a.example/%00"),
        ("file:///%43|/b", "file:///C:/b"),
        # 5: empty query, default documents
        ("http://a.example/b?", "http://a.example/b"),
        ("http://a.example?", "http://a.example/"),
        ("http://a.example/b?#c", "http://a.example/b"),
        ("http://a.example/b??", "http://a.example/b??"),
        ("http://a.example/b?c?", "http://a.example/b?c?"),
        ("http://a.example/index.html", "http://a.example/"),
        ("http://a.example/index.html?", "http://a.example/"),
        ("http://a.example/index.html#b", "http://a.example/"),
        ("http://a.example/b/index%2Ehtml", "http://a.example/b/"),
        ("http://a.example/index.html?b", "http://a.example/index.html?b"),
        ("http://a.example/?index.html", "http://a.example/?index.html"),
        ("http://a.example/b?c/index.html", "http://a.example/b?c/index.html"),
        ("http://a.example/index.html/", "http://a.example/index.html/"),
        ("http://a.example/Index.html", "http://a.example/Index.html"),
        ("http://a.example/myindex.html", "http://a.example/myindex.html"),
        ("http://index.html", "http://index.html/"),
        ("file:///b/index.html", "file:///b/"),
        # kept
        ("http://www.a.example/b//c/", "http://www.a.example/b//c/"),
        ("http://a.example/?b=2&a=1&b=2", "http://a.example/?b=2&a=1&b=2"),
        ("http://a.example/B;c,d!e$f'(g)*h", "http://a.example/B;c,d!e$f'(g)*h"),
        # identifiers
        (" 10.1145/324133.324140\n", "10.1145/324133.324140"),
        ("Gödel, Escher, Bach", "Gödel, Escher, Bach"),
        ("mailto:jo@a.example", "mailto:jo@a.example"),
        ("www.a.example/index.html#b", "www.a.example/index.html#b"),
        ("httpſ://a.example/", "httpſ://a.example/"),
        ("100%", "100%"),
        ("a\ud800b", "a\ufffdb"),
        # nothing, or broken
        ("", None),
        (" \t\x00", None),
        ("http:", None),
        ("http://", None),
        ("http:///", None),
        ("http://?b", None),
        ("http://./", None),
        ("http://a b/", None),
        ("http://a.example:x/", None),
        ("http://a.example:65536/", None),
        ("http://[::1/", None),
        ("http://[1.2.3.4]/", None),
        ("http://256.256.256.256/", None),
        ("http://1.2.3.4.5../", None),
        ("http://a%00.example/", None),
        ("http://jo@/", None),
        ("http://\u00ad/", None),
        ("http://a.example/\ud800?\udfff", "http://a.example/%EF%BF%BD?%EF%BF%BD"),
        ("http://a.example/\ud83e\udd8a", "http://a.example/%F0%9F%A6%8A"),
    ],
)
def test_canonical_form(given: str, expected: str | None) -> None:
    assert canonical(given) == expected


@pytest.mark.parametrize("byte", range(256))
def test_percent_encoding_of_every_byte(byte: int) -> None:
    for written in (f"%{byte:02x}", f"%{byte:02X}"):
        for before in ("", "%", "%4", "%zz", "%20"):
            assert canonical(f"http://a.example/b?{before}{written}") == "http://a.example/b?" + slow_percent(
                before + written
            )


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_default_documents(name: str) -> None:
    assert canonical(f"http://a.example/b/{name}") == "http://a.example/b/"
    assert join("http://a.example/b/c", name) == "http://a.example/b/"


def test_default_documents_are_the_documented_ones() -> None:
    assert DOCUMENTS == urls.DEFAULT_DOCUMENTS


@pytest.mark.parametrize(
    "long",
    ["b" * 100_000, "b/" * 50_000, "../" * 33_000, "%7e" * 33_000, "%" * 100_000, "?" + "b=c&" * 25_000, "é" * 20_000],
    ids=["segment", "segments", "dots", "encoded", "stray", "query", "letters"],
)
def test_very_long_addresses(long: str) -> None:
    found = canonical("http://a.example/" + long)
    assert found == slow_finish(normalize_url("http://a.example/" + long))
    assert found is not None and canonical(found) == found == join("http://a.example/", long)


def test_a_host_that_no_name_server_could_have_is_none() -> None:
    """With an endless one, what is canonical once might not be so twice."""
    longest = "a." * 123 + "example"  # 253 characters
    found = canonical(f"https://{longest}:65535/b")
    assert found == f"https://{longest}:65535/b" and site(host(found)) == "a.example"
    assert join("http://a.example/", f"//{longest}/b") == f"http://{longest}/b"
    for host_of in ("a." * 50_000 + "example", "ü." * 3_000 + "example", "a" * 300):
        assert canonical(f"http://{host_of}/b") is None
        assert join("http://a.example/", f"//{host_of}/b") is None
    assert canonical("file:///" + "a" * 300) == "file:///" + "a" * 300


# Joining


BASE = "http://a.example/b/c.html?d=1"


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("", "http://a.example/b/c.html?d=1"),
        ("#e", "http://a.example/b/c.html?d=1"),
        ("?e", "http://a.example/b/c.html?e"),
        ("?", "http://a.example/b/c.html"),
        ("e", "http://a.example/b/e"),
        ("./e", "http://a.example/b/e"),
        ("../e", "http://a.example/e"),
        ("../../../e", "http://a.example/e"),
        ("..", "http://a.example/"),
        (".", "http://a.example/b/"),
        ("index.html", "http://a.example/b/"),
        ("/", "http://a.example/"),
        ("/e", "http://a.example/e"),
        ("\\e", "http://a.example/e"),
        ("//e.example/f", "http://e.example/f"),
        ("///e.example/f", "http://e.example/f"),
        (" e f ", "http://a.example/b/e%20f"),
        ("e\n/f", "http://a.example/b/e/f"),
        (":e", "http://a.example/b/:e"),
        (";e", "http://a.example/b/;e"),
        ("@e", "http://a.example/b/@e"),
        ("%7Ee", "http://a.example/b/~e"),
        ("é", "http://a.example/b/%C3%A9"),
        ("\ud800", "http://a.example/b/%EF%BF%BD"),
        ("http:", "http://a.example/b/c.html?d=1"),
        ("HTTP:#e", "http://a.example/b/c.html?d=1"),
        ("ht\ntp:\n?e", "http://a.example/b/c.html?e"),
        ("http:e", "http://a.example/b/e"),
        ("http:/e", "http://a.example/e"),
        ("https:e", "https://e/"),
        ("https:?e", None),
        ("https://e.example/index.html", "https://e.example/"),
        ("ftp://e.example/f", "ftp://e.example/f"),
        ("http://a b/", None),
        ("//", None),
        ("mailto:jo@a.example", None),
        ("javascript:void(0)", None),
        ("data:text/html,e", None),
        ("tel:1", None),
        ("about:blank", None),
        ("ws://a.example/", None),
        ("file:///e", None),
        ("C:\\e.html", None),
    ],
)
def test_join(reference: str, expected: str | None) -> None:
    assert join(BASE, reference) == expected == slow_join(BASE, reference)


@pytest.mark.parametrize(
    ("base", "reference", "expected"),
    [
        ("file:///b/c", "d", "file:///b/d"),
        ("file:///b/c", "file:///d", "file:///d"),
        ("file:///b/c", "http://a.example/", "http://a.example/"),
        ("file:///b/c?d", "file:", "file:///b/c?d"),
        ("file:///C:", "d", "file:///C:/d"),
        ("file:///C:/b/c", "/d", "file:///C:/d"),
        ("FILE:///b", "?d", "file:///b?d"),
        ("http://a.example", "d", "http://a.example/d"),
        ("ftp://a/b/c", "/d", "ftp://a/d"),
        ("http://a/b/c", "/d", "http://a/d"),
        ("http://a.example/b#c/d?e/f", "g", "http://a.example/g"),
        ("http://a.example\\b\\c", "d", "http://a.example/b/d"),
        ("http://jo:pw@a.example./b/c", "d", "http://a.example/b/d"),
        ("mailto:jo@a.example", "http://a.example/", "http://a.example/"),
        ("mailto:jo@a.example", "d", None),
        ("10.1145/324133", "http://a.example/", None),
        ("", "http://a.example/", None),
    ],
)
def test_join_on_other_bases(base: str, reference: str, expected: str | None) -> None:
    assert join(base, reference) == expected == slow_join(base, reference)


def test_pages_share_joins() -> None:
    """What the navigation of a site refers to is worked out once a directory, site or web, not once a page."""
    urls._join.cache_clear()
    for page in ("http://a.example/b/c", "http://a.example/b/d?e", "http://a.example/f/g/"):
        for reference in ("/h", "http://z.example/", "https://z.example/"):
            join(page, reference)
        join(page, "i")
    assert urls._join.cache_info().currsize == 5  # "i" is another page in /b/ than in /f/g/


@given(st.one_of(absolute, url_like, any_text, st.just(BASE)), anything)
@example("http://a.example/b", "http:?c")
@example("file:///C:", "/b")
@patient
def test_join_is_its_slow_twin(base: str, reference: str) -> None:
    assert join(base, reference) == slow_join(base, reference)


@given(absolute, absolute)
@patient
def test_a_whole_url_does_not_depend_on_its_base(base: str, text: str) -> None:
    whole = canonical(text)
    if whole is not None and join(base, "http://a.example/") is not None:
        assert join(base, whole) == (whole if not whole.startswith("file:") or join(base, "file:///") else None)


# What holds for any text


@given(anything)
@example("http://a.example/??")
@example("file:///%43|/..%2e")
@example("http://1.2.3..")
@patient
def test_canonical_of_anything(text: str) -> None:
    found = canonical(text)
    if found is None:
        return
    found.encode()
    assert canonical(found) == found
    if not found.startswith(urls.SCHEMES):
        assert found == slow_characters(text.strip("".join(map(chr, range(33)))))  # an identifier, as it is
        return
    assert found == slow_finish(normalize_url(slow_characters(text)))
    assert found.isascii() and found.isprintable() and " " not in found
    assert "#" not in found and found.find("?") != len(found) - 1
    authority = found.split("/")[2]
    assert "@" not in authority and not authority.split(":")[0].endswith(".")
    assert not authority.endswith({"http": ":80", "https": ":443", "ftp": ":21", "file": ":"}[found.split(":")[0]])


@given(anything)
@patient
def test_nothing_raises_for_what_canonical_returns(text: str) -> None:
    found = canonical(text)
    if found is None:
        return
    for function in (host, components, page_id):
        function(found)
    for icann_only in (False, True):
        name = site(host(found), icann_only)
        assert host(found).partition(":")[0].endswith(name) or name.startswith("[")
        assert site(name, icann_only) == name
    above = list(ancestors(found))
    assert all(canonical(place) == place and found.startswith(place) for place in above)
    others = list(variants(found))
    assert len({found, *others}) == len(others) + 1 and all(canonical(other) == other for other in others)


# Host and site


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.example/b/c", "a.example"),
        ("http://a.example:8080/", "a.example:8080"),
        ("https://[::1]:81/", "[::1]:81"),
        ("ftp://a.example/", "a.example"),
        ("file:///b", ""),
        ("file://server/b", ""),
        ("10.1145/324133", ""),
        ("mailto:jo@a.example", ""),
        ("gopher://a.example/", ""),
    ],
)
def test_host(url: str, expected: str) -> None:
    assert host(url) == expected == chop(url, "host")


@pytest.mark.parametrize(
    ("name", "private", "icann"),
    [
        ("www.a.example", "a.example", "a.example"),
        ("a.com", "a.com", "a.com"),
        ("b.a.com:8080", "a.com", "a.com"),
        ("www.bbc.co.uk", "bbc.co.uk", "bbc.co.uk"),
        ("co.uk", "co.uk", "co.uk"),
        ("com", "com", "com"),
        ("jo.github.io", "jo.github.io", "github.io"),
        ("b.jo.github.io", "jo.github.io", "github.io"),
        ("github.io", "github.io", "github.io"),
        ("b.a.cn.com", "a.cn.com", "cn.com"),
        ("b.c.kobe.jp", "b.c.kobe.jp", "b.c.kobe.jp"),
        ("c.kobe.jp", "c.kobe.jp", "c.kobe.jp"),
        ("kobe.jp", "kobe.jp", "kobe.jp"),
        ("ex.futurecms.at", "ex.futurecms.at", "futurecms.at"),
        ("b.a.ex.futurecms.at", "b.a.ex.futurecms.at", "futurecms.at"),
        ("www.city.kobe.jp", "city.kobe.jp", "city.kobe.jp"),
        ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("b.xn--9s9h.com", "xn--9s9h.com", "xn--9s9h.com"),
        ("c.a_b.com", "a_b.com", "a_b.com"),
        ("c.b.a.local", "a.local", "a.local"),
        ("localhost", "localhost", "localhost"),
        ("localhost:81", "localhost", "localhost"),
        ("10.0.0.1", "10.0.0.1", "10.0.0.1"),
        ("10.0.0.1:81", "10.0.0.1", "10.0.0.1"),
        ("[::1]", "[::1]", "[::1]"),
        ("[::ffff:102:304]:81", "[::ffff:102:304]", "[::ffff:102:304]"),
        ("", "", ""),
        (".com", ".com", ".com"),
        ("a..com", ".com", ".com"),
    ],
)
def test_site(name: str, private: str, icann: str) -> None:
    assert (site(name), site(name, icann_only=True)) == (private, icann)


def test_the_longest_rule_is_looked_at() -> None:
    for icann_only in (False, True):
        assert max(rule.count(".") for rule in urls._suffixes(icann_only)) < urls._LONGEST_RULE


def slow_site(name: str, rules: list[str]) -> str:
    """The algorithm of https://publicsuffix.org/list/ as it is told there: every rule is held against the name."""

    def holds(rule: str) -> bool:
        theirs, ours = rule.removeprefix("!").split(".")[::-1], name.split(".")[::-1]
        return len(theirs) <= len(ours) and all(a in ("*", b) for a, b in zip(theirs, ours, strict=False))

    found = [rule for rule in rules if holds(rule)] or ["*"]
    best = next((rule for rule in found if rule[0] == "!"), max(found, key=lambda rule: rule.count(".")))
    length = best.count(".") + (best[0] != "!")
    return ".".join(name.split(".")[-length - 1 :])


@pytest.mark.parametrize("icann_only", [False, True])
def test_site_is_its_slow_twin(icann_only: bool) -> None:
    """Around the rules with a wildcard or an exception, where look-ups go wrong."""
    rules = urls._suffixes(icann_only)
    for top in {".".join(rule.lstrip("!*.").split(".")[-2:]) for rule in rules if rule[0] in "!*"}:
        near = [rule for rule in rules if rule.endswith(top) or top.endswith("." + rule)]
        names = {rule.lstrip("!*.") for rule in near if rule.endswith(top)}
        for name in (prefix + name for name in names for prefix in ("", "x.", "y.x.", "z.y.x.")):
            assert site(name, icann_only) == slow_site(name, near), name


# Components, levels, ancestors, variants, ids


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.example/", ("a.example",)),
        ("http://a.example:81/b/c.html?d=1/2?", ("a.example:81", "b", "c.html", "d=1/2?")),
        ("https://a.example/b//c/", ("a.example", "b", "c")),
        ("http://a.example/?d", ("a.example", "d")),
        ("file:///b/c", ("", "b", "c")),
        ("10.1145/324133", ("10.1145/324133",)),
    ],
)
def test_components(url: str, expected: tuple[str, ...]) -> None:
    assert components(url) == expected


def test_chop() -> None:
    url = "http://www.jo.github.io:81/b"
    assert [chop(url, level) for level in urls.LEVELS] == [url, "www.jo.github.io:81", "jo.github.io"]
    assert chop(url, "site", icann_only=True) == "github.io"
    assert {chop("10.1145/324133", level) for level in ("host", "site")} == {""}
    with pytest.raises(UsageError, match="unknown level 'sites'; did you mean 'site'"):
        chop(url, "sites")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.example/", []),
        ("http://a.example/b", ["http://a.example/"]),
        ("http://a.example/b/", ["http://a.example/"]),
        ("http://a.example:81/b/c/d", ["http://a.example:81/b/c/", "http://a.example:81/b/", "http://a.example:81/"]),
        ("http://a.example/b?c/d", ["http://a.example/"]),
        ("http://a.example/b/?c", ["http://a.example/b/", "http://a.example/"]),
        ("http://a.example/?b", ["http://a.example/"]),
        ("http://a.example/b//", ["http://a.example/b/", "http://a.example/"]),
        ("file:///b/c", ["file:///b/", "file:///"]),
        ("file:///", []),
        ("10.1145/324133", []),
    ],
)
def test_ancestors(url: str, expected: list[str]) -> None:
    assert list(ancestors(url)) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "http://a.example/",
            ["https://a.example/", "http://www.a.example/", "https://www.a.example/"],
        ),
        (
            "https://www.a.example/b/?c",
            [
                "http://www.a.example/b/?c",
                "https://www.a.example/b?c",
                "http://www.a.example/b?c",
                "https://a.example/b/?c",
                "http://a.example/b/?c",
                "https://a.example/b?c",
                "http://a.example/b?c",
            ],
        ),
        ("http://[::1]/", ["https://[::1]/"]),
        ("http://10.0.0.1/", ["https://10.0.0.1/"]),
        ("ftp://a.example/", []),
        ("file:///b", []),
        ("gopher://a.example/", []),
        ("10", []),
        ("doi:10.1145/324133", []),
        ("jo@a.example", []),
        ("mailto:jo@a.example", []),
    ],
)
def test_variants(url: str, expected: list[str]) -> None:
    assert list(variants(url)) == expected


def test_variants_of_an_address_without_scheme() -> None:
    found = list(variants("www.A.example:81/b/index.html#c"))
    assert found[:2] == ["http://www.a.example:81/b/", "https://www.a.example:81/b/"]
    assert "https://a.example:81/b/" in found
    assert next(variants("localhost:8000/b")) == "http://localhost:8000/b"
    assert next(variants("[::1]/b")) == "http://[::1]/b"


def test_page_id() -> None:
    """The number is part of the stored format: a change here makes every collection unreadable."""
    assert page_id("http://a.example/") == -4328180325584828614
    expected = blake2b(b"http://a.example/", digest_size=8).digest()
    assert page_id("http://a.example/").to_bytes(8, "little", signed=True) == expected


@given(any_text)
@pytest.mark.parametrize("function", [canonical, page_id, host, components, lambda text: list(variants(text))])
def test_never_raises(function: Callable[[str], object], text: str) -> None:
    function(text)


# The tables of docs/url.md

DOCS = (Path(__file__).parents[1] / "docs" / "url.md").read_text("utf-8")


def test_the_documented_canonical_form() -> None:
    rows = re.findall(r"^\|[^|]+\| `([^|]+)` \| `([^|]+)` \|$", DOCS, re.MULTILINE)
    assert len(rows) == 16
    assert [canonical(before) for before, _ in rows] == [after for _, after in rows]


def test_the_documented_differences() -> None:
    rows = re.findall(r"^\|[^|]+\| `([^|]+)` and `([^|]+)` \|$", DOCS, re.MULTILINE)
    assert len(rows) == 7
    for one, other in rows:
        assert canonical(one) == one != other == canonical(other)
    for one, other in rows[:3]:
        assert one in variants(other) and other in variants(one)


def test_the_documented_hosts_and_sites() -> None:
    rows = re.findall(r"^\| `([^|]+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$", DOCS, re.MULTILINE)
    assert len(rows) == 10
    for url, *expected in rows:
        name = host(canonical(url) or "")
        assert [name, site(name), site(name, icann_only=True)] == [cell.strip(" `") for cell in expected]


def test_the_documented_default_documents() -> None:
    assert {word for name in DOCUMENTS for word in name.split(".")} <= set(re.findall(r"`([a-z]+)`", DOCS))
