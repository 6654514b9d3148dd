"""The façade: every verb of the shell, typed answers equal to its JSON, a new state seen by itself, threads."""

import ast
import dataclasses
import inspect
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

import pyarrow as pa
import pytest
import typer

import pagekin
from pagekin import Answer, Collection, Filters, Progress, Report
from pagekin.errors import CollectionError, NotBuiltError, PagekinError, UsageError
from pagekin.index.base import opened
from pagekin.index.similarity import Similarity
from pagekin.index.subrelevant import Kind
from pagekin.methods import REGISTRY, method
from pagekin.shell import commands
from pagekin.shell.ask import LINK_KINDS
from pagekin.wording import speaking
from tests.shell.test_main import shell  # noqa: F401
from tests.small_webs import collection, from_edges, page

COMMANDS = typer.main.get_command(commands.app).commands
# Commands that take no collection to ask, and what Python says otherwise.
NO_VERB = {
    "demo": "it makes a collection of its own, and shows it",
    "serve": "it runs until it is stopped; a program has `serve.app.create_app`",
    "open": "it shows a page of a server that runs",
    "see-also": "it makes its collection beside a folder; a program has `pagekin.see_also`",
}
SHELL_ONLY = {
    "site": "the object",
    "format": "an answer is an object",
    "json": "an answer is an object",
    "no_text": "text=False",
    "by_query": "Evaluation.by_query()",
    "out": "Clusters.drawn(out), Comparison.write(out); of evaluate it is an option of both",
    "size": "Clusters.drawn(out, size)",
    "why_all": "Ranking.reasons(at, all=True)",
}
FILTERS = {item.name for item in dataclasses.fields(Filters)}

TEXT = {
    "bee": "bees make honey in a hive with a queen", "hive": "a hive holds bees and honey and wax combs",
    "wax": "wax is made by bees, and combs of it hold honey", "train": "trains run on rails with an engine",
    "rail": "rails carry trains and their engine drivers", "engine": "an engine pulls trains over rails",
}  # fmt: skip
URL = "http://site.example/{}".format


def web(path: Path) -> Path:
    """A contents page, two topics that link among themselves, and a page on another host that lists them."""
    topics = (["bee", "hive", "wax"], ["train", "rail", "engine"])
    pages = [
        page(URL(name), *(URL(other) for other in topic if other != name), title=f"The {name}", words=TEXT[name] * 3)
        for topic in topics
        for name in topic
    ]
    every = [URL(name) for name in TEXT]
    lists = [page(f"http://list{i}.example/", *every[:3], title=f"List {i}", words="lists") for i in range(4)]
    collection(path, *pages, *lists, page(URL(""), *every, title="Contents", words="contents of all"))
    return path


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    found = Collection(web(tmp_path_factory.mktemp("facade") / "s.kin"))
    found.build(all=True)
    return found


def test_every_command_that_takes_a_collection_is_a_verb_and_the_reverse():
    verbs = {name for name, found in vars(Collection).items() if inspect.isfunction(found) and name[0] != "_"}
    assert {*COMMANDS, *NO_VERB} - {*NO_VERB} == verbs
    assert set(NO_VERB) <= set(COMMANDS)


@pytest.mark.parametrize("name", sorted({*COMMANDS} - {*NO_VERB}))
def test_a_verb_takes_what_its_command_takes(name):
    given = {param.name for param in COMMANDS[name].params} - {*SHELL_ONLY}
    taken = set(inspect.signature(getattr(Collection, name)).parameters)
    if "filters" in taken:
        given = given - FILTERS
    assert given <= taken
    assert taken - given - {"self", "progress", "filters", "text", "out", "agree", "format"} == set()


def test_defaults_are_the_same_on_both_sides():
    """But for `progress`: Python is given a function, the shell a switch."""
    for name in {*COMMANDS} - {*NO_VERB}:
        taken = inspect.signature(getattr(Collection, name)).parameters
        for param in COMMANDS[name].params:
            if param.name in taken and param.param_type_name == "option" and param.name != "progress":
                mine = taken[param.name].default
                assert (list(mine) if mine == () else mine) == param.default, (name, param.name)


