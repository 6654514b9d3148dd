"""The examples of the documents run, and print what the documents say."""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import typer

from docs import examples, notebook
from pagekin.demo import truth
from pagekin.shell import commands

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *(page for page in (ROOT / "docs").rglob("*.md") if page.name != "commands.md")]
SAID = re.compile(r"`pagekin ([^`\n]+)`|^    pagekin (.+)$", re.MULTILINE)  # in running text, or on a line of its own
SCORE = re.compile(r"\d+\.\d{4}")
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
GUIDES = [f"docs/guides/{page.name}" for page in (ROOT / "docs" / "guides").glob("*.md")]


def numbered(lines: list[list[str]]) -> list[list[str | float]]:
    """Lines of words, and scores as numbers."""
    return [[float(word) if SCORE.fullmatch(word) else word for word in line] for line in lines]


def nearly(lines: list[list[str]]) -> list[list[Any]]:
    """The same, but the last digit of a score may be another: CPUs round products of matrices differently."""
    made = numbered(lines)
    return [[pytest.approx(word, abs=1.5e-4) if isinstance(word, float) else word for word in line] for line in made]


def test_of_a_score_only_the_last_digit_may_be_another() -> None:
    assert numbered([["2", "5.9222", "Bread"]]) == nearly([["2", "5.9223", "Bread"]])
    assert numbered([["2", "5.9222", "Bread"]]) != nearly([["2", "5.9225", "Bread"]])
    assert numbered([["2", "5.9222", "Bread"]]) != nearly([["2", "5.9222", "Rolls"]])


@pytest.mark.parametrize("page", ["README.md", "docs/start.md", *sorted(GUIDES)])
def test_a_page_s_examples_print_what_it_says(page: str) -> None:
    text = (ROOT / page).read_text()
    assert "```console" in text
    again = examples.rerun(text)
    assert numbered(examples.alike(again)) == nearly(examples.alike(text)), f"run: python -m docs.examples {page}"


def said(page: Path) -> list[str]:
    """The commands that a page names outside of its examples, without `pagekin`."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return [(inline or alone).partition(" | ")[0] for inline, alone in SAID.findall(text)]


def test_every_command_that_a_page_names_is_there_with_its_options() -> None:
    known = typer.main.get_command(commands.app).commands  # type: ignore[attr-defined]
    wrong = []
    for page in PAGES:
        for command in said(page):
            name = command.split()[0]
            options = {each for param in known[name].params for each in (*param.opts, *param.secondary_opts)}
            unknown = set(OPTION.findall(re.sub(r"'[^']*'|\"[^\"]*\"", "", command))) - options - {"--help"}
            wrong += [f"{page.relative_to(ROOT)}: {command}"] if unknown else []
    assert wrong == []


def test_the_commands_of_the_methods_pages_run() -> None:
    """On the demo web in the place of `SITE.kin`, with two pages of it and a file of related pages."""
    topics = truth().topics
    alike = [(a, b) for a, b in combinations(sorted(topics), 2) if topics[a] == topics[b]]
    one, other = alike[0]
    meant = {"SITE.kin": "demo.kin", "site.kin": "demo.kin", "… related": "demo.kin related r.csv"}
    meant |= {"PAGE PAGE": f"{one} {other}", "URL": one, "FILE": "pairs.csv"}
    ran = []
    for page in sorted((ROOT / "docs" / "methods").glob("*.md")):
        for command in said(page):
            for placeholder, filled in meant.items():
                command = command.replace(placeholder, filled)
            ran += [f"$ pagekin {command}"] if " " in command else []  # a name alone is no command
    assert len(ran) > 10
    pairs = "\n".join(",".join(pair) for pair in alike)
    lines = "\n".join(["$ pagekin demo --no-browser", *ran])
    examples.rerun(f"`pairs.csv`\n```csv\n{pairs}\n```\n```console\n{lines}\n```\n")  # it raises if one fails


def test_what_an_example_prints_is_compared() -> None:
    page = "# A page\n\n```console\n$ echo one; echo two\none\nthree\n```\n"
    assert examples.rerun(page) == page.replace("three", "two")
    assert examples.alike(page) != examples.alike(examples.rerun(page))
    with pytest.raises(RuntimeError, match=r"there is no collection none\.kin"):
        examples.rerun("```console\n$ pagekin info none.kin\n```\n")


def test_a_file_is_the_one_that_the_line_before_names() -> None:
    page = "`a.csv`:\n\n```csv\nx,y\n```\n\n```console\n$ cat a.csv\nx,y\n```\n"
    assert examples.rerun(page) == page


def test_the_notebook_s_cells_print_what_it_says() -> None:
    said = json.loads(notebook.NOTEBOOK.read_text(encoding="utf-8"))
    again = notebook.rerun(said)
    assert sum(cell["cell_type"] == "code" for cell in said["cells"]) == 10
    assert len(again["cells"]) == len(said["cells"])
    for new, old in zip(again["cells"], said["cells"], strict=True):
        assert numbered(_printed(new)) == nearly(_printed(old)), "run: python -m docs.notebook"


def _printed(cell: dict) -> list[list[str]]:
    """What a cell prints, to the last space; tables in HTML and drawings say the same once more."""
    printed = ["".join(output.get("text") or output["data"]["text/plain"]) for output in cell.get("outputs", ())]
    return [re.split(r"(\s+)", text) for text in printed]
