"""What commands share: the options that most of them take, and how they report to the user."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagekin.harmless import clean_line
from pagekin.shell import output

if TYPE_CHECKING:
    from pagekin.answers.progress import Progress, Tell

KEYWORD = Parameter.POSITIONAL_OR_KEYWORD

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


# The flag of each field of `Filters`, and its default.
FILTERS: dict[str, tuple[Any, Any]] = {
    "other_sites": (OtherSites, False),
    "same_site": (SameSite, False),
    "same_language": (SameLanguage, False),
    "unlinked": (Unlinked, False),
    "per_host": (PerHost, None),
    "picked": (Picked, False),
    "include": (Include, []),
    "exclude": (Exclude, []),
    "min_score": (MinScore, None),
    "fetched": (Fetched, None),
    "fold": (Fold, True),
}


def filtered(command: Callable[..., None]) -> Callable[..., None]:
    """A command with a flag for each filter in place of its parameter `filters`: typer reads flags from signatures."""
    flags = [Parameter(name, KEYWORD, default=each, annotation=kind) for name, (kind, each) in FILTERS.items()]

    @wraps(command)
    def run(**given: Any) -> None:
        from pagekin.answers.filters import Filters

        chosen = {name: given.pop(name) for name in FILTERS}
        lists = {name: tuple(chosen[name]) for name in ("include", "exclude")}
        command(**given, filters=Filters(**chosen | lists))

    own = signature(command).parameters.values()
    taken = [flag for each in own for flag in (flags if each.name == "filters" else [each])]
    run.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in taken}
    return run


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
