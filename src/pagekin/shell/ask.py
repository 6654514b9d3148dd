"""The commands that ask a collection a question and print rows.

Heavy imports are inside the functions, so that `pagekin --help` and each question pay only for what they need.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagekin.errors import UsageError
from pagekin.model import DEFAULT_METHOD
from pagekin.shell import output
from pagekin.shell.options import Format, Json, K, Shown, Site, filtered, say, telling

if TYPE_CHECKING:
    from pagekin.answers.filters import Filters

LINK_KINDS = ("fan-out", "fan-in", "cyclic", "trivial")


@filtered
def related(
    site: Site,
    pages: Annotated[
        list[str] | None, typer.Argument(metavar="PAGE", help="One page, or several: results are related to all.")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", "-m", metavar="M", help="The method, e.g. co-citation(direct=false).")
    ] = DEFAULT_METHOD,
    k: K = 15,
    why: Annotated[bool, typer.Option("--why", help="Show the evidence for each result.")] = False,
    why_all: Annotated[bool, typer.Option("--why-all", help="Likewise, every line of it.")] = False,
    filters: "Filters | None" = None,
    classes: Annotated[bool, typer.Option("--classes", help="Group results into classes with labels.")] = False,
    history: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A visit: an address per line, newest last; none is a result.")
    ] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Find the pages related to a page, best first."""
    from pagekin.answers.collection import Collection
    from pagekin.collection.lookup import addresses

    format = output.checked_format("json" if json else format)
    visited = [] if history is None else addresses(history)
    answer = output.asked(
        format,
        lambda: Collection(site).related(
            *(pages or []), k=k, method=method, why=why or why_all, filters=filters, classes=classes, history=visited
        ),
    )
    if answer.unknown and format != "json":
        say(f"not in the collection: {', '.join(answer.unknown)}")
    if classes and format == "table":
        answer = answer.by_class()
    if format == "table":
        output.say_lines(answer.shared_reasons())
    output.show(answer, format, [answer.reasons(at, why_all) for at in range(len(answer))])


def methods(
    site: Annotated[
        Path | None, typer.Argument(metavar="SITE.kin", help="A collection: which methods can be asked there?")
    ] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """List the methods: what each takes for related, which indexes it uses, and whether a collection has them."""
    from pagekin.answers.collection import Collection
    from pagekin.answers.methods import methods as known

    format = output.checked_format("json" if json else format)
    output.show(known() if site is None else Collection(site).methods(), format)


def pair(
    site: Site,
    one: Annotated[str, typer.Argument(metavar="PAGE", help="One page.")],
    other: Annotated[str, typer.Argument(metavar="PAGE", help="The other page.")],
    why: Annotated[bool, typer.Option("--why", help="Show the evidence between them.")] = False,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Say how related two pages are; 0 is what any two pages have."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    answer = output.asked(format, lambda: Collection(site).pair(one, other, why))
    output.show(answer, format, [answer.reasons(at) for at in range(len(answer))] if why else ())


def blocks(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="The page whose links to show.")],
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the page with its blocks outlined; - prints it.")
    ] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Show the links of a page, block by block."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    if html == output.STDOUT:
        with output.printing(".html") as drawn:
            Collection(site).blocks(page, drawn)
        return
    answer = output.asked(format, lambda: Collection(site).blocks(page, html))
    if html is not None:
        say(f"wrote {html}: {answer.as_dict()['query'][0]['url']} with its blocks outlined")
    if format == "table":
        output.say_lines(answer.as_lines())
    else:
        output.show(answer, format)


def search(
    site: Site,
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS", help='Words, "an exact phrase", -unwanted, title:word, site:host.')
    ],
    alpha: Annotated[
        float | None,
        typer.Option(metavar="X", help="0: a page's own words; 1: its clusters' words. [default: 0.05; tf-idf: 0.8]"),
    ] = None,
    kind: Annotated[str, typer.Option(metavar="|".join(LINK_KINDS), help="The kind of clusters.")] = "fan-out",
    tau: Annotated[int, typer.Option(metavar="N", help="The longest path that clusters follow.")] = 20,
    by: Annotated[
        str, typer.Option(metavar="bm25|tf-idf", help="How to weigh words: by fields and length, or as in the paper.")
    ] = "bm25",
    expand: Annotated[bool, typer.Option("--expand", help="Let words of the first pages join the question.")] = False,
    k: K = 15,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Find the pages with these words, and pages that lead to them, best first."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    asked = {"k": k, "alpha": alpha, "kind": kind, "tau": tau, "by": by, "expand": expand}
    answer = output.asked(format, lambda: Collection(site).search(*words, **asked))  # type: ignore[arg-type]
    output.show(answer, format, [hit.lines() for hit in answer])


