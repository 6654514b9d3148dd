"""The first hour of a stranger: a clone, `make demo`, and then the commands that the documents show, in their order."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs.examples import BLOCK, COMMAND, FILE, PORT
from pagekin.demo.serving import serving

ROOT = Path(__file__).parents[1]
READ = ("README.md", "docs/start.md", "docs/guides/citations.md", "docs/guides/blog.md", "docs/guides/documentation.md")
VERBS = {"add", "build", "crawl", "demo", "export", "related", "remove", "search", "see-also"}
CUT = 128 + signal.SIGPIPE  # a command whose reader has gone, as `head` does
PATIENCE = 1_800  # seconds for make demo, which downloads packages


def run(command: str, folder: Path, variables: Mapping[str, str], patience: float = 600) -> str:
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=folder, env=variables, capture_output=True, text=True,
        timeout=patience,
    )  # fmt: skip
    ended = (0, CUT) if "| head" in command else (0,)
    assert done.returncode in ended, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("git"), reason="there is no git here")
def test_the_first_hour(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PAGEKIN", "MAKE"))}
    began = time.monotonic()
    run(f"git clone --quiet {ROOT} pagekin", tmp_path, plain)
    said = run("make demo", tmp_path / "pagekin", plain, PATIENCE)
    took = time.monotonic() - began
    assert said.startswith("Setting up .venv-demo, once") and "Successfully installed" in said
    assert re.search(r"^\d+ pages of the demo web are in demo\.kin", said, re.MULTILINE) and "links to both" in said
    with capfd.disabled():
        print(f"\nfrom git clone to related pages: {took:.0f} s")
    path = f"{tmp_path / 'pagekin' / '.venv-demo' / 'bin'}:{plain['PATH']}"
    used: set[str] = set()
    with serving() as address:
        for name in READ:
            folder = tmp_path / Path(name).stem
            folder.mkdir()
            text = (ROOT / name).read_text().replace(PORT, address.rpartition(":")[2])
            for block in BLOCK.finditer(text):
                if block[1] == "csv" and (named := FILE.search(text[: block.start()])):
                    (folder / named[1]).write_text(block[2])
                for command in COMMAND.finditer(block[2]) if block[1] == "console" else ():
                    run(command[1], folder, plain | {"PATH": path})
                    used |= set(re.findall(r"^pagekin ([\w-]+)", command[1]))
                if block[1] == "python":
                    (folder / "example.py").write_text(block[2])
                    assert run("python example.py", folder, plain | {"PATH": path})
    assert used >= VERBS
