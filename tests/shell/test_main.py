"""The shell: exit codes, formats, and sentences instead of tracebacks."""

import csv
import io
import json
import shutil
import subprocess
import sys
from dataclasses import fields

import pytest

from pagekin import Collection, Filters
from pagekin.errors import PagekinError
from pagekin.shell import main as cli
from pagekin.shell.demo import demo
from pagekin.shell.options import FILTERS
from pagekin.version import VERSION
from tests.answers.test_related import URL, WEB
from tests.small_webs import from_edges, of_words


@pytest.fixture
def shell(monkeypatch, capsys):
    """Run a command in this process: (exit code, stdout, stderr)."""

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["pagekin", *map(str, words)])
        try:
            cli.main()
            code = 0
        except SystemExit as ended:
            code = ended.code or 0
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return run


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    path = tmp_path_factory.mktemp("cli") / "s.kin"
    from_edges(path, WEB)
    return path


def test_related_as_json(shell, site):
    code, out, _ = shell("related", site, URL("b"), "--method", "co-citation", "--why", "--json")
    answer = json.loads(out)
    assert code == 0
    assert list(answer) == ["query", "unknown", "method", "mirrors", "translations", "note", "results"]
    assert set(answer["results"][0]) == {
        "rank", "url", "title", "host", "score", "linked", "bridge", "mirrors",
        "translations", "why",
    }  # fmt: skip
    assert answer["results"][0]["score"] == 5 / 6


def test_related_in_the_other_formats(shell, site):
    _, out, _ = shell("related", site, URL("b"), "--format", "csv", "--why")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert rows[0]["rank"] == "1"
    assert json.loads(rows[0]["why"])
    _, out, _ = shell("related", site, URL("b"), "--format", "jsonl")
    assert [json.loads(line)["rank"] for line in out.splitlines()] == list(range(1, len(rows) + 1))
    _, out, _ = shell("related", site, URL("b"))
    assert URL("a") in out
    _, out, _ = shell("related", site, URL("b"), "--why")
    assert f"{URL('hub1')} links to both" in out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (
            ["related", "SITE", "http://bb.example/"],
            1,
            "not in the collection: http://bb.example/; the nearest addresses are:",
        ),
        (["related", "NONE", "x"], 1, "there is no collection"),
        (["related", "SITE", "x", "--method", "cocit"], 2, "did you mean 'co-citation'?"),
        (["related", "SITE", "x", "--format", "xml"], 2, "unknown format 'xml'"),
        (["related", "SITE", URL("b"), "-k", "0"], 2, "k must be at least 1"),
        (["related", "SITE", URL("b"), "-k", "many"], 2, "Invalid value for '-k'"),
        (["relate", "SITE"], 2, "relate"),
        (["related", "SITE"], 2, "no page given"),
        (["add", "NONE", "/no/such/path"], 1, "/no/such/path"),
        (["info", "NONE"], 1, "there is no collection"),
        (["build", "NONE"], 1, "there is no collection"),
        (["build", "SITE", "--index", "grahp"], 2, "did you mean 'graph'?"),
        (["scrub", "NONE"], 1, "there is no collection"),
        (["export", "SITE", "graph", "x.doc"], 2, ".gexf"),
        (["evaluate", "SITE"], 1, "label"),
    ],
)
def test_mistakes_are_sentences(shell, site, tmp_path, words, code, says):
    place = {"SITE": site, "NONE": tmp_path / "none.kin"}
    ended, out, err = shell(*(place.get(word, word) for word in words))
    assert (ended, out) == (code, "")
    assert says in " ".join(err.split())
    assert not (tmp_path / "none.kin").exists()


def test_add_says_what_it_guessed_and_what_it_skipped(shell, tmp_path):
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "a.html").write_text("<title>A</title><a href=b.html>b</a><a href='http://a b/'>broken</a>")
    (folder / "b.html").write_text("")
    (folder / "c.html").write_bytes(b"\x00\x01\x02" * 100)
    code, out, err = shell("add", tmp_path / "s.kin", folder, "--base-url", "http://w.example/")
    assert (code, out) == (0, "")
    assert "folder of HTML" in err
    assert "added 1 page\n" in err
    assert "skipped 2:" in err
    assert "left out 1 link whose target is not an address" in err
    code, out, _ = shell("info", tmp_path / "s.kin", "--json")
    assert {"pages": 2, "fetched": 1, "links": 1, "hosts": 1, "sites": 1}.items() <= json.loads(out).items()


