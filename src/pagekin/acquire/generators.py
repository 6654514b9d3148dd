"""Who makes a site of a folder of Markdown, and which address each file gets then.

    folder with          is made by     content/posts/My Bees.md is
    hugo.toml …          Hugo           /posts/my-bees/
    _config.yml          Jekyll         _posts/2024-05-01-bees.md is /2024/05/01/bees.html
    mkdocs.yml           MkDocs         docs/guide.md is /guide/
    .obsidian            Obsidian       Notes/My Bees.md is /Notes/My%20Bees
    none of them         nobody         guide/bees.md is /guide/bees

Only what most sites use is followed: the front matter's `slug`, `url` and `permalink`, and the settings named below. Of
settings single lines are read, which look the same in YAML, TOML and JSON.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from pagekin import url as urls
from pagekin.acquire.frontmatter import Said, text, texts

ENDINGS = (".md", ".markdown", ".mdown", ".mkd")
HUGO = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml", "config.yml", "config.json")
JEKYLL = ("_config.yml", "_config.yaml", "_config.toml")
MKDOCS = ("mkdocs.yml", "mkdocs.yaml")
OBSIDIAN = ".obsidian"
SETTINGS = frozenset({*HUGO, *JEKYLL, *MKDOCS})
MOST_SETTINGS = 1 << 20  # bytes

_SAFE = "/-._~!$&'()*+,;=:@"  # characters that a path may hold unescaped, RFC 3986, 3.3
_INDEXES = frozenset({"index", "_index", "readme"})
_POST = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})-(.+)")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
# Jekyll's names for ways to make the addresses of posts (https://jekyllrb.com/docs/permalinks/).
_STYLES = {
    "": "/:categories/:year/:month/:day/:title:output_ext",
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title:output_ext",
    "none": "/:categories/:title:output_ext",
}


@dataclass(frozen=True)
class Generator:
    """A way to make addresses of files."""

    name: str = ""  # "" for a folder that no generator is known to read
    content: Path = field(default_factory=Path)  # the folder whose files are pages
    base: str | None = None  # the address of the site, if the settings name it
    said_by: str = ""  # the file with the settings
    folders: bool = False  # pages are folders: /a/ and not /a.html
    style: str = ""  # of Jekyll: how the addresses of posts are made

    @property
    def by_address(self) -> bool:
        """Whether links are written as addresses; else they name files."""
        return self.name in ("Hugo", "Jekyll")

    def is_page(self, file: PurePosixPath) -> bool:
        """Whether a file of the content is a page: Jekyll keeps templates and data beside them."""
        inside = [part for part in file.parts[:-1] if part != "_posts"]
        return self.name != "Jekyll" or not any(part.startswith("_") or part == "node_modules" for part in inside)

    def path(self, file: PurePosixPath, said: Said, beside: frozenset[str] = frozenset()) -> str:
        """The path of a file's page below the address of the site, percent-encoded; `beside`: files in its folder."""
        written = text(said, "url", "permalink") if self.name in ("Hugo", "Jekyll") else text(said, "permalink")
        if self.name == "Jekyll":
            return _quoted(_jekyll(file, said, written or self.style, bool(written)), bool(written))
        if written:
            return _quoted(written.removeprefix("/"), encoded=True)
        folder, name = file.parent.as_posix(), file.stem
        folder = "" if folder == "." else f"{folder}/"
        slug = text(said, "slug").replace("/", "-") if self.name == "Hugo" else ""
        if self._is_index(name, beside):
            above = file.parent.parent.as_posix().removeprefix(".")
            path = f"{above}/{slug}/".removeprefix("/") if slug and folder and name == "index" else folder
        else:
            path = folder + (slug or name)
            path += "/" if self.folders else ".html" if self.name in ("Hugo", "MkDocs") else ""
        return _quoted(urlized(path) if self.name == "Hugo" else path)

    def _is_index(self, name: str, beside: frozenset[str]) -> bool:
        """Whether a file is the page of its folder. README is one where there is no index, and in Obsidian a note."""
        if self.name == "Hugo":
            return name in ("index", "_index")
        if name.lower() == "readme":
            return self.name != "Obsidian" and not any(f"index{ending}" in beside for ending in ENDINGS)
        return name.lower() in _INDEXES and (self.name != "Obsidian")


def found(root: Path) -> Generator:
    """The generator that a folder is made for. Of Hugo and MkDocs, the folder may be that of the content."""
    for top in (root, root.parent):
        made = _hugo(top) or _mkdocs(top)
        if made and (top == root or made.content == root):
            return made
    return _jekyll_site(root) or _obsidian(root) or Generator(content=root)


def _hugo(root: Path) -> Generator | None:
    name = next((name for name in HUGO if (root / name).is_file()), None)
    if name is None or not (root / "content").is_dir():
        return None
    settings = _settings(root / name)
    ugly = _setting(settings, "uglyURLs").lower() == "true"
    return Generator("Hugo", root / "content", _address(_setting(settings, "baseURL")), name, not ugly)


