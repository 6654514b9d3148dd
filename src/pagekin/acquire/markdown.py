"""Reads a folder of Markdown: each file becomes a page of HTML, which is read like any other page.

markdown-it-py turns CommonMark with tables into HTML. Before that the front matter is taken off, and what generators
replace in the text (Hugo's `ref` and `relref`, Jekyll's `link` and `post_url`); after that every link to a page of the
folder gets the page's address (`references`). Which address that is depends on who makes a site of it (`generators`).
"""

import io
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import escape, unescape
from pathlib import Path, PurePosixPath
from typing import Any

from pagekin import url as urls
from pagekin.acquire import frontmatter, generators
from pagekin.acquire.capture import address, place, spelled, take
from pagekin.acquire.folder import walked
from pagekin.acquire.frontmatter import BROKEN, Front, Said
from pagekin.acquire.generators import ENDINGS, Generator
from pagekin.acquire.http import Refused, looks_binary
from pagekin.acquire.references import Pages
from pagekin.acquire.text import decoded, unmarked
from pagekin.model import Capture, Item, Redirect, Skipped

MOST_BYTES = 1 << 20  # of a file: the longest lists of links have half of that, and a megabyte takes seconds to read
TOO_LARGE = f"Markdown larger than {MOST_BYTES >> 20} MiB"
DRAFT = "a draft"
SAME = "another file has the same address"
NOT_HERE = "not an address of this site"
NO_NOTE = "a wikilink to no page"
OUTSIDE = "Markdown outside the content of the site"

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


def recognises(path: Path, head: bytes) -> bool:
    """Whether a file is Markdown, by its name."""
    return path.suffix.lower() in ENDINGS


def read(path: Path, base_url: str | None = None) -> Iterator[Item]:
    """The pages of a folder of Markdown, or of one file."""
    return iter(open_markdown(path, base_url))


def open_markdown(
    root: Path, base_url: str | None = None, files: Sequence[Path] | None = None, at: str | None = None
) -> "Notes":
    """The Markdown in a folder, or one file. `at`: the address of a folder that nothing else gives one."""
    if files is None:
        files = [root] if root.is_file() else [file for file in walked(root).files if recognises(file, b"")]
    made = Generator(content=root.parent) if root.is_file() else generators.found(root)
    base = base_url or made.base or at or made.content.absolute().as_uri()
    return Notes(root, made, base.removesuffix("/") + "/", tuple(files), named=base_url is None and bool(made.base))


