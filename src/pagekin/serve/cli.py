"""The shell: the collection comes first, then what is asked."""

import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from pagekin.errors import PagekinError, UsageError
from pagekin.serve import output

INTERRUPTED = 130  # what a shell expects of a command that Ctrl-C ended

app = typer.Typer(
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Finds the pages related to a page from the way pages link to each other, and says why.",
)

Site = Annotated[Path, typer.Argument(metavar="SITE.kin", help="The collection: a folder that pagekin made.")]
Format = Annotated[str, typer.Option("--format", metavar="|".join(output.FORMATS), help="How to print the rows.")]
Json = Annotated[bool, typer.Option("--json", help="Short for --format json.")]


def main() -> None:
    """Run a command; a user's mistake is a sentence on stderr, never a traceback."""
    if hasattr(signal, "SIGPIPE"):  # `pagekin … | head`: end as other programs do when nobody reads on
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal without “ ” or ü shows an escape instead
            stream.reconfigure(errors="backslashreplace")
    try:
        ended = app(prog_name="pagekin", standalone_mode=False)
        if ended == INTERRUPTED:
            print("pagekin: interrupted; what was committed stays, the same command again goes on", file=sys.stderr)
        sys.exit(ended)
    except PagekinError as error:
        print(f"pagekin: {output.clean(str(error))}", file=sys.stderr)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except OSError as error:
        print(f"pagekin: {error.strerror or error}{f': {error.filename}' if error.filename else ''}", file=sys.stderr)
        sys.exit(1)
    except Exception as error:
        if hasattr(error, "show") and hasattr(error, "exit_code"):  # click's own: a flag that does not exist …
            error.show()
            sys.exit(error.exit_code)
        raise


@app.command()
def add(
    site: Site,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Archives, folders of HTML, tables of links.")],
    base_url: Annotated[str | None, typer.Option(metavar="URL", help="The address of a folder of HTML.")] = None,
    kind: Annotated[str, typer.Option("--from", metavar="KIND", help="What the paths are; auto looks.")] = "auto",
    no_text: Annotated[bool, typer.Option("--no-text", help="Keep no text: smaller, but no snippets.")] = False,
    icann_only: Annotated[
        bool, typer.Option("--icann-only", help="At creation: github.io and the like are one site each.")
    ] = False,
) -> None:
    """Add pages from archives, folders and tables of links; the collection is made where there is none."""
    from pagekin.serve.progress import counting, told
    from pagekin.serve.query import Collection

    with counting() as progress:
        report = Collection(site).add(
            *paths, kind=kind, base_url=base_url, text=not no_text, icann_only=icann_only, say=_say, progress=progress
        )
    for line in told(report):
        _say(line)
    if report.nothing_read:
        raise PagekinError("nothing could be read")


@app.command()
def build(
    site: Site,
    index: Annotated[list[str], typer.Option(metavar="NAME", help="Also this index.")] = [],
    method: Annotated[list[str], typer.Option(metavar="M", help="Also what this method needs.")] = [],
) -> None:
    """Fold new parts in, compact small ones, and make what methods need."""
    from pagekin.serve.build import build as run

    for line in run(site, index, method):
        _say(line)


@app.command()
def info(site: Site, format: Format = "table", json: Json = False) -> None:
    """Counts, sizes, what is built and what is stale."""
    from pagekin.collection.describe import describe
    from pagekin.collection.store import Store

    format = output.checked("json" if json else format)
    found = describe(Store(site))
    if format == "json":
        output.print_json(found)
    else:
        rows = [{"what": name.replace("_", " "), "value": _brief(value)} for name, value in found.items()]
        output.show({"results": rows}, format, ["what", "value"])


@app.command()
def related(
    site: Site,
    pages: Annotated[list[str], typer.Argument(metavar="PAGE", help="One page, or several to be related to all.")],
    method: Annotated[
        str, typer.Option("--method", "-m", metavar="M", help="E.g. co-citation(direct=false).")
    ] = "amsler",
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many.")] = 15,
    why: Annotated[bool, typer.Option("--why", help="The evidence for each result.")] = False,
    other_sites: Annotated[bool, typer.Option("--other-sites", help="Only pages of other sites.")] = False,
    unlinked: Annotated[bool, typer.Option("--unlinked", help="Only pages not linked with it already.")] = False,
    per_host: Annotated[int | None, typer.Option(metavar="N", help="At most N pages of one host.")] = None,
    picked: Annotated[bool, typer.Option("--picked", help="Never two of one host next to each other.")] = False,
    exclude: Annotated[list[str], typer.Option(metavar="PATTERN", help="Leave out addresses with this regex.")] = [],
    min_score: Annotated[float | None, typer.Option(metavar="X", help="Leave out lower scores.")] = None,
    classes: Annotated[bool, typer.Option("--classes", help="Grouped, each class with its main keywords.")] = False,
    format: Format = "table",
    json: Json = False,
) -> None:
    """The pages related to a page, best first."""
    from pagekin.serve.filters import Filters
    from pagekin.serve.query import Collection
    from pagekin.serve.words import sentences

    format = output.checked("json" if json else format)
    filters = Filters(other_sites, unlinked, per_host, picked, tuple(exclude), min_score)
    collection = Collection(site)
    ranking = collection.related(*pages, k=k, method=method, why=why, filters=filters)
    answer = ranking.as_dict()
    columns = ["rank", "score", "title", "url"]
    if classes:
        answer["classes"] = collection.classes(ranking)
        answer["results"] = _in_classes(answer["results"], answer["classes"], format)
        columns = ["class", *columns]
    if format == "table":
        for row in answer["results"] if why else ():
            row["lines"] = sentences(row["why"])
    if answer["unknown"] and format != "json":
        _say(f"not in the collection: {', '.join(answer['unknown'])}")
    output.show(answer, format, columns, RELATED_FIELDS)


