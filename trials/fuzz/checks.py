"""What must hold for each reader, whatever bytes it is given: a function of bytes that returns what was read.

An error that the reader documents is an answer (`Refused`, a `PagekinError`); any other exception is a fault, and so is
an assertion that fails here.
"""

import io
import json
import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pagekin.acquire import (
    adjacency,
    edges,
    frontmatter,
    graphs,
    http,
    jsonlines,
    linqs,
    markdown,
    smart,
    sources,
    wacz,
    warc,
)
from pagekin.acquire import zipped as zip_files
from pagekin.acquire.capture import respond, take
from pagekin.acquire.crawl import politeness, robots, sitemaps, traps
from pagekin.acquire.crawl.rules import Rules
from pagekin.acquire.vectors import VectorFile, table_of
from pagekin.collection import manifest, recover, sealed
from pagekin.errors import PagekinError
from pagekin.index.base import index
from pagekin.methods import REGISTRY
from pagekin.methods.base import method
from pagekin.model import Capture, Item, Link, Redirect, Rows, Skipped
from pagekin.parse import colours, encoding, html, style, words
from pagekin.parse.language import language_of
from pagekin.parse.listed import unlisted
from pagekin.seealso.listing import Entry, Listing
from pagekin.seealso.outline import outline
from pagekin.seealso.place import among_own_words, level, place, stands
from pagekin.url import ancestors, canonical, chop, components, host, join, page_id, variants

HERE = "http://a.example/b/c"
PART = "000001-0a1b2c3d"
MADE_BY = (("plain", ""), ("hugo", "hugo.toml"), ("jekyll", "_config.yml"), ("obsidian", ".obsidian/x"))
assert REGISTRY  # importing it enters the methods


@cache
def folder() -> Path:
    """A folder for the files of this process; whoever runs the checks removes it with the one that holds it."""
    return Path(mkdtemp(prefix="pagekin-fuzz-"))


def warm() -> None:
    """Load what the first page in a language loads: dictionaries, stop words, the Public Suffix List."""
    for text in ("蜜蜂的家在山上", "蜜蜂はどこに", "the bees", "die Bienen"):
        wording(text.encode())
    url_parts(HERE.encode())


def text_of(raw: bytes) -> str:
    """Bytes as text, in which a byte that is not UTF-8 is a lone surrogate: a program may hand us one."""
    return raw.decode("utf-8", "surrogateescape")


def writable(*texts: str | None) -> None:
    """Every text can be stored and printed."""
    for text in texts:
        if text is not None:
            text.encode()


def is_canonical(url: str) -> None:
    again = canonical(url) or "nothing"
    assert again == url, f"not canonical: {url[:200]!a} becomes {again[:200]!a}"
    writable(url)


def url(raw: bytes) -> object:
    text = text_of(raw)
    found = [canonical(text), join(HERE, text), join("file:///a/b", text), join(text, "../c?d#e")]
    for one in filter(None, found):
        is_canonical(one)
        assert host(one).isascii()
    return found, [(page_id(one), chop(one, "site")) for one in found if one]


def url_parts(raw: bytes) -> object:
    """What is only done with addresses from pages, which are never longer than this."""
    found = canonical(text_of(raw[: html.REFERENCE]))
    if found is None:
        return None
    others = list(variants(found))
    for other in others:
        is_canonical(other)
    above = list(islice(ancestors(found), 50))
    assert all(len(one) > len(other) for one, other in pairwise(above))
    against = Rules(["a.example"], private=["10.0.0.0/8"]).against(found)
    trap = traps.Traps(10).against(found) if found.startswith(("http://", "https://")) else None
    return others, above, components(found), against, trap


def page(raw: bytes, content_type: str = "text/html") -> object:
    """A page as a file or an archive gives it."""
    taken = take(io.BytesIO(raw).read, len(raw), Capture(HERE, b"", content_type=content_type))
    return is_page(taken) if isinstance(taken, Capture) else taken


