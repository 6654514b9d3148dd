"""Pages of prose: articles, their translations and mirrors, and bridges between two topics."""

from collections.abc import Iterator
from dataclasses import replace

from pagekin.demo.data import Article, Topic, bridges, hubs, mirrors, special, topics
from pagekin.demo.parts import Link, Page, Paragraph
from pagekin.demo.plan import aside, both_sides, mentioned, related
from pagekin.demo.prose import cite, flow, mix, pick, second_paragraph, weave, words


def article_pages() -> Iterator[Page]:
    """Every article, and after it its mirror."""
    for topic in topics().values():
        for number, article in enumerate(topic.articles):
            page = _page(article, topic.name, _article(topic, number))
            yield page
            if page.absolute:
                yield replace(page, url=mirrors()[page.url], kind="mirror")


def bridge_pages() -> Iterator[Page]:
    """Every page between two topics; it cites core articles of both."""
    for bridge in bridges():
        one, other = both_sides(bridge)
        parts = (Paragraph((flow(bridge.text),), "more"), _see(bridge, one, "shorts"), _see(bridge, other, "titles"))
        yield _page(bridge, "", parts, kind="bridge")


def _page(article: Article, topic: str, parts: tuple[Paragraph, ...], kind: str = "article") -> Page:
    host = article.host
    owner = next((hub for hub in hubs() if hub.own and article.url.startswith(hub.url)), None)
    if owner:
        parts += (Paragraph(weave(words(host.lang)["back"] + " {0}", (Link(owner.url, owner.title),))),)
    author = owner.path.strip("/~").title() if owner else pick(list(host.authors), article.url)
    return Page(
        url=article.url,
        kind=kind,
        host=host,
        title=article.title,
        parts=parts,
        topic=topic,
        byline=f"{words(host.lang)['by']} {author}",
        absolute=article.url in mirrors(),
        latin1=article.latin1,
    )


def _article(topic: Topic, number: int) -> tuple[Paragraph, ...]:
    article = topic.articles[number]
    wording = words(article.host.lang)
    if article.host.lang == "en":
        paragraphs = [Paragraph((flow(article.text),)), Paragraph((second_paragraph(topic, number),), "more")]
    else:  # the patterns are English; the other languages have longer texts of their own
        paragraphs = [Paragraph((flow(article.text),), "more")]
    cited = related(article)
    by_subject = mix(article.url, "wording") % 2 and {article.host.lang, *(a.host.lang for a in cited)} == {"en"}
    paragraphs.append(_see(article, cited, "shorts" if by_subject else "titles"))
    for bridge in mentioned(article):
        paragraphs.append(Paragraph(weave(wording["bridge"], cite(bridge, bridge.title, article.title))))
    if stray := aside(article, number):
        rel = "nofollow" if article.host.key in ("attic", "hedgerow") else ""
        paragraphs.append(Paragraph(weave(wording["aside"], cite(stray, stray.title, article.title, rel))))
    return (*paragraphs, *_elsewhere(article, topic))


def _see(article: Article, cited: list[Article], by: str) -> Paragraph:
    """One sentence that links to all of `cited`, by their `titles` or by their subjects in short (`shorts`)."""
    lang = article.host.lang
    links = [cite(a, a.title if by == "titles" else a.short, article.title, lang=lang) for a in cited]
    return Paragraph(weave(words(lang)[by][len(cited) - 2], *links))


def _elsewhere(article: Article, topic: Topic) -> Iterator[Paragraph]:
    """Links to the same page in another language, and to its mirror."""
    for other in topic.articles:
        if article.of == other.slug or other.of == article.slug:
            lang = other.host.lang
            yield Paragraph((Link(other.url, special()["translations"][lang], lang=lang),))
    if copy := mirrors().get(article.url):
        names = [(Link(url, url.removeprefix("http://")),) for url in (article.url, copy)]
        yield Paragraph(weave(words("en")["copies"], *names))
