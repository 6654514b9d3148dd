"""A folder whose links lead to its own pages, at an address where these do not stand."""

from pathlib import Path

import pytest

from pagekin import Collection
from pagekin.acquire.folder import open_folder

NAMES = ("bees", "hive", "queen", "honey", "wax", "smoke", "drone", "swarm")
SITE = "http://hives.example/"


def pages(root: Path, *links: str) -> Path:
    """Eight pages, each with these links."""
    root.mkdir(parents=True)
    for name in NAMES:
        (root / f"{name}.html").write_text(" ".join(f'<a href="{link}">x</a>' for link in links))
    return root


def said(root: Path, base: str | None = None) -> str:
    return open_folder(root, base, guessing=True).warning


def test_the_copy_is_a_folder_in_the_one_given(tmp_path: Path) -> None:
    pages(tmp_path / "dump" / "pages", *(SITE + name for name in NAMES), "https://other.example/")
    (tmp_path / "dump" / "about.html").write_text("A copy of a site.")
    report = Collection(tmp_path / "s.kin").add(tmp_path / "dump")
    assert report.lines[-1] == (
        f"dump: 64 of the 72 links looked at go to {SITE}, and none of them meets a page; if that is where its folder "
        f'pages/ stands, name that folder, and use base_url="{SITE}"'
    )
    assert said(tmp_path / "dump" / "pages") == ""  # taken: it stands there according to its links
    mended = Collection(tmp_path / "new.kin")
    assert mended.add(tmp_path / "dump" / "pages", base_url=SITE).warnings == ()
    assert mended.related(SITE + "bees", method="co-citation").results


def test_a_part_of_a_site(tmp_path: Path) -> None:
    gone = (f"{SITE}wiki/gone-{number}" for number in range(20))
    root = pages(tmp_path / "some", *(f"{SITE}wiki/{name}" for name in NAMES), *gone)
    asked = f'if that is where this folder stands, use base_url="{SITE}wiki/"'
    assert said(root) == f"224 of the 224 links looked at go to {SITE}wiki/, and none of them meets a page; {asked}"
    assert said(root, "https://staging.example/").endswith(asked)
    assert "none of them meets" not in said(root, f"{SITE}wiki/")


@pytest.mark.parametrize(
    "links",
    [
        [f"https://twitter.example/{name}" for name in ("ann", "ben", "cy", "dot", "eve", "flo", "gus")],
        ["https://cdn.example/hive", "https://cdn.example/wax", *(f"https://cdn.example/{n}" for n in range(30))],
        [*(f"{name}.html" for name in NAMES), *(SITE + name for name in NAMES[:6])],  # they meet pages as they are
        [f"{SITE}{name}.png" for name in NAMES],
        [],
    ],
)
def test_links_to_others(tmp_path: Path, links: list[str]) -> None:
    root = pages(tmp_path / "dump" / "pages", *links)
    assert said(tmp_path / "dump") == "" == said(root, "https://staging.example/")
