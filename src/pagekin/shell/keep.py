"""The commands about a collection as a whole: build, info, export, evaluate, scrub."""

from pathlib import Path
from typing import Annotated

import typer

from pagekin.shell import output
from pagekin.shell.options import Format, Json, Site, say, telling


def build(
    site: Site,
    index: Annotated[list[str], typer.Option(metavar="NAME", help="Also this index.")] = [],
    method: Annotated[list[str], typer.Option(metavar="M", help="Also what this method needs.")] = [],
) -> None:
    """Fold new parts in, compact small ones, and make what methods need.

    With --method semantic, link or integrated also every page's 15 best: minutes to hours for a large collection.
    """
    from pagekin.answers.collection import Collection

    with telling() as tell:
        Collection(site).build(index, method, tell)  # which tells what it made as it goes


def info(site: Site, format: Format = "table", json: Json = False) -> None:
    """Counts, sizes, what is built and what is stale."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    found = Collection(site).info()
    if format == "json":
        output.print_json(found.as_dict())
    else:
        output.show_rows(found.rows(), format, ("what", "value"))


def export(
    site: Site,
    what: Annotated[str, typer.Argument(metavar="related|graph|similarity|pages", help="What to write.")],
    path: Annotated[Path, typer.Argument(metavar="PATH", help=".parquet .csv .jsonl .gexf .graphml .net")],
    method: Annotated[
        str | None, typer.Option("--method", "-m", metavar="M", help="For related; for similarity an assisted(…).")
    ] = None,
    k: Annotated[int, typer.Option("-k", metavar="N", help="For related: how many of each page.")] = 15,
) -> None:
    """Write the link graph, the similarity graph, the pages, or everybody's related pages to a file."""
    from pagekin.answers.collection import Collection

    with telling() as tell:
        report = Collection(site).export(what, path, method, k, tell)
    for line in report.lines:
        say(line)


def evaluate(
    site: Site,
    labels: Annotated[Path | None, typer.Option(metavar="FILE", help="page,label; or the labels of the data.")] = None,
    related: Annotated[Path | None, typer.Option(metavar="FILE", help="page,page: pairs known to be related.")] = None,
    method: Annotated[list[str], typer.Option("--method", "-m", metavar="M", help="All, if none is named.")] = [],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many results are looked at.")] = 15,
    tables: Annotated[str | None, typer.Option(metavar="PAPER", help="The tables of a paper instead: paper1 …")] = None,
    queries: Annotated[Path | None, typer.Option(metavar="FILE", help="For paper2: questions in words.")] = None,
    qrels: Annotated[Path | None, typer.Option(metavar="FILE", help="For paper2: the pages that answer them.")] = None,
    one_click: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For paper2: qrels that count pages one click away, too.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="With --tables: its figures, .svg .png .pdf")] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """How good the methods are on data whose answer is known."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    with telling() as tell:
        answer = Collection(site).evaluate(
            labels, related, method, k, tables, queries, qrels, one_click, out, progress=tell
        )
    output.show(answer, format)
    if out is not None:
        say(f"wrote the figures of {tables} to {out}")


def scrub(site: Site) -> None:
    """Find malformed or inconsistent entries and repair them, saying what was done."""
    from pagekin.answers.collection import Collection

    with telling() as tell:
        Collection(site).scrub(tell)  # which tells what it did as it goes
