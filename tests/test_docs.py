"""The docs cannot rot: names are complete, links lead somewhere, the command reference is what --help says.

That examples run is in test_examples.py, that the documents are a site in test_site.py.
"""

import dataclasses
import pkgutil
import re
import textwrap
from pathlib import Path

import pytest

import pagekin
from docs.make_reference import reference
from pagekin.collection.store import Store
from pagekin.collection.writer import writing
from pagekin.index.base import INDEXES, derive, opened
from pagekin.methods import REGISTRY
from pagekin.shell import commands
from tests.small_webs import collection

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pagekin"
MODULES = sorted(
    path.relative_to(SOURCE).with_suffix("") for path in SOURCE.rglob("*.py") if not path.name.startswith("__")
)
FRONT = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
FRONT += [ROOT / name / "README.md" for name in ("bench", "extension")]
PAGES = [*FRONT, *sorted((ROOT / "docs").rglob("*.md"))]
# Modules whose tests stand under another name, each with the reason.
TESTED_ELSEWHERE = {
    "version": "a constant",
    "errors": "tests/shell/test_main.py: every message a user can get",
    "spec": "tests/methods/test_base.py, tests/index/test_base.py",
    "model": "tests.answers.test_related.py: the dataclasses are what questions return",
    "acquire/crawl/child": "tests/answers/test_crawl.py: interrupted, killed",
    "acquire/crawl/settings": "tests/answers/test_crawl.py: what is refused; test_source.py and others: what each does",
    "acquire/rendered": "tests/acquire/test_markdown.py: what pages come of it",
    "collection/few_runs": "tests/collection/test_fold.py: each fold also with merged parts",
    "parse/walk": "tests/parse/test_html.py: what it notes is what a page is made of",
    "parse/compounds": "tests/parse/test_words.py",
    "parse/segmenters": "tests/parse/test_words.py",
    "parse/lines": "tests/parse/test_see_also.py: where a section begins and ends",
    "parse/scan": "tests/parse/test_blocks.py",
    "parse/elements": "tests/parse/test_burden.py: depths against those of real trees",
    "parse/limits": "tests/parse/test_burden.py: every reason",
    "parse/open_elements": "tests/parse/test_burden.py: depths against those of real trees",
    "parse/quick_look": "tests/parse/test_burden.py: never milder than the count",
    "parse/tags": "tests/parse/test_burden.py: tags in comments, quotes and scripts",
    "collection/schema": "tests/collection/test_snapshot.py",
    "collection/page_order": "tests/collection/test_snapshot.py, test_ingest.py",
    "collection/state_files": "tests/collection/test_scrub.py, test_recover.py: what is said of each damage",
    "collection/parts": "tests/collection/test_ingest.py, test_scrub.py",
    "collection/graph": "tests/collection/test_snapshot.py, test_scrub.py",
    "collection/tabulate": "tests/collection/test_snapshot.py, test_ingest.py",
    "collection/compact": "tests/collection/test_snapshot.py",
    "collection/repeats": "tests/collection/test_roles.py: in one pass and in several",
    "collection/recut": "tests/collection/test_join.py: the same words as from the sources",
    "collection/row_files": "tests/collection/test_link_files.py, tests/index/test_keywords.py: however many at a time",
    "index/keyword_pairs": "tests/index/test_keywords.py: slowly; tests/kernels/test_keywords.py: against the twin",
    "index/page_keywords": "tests/index/test_keywords.py: slowly",
    "index/spellings": "tests/index/test_spooled.py, test_keywords.py",
    "index/block_pairs/rule": "tests/index/block_pairs/test_index.py, tests/methods/test_block.py",
    "index/mirrors/index": "tests/index/mirrors/test_kin.py, test_translations.py: built, and found at once",
    "index/text/vectors": "tests/index/text/test_index.py, tests/methods/test_fused.py: against the twin",
    "index/similarity/neighbourhoods": "tests/index/similarity/test_graph.py",
    "graph/edges": "tests/cluster/test_flexible.py, tests/answers/test_export.py",
    "kernels/similarity_graph": "tests/index/similarity/test_graph.py",
    "kernels/similarity_kept": "tests/index/similarity/test_kept.py, tests/index/test_renewed.py",
    "graph/shared_neighbours": "tests/methods/test_registry.py: the same as allpairs; test_cocitation.py: by hand",
    "graph/link_cosine": "tests/methods/test_fused.py: against the twin",
    "kernels/addresses": "tests/engine/test_addresses.py; tests/acquire/test_tables.py: positions",
    "kernels/matchneeded": "tests/kernels/test_matchbounds.py: the same as without bounds",
    "kernels/strongpairs": "tests/kernels/test_matchbounds.py: no bound is too low",
    "kernels/beside": "tests/graph/test_beside.py",
    "kernels/text": "tests/methods/test_fused.py: against the twin; tests/index/text",
    "graph/hubs": "tests/methods/test_hits.py, test_companion.py",
    "kernels/walk": "tests/methods/test_walk.py",
    "answers/report_page": "tests/answers/test_report.py",
    "answers/comparison_page": "tests/answers/test_compare.py",
    "kernels/inverted": "tests/index/test_inverted.py, tests/search/test_ranking.py",
    "kernels/subrelevant": "tests/index/test_subrelevant.py",
    "search/narrowing": "tests/search/test_answer.py",
    "search/complete": "tests/index/test_completions.py",
    "kernels/spelling": "tests/search/test_spelling.py",
    "search/leads": "tests/search/test_answer.py",
    "kernels/simrank": "tests/methods/test_simrank.py",
    "kernels/allpairs": "tests/graph/test_all_pairs.py",
    "methods/link_sides": "tests/methods/test_integrated.py: against the twin, and in as many rounds as need be",
    "methods/semantic": "tests/methods/test_integrated.py: against the twin",
    "methods/evidence": "tests/methods/test_cocitation.py, test_hits.py, test_companion.py: reasons by hand",
    "answers/ranking": "tests/answers/test_related.py, tests/shell/test_output.py",
    "answers/add": "tests/shell/test_main.py",
    "answers/bridges": "tests/answers/test_clusters.py",
    "answers/mirrors": "tests/index/mirrors/test_kin.py, tests/answers/test_clusters.py",
    "answers/scrub": "tests/shell/test_main.py; tests/collection/test_scrub.py: each repair",
    "answers/words": "tests/shell/test_main.py; tests/search/test_keywords.py: the scores",
    "shell/demo": "tests/shell/test_main.py",
    "answers/remove": "tests/collection/test_removal.py; tests/shell/test_main.py: what it asks and prints",
    "collection/barred": "tests/collection/test_removal.py, tests/answers/test_sync.py",
    "collection/without": "tests/collection/test_removal.py: the same as a collection that never had the pages",
    "collection/sync": "tests/answers/test_sync.py",
    "shell/remove": "tests/shell/test_main.py",
    "seealso/apart": "tests/seealso/test_run.py: JSON, the stylesheet, and their removal",
    "seealso/asking": "tests/seealso/test_run.py: as from nothing, and what a change touches",
    "seealso/collect": "tests/seealso/test_run.py: what is parsed again, what goes",
    "seealso/leaves": "tests/seealso/test_run.py: what is left out, and why",
    "seealso/memory": "tests/seealso/test_run.py: other options, other pages, a damaged file",
    "seealso/related": "tests/seealso/test_run.py: lists, filters",
    "seealso/removing": "tests/seealso/test_run.py: every byte restored",
    "seealso/report": "tests/seealso/test_run.py",
    "mkdocs": "tests/seealso/test_plugins.py",
    "sphinx": "tests/seealso/test_plugins.py",
    "shell/see_also": "tests/seealso/test_run.py",
    "shell/commands": "tests/shell/test_main.py; below: each is a verb, and documented",
    "shell/options": "tests/shell/test_main.py",
    "shell/ask": "tests/shell/test_main.py",
    "shell/keep": "tests/shell/test_main.py",
    "shell/take": "tests/shell/test_main.py",
    "shell/serve": "tests/serve/test_run.py",
    "serve/questions": "tests/serve/test_api.py: every question and parameter",
    "serve/problems": "tests/serve/test_api.py, test_app.py: every error",
    "serve/shapes": "tests/serve/test_openapi.py: every answer has its shape",
    "serve/metrics": "tests/serve/test_app.py, test_run.py: of all workers",
    "serve/asking": "tests/serve/test_pages.py: what each page shows",
    "answers/page": "tests/serve/test_api.py",
    "answers/warm": "make setup runs it",
    "answers/sentences": "tests/shell/test_output.py",
    "evaluate/papers/labelled": "tests/evaluate/papers/test_paper1.py: its graphs against twins",
}


