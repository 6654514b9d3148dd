"""The commands that trials kill: on which collection each begins, how long it takes, what it leaves undisturbed."""

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from trials import child, content, sites
from trials.damage import clone
from trials.questions import run

ADDED_PAGES = 600  # more than `add` parses in its own process, so that it starts workers
CRAWLED_PAGES = 60
# A process that has imported what it needs says so, and only then the time of the kill begins to count.
BEGIN = """
import importlib, sys
from pagekin.shell.main import main
importlib.import_module("pagekin.answers." + sys.argv[1])
print("begun", flush=True)
main()
"""
KINDS = ("add", "crawl", "build", "compact", "scrub")
WITH_PROCESSES = ("add", "crawl")  # they start processes of their own, for which they must be one themselves
LIMIT_S = 300.0
FEW_KINDS = ("compact", "scrub")


@dataclass(frozen=True)
class Work:
    """A command to kill: the collection it begins with, how long it usually takes, what is there before and after."""

    kind: str
    site: Path
    argv: tuple[str, ...]  # SITE stands for the collection
    seconds: float
    before: dict[str, set[int]]
    after: dict[str, set[int]]


@contextlib.contextmanager
def prepared(folder: Path, kinds: Sequence[str]) -> Iterator[list[Work]]:
    """The commands to kill, each run once undisturbed, with a web server on loopback for as long as this lasts."""
    web, table = folder / "web", folder / "links.csv"
    for name, pages in (("add", ADDED_PAGES), ("crawl", CRAWLED_PAGES)):
        _write_web(web / name, pages)
    ends = ((f"http://t{n % 7}.example/{n}", f"http://t{n * n % 7}.example/{n * n % 50}") for n in range(200))
    table.write_text("source,target\n" + "".join(f"{source},{target}\n" for source, target in ends))
    whole, several = folder / "whole.kin", folder / "several.kin"
    child.once(sites.make_parts, several)
    child.prepare(run, [["build", str(clone(several, folder / "built.kin"))]])  # so that forks have the kernels
    child.once(run, ["build", str(clone(several, whole)), "--index", "graph"])
    with _server(web / "crawl") as address:
        commands = {
            "add": (whole, ("add", "SITE", str(web / "add"), str(table), "--base-url", "http://added.example/")),
            "crawl": (whole, ("crawl", "SITE", address, "--allow-private", "--rate", "0", "--radius", "9")),
            "build": (whole, ("build", "SITE")),
            "compact": (several, ("build", "SITE")),
            "scrub": (several, ("scrub", "SITE")),
        }
        yield [_undisturbed(folder, kind, *commands[kind]) for kind in kinds]


def _write_web(folder: Path, pages: int) -> None:
    folder.mkdir(parents=True)
    for number in range(pages):
        links = "".join(f'<li><a href="{(number * step + 1) % pages}.html">link {step}</a>' for step in (1, 2, 3))
        name = f"{number}.html" if number else "index.html"
        (folder / name).write_text(f"<title>Page {number}</title><p>words of page {number}<ul>{links}</ul>")


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[str]:
    command = (sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        said = process.stdout.readline() if process.stdout else ""
        try:
            yield f"http://127.0.0.1:{re.findall('port ([0-9]+)', said)[0]}/"
        finally:
            process.kill()


def _undisturbed(folder: Path, kind: str, site: Path, argv: tuple[str, ...]) -> Work:
    with TemporaryDirectory(dir=folder) as beside:
        copy = clone(site, Path(beside) / "s.kin")
        before = held_rows(copy)
        process = started(copy, argv)
        began = time.monotonic()
        said = process.communicate()[1]
        seconds = time.monotonic() - began
        if process.returncode or isinstance(before, child.Died) or isinstance(after := held_rows(copy), child.Died):
            raise RuntimeError(f"{kind} fails even undisturbed: {said}")
    return Work(kind, site, argv, seconds, before, after)


def held_rows(site: Path) -> dict[str, set[int]] | child.Died:
    """The rows that a collection holds, whenever they were fetched."""
    return child.once(lambda path: content.row_hashes(path, timeless=True), site)


def run_again(work: Work, site: Path) -> str:
    """Run the same command to its end; returns what is wrong, "" if nothing is."""
    if work.kind in WITH_PROCESSES:
        process = started(site, work.argv)
        said = process.communicate()[1]
        return said.strip()[-200:] if process.returncode else ""
    done = child.once(run, [word.replace("SITE", str(site)) for word in work.argv], LIMIT_S)
    return done.why if isinstance(done, child.Died) else (done[3] or done[2][-200:]) if done[0] or done[3] else ""


def started(site: Path, argv: tuple[str, ...]) -> "subprocess.Popen[str]":
    """The command as a process in a session of its own, when it has imported what it needs."""
    import pagekin

    environment = os.environ | {"PYTHONPATH": str(Path(pagekin.__file__ or "").parents[1])}
    words = [word.replace("SITE", str(site)) for word in argv]
    process = subprocess.Popen(
        (sys.executable, "-c", BEGIN, *words), env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
    )  # fmt: skip
    if process.stdout:
        process.stdout.readline()
    return process