def test_add_of_nothing_readable_fails_and_leaves_nothing(shell, tmp_path):
    (tmp_path / "empty.html").write_text("")
    code, _, err = shell("add", tmp_path / "s.kin", tmp_path / "empty.html")
    assert code == 1
    assert "nothing could be read" in err
    assert not (tmp_path / "s.kin").exists()


def test_build_compacts_and_scrub_finds_nothing(shell, tmp_path):
    for i in range(3):
        from_edges(tmp_path / "s.kin", [(URL(f"s{i}"), URL("t"))])
    code, _, err = shell("build", tmp_path / "s.kin", "--method", "amsler")
    assert code == 0
    assert "compacted 3 parts to 1" in err
    assert "amsler needs only the graph" in err
    assert "nothing to repair" in shell("scrub", tmp_path / "s.kin")[2]


def test_an_interrupt_is_no_success(shell, site, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("pagekin.answers.collection.Collection.related", interrupted)
    code, _, err = shell("related", site, URL("b"))
    assert code == 130
    assert "interrupted; what was committed is kept" in err


def test_unknown_seeds_are_named_in_every_format(shell, site):
    for format in ("table", "csv", "jsonl"):
        assert "nowhere" in shell("related", site, URL("b"), "http://nowhere.example/", "--format", format)[2]


def test_a_csv_without_rows_has_the_same_header(shell, site):
    full = shell("related", site, URL("b"), "--format", "csv")[1].splitlines()[0]
    assert shell("related", site, URL("b"), "--min-score", "2", "--format", "csv")[1].splitlines() == [full]


def test_what_is_no_address_is_said_to_be_words_and_an_empty_path_is_refused(shell, site, tmp_path):
    code, _, err = shell("related", site, "queen bee")
    assert (code, "search for them" in err) == (1, True)
    code, _, err = shell("add", tmp_path / "y.kin", "")
    assert (code, "a path is empty" in err, (tmp_path / "y.kin").exists()) == (2, True, False)


def test_no_method_advises_itself(shell, tmp_path):
    from_edges(tmp_path / "pair.kin", [(URL("x"), URL("y"))])
    assert "amsler" not in shell("related", tmp_path / "pair.kin", URL("x"), "--method", "amsler(direct=false)")[1]


def test_the_demo(shell, tmp_path):
    code, out, _ = shell("demo", tmp_path / "demo.kin")
    assert code == 0
    assert " links to both" in out
    assert "pages" in shell("info", tmp_path / "demo.kin")[1]
    *_, last = out.splitlines()  # every command that it prints works
    assert shell(*last.partition("pagekin ")[2].partition(" && ")[0].split())[0] == 0


def test_the_demo_on_a_terminal_is_served(tmp_path, monkeypatch, capsys):
    tried = []

    def serve_at(sites, port, ready):
        tried.append(port)
        if port:
            raise PagekinError("cannot listen")
        ready("http://127.0.0.1:1/")

    monkeypatch.setattr("pagekin.shell.demo.serve_at", serve_at)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    demo(tmp_path / "demo.kin", browser=False)
    assert tried == [8420, 0]
    assert "slider: http://127.0.0.1:1/page?url=http" in capsys.readouterr().err
    assert {row.state for row in Collection(tmp_path / "demo.kin").methods()} == {"ready"}


def test_a_reader_that_has_seen_enough_is_no_error(site):
    command = f"'{sys.executable}' -m pagekin related '{site}' {URL('b')} --json | head -n 1"
    ended = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert ended.stdout == "{\n"
    assert ended.stderr == ""


def test_a_system_without_locks_is_told_so_in_a_sentence(site):
    for code in ("sys.argv = ['pagekin', 'info', 's.kin']; from pagekin.shell.main import main; main()",
                 "from pagekin import Collection"):  # fmt: skip
        run = subprocess.run(
            [sys.executable, "-c", f"import sys; sys.modules['fcntl'] = None; {code}"], capture_output=True, text=True
        )
        assert run.returncode == 1
        assert "pagekin runs on Linux and macOS; on Windows, run it inside WSL" in run.stderr.splitlines()[-1]
        assert ("Traceback" in run.stderr) == ("main()" not in code)


def test_a_collection_is_added_to_another(shell, site, tmp_path):
    code, out, err = shell("add", tmp_path / "all.kin", site)
    assert (code, out) == (0, "")
    assert "s.kin: a collection (1 part)" in err
    assert f"rows of tables from {site}" in err
    code, _, err = shell("add", tmp_path / "all.kin", site)
    assert code == 0
    assert "all of it was already in the collection" in err
    code, _, err = shell("add", tmp_path / "all.kin", tmp_path / "all.kin")
    assert code == 2
    assert "is the collection that is added to" in err
    code, _, err = shell("add", tmp_path / "all.kin", site, "--from", "html")
    assert code == 2
    assert "s.kin is a collection; --from is for other paths" in err


def test_a_collection_in_a_folder_that_is_added_is_left_out_and_named(shell, site, tmp_path):
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "a.html").write_text("<p>Bees")
    shutil.copytree(site, tmp_path / "web" / "old.kin")
    for _ in range(2):  # the second time, the collection itself lies there too: that goes without saying
        code, _, err = shell("add", tmp_path / "web" / "new.kin", tmp_path / "web", "--base-url", "http://w.example/")
        assert code == 0
        assert "old.kin: a collection, left out; to join it, name it as a path of its own" in err
        assert "new.kin" not in err


