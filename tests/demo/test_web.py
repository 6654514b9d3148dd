"""The demo web holds what its truth says, read back from the HTML the way a crawler would read it."""

import re
from collections import Counter, defaultdict
from dataclasses import fields
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagekin import demo
from pagekin.demo import Truth, web
from pagekin.url import canonical, host, join, site

PAGES = demo.pages()
TRUTH = demo.truth()


class Found(NamedTuple):
    """A link as found in the HTML."""

    target: str
    node: LexborNode
    written: str


@lru_cache(None)
def parsed(url: str) -> LexborHTMLParser:
    encoding = "iso-8859-1" if url == TRUTH.latin1 else "utf-8"
    return LexborHTMLParser(PAGES[url].decode(encoding))


@lru_cache(None)
def links(url: str) -> tuple[Found, ...]:
    base = parsed(url).css_first("base[href]")
    start = base.attributes["href"] if base else url
    found = []
    for node in parsed(url).css("a[href]"):
        written = node.attributes["href"] or ""
        if target := join(start or url, written):
            found.append(Found(target, node, written))
    return tuple(found)


@lru_cache(None)
def targets(url: str) -> frozenset[str]:
    return frozenset(link.target for link in links(url))


@lru_cache(None)
def text(url: str) -> str:
    body = parsed(url).body
    assert body is not None
    return " ".join(body.text(separator=" ").split())


@lru_cache(None)
def citers(url: str) -> frozenset[str]:
    return frozenset(source for source in PAGES if url in targets(source) and source != url)


def prose(url: str) -> list[str]:
    """The paragraphs without links."""
    return [node.text() for node in parsed(url).css("p, .tx") if not node.css_first("a[href]")]


def site_of(url: str) -> str:
    return site(host(url))


# Size, shape and determinism.


def test_counts() -> None:
    assert 190 <= len(PAGES) <= 215
    assert len({host(url) for url in PAGES}) == 12
    assert Counter(TRUTH.topics.values()) == dict.fromkeys(set(TRUTH.topics.values()), 12)
    assert len(set(TRUTH.topics.values())) == 8
    assert len({site_of(url) for url in PAGES}) == 11, "two hosts share a site"


def test_addresses_are_canonical_and_reserved() -> None:
    assert all(canonical(url) == url and url.startswith("http://") for url in PAGES)
    assert all(host(url).endswith(".example") for url in PAGES)


def test_the_same_each_time() -> None:
    web.plan.cache_clear()
    assert demo.pages() == PAGES
    assert list(demo.pages()) == list(PAGES)


def test_written_as_webkb(tmp_path: Path) -> None:
    demo.write(tmp_path / "a")
    demo.write(tmp_path / "b")
    files = {file.relative_to(tmp_path / "a"): file.read_bytes() for file in (tmp_path / "a").glob("*/*")}
    assert files == {file.relative_to(tmp_path / "b"): file.read_bytes() for file in (tmp_path / "b").glob("*/*")}
    assert {path.name.replace("^", "/"): path.parts[0] for path in files} == TRUTH.labels
    for path, content in files.items():
        header, _, body = content.partition(b"\r\n\r\n")
        assert body == PAGES[path.name.replace("^", "/")]
        assert b"\r\nDate: Saturday, 01-Jun-24 12:00:00 GMT\r\nContent-Type: text/html\r\n" in header
        assert f"Content-Length: {len(body)}\r\n".encode() in header


def test_every_address_in_the_truth_is_a_page() -> None:
    text_of_truth = repr([getattr(TRUTH, field.name) for field in fields(Truth)])
    named = set(re.findall(r"http://[^'\"]+", text_of_truth))
    assert named - set(TRUTH.broken) <= set(PAGES)
    assert set(TRUTH.labels) == set(TRUTH.languages) == set(PAGES)


# Links.


def test_links_lead_to_pages_but_for_the_broken_ones() -> None:
    dangling = {(link.target, url) for url in PAGES for link in links(url) if link.target not in PAGES}
    assert dangling == set(TRUTH.broken.items()) and len(dangling) == 2


def test_fragments_exist() -> None:
    for url in PAGES:
        for link in links(url):
            if "#" in link.written:
                assert parsed(link.target).css_first("#more, a[name=more]"), (url, link.written)


@pytest.mark.parametrize("start", TRUTH.homes)
def test_a_crawl_finds_all_but_spam_and_the_isolated_page(start: str) -> None:
    seen, waiting = {start}, [start]
    while waiting:
        for link in links(waiting.pop()):
            if link.target in PAGES and link.target not in seen and link.node.attributes.get("rel") != "nofollow":
                seen.add(link.target)
                waiting.append(link.target)
    assert set(PAGES) - seen == {TRUTH.spam, TRUTH.isolated}