@dataclass(frozen=True)
class Notes:
    """Markdown files with their addresses on the web; iterating reads them one at a time, in the order of paths."""

    root: Path
    made: Generator
    base: str  # the address of the content, which ends with a slash
    files: tuple[Path, ...]
    named: bool = False  # the generator's settings name the address

    @cached_property
    def content(self) -> dict[str, Path]:
        """The files that are pages, by their path in the content."""
        inside = [file for file in self.files if file.is_relative_to(self.made.content)]
        paths = {spelled(file.relative_to(self.made.content).as_posix()): file for file in inside}
        return {path: file for path, file in paths.items() if self.made.is_page(PurePosixPath(path))}

    @property
    def said(self) -> str:
        """What this is, as a phrase for people."""
        what = "a Markdown file" if self.root.is_file() else "a folder of Markdown"
        count = f"{len(self.files):,} file{'s' * (len(self.files) != 1)}"
        by = f", according to {self.made.said_by}" if self.named else ""
        how = f"as {self.made.name} makes them" if self.made.name else "without .md"
        return f"{what} at {self.base} ({count}){by}, addresses {how}"

    def __iter__(self) -> Iterator[Item]:
        first: dict[str, str] = {}  # address → path
        beside = self._beside()
        for path, file in self.content.items():
            front = self._front(file)
            if isinstance(front, Skipped):
                yield front
            elif frontmatter.is_true(front.said, "draft") or frontmatter.is_false(front.said, "published"):
                yield Skipped(place(file), DRAFT)
            elif (url := self.url(path, front.said, beside)) in first:
                yield Skipped(f"{place(file)}: {url}", SAME)
            elif url is None:
                yield Skipped(place(file), NOT_HERE)
            else:
                first[url] = path
        known = Pages(self.base, {path: url for url, path in first.items()}, self.made.by_address, self.made.folders)
        inside = set(self.content.values())
        yield from (Skipped(place(file), OUTSIDE) for file in self.files if file not in inside)
        for url, path in first.items():
            yield from self._page(self.content[path], path, url, known)

    def _beside(self) -> dict[str, frozenset[str]]:
        names: dict[str, set[str]] = {}
        for path in self.content:
            folder, _, name = path.rpartition("/")
            names.setdefault(folder, set()).add(name.lower())
        return {folder: frozenset(found) for folder, found in names.items()}

    def url(self, path: str, said: Said, beside: dict[str, frozenset[str]]) -> str | None:
        """The canonical address of a file's page; None if what the file names is none of this site."""
        inside = self.made.path(PurePosixPath(path), said, beside.get(path.rpartition("/")[0], frozenset()))
        try:
            url = address(os.fsencode(inside if "://" in inside else self.base + inside))
        except Refused:
            return None
        return url if urls.host(url) == urls.host(self.base) else None

    def _front(self, file: Path) -> Front | Skipped:
        try:
            info = file.stat()
            if not stat.S_ISREG(info.st_mode):  # opening a pipe would wait for its other end
                raise Refused("unreadable")
            if info.st_size > MOST_BYTES:
                raise Refused(TOO_LARGE)
            raw = file.read_bytes()
            if looks_binary(raw):
                raise Refused("not Markdown")
            return frontmatter.split(decoded(b"".join(unmarked([raw]))))
        except Refused as reason:
            return Skipped(place(file), str(reason))
        except OSError:
            return Skipped(place(file), "unreadable")

    def _page(self, file: Path, path: str, url: str, known: Pages) -> Iterator[Item]:
        front = self._front(file)  # again: the texts of all files may be too much to keep
        if isinstance(front, Skipped):
            yield front
            return
        if front.broken:
            yield Skipped(place(file), BROKEN)
        text = Text(known, path, url, self.made.name)
        body = html(front, text, file.stem).encode("utf-8", "replace")
        origin = f"{place(file)}#{self._up(file)}={self.base}"
        blank = Capture(url, b"", "text/html; charset=utf-8", origin=origin, fetched=_time(file))
        yield take(io.BytesIO(body).read, len(body), blank)
        yield from (Skipped(f"{place(file)}: [[{name}]]", NO_NOTE) for name in text.unknown)
        yield from self._aliases(front.said, url)

    def _up(self, file: Path) -> int:
        """How many folders above a file the one is that was read: `origin` finds it so. 0: the file alone."""
        return 0 if self.root == file else len(file.parts) - len(self.root.parts)

    def _aliases(self, said: Said, url: str) -> Iterator[Redirect]:
        """Other addresses of a page, as Hugo and a plug-in of Jekyll name them; in Obsidian, aliases are names."""
        for written in (*frontmatter.texts(said, "aliases"), *frontmatter.texts(said, "redirect_from")):
            inside = written.startswith("/") and urls.join(self.base, written.lstrip("/"))
            alias = inside or (urls.join(url, written) if "/" in written else None)
            if alias and alias != url and self.made.name != "Obsidian" and urls.host(alias) == urls.host(url):
                yield Redirect(alias, url)


def _time(file: Path) -> int:
    try:
        return max(0, int(file.stat().st_mtime))
    except OSError:
        return 0


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


def prevails(root: Path, notes: Sequence[Path], pages: Sequence[Path], others: int = 0) -> bool:
    """Whether a folder is one of Markdown: by the settings of a generator, or because most of what can be read is.

    A generator's folder also has templates, and perhaps the site that it made, as HTML; a site of HTML may have a
    README. `others` are archives and tables.
    """
    made = generators.found(root).name
    if made == "Jekyll":  # its templates and its site are in folders that begin with _
        pages = [file for file in pages if not any(part[0] == "_" for part in file.relative_to(root).parts[:-1])]
    return bool(notes) and (made in ("Hugo", "MkDocs") or len(notes) > len(pages) + others)
