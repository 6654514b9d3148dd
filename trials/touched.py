"""Which files of a collection a question touches, as the system sees it: its answer cannot depend on any other.

`strace` notes every call that names a file: opening, size, existence. Opening a folder touches all that is in it. A
question that runs undisturbed without touching a file runs in the same way whatever happens to that file.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from trials import child, questions
from trials.damage import files

LIMIT_S = 600.0  # for a question of a large collection
MARK = "/the-question-with-number/"  # a path that is asked for before each question, to find it in the log
_PATH = re.compile(r'["<](/[^">]*)[">]')
_OPENS = re.compile(r"\d+ +open")  # the call, not a path with such a name


def touched(site: Path, asked: Sequence[str]) -> dict[str, frozenset[str]]:
    """The files that each question touches: all of them if there is no `strace`, or it may not look."""
    held = files(site)
    everything = dict.fromkeys(asked, frozenset(held))
    if not shutil.which("strace"):
        return everything
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        look = ("strace", "-f", "-qq", "-y", "--seccomp-bpf", "-e", "trace=%file", "-o", str(log))
        command = (*look, sys.executable, "-m", "trials.touched", str(site), *asked)
        if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode:
            return everything
        with log.open(errors="replace") as lines:
            found = from_log(lines, site, held)
    return {question: found[number] for number, question in enumerate(asked)}


def from_log(lines: Iterable[str], site: Path, held: Sequence[str]) -> Mapping[int, frozenset[str]]:
    """The files that are named between one mark and the next, and all files of the folders that are opened."""
    found: dict[int, set[str]] = {}
    number = -1
    for line in lines:
        for path in _PATH.findall(line):
            if path.startswith(MARK):
                number = int(path.removeprefix(MARK))
                found[number] = set()
            elif number >= 0 and Path(path).is_relative_to(site):
                below = str(Path(path).relative_to(site))
                opened = _OPENS.match(line) is not None and (site / below).is_dir()
                found[number].update(file for file in held if file == below or (opened and _within(file, below)))
    return {number: frozenset(names) for number, names in found.items()}


def _within(file: str, folder: str) -> bool:
    return folder == "." or file.startswith(f"{folder}/")


def main(site: Path, asked: Sequence[str]) -> None:
    """Ask each question in a process of its own, which has seen nothing yet."""
    questions.shell_once()
    child.prepare(lambda question: questions.answer(site, question), asked)
    for number, question in enumerate(asked):
        Path(f"{MARK}{number}").exists()
        if questions.answers(site, [question], LIMIT_S)[0].code:
            raise RuntimeError(f"it fails under strace: {question}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