ASKED = {
    "related": [(("related", URL("bee"), "--why"), lambda c: c.related(URL("bee"), why=True))]
    + [
        (("related", URL("bee"), "--method", name), lambda c, name=name: c.related(URL("bee"), method=name))
        for name in REGISTRY
    ]
    + [
        (
            ("related", URL("bee"), "--method", "semantic", "--classes"),
            lambda c: c.related(URL("bee"), method="semantic", classes=True),
        ),
        (
            ("related", URL("bee"), URL("rail"), "http://no.example/", "--per-host", "2"),
            lambda c: c.related(URL("bee"), URL("rail"), "http://no.example/", filters=Filters(per_host=2)),
        ),
    ],
    "pair": [
        (("pair", URL("bee"), URL("rail"), "--why"), lambda c: c.pair(URL("bee"), URL("rail"), why=True)),
        (("pair", URL("bee"), URL("rail")), lambda c: c.pair(URL("bee"), URL("rail"))),
    ],
    "search": [
        (("search", "bees", "honey", "--alpha", "0.5"), lambda c: c.search("bees", "honey", alpha=0.5)),
        (("search", "zebra"), lambda c: c.search("zebra")),
    ],
    "blocks": [(("blocks", URL("")), lambda c: c.blocks(URL("")))],
    "clusters": [(("clusters", URL("bee"), "--alpha", "0.3"), lambda c: c.clusters(URL("bee"), alpha=0.3))]
    + [
        (("clusters", URL("bee"), "--kind", kind), lambda c, kind=kind: c.clusters(URL("bee"), kind=kind))
        for kind in get_args(Kind)
    ],
    "mirrors": [(("mirrors",), lambda c: c.mirrors())],
    "bridges": [(("bridges", "-k", "20"), lambda c: c.bridges(k=20))],
    "compare": [
        (("compare", URL("bee"), "-m", "hits", "-m", "walk"), lambda c: c.compare(URL("bee"), ["hits", "walk"]))
    ],
    "keywords": [(("keywords", URL("bee")), lambda c: c.keywords(URL("bee")))],
    "suggest": [(("suggest", "honey", "zebra"), lambda c: c.suggest("honey", "zebra"))],
    "report": [(("report", "-k", "3"), lambda c: c.report(3))],
    "info": [(("info",), lambda c: c.info())],
    "methods": [(("methods",), lambda c: c.methods())],
}


@pytest.mark.parametrize(("words", "ask"), [case for cases in ASKED.values() for case in cases])
def test_an_answer_is_the_shell_s_json_and_its_rows_are_the_shell_s_rows(site, shell, words, ask):  # noqa: F811
    code, out, _ = shell(words[0], site.path, *words[1:], "--json")
    with speaking("shell"):
        answer = ask(site)
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(answer.as_dict()))
    if isinstance(answer, Answer):
        assert isinstance(answer.as_dict()["query"], list)
        assert [*answer] == [answer[at] for at in range(len(answer))] == list(answer.results)
        assert answer[:2] == answer.results[:2]
        if words[0] != "compare":  # whose rows are the lists of its rows
            _, lines, _ = shell(words[0], site.path, *words[1:], "--format", "jsonl")
            assert [json.loads(line) for line in lines.splitlines()] == json.loads(json.dumps(answer.rows()))


def test_every_command_that_prints_rows_is_held():
    printing = {name for name, command in COMMANDS.items() if any(p.name == "json" for p in command.params)}
    assert printing - {"evaluate"} == set(ASKED)  # which has tests of its own, and needs a truth


@pytest.mark.parametrize("ask", [cases[0][1] for cases in ASKED.values()], ids=list(ASKED))
def test_answers_are_frozen_readable_and_tables(site, ask):
    answer = ask(site)
    with pytest.raises(dataclasses.FrozenInstanceError):
        answer.note = "mine"
    assert repr(answer)
    assert answer._repr_html_().count("<")
    if isinstance(answer, Answer):
        table = answer.to_arrow()
        assert table.num_rows == len(answer)
        assert set(answer.columns()) == set(table.column_names)
        assert "results" not in repr(answer)  # it is not a dump of fields


def test_names_that_lead_elsewhere_and_evidence_are_columns_too(site):
    table = site.related(URL("bee"), why=True).to_arrow()
    assert json.loads(table["why"][0].as_py())[0]["kind"]
    assert table["score"].type == "double"
    assert site.search("zebra").to_arrow().column_names == list(site.search("bees").columns())


def test_strangers_text_is_text_in_a_notebook_and_in_a_terminal(tmp_path):
    evil = "\x1b[31m&lt;script>alert(1)&lt;/script>\u202e"
    pages = [page(f"http://h{i}.example/", "http://a.example/", "http://b.example/", words="x") for i in range(3)]
    both = [page(f"http://{name}.example/", title=evil, words="y") for name in "ab"]
    collection(tmp_path / "s.kin", *pages, *both)
    found = Collection(tmp_path / "s.kin").related("http://a.example/", why=True)
    assert "script" in found[0].title
    assert "<script" not in found._repr_html_()
    assert "\x1b" not in repr(found) + found._repr_html_()
    assert "\u202e" not in repr(found)


