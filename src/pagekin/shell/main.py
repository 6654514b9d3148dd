"""The shell: the collection comes first, then what is asked."""

import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from pagekin.errors import PagekinError, UsageError
from pagekin.shell import ask as questions
from pagekin.shell import output
from pagekin.shell.options import Format, Json, Site, say

INTERRUPTED = 130  # what a shell expects of a command that Ctrl-C ended

app = typer.Typer(
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Finds the pages related to a page from the way pages link to each other, and says why.",
)


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
    from pagekin.answers.collection import Collection
    from pagekin.answers.progress import counting, told

    with counting() as progress:
        report = Collection(site).add(
            *paths, kind=kind, base_url=base_url, text=not no_text, icann_only=icann_only, say=say, progress=progress
        )
    for line in told(report):
        say(line)
    if report.nothing_read:
        raise PagekinError("nothing could be read")


@app.command()
def crawl(
    site: Site,
    urls: Annotated[list[str], typer.Argument(metavar="URL", help="Where to begin.")],
    radius: Annotated[int, typer.Option(metavar="N", help="How many links to go from there.")] = 2,
    max_pages: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many pages.")] = None,
    across: Annotated[bool, typer.Option("--across", help="Follow links to other sites.")] = False,
    include: Annotated[list[str], typer.Option(metavar="PATTERN", help="Only addresses with this regex.")] = [],
    exclude: Annotated[list[str], typer.Option(metavar="PATTERN", help="No addresses with this regex.")] = [],
    sitemap: Annotated[bool, typer.Option("--sitemap", help="Also what the sites' sitemaps list.")] = False,
    backlinks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="source,target: pages that link to these, to be fetched too.")
    ] = None,
    refresh_after: Annotated[
        str | None, typer.Option(metavar="AGE", help="Fetch pages older than this again: 30d, 12h.")
    ] = None,
    rate: Annotated[float, typer.Option(metavar="R", help="Requests a second to one host; 0: no limit.")] = 1.0,
    at_once: Annotated[int, typer.Option(metavar="N", help="Requests at a time to one host.")] = 1,
    timeout: Annotated[float, typer.Option(metavar="S", help="Seconds for one answer.")] = 30.0,
    per_pattern: Annotated[
        int, typer.Option(metavar="N", help="At most so many addresses that differ in numbers and values only.")
    ] = 5000,
    contact: Annotated[str | None, typer.Option(metavar="TEXT", help="Your address, for owners of sites.")] = None,
    warc: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep what comes in as WARC files.")] = None,
    resolve: Annotated[
        list[str], typer.Option(metavar="HOST=ADDRESS:PORT", help="Connect there for this host; or a file of these.")
    ] = [],
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also machines of your own network and this one.")
    ] = False,
    no_text: Annotated[bool, typer.Option("--no-text", help="Keep no text: smaller, but no snippets.")] = False,
) -> None:
    """Fetch a site politely and add its pages. The same command again goes on where it was stopped."""
    from pagekin.acquire.crawl.addresses import resolutions
    from pagekin.acquire.crawl.settings import EVERYWHERE
    from pagekin.answers import crawl as crawling

    with crawling.watching() as watch:
        report, source = crawling.crawl(
            site, urls, radius=radius, max_pages=max_pages, across=across, include=tuple(include),
            exclude=tuple(exclude), sitemaps=sitemap, backlinks=backlinks, refresh_after=refresh_after, rate=rate,
            at_once=at_once, timeout=timeout, per_pattern=per_pattern, contact=contact,
            warc=warc and warc.absolute(), resolve=resolutions(resolve), private=EVERYWHERE if allow_private else (),
            text=not no_text, watch=watch,
        )  # fmt: skip
    for line in crawling.told(source.progress, report):
        say(line)
    if source.stopped:
        raise typer.Exit(INTERRUPTED)
    if not site.exists():
        raise PagekinError("no page could be fetched")


@app.command()
def build(
    site: Site,
    index: Annotated[list[str], typer.Option(metavar="NAME", help="Also this index.")] = [],
    method: Annotated[list[str], typer.Option(metavar="M", help="Also what this method needs.")] = [],
) -> None:
    """Fold new parts in, compact small ones, and make what methods need.

    With --method semantic, link or integrated also every page's 15 best: minutes to hours for a large collection.
    """
    from pagekin.answers.build import build as run
    from pagekin.answers.progress import building

    with building() as begin:
        for line in run(site, index, method, begin):
            say(line)


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


for question in questions.ALL:  # here, because --help has the commands in the order in which they are entered
    app.command()(question)


@app.command()
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
    from pagekin.answers.export import export as run

    say(run(site, what, path, method, k))


@app.command()
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
    from pagekin.evaluate.experiment import evaluate as run
    from pagekin.evaluate.papers.tables import Options

    format = output.checked("json" if json else format)
    if tables is not None:
        from pagekin.evaluate.papers.tables import Options
        from pagekin.evaluate.papers.tables import tables as tables_of

        if related or method:
            raise UsageError("--tables has its own truth and methods; leave --related and --method out")
        answer, drawn = tables_of(site, tables, Options(labels, queries, qrels, one_click), out)
        output.show(answer, format, list(answer["results"][0]) if answer["results"] else ["table"])
        return say(drawn) if drawn else None
    if any((queries, qrels, one_click, out)):
        raise UsageError("--queries, --qrels, --one-click and --out go with --tables, as --tables paper2")
    answer = run(site, labels, related, method, k)
    output.show(answer, format, list(answer["results"][0]) if answer["results"] else ["method"])


@app.command()
def scrub(site: Site) -> None:
    """Find malformed or inconsistent entries and repair them, saying what was done."""
    from pagekin.collection.scrub import scrub as run

    for line in run(site):
        say(line)


@app.command()
def demo(
    site: Annotated[Path | None, typer.Argument(metavar="SITE.kin", help="Where to keep it.")] = None,
) -> None:
    """A small web of our own, added and asked."""
    from pagekin.shell.demo import demo as run

    run(site)


def _brief(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count:,}" for name, count in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
