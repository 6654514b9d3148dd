"""What commands share: the options that most of them take, and how they report to the user."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagekin.harmless import clean_line
from pagekin.shell import output

if TYPE_CHECKING:
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
Yes = Annotated[bool, typer.Option("--yes", help="Remove pages without asking, however many.")]
K = Annotated[int, typer.Option("-k", metavar="N", help="How many results.")]


def say(line: str) -> None:
    """Print a message to stderr; only answers go to stdout."""
    print(clean_line(line), file=sys.stderr)


@contextmanager
def telling() -> Iterator["Tell"]:
    """Show the progress of a command: a live line on a terminal, in a pipe only the lasting sentences."""
    from pagekin.answers.progress import reporting

    with reporting(None) as show:

        def tell(progress: "Progress") -> None:
            if progress.lasting:
                say(progress.text)
            else:
                show(progress)

        yield tell
