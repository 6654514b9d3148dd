"""What the shell's commands have in common: the options that most of them take, and how they speak."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pagekin.shell import output

Site = Annotated[Path, typer.Argument(metavar="SITE.kin", help="The collection: a folder that pagekin made.")]
Format = Annotated[str, typer.Option("--format", metavar="|".join(output.FORMATS), help="How to print the rows.")]
Json = Annotated[bool, typer.Option("--json", help="Short for --format json.")]


def say(line: str) -> None:
    """What a person wants to know while a command runs; answers alone go to stdout."""
    indent = " " * (len(line) - len(line.lstrip(" ")))
    print(indent + output.clean(line), file=sys.stderr)
