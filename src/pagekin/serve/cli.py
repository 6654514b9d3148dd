"""The shell: the collection comes first, then what is asked."""

import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagekin.errors import PagekinError, UsageError, unknown
from pagekin.serve import output

if TYPE_CHECKING:
    from pagekin.collection.store import Store

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

LINK_KINDS = ("fan-out", "fan-in", "cyclic", "trivial")


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
    from pagekin.serve import crawl as crawling

    with crawling.watching() as watch:
        report, source = crawling.crawl(
            site, urls, radius=radius, max_pages=max_pages, across=across, include=tuple(include),
            exclude=tuple(exclude), sitemaps=sitemap, backlinks=backlinks, refresh_after=refresh_after, rate=rate,
            at_once=at_once, timeout=timeout, per_pattern=per_pattern, contact=contact,
            warc=warc and warc.absolute(), resolve=resolutions(resolve), private=EVERYWHERE if allow_private else (),
            text=not no_text, watch=watch,
        )  # fmt: skip
    for line in crawling.told(source.progress, report):
        _say(line)
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
    from pagekin.serve.build import build as run
    from pagekin.serve.progress import building

    with building() as begin:
        for line in run(site, index, method, begin):
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


@app.command()
def blocks(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="The page whose links are shown.")],
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the page with its blocks outlined.")] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """The links of a page in the blocks they stand in."""
    from pagekin.collection.store import Store
    from pagekin.serve.blocks import blocks as run
    from pagekin.serve.blocks import write_html

    format = output.checked("json" if json else format)
    store = Store(site)
    answer = run(store, page)
    if html is not None:
        _say(write_html(store, page, html))
    if format == "table":
        for row in answer["results"]:
            row["lines"] = [f"{link['anchor']}  {link['url']}" for link in row["links"]]
            row["links"] = len(row["lines"])
    output.show(answer, format, ["block", "label", "links"])


RELATED_FIELDS = ("rank", "url", "title", "host", "score", "linked", "bridge", "mirrors")


@app.command()
def search(
    site: Site,
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="What to look for.")],
    alpha: Annotated[
        float | None, typer.Option(metavar="X", help="0: a page's own words; 1: its clusters' words. [default: 0.8]")
    ] = None,
    kind: Annotated[str, typer.Option(metavar="|".join(LINK_KINDS), help="Which clusters.")] = "fan-out",
    tau: Annotated[int, typer.Option(metavar="N", help="How long a path they follow.")] = 20,
    by: Annotated[
        str, typer.Option(metavar="tf-idf|bm25", help="How words are weighed; bm25 has no clusters.")
    ] = "tf-idf",
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many.")] = 15,
    format: Format = "table",
    json: Json = False,
) -> None:
    """The pages with these words, and those that lead to them, best first."""
    from pagekin.serve.query import Collection
    from pagekin.serve.words import found

    format = output.checked("json" if json else format)
    answer = Collection(site).search(" ".join(words), k, alpha, kind, tau, by)  # type: ignore[arg-type]
    if format == "table":
        for row in answer["results"]:
            row["lines"] = found(row)
    output.show(answer, format, ["rank", "score", "title", "url"], SEARCH_FIELDS)


SEARCH_FIELDS = ("rank", "url", "title", "score", "snippet", "words", "leads_to")


@app.command()
def clusters(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="Around which page.")],
    kind: Annotated[
        str, typer.Option(metavar="|".join(("assisted", *LINK_KINDS)), help="Which clusters.")
    ] = "assisted",
    alpha: Annotated[
        float, typer.Option(metavar="A", help="Of assisted: near 0 one growing chain, near 1 sharp groups.")
    ] = 0.5,
    measure: Annotated[
        str, typer.Option(metavar="M", help="Of assisted: co-citation, coupling or amsler; or a whole assisted(…).")
    ] = "co-citation",
    tau: Annotated[int, typer.Option(metavar="N", help="Of link clusters: how long a path they follow.")] = 20,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Of assisted: draw to .svg .png .nwk .json instead.")
    ] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """The hierarchy of the pages around a page, as a dendrogram; or who is in its link clusters, and how far."""
    from pagekin.serve.hierarchy import asked_for
    from pagekin.serve.hierarchy import clusters as run

    format = output.checked("json" if json else format)
    if kind != "assisted":
        from pagekin.cluster.subrelevant import Subrelevant
        from pagekin.serve.linkclusters import FIELDS, link_clusters

        if kind not in LINK_KINDS:
            raise unknown("kind of clusters", kind, ("assisted", *LINK_KINDS))
        if out is not None:
            raise UsageError("--out draws the hierarchy of --kind assisted; link clusters are rows")
        answer = link_clusters(_store(site), page, Subrelevant(kind, tau))  # type: ignore[arg-type]
        return output.show(answer, format, FIELDS)
    found = run(_store(site), page, asked_for(measure, alpha))
    if out is not None:
        _say(found.drawn(out))
    if format == "json":
        output.print_json(found.as_dict())
    elif format == "table" and out is None:
        print(found.drawn())
    elif format != "table":
        output.show({"results": found.rows()}, format, ["left", "right", "height", "pages"])
    if found.note and format != "json" and found.hierarchy:
        _say(found.note)


@app.command()
def mirrors(
    site: Site,
    method: Annotated[str, typer.Option("--method", "-m", metavar="M", help="Whose similarities.")] = "assisted",
    format: Format = "table",
    json: Json = False,
) -> None:
    """Pages that are copies of each other: the same citers and the same text."""
    from pagekin.serve.hierarchy import asked_for
    from pagekin.serve.hierarchy import mirrors as run

    format = output.checked("json" if json else format)
    output.show(run(_store(site), asked_for(method)), format, ["urls"])


@app.command()
def bridges(
    site: Site,
    method: Annotated[str, typer.Option("--method", "-m", metavar="M", help="Whose similarities.")] = "assisted",
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many.")] = 15,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Cross-topic pages: those whose related pages are far from each other."""
    from pagekin.serve.hierarchy import asked_for, cross_topic

    format = output.checked("json" if json else format)
    answer = cross_topic(_store(site), asked_for(method), k)
    output.show(answer, format, ["rank", "score", "url", "witnesses"], ["rank", "url", "title", "score", "witnesses"])


