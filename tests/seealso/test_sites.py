"""Real built sites, from Debian's documentation: nearly all pages get a list, every link leads to a page."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser

from pagekin import see_also
from pagekin.seealso.leaves import TEMPLATE
from tests.debian import unpacked
from tests.gates import gates

MOST = 0.9  # of the pages that are not of the template
SITES = {
    "git-doc": "git-doc",
    "python3.11-doc": "python3.11/html",
    "postgresql-doc-15": "postgresql-doc-15/html",
    "debian-handbook": "debian-handbook/html/en-US",
    "apache2-doc": "apache2-doc/manual",
}


def pages_of(site: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in site.rglob("*.html") if not path.is_symlink()}


def links(page: Path) -> Iterator[Path]:
    tree = LexborHTMLParser(page.read_bytes().decode("utf-8", "replace"))
    for node in tree.css("[data-pagekin-list] li a"):
        reached = urljoin(page.as_uri(), node.attributes["href"] or "")
        yield Path(unquote(reached.removeprefix("file://")))


@pytest.mark.data
@pytest.mark.parametrize("package", gates(SITES))
def test_a_site_of_debian(package: str, tmp_path: Path) -> None:
    site = (unpacked(package, tmp_path) / SITES[package]).resolve()
    before = pages_of(site)
    report = see_also(site, "https://docs.example/")
    pages = report.pages - len(report.left_out.get(TEMPLATE, ()))
    assert report.lists >= MOST * pages, report.lines
    wrote = [path for path in before if path.read_bytes() != before[path]]
    assert len(wrote) == report.lists
    for page in wrote:
        found = list(links(page))
        assert found and page not in found and all(path.is_file() for path in found), page
    assert see_also(site, "https://docs.example/").changed == ()
    assert see_also(site, remove=True).left_out == {}
    assert pages_of(site) == before
