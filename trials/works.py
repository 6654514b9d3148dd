"""The commands that trials kill: on which collection each begins, how long it takes, what it leaves undisturbed."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from trials import child, content, sites
from trials.damage import clone
from trials.processes import ended, started
from trials.questions import run, shell_once

ADDED_PAGES = 600  # more than `add` parses in its own process, so that it starts workers
CRAWLED_PAGES = 60
SYNCED_PAGES, SYNCED_GONE = 30, 5
KINDS = ("add", "crawl", "build", "compact", "scrub", "remove", "sync")
REMOVING = ("remove", "sync")
LIMIT_S = 300.0
FEW_KINDS = ("compact", "scrub", "remove")


@dataclass(frozen=True)
class Work:
    """A command to kill: the collection it begins with, how long it usually takes, what is there before and after."""

    kind: str
    site: Path
    argv: tuple[str, ...]  # SITE stands for the collection
    seconds: float  # from the beginning of its work
    before: dict[str, set[int]]  # that must stay
    after: dict[str, set[int]]
    old: dict[str, set[int]] | None = None  # of a command that removes rows: all that is there before


@contextlib.contextmanager
def prepared(folder: Path, kinds: Sequence[str]) -> Iterator[list[Work]]:
    """The commands to kill, each run once undisturbed, with a web server on loopback for as long as this lasts."""
    web, table = folder / "web", folder / "links.csv"
    for name, pages in (("add", ADDED_PAGES), ("crawl", CRAWLED_PAGES), ("sync", SYNCED_PAGES)):
        _write_web(web / name, pages)
    ends = ((f"http://t{n % 7}.example/{n}", f"http://t{n * n % 7}.example/{n * n % 50}") for n in range(200))
    table.write_text("source,target\n" + "".join(f"{source},{target}\n" for source, target in ends))
    whole, several = folder / "whole.kin", folder / "several.kin"
    shell_once()
    child.once(sites.make_parts, several)
    first = ["build", str(clone(several, folder / "built.kin"))]  # so that forks have the kernels
    child.prepare(run, [[*first, "--all"] if "build" in kinds else [*first, "--index", "graph"]])
    child.once(run, ["build", str(clone(several, whole)), "--index", "graph"])
    from_folder = ("add", "SITE", str(web / "sync"), "--base-url", "http://synced.example/")
    synced = clone(whole, folder / "synced.kin")
    if "sync" in kinds:
        child.once(run, [word.replace("SITE", str(synced)) for word in from_folder])
        for number in range(1, 1 + SYNCED_GONE):
            (web / "sync" / f"{number}.html").unlink()
    with _server(web / "crawl") as address:
        commands = {
            "add": (whole, ("add", "SITE", str(web / "add"), str(table), "--base-url", "http://added.example/")),
            "crawl": (whole, ("crawl", "SITE", address, "--allow-private", "--rate", "0", "--radius", "9")),
            "build": (whole, ("build", "SITE", "--all")),
            "compact": (several, ("build", "SITE", "--index", "graph")),
            "scrub": (several, ("scrub", "SITE")),
            "remove": (whole, ("remove", "SITE", "--matching", "http://host1.example/*", "--yes")),
            "sync": (synced, (*from_folder, "--sync")),
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
        began = time.monotonic()
        problem = completed(argv, copy)
        seconds = time.monotonic() - began
        after = held_rows(copy)
    if problem or isinstance(before, child.Died) or isinstance(after, child.Died):
        raise RuntimeError(f"{kind} fails even undisturbed: {problem}")
    if kind in REMOVING:
        stays = {table: rows & after[table] for table, rows in before.items()}
        return Work(kind, site, argv, seconds, stays, after, before)
    return Work(kind, site, argv, seconds, before, after)


def begun(argv: Sequence[str], site: Path) -> int:
    """Start a command on a collection; returns its process id."""
    return started([word.replace("SITE", str(site)) for word in argv], site.with_suffix(".log"))


def completed(argv: Sequence[str], site: Path) -> str:
    """Run a command to its end; returns what went wrong, "" if nothing did."""
    pid = begun(argv, site)
    code = ended(pid, LIMIT_S)
    if code is None:
        os.kill(pid, signal.SIGKILL)
    return "" if code == 0 else f"code {code}: {site.with_suffix('.log').read_text().strip()[-200:]}"


def held_rows(site: Path) -> dict[str, set[int]] | child.Died:
    """The rows that a collection holds, whenever they were fetched."""
    return child.once(lambda path: content.row_hashes(path, timeless=True), site)
