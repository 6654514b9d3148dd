"""The whole demo web: its pages as planned, as bytes, and as files."""

from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pagekin.demo.articles import article_pages, bridge_pages
from pagekin.demo.lists import contents_pages, home_pages, hub_pages
from pagekin.demo.odd import odd_pages
from pagekin.demo.parts import Page
from pagekin.demo.render import html

# The same date for all pages, so that two runs write the same bytes; in the format of the CMU WebKB set.
DATE = "Saturday, 01-Jun-24 12:00:00 GMT"


@lru_cache(1)
def plan() -> tuple[Page, ...]:
    """Every page, before it becomes HTML."""
    return (
        *home_pages(),
        *hub_pages(),
        *contents_pages(),
        *article_pages(),
        *bridge_pages(),
        *odd_pages(),
    )


def pages() -> dict[str, bytes]:
    """Canonical address → HTML bytes (UTF-8; one page is ISO-8859-1 and says so)."""
    return {page.url: html(page) for page in plan()}


def write(folder: Path) -> None:
    """Write each page as `folder/LABEL/URL`, with `^` for `/` and its HTTP header first, as in the CMU WebKB set.

    LABEL is the topic, or the kind of a page that has none. The bytes are the same each time.
    """
    for page in plan():
        file = folder / page.label / page.url.replace("/", "^")
        file.parent.mkdir(parents=True, exist_ok=True)
        body = html(page)
        file.write_bytes(_header(body) + body)


def write_sites(folder: Path) -> list[str]:
    """Write each page as `folder/HOST/PATH`, as a site generator does: a path that ends in / is its index.html.

    Returns the hosts.
    """
    hosts = set()
    for url, body in pages().items():
        where = urlsplit(url)
        name = unquote(where.path).lstrip("/")
        file = folder / where.netloc / (f"{name}index.html" if not name or name.endswith("/") else name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
        hosts.add(where.netloc)
    return sorted(hosts)


def _header(body: bytes) -> bytes:
    lines = ("MIME-Version: 1.0", "Server: pagekin-demo", f"Date: {DATE}", "Content-Type: text/html")
    return "\r\n".join((*lines, f"Content-Length: {len(body)}", f"Last-Modified: {DATE}", "", "")).encode("ascii")
