"""Hostile and broken pages from file to answer: each is parsed, added, built and asked as any other."""

import subprocess
import sys
from pathlib import Path

import pytest

from pagekin.answers.collection import Collection
from pagekin.collection.store import Store
from pagekin.methods import method
from pagekin.methods.block import usual_scope
from tests.shell.test_main import shell  # noqa: F401

TWO = "<a href=http://a-%.example/>one</a> <a href=http://b-%.example/>two</a>"
STYLES = """<style>p{color:} a{color:#ggg;;}}} @media{ p{font-size:1e999px</style><body bgcolor='#12345z' text= link=%%>
<p style="color:rgb(300,-1,x);font-size:-1e999px;background:url(;font-weight:"><font color='' size=+99999999 face=,,>"""


def linking(times: int) -> str:
    return "".join(f"<li><a href=http://t{at}-%.example/>% {at}</a>" for at in range(times))


# A page of each kind; every % is its name.
PAGES = {
    "unclosed": "<table><tr><td><ul><li><a href=http://a-%.example/>one<li><a href='http://b-%.example/'>two<td",
    "misnested": f"<p><b><i>{TWO}</b></p></i></td></ul></div></b>",
    "deep": "<div>" * 2_500 + TWO,
    "styles": STYLES + TWO,
    "anchors": f"<a href=http://a-%.example/>{'honey ' * 1_700}</a> <a href=http://b-%.example/>{'x' * 10_000}</a>",
    "large": f"<p>{TWO}<p><img alt=bees src='data:image/png;base64,{'QUJD' * 12_400_000}'>" + "<p>honey bees " * 30_000,
    "eighty": linking(80),
    "eighty-one": linking(81),
    "links": linking(100_000),
}
KIN = {"eighty": 15, "eighty-one": 0, "links": 0}  # of the first page linked to; of all others, the second


# The most memory of the process itself, as its system counts it: what `wait4` tells begins with the parent's own.
ADDING = """
import re, sys
from pathlib import Path
from pagekin.shell.main import main
try:
    main()
finally:
    print(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""


def added(folder: Path, pages: int) -> int:
    """Add the pages by a process of its own; returns the most memory that it had, in KiB."""
    command = [sys.executable, "-c", ADDING, "add", "s.kin", "web", "--base-url", "http://hub.example/"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (ended.returncode, f"added {pages} pages" in ended.stderr) == (0, True), ended.stderr
    return int(ended.stdout)


@pytest.mark.slow
def test_pages_of_each_kind_are_cut_and_their_links_are_kin(tmp_path):
    for name, markup in sorted(PAGES.items()):
        (tmp_path / "web" / name).mkdir(parents=True)
        (tmp_path / "web" / name / "page.html").write_text(f"<title>{name}</title>" + markup.replace("%", name))
    assert (tmp_path / "web" / "large" / "page.html").stat().st_size > 50_000_000
    assert added(tmp_path, len(PAGES)) < 1_000_000  # KiB, twenty times the large page, with Python and all it loads
    Collection(tmp_path / "s.kin").build(method=["block(scope=web, links=all)"])
    store, block = Store(tmp_path / "s.kin"), method("block(scope=web, links=all)")
    number = {url: n for n, url in enumerate(store.graph.pages["url"].to_pylist())}
    for name in PAGES:
        links = store.links_of(number[f"http://hub.example/{name}/page.html"])
        assert set(links["block"].to_pylist()) == {0}, name
        assert all(0 < len(anchor) <= 1_000 for anchor in links["anchor"].to_pylist()), name
        found = block.related(store, int(links["target"][0].as_py()), 100)
        assert all(store.url(page).endswith(f"-{name}.example/") for page in found.pages.tolist())
        assert found.pages.size == KIN.get(name, 1), name
        assert found.pages.size or "no page on another site" in found.note


def test_one_site_under_scope_web_says_why_it_is_empty_and_what_to_try(tmp_path, shell):  # noqa: F811
    (tmp_path / "web").mkdir()
    for at in range(3):
        (tmp_path / "web" / f"{at}.html").write_text("<a href=0.html>a</a> <a href=1.html>b</a> <a href=2.html>c</a>")
    collection = Collection(tmp_path / "s.kin")
    collection.add(tmp_path / "web", base_url="http://one.example/")
    Collection(tmp_path / "s.kin").build(method=["block(scope=web)", "block"])
    assert usual_scope(Store(tmp_path / "s.kin")) == "site"
    asked = ["related", tmp_path / "s.kin", "http://one.example/0.html", "--method"]
    _, out, err = shell(*asked, "block(scope=web)")
    assert "block(scope=site)" in " ".join((out + err).split())
    code, out, _ = shell(*asked, "block")
    assert code == 0 and "http://one.example/1.html" in out
