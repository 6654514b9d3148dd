"""The collections before any damage: what they answer and hold, to compare with."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from trials import cases, child, content, damage, questions, sites, touched
from trials.cases import Trial

T = TypeVar("T")

# Together larger than this, opened files are checked for size and bounds only, and in full by scrub (docs/trials.md).
LARGE = 64 << 20
FEW = 2
NEW_LINK = "source,target\nhttp://trial.example/a,http://trial.example/b\n"


def trials(folder: Path, given: Path | None, few: bool) -> Iterator[Trial]:
    """The collections to damage, each with what it says and holds undisturbed."""
    if given is not None:
        shutil.copytree(given, folder / given.name)
        yield undisturbed(folder / given.name, few)
        return
    both = (("demo.kin", sites.make_demo), ("parts.kin", sites.make_parts))
    for name, make in both[:1] if few else both:
        _sound(child.once(make, folder / name, cases.LONG_S))
        yield undisturbed(folder / name, few)


def undisturbed(path: Path, few: bool) -> Trial:
    """A collection to damage: its questions that have an answer, their answers, its content, its bytes after scrub."""
    asked = questions.all_questions(_sound(child.once(sites.subject, path, cases.LONG_S)))
    large = sum((path / file).stat().st_size for file in damage.files(path)) > LARGE
    if few or large:  # some questions take minutes there
        asked = {question: index for question, index in asked.items() if _comes_first(question, index, asked)}
    table = path.with_suffix(".csv")
    table.write_text(NEW_LINK)
    questions.shell_once()
    works: list[Callable[[], object]] = [partial(questions.answer, path, question) for question in asked]
    with TemporaryDirectory(dir=path.parent) as folder:
        if not (few or large):
            works += _repairs(damage.clone(path, Path(folder) / "copy.kin"), table)
        child.prepare(lambda work: work(), works)
    known = dict(zip(asked, questions.answers(path, list(asked), cases.LONG_S), strict=True))
    known = {question: answer for question, answer in known.items() if answer.code == 0 and not answer.crash}
    with TemporaryDirectory(dir=path.parent) as folder:
        copy = damage.clone(path, Path(folder) / "scrubbed.kin")
        for _ in range(2):
            said = _sound(child.once(questions.run, ["scrub", str(copy)], cases.LONG_S))
        if "nothing to repair" not in said[2]:
            raise RuntimeError(f"undisturbed, a second scrub finds something: {said[2]}")
        repaired = dict(zip(known, questions.answers(copy, list(known), cases.LONG_S), strict=True))
        for question, again in repaired.items():
            if not question.startswith("info") and cases.judged(known[question], again, ()) != cases.SAME:
                raise RuntimeError(f"undisturbed, the answer changes from one time to the next: {question}")
        scrubbed = content.fingerprint(copy)
        _sound(child.once(questions.run, ["add", str(copy), str(table)], cases.LONG_S))
        added = _sound(child.once(content.content, copy, cases.LONG_S))
    held = _sound(child.once(content.content, path, cases.LONG_S))
    asked = {question: asked[question] for question in known}
    touches = {} if few else touched.touched(path, list(asked))
    return Trial(path.name, path, asked, known, repaired, held, scrubbed, table, added, touches, large)


def _repairs(copy: Path, table: Path) -> list[Callable[[], object]]:
    """What a child does after the questions, on a copy in which every index has to be made again."""
    for folder in (copy / "index").iterdir():
        next(file for file in sorted(folder.iterdir()) if file.suffix != ".json").unlink()
    return [
        partial(questions.run, [*argv])
        for argv in (("scrub", str(copy)), ("add", str(copy), str(table)), ("build", str(copy), "--all"))
    ]


def _comes_first(question: str, index: str, asked: Mapping[str, str]) -> bool:
    """Whether a question is the first of its index, or one of the first that are there for the graph and the parts."""
    return question in [other for other, of in asked.items() if of == index][: 1 if index else FEW]


def _sound(result: T | child.Died) -> T:
    if isinstance(result, child.Died):
        raise RuntimeError(f"an undisturbed collection fails: {result.why}")
    return result