def test_after_building_the_same_object_answers(tmp_path):
    found = Collection(web(tmp_path / "s.kin"))
    with pytest.raises(NotBuiltError, match=r'run: Collection\(".*s\.kin"\)\.build\(index="similarity"\)'):
        found.related(URL("bee"), method="assisted")
    built = found.build(method="assisted")
    assert [each.name for each in built.made] == ["mirrors", "similarity", "hierarchy"]
    assert found.related(URL("bee"), method="assisted").results


def test_what_another_process_writes_is_seen_by_the_next_question(tmp_path):
    mine, theirs = (Collection(web(tmp_path / "s.kin")) for _ in range(2))
    before = mine.info()
    assert mine.store is mine.store  # a state is opened once
    from_edges(tmp_path / "s.kin", [("http://new.example/", URL("bee"))])
    assert mine.info().pages == before.pages + 1
    assert mine.related("http://new.example/").query[0].url == "http://new.example/"
    theirs.build(index="inverted")
    assert "inverted" in mine.info().built


def test_a_question_whose_files_are_swept_away_is_asked_again(tmp_path):
    found = Collection(web(tmp_path / "s.kin"))
    found.build(method="assisted")
    old, asked = found.store, []

    def question(store):
        asked.append(store)
        for _ in range(3 if store is old else 0):  # a writer comes in between: files stay for one generation only
            Collection(tmp_path / "s.kin").build(index="similarity")
        return opened(store, Similarity())

    assert found._ask(question).nodes == 11
    assert [store is old for store in asked] == [True, False]


def test_damage_is_not_asked_again(tmp_path):
    found = Collection(web(tmp_path / "s.kin"))
    found.build(method="assisted")
    (found.path / found.store.manifest.indexes["similarity"].path / "head.npy").unlink()
    with pytest.raises(CollectionError, match=r"head\.npy is missing"):
        found.related(URL("bee"), method="assisted")


def test_threads_may_ask_at_once_while_the_collection_changes(tmp_path):
    found = Collection(web(tmp_path / "s.kin"))
    found.build(all=True)
    quick = ["co-citation", "hits", "walk", "assisted", "block", "semantic", "integrated", "simrank", "companion"]
    asked = [(name, url) for name in quick for url in (URL("bee"), URL("rail"), URL(""))] * 4
    want = {(name, url): found.related(url, method=name, why=True).as_dict() for name, url in asked}
    stop = threading.Event()

    def write():
        while not stop.is_set():  # the same content, a new state each time
            Collection(tmp_path / "s.kin").build(index=["similarity", "keywords"])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            got = list(pool.map(lambda ask: found.related(ask[1], method=ask[0], why=True).as_dict(), asked))
    finally:
        stop.set()
        writer.join()
    assert got == [want[ask] for ask in asked]


def test_messages_speak_the_caller_s_language(site, shell):  # noqa: F811
    with pytest.raises(UsageError, match=r"^per_host must be at least 1, not 0$"):
        Filters(per_host=0)
    assert "--per-host must be at least 1" in shell("related", site.path, URL("bee"), "--per-host", "0")[2]
    with pytest.raises(UsageError, match="information works only with logical"):
        site.suggest("honey", information=True)
    assert "--information works only with --logical" in shell("suggest", site.path, "honey", "--information")[2]
    assert 'try method="coupling"' in site.related("http://list0.example/", method="siblings").note
    out = shell("related", site.path, "http://list0.example/", "--method", "siblings")[1]
    assert "try --method coupling" in out
    assert "method=" not in out
    with pytest.raises(CollectionError, match=r'Collection\("none\.kin"\)\.add\("PATH"\) makes one'):
        Collection("none.kin").info()


def test_no_message_for_python_names_a_flag():
    """Flags stand in the shell alone: what lies below it names options through `wording`."""
    source = Path(pagekin.__file__).parent
    below = (path for path in source.rglob("*.py") if path.relative_to(source).parts[0] not in ("shell", "wording.py"))
    said = {path: _strings(path) for path in below}
    flag = re.compile(r"(?<![\w-])--[a-z]|pagekin (build|add|crawl|scrub)\b")
    assert {path.name: text for path, texts in said.items() for text in texts if flag.search(text)} == {}


def _strings(path):
    """The texts of a module that are no docstrings."""
    tree = ast.parse(path.read_text())
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docs = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, owners) and _has_docstring(node)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]