def test_every_module_has_a_page_of_its_name_or_is_named_on_its_folder_s_page():
    missing = []
    for module in MODULES:
        page = ROOT / "docs" / module.with_suffix(".md")
        folders = [ROOT / "docs" / f"{parent}.md" for parent in module.parents if parent != Path()]
        named = any(folder.exists() and re.search(rf"\b{module.name}\b", folder.read_text()) for folder in folders)
        if not page.exists() and not named and len(module.parts) > 1:
            missing.append(str(module))
    assert missing == []


def test_every_module_has_a_test_of_its_name_or_is_listed_with_the_one_it_has():
    missing = []
    for module in MODULES:
        own = ROOT / "tests" / module.parent / f"test_{module.name}.py"
        folder = ROOT / "tests" / module.parent.parent / f"test_{module.parent.name}.py"
        if (
            not own.exists()
            and not folder.exists()
            and str(module) not in TESTED_ELSEWHERE
            and module.parts[0] != "demo"
        ):
            missing.append(str(module))
    assert missing == []
    assert [name for name in TESTED_ELSEWHERE if Path(name) not in MODULES] == []


def test_every_method_and_parameter_is_documented():
    pages = [page.read_text() for page in (ROOT / "docs" / "methods").glob("*.md")]
    titles = {name: text for text in pages for name in text.partition("\n")[0].removeprefix("# ").split(", ")}
    for name, cls in REGISTRY.items():
        text = titles[name]
        assert f"`{name}`" in text
        for item in dataclasses.fields(cls):
            assert f"| `{item.name}` |" in text