def _mkdocs(root: Path) -> Generator | None:
    name = next((name for name in MKDOCS if (root / name).is_file()), None)
    if name is None:
        return None
    settings = _settings(root / name)
    content = root / (_setting(settings, "docs_dir") or "docs")
    if not content.is_dir() or ".." in content.relative_to(root).parts:
        return None
    plain = _setting(settings, "use_directory_urls").lower() == "false"
    return Generator("MkDocs", content, _address(_setting(settings, "site_url")), name, not plain)


def _jekyll_site(root: Path) -> Generator | None:
    name = next((name for name in JEKYLL if (root / name).is_file()), None)
    if name is None:
        return None
    settings = _settings(root / name)
    host, path = _setting(settings, "url"), _setting(settings, "baseurl")
    base = _address(f"{host.rstrip('/')}/{path.strip('/')}") if host else None
    style = _setting(settings, "permalink")
    return Generator("Jekyll", root, base, name, style == "pretty" or style.endswith("/"), style)


def _obsidian(root: Path) -> Generator | None:
    return Generator("Obsidian", root, said_by=OBSIDIAN) if (root / OBSIDIAN).is_dir() else None


def _settings(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_SETTINGS).decode("utf-8", "replace")
    except OSError:
        return ""


def _setting(settings: str, key: str) -> str:
    """A setting of the top level, on a line of its own.

    >>> _setting('title: Bees\\nbaseURL: "https://bees.example/"  # here', "baseURL")
    'https://bees.example/'
    """
    line = rf"""^(?:[ \t]*["']{key}["']|{key})[ \t]*[:=][ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s,#]+))"""
    match = re.search(line, settings, re.IGNORECASE | re.MULTILINE)
    return next(filter(None, match.groups()), "") if match else ""


def _address(written: str) -> str | None:
    base = urls.canonical(written) if written.startswith(("http://", "https://")) else None
    return base if base and "?" not in base else None


def _quoted(path: str, encoded: bool = False) -> str:
    """A path as part of an address; what the user wrote as an address may be encoded already."""
    return quote(path, safe=_SAFE + "%" * encoded, errors="surrogateescape")


def urlized(path: str) -> str:
    """A path as Hugo writes it: in lower case, with `-` for white space, without most other signs.

    >>> urlized("Posts/My  Bees & Wax!/")
    'posts/my-bees-wax/'
    """
    made: list[str] = []
    waiting = hyphen = False
    for char in path:
        if char.isalnum() or char in "./\\_#+~-@%" or _is_mark(char):
            hyphen = char == "-"
            if waiting and not hyphen:
                made.append("-")
            waiting = False
            made.append(char)
        elif made and not hyphen and char.isspace():
            waiting = True
    return "".join(made).lower()


def _is_mark(char: str) -> bool:
    return unicodedata.category(char).startswith("M")


def _jekyll(file: PurePosixPath, said: Said, written: str, own: bool) -> str:
    """The path of a page or post of Jekyll; `written` is its permalink or the style of the site."""
    post = _POST.fullmatch(file.stem) if "_posts" in file.parts else None
    pretty = written == "pretty" or written.endswith("/")
    if post is None:
        if own and written not in _STYLES:
            folder = "" if file.parent == PurePosixPath() else file.parent.as_posix()
            names = dict.fromkeys(("basename", "title", "slug"), file.stem)
            return _filled(written, names | {"path": folder, "output_ext": ".html"})
        folder = "" if file.parent == PurePosixPath() else f"{file.parent.as_posix()}/"
        if file.stem.lower() in ("index", "readme"):
            return folder
        return f"{folder}{file.stem}{'/' if pretty else '.html'}"
    year, month, day, title = post.groups()
    if dated := _DATE.match(text(said, "date")):
        year, month, day = dated.groups()
    outer = file.parts[: file.parts.index("_posts")]
    named = texts(said, "categories", "category")
    named = (
        named[0].split() if len(named) == 1 and "categories" in said and isinstance(said["categories"], str) else named
    )
    slug = text(said, "slug") or title
    return _filled(
        _STYLES.get(written, written),
        {
            "categories": "/".join(dict.fromkeys([*outer, *(each.lower().replace(" ", "-") for each in named)])),
            "year": year, "short_year": year[2:], "month": f"{int(month):02}", "i_month": str(int(month)),
            "day": f"{int(day):02}", "i_day": str(int(day)), "y_day": _day_of_year(year, month, day),
            "title": slug, "slug": slug.lower(), "output_ext": ".html",
        },
    )  # fmt: skip


def _day_of_year(year: str, month: str, day: str) -> str:
    try:
        return f"{date(int(year), int(month), int(day)).timetuple().tm_yday:03}"
    except ValueError:
        return "000"


def _filled(template: str, values: dict[str, str]) -> str:
    """A template with its placeholders filled in, without the slashes of empty ones."""
    path = re.sub(r":([a-z_]+)", lambda found: _longest(found[1], values), template)
    return re.sub("/{2,}", "/", path).removeprefix("/")


def _longest(name: str, values: dict[str, str]) -> str:
    """The value of a placeholder: `:title_x` is the title and `_x`."""
    for end in range(len(name), 0, -1):
        if name[:end] in values:
            return values[name[:end]] + name[end:]
    return f":{name}"
