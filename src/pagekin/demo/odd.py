"""Pages that no reader looks for: notices that every footer links to, a spam page, an isolated page, a noindex page."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from pagekin.demo.data import Host, hosts, special, topics
from pagekin.demo.parts import Link, Links, Page, Paragraph
from pagekin.demo.prose import flow, pick, words


def odd_pages() -> Iterator[Page]:
    yield from _copyrights()
    yield _single("licence", "notice")
    yield _spam()
    yield _single("isolated", "other", bare=True)
    yield _single("noindex", "other", noindex=True)


def _copyrights() -> Iterator[Page]:
    """The page that every footer of a site links to: co-cited with everything, related to nothing."""
    for host in hosts().values():
        if host.copyright.startswith(host.root):
            wording = words(host.lang)
            text = wording["about"].format(authors=", ".join(host.authors))
            yield Page(host.copyright, "notice", host, f"{wording['copyright']}: {host.title}", (Paragraph((text,)),))


def _single(name: str, kind: str, bare: bool = False, noindex: bool = False) -> Page:
    raw = special()[name]
    text = (Paragraph((flow(raw["text"]),)),)
    return Page(raw["url"], kind, _host(raw["url"]), raw["title"], text, bare=bare, noindex=noindex)


def _spam() -> Page:
    """A page stuffed with the words of all topics that links to a good page of each; nothing links to it."""
    raw = special()["spam"]
    slots = [word for topic in topics().values() for words in topic.slots.values() for word in words]
    stuffing = " ".join([a.short for topic in topics().values() for a in topic.articles if a.core] + slots)
    good = [topic.articles[0] for topic in topics().values()]
    offers = ["cheap {}", "best {}", "{} free", "buy {} online"]
    entries = tuple((Link(a.url, pick(offers, a.url).format(a.short)),) for a in good)
    parts = (Paragraph((raw["text"],)), Links("Famous pages", entries), Paragraph((f"{stuffing} {stuffing}",)))
    return Page(raw["url"], "spam", _host(raw["url"]), raw["title"], parts)


def _host(url: str) -> Host:
    return next(host for host in hosts().values() if host.name == urlsplit(url).hostname)
