"""The documents as a site: every page is in it and can be reached, every link holds, nothing comes from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.make_pictures import drawn
from docs.make_site import BEST, figures, gather
from pagekin.methods import REGISTRY

ROOT = Path(__file__).parents[1]
SETTINGS = yaml.safe_load((ROOT / "mkdocs.yml").read_text())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, made as `make docs` does: strictly, so that a broken link or a page outside the navigation fails."""
    folder = tmp_path_factory.mktemp("site")
    gather(folder / "build" / "pages")
    (folder / "mkdocs.yml").write_text((ROOT / "mkdocs.yml").read_text())
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build"], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return folder / "build" / "site"


def named(part: Any) -> list[str]:
    """The pages that a part of the navigation names."""
    if isinstance(part, str):
        return [part]
    return [page for each in (part.values() if isinstance(part, dict) else part) for page in named(each)]


def test_the_navigation_has_every_page_once(tmp_path: Path) -> None:
    gather(tmp_path)
    assert sorted(named(SETTINGS["nav"])) == sorted(str(page.relative_to(tmp_path)) for page in tmp_path.rglob("*.md"))


def test_nothing_comes_from_elsewhere(site: Path) -> None:
    assert SETTINGS["strict"]
    for page in [*site.rglob("*.html"), *site.rglob("*.css")]:
        loaded = re.findall(r"<(?:script|img|iframe)[^>]* src=\"?([^\" >]+)", page.read_text())
        loaded += re.findall(r"<link[^>]* rel=\"stylesheet\"[^>]* href=\"?([^\" >]+)", page.read_text())
        loaded += re.findall(r"url\(['\"]?([^'\")]+)", page.read_text()) if page.suffix == ".css" else []
        assert [address for address in loaded if re.match(r"(https?:)?//", address)] == [], page


def test_pages_have_lists_of_related_pages(site: Path) -> None:
    pages = list((site / "docs").rglob("index.html"))
    assert sum("data-pagekin-list" in page.read_text() for page in pages) > 0.8 * len(pages)


def test_every_method_has_its_idea_a_picture_its_figures_and_its_formula() -> None:
    pictures = dict(drawn())
    for page in (ROOT / "docs" / "methods").glob("*.md"):
        text = page.read_text()
        for part in ("**The idea.**", "**When to use it.**", "**How good it is.**", f"(../pictures/{page.stem}.svg)"):
            assert part in text, f"{page.name}: {part}"
        assert re.search(r"^    [^$`]* = ", text, re.MULTILINE), f"{page.name}: no formula"
    shown = "".join(page.read_text() for page in (ROOT / "docs" / "methods").glob("*.md"))
    asked = {name for found in re.findall(r"<!-- figures: (.*) -->", shown) for name in found.split()}
    assert asked == set(REGISTRY)
    assert {path.stem for path in pictures} == {page.stem for page in (ROOT / "docs" / "methods").glob("*.md")}


def test_pictures_are_as_drawn() -> None:
    for path, text in drawn():
        assert path.read_text(encoding="utf-8") == text, "run: make docs"


def test_the_figures_are_those_of_the_leaderboard() -> None:
    board = (ROOT / "docs" / "leaderboard.md").read_text()
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in figures(["walk"]).strip().splitlines()[4:]
    ]
    assert len(rows) > 5
    for name, *values in rows:
        section = re.search(rf"^## {re.escape(name)}$(.*?)(?=^## |\Z)", board, re.MULTILINE | re.DOTALL)
        for method, value in zip(("walk", BEST), values, strict=True):
            own = re.search(rf"^\| `{method}` \| (\S+)", section[1], re.MULTILINE)
            assert (own is None and value == "") or float(own[1]) == float(value)
