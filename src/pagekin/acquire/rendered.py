"""Turns the text of a Markdown file into a page of HTML.

markdown-it-py reads CommonMark with tables, wikilinks and bare addresses. Before that, what generators replace in the
text is put in its place (Hugo's `ref` and `relref`, Jekyll's `link` and `post_url`); after that every link to a page of
the folder gets the page's address (`references`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import escape, unescape
from typing import Any

from pagekin.acquire import frontmatter
from pagekin.acquire.frontmatter import Front
from pagekin.acquire.references import Pages

_HREF = re.compile(
    r"""(<a\s(?:[^<>]{0,4000}?\s)?href\s*=\s*)(?:"([^"<>]{0,4000})"|'([^'<>]{0,4000})')""", re.IGNORECASE
)
_WIKILINK = re.compile(r"!?\[\[([^\[\]|#\n]{0,500})(?:#([^\[\]|\n]{0,500}))?(?:\|([^\[\]\n]{0,500}))?\]\](?![(\[:])")
_ATTACHMENT = re.compile(r"\.(?!(?:md|markdown)$)[A-Za-z0-9]{2,5}$")
_ADDRESS = re.compile(r"(?<![\w/])https?://[^\s<>\"`|\\^{}]{1,2000}")
_AFTER = re.compile(r"[?!.,:;*_~'\"]+$")
# What generators put in place before they read Markdown. No part can hold the sign that begins it, so none is looked at
# twice.
_REF = re.compile(
    r"""\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?(?:"([^"{}<>\n]{1,1000})"|`([^`{}<>\n]{1,1000})`|([^"`{}<>%\s]{1,1000}))"""
    r"[^{}<>%\n]{0,200}[>%]\}\}"
)
_SHORTCODE = re.compile(r"\{\{[<%][^{}\n]{0,1000}[>%]\}\}")
_LINK_TAG = re.compile(r"""\{%-?\s*(link|post_url)\s+["']?([^"'{}%\s]{1,1000})["']?\s*-?%\}""")
_URL_FILTER = re.compile(
    r"""\{\{-?\s*(?:["']([^"'{}\n]{0,1000})["']\s*\|\s*(?:relative_url|absolute_url)|site\.(?:base)?url)\s*-?\}\}"""
)
_LIQUID = re.compile(r"\{%[^{}%\n]{0,1000}%\}")
_HEADING = re.compile(r"<h1\b[^<>]{0,1000}>(.{1,1000}?)</h1>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


@dataclass
class Text:
    """The text of one file while it is read: who it is, and what its links mean."""

    pages: Pages
    path: str
    url: str
    generator: str = ""
    unknown: list[str] = field(default_factory=list)  # notes that wikilinks name and that are not there

    def prepared(self, text: str) -> str:
        """The text with what a generator would replace in it."""
        if "{" not in text:
            return text
        text = _REF.sub(lambda found: self._ref(found[1] or found[2] or found[3]), text)
        text = _LINK_TAG.sub(lambda found: self._tag(found[1], found[2]), text)
        text = _URL_FILTER.sub(lambda found: self.pages.base + (found[1] or "").lstrip("/"), text)
        if self.generator == "Hugo":
            text = _SHORTCODE.sub("", text)
        return _LIQUID.sub("", text) if self.generator == "Jekyll" else text

    def _ref(self, written: str) -> str:
        """What Hugo's `ref` names: a file from the top, or from this one, or the only file of that name."""
        target, _, part = written.partition("#")
        near = self.pages.page(self.path, self.url, target) if not target.startswith("/") else None
        page = near or self.pages.file(target.lstrip("/")) or self.pages.note(self.path, target) if target else None
        return (page or target) + (f"#{part}" if part else "")

    def _tag(self, kind: str, written: str) -> str:
        target = written.lstrip("/")
        if kind == "post_url":
            folder, _, name = target.rpartition("/")
            target = "/".join(filter(None, [folder, "_posts", name]))
        return self.pages.file(target) or self.pages.note(self.path, target) or self.pages.base + target

    def linked(self, found: re.Match[str]) -> str:
        """A link of the page with the address that it means."""
        written = unescape(found[2] if found[2] is not None else found[3])
        meant = self.pages.meant(self.path, self.url, written)
        if meant is None:
            return found[0]
        part = written.partition("#")[2]
        return f'{found[1]}"{escape(meant + (f"#{part}" if part else ""))}"'


def html(front: Front, text: Text, name: str) -> str:
    """A page of HTML from Markdown. Its title is that of the front matter, else its first heading, else its name."""
    said = front.said
    language = frontmatter.text(said, "lang", "language", "languagecode")
    summary = frontmatter.text(said, "description", "summary", "excerpt")
    tags = ", ".join([*frontmatter.texts(said, "tags", "tag"), *frontmatter.texts(said, "categories", "category")])
    body = _renderer().render(text.prepared(front.text), {"text": text})
    heading = _HEADING.search(body)
    title = frontmatter.text(said, "title") or (unescape(_TAG.sub("", heading[1])).strip() if heading else "") or name
    spoken = f' lang="{escape(language)}"' if language else ""
    return "".join(
        (
            f'<!doctype html>\n<html{spoken}><head><meta charset="utf-8">',
            f"<title>{escape(title)}</title>",
            f'<meta name="description" content="{escape(summary)}">' if summary else "",
            f"</head>\n<body><main>\n{_HREF.sub(text.linked, body)}",
            f"<p>{escape(tags)}</p>\n" if tags else "",
            "</main></body></html>\n",
        )
    )


@cache
def _renderer() -> Any:
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    made.inline.ruler.before("link", "wikilink", _wikilink)
    made.core.ruler.push("addresses", _addresses)
    return made


def _wikilink(state: Any, silent: bool) -> bool:
    """`[[Name#Heading|text]]`, and `![[Name]]`, which shows a note within another."""
    if state.src[state.pos] not in "[!":
        return False
    found = _WIKILINK.match(state.src, state.pos, state.posMax)
    text = state.env.get("text")
    if found is None or text is None:
        return False
    name = found[1].removesuffix("\\").strip()
    page = text.pages.note(text.path, name) if name else None
    if page is None and (name and text.generator not in ("", "Obsidian")):
        return False  # `[[` is something else there
    if not silent:
        shown = (found[3] or name or found[2] or "").strip()
        if page is None:
            if name and not _ATTACHMENT.search(name):
                text.unknown.append(name)
            state.push("text", "", 0).content = shown
        else:
            state.push("link_open", "a", 1).attrs = {"href": page}
            state.push("text", "", 0).content = shown
            state.push("link_close", "a", -1)
    state.pos = found.end()
    return True


def _addresses(state: Any) -> None:
    """Turn addresses in running text into links, as GitHub, Hugo and Obsidian do."""
    for block in state.tokens:
        if block.type != "inline" or "://" not in block.content:
            continue
        depth, made = 0, list[Any]()
        for token in block.children:
            depth += _opens(token)
            if token.type == "text" and depth <= 0 and "://" in token.content:
                made += _with_links(token)
            else:
                made.append(token)
        block.children = made


def _opens(token: Any) -> int:
    if token.type == "html_inline":
        tag = token.content[:3].lower()
        return int(tag in ("<a ", "<a>")) - int(tag == "</a")
    return int(token.type == "link_open") - int(token.type == "link_close")


def _with_links(token: Any) -> Iterator[Any]:
    from markdown_it.token import Token

    def text(content: str) -> Any:
        return Token("text", "", 0, content=content, level=token.level)

    at = 0
    for found in _ADDRESS.finditer(token.content):
        url = _AFTER.sub("", found[0])
        while url.endswith(")") and url.count(")") > url.count("("):
            url = _AFTER.sub("", url[:-1])
        yield text(token.content[at : found.start()])
        yield Token("link_open", "a", 1, attrs={"href": url}, level=token.level)
        yield text(url)
        yield Token("link_close", "a", -1, level=token.level)
        at = found.start() + len(url)
    yield text(token.content[at:])