def is_page(capture: Capture) -> object:
    """The links and blocks of a page agree with each other and with what a crawler and a drawing see."""
    found = html.parse(capture)
    writable(found.title, found.summary, found.language, found.text, found.canonical)
    assert len(found.title) <= html.TITLE and len(found.summary) <= html.SUMMARY
    _links(found.links)
    assert [block.number for block in found.blocks] == list(range(len(found.blocks)))
    members = [0] * len(found.blocks)
    for link in found.links:
        if link.block >= 0:
            members[link.block] += 1
    assert members == [block.links for block in found.blocks] and all(count > 1 for count in members)
    met = dict.fromkeys(link.block for link in found.links if link.block >= 0)
    assert list(met) == list(range(len(found.blocks))), "blocks are numbered in the order of the page"
    for term in found.terms:
        writable(term.term, term.surface)
        assert term.body >= 0 and term.title >= 0 and term.body + term.title > 0
    followed, declared = html.leads(capture)
    assert declared == found.canonical
    assert followed == [link.target for link in found.links if "nofollow" not in link.rel]
    drawn = html.elements(capture)
    assert [link.target for _, link in drawn.links] == [link.target for link in found.links]
    return found


def _links(links: Iterable[Link]) -> None:
    for position, link in enumerate(links):
        assert link.position == position
        is_canonical(link.target)
        writable(link.anchor, link.rel)
        assert len(link.anchor) <= html.ANCHOR and len(link.rel) <= html.REL


def xhtml(raw: bytes) -> object:
    return page(raw, "application/xhtml+xml")


def listed(raw: bytes) -> object:
    """A list is put into a page that is taken as one, where browsers find it, and can be taken out again."""
    taken = take(io.BytesIO(raw).read, len(raw), Capture(HERE, b"", content_type="text/html"))
    if not isinstance(taken, Capture):
        return taken
    drawn = outline(raw)
    found = place(drawn) or among_own_words(drawn, html.parse(taken).text, "")
    if found is None:
        return None
    new = raw[: found.at] + Listing([Entry("x", "<y>")], "z").written(raw, level(drawn, found.at)) + raw[found.at :]
    assert unlisted(new) == raw
    return found.by, stands(drawn, encoding.decode(new), found, 1)


def css(raw: bytes) -> object:
    """A style sheet, and the same text as a style attribute and as every attribute that has a look."""
    text = text_of(raw)
    rules = style.rules_of(text)
    attributes = dict.fromkeys(("style", "bgcolor", "color", "face", "size", "text", "class", "id"), text)
    looks = [style.changes_of(tag, attributes, dict(rules)) for tag in ("p", "font", "body")]
    for changes in (*rules.values(), *looks):
        look = style.changed(style.PLAIN, changes)
        assert 1 <= look.size <= style.LARGEST
        _colour(look.colour)
        _colour(look.background)
    return rules, looks


def colour(raw: bytes) -> object:
    text = text_of(raw)
    found = [colours.css_colour(text), colours.attribute_colour(text)]
    for one in filter(None, found):
        _colour(one)
        assert 0 <= colours.distance(one, colours.WHITE) < 3
    return found


def _colour(one: colours.Colour) -> None:
    assert len(one) == 3 and all(isinstance(channel, int) and 0 <= channel <= 255 for channel in one)


def decoding(raw: bytes) -> object:
    """A page's bytes as text; the first line is also taken for the HTTP header."""
    header = raw.partition(b"\n")[0][:200].decode("latin-1")
    found = [(encoding.encoding_of(raw, kind), encoding.decode(raw, kind)) for kind in (None, header)]
    writable(*(text for _, text in found))
    return found


def wording(raw: bytes) -> object:
    text = raw.decode("utf-8", "replace")
    language = language_of(text, None)
    terms = words.analyse(text, "", language)
    assert len({term.term for term in terms}) == len(terms)
    writable(*(term.surface for term in terms))
    return language, terms


def response(raw: bytes) -> object:
    """A stored HTTP response, and its parts."""
    status, headers, _ = http.split(raw)
    for value in (headers.get("date", ""), raw[:100].decode("latin-1")):
        when = http.timestamp(value)
        assert when is None or when >= 0
        pause = politeness.retry_after(value, 0.0)
        assert pause is None or (pause >= 0 and math.isfinite(pause))
    return status, item(respond(io.BytesIO(raw).read, len(raw), Capture(HERE, b"", origin="a#0")))


