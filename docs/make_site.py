"""The documents as a site: gathers the pages in build/pages, from which MkDocs makes build/site. `make docs` runs it.

The pages keep their places, README.md at the top and docs/ below, so every link among them holds. Two things that would
otherwise stand in two places are filled in: a method's figures, from the leaderboard's results, and the notebook.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "build" / "pages"
FRONT = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "LICENSE",
    "bench/README.md",
    "extension/README.md",
)
RESULTS = ROOT / "leaderboard" / "results.json"
FIGURES = re.compile(r"^<!-- figures: (.*) -->$", re.MULTILINE)
BEST = "fused"  # the default, which every page shows for comparison
MAIN = "nDCG@10"


def gather(folder: Path = PAGES) -> None:
    """Copy every page, and fill in what is made from elsewhere."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("*.py", "__pycache__", "*.ipynb"))
    for name in FRONT:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8").replace("tour.ipynb", "tour.md")
        page.write_text(FIGURES.sub(lambda found: figures(found[1].split()), text), encoding="utf-8")
    notebook = json.loads((ROOT / "docs" / "tour.ipynb").read_text(encoding="utf-8"))
    (folder / "docs" / "tour.md").write_text(as_page(notebook), encoding="utf-8")


def figures(methods: list[str]) -> str:
    """nDCG@10 of some methods, and of the default, on every set of the leaderboard that asks for related pages."""
    held = json.loads(RESULTS.read_text(encoding="utf-8"))
    sets = {name: _of(held[name]["rows"]) for name in held if not name.endswith("-search")}
    shown = [*methods, *(() if BEST in methods else (BEST,))]
    lines = [["", *(f"`{method}`" for method in shown)], ["---", *("--:" for _ in shown)]]
    for name, rows in sets.items():
        lines.append([name, *(f"{rows[method]:.3f}" if method in rows else "" for method in shown)])
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return f"\n{MAIN} with default settings:\n\n{table}\n"


def _of(rows: list[dict[str, Any]]) -> dict[str, float]:
    """The main figure of each method by its bare name; `block(scope=site)` is what `block` chose to be."""
    plain = [row for row in rows if "links=all" not in row["method"]]
    return {row["method"].partition("(")[0]: row[MAIN] for row in plain}


def as_page(notebook: dict[str, Any]) -> str:
    """A notebook in Markdown: its text, its code, and what that showed."""
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
        parts += [_shown(output) for output in cell.get("outputs", ())]
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any]) -> str:
    """An output of a cell: a drawing or a table as HTML, anything else as text."""
    data = output.get("data", {"text/plain": output.get("text")})
    drawn = data.get("image/svg+xml") or data.get("text/html")
    text = "".join(drawn or data["text/plain"]).strip()
    flat = " ".join(text.split("\n"))  # a blank line would end the HTML
    return f"<div>{flat}</div>" if drawn else f"```text\n{text}\n```"


if __name__ == "__main__":
    gather()
