"""Roles of links as a person sees them, on real sites, and how far the program agrees."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from leaderboard import blog
from leaderboard.debian import documentation
from leaderboard.sets import data
from pagekin.acquire.folder import open_folder
from pagekin.model import Capture


@dataclass(frozen=True)
class Site:
    """A real site: where its pages come from, and the address of its first folder."""

    name: str
    source: Callable[[Path], Path]  # the folder with its pages, made below a given folder
    base: str | None
    pages: int = 8  # to draw
    drawn: Callable[[Capture], bool] = lambda page: True  # whether a page may be drawn


def packaged(package: str, inside: str) -> Callable[[Path], Path]:
    return lambda folder: documentation(package, folder / package) / inside


def _blog(folder: Path) -> Path:
    (folder / "blog").mkdir(exist_ok=True)
    blog.write(folder / "blog")
    return folder / "blog"


def _webkb(folder: Path) -> Path:
    return data("webkb", folder)


def _manual(package: str, inside: str) -> Site:
    return Site(package, packaged(package, inside), f"https://{package}.example/")


SITES = {
    site.name: site
    for site in (
        _manual("python3.11-doc", "doc/python3.11/html"),
        _manual("postgresql-doc-15", "doc/postgresql-doc-15/html"),
        _manual("cppreference-doc-en-html", "cppreference/doc/html"),
        _manual("python-pandas-doc", "doc/python-pandas-doc/html"),
        _manual("sqlite3-doc", "doc/sqlite3"),
        _manual("git-doc", "doc/git-doc"),
        _manual("openjdk-17-doc", "doc/openjdk-17-jre-headless/api"),
        _manual("apache2-doc", "doc/apache2-doc/manual/en"),
        _manual("debian-handbook", "doc/debian-handbook/html/en-US"),
        _manual("gimp-help-en", "gimp/2.0/help/en"),
        Site("planetmath", lambda folder: data("planetmath", folder) / "pages", "http://planetmath.org/"),
        Site("webkb", _webkb, None, 14, lambda page: "/misc/" not in str(page.origin)),
        Site("webkb-elsewhere", _webkb, None, 14, lambda page: "/misc/" in str(page.origin)),
        Site("blog", _blog, blog.BASE),
    )
}


def captures(site: Site, folder: Path) -> dict[str, Capture]:
    """The pages of a site by address."""
    return {item.url: item for item in open_folder(site.source(folder), site.base) if isinstance(item, Capture)}
