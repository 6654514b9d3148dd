"""The command that writes lists of related pages into a built web site: see-also."""

from pathlib import Path
from typing import Annotated

import typer

from pagekin.model import DEFAULT_METHOD
from pagekin.shell.options import Exclude, Fold, Include, MinScore, SameLanguage, say, telling


def see_also(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A built site: a folder of HTML, like public/.")],
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The address of the folder. [default: what its pages say]")
    ] = None,
    k: Annotated[int, typer.Option("-k", metavar="N", help="How many related pages a list names.")] = 5,
    method: Annotated[
        str, typer.Option("--method", "-m", metavar="M", help="The method, e.g. co-citation(direct=false).")
    ] = DEFAULT_METHOD,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; say what would change, and exit with 1 if anything would.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take the lists out again, if nobody changed them.")] = False,
    at: Annotated[
        str | None, typer.Option(metavar="SELECTOR", help="In which element: a tag, #id, .class, or tag.class.")
    ] = None,
    into: Annotated[
        str,
        typer.Option(metavar="html|json|json-per-page", help="Into the pages, related.json, or a file beside each."),
    ] = "html",
    heading: Annotated[str | None, typer.Option(metavar="TEXT", help="The heading, instead of “See also”.")] = None,
    lang: Annotated[
        str | None, typer.Option(metavar="L", help="The language of the heading. [default: that of the page]")
    ] = None,
    stylesheet: Annotated[bool, typer.Option("--stylesheet", help="Also write pagekin.css, and link to it.")] = False,
    unlinked: Annotated[
        bool, typer.Option("--unlinked", help="Leave out pages that the page's own text links to.")
    ] = False,
    templates: Annotated[
        bool, typer.Option("--templates", help="Also for, and with, indexes, lists by tag, search pages and 404.")
    ] = False,
    same_language: SameLanguage = False,
    include: Include = [],
    exclude: Exclude = [],
    min_score: MinScore = None,
    fold: Fold = True,
) -> None:
    """Write a list of related pages into every page of a built site; FOLDER.kin beside it is the collection.

    Run it again after each build: it changes only what has to change. --remove restores every byte.
    """
    from pagekin.answers.filters import Filters
    from pagekin.seealso.run import see_also

    filters = Filters(
        exclude=tuple(exclude), include=tuple(include), min_score=min_score, fold=fold, same_language=same_language
    )
    with telling() as tell:
        report = see_also(
            folder, base_url, k=k, method=method, check=check, remove=remove, at=at, into=into,  # type: ignore[arg-type]
            heading=heading, lang=lang, stylesheet=stylesheet, unlinked=unlinked, templates=templates,
            filters=filters, progress=tell,
        )  # fmt: skip
    for line in report.lines:
        say(line)
    if check and report.changed:
        raise typer.Exit(1)
