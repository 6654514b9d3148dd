"""The table of every command that reads a collection, and how one is asked: in this process, with all it says kept.

A new command joins by one line in `QUESTIONS`: what to type, and the index that it is there to read, if any. `SITE`
stands for the collection, `PAGE` and `OTHER` for two of its pages, `WORD` for a word, `FILE` for a new file, whose
bytes are part of the answer.
"""

import contextlib
import functools
import io
import re
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from trials import child

QUESTIONS = (
    ("info SITE --json", ""),
    ("related SITE PAGE --why", ""),
    ("related SITE PAGE --why --json", "vectors"),
    ("related SITE PAGE OTHER --method co-citation --json", ""),
    ("related SITE PAGE --method hits --json", ""),
    ("related SITE PAGE --method walk --json", ""),
    ("related SITE PAGE --method companion --json", ""),
    ("related SITE PAGE --method cosine --json", ""),
    ("related SITE PAGE --method hamming --json", ""),
    ("related SITE PAGE --method siblings --why --json", ""),
    ("related SITE PAGE --method simrank --json", ""),
    ("related SITE PAGE --method assisted --why --json", "similarity"),
    ("related SITE PAGE --method assisted(measure=amsler) --json", "similarity"),
    ("related SITE PAGE --method block --why --json", "block-pairs"),
    ("related SITE PAGE --method semantic --json", "answers"),
    ("related SITE PAGE --method link --json", "answers"),
    ("related SITE PAGE --method integrated --why --json", "answers"),
    ("related SITE PAGE --method integrated(alpha=0.3) --json", "keywords"),
    ("related SITE PAGE --classes --json", "keywords"),
    ("blocks SITE PAGE --json", ""),
    ("search SITE WORD --json", "subrelevant"),
    ("search SITE WORD --alpha 0", "inverted"),
    ("search SITE WORD --expand --json", "subrelevant"),
    ("search SITE WORD --by tf-idf --alpha 0 --json", "inverted"),
    ("clusters SITE PAGE", "similarity"),
    ("clusters SITE PAGE --kind fan-out --json", ""),
    ("mirrors SITE --json", "similarity"),
    ("bridges SITE --json", "similarity"),
    ("compare SITE PAGE -m amsler -m assisted -m block -m integrated --json", "block-pairs"),
    ("keywords SITE PAGE --json", "keywords"),
    ("report SITE --json", ""),
    ("suggest SITE WORD --json", "keywords"),
    ("suggest SITE WORD --logical --json", "keywords"),
    ("suggest SITE --prefix WORD --json", "completions"),
    ("export SITE graph FILE.jsonl", ""),
    ("export SITE similarity FILE.jsonl", "similarity"),
    ("export SITE pages FILE.jsonl", ""),
    ("export SITE related FILE.jsonl -k 5", ""),
    ("evaluate SITE -m amsler -m assisted -m integrated --json", "answers"),
)
# What `info` says about the disk rather than about the content. It may change with a damaged file, or a repair.
OF_THE_DISK = re.compile(r'"bytes": \{[^}]*\}|"version": \d+')


@dataclass(frozen=True)
class Subject:
    """What to ask about: two pages and a word, all in the collection."""

    page: str
    other: str
    word: str

    def filled(self, question: str) -> str:
        """A question with these pages and this word in it."""
        known = {"PAGE": self.page, "OTHER": self.other, "WORD": self.word}
        return " ".join(known.get(word, word) for word in question.split(" "))


@dataclass(frozen=True)
class Answer:
    """All that a command said: `crash` is "" unless it ended in a traceback, died or did not end."""

    code: int = -1
    out: str = ""
    err: str = ""
    wrote: str = ""  # the hash of the file it wrote
    crash: str = ""


def all_questions(subject: Subject) -> dict[str, str]:
    """Every question about these pages, and the index that it is there to read, "" if it is there for the graph."""
    return {subject.filled(question): index for question, index in QUESTIONS}


def answers(site: Path, questions: Sequence[str], limit: float = child.LIMIT_S) -> list[Answer]:
    """The answers of a collection. Each comes from a forked process that has seen no other state of the collection."""
    told = child.each(lambda question: answer(site, question), questions, limit)
    return [Answer(crash=one.why) if isinstance(one, child.Died) else one for one in told]


def answer(site: Path, question: str) -> Answer:
    """Ask in this process. The place of the collection is spelled SITE in what was said."""
    with tempfile.TemporaryDirectory() as folder:
        stem = str(Path(folder) / "out")
        argv = [word.replace("FILE.", f"{stem}.").replace("SITE", str(site)) for word in question.split(" ")]
        code, out, err, crash = run(argv)
        files = sorted(Path(folder).iterdir())
        wrote = blake2b(b"".join(file.read_bytes() for file in files)).hexdigest() if files else ""
    out, err = (text.replace(stem, "FILE").replace(str(site), "SITE") for text in (out, err))
    return Answer(code, OF_THE_DISK.sub("", out), err, wrote, crash)


def shell_once() -> None:
    """Have the shell put its commands together once, not for each question, which would take half of the time."""
    import typer.main

    from pagekin.shell.commands import app

    typer.main.get_command = functools.cache(typer.main.get_command)
    typer.main.get_command(app)


def run(argv: Sequence[str]) -> tuple[int, str, str, str]:
    """Run a command of the shell in this process: exit code, stdout, stderr, and the last line of a traceback."""
    from pagekin.shell.main import main

    out, err, code, crash = io.StringIO(), io.StringIO(), 0, ""
    held, sys.argv = sys.argv, ["pagekin", *argv]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        code, crash = 1, "traceback: " + traceback.format_exc().strip().splitlines()[-1]
    finally:
        sys.argv = held
    return code, out.getvalue(), err.getvalue(), crash
