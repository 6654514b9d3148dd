"""Roles of links as a person sees them on real sites, and how far the program agrees.

    python -m tests.evaluate.link_roles FOLDER [SITE …]
    python -m tests.evaluate.link_roles FOLDER --held-out
    python -m tests.evaluate.link_roles FOLDER --fresh
    python -m tests.evaluate.link_roles FOLDER --unseen

The first is for the sites that rules may be written by. It prints, site by site, how many links of each label got each
role, and the links that were told wrongly. The others print only the figures of the other sites, and are to be run
once, at the end. link_roles.toml has the labels, and says how they were made. FOLDER keeps what was unpacked and added:
a second run takes seconds. After a change in how roles are told, remove its collections (FOLDER/*.kin) first.
"""

import argparse
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from leaderboard import blog
from leaderboard.debian import documentation
from leaderboard.sets import MissingError, data
from pagekin.acquire.folder import open_folder
from pagekin.answers.collection import Collection
from pagekin.collection import roles
from pagekin.collection.store import Store
from pagekin.model import Capture
from pagekin.url import page_id

LABELS = Path(__file__).parent / "link_roles.toml"
HALVES = ("development", "held_out", "fresh", "unseen")  # two halves, and two sets that were drawn later
CONTENT, UNSURE = "content", "unsure"
ROLES = (CONTENT, "navigation", "template")


class Row(NamedTuple):
    """A labelled link."""

    page: str
    position: int
    role: str
    target: str


@dataclass(frozen=True)
class Site:
    """A site: where its pages come from, and the address of its first folder."""

    name: str
    source: Callable[[Path], Path]  # the folder with its pages, made below a given folder
    base: str | None
    quick: bool = False  # small enough for every test run
    pages: int = 8  # to draw
    drawn: Callable[[Capture], bool] = lambda page: True  # whether a page may be drawn


def _manual(package: str, inside: str, quick: bool = False, pages: int = 8) -> Site:
    base = f"https://{package}.example/"
    return Site(package, lambda folder: documentation(package, folder / package) / inside, base, quick, pages)


def _planetmath(folder: Path) -> Path:
    return data("planetmath", folder) / "pages"


def _webkb(folder: Path) -> Path:
    return data("webkb", folder)


def _blog(folder: Path) -> Path:
    (folder / "blog").mkdir(exist_ok=True)
    blog.write(folder / "blog")
    return folder / "blog"


SITES = {
    site.name: site
    for site in (
        Site("blog", _blog, blog.BASE, quick=True),
        _manual("python3.11-doc", "doc/python3.11/html"),
        _manual("postgresql-doc-15", "doc/postgresql-doc-15/html", quick=True),
        _manual("cppreference-doc-en-html", "cppreference/doc/html"),
        Site("planetmath", _planetmath, "http://planetmath.org/"),
        # Four universities to write rules by; more than a hundred others are held out.
        Site("webkb", _webkb, None, pages=14, drawn=lambda page: "/misc/" not in str(page.origin)),
        _manual("python-pandas-doc", "doc/python-pandas-doc/html"),
        _manual("sqlite3-doc", "doc/sqlite3", quick=True),
        _manual("git-doc", "doc/git-doc", quick=True),
        _manual("openjdk-17-doc", "doc/openjdk-17-jre-headless/api"),
        _manual("apache2-doc", "doc/apache2-doc/manual/en", quick=True),
        _manual("debian-handbook", "doc/debian-handbook/html/en-US", quick=True),
        _manual("gimp-help-en", "gimp/2.0/help/en", quick=True),
        Site("webkb-elsewhere", _webkb, None, pages=14, drawn=lambda page: "/misc/" in str(page.origin)),
        _manual("ikiwiki", "doc/ikiwiki/html", quick=True),
        _manual("python-flask-doc", "doc/python-flask-doc/html", quick=True),
        _manual("libsfml-doc", "doc/libsfml-dev/html", quick=True),
        _manual("asymptote-doc", "doc/asymptote", quick=True),
        _manual("abs-guide", "doc/abs-guide/html", quick=True),
        _manual("freetype2-doc", "doc/libfreetype-dev", quick=True),
        _manual("ntpsec-doc", "doc/ntpsec-doc/html", quick=True),
        _manual("mkdocs-doc", "doc/mkdocs/html", quick=True, pages=7),
        _manual("libpango1.0-doc", "doc/libpango1.0-doc/reference", quick=True, pages=7),
        _manual("lilypond-doc-html", "doc/lilypond/html/Documentation", pages=7),
        _manual("shorewall-doc", "doc/shorewall-doc/html", quick=True, pages=7),
        _manual("bind9-doc", "doc/bind9-doc/arm", quick=True, pages=7),
        _manual("tomcat10-docs", "tomcat10-docs/docs", quick=True, pages=7),
        _manual("allegro4-doc", "doc/allegro4-doc/html", quick=True, pages=7),
    )
}


def labelled(half: str) -> dict[str, list[Row]]:
    """The labelled links of a half, by site."""
    return {each["site"]: list(_rows(each)) for each in tomllib.loads(LABELS.read_text())[half]}


def _rows(each: dict) -> Iterator[Row]:
    base = SITES[each["site"]].base or ""
    for page, links in each["pages"].items():
        for position, role, target in links:
            yield Row(base + page, position, role, target if "://" in target else base + target)


def blog_roles(number: int) -> list[str]:
    """The roles of all links of a post of the blog, known from how it is made."""
    content, navigation, template = ROLES
    near = (number > 0) + (number < blog.POSTS - 1)
    return [
        *[navigation] * len(blog.MENU),
        *[content] * 2,
        *[navigation] * (blog.TAGS + near),
        *[template] * blog.LATEST,
        *[navigation] * len(blog.ELSEWHERE),
    ]


