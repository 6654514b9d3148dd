"""The facts that are planted in the demo web, for tests and evaluation to find."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pagekin.demo.data import Article, bridges, hosts, hubs, mirrors, special, topics
from pagekin.demo.lists import tables
from pagekin.demo.parts import Page, links, lists, targets
from pagekin.demo.web import plan


@dataclass(frozen=True)
class Truth:
    """The facts about the demo web; every address is canonical and, except in `broken`, a key of `pages()`."""

    topics: dict[str, str]
    """Article → its topic; bridges, mirrors and short pages are not in it."""
    core: frozenset[str]
    """The eight articles of each topic that hubs on at least three other sites cite."""
    labels: dict[str, str]
    """Every page → the folder `write` puts it in: its topic, or its kind (home, hub, bridge, notice, spam, other)."""
    homes: tuple[str, ...]
    """The front page of each host; a crawl from any of them that may leave its host finds all but spam and isolated."""
    hubs: tuple[str, ...]
    """Pages of link lists."""
    blocks: dict[str, tuple[tuple[str, tuple[str, ...]], ...]]
    """Hub → its blocks in order, each a heading and the targets under it in order."""
    beside: str
    """The hub with two blocks to a table row, two topics side by side."""
    contents: dict[str, tuple[str, ...]]
    """Table of contents → the short pages one click below it, all on its host."""
    rare: dict[str, tuple[str, str]]
    """A word → the only page that has it, and the table of contents one click above."""
    mirrors: tuple[tuple[str, ...], ...]
    """Addresses of the same page: the article first, then its copies on other hosts; what cites one cites all."""
    bridges: dict[str, tuple[str, str]]
    """Cross-topic page → the two topics it links to and is linked from."""
    spam: str
    """The page full of the words of all topics that links to a good page of each; nothing links to it."""
    template_links: dict[str, str]
    """Site → the copyright page that every page of the site links to: false friends of co-citation."""
    licence: str
    """The one licence page that several sites link to from every page."""
    licensed: tuple[str, ...]
    """The sites that link to the licence page."""
    languages: dict[str, str]
    """Every page → the language of its text: en, de or fr."""
    translations: tuple[tuple[str, str], ...]
    """English article and its translation; each links to the other with hreflang."""
    isolated: str
    """A page without links in or out, and without its site's template."""
    noindex: str
    """A page whose robots meta tag says noindex."""
    broken: dict[str, str]
    """Address without a page → the hub that links to it."""
    nofollow: frozenset[tuple[str, str]]
    """Source and target of the links that carry rel=nofollow."""
    based: str
    """The page whose relative links start from a `<base href>` on another host."""
    latin1: str
    """The page in ISO-8859-1."""


@lru_cache(1)
def truth() -> Truth:
    """The planted truth of the demo web."""
    planned = plan()
    articles = [article for topic in topics().values() for article in topic.articles]
    return Truth(
        topics={article.url: article.topics[0] for article in articles},
        core=frozenset(article.url for article in articles if article.core),
        labels={page.url: page.label for page in planned},
        homes=tuple(host.root for host in hosts().values()),
        hubs=tuple(hub.url for hub in hubs()),
        blocks={page.url: tuple(_blocks(page)) for page in planned if page.kind == "hub"},
        beside=_only(hub.url for hub in hubs() if hub.beside),
        contents={table.url: tuple(map(table.page, table.short)) for table in tables()},
        rare={s.rare: (table.page(s), table.url) for table in tables() for s in table.short if s.rare},
        mirrors=tuple(mirrors().items()),
        bridges={bridge.url: (bridge.topics[0], bridge.topics[1]) for bridge in bridges()},
        spam=special()["spam"]["url"],
        template_links={host.site: host.copyright for host in hosts().values()},
        licence=special()["licence"]["url"],
        licensed=tuple(host.site for host in hosts().values() if host.licensed),
        languages={page.url: page.language for page in planned},
        translations=tuple(_translations(articles)),
        isolated=special()["isolated"]["url"],
        noindex=special()["noindex"]["url"],
        broken={hub.broken["url"]: hub.url for hub in hubs() if hub.broken},
        nofollow=frozenset((page.url, link.target) for page in planned for link in links(page) if link.rel),
        based=_only(page.url for page in planned if page.base),
        latin1=_only(page.url for page in planned if page.latin1),
    )


def _blocks(page: Page) -> Iterator[tuple[str, tuple[str, ...]]]:
    for block in lists(page):
        yield block.heading, tuple(link.target for link in targets(block))


def _translations(articles: list[Article]) -> Iterator[tuple[str, str]]:
    urls = {article.slug: article.url for article in articles}
    return ((urls[article.of], article.url) for article in articles if article.of)


def _only(found: Iterator[str]) -> str:
    (url,) = found
    return url
