"""`demo`: a small web that comes with pagekin, from a collection to a page that answers, in one command."""

import sys
import tempfile
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

import typer

from pagekin.errors import MissingExtraError, PagekinError
from pagekin.serve.settings import PORT
from pagekin.shell import output
from pagekin.shell.open import show
from pagekin.shell.options import say, telling
from pagekin.shell.serve import serve_at


def demo(
    site: Annotated[Path, typer.Argument(metavar="SITE.kin", help="Where to keep the collection.")] = Path("demo.kin"),
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page that is served, or only print its address.")
    ] = True,
) -> None:
    """Show a small web that comes with pagekin: related pages here and, on a terminal, on a page that it serves."""
    from pagekin import demo as web
    from pagekin.answers.collection import Collection

    collection = Collection(site)
    with tempfile.TemporaryDirectory() as folder:
        web.write(Path(folder) / "web")
        report = collection.add(Path(folder) / "web")
    page = min(web.truth().core)
    print(f"{report.pages or report.unchanged} pages of the demo web are in {site}. Related to one of them:\n")
    print(f"$ pagekin related {site} {page} -k 5 --why\n")
    sys.stdout.flush()
    answer = collection.related(page, k=5, why=True)
    output.show(answer, "table", [answer.reasons(at) for at in range(len(answer))])
    if not sys.stdout.isatty():
        print(f"To see it on a page: pagekin build {site} --all && pagekin serve {site}")
        return
    with telling() as tell:
        collection.build(progress=tell, all=True)
    try:
        serve_at([site], PORT, lambda address: _show(address, page, browser))
    except MissingExtraError as error:
        say(f"{error}")
    except PagekinError:  # another server is there
        serve_at([site], 0, lambda address: _show(address, page, browser))


def _show(address: str, page: str, browser: bool) -> None:
    shown = f"{address}page?{urlencode({'url': page, 'method': 'assisted'})}"
    say(f"\nthe same on a page, with a slider: {shown}\n(Ctrl-C ends it)")
    if browser:
        show(shown)