def item(found: Item) -> object:
    """One thing that a reader yields, in a form that can be compared."""
    if isinstance(found, Capture):
        is_canonical(found.url)
        assert found.fetched >= 0 and len(found.body) <= http.MAX_BYTES
        writable(found.content_type, found.language, found.etag, found.last_modified, found.origin, found.robots)
    elif isinstance(found, Redirect):
        is_canonical(found.alias)
        is_canonical(found.target)
    elif isinstance(found, Skipped):
        writable(found.where, found.why)
        assert found.why and len(found.why) < 200, "a reason is short, so that it can be counted"
    elif isinstance(found, Rows):
        return [table if table is None else _table(table) for table in (found.links, found.pages, found.terms)]
    return found


def _table(table: Any) -> object:
    table.validate(full=True)
    for name in {"source", "target", "url"} & set(table.column_names):
        for url in table[name].unique().to_pylist():
            is_canonical(url)
    if "position" in table.column_names:
        assert table["position"].null_count == 0
    return table.to_pylist()


def items(found: Iterator[Item]) -> object:
    return [item(one) for one in found]


def file(name: str, raw: bytes) -> Path:
    path = folder() / name
    path.write_bytes(raw)
    return path


def archive(raw: bytes) -> object:
    return items(warc.read(file("a.warc", raw)))


