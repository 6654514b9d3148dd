"""`evaluate`: measure methods on data with known answers, write reports and TREC files; or the tables of a paper."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pagekin.answers.build import build
from pagekin.answers.export.files import cannot_write, whole
from pagekin.answers.progress import Progress, Tell, reporting_rows
from pagekin.collection import tuned
from pagekin.collection.manifest import GRAPH, KEPT
from pagekin.collection.store import Store
from pagekin.collection.vectors import has_vectors
from pagekin.collection.writer import writing
from pagekin.errors import UsageError, unknown
from pagekin.evaluate import index_entries, see_also
from pagekin.evaluate.experiment import Evaluation, evaluate
from pagekin.evaluate.figures import check_drawing
from pagekin.evaluate.hiding import without_links
from pagekin.evaluate.judgements import read as read_judgements
from pagekin.evaluate.papers import whole as whole_report
from pagekin.evaluate.papers.tables import ALL, FIGURE_FILES, Options, PaperTables, named, tables
from pagekin.evaluate.searching import DEFAULTS, search
from pagekin.evaluate.trec import qrels_lines, run_lines
from pagekin.evaluate.truth import Labels, Relevance, labels_of, linked_pairs, read_labels, read_pairs, without_truth
from pagekin.index.answers import Answers
from pagekin.methods import REGISTRY, method
from pagekin.wording import option

REPORT_FILES = (".html", ".htm")
HIDE = ("related",)  # what can be hidden


@dataclass(frozen=True)
class Asked:
    """What an evaluation was asked for; the fields are the options of the verb."""

    labels: Path | None = None
    related: Path | None = None
    queries: Path | None = None
    qrels: Path | None = None
    one_click: Path | None = None
    methods: Sequence[str] = ()
    k: int = 15
    tables: str | None = None
    hide: str | None = None
    compare_with: Sequence[Path] = ()
    trec: Path | None = None
    out: Path | None = None
    see_also: bool = False
    index_entries: bool = False
    fetched: bool | None = None
    page: str | None = None
    blocks: Path | None = None


def evaluation(store: Store, asked: Asked, tell: Tell) -> Evaluation | PaperTables:
    """Answer an evaluation, and write the files it asks for."""
    if asked.out is not None:
        check_drawing()
    if asked.tables is not None:
        return _tables(store, asked, tell)
    _check(asked)
    if asked.see_also or asked.index_entries:
        with _held_out(store, asked, tell) as (seen, told):
            return _measured(seen, told, asked, tell, store, numbers_differ=True)
    truth = _truth(store, asked)
    said = [*without_truth(store, truth), *(linked_pairs(store, truth) if asked.related and not asked.hide else ())]
    truth = replace(truth, notes=(*truth.notes, *said))
    with _hiding(store, truth, asked, tell) as (seen, told):
        return _measured(seen, told, asked, tell, store)


def _measured(
    seen: Store, told: Labels | Relevance, asked: Asked, tell: Tell, real: Store, numbers_differ: bool = False
) -> Evaluation:
    """Measure, and write the files. `real`: what `seen` was made from; its pages may have other numbers."""
    store = seen if numbers_differ else real
    number: dict[str, int] = {}  # method → which of all it is
    of = len(asked.methods) or len(DEFAULTS if told.words else REGISTRY)

    def measuring(text: str, done: int, questions: int) -> None:
        tell(Progress(f"{text} ({number.setdefault(text, len(number) + 1)} of {of})", done, questions))

    made = evaluate(
        seen, told, asked.methods, asked.k, file=asked.related or asked.labels or asked.qrels,
        runs=asked.compare_with, real=store, fetched=asked.fetched, tell=measuring,
    )  # fmt: skip
    notes = tuple(
        note.replace(str(seen.path), str(real.path)) for note in made.notes
    )  # what to build is said of `real`
    made = replace(made, notes=notes, note="; ".join(notes) or None)
    if asked.trec is not None:
        _write_trec(store, made, told, asked.trec)
    if asked.out is not None:
        tell(Progress("report"))
        with whole(asked.out) as beside:
            _write(store, made, told, asked.out.suffix.lower(), beside, real.path)
    return made


def _tables(store: Store, asked: Asked, tell: Tell) -> PaperTables:
    """The tables of a paper or of all, and their figures or a report."""
    written = str(asked.tables)
    name = ALL if written == ALL else named(written)
    graded = name in (ALL, "r-score")
    foreign = {
        "related": asked.related and not graded, "method": asked.methods and not graded, "hide": asked.hide,
        "compare_with": asked.compare_with, "trec": asked.trec, "see_also": asked.see_also,
        "index_entries": asked.index_entries, "fetched": asked.fetched is not None,
        "page": asked.page and name not in (ALL, "paper5"),
        "blocks": asked.blocks and name not in (ALL, "segmentation"),
    }  # fmt: skip
    if any(foreign.values()):
        leave = " and ".join(option(name) for name, value in foreign.items() if value)
        raise UsageError(f"{option('tables', written)} has its own truth and methods; leave out {leave}")
    files = Options(
        asked.labels, asked.queries, asked.qrels, asked.one_click, asked.related, asked.methods, asked.k, asked.page,
        asked.blocks,
    )  # fmt: skip
    report = asked.out is not None and asked.out.suffix.lower() in REPORT_FILES
    if name == ALL and asked.out is not None and not report:
        raise UsageError(f"all tables go into one report, .html, not '{asked.out.name}'")
    with reporting_rows(tell, written):
        if name != ALL and not report:
            return tables(store, written, files, asked.out)
        return _report(store, written, files, asked.out)


def _report(store: Store, written: str, files: Options, out: Path | None) -> PaperTables:
    """All tables, or those of one paper, as a report; if those that were named cannot be made, that is an error."""
    named_alone = None if written == ALL else whole_report.made(store, written, files)
    parts = [named_alone] if named_alone else list(whole_report.every(store, files, figures=out is not None))
    if out is not None:
        with whole(out) as beside:
            beside.write_text(whole_report.html(store, parts), encoding="utf-8")
    return named_alone.answer if named_alone and named_alone.answer else whole_report.together(parts)


def _check(asked: Asked) -> None:
    """Refuse options that contradict each other, before any work is done."""
    truths = {
        "labels": asked.labels, "related": asked.related, "queries": asked.queries or asked.qrels,
        "see_also": asked.see_also, "index_entries": asked.index_entries,
    }  # fmt: skip
    given = [name for name, file in truths.items() if file]
    if len(given) > 1:
        named = " and ".join(map(option, given))
        raise UsageError(f"{named} are {len(given)} different truths; give only one of them")
    if (asked.queries is None) != (asked.qrels is None):
        here, missing = ("queries", "qrels") if asked.queries else ("qrels", "queries")
        what = {"queries": "the questions in words", "qrels": "the pages that answer them"}[missing]
        raise UsageError(f"{option(here)} needs {option(missing)}: {what}")
    for name, needed in (("one_click", "paper2"), ("page", "paper5"), ("blocks", "segmentation")):
        if getattr(asked, name):
            raise UsageError(f"{option(name)} needs {option('tables', needed)}")
    if asked.hide is not None and asked.hide not in HIDE:
        raise unknown("value of hide", asked.hide, HIDE)
    if asked.hide == "related" and not asked.related:
        raise UsageError(
            f"{option('hide', 'related')} hides the links between pages that {option('related')} pairs; give that"
        )
    endings = (*REPORT_FILES, *FIGURE_FILES)
    if asked.out is not None and asked.out.suffix.lower() not in endings:
        forms = f"{REPORT_FILES[0]} is a report, {' '.join(FIGURE_FILES)} are its figures"
        raise UsageError(f"{option('out')} writes what the ending says: {forms}; not '{asked.out.name}'")


def _truth(store: Store, asked: Asked) -> Labels | Relevance:
    if asked.queries and asked.qrels:
        return read_judgements(store, asked.queries, asked.qrels)
    if asked.related:
        return read_pairs(store, asked.related)
    return read_labels(store, asked.labels) if asked.labels else labels_of(store)


Seen = tuple[Store, Labels | Relevance]


@contextmanager
def _hiding(store: Store, truth: Labels | Relevance, asked: Asked, tell: Tell) -> Iterator[Seen]:
    """The collection as methods may see it: itself, or a temporary copy without the links that are the truth."""
    if asked.hide is None:
        yield store, truth
        return
    with TemporaryDirectory(prefix="pagekin-") as folder:
        copy = Path(folder) / store.path.name
        tell(Progress("hiding links"))
        pairs = ((int(page), other) for page in truth.asked for other, _ in truth.relevant(page))
        count = without_links(store, pairs, copy)
        hidden = f"{count:,} links between pages that {asked.related} pairs; their words stay in the text of the pages"
        prepare(copy, store, asked.methods, tell)
        yield Store(copy), replace(truth, hidden=hidden)


@contextmanager
def _held_out(store: Store, asked: Asked, tell: Tell) -> Iterator[tuple[Store, Relevance]]:
    """A temporary collection without what the pages themselves say about the truth, and that truth."""
    hide = see_also.hide if asked.see_also else index_entries.hide
    with TemporaryDirectory(prefix="pagekin-") as folder:
        copy = Path(folder) / store.path.name
        _, truth = hide(store, copy, lambda done, pages: tell(Progress("reading the pages anew", done, pages)))
        if asked.see_also:
            prepare(copy, store, asked.methods, tell)
        else:
            searches = [search(written) for written in asked.methods or DEFAULTS]
            names = dict.fromkeys(repr(index) for each in searches for index in each.indexes)
            build(copy, list(names), (), lambda progress: tell(replace(progress, lasting=False)))
        seen = Store(copy)
        without = ["vectors that were added are left out: they may come from the truth"] if has_vectors(store) else []
        yield seen, replace(truth, notes=(*truth.notes, *without_truth(seen, truth), *without))


def prepare(copy: Path, store: Store, methods: Sequence[str], tell: Tell) -> None:
    """Make in a copy the indexes that these methods need or, if none is named, those that the collection has.

    Weights that were tuned count in the copy too.
    """
    made = Store(copy)
    needed = [each.index for each in (method(text).chosen_for(made) for text in methods) if each.index is not None]
    held = [name for name in store.manifest.indexes if not name.startswith((GRAPH, *KEPT, f"{Answers.name}("))]
    names = list(dict.fromkeys(map(repr, needed))) if methods else held
    if names:
        build(copy, names, (), lambda progress: tell(replace(progress, lasting=False)))
    if found := tuned.weights(store):
        with writing(copy) as writer:
            tuned.keep(writer, found)


def _write(
    store: Store, made: Evaluation, truth: Labels | Relevance, ending: str, path: Path, collection: Path
) -> None:
    """Write the report, or only its figures."""
    if ending in REPORT_FILES:
        from pagekin.evaluate.report import html

        path.write_text(html(made, store, truth, collection), encoding="utf-8")
    else:
        from pagekin.evaluate.plots import draw

        draw(made, path, ending[1:])


def _write_trec(store: Store, made: Evaluation, truth: Labels | Relevance, folder: Path) -> None:
    """Write a run for each method, and the truth as qrels."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error
    _write_lines(folder / "qrels.txt", qrels_lines(store, truth))
    names: dict[str, int] = {}
    for each in made.measured:
        name = re.sub(r"[^\w.=-]+", "-", each.name).strip("-.") or "run"
        names[name] = names.get(name, 0) + 1
        again = f"-{names[name]}" if names[name] > 1 else ""
        _write_lines(folder / f"{name}{again}.run", run_lines(store, truth, each.lists, each.name))


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with whole(path) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
