"""Runs the notebook and writes what its cells print into it: `python -m docs.notebook`. A test runs it, and compares.

A cell is Python whose last expression is shown, as in Jupyter, which is not needed here: people open the notebook in
Jupyter, a test only sees to it that it is true.
"""

import ast
import io
import json
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parent / "tour.ipynb"
MIME = {"text/plain": "__repr__", "text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}


def rerun(notebook: dict[str, Any]) -> dict[str, Any]:
    """A notebook with what its cells print today; they run in a new folder."""
    names: dict[str, Any] = {}
    cells, count = [], 0
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                cell = {**cell, "execution_count": count, "outputs": _outputs("".join(cell["source"]), names, count)}
            cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Run a cell; what it prints, and what its last expression is."""
    tree, last, printed = ast.parse(source), None, io.StringIO()
    if isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
    with redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {
            mime: getattr(value, name)().splitlines(keepends=True)
            for mime, name in MIME.items()
            if hasattr(value, name)
        }
        found.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data})
    return found


if __name__ == "__main__":
    text = json.dumps(rerun(json.loads(NOTEBOOK.read_text(encoding="utf-8"))), ensure_ascii=False, indent=1)
    NOTEBOOK.write_text(text + "\n", encoding="utf-8")