def test_every_public_name_is_documented():
    text = "".join(path.read_text() for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
    for name in pagekin.__all__:
        assert name.startswith("__") or f"`{name}`" in text


UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def test_the_limits_of_the_security_page_are_those_of_the_source():
    text = (ROOT / "SECURITY.md").read_text()
    limits = re.findall(r"^\| .* \| ([\d,]+) ?(\w*) \| `([\w.]+)` \|$", text, re.MULTILINE)
    assert len(limits) > 15
    for number, unit, name in limits:
        assert pkgutil.resolve_name(f"pagekin.{name}") == int(number.replace(",", "")) * UNITS[unit], name


def test_every_relative_link_leads_to_a_file():
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            if not re.match(r"\w+:", target) and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def test_every_top_level_module_is_named_in_the_architecture():
    text = (ROOT / "docs" / "architecture.md").read_text()
    assert [str(module) for module in MODULES if len(module.parts) == 1 and f"`{module}`" not in text] == []


def test_every_verb_of_a_collection_is_a_command_and_is_documented():
    verbs = {name for name, value in vars(pagekin.Collection).items() if callable(value) and not name.startswith("_")}
    listed = {command.callback.__name__ for command in commands.app.registered_commands}
    assert listed - verbs == {"demo", "open", "see_also", "serve"}
    assert verbs - listed == set()
    text = (ROOT / "docs" / "answers.md").read_text()
    assert [verb for verb in sorted(verbs) if not re.search(rf"^\| .*`{verb}`", text, re.MULTILINE)] == []


def test_the_command_reference_is_what_the_shell_says():
    assert (ROOT / "docs" / "shell" / "commands.md").read_text() == reference(commands.app), "run: make docs"


@pytest.fixture
def press(tmp_path, monkeypatch):
    """The little site of the page on answers."""
    folder = tmp_path / "web" / "press"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text(
        "<title>The letterpress shelf</title>"
        "<a href=type.html>Wood and metal type</a> <a href=ink.html>Ink and rollers</a>"
    )
    (folder / "type.html").write_text("<title>Type</title>Type, and <a href=ink.html>what sticks to it</a>")
    (folder / "ink.html").write_text("<title>Ink</title>Oil and soot")
    monkeypatch.chdir(tmp_path)


def examples(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def test_the_python_of_the_answers_page_runs_and_prints_what_it_says(press, capsys):
    names = {}
    for script in examples("docs/answers.md", "python"):
        exec(compile(script, "docs/answers.md", "exec"), names)
        out = capsys.readouterr().out
        for said in re.findall(r"  # → (.*)", script):
            assert said in out
    assert Path("press.svg").exists()
    assert Path("compared.html").exists()


@pytest.fixture
def sketches(monkeypatch):
    """The whole modules that CONTRIBUTING shows; what they enter is taken out again."""
    monkeypatch.setattr("pagekin.methods.base.REGISTRY", dict(REGISTRY))
    monkeypatch.setattr("pagekin.index.base.INDEXES", dict(INDEXES))
    modules = {}
    for script in map(textwrap.dedent, examples("CONTRIBUTING.md", "python")):
        if script.startswith('"""'):
            names = {"__name__": "sketch"}
            exec(compile(script, "CONTRIBUTING.md", "exec"), names)
            modules[names["__doc__"].partition(":")[0]] = names
    return modules


def test_the_modules_that_contributing_shows_work(sketches, tmp_path):
    together, links, citers, hosts = sketches.values()
    file = tmp_path / "a.links.jsonl"
    lines = (f'{{"source": "http://a.example/", "target": "http://{target}.example/"}}\n' for target in "bcd")
    file.write_text("".join([*lines, "no link\n"]))
    assert links["recognises"](file, b"")
    items = list(links["read"](file))
    assert items[0].why == "not a link"
    store = collection(tmp_path / "s.kin", *items)
    page = store.graph.pages["url"].to_pylist().index("http://b.example/")
    found = together["Together"]().related(store, page, 5)
    assert sorted(map(store.url, found.pages.tolist())) == ["http://c.example/", "http://d.example/"]
    assert found.scores.tolist() == [1, 1]
    assert together["Together"]().why(store, page, int(found.pages[0]))[0].kind == "cited-by"
    assert repr(together["Together"](least=2)) == "together(least=2)"
    with writing(store.path) as writer:
        derive(writer, citers["Citers"]())
    ids, count = opened(Store(store.path), citers["Citers"]())
    assert dict(zip(ids.tolist(), count.tolist(), strict=True))[int(store.graph.ids[page])] == 1
    assert hosts["hosts"](store, 2).as_dict()["of"] == 4
