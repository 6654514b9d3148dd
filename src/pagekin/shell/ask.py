"""The shell's commands that ask a collection something and print rows; `cli` has the others.

The heavy imports are within, so that `pagekin --help` and each question pay for what they need.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagekin.errors import UsageError, unknown
from pagekin.shell import output
from pagekin.shell.options import Format, Json, Site, say

if TYPE_CHECKING:
    from pagekin.collection.store import Store

LINK_KINDS = ("fan-out", "fan-in", "cyclic", "trivial")
RELATED_FIELDS = ("rank", "url", "title", "host", "score", "linked", "bridge", "mirrors")
SEARCH_FIELDS = ("rank", "url", "title", "score", "snippet", "words", "leads_to")


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
    from pagekin.answers.collection import Collection
    from pagekin.answers.filters import Filters
    from pagekin.answers.sentences import sentences

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
        say(f"not in the collection: {', '.join(answer['unknown'])}")
    output.show(answer, format, columns, RELATED_FIELDS)


def _in_classes(rows: list[dict[str, Any]], classes: list[dict[str, Any]], format: str) -> list[dict[str, Any]]:
    """Each row with its class; class after class in a table, else in order of rank."""
    named = [{**rows[rank - 1], "class": ", ".join(each["label"]) or "–"} for each in classes for rank in each["ranks"]]
    return named if format == "table" else sorted(named, key=lambda row: row["rank"])


def blocks(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="The page whose links are shown.")],
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the page with its blocks outlined.")] = None,
    format: Format = "table",
    json: Json = False,
) -> None:
    """The links of a page in the blocks they stand in."""
    from pagekin.answers.blocks import blocks as run
    from pagekin.answers.blocks import write_html
    from pagekin.collection.store import Store

    format = output.checked("json" if json else format)
    store = Store(site)
    answer = run(store, page)
    if html is not None:
        say(write_html(store, page, html))
    if format == "table":
        for row in answer["results"]:
            row["lines"] = [f"{link['anchor']}  {link['url']}" for link in row["links"]]
            row["links"] = len(row["lines"])
    output.show(answer, format, ["block", "label", "links"])


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
    from pagekin.answers.collection import Collection
    from pagekin.answers.sentences import found

    format = output.checked("json" if json else format)
    answer = Collection(site).search(" ".join(words), k, alpha, kind, tau, by)  # type: ignore[arg-type]
    if format == "table":
        for row in answer["results"]:
            row["lines"] = found(row)
    output.show(answer, format, ["rank", "score", "title", "url"], SEARCH_FIELDS)


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
    from pagekin.answers.clusters import asked_for
    from pagekin.answers.clusters import clusters as run

    format = output.checked("json" if json else format)
    if kind != "assisted":
        from pagekin.answers.link_clusters import FIELDS, link_clusters
        from pagekin.index.subrelevant import Subrelevant

        if kind not in LINK_KINDS:
            raise unknown("kind of clusters", kind, ("assisted", *LINK_KINDS))
        if out is not None:
            raise UsageError("--out draws the hierarchy of --kind assisted; link clusters are rows")
        answer = link_clusters(_store(site), page, Subrelevant(kind, tau))  # type: ignore[arg-type]
        return output.show(answer, format, FIELDS)
    found = run(_store(site), page, asked_for(measure, alpha))
    if out is not None:
        say(found.drawn(out))
    if format == "json":
        output.print_json(found.as_dict())
    elif format == "table" and out is None:
        print(found.drawn())
    elif format != "table":
        output.show({"results": found.rows()}, format, ["left", "right", "height", "pages"])
    if found.note and format != "json" and found.hierarchy:
        say(found.note)


def mirrors(
    site: Site,
    method: Annotated[str, typer.Option("--method", "-m", metavar="M", help="Whose similarities.")] = "assisted",
    format: Format = "table",
    json: Json = False,
) -> None:
    """Pages that are copies of each other: the same citers and the same text."""
    from pagekin.answers.clusters import asked_for
    from pagekin.answers.clusters import mirrors as run

    format = output.checked("json" if json else format)
    output.show(run(_store(site), asked_for(method)), format, ["urls"])


def bridges(
    site: Site,
    method: Annotated[str, typer.Option("--method", "-m", metavar="M", help="Whose similarities.")] = "assisted",
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many.")] = 15,
    format: Format = "table",
    json: Json = False,
) -> None:
    """Cross-topic pages: those whose related pages are far from each other."""
    from pagekin.answers.clusters import asked_for, cross_topic

    format = output.checked("json" if json else format)
    answer = cross_topic(_store(site), asked_for(method), k)
    output.show(answer, format, ["rank", "score", "url", "witnesses"], ["rank", "url", "title", "score", "witnesses"])


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
    from pagekin.answers import compare as comparing

    format = output.checked("json" if json else format)
    if out is not None:
        comparing.check(out)
    answer = comparing.compare(site, page, method, k)
    if out is not None:
        say(comparing.write(answer, out))
    elif format == "json":
        output.print_json(answer)
    elif format == "table":
        output.show({"results": comparing.side_by_side(answer)}, format, ["rank", *comparing.methods(answer)])
        output.show(answer, format, ["method", "hosts", "diversity", "novelty", "alone", "note"])
        output.show({"results": answer["overlap"]}, format, ["methods", "common", "share"])
    else:
        output.show({"results": comparing.lists(answer)}, format, (), ("method", *RELATED_FIELDS))


def keywords(
    site: Site,
    page: Annotated[str, typer.Argument(metavar="PAGE", help="A page.")],
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many.")] = 20,
    format: Format = "table",
    json: Json = False,
) -> None:
    """The main keywords of a page: those most relevant to all that it is about."""
    from pagekin.answers.collection import Collection

    format = output.checked("json" if json else format)
    output.show(Collection(site).keywords(page, k), format, ["word", "score"])


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
    from pagekin.answers.collection import Collection

    format = output.checked("json" if json else format)
    if information and not logical:
        raise UsageError("--information is about --logical words; give both")
    answer = Collection(site).suggest(*words, k=k, logical=logical, information=information, support=support)
    output.show(answer, format, ["word", "score"])


def _store(site: Path) -> "Store":
    from pagekin.collection.store import Store

    return Store(site)


ALL = (related, blocks, search, clusters, mirrors, bridges, compare, keywords, suggest)  # in the order of --help