def clusters(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="The page to look around.")],
    kind: Annotated[
        str, typer.Option(metavar="|".join(("assisted", *LINK_KINDS)), help="The kind of clusters.")
    ] = "assisted",
    alpha: Annotated[
        float, typer.Option(metavar="A", help="For assisted: near 0 one growing chain, near 1 sharp groups.")
    ] = 0.5,
    measure: Annotated[
        str, typer.Option(metavar="M", help="For assisted: co-citation, coupling or amsler; or a full assisted(…).")
    ] = "co-citation",
    tau: Annotated[int, typer.Option(metavar="N", help="For link clusters: the longest path they follow.")] = 20,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For assisted: draw to a file, .svg .png .nwk .json")
    ] = None,
    size: Annotated[int, typer.Option(metavar="N", help="With --out: how many rows a picture has.")] = 60,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Draw the pages around a page as a dendrogram, or list the pages in its link clusters and how far they are."""
    from pagekin.answers.clusters import Clusters
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    if kind != "assisted" and out is not None:
        raise UsageError("--out draws only --kind assisted; for link clusters leave it out, and choose a --format")
    found = output.asked(format, lambda: Collection(site).clusters(page, kind, alpha, measure, tau))
    if not isinstance(found, Clusters):
        return output.show(found, format)
    if out is not None:
        say(found.drawn(out, size))
    if format == "json":
        output.print_json(found.as_dict())
    elif format == "table" and out is None:
        print(found.drawn())
    elif format != "table":
        output.show_rows(found.rows(), format, found.shown)
    if found.note and format != "json" and found.hierarchy:
        say(found.note)


def mirrors(site: Site, format: Format = "table", json: Json = False) -> None:
    """List pages that are copies of each other: fetched pages with the same text."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    output.show(output.asked(format, Collection(site).mirrors), format)


def bridges(
    site: Site,
    method: Annotated[
        str, typer.Option("--method", "-m", metavar="M", help="The method whose similarities to use.")
    ] = "assisted",
    k: K = 15,
    progress: Shown = False,
    format: Format = "table",
    json: Json = False,
) -> None:
    """List cross-topic pages: those whose related pages are far from each other."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    with telling(progress) as tell:
        found = output.asked(format, lambda: Collection(site).bridges(method, k, tell))
    output.show(found, format)


@filtered
def compare(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="The page to compare methods on.")],
    method: Annotated[
        list[str], typer.Option("--method", "-m", metavar="M", help="A method; several. [default: four that differ]")
    ] = [],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many results of each method.")] = 15,
    filters: "Filters | None" = None,
    out: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Write an HTML page instead; - prints it.")
    ] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Compare methods side by side: what each finds, from how many hosts, how much is new, what they share."""
    from pagekin.answers import compare as comparing
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    if out not in (None, output.STDOUT):
        comparing.check_html(Path(out))
    answer = output.asked(format, lambda: Collection(site).compare(page, method, k, filters=filters))
    if out == output.STDOUT:
        with output.printing(".html") as drawn:
            answer.write(drawn)
    elif out is not None:
        say(answer.write(out))
    elif format == "table":
        output.show_rows(answer.side_by_side(), format, ["rank", *(row.method for row in answer)])
        output.show(answer, format)
        output.show_rows([row.as_dict() for row in answer.overlap], format, ["methods", "common", "share"])
    elif format == "json":
        output.show(answer, format)
    else:
        output.show_rows(answer.lists(), format, (), comparing.LIST_HEADER)


def keywords(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="The page.")],
    by: Annotated[
        str, typer.Option(metavar="topic|relevance", help="What sets the page apart, or paper 4's main keywords.")
    ] = "topic",
    support: Annotated[
        float | None, typer.Option(metavar="S", help="With --by relevance: the weight of support, 0 to 1.")
    ] = None,
    k: K = 20,
    format: Format = "table",
    json: Json = False,
) -> None:
    """List the words and phrases that set a page apart from the others."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    answer = output.asked(format, lambda: Collection(site).keywords(page, k, by, support))  # type: ignore[arg-type]
    output.show(answer, format)


def suggest(
    site: Site,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORD", help="One word, or several: results go with all.")
    ] = None,
    prefix: Annotated[
        str | None, typer.Option(metavar="LETTERS", help="Complete a word, title or address that begins so.")
    ] = None,
    k: K = 15,
    logical: Annotated[bool, typer.Option("--logical", help="Words of pages that their pages link to.")] = False,
    information: Annotated[
        bool, typer.Option("--information", help="With --logical: use mutual information instead of support.")
    ] = False,
    support: Annotated[float, typer.Option(metavar="S", help="The weight of support, 0 to 1.")] = 0.5,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Suggest words that go with the given words, or complete what is being typed."""
    from pagekin.answers.collection import Collection

    format = output.checked_format("json" if json else format)
    asked = {"prefix": prefix, "k": k, "logical": logical, "information": information, "support": support}
    answer = output.asked(format, lambda: Collection(site).suggest(*(words or []), **asked))  # type: ignore[arg-type]
    output.show(answer, format)
