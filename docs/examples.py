"""Runs the examples of pages, and writes what they print into the pages: `python -m docs.examples PAGE.md…`

In a page, ```console blocks are commands behind `$ ` with what they print, ```python blocks are run, and a ```csv block
is the file that the line before it names. All of a page run one after another in one new folder. A page that names the
port of the demo web, 8042, has it served meanwhile. A test runs them again, and compares.
"""

import io
import logging
import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pagekin.demo.serving import serving
from pagekin.shell.main import main

PORT = "8042"
BLOCK = re.compile(r"^```(console|python|csv)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
FILE = re.compile(r"`([\w.-]+)`[^`]*\Z")
PATIENCE = 300  # seconds for one command of the shell


def rerun(text: str) -> str:
    """A page with what its commands print today."""
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, chdir(folder), serving() if PORT in text else nullcontext() as at:
        port = at.rpartition(":")[2] if at else PORT

        def block(found: re.Match[str]) -> str:
            kind, body = found.groups()
            if kind == "console":
                body = COMMAND.sub(lambda each: f"$ {each[1]}\n{_printed(each[1].replace(PORT, port))}", body)
                body = body.replace(port, PORT)
            elif kind == "python":
                exec(compile(body.replace(PORT, port), "example", "exec"), names)
            elif named := FILE.search(found.string[: found.start()]):
                Path(named[1]).write_text(body)
            return f"```{kind}\n{body}```"

        return BLOCK.sub(block, text)


def _printed(command: str) -> str:
    """What a command prints, messages first. One of pagekin is run in this process, which takes less time."""
    if not command.startswith("pagekin ") or set(command) & set("|>&;"):
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command], env=os.environ | {"PATH": path}, capture_output=True, text=True, timeout=PATIENCE
        )
        return _lines(done.stderr + done.stdout)
    out, err = io.StringIO(), io.StringIO()
    notes = logging.getLogger("pagekin")
    with (
        patch.object(sys, "argv", shlex.split(command)), redirect_stdout(out), redirect_stderr(err),
        patch.object(notes, "handlers", [logging.StreamHandler(err)]), patch.object(notes, "propagate", False),
    ):  # fmt: skip
        try:
            main()
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(f"{command}: exit code {ended.code}: {err.getvalue()}") from None
    return _lines(err.getvalue() + out.getvalue())


def _lines(text: str) -> str:
    """What was printed, without the spaces that fill a line, and without the name of the folder that it was run in."""
    return "".join(f"{line.rstrip()}\n" for line in text.replace(f"{Path.cwd()}/", "").splitlines())


def alike(text: str) -> list[list[str]]:
    """A page for comparison: a crawl names archives after the time, and pages in the order in which they came."""
    return [sorted(re.sub(r"\d{14,}-\d+\S*|[,:]", " ", line).split()) for line in text.splitlines()]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name).resolve()
        page.write_text(rerun(page.read_text()))