def _in_classes(rows: list[dict[str, Any]], classes: list[dict[str, Any]], format: str) -> list[dict[str, Any]]:
    """Each row with its class; class after class in a table, else in order of rank."""
    named = [{**rows[rank - 1], "class": ", ".join(each["label"]) or "–"} for each in classes for rank in each["ranks"]]
    return named if format == "table" else sorted(named, key=lambda row: row["rank"])


RELATED_FIELDS = ("rank", "url", "title", "host", "score", "linked", "bridge", "mirrors")


@app.command()
def keywords(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="A page.")],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many.")] = 20,
    format: Format = "table",
    json: Json = False,
) -> None:
    """The main keywords of a page: those most relevant to all that it is about."""
    from pagekin.serve.query import Collection

    format = output.checked("json" if json else format)
    output.show(Collection(site).keywords(page, k), format, ["word", "score"])


@app.command()
def suggest(
    site: Site,
    words: Annotated[list[str], typer.Argument(metavar="WORD", help="One word, or several to go with all.")],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many.")] = 15,
    logical: Annotated[bool, typer.Option("--logical", help="Across links: on pages that theirs link to.")] = False,
    information: Annotated[
        bool, typer.Option("--information", help="With --logical: mutual information in place of support.")
    ] = False,
    support: Annotated[float, typer.Option(metavar="S", help="The part of support, 0 to 1.")] = 0.5,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Words that go with the given words."""
    from pagekin.serve.query import Collection

    format = output.checked("json" if json else format)
    if information and not logical:
        raise UsageError("--information is about --logical words; give both")
    answer = Collection(site).suggest(*words, k=k, logical=logical, information=information, support=support)
    output.show(answer, format, ["word", "score"])


@app.command()
def export(
    site: Site,
    what: Annotated[str, typer.Argument(metavar="related|graph|pages", help="What to write.")],
    path: Annotated[Path, typer.Argument(metavar="PATH", help=".parquet .csv .jsonl .gexf .graphml .net")],
    method: Annotated[str, typer.Option("--method", "-m", metavar="M", help="For related.")] = "amsler",
    k: Annotated[int, typer.Option("-k", metavar="N", help="For related: how many of each page.")] = 15,
) -> None:
    """Write the link graph, the pages, or everybody's related pages to a file."""
    from pagekin.serve.export import export as run

    _say(run(site, what, path, method, k))


@app.command()
def evaluate(
    site: Site,
    labels: Annotated[Path | None, typer.Option(metavar="FILE", help="page,label; or the labels of the data.")] = None,
    related: Annotated[Path | None, typer.Option(metavar="FILE", help="page,page: pairs known to be related.")] = None,
    method: Annotated[list[str], typer.Option("--method", "-m", metavar="M", help="All, if none is named.")] = [],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many results are looked at.")] = 15,
    tables: Annotated[str | None, typer.Option(metavar="PAPER", help="A paper's own tables: paper4.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --tables: also draw the paper's figure.")
    ] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """How good the methods are on data whose answer is known."""
    from pagekin.evaluate.experiment import evaluate as run
    from pagekin.evaluate.tables import Options
    from pagekin.evaluate.tables import tables as print_tables

    format = output.checked("json" if json else format)
    if out and not tables:
        raise UsageError("--out draws a paper's figure; name it with --tables")
    answer = print_tables(tables, site, Options(labels), out) if tables else run(site, labels, related, method, k)
    output.show(answer, format, list(answer["results"][0]) if answer["results"] else ["method"])


@app.command()
def scrub(site: Site) -> None:
    """Find malformed or inconsistent entries and repair them, saying what was done."""
    from pagekin.collection.scrub import scrub as run

    for line in run(site):
        _say(line)


@app.command()
def demo(
    site: Annotated[Path | None, typer.Argument(metavar="SITE.kin", help="Where to keep it.")] = None,
) -> None:
    """A small web of our own, added and asked."""
    from pagekin.serve.demo import demo as run

    run(site)


def _say(line: str) -> None:
    """What a person wants to know while a command runs; answers alone go to stdout."""
    indent = " " * (len(line) - len(line.lstrip(" ")))
    print(indent + output.clean(line), file=sys.stderr)


def _brief(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count:,}" for name, count in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
