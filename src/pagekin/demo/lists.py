"""Pages of links: home pages, hubs, tables of contents and the short pages below them."""

from collections.abc import Iterable, Iterator

from pagekin.demo.data import Article, Contents, Host, Hub, bridges, hosts, hubs, special, topics
from pagekin.demo.parts import Beside, Link, Links, Page, Paragraph, Part, Pieces
from pagekin.demo.plan import blocks
from pagekin.demo.prose import anchor, cite, flow, mix, pick, weave, words

NOTE_EVERY = 5  # one hub entry in five has a remark after it


def navigation(host: Host) -> list[Link]:
    """The header links of a site: home, hubs, contents."""
    links = [Link(host.root, words(host.lang)["home"])]
    links += [Link(hub.url, hub.nav) for hub in hubs() if hub.host == host and hub.nav]
    return links + [Link(contents.url, contents.title) for contents in tables() if contents.host == host]


def friends(host: Host) -> Links:
    """Links to the home pages of a host's friends."""
    return _doors(host, (hosts()[key] for key in host.friends))


def _doors(host: Host, others: Iterable[Host]) -> Links:
    return Links(words(host.lang)["friends"], tuple((Link(other.root, other.title),) for other in others))


def tables() -> Iterator[Contents]:
    return (topic.contents for topic in topics().values() if topic.contents)


def home_pages() -> Iterator[Page]:
    """The root of every host: a greeting, its articles under headings, its minor lists, its friends."""
    for host in hosts().values():
        parts: list[Part] = [Paragraph((host.intro,))]
        for name, heading in host.sections.items():
            here = (article for article in topics()[name].articles if article.host == host)
            parts.append(Links(heading, tuple(cite(a, a.title, host.title, lang=host.lang) for a in here)))
        if minor := _minor(host):
            parts.append(Links(words(host.lang)["lists"], minor))
        if host.style != "modern":  # modern sites have their friends in the margin of every page
            parts.append(friends(host))
        yield Page(host.root, "home", host, host.title, tuple(parts))


def _minor(host: Host) -> tuple[Pieces, ...]:
    """Links to what the navigation leaves out."""
    found = [(Link(hub.url, hub.title),) for hub in hubs() if hub.host == host and not hub.nav]
    hidden = special()["noindex"]
    return (*found, (Link(hidden["url"], hidden["title"]),)) if hidden["at"] == host.key else tuple(found)


def hub_pages() -> Iterator[Page]:
    """Link lists in topical blocks."""
    for hub in hubs():
        parts: list[Part] = [Paragraph((hub.intro,)), *_own(hub)]
        found = [_links(hub, name) for name in hub.blocks]
        parts += [Beside(*found[i : i + 2]) for i in range(0, len(found), 2)] if hub.beside else found
        if hub.homes:
            others = (host for host in hosts().values() if mix(hub.url, host.name) % 2 and host != hub.host)
            parts.append(_doors(hub.host, others))
        yield Page(hub.url, "hub", hub.host, hub.title, tuple(parts), base=hub.base)


def _links(hub: Hub, topic: str) -> Links:
    items = [_entry(hub, article) for article in blocks()[hub.url, topic]]
    if hub.broken and topic == next(iter(hub.blocks)):
        items.append((Link(hub.broken["url"], hub.broken["text"]),))
    return Links(hub.blocks[topic], tuple(items))


def _entry(hub: Hub, article: Article) -> Pieces:
    cited = cite(article, anchor(article, hub.title), hub.title, lang=hub.host.lang)
    if hub.host.lang != "en" or mix(hub.url, article.url, "note") % NOTE_EVERY:
        return cited
    return (*cited, ", " + pick(words("en")["notes"], hub.url, article.url))


def _own(hub: Hub) -> Iterator[Links]:
    """The pages of the hub's owner, on a personal home page."""
    if hub.own:
        written = (article for group in (*(t.articles for t in topics().values()), bridges()) for article in group)
        mine = (article for article in written if article.url.startswith(hub.url))
        yield Links(hub.own, tuple(cite(article, article.title, hub.title) for article in mine))


def contents_pages() -> Iterator[Page]:
    """Each table of contents and its short pages."""
    for table in tables():
        entries = tuple((Link(table.page(short), short.title),) for short in table.short)
        parts = (Paragraph((table.intro,)), Links("Contents", entries))
        yield Page(table.url, "contents", table.host, table.title, parts, topic=table.topic)
        for short in table.short:
            back = weave(words("en")["back"] + " {0}", (Link(table.url, table.title),))
            text = (Paragraph((flow(short.text),)), Paragraph(back))
            yield Page(table.page(short), "short", table.host, short.title, text, topic=table.topic)
