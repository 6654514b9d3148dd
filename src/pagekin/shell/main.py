"""The program `pagekin`: its commands, and how errors become messages and exit codes."""

import os
import signal
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from pagekin.errors import PagekinError, UsageError
from pagekin.failures import explained, said
from pagekin.harmless import clean
from pagekin.shell import ask, keep, remove, see_also, take
from pagekin.shell.demo import demo
from pagekin.shell.open import open
from pagekin.shell.serve import serve
from pagekin.shell.take import INTERRUPTED
from pagekin.version import VERSION
from pagekin.wording import speaking

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


def main() -> None:
    """Run a command. A user's mistake is answered with a sentence on stderr, never a traceback."""
    if hasattr(signal, "SIGPIPE"):  # `pagekin … | head`: end quietly when the reader has gone, as other programs do
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal without “ ” or ü shows an escape instead
            stream.reconfigure(errors="backslashreplace")
    # We multiply no large dense matrices. The threads that OpenBLAS would start for that take address space, and within
    # a limit (`ulimit -v`) it waits for ever for threads that it could not start, or crashes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        with speaking("shell"):
            ended = app(prog_name="pagekin", standalone_mode=False)
        if ended == INTERRUPTED:
            print(
                "pagekin: interrupted; what was committed is kept; run the same command again to continue",
                file=sys.stderr,
            )
        sys.exit(ended)
    except PagekinError as error:
        print(f"pagekin: {clean(str(error))}", file=sys.stderr)
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except Exception as error:
        if hasattr(error, "show") and hasattr(error, "exit_code"):  # an error of click: an unknown flag …
            if isinstance(written := getattr(error, "message", None), str):  # it may name a file of a stranger
                error.message = clean(written)  # type: ignore[attr-defined]
            error.show()
            sys.exit(error.exit_code)
        if not isinstance(error, OSError) and not explained(error):
            raise
        print(f"pagekin: {' '.join(sys.argv[1:2])} failed: {clean(said(error))}", file=sys.stderr)
        sys.exit(1)
