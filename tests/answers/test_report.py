"""What to mend: one planted fault of each kind is found, a sound site has none, and strangers' text stays text."""

import json
import subprocess
import sys

import pytest

from pagekin import Collection
from pagekin.answers.report import LEAST_LINKED, report
from pagekin.collection.ingest import ingest
from pagekin.collection.store import Store
from pagekin.errors import UsageError
from pagekin.model import Capture, Missing
from tests.small_webs import from_edges

BASE = "https://blog.example/sub/"
LONG = "This text is long enough to be known again on another page, and it says nothing else than that. " * 4


def write(folder, name, body, title=None):
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<title>{title or name}</title><body><main>{body}</main>")


def link(*names):
    return "".join(f'<p>See <a href="{name}">{name}</a> for it.</p>' for name in names)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "public"
    write(folder, "index.html", "Home " + link("a.html", "b.html", "many.html", "copy1.html", "copy2.html"))
    write(
        folder,
        "a.html",
        "Bees and honey " + link("b.html", "gone.html", "notes/gone%20too.html", "paper.pdf", "https://else.example/"),
    )
    write(folder, "b.html", "Honey and wax " + link("a.html", "index.html"))
    write(folder, "orphan.html", "Nobody links here " + link("a.html"), title="<script>alert(1)</script>")
    write(
        folder, "many.html", "".join(link(f"https://x{n}.example/") for n in range(LEAST_LINKED + 1)) + link("end.html")
    )
    write(folder, "end.html", "No way out")
    write(folder, "copy1.html", LONG + link("a.html"))
    write(folder, "copy2.html", LONG + link("a.html"))
    (folder / "paper.pdf").write_bytes(b"%PDF-")
    path = folder.parent / "s.kin"
    Collection(path).add(folder, base_url=BASE)
    Collection(path).build(["mirrors"])  # without it, copies are known by their bytes alone
    return Collection(path)


def rows(answer, kind):
    return [(row.url.removeprefix(BASE), (row.other or "").removeprefix(BASE)) for row in answer if row.table == kind]


def test_each_planted_fault_is_found_and_nothing_else(found):
    made = found.report()
    assert rows(made, "broken") == [("a.html", "gone.html"), ("a.html", "notes/gone%20too.html")]
    assert rows(made, "orphans") == [("orphan.html", "")]
    assert rows(made, "dead ends") == [("end.html", "")]
    assert rows(made, "copies") in ([("copy1.html", "copy2.html")], [("copy2.html", "copy1.html")])
    assert rows(made, "over-linked") == [("many.html", "")]
    assert made.found["broken"] == 2
    assert "“gone.html”: no such file" in [row.said for row in made]


def test_pages_with_much_in_common_and_no_link_are_named(tmp_path):
    folder = tmp_path / "public"
    words = {"bee": "queen hive honey wax nectar", "train": "engine rail signal coach track"}
    names = [f"{kind}{n}" for kind in words for n in range(4)]
    for name in names:
        linked = [other for other in names if other[:3] == name[:3] and {name, other} != {"bee0", "bee1"}]
        told = "".join(f'<p>{name} and <a href="{other}.html">{other}</a></p>' for other in linked if other != name)
        write(folder, f"{name}.html", f"<p>{words[name[:-1]]} {name}</p>{told}")
    Collection(tmp_path / "s.kin").add(folder, base_url=BASE)
    pairs = rows(Collection(tmp_path / "s.kin").report(), "missing links")
    assert [set(pair) for pair in pairs] == [{"bee0.html", "bee1.html"}]


def test_what_a_server_says_is_gone_is_broken(tmp_path):
    url = "http://site.example/{}".format
    page = Capture(url("a"), b"<title>A</title><a href=b>B</a> <a href=c>C</a>", "text/html", fetched=1, origin="x")
    ingest(tmp_path / "s.kin", [[page, Missing(url("b"), 404), Missing(url("c"), 302)]])
    made = Collection(tmp_path / "s.kin").report()
    assert [(row.url, row.other, row.said) for row in made if row.table == "broken"] == [
        (url("a"), url("b"), "“B”: status 404")
    ]


def test_at_most_k_of_a_kind_are_listed_and_all_are_counted(found):
    made = found.report(1)
    assert len(rows(made, "broken")) == 1
    assert made.found["broken"] == 2
    assert "(1 of 2)" in made.tables_in()["broken"]
    with pytest.raises(UsageError):
        found.report(0)


def test_a_folder_that_is_gone_is_said(tmp_path):
    folder = tmp_path / "public"
    write(folder, "a.html", link("b.html"))
    Collection(tmp_path / "s.kin").add(folder, base_url=BASE)
    folder.rename(tmp_path / "elsewhere")
    made = Collection(tmp_path / "s.kin").report()
    assert not rows(made, "broken")
    assert "is not there any more" in made.note


def test_without_fetched_pages_it_says_so(tmp_path):
    from_edges(tmp_path / "s.kin", [("a", "b")])
    assert "no page was fetched" in Collection(tmp_path / "s.kin").report().note


def test_the_page_and_the_shell(found, tmp_path):
    out = tmp_path / "report.html"
    asked = [sys.executable, "-m", "pagekin", "report", str(found.path), "--out", str(out), "--json"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["found"] == found.report().found
    written = out.read_text()
    assert "<script" not in written
    assert "&lt;script&gt;alert(1)" in written
    assert "http" not in written.replace("http://", "").replace("https://", "").split("<body")[0].split("</style>")[0]
    for kind in ("Broken", "Orphans", "Dead ends", "Copies", "Over-linked"):
        assert f">{kind}</h2>" in written


def test_a_server_looks_at_no_file(found, monkeypatch):
    """It answers strangers: whether a file exists is not theirs to know."""
    monkeypatch.setattr("pagekin.answers.report._exists", lambda file: pytest.fail(f"looked at {file}"))
    made = report(Store(found.path), 20, files=False)
    assert rows(made, "broken") == []
    assert rows(made, "orphans") == [("orphan.html", "")]


def test_broken_links_of_a_vault(tmp_path):
    vault = tmp_path / "vault"
    (vault / "notes").mkdir(parents=True)
    (vault / "a.md").write_text(
        "[b](notes/b.md) [gone](notes/gone.md) [picture](notes/x.png) [no picture](y.png) [[b]]"
    )
    (vault / "notes" / "b.md").write_text("[a](../a.md)")
    (vault / "notes" / "x.png").write_bytes(b"x")
    site = Collection(tmp_path / "v.kin")
    site.add(vault, base_url="https://notes.example/sub/")
    found = [(row.other, row.said) for row in site.report() if row.table == "broken"]
    assert sorted(found) == [
        ("https://notes.example/sub/notes/gone", "“gone”: no such file"),
        ("https://notes.example/sub/y.png", "“no picture”: no such file"),
    ]
