"""The examples of the documents run, and print what the documents say."""

import json
from pathlib import Path

import pytest

from docs import examples, notebook

ROOT = Path(__file__).parents[1]
GUIDES = [f"docs/guides/{page.name}" for page in (ROOT / "docs" / "guides").glob("*.md")]


@pytest.mark.parametrize("page", ["README.md", "docs/start.md", *sorted(GUIDES)])
def test_a_page_s_examples_print_what_it_says(page: str) -> None:
    text = (ROOT / page).read_text()
    assert "```console" in text
    again = examples.rerun(text)
    assert examples.alike(again) == examples.alike(text), f"run: python -m docs.examples {page}"


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
    assert [_printed(cell) for cell in again["cells"]] == [_printed(cell) for cell in said["cells"]], (
        "run: python -m docs.notebook"
    )


def _printed(cell: dict) -> list[str]:
    """What a cell prints; tables in HTML and drawings say the same once more."""
    return ["".join(output.get("text") or output["data"]["text/plain"]) for output in cell.get("outputs", ())]