@app.command()
def compare(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="One page.")],
    method: Annotated[list[str], typer.Option("--method", "-m", metavar="M", help="Two or more of them.")] = [],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many results of each.")] = 15,
    out: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write a page to look at instead.")] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Methods side by side: their lists, hosts, what is new in them and what they share."""
    from pagekin.serve import compare as comparing

    format = output.checked("json" if json else format)
    if out is not None:
        comparing.check(out)
    answer = comparing.compare(site, page, method, k)
    if out is not None:
        _say(comparing.write(answer, out))
    elif format == "json":
        output.print_json(answer)
    elif format == "table":
        output.show({"results": comparing.side_by_side(answer)}, format, ["rank", *comparing.methods(answer)])
        output.show(answer, format, ["method", "hosts", "diversity", "novelty", "alone", "note"])
        output.show({"results": answer["overlap"]}, format, ["methods", "common", "share"])
    else:
        output.show({"results": comparing.lists(answer)}, format, (), ("method", *RELATED_FIELDS))


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
    what: Annotated[str, typer.Argument(metavar="related|graph|similarity|pages", help="What to write.")],
    path: Annotated[Path, typer.Argument(metavar="PATH", help=".parquet .csv .jsonl .gexf .graphml .net")],
    method: Annotated[
        str | None, typer.Option("--method", "-m", metavar="M", help="For related; for similarity an assisted(…).")
    ] = None,
    k: Annotated[int, typer.Option("-k", metavar="N", help="For related: how many of each page.")] = 15,
) -> None:
    """Write the link graph, the similarity graph, the pages, or everybody's related pages to a file."""
    from pagekin.serve.export import export as run

    _say(run(site, what, path, method, k))


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
    from pagekin.evaluate.tables import Options

    format = output.checked("json" if json else format)
    if tables is not None:
        from pagekin.evaluate.tables import Options
        from pagekin.evaluate.tables import tables as tables_of

        if related or method:
            raise UsageError("--tables has its own truth and methods; leave --related and --method out")
        answer, drawn = tables_of(site, tables, Options(labels, queries, qrels, one_click), out)
        output.show(answer, format, list(answer["results"][0]) if answer["results"] else ["table"])
        return _say(drawn) if drawn else None
    if any((queries, qrels, one_click, out)):
        raise UsageError("--queries, --qrels, --one-click and --out go with --tables, as --tables paper2")
    answer = run(site, labels, related, method, k)
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


def _store(site: Path) -> "Store":
    from pagekin.collection.store import Store

    return Store(site)


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