@pytest.mark.parametrize(
    "spelling",
    [r"index\.html$", r"#more$", r"^\.\./", r"^/\w", r"%7E", r"^mailto:", r"%C3%", "[éêäöü]"],
)
def test_addresses_are_spelt_in_many_ways(spelling: str) -> None:
    written = (node.attributes["href"] or "" for url in PAGES for node in parsed(url).css("a[href]"))
    assert any(re.search(spelling, href) for href in written)


def test_image_links_have_alt_texts() -> None:
    images = [image for url in PAGES for image in parsed(url).css("a img")]
    assert images and all(image.attributes.get("alt") for image in images)


def test_nofollow() -> None:
    marked = {(u, link.target) for u in PAGES for link in links(u) if link.node.attributes.get("rel") == "nofollow"}
    assert marked == TRUTH.nofollow and marked


# Topics.


def test_core_articles_are_cited_from_three_other_sites() -> None:
    for url in TRUTH.core:
        hubs = citers(url) & set(TRUTH.hubs)
        assert len({site_of(hub) for hub in hubs} - {site_of(url)}) >= 3, url


def test_articles_cite_their_own_topic() -> None:
    for url, topic in TRUTH.topics.items():
        own = {target for target in targets(url) if TRUTH.topics.get(target) == topic and target != url}
        assert 2 <= len(own) <= 5, url  # four, and a translation
        assert any(host(target) != host(url) for target in own), url


def test_articles_read_like_articles() -> None:
    for url in TRUTH.topics:
        assert 60 <= len(" ".join(prose(url)).split()) <= 160, url
        assert parsed(url).css_first("title") and parsed(url).css_first("h1")


def test_second_paragraphs_differ() -> None:
    for topic in set(TRUTH.topics.values()):
        english = [u for u, other in TRUTH.topics.items() if other == topic and TRUTH.languages[u] == "en"]
        sentences = [frozenset(prose(url)[-1].split(". ")) for url in english]
        assert len(set(sentences)) == len(english)
        assert all(one.isdisjoint(other) for one, other in pairwise(sentences))


def test_co_citation_recovers_the_topics() -> None:
    """Of the five articles that most other sites cite beside a core article, four in five share its topic."""
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for hub in TRUTH.hubs:
        for _, block in TRUTH.blocks[hub]:
            articles = [url for url in block if url in TRUTH.topics]
            for url in articles:
                together[url].update(other for other in articles if other != url)
    hits = [TRUTH.topics[other] == TRUTH.topics[url] for url in TRUTH.core for other, _ in together[url].most_common(5)]
    assert len(hits) == 5 * len(TRUTH.core)
    assert sum(hits) / len(hits) >= 0.8


def test_some_noise_is_there() -> None:
    strays = [u for u, topic in TRUTH.topics.items() for t in targets(u) if TRUTH.topics.get(t, topic) != topic]
    assert 8 <= len(strays) <= 30


# Hubs, contents, rare words.


def test_blocks_stand_in_the_html() -> None:
    for hub, blocks in TRUTH.blocks.items():
        found = [link.target for link in links(hub)]
        for heading, block in blocks:
            assert heading in text(hub)
            assert any(tuple(found[i : i + len(block)]) == block for i in range(len(found))), (hub, heading)


def test_hubs_have_several_blocks_and_varied_anchors() -> None:
    assert len(TRUTH.hubs) >= 20
    assert all(len(blocks) >= 2 for blocks in TRUTH.blocks.values())
    anchors = defaultdict(set)
    for hub in TRUTH.hubs:
        for link in links(hub):
            anchors[link.target].add(link.node.text())
    assert sum(len(anchors[url]) >= 2 for url in TRUTH.core) > 0.9 * len(TRUTH.core)


def test_two_topics_side_by_side() -> None:
    row = next(tr for tr in parsed(TRUTH.beside).css("tr") if len(tr.css("td")) == 2)
    sides = [{join(TRUTH.beside, a.attributes["href"] or "") for a in cell.css("a")} for cell in row.css("td")]
    common = [Counter(TRUTH.topics.get(url or "") for url in side).most_common(1)[0][0] for side in sides]
    assert None not in common and common[0] != common[1]


