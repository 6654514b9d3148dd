"""Decides who links to whom: hub blocks that cover the core, articles that cite their own topic, and some noise."""

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from pagekin.demo.data import Article, Hub, Topic, bridges, hubs, topics
from pagekin.demo.prose import mix

CORE_LINKS = 5  # of a topic's eight core articles in one hub block
OTHER_LINKS = 2  # of its other articles
STRAY_EVERY = 4  # one block in four holds a link that does not belong there
ASIDE_EVERY = 6  # one article in six links to another topic


@lru_cache(1)
def blocks() -> dict[tuple[str, str], tuple[Article, ...]]:
    """(hub address, topic) → the articles its block lists.

    A block takes the articles that the fewest sites cite so far, so in the end several sites cite every core article.
    Hubs cite only other sites.
    """
    citing: dict[str, set[str]] = defaultdict(set)
    planned = {}
    for hub in hubs():
        for name in hub.blocks:
            chosen = _block(hub, topics()[name], citing)
            for article in chosen:
                citing[article.url].add(hub.host.site)
            planned[hub.url, name] = tuple(_shuffled(chosen, hub.url))
    return planned


def _block(hub: Hub, topic: Topic, citing: dict[str, set[str]]) -> list[Article]:
    abroad = [article for article in topic.articles if article.host.site != hub.host.site]
    abroad = sorted(_shuffled(abroad, hub.url), key=lambda article: len(citing[article.url]))
    core = [article for article in abroad if article.core][:CORE_LINKS]
    other = [article for article in abroad if not article.core][:OTHER_LINKS]
    return core + other + _border(hub, topic) + _stray(hub, topic)


def _border(hub: Hub, topic: Topic) -> list[Article]:
    """The bridges of this topic, in about two thirds of its blocks."""
    return [
        bridge
        for bridge in bridges()
        if topic.name in bridge.topics and bridge.host.site != hub.host.site and mix(hub.url, bridge.url) % 3
    ]


def _stray(hub: Hub, topic: Topic) -> list[Article]:
    if mix(hub.url, topic.name) % STRAY_EVERY:
        return []
    return _elsewhere(topic.name, hub.host.site, hub.url)[:1]


def related(article: Article) -> list[Article]:
    """The two to four articles of its topic that an article cites: core ones on other sites, then one on its own."""
    (name,) = article.topics
    others = _shuffled((other for other in topics()[name].articles if other != article), article.url)
    others = [other for other in others if article.of != other.slug and other.of != article.slug]
    abroad = [other for other in others if other.core and other.host.site != article.host.site]
    home = [other for other in others if other.host.site == article.host.site]
    more = [other for other in others if other not in abroad[:2] and other not in home[:1]]
    return abroad[:2] + home[:1] + more[: mix(article.url) % 2]


def both_sides(bridge: Article) -> list[list[Article]]:
    """The three core articles that a bridge cites, for each of its topics."""
    cores = ((article for article in topics()[name].articles if article.core) for name in bridge.topics)
    return [_shuffled(core, bridge.url)[:3] for core in cores]


def mentioned(article: Article) -> list[Article]:
    """The bridges that an article mentions: two core articles of each of a bridge's topics mention it."""
    return [
        bridge
        for bridge in bridges()
        for name in bridge.topics
        if article in _shuffled((a for a in topics()[name].articles if a.core), "bridge", bridge.url)[:2]
    ]


def aside(article: Article, number: int) -> Article | None:
    """The article of another topic that a reader recommends, in one article out of six."""
    if (number + mix(article.topics[0])) % ASIDE_EVERY:
        return None
    return _elsewhere(article.topics[0], article.host.site, article.url)[0]


def _elsewhere(topic: str, site: str, key: str) -> list[Article]:
    """Core articles of other topics on other sites."""
    foreign = (a for name, other in topics().items() if name != topic for a in other.articles)
    return _shuffled((a for a in foreign if a.core and a.host.site != site), key, "elsewhere")


def _shuffled(articles: Iterable[Article], *key: str) -> list[Article]:
    return sorted(articles, key=lambda article: mix(article.url, *key))
