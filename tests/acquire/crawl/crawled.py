"""A crawl of a server on loopback, and what it brought."""

from pagekin.acquire.crawl.settings import EVERYWHERE
from pagekin.answers.crawl import crawl
from pagekin.collection.store import Store


def run(site, *urls, **options):
    defaults = {"private": EVERYWHERE, "rate": 0, "radius": 3, "timeout": 5.0}
    return crawl(site, urls, **defaults | options)


def fetched(site):
    """The addresses of the pages that are held."""
    pages = Store(site).graph.pages
    return {url for url, at in zip(pages["url"].to_pylist(), pages["fetched"].to_pylist(), strict=True) if at}


def links(site):
    """Every link of every page that is held: source, target, anchor, position, rel."""
    store = Store(site)
    urls = store.graph.pages["url"].to_pylist()
    names = ("source", "target", "anchor", "position", "rel")
    return {
        (urls[source], urls[target], *rest)
        for source, target, *rest in zip(*(store.graph.links[name].to_pylist() for name in names), strict=True)
    }


def aliases(site):
    return {(row["alias"], row["kind"]) for row in Store(site).graph.aliases.to_pylist()}


def site_of(pages):
    """Answers from a mapping of paths."""
    return lambda asked: found() if callable(found := pages.get(asked.path)) else found
