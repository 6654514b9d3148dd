"""Lists as readers see them: below the text, in the column of the text, with links that a click follows from disk.

Where the text of a page is was looked up by eye for each site, as a selector, so it does not come from `place`.
"""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pagekin import see_also
from tests.debian import unpacked
from tests.seealso.generators import BASE, GENERATORS, built, mkdocs_source, run_line, sphinx_source
from tests.seealso.test_sites import SITES, pages_of

PAGES = 4  # of each site
CLICKS = 2  # on each page
TEXT = {  # the element around the text of a page
    "git-doc": "body",
    "python3.11-doc": "div.body",
    "postgresql-doc-15": "body > div:not(.navheader):not(.navfooter)",
    "debian-handbook": "body > div, body > section",
    "apache2-doc": "#page-content, #preamble",
    "mkdocs": "[role=main]",
    "sphinx": "div.body",
    "hugo": "main",
    "jekyll": "main",
}
# What may stand below a list all the same: page turners, dates, comments, what every page of Git's says at its end.
BELOW = ".navfooter, #footer, footer, .docnav, .top, #comments_section, [role=navigation], .sect1:has(> #_git)"
SEEN = """([text, below]) => {
  const list = document.querySelector('[data-pagekin-list]'), box = list.getBoundingClientRect()
  const own = e => list.contains(e) || e.closest(below) || e.contains(list)
  const shown = e => e.getClientRects().length && e.innerText.trim()
  const around = [...document.querySelectorAll(text)].some(e => e.contains(list))
  const blocks = [...document.querySelectorAll(text)].flatMap(e => [...e.querySelectorAll('p,pre,h1,h2,h3,dd,li,td')])
    .filter(e => !own(e) && shown(e)).map(e => [e.getBoundingClientRect(), e.innerText.trim().slice(0, 60)])
  return {
    lists: document.querySelectorAll('[data-pagekin-list]').length, around, blocks: blocks.length,
    lower: blocks.filter(([b]) => b.bottom > box.top + 1).map(([_, said]) => said),
    beside: blocks.every(([b]) => b.right < box.left || b.left > box.right),
    box: [box.left, box.right, box.width, box.height], width: document.documentElement.clientWidth,
    heading: list.querySelector('h2,h3,h4,h5,h6').innerText, shown: list.checkVisibility({visibilityProperty: true}),
  }
}"""


def looked_at(chromium: Any, site: Path, name: str, screenshots: Path) -> None:
    """Look at a few pages of a site that have a list, as a reader with a mouse."""
    listed = sorted(page for page, data in pages_of(site).items() if b"data-pagekin-list" in data)
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    tab = context.new_page()
    tab.set_default_timeout(15_000)
    for number in range(PAGES):
        page = listed[len(listed) * number // PAGES]
        tab.goto(page.as_uri(), wait_until="domcontentloaded")
        seen = tab.evaluate(SEEN, [TEXT[name], BELOW])
        left, right, width, height = seen["box"]
        assert seen["lists"] == 1 and seen["shown"] and seen["around"] and seen["heading"], (page, seen)
        assert width > 150 and height > 40 and left >= 0 and right <= seen["width"], (page, seen)
        assert seen["blocks"] and not seen["lower"] and not seen["beside"], (page, seen)
        links = tab.locator("[data-pagekin-list] li a")
        for link in range(min(CLICKS, links.count())):
            links.nth(link).scroll_into_view_if_needed()
            if link == 0:
                tab.screenshot(path=screenshots / f"see-also-{name}-{number}.png")
            text = links.nth(link).inner_text()
            with tab.expect_navigation(wait_until="domcontentloaded"):
                links.nth(link).click()  # fails if anything is above it
            assert tab.url.startswith("file:") and tab.url.split("#")[0] != page.as_uri()
            assert plain(text) in plain(tab.title()), (page, text, tab.title())
            tab.go_back(wait_until="domcontentloaded")
    context.close()


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize("package", SITES)
def test_a_site_of_debian(package: str, tmp_path: Path, chromium: Any, screenshots: Path) -> None:
    site = (unpacked(package, tmp_path) / SITES[package]).resolve()
    see_also(site, "https://docs.example/")
    looked_at(chromium, site, package, screenshots)


@pytest.mark.skipif(not find_spec("mkdocs"), reason="MkDocs is not installed: pip install mkdocs")
def test_mkdocs(tmp_path: Path, chromium: Any, screenshots: Path) -> None:
    mkdocs_source(tmp_path)
    built(["mkdocs", "build", "--strict"], tmp_path)
    looked_at(chromium, tmp_path / "site", "mkdocs", screenshots)


@pytest.mark.skipif(not find_spec("sphinx"), reason="Sphinx is not installed: pip install sphinx")
def test_sphinx(tmp_path: Path, chromium: Any, screenshots: Path) -> None:
    sphinx_source(tmp_path)
    built(["sphinx", "-W", "-b", "html", ".", "out"], tmp_path)
    looked_at(chromium, tmp_path / "out", "sphinx", screenshots)


@pytest.mark.parametrize(("generator", "folder"), [("hugo", "public"), ("jekyll", "_site")])
def test_a_recipe(generator: str, folder: str, tmp_path: Path, chromium: Any, screenshots: Path) -> None:
    GENERATORS[generator][1](tmp_path / "source", BASE)
    build = generator if generator == "hugo" else f"{generator} build"
    run_line(
        f"{build} && pagekin see-also {folder} --base-url {BASE}", generator, tmp_path / "source", tmp_path / "bin"
    )
    looked_at(chromium, tmp_path / "source" / folder, generator, screenshots)
