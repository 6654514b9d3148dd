"""A collection whose titles, anchors, words and identifiers were all written by an enemy: no command lets them act."""

import csv
import io
import json
import sys

import pyarrow as pa
import pytest

from pagekin import Collection, PagekinError
from pagekin.answers.progress import Progress, live
from pagekin.harmless import as_cell
from pagekin.model import Rows
from pagekin.shell import main as cli
from tests.small_webs import collection, edges, page

# C1 (CSI, OSC, NEL), ESC, the bell, DEL, both kinds of bidi controls, both separators, and the byte order mark.
LIVE = "\x9b\x9d\x85\x1b\x07\x7f\u202e\u2066\u2069\u200f\u2028\u2029\ufeff\xad"
EVIL = f"=x{LIVE}[31mي\u200ca 👩\u200d👧"  # the joiners must stay
ONE, TWO = f"one{LIVE}", f"two{LIVE}"
HUBS = [f"@hub{number}{LIVE}" for number in range(4)]
SITE = "http://site.example/"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    links = edges(*((hub, name, EVIL) for hub in HUBS for name in (ONE, TWO, SITE)), (ONE, TWO, EVIL))
    names = [ONE, TWO, *HUBS]
    terms = {"url": names, "term": ["honey"] * 6, "surface": [EVIL] * 6, "body": [2] * 6, "title": [0] * 6}
    types = {"body": pa.int32(), "title": pa.int32()}
    table = pa.table({name: pa.array(values, types.get(name)) for name, values in terms.items()})
    pages = pa.table({"url": names, "title": [EVIL] * 6, "label": [f"{EVIL}1", f"{EVIL}2"] * 3})
    origin = folder / f"p{LIVE}.html"
    fetched = page(SITE, f"{SITE}bee", f"{SITE}hive", title=EVIL, words=f"honey honey {EVIL}", origin=str(origin))
    origin.write_bytes(fetched.body)
    path = folder / f"s{LIVE}.kin"
    collection(path, Rows(links=links.links, pages=pages, terms=table), fetched)
    indexes = ["inverted", "keywords", "subrelevant", "completions"]
    Collection(path).build(indexes, ["assisted", "block"], lambda progress: None)
    return path


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def shell(monkeypatch, site, tmp_path):
    """Run a command in this process: its exit code, and what it prints to stdout (of this kind) and to stderr."""

    def run(*words, stdout=io.StringIO):
        out, err = stdout(), io.StringIO()
        words = [word.replace("SITE.kin", str(site)).replace("OUT", str(tmp_path / f"o{LIVE}")) for word in words]
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["pagekin", *words])
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            try:
                cli.main()
                code = 0
            except SystemExit as ended:
                code = ended.code or 0
        return code, out.getvalue(), err.getvalue()

    return run


QUESTIONS = [
    ["related", "SITE.kin", ONE, "--method", "co-citation", "--why"],
    ["related", "SITE.kin", ONE, f"nowhere{LIVE}", "--classes"],
    ["related", "SITE.kin", ONE, "--method", "assisted", "--why"],
    ["blocks", "SITE.kin", HUBS[0]],
    ["blocks", "SITE.kin", SITE, "--html", "OUT.html"],
    ["search", "SITE.kin", "honey"],
    ["search", "SITE.kin", f"nothing{LIVE}"],
    ["clusters", "SITE.kin", ONE],
    ["clusters", "SITE.kin", HUBS[0]],
    ["clusters", "SITE.kin", ONE, "--out", "OUT.svg"],
    ["clusters", "SITE.kin", ONE, "--kind", "fan-in"],
    ["mirrors", "SITE.kin"],
    ["bridges", "SITE.kin"],
    ["compare", "SITE.kin", ONE, "--method", "amsler", "--method", "walk"],
    ["keywords", "SITE.kin", SITE],
    ["suggest", "SITE.kin", "honey"],
    ["info", "SITE.kin"],
    ["evaluate", "SITE.kin", "--method", "amsler"],
]


def tame(text):
    return not set(text) & set(LIVE)


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_no_answer_acts_on_the_terminal(shell, words):
    answers = {form: shell(*words, "--format", form) for form in ("table", "json", "jsonl")}
    answers["csv"] = shell(*words, "--format", "csv", stdout=Terminal)
    assert {form: code for form, (code, _, _) in answers.items()} == dict.fromkeys(answers, 0)
    assert [form for form, (_, out, err) in answers.items() if not tame(out + err)] == []
    assert json.loads(answers["json"][1])


