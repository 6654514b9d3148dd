"""`serve`: collections over HTTP, for browsers and programs."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from pagekin.errors import MissingExtraError, UsageError
from pagekin.shell.options import say


def serve(
    sites: Annotated[list[Path], typer.Argument(metavar="SITE.kin", help="One collection, or several.")],
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets other machines ask.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", help="0 takes any free one.")] = 8420,
    workers: Annotated[int, typer.Option(metavar="N", help="Processes that answer; they share memory.")] = 1,
    allow_host: Annotated[
        list[str], typer.Option(metavar="NAME", help="A further name of this server, as in its address.")
    ] = [],
    allow_origin: Annotated[
        list[str], typer.Option(metavar="ORIGIN", help="A site or extension whose scripts may ask: https://a.example")
    ] = [],
    root_path: Annotated[str, typer.Option(metavar="PATH", help="Where a proxy shows this server, as /kin.")] = "",
    slow: Annotated[
        int, typer.Option(metavar="N", help="Slow questions that a worker works on at once; others wait.")
    ] = 2,
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="How long a question may take.")] = 30.0,
    log_queries: Annotated[bool, typer.Option("--log-queries", help="Log what was asked, not only where.")] = False,
) -> None:
    """Serve collections over HTTP: a web page, and JSON for programs."""
    if workers < 1 or slow < 1 or not budget > 0:
        raise UsageError("--workers and --slow must be at least 1, and --budget more than 0")
    root_path = root_path.strip("/")
    given = {
        "origins": tuple(allow_origin), "root_path": f"/{root_path}" if root_path else "", "log_queries": log_queries,
        "slow": slow, "budget": budget,
    }  # fmt: skip
    names = ", ".join(site.stem for site in sites)
    serve_at(sites, port, lambda address: say(f"serving {names} at {address}"), host, workers, allow_host, **given)


def serve_at(
    sites: list[Path],
    port: int,
    ready: Callable[[str], None],
    host: str = "127.0.0.1",
    workers: int = 1,
    allow_host: Sequence[str] = (),
    **given: Any,
) -> None:
    """Serve until told to stop; `ready` is told the address, `given` are further fields of `Settings`."""
    from pagekin.collection import manifest

    try:
        from pagekin.serve import run
        from pagekin.serve.settings import Settings, named
    except ImportError as error:
        raise MissingExtraError(f"the server ({error.name})", "serve") from None
    collections = named(sites)
    for path in collections.values():
        manifest.read(Path(path))  # says what is wrong with it
    anywhere = run.is_everywhere(host)
    settings = Settings(collections=collections, hosts=(host, *allow_host), any_number=anywhere, **given)
    with suppress(KeyboardInterrupt):  # Ctrl-C is how one ends it
        run.run(settings, host, port, workers, ready)