def test_heavy_libraries_are_not_imported_for_help():
    script = (
        "import sys; sys.argv = ['pagekin', '--help']\n"
        "from pagekin.shell.main import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([name for name in ('numba', 'pyarrow', 'scipy', 'selectolax') if name in sys.modules], file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.stderr.strip() == "[]"


@pytest.fixture(scope="module")
def bees(tmp_path_factory):
    path = tmp_path_factory.mktemp("bees") / "s.kin"
    words = {f"bee{i}": f"bee hive honey queen{i}" for i in range(4)} | {
        f"rail{i}": f"train rail w{i}" for i in range(3)
    }
    of_words(path, words, [("bee0", "rail0")])
    Collection(path).build(index=["keywords"])
    return path


def test_keywords_and_suggested_words(shell, bees):
    code, out, _ = shell("keywords", bees, "bee1", "--by", "relevance", "--json")
    assert code == 0
    assert [set(row) for row in json.loads(out)["results"]] == [{"word", "score"}] * 4
    _, out, _ = shell("suggest", bees, "hive", "--json")
    assert {row["word"] for row in json.loads(out)["results"][:2]} == {"bee", "honey"}
    _, out, _ = shell("suggest", bees, "queen0", "--logical", "-k", 3, "--json")
    assert {"train", "rail"} & {row["word"] for row in json.loads(out)["results"]}
    code, out, _ = shell("suggest", bees, "zzzz", "--json")
    assert (code, json.loads(out)["results"]) == (0, [])
    assert shell("suggest", bees, "hive", "--information")[0] == 2
    assert shell("suggest", bees, "hive", "--support", 2)[0] == 2
    assert shell("keywords", bees, "nowhere")[0] == 1
    code, out, err = shell("keywords", bees, "bee1")
    assert (code, "inverted is not built" in err) == (1, True)
    assert shell("keywords", bees, "bee1", "--by", "topics")[0] == 2


def test_answers_are_built_listed_and_looked_up(shell, bees, tmp_path):
    path = tmp_path / "s.kin"
    shutil.copytree(bees, path)
    asked = ("related", path, "bee0", "--method", "integrated", "--json")
    before = shell(*asked)
    code, out, err = shell("build", path, "--method", "integrated")
    assert (code, out) == (0, "")
    assert "answers(method=integrated): 7 pages with 42 related pages" in err  # all, if little
    assert "answers(method=integrated)" in json.loads(shell("info", path, "--json")[1])["built"]
    assert shell(*asked) == before
    from_edges(path, [("bee1", "rail1")])
    assert "answers(method=integrated)" in json.loads(shell("info", path, "--json")[1])["stale"]
    assert "answers(method=integrated): 7 pages" in shell("build", path)[2]


def test_a_build_shows_on_a_terminal_how_far_it_is(shell, bees, tmp_path, monkeypatch):
    shutil.copytree(bees, tmp_path / "s.kin")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    code, _, err = shell("build", tmp_path / "s.kin", "--method", "semantic")
    assert code == 0
    assert "answers(method=semantic): 7 pages" in err


def test_related_pages_in_classes(shell, bees, site):
    _, out, _ = shell("related", bees, "bee0", "--method", "semantic", "--classes", "--json")
    answer = json.loads(out)
    first, second = answer["classes"]
    assert first["ranks"] == [1, 2, 3]
    assert set(first["label"]) == {"bee", "hive", "honey"}
    assert [row["class"] for row in answer["results"][3:]] == [", ".join(second["label"])] * 3
    assert "bee, hive, honey" in shell("related", bees, "bee0", "--method", "semantic", "--classes")[1]
    code, _, err = shell("related", site, URL("b"), "--classes")
    assert code == 1
    assert "pagekin build" in err and "--index keywords" in err


def test_tables_of_a_paper(shell, bees, tmp_path):
    (tmp_path / "labels.csv").write_text("bee0,b\nbee1,b\nrail0,r\nrail1,r\n")
    figure = tmp_path / "figure.svg"
    code, out, _ = shell(
        "evaluate", bees, "--labels", tmp_path / "labels.csv", "--tables", "paper4", "--out", figure, "--json"
    )
    assert code == 0
    assert len(json.loads(out)["results"]) == 2 * 5 * 21
    assert figure.exists()
    assert shell("evaluate", bees, "--tables", "paper44")[0] == 2
    assert shell("evaluate", bees, "--out", tmp_path / "figure.doc")[0] == 2


@pytest.fixture
def copied(site, tmp_path):
    return shutil.copytree(site, tmp_path / "s.kin")


def test_remove_asks_if_several_pages_go(shell, copied, monkeypatch):
    before = len(Collection(copied).store.graph.pages)
    code, _, err = shell("remove", copied, "--matching", "http://hub*")
    assert (code, "--yes" in err) == (2, True)
    assert "6 pages go:" in err and "hub1.example" in err
    code, out, err = shell("remove", copied, "--matching", "http://hub*", "--dry-run")
    assert (code, out) == (0, "")
    assert err.splitlines()[0] == "6 pages go:" and err.splitlines()[-1] == "nothing was removed"
    assert len(Collection(copied).store.graph.pages) == before
    for said, code in ((False, 1), (True, 0)):
        monkeypatch.setattr("pagekin.shell.remove.asked", lambda said=said: said)
        monkeypatch.setattr("pagekin.shell.remove.can_ask", lambda: True)
        assert shell("remove", copied, "--matching", "http://hub*")[0] == code
        assert (len(Collection(copied).store.graph.pages) < before) == said


def test_one_page_goes_without_asking_and_a_long_list_is_cut_aloud(shell, copied):
    code, _, err = shell("remove", copied, URL("hub1"))
    assert code == 0
    assert err.startswith("1 page goes:") and "removed 1 page" in err
    code, _, err = shell("remove", copied, URL("hub1x"))
    assert (code, "the nearest addresses are" in err) == (1, True)
    code, _, err = shell("remove", copied)
    assert (code, "--matching" in err) == (2, True)
    from_edges(copied, [(f"http://many.example/{n}", URL("b")) for n in range(13)])
    code, _, err = shell("remove", copied, "--matching", "*many*", "--yes", "--for-good")
    assert code == 0
    assert "13 pages go:" in err and "  … and 3 more" in err and "13 addresses will not be taken again" in err


def test_every_filter_has_a_flag():
    assert {name: kind for name, (_, kind) in FILTERS.items()} == {
        each.name: list(each.default) if isinstance(each.default, tuple) else each.default for each in fields(Filters)
    }


def test_filters_on_compare_and_export(shell, site, tmp_path):
    code, out, _ = shell("compare", site, URL("b"), "-m", "walk", "-m", "amsler", "--include", "hub", "--json")
    found = [row["url"] for each in json.loads(out)["results"] for row in each["results"]]
    assert code == 0
    assert found and all("hub" in url for url in found)
    code, _, _ = shell(
        "export", site, "related", tmp_path / "r.jsonl", "-m", "walk", "--other-sites", "--include", "hub"
    )
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert rows and all("hub" in row["target"] for row in rows)
    assert shell("export", site, "graph", tmp_path / "g.csv", "--same-site")[0] == 2


def test_version_and_methods(shell, site):
    assert shell("--version")[:2] == (0, f"pagekin {VERSION}\n")
    code, out, _ = shell("methods", "--json")
    assert (code, json.loads(out)["results"][0]["method"]) == (0, "fused")
    code, out, _ = shell("methods", site)
    assert code == 0
    assert "not built" in out and f"pagekin build {site} --all" in out
    code, _, err = shell("build", site, "--drop", "keywords")
    assert (code, "no index to remove" in err) == (1, True)


def piped(*words, given=b""):
    """A command in a process of its own: (exit code, stdout, stderr)."""
    ended = subprocess.run([sys.executable, "-m", "pagekin", *map(str, words)], input=given, capture_output=True)
    return ended.returncode, ended.stdout, ended.stderr.decode()


def test_standard_input_and_output(tmp_path):
    rows = b"source,target,anchor\nhttp://a.example/,http://b.example/,B\nhttp://a.example/,nonsense://[,x\n"
    code, out, err = piped("add", tmp_path / "s.kin", "-", given=rows)
    assert (code, out) == (0, b"")
    assert err.splitlines()[0] == "stdin: a table of links; source=source, target=target, anchor=anchor"
    code, out, err = piped("export", tmp_path / "s.kin", "graph", "-", "--format", "csv")
    assert (code, out.splitlines()[1].startswith(b'"http://a.example/","http://b.example/","B"')) == (0, True)
    assert "to standard output" in err
    code, out, err = piped("export", tmp_path / "s.kin", "related", "-")
    assert (code, out) == (2, b"")
    assert "use --format csv or --format jsonl" in err
    code, _, err = piped("add", tmp_path / "t.kin", "-")
    assert (code, "standard input is empty" in err) == (1, True)
    assert piped("add", tmp_path / "t.kin", "-", "--sync", given=rows)[0] == 2
    assert not (tmp_path / "t.kin").exists()


def test_pages_of_html_on_standard_output(shell, tmp_path):
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "a.html").write_text("<title>A</title><a href=b.html>b</a> <a href=c.html>c</a>")
    (folder / "b.html").write_text("<title>B</title><a href=a.html>a</a>")
    shell("add", tmp_path / "s.kin", folder, "--base-url", "http://w.example/")
    for words in (["report"], ["compare", "http://w.example/a.html"]):
        code, out, _ = shell(words[0], tmp_path / "s.kin", *words[1:], "--out", "-")
        assert (code, out.startswith("<!doctype html>"), out.count("<html")) == (0, True, 1)
    code, out, _ = shell("blocks", tmp_path / "s.kin", "http://w.example/a.html", "--html", "-")
    assert (code, out.startswith("<!doctype html>"), "outline" in out) == (0, True, True)


def test_what_was_removed_for_good_may_be_taken_again(shell, copied):
    _, _, err = shell("remove", copied, URL("hub1"), "--for-good")
    assert f"to allow one: pagekin remove {copied} URL --take-again" in err
    code, _, err = shell("remove", copied, URL("hub1"), "--take-again")
    assert (code, err) == (0, f"{URL('hub1')} may be taken again: add or crawl it\n")
    code, _, err = shell("remove", copied, URL("hub1"), "--take-again")
    assert (code, "nothing was removed for good" in err) == (1, True)