def test_json_and_a_pipe_give_the_very_same_text_back(shell):
    words = ["related", "SITE.kin", ONE, "--method", "co-citation"]
    titles = [row["title"] for row in json.loads(shell(*words, "--json")[1])["results"]]
    assert EVIL in titles
    rows = [json.loads(line)["title"] for line in shell(*words, "--format", "jsonl")[1].splitlines()]
    piped = csv.DictReader(io.StringIO(shell(*words, "--format", "csv")[1], newline=""))
    safe = csv.DictReader(io.StringIO(shell(*words, "--format", "csv-safe")[1], newline=""))
    assert titles == rows == [row["title"] for row in piped]
    assert [as_cell(title) for title in titles] == [row["title"] for row in safe]


@pytest.mark.parametrize(
    "words",
    [
        ["related", "SITE.kin", f"nowhere{LIVE}"],
        ["related", f"none{LIVE}.kin", ONE],
        ["related", "SITE.kin", ONE, "--method", f"amsler{LIVE}"],
        ["related", "SITE.kin", ONE, "-k", f"1{LIVE}"],
        ["info", "SITE.kin", f"more{LIVE}"],
        ["add", "SITE.kin", f"none{LIVE}"],
        ["export", "SITE.kin", "pages", f"OUT.x{LIVE}"],
        ["export", "SITE.kin", "pages", "OUT.jsonl", "--safe"],
    ],
    ids=" ".join,
)
def test_no_error_acts_on_the_terminal(shell, words):
    code, out, err = shell(*words)
    assert code in (1, 2)
    assert err
    assert tame(out + err)


@pytest.mark.parametrize("what", ["graph", "similarity", "related", "pages"])
@pytest.mark.parametrize("ending", [".jsonl", ".gexf", ".graphml", ".net"])
def test_exported_text_has_escapes(shell, tmp_path, what, ending):
    if what == "pages" and ending != ".jsonl":
        return
    more = ["--no-fetched"] if what == "related" else []
    code, _, err = shell("export", "SITE.kin", what, f"OUT{ending}", *more)
    assert (code, tame(err)) == (0, True)
    written = (tmp_path / f"o{LIVE}{ending}").read_text("utf-8")
    assert "hub" in written
    assert tame(written)


def test_a_folder_of_json_and_drawings_have_escapes(shell, tmp_path):
    shell("export", "SITE.kin", "related", "OUT", "--no-fetched")
    for ending in ("json", "svg", "nwk"):
        shell("clusters", "SITE.kin", ONE, "--out", f"OUT.{ending}")
    shell("compare", "SITE.kin", ONE, "--method", "amsler", "--method", "walk", "--out", "OUT.html")
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) > 8
    assert [file.suffix for file in files if not tame(file.read_text("utf-8"))] == []


def test_python_shows_no_control_in_lines_notebooks_and_errors(site):
    asked = Collection(site)
    answers = [
        asked.related(ONE, why=True), asked.blocks(HUBS[0]), asked.clusters(ONE), asked.clusters(HUBS[0]),
        asked.clusters(ONE, "fan-in"), asked.search("honey"), asked.mirrors(), asked.bridges(),
        asked.compare(ONE, ["amsler", "walk"]), asked.keywords(SITE), asked.suggest("honey"), asked.info(),
        asked.suggest(prefix="h"), asked.report(),
    ]  # fmt: skip
    assert [type(answer).__name__ for answer in answers if not tame(repr(answer) + answer._repr_html_())] == []
    with pytest.raises(PagekinError) as error:
        asked.related(f"{ONE}nowhere")
    assert tame(str(error.value))


def test_spreadsheets_compute_nothing_of_a_safe_export(shell, tmp_path):
    for what in ("pages", "graph", "related"):
        more = ["--no-fetched"] if what == "related" else []
        assert shell("export", "SITE.kin", what, "OUT.csv", "--safe", *more)[0] == 0
        with (tmp_path / f"o{LIVE}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        texts = [value for row in rows for name, value in row.items() if name != "block"]
        assert [text for text in texts if text.startswith(tuple("=+-@\t\r"))] == []
        assert any(text.startswith("'@hub") for text in texts)
        assert {row["block"] for row in rows if "block" in row} <= {"-1", "0"}


def test_the_live_line_shows_no_control(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with live() as show:
        show(Progress(f"reading {EVIL}", 1, 2))
        show(Progress(f"  read {EVIL}", lasting=True))
    assert "read =x  [31m" in sys.stderr.getvalue()
    assert not set(sys.stderr.getvalue()) & set(LIVE)