def _has_docstring(node):
    return bool(node.body) and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)


def test_progress_is_told_to_whoever_asks_and_to_nobody_in_a_pipe(tmp_path, capsys):
    (tmp_path / "web").mkdir()
    for name, text in TEXT.items():
        (tmp_path / "web" / f"{name}.html").write_text(f"<title>{name}</title><p>{text}<a href=bee.html>bee</a>")
    told: list[Progress] = []
    found = Collection(tmp_path / "s.kin")
    added = found.add(tmp_path / "web", base_url=URL(""), progress=told.append)
    assert (added.pages, added.lines) == (6, ["added 6 pages"])
    assert "a folder of HTML" in next(each.text for each in told if each.lasting)
    read = [each for each in told if each.text == "reading files"]
    assert [each.done for each in read][:6] == [1, 2, 3, 4, 5, 6]  # each page as it is parsed, not only the part
    assert {each.total for each in read} == {6}
    assert "add: making the graph of links" in [each.text for each in told]
    told.clear()
    assert found.add(tmp_path / "web", base_url=URL(""), progress=told.append).unchanged == 6
    assert Progress("reading files", 6, 6) in told
    told.clear()
    built = found.build(progress=told.append)
    assert [each.text for each in told if each.lasting] == built.lines
    assert any(each.total and each.done == each.total for each in told)
    for verb in (
        lambda: found.export("related", tmp_path / "r.csv", progress=told.append),
        lambda: found.scrub(progress=told.append),
        lambda: found.remove(URL("wax.html"), progress=told.append),
    ):
        told.clear()
        assert isinstance(verb(), Report)
        assert any(each.total for each in told if not each.lasting)
    told.clear()
    found.report(progress=told.append)
    assert "report: broken (1 of 7)" in [each.text for each in told]
    assert any(each.text == "report: missing links (4 of 7)" and each.done == each.total == 5 for each in told)
    told.clear()
    (tmp_path / "pairs.csv").write_text(f"{URL('bee.html')},{URL('hive.html')}\n")
    found.evaluate(related=tmp_path / "pairs.csv", method=["walk", "amsler"], progress=told.append)
    assert {each.text for each in told} >= {"walk (1 of 2)", "amsler (2 of 2)"}
    found.build()
    assert capsys.readouterr() == ("", "")


def test_a_folder_or_name_may_be_a_string(tmp_path):
    web(tmp_path / "s.kin")
    found = Collection(str(tmp_path / "s.kin"))
    assert found.export("pages", str(tmp_path / "p.csv")).rows == 11
    assert repr(found) == f'Collection("{tmp_path / "s.kin"}")'


def test_a_method_is_as_good_as_its_text(site, tmp_path):
    asked = method("assisted(alpha=0.3)")
    text = repr(asked)
    assert site.related(URL("bee"), method=asked) == site.related(URL("bee"), method=text)
    assert site.compare(URL("bee"), [asked, "walk"]) == site.compare(URL("bee"), (text, "walk"))
    assert site.bridges(asked) == site.bridges(text)
    assert site.build(method=method("amsler")).ready == ("amsler",)
    site.export("related", tmp_path / "a.csv", method=method("walk"))
    site.export("related", tmp_path / "b.csv", method="walk")
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()


def test_one_pattern_is_one_pattern(site):
    one, several = (site.related(URL("bee"), filters=Filters(exclude=given)) for given in ("list", ("list",)))
    assert one.results == several.results
    assert len(one) > 0


def test_tables_of_two_answers_fit_together(site):
    with_mirrors, none = site.related(URL("bee")).to_arrow(), site.search("zebra").to_arrow()
    assert with_mirrors.schema == site.related(URL("rail"), k=1).to_arrow().schema
    assert not {pa.null(), pa.list_(pa.null())} & set(none.schema.types)


def test_what_cannot_be_written_or_added_is_said(site, tmp_path):
    with pytest.raises(UsageError, match="nothing to add"):
        site.add()
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "a.html").write_text("<a href=b.html>b</a>")
    found = Collection(tmp_path / "s.kin")
    found.add(tmp_path / "web", base_url=URL(""))
    with pytest.raises(PagekinError, match="there is no folder"):
        found.blocks(URL("a.html"), html=tmp_path / "none" / "x.html")


def test_the_kinds_that_help_names_are_those_there_are():
    assert get_args(Kind) == LINK_KINDS


def test_the_public_names():
    assert all(getattr(pagekin, name) is not None for name in pagekin.__all__)
    with pytest.raises(AttributeError):
        pagekin.nothing  # noqa: B018