def zipped(raw: bytes) -> object:
    """A zip file that is whole, and the same bytes as a zip file."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as made:
        made.writestr("archive/a.warc", raw)
    return [items(wacz.read(file("a.wacz", each))) for each in (packed.getvalue(), raw)]


def reading(module: ModuleType, name: str, raw: bytes) -> object:
    """A table, or a file of citation data; that nothing in it can be read is an answer."""
    try:
        return items(module.read(file(name, raw)))
    except PagekinError as error:
        return said(error)


def said(error: PagekinError) -> str:
    writable(str(error))
    return str(error)


def table(raw: bytes) -> object:
    return reading(edges, "a.csv", raw)


def graph_file(raw: bytes) -> object:
    """GEXF, GraphML or Pajek: the first bytes tell."""
    return reading(graphs, "a.graph", raw)


def json_lines(raw: bytes) -> object:
    return reading(jsonlines, "a.jsonl", raw)


def front_matter(raw: bytes) -> object:
    found = frontmatter.split(raw.decode("utf-8", "replace"))
    assert len(found.text) <= len(raw)
    for key, value in found.said.items():
        writable(key, *([value] if isinstance(value, str) else value))
    return found


def markdown_folder(raw: bytes) -> object:
    """A page of Markdown beside two others, as one of four generators would read it; what comes out is a page."""
    name, settings = MADE_BY[crc32(raw) % len(MADE_BY)]
    top = folder() / name
    content = top / ("content" if name == "hugo" else "")
    (content / "b").mkdir(parents=True, exist_ok=True)
    if settings:
        (top / settings).parent.mkdir(exist_ok=True)
        (top / settings).write_bytes(b"")
    for path, text in (("a.md", raw), ("b/c.md", b"# C\n[[a]]"), ("b/index.md", b"[a](../a.md)")):
        (content / path).write_bytes(text)
    found = list(markdown.open_markdown(top, "http://a.example/"))
    pages = [is_page(each) for each in found if isinstance(each, Capture)]
    return repr([pages, [item(replace(each, fetched=0) if isinstance(each, Capture) else each) for each in found]])


def zip_file(raw: bytes) -> object:
    """A zip file that is whole, with the bytes as a page and as Markdown, and the same bytes as a zip file."""
    found = []
    for name in ("a.html", "a.md", "b/index.html.gz"):
        packed = io.BytesIO()
        with ZipFile(packed, "w", ZIP_DEFLATED) as made:
            made.writestr(ZipInfo(name, (2020, 1, 1, 0, 0, 0)), raw)
        found.append(packed.getvalue())
    return [reading(zip_files, "a.zip", each) for each in (*found, raw)]


def vectors(raw: bytes) -> object:
    """The bytes as a file of vectors, and a sound file with a row for each line: its address and its numbers."""
    lines = raw.split(b"\n")
    urls = pa.array(lines, pa.binary()).cast(pa.string(), safe=False)
    numbers = [np.frombuffer(line[: len(line) // 4 * 4], "<f4").tolist() for line in lines]
    sound = folder() / "sound.parquet"
    pq.write_table(pa.table({"url": urls, "vector": pa.array(numbers, pa.list_(pa.float32()))}), sound)
    return [_vectors(path) for path in (file("a.parquet", raw), sound)]


def _vectors(path: Path) -> str:
    source = VectorFile(path)
    try:
        found = [(url, int(size)) for urls, sizes in source.addresses() for url, size in zip(urls, sizes, strict=True)]
        for url, _ in found:
            writable(url)
        return repr([found, [table_of(each, 1).tolist() for each in source.numbers()]])
    except PagekinError as error:
        return said(error)


def smart_file(raw: bytes) -> object:
    return reading(smart, "a.all", raw)


def linqs_content(raw: bytes) -> object:
    return reading(linqs, "a.content", raw)


def linqs_cites(raw: bytes) -> object:
    return reading(linqs, "a.cites", raw)


def nodes(raw: bytes) -> object:
    file("adj_list", b"0: 1 -1\n1: 0 0 -1\n")
    return reading(adjacency, "nodes", raw)


def lists(raw: bytes) -> object:
    file("nodes", b"2\n\n0 (0) [R]\nhttp://a.example/\nA\n1 1\n\n1 (1) [O]\nhttp://b.example/\nB\n1 1\n")
    file("adj_list", raw)
    return items(adjacency.read(folder() / "nodes"))


def guessed(raw: bytes) -> object:
    """What a file without a telling name is taken for; with an extension, it is not HTML for its first tag."""
    return [sources.guess(file(name, raw)) for name in ("unknown", "unknown.xml")]


def robots_txt(raw: bytes) -> object:
    found = robots.understood(200, raw)
    assert found.delay is None or found.delay >= 0, f"Crawl-delay {found.delay}"  # inf: the host is given up
    for sitemap in found.sitemaps:
        is_canonical(sitemap)
    host = politeness.Host(1.0)
    host.slow_down(found.delay)
    host.begins(0.0)
    assert host.interval >= 1 and (host.lost or host.wait(0.0) <= politeness.LONGEST_PAUSE)
    return found.delay, found.sitemaps, [found.against(url) for url in (HERE, "http://a.example/?q=%20", HERE * 50)]


def sitemap(raw: bytes) -> object:
    found = sitemaps.read(raw)
    for url in (*found.pages, *found.sitemaps):
        is_canonical(url)
        assert url.startswith(("http://", "https://"))
    assert len(found.pages) + len(found.sitemaps) <= sitemaps.MOST
    return found


def method_text(raw: bytes) -> object:
    """The text of a method or an index is read, or refused in words; its own text reads back as the same."""
    return [_spelled(reader, raw.decode("utf-8", "replace")) for reader in (method, index)]


def _spelled(reader: Any, text: str) -> str:
    try:
        found = reader(text)
    except PagekinError as error:
        return said(error)
    assert reader(repr(found)) == found, f"{found!r} does not read back"
    return repr(found)


def manifest_file(raw: bytes) -> object:
    return [_manifest(each) for each in _sealed(raw)]


def _sealed(raw: bytes) -> list[bytes]:
    """The bytes, and with a checksum if they are an object: what is wrong with it must not hide behind the checksum."""
    with suppress(ValueError, RecursionError):
        found = json.loads(raw)
        if isinstance(found, dict):
            found.pop(sealed.SEAL, None)
            sealed.write(folder() / "sealed.json", found)
            return [raw, (folder() / "sealed.json").read_bytes()]
    return [raw]


def _manifest(raw: bytes) -> str:
    file(manifest.NAME, raw)
    try:
        return repr(manifest.read(folder()))
    except PagekinError as error:
        return said(error)


def descriptions(raw: bytes) -> object:
    """What a part and an index say about themselves, when the manifest is lost."""
    return [_recovered(each) for each in _sealed(raw)]


def _recovered(raw: bytes) -> object:
    site = folder() / "site.kin"
    for beside, name in ((site / "parts" / PART, "part.json"), (site / "index" / f"graph.{PART}", "index.json")):
        beside.mkdir(parents=True, exist_ok=True)
        (beside / name).write_bytes(raw)
    (site / manifest.NAME).unlink(missing_ok=True)
    try:
        return list(recover.recovered(site, "lost")), repr(manifest.read(site))
    except PagekinError as error:
        return said(error)