def test_contents_hold_little_text_and_link_to_their_short_pages() -> None:
    assert len(TRUTH.contents) >= 4
    for url, short in TRUTH.contents.items():
        assert set(short) <= targets(url) and {host(page) for page in short} == {host(url)}
        assert all(url in targets(page) for page in short)
        assert len(text(url).split()) < 70


def test_a_rare_word_is_on_its_answer_page_only() -> None:
    assert len(TRUTH.rare) >= 10
    for word, (answer, contents) in TRUTH.rare.items():
        holders = [url for url in PAGES if re.search(rf"\b{word}\b", text(url), re.IGNORECASE)]
        assert holders == [answer], word
        assert answer in TRUTH.contents[contents]


# Mirrors, bridges, spam, and the pages at the edge.


def test_mirrors_have_one_text_and_one_set_of_links_and_citers() -> None:
    assert len(TRUTH.mirrors) >= 3
    for original, *copies in TRUTH.mirrors:
        for copy in copies:
            assert host(copy) != host(original)
            assert PAGES[copy] == PAGES[original] and targets(copy) == targets(original)
            assert {original, copy} <= targets(original)
            assert citers(copy) - {original} == citers(original) - {copy} - {TRUTH.spam}


def test_bridges_stand_between_two_topics() -> None:
    assert len(TRUTH.bridges) >= 3
    for url, topics in TRUTH.bridges.items():
        for topic in topics:
            assert sum(TRUTH.topics.get(target) == topic for target in targets(url)) == 3
            assert sum(TRUTH.topics.get(citer) == topic for citer in citers(url)) >= 2
        sites = {site_of(hub) for hub in citers(url) & set(TRUTH.hubs)} - {site_of(url)}
        assert len(sites) >= 3, url


def test_spam_has_all_topics_and_no_friends() -> None:
    cited = [TRUTH.topics[target] for target in targets(TRUTH.spam) if target in TRUTH.topics]
    assert sorted(cited) == sorted(set(TRUTH.topics.values()))
    assert not citers(TRUTH.spam)
    assert len(text(TRUTH.spam).split()) > 400


def test_every_page_of_a_site_links_to_its_copyright_page() -> None:
    assert set(TRUTH.template_links) == {site_of(url) for url in PAGES}
    copies = {copy for _, *mirrors in TRUTH.mirrors for copy in mirrors}
    for url in set(PAGES) - copies - {TRUTH.isolated}:
        assert TRUTH.template_links[site_of(url)] in targets(url), url
        if site_of(url) in TRUTH.licensed:
            assert TRUTH.licence in targets(url), url
    assert len(TRUTH.licensed) >= 3


def test_languages_are_declared() -> None:
    declared = {url: parsed(url).root.attributes.get("lang") for url in PAGES}  # type: ignore[union-attr]
    assert all(declared[url] in (None, lang) for url, lang in TRUTH.languages.items())
    for lang in ("de", "fr"):
        pages = [url for url, other in TRUTH.languages.items() if other == lang]
        assert len(pages) >= 6 and all(declared[url] == lang for url in pages)


def test_translations_link_to_each_other() -> None:
    assert len(TRUTH.translations) >= 6
    for pair in TRUTH.translations:
        for source, target in (pair, pair[::-1]):
            marks = [link.node.attributes.get("hreflang") for link in links(source) if link.target == target]
            assert TRUTH.languages[target] in marks, (source, target)


def test_the_odd_pages() -> None:
    assert not targets(TRUTH.isolated) and not citers(TRUTH.isolated)
    assert "noindex" in str(parsed(TRUTH.noindex).css_first("meta[name=robots]").attributes)  # type: ignore[union-attr]
    assert citers(TRUTH.noindex)
    base = parsed(TRUTH.based).css_first("base")
    assert base is not None and host(base.attributes["href"] or "") != host(TRUTH.based)
    assert any(not link.written.startswith("http") for link in links(TRUTH.based))
    assert b"charset=iso-8859-1" in PAGES[TRUTH.latin1] and "é" in text(TRUTH.latin1)
    with pytest.raises(UnicodeDecodeError):
        PAGES[TRUTH.latin1].decode("utf-8")


@pytest.mark.parametrize(
    "sign",
    [b'<FONT FACE="Arial"', b"<LI><A HREF", b'<div class="hd">', b"<style", b"<main><article>", b"<aside>", b"<nav>"],
)
def test_every_age_of_html_is_there(sign: bytes) -> None:
    assert any(sign in page for page in PAGES.values())


def test_the_docs_name_every_fact() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "demo.md").read_text("utf-8")
    assert not [field.name for field in fields(Truth) if f"`{field.name}`" not in docs]