def captures(site: Site, folder: Path) -> dict[str, Capture]:
    """The pages of a site by address, as they are read from its files."""
    return {item.url: item for item in open_folder(site.source(folder), site.base) if isinstance(item, Capture)}


def collected(site: Site, folder: Path) -> Path:
    """The collection of a site, made below a folder where it is not there yet; two halves of one site share it."""
    root = site.source(folder)
    path = folder / f"{root.relative_to(folder).parts[0]}.kin"
    if not path.exists():
        Collection(path).add(root, base_url=site.base)
    return path


def standing(store: Store, rows: Iterable[Row]) -> list[Row]:
    """The labelled links that still stand where they stood: a package may have been updated since."""
    found = []
    for row in rows:
        number = store.number(page_id(row.page))
        links = [] if number is None else store.links_of(number)["target"].to_pylist()
        if row.position < len(links) and store.url(links[row.position]) == row.target:
            found.append(row)
    return found


def roles_of(store: Store, page: str) -> list[str]:
    """The role of each link of a page, by position."""
    return [roles.ROLES[role] for role in store.links_of(store.number(page_id(page)))["role"].to_pylist()]


@dataclass
class Judged:
    """How far the told roles agree with the labels. A link is *not content* if it is navigation or template.

    precision = |told and labelled not content| / |told not content|, recall = the same / |labelled not content|
    """

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)  # label, told role → links
    wrong: list[tuple[Row, str]] = field(default_factory=list)
    unsure: int = 0  # not counted
    moved: int = 0  # not counted: the page has changed

    def __add__(self, other: "Judged") -> "Judged":
        return Judged(
            self.pairs + other.pairs,
            self.wrong + other.wrong,
            self.unsure + other.unsure,
            self.moved + other.moved,
        )

    def _links(self, label: bool | None = None, told: bool | None = None) -> int:
        """The links whose label, or told role, is content (True) or is not (False)."""
        return sum(
            count
            for (seen, role), count in self.pairs.items()
            if label in (None, seen == CONTENT) and told in (None, role == CONTENT)
        )

    @property
    def counted(self) -> int:
        return self._links()

    @property
    def precision(self) -> float:
        told = self._links(told=False)
        return self._links(label=False, told=False) / told if told else 1.0

    @property
    def recall(self) -> float:
        wanted = self._links(label=False)
        return self._links(label=False, told=False) / wanted if wanted else 1.0

    def __str__(self) -> str:
        return (
            f"{self.counted} links: precision {self.precision:.3f}, recall {self.recall:.3f}"
            f" of navigation and template; {self.unsure} unsure and {self.moved} moved ones are not counted"
        )


def judged(rows: Iterable[Row], told: Callable[[str], Sequence[str]]) -> Judged:
    """Compare labelled links with the roles that are told of each page's links."""
    found = Judged()
    by_page: dict[str, Sequence[str]] = {}
    for row in rows:
        if row.role == UNSURE:
            found.unsure += 1
            continue
        if row.page not in by_page:
            by_page[row.page] = told(row.page)
        role = by_page[row.page][row.position]
        found.pairs[row.role, role] += 1
        if (row.role == CONTENT) != (role == CONTENT):
            found.wrong.append((row, role))
    return found


def judged_site(name: str, rows: list[Row], folder: Path) -> Judged | None:
    """How far the program agrees about a site; None where it knows no roles.

    An OSError or MissingError says that the site cannot be had.
    """
    store = Store(collected(SITES[name], folder))
    there = standing(store, rows)
    if there and roles_of(store, there[0].page) is None:
        return None
    found = judged(there, lambda page: roles_of(store, page) or [])
    found.moved = len(rows) - len(there)
    return found


def confusion(found: Judged) -> str:
    """A table of labels (rows) and told roles (columns)."""
    told = sorted({role for _, role in found.pairs} | set(ROLES))
    lines = [f"{'':>12}" + "".join(f"{role:>12}" for role in told)]
    lines += [f"{label:>12}" + "".join(f"{found.pairs[label, role]:>12}" for role in told) for label in ROLES]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.link_roles")
    parser.add_argument("folder", type=Path, help="keeps what was unpacked and added")
    parser.add_argument("sites", nargs="*", help="all of the half if none is named")
    other = parser.add_mutually_exclusive_group()
    for half, what in (("held_out", "the held-out half"), ("fresh", "the fresh sites"), ("unseen", "the unseen sites")):
        option = f"--{half.replace('_', '-')}"
        other.add_argument(
            option, dest="half", action="store_const", const=half, help=f"{what}: figures only, to be run once"
        )
    parser.set_defaults(half="development")
    given = parser.parse_args(arguments)
    known = labelled(given.half)
    if unknown := [name for name in given.sites if name not in known]:
        parser.error(f"not in this half: {', '.join(unknown)}; known: {', '.join(known)}")
    folder = given.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    total = Judged()
    for name in given.sites or known:
        try:
            found = judged_site(name, known[name], folder)
        except (OSError, MissingError) as error:
            print(f"{name}: {error}")
            continue
        if found is None:
            sys.exit("these collections know no roles of links")
        print(f"\n{name}: {found}\n{confusion(found)}")
        for row, role in found.wrong if given.half == "development" else ():
            print(f"  {row.page} link {row.position} to {row.target}: {row.role}, told as {role}")
        total += found
    print(f"\nall: {total}\n{confusion(total)}")


if __name__ == "__main__":
    main(sys.argv[1:])
