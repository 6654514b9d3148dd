"""The list of commands."""

from typing import Annotated

import typer

from pagekin.shell import ask, keep, remove, see_also, take
from pagekin.shell.demo import demo
from pagekin.shell.open import open
from pagekin.shell.serve import serve
from pagekin.version import VERSION

app = typer.Typer(
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Find the pages related to a page from the way pages link to each other, and say why.",
)
# In the order of --help: what people need first comes first.
for command in (
    take.add, take.crawl, remove.remove, keep.build, keep.info, ask.methods, ask.related, ask.pair, ask.blocks,
    ask.search, ask.clusters, ask.mirrors, ask.bridges, ask.compare, ask.keywords, ask.suggest, keep.report,
    keep.export, see_also.see_also, keep.evaluate, keep.tune, keep.scrub, serve, open, demo,
):  # fmt: skip
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"pagekin {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Find the pages related to a page from the way pages link to each other, and say why."""
