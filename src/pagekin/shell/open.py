"""`open`: the panel about a page, in the browser, from a server that runs."""

import json
import os
import sys
from typing import Annotated, Any
from urllib.parse import urlencode, urlsplit

import typer

from pagekin.errors import PagekinError, UsageError
from pagekin.serve.settings import PORT
from pagekin.shell.options import say
from pagekin.wording import option

PATIENCE = 10  # seconds for a server to say that it is there
MOST_BYTES = 1 << 20  # of its answer, which is a few names
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def open(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page to show the related pages of.")],
    server: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where a server runs; with /NAME at the end, one of its collections.")
    ] = f"http://127.0.0.1:{PORT}",
    method: Annotated[str, typer.Option("-m", "--method", metavar="NAME", help="The method.")] = "",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open it in the browser, or only print its address.")
    ] = True,
) -> None:
    """Show the pages related to a page in the browser, narrow enough to stand beside it, from a server that runs."""
    root = checked(server)
    ask(root)
    asked = {"url": url} | ({"method": method} if method else {})
    address = f"{root}/panel?{urlencode(asked)}"
    print(address)
    if browser:
        show(address)


def checked(server: str) -> str:
    """The address of a server, without a slash at its end."""
    parts = urlsplit(server if "://" in server else f"http://{server}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            f"'{server}' is not the address of a server; "
            f"expected one like {option('server', f'http://127.0.0.1:{PORT}')}"
        )
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        say(f"http to {parts.hostname} is not encrypted: whoever is on the way can read which page you ask about")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def ask(root: str) -> dict[str, Any]:
    """What a server says about itself; an error if none is there."""
    from urllib.error import HTTPError
    from urllib.request import ProxyHandler, build_opener

    # No proxy can reach a server on loopback for us.
    opener = build_opener(*([ProxyHandler({})] if urlsplit(root).hostname in LOOPBACK else []))
    try:
        with opener.open(f"{root}/panel.json", timeout=PATIENCE) as answer:
            found = json.loads(answer.read(MOST_BYTES))
    except (HTTPError, ValueError):
        found = None
    except OSError as error:
        why = getattr(error, "reason", error)
        raise PagekinError(
            f"no server answers at {root} ({why}); run: pagekin serve SITE.kin, or name another with {option('server')}"
        ) from None
    if not isinstance(found, dict) or "panel" not in found:
        raise PagekinError(f"what answers at {root} has no panel; check {option('server')}, and that it is pagekin")
    return found


def show(address: str) -> None:
    """Open an address in the browser, where there is a screen for one."""
    import webbrowser

    graphical = sys.platform in ("darwin", "win32") or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    if graphical:
        webbrowser.open(address)
