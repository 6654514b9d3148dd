"""The commands about a collection as a whole: build, info, export, evaluate, tune, scrub."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagekin.errors import UsageError
from pagekin.shell import output
from pagekin.shell.options import Fetched, Format, Json, Master, OnEngine, Shown, Site, filtered, say, telling

if TYPE_CHECKING:
    from pagekin.answers.filters import Filters


def build(
    site: Site,
    index: Annotated[list[str], typer.Option(metavar="NAME", help="Make this index.")] = [],
    method: Annotated[list[str], typer.Option(metavar="M", help="Make what this method needs.")] = [],
    all: Annotated[bool, typer.Option("--all", help="Make what any method needs.")] = False,
    drop: Annotated[
        list[str], typer.Option(metavar="NAME", help="Remove this index, and make nothing; info lists them.")
    ] = [],
    engine: OnEngine = "local",
    master: Master = None,
    progress: Shown = False,
) -> None:
    """Fold in new parts, compact small ones, and make the indexes that the default method and search need.

    Indexes that exist are renewed, whichever they are. With --method semantic, link or integrated, also find the 15
    best for every page: minutes to hours if it is large.
    """
    from pagekin.answers.collection import Collection

    with telling(progress) as tell:
        Collection(site).build(index, method, tell, drop, all, engine, master)  # it reports what it makes as it goes


def info(site: Site, format: Format = "table", json: Json = False) -> None:
    """Show counts, sizes, what is built and what is stale."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    found = output.asked(format, Collection(site).info)
    if format == "json":
        output.print_json(found.as_dict())
    else:
        output.show_rows(found.rows(), format, ("what", "value"))


@filtered
def export(
    site: Site,
    what: Annotated[str, typer.Argument(metavar="related|graph|similarity|pages", help="What to write.")],
    path: Annotated[
        str, typer.Argument(metavar="PATH", help=".parquet .csv .jsonl .gexf .graphml .net; - is standard output.")
    ],
    method: Annotated[
        str | None, typer.Option("--method", "-m", metavar="M", help="For related: any; for similarity: assisted(…).")
    ] = None,
    k: Annotated[int, typer.Option("-k", metavar="N", help="For related: how many for each page.")] = 15,
    safe: Annotated[bool, typer.Option("--safe", help="For .csv: no cell is a formula in a spreadsheet.")] = False,
    format: Annotated[
        str | None, typer.Option(metavar="csv|jsonl|…", help="The format, where the ending of PATH does not give it.")
    ] = None,
    filters: "Filters | None" = None,
    progress: Shown = False,
) -> None:
    """Write the link graph, the similarity graph, the pages, or the related pages of every page to a file.

    Filters are for related pages. Fetched pages are covered, if there are any, with --no-fetched all pages.
    """
    from pagekin.answers.collection import Collection

    with telling(progress) as tell:
        report = Collection(site).export(what, path, method, k, tell, safe, filters, format)
    for line in report.lines:
        say(line)


def report(
    site: Site,
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many of each kind.")] = 20,
    out: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Also write it as one page; - prints it.")
    ] = None,
    progress: Shown = False,
    format: Format = "table",
    json: Json = False,
) -> None:
    """List what to mend in a site: broken links, orphans, dead ends, missing links, copies …"""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    if out == output.STDOUT:
        with output.printing(".html") as page, telling(progress) as tell:
            Collection(site).report(k, page, tell)
        return
    with telling(progress) as tell:
        found = output.asked(format, lambda: Collection(site).report(k, out, tell))
    output.show(found, format)


def evaluate(
    site: Site,
    labels: Annotated[
        Path | None, typer.Option(metavar="FILE", help="page,label rows; by default the data's labels.")
    ] = None,
    related: Annotated[
        Path | None, typer.Option(metavar="FILE", help="page,page rows: pairs known to be related; or page,page,grade.")
    ] = None,
    queries: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Questions in words: SMART, TREC topics, number<TAB>words.")
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The pages that answer them: TREC or SMART qrels.")
    ] = None,
    see_also: Annotated[
        bool, typer.Option("--see-also", help="The truth is what pages name under “See also”, hidden from the methods.")
    ] = False,
    index_entries: Annotated[
        bool, typer.Option("--index-entries", help="The entries of the pages' indexes are questions for a search.")
    ] = False,
    method: Annotated[
        list[str],
        typer.Option(
            "--method", "-m", metavar="M", help="A method to measure, by default all; with --queries: search(…)."
        ),
    ] = [],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many results to judge.")] = 15,
    hide: Annotated[
        str | None,
        typer.Option(metavar="related", help="Do not let methods see the links between the pages of --related."),
    ] = None,
    compare_with: Annotated[
        list[Path], typer.Option(metavar="RUN", help="Measure a ranking made elsewhere, too: a TREC run.")
    ] = [],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report, .html, or only its figures, .svg .png .pdf")
    ] = None,
    trec: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the rankings as TREC runs, and the truth as qrels.")
    ] = None,
    fetched: Fetched = None,
    by_query: Annotated[bool, typer.Option("--by-query", help="Print a row for each question and method.")] = False,
    tables: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Print the tables of a paper instead: paper1 … paper5, segmentation, r-score; or all."
        ),
    ] = None,
    page: Annotated[
        str | None, typer.Option(metavar="URL", help="For paper5: the page; by default the one with most in-links.")
    ] = None,
    blocks: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="For segmentation: page,blocks rows, 0-2 3 4-9; by default the headings."),
    ] = None,
    one_click: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For paper2: qrels that also count pages one click away.")
    ] = None,
    progress: Shown = False,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Measure how good the methods are on data with known answers."""
    from pagekin.answers.collection import Collection
    from pagekin.evaluate.experiment import Evaluation

    format = output.checked_format("json" if json else format)
    if by_query and tables:
        raise UsageError("--by-query is not for --tables; leave out one of them")
    with telling(progress) as tell:
        answer = Collection(site).evaluate(
            labels, related, method, k, tables, queries, qrels, one_click, out, hide, compare_with, trec, tell,
            see_also, index_entries, fetched, page, blocks,
        )  # fmt: skip
    if isinstance(answer, Evaluation) and not by_query and format == "table":
        output.show_sections(answer.sections(), answer.hidden, answer.notes)
    else:
        output.show(answer.by_query() if isinstance(answer, Evaluation) and by_query else answer, format)
    if out is not None:
        what = "the report" if out.suffix.lower().startswith(".htm") else "the figures"
        what += f" of {tables}" if tables else ""
        say(f"wrote {what} to {out}")
    if trec is not None:
        say(f"wrote the rankings and qrels.txt to {trec}")


def tune(
    site: Site,
    related: Annotated[
        Path | None, typer.Option(metavar="FILE", help="page,page rows: pairs known to be related; or page,page,grade.")
    ] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Remove the weights that were kept.")] = False,
    progress: Shown = False,
) -> None:
    """Fit the weights of the method fused to pairs of related pages; they are kept if they help on pages held out."""
    from pagekin.answers.collection import Collection

    with telling(progress) as tell:
        report = Collection(site).tune(related, reset, tell)
    for line in report.lines:
        say(line)


def scrub(site: Site, progress: Shown = False) -> None:
    """Find malformed or inconsistent entries, repair them, and say what was done."""
    from pagekin.answers.collection import Collection

    with telling(progress) as tell:
        Collection(site).scrub(tell)  # it reports what it does as it goes
