"""`demo`: add the small web that comes with pagekin to a collection, and ask about one of its pages."""

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from pagekin.shell import output


def demo(
    site: Annotated[Path | None, typer.Argument(metavar="SITE.kin", help="Where to keep the collection.")] = None,
) -> None:
    """Add a small web that comes with pagekin, and ask about one of its pages."""
    from pagekin import demo as web
    from pagekin.answers.collection import Collection

    with tempfile.TemporaryDirectory() as folder:
        kept = site or Path(folder) / "demo.kin"
        web.write(Path(folder) / "web")
        collection = Collection(kept)
        report = collection.add(Path(folder) / "web")
        page = min(web.truth().core)
        print(f"{report.pages or report.unchanged} pages of the demo web are in {kept.name}. Related to one of them:\n")
        print(f"$ pagekin related {kept.name} {page} -k 5 --why\n")
        sys.stdout.flush()
        answer = collection.related(page, k=5, why=True)
        output.show(answer, "table", [answer.reasons(at) for at in range(len(answer))])
        if site is None:
            print("To keep the collection and ask more: pagekin demo demo.kin")
