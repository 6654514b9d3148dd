"""Renders a planned page as HTML, in the look of its site."""

import posixpath
from collections.abc import Iterable
from html import escape
from urllib.parse import unquote, urlsplit

from pagekin.demo.data import special
from pagekin.demo.lists import friends, navigation
from pagekin.demo.parts import Beside, Link, Links, Page, Paragraph, Part, Pieces
from pagekin.demo.prose import mix, words
from pagekin.demo.templates import STYLES, Style


def html(page: Page) -> bytes:
    """The bytes of a page; characters that its encoding lacks become character references."""
    style = STYLES["bare" if page.bare else page.host.style]
    charset = "iso-8859-1" if page.latin1 else "utf-8"
    text = style.frame.substitute(
        lang=page.language,
        charset=charset,
        head=_head(page),
        title=_text(page.title),
        site=_text(page.host.title),
        nav=_nav(page, style),
        byline=style.byline.format(_text(page.byline)) if page.byline else "",
        body="\n".join(_part(page, style, part) for part in page.parts),
        friends=_part(page, style, friends(page.host)),
        footer=" · ".join(_pieces(page, style, [link]) for link in footer(page)),
    )
    return text.encode(charset, "xmlcharrefreplace")


def footer(page: Page) -> list[Link]:
    """The links at the foot of every page of a site."""
    wording = words(page.host.lang)
    links = [Link(page.host.copyright, wording["copyright"])]
    return [*links, Link(special()["licence"]["url"], wording["licence"])] if page.host.licensed else links


def href(page: Page, link: Link) -> str:
    """A link's address as its author might have typed it: relative, from the root or in full, now and then with
    `index.html`, an encoded tilde or non-ASCII letters. All of them mean `link.target`."""
    target = urlsplit(link.target)
    path = _spelling(target.path, page, mix(page.title, link.target))
    origin = urlsplit(page.base or page.url)
    fragment = f"#{link.fragment}" if link.fragment else ""
    if page.absolute or target.hostname != origin.hostname:
        return f"http://{target.hostname}{path}{fragment}"
    if STYLES[page.host.style].relative:
        path = _relative(path, origin.path)
    return path + fragment


def _spelling(path: str, page: Page, key: int) -> str:
    if path.endswith("/") and key % 4 == 1:
        path += "index.html"
    if "~" in path and key % 3 == 0:
        return path.replace("~", "%7E")
    return unquote(path) if page.language != "en" else path


def _relative(path: str, start: str) -> str:
    short = posixpath.relpath(path, posixpath.dirname(start))
    return short + "/" if path.endswith("/") else short


def _head(page: Page) -> str:
    robots = '\n<meta name="robots" content="noindex">' if page.noindex else ""
    return robots + (f'\n<base href="{page.base}">' if page.base else "")


def _nav(page: Page, style: Style) -> str:
    home, *others = navigation(page.host)
    first = _anchor(page, style, home, style.home.format(escape(home.text)))
    return style.join_nav.join([first, *(_pieces(page, style, [link]) for link in others)])


def _part(page: Page, style: Style, part: Part) -> str:
    if isinstance(part, Paragraph):
        text = _pieces(page, style, part.pieces)
        return style.mark.format(part.mark, text) if part.mark else style.paragraph.format(text)
    if isinstance(part, Beside):
        return style.beside.format(_links(page, style, part.left), _links(page, style, part.right))
    return _links(page, style, part)


def _links(page: Page, style: Style, part: Links) -> str:
    items = style.join_items.join(style.item.format(_pieces(page, style, item)) for item in part.items)
    return style.heading.format(_text(part.heading)) + "\n" + style.list.format(items)


def _pieces(page: Page, style: Style, pieces: Pieces | Iterable[Link]) -> str:
    return "".join(
        _text(piece) if isinstance(piece, str) else _anchor(page, style, piece, _text(piece.text)) for piece in pieces
    )


def _text(text: str) -> str:
    return escape(text, quote=False)


def _anchor(page: Page, style: Style, link: Link, text: str) -> str:
    attributes = {"href": href(page, link), "rel": link.rel, "hreflang": link.lang, "lang": link.lang}
    if style.tag == "A":
        attributes = {name.upper(): value for name, value in attributes.items()}
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items() if value)
    return f"<{style.tag}{written}>{text}</{style.tag}>"
