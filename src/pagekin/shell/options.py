"""What commands share: the options that most of them take, and how they report to the user."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagekin.harmless import clean_line
from pagekin.shell import output

if TYPE_CHECKING:
    from pagekin.answers.filters import Filters
    from pagekin.answers.progress import Progress, Tell

Site = Annotated[Path, typer.Argument(metavar="SITE.kin", help="The collection, a folder made by pagekin.")]
Format = Annotated[str, typer.Option("--format", metavar="|".join(output.FORMATS), help="How to print the rows.")]
Json = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
Fetched = Annotated[
    bool | None,
    typer.Option(
        "--fetched/--no-fetched",
        help="Only pages that were fetched, or all. [default: fetched ones if a page asked about was fetched]",
        show_default=False,
    ),
]
OtherSites = Annotated[bool, typer.Option("--other-sites", help="Only pages on other sites.")]
SameSite = Annotated[bool, typer.Option("--same-site", help="Only pages on the same site.")]
SameLanguage = Annotated[bool, typer.Option("--same-language", help="Only pages in the same language.")]
Unlinked = Annotated[bool, typer.Option("--unlinked", help="Only pages with no link to or from it.")]
PerHost = Annotated[int | None, typer.Option(metavar="N", help="At most N pages from one host.")]
Picked = Annotated[bool, typer.Option("--picked", help="Never two pages from one host in a row.")]
Include = Annotated[list[str], typer.Option(metavar="PATTERN", help="Only addresses that match this regex.")]
Exclude = Annotated[list[str], typer.Option(metavar="PATTERN", help="Leave out addresses that match this regex.")]
MinScore = Annotated[float | None, typer.Option(metavar="X", help="Leave out results that score less.")]
Fold = Annotated[
    bool,
    typer.Option("--fold/--no-fold", help="List copies and translations of a result under it (default), or beside it."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Remove pages without asking, however many.")]
K = Annotated[int, typer.Option("-k", metavar="N", help="How many results.")]
Shown = Annotated[
    bool, typer.Option("--progress", help="Print how far it is every few seconds, where there is no terminal, too.")
]
OnEngine = Annotated[str, typer.Option("--engine", metavar="local|spark", help="Where batch work runs.")]
Master = Annotated[
    str | None, typer.Option(metavar="URL", help="Of Spark: local[2] (this machine), spark://HOST:7077.")
]


def filters_of(given: Mapping[str, Any]) -> "Filters":
    """The filters among the arguments of a command, its `locals()`: each has the name of its flag."""
    from pagekin.answers.filters import Filters

    named: dict[str, Any] = {each.name: given[each.name] for each in fields(Filters)}
    return Filters(**named | {name: tuple(named[name]) for name in ("include", "exclude")})


def say(line: str) -> None:
    """Print a message to stderr; only answers go to stdout."""
    print(clean_line(line), file=sys.stderr)


@contextmanager
def telling(lines: bool = False) -> Iterator["Tell"]:
    """Show the progress of a command: a live line on a terminal, in a pipe only the lasting sentences, unless `lines`
    are asked for."""
    from pagekin.answers.progress import reporting

    with reporting(None, lines) as show:

        def tell(progress: "Progress") -> None:
            if progress.lasting:
                say(progress.text)
            else:
                show(progress)

        yield tell
