"""`demo`: the small web that comes with pagekin, written to files, added and asked."""

import sys
import tempfile
from pathlib import Path

from pagekin import demo as web
from pagekin.answers.collection import Collection
from pagekin.answers.sentences import sentences
from pagekin.shell import output


def demo(keep: Path | None = None) -> None:
    """Make the demo collection (in a temporary folder unless one is named) and show what can be asked of it."""
    with tempfile.TemporaryDirectory() as folder:
        site = keep or Path(folder) / "demo.kin"
        web.write(Path(folder) / "web")
        collection = Collection(site)
        report = collection.add(Path(folder) / "web")
        truth = web.truth()
        page = min(truth.core)
        print(f"{report.pages or report.unchanged} pages of the demo web are in {site.name}. Related to one of them:\n")
        print(f"$ pagekin related {site.name} {page} -k 5 --why\n")
        sys.stdout.flush()
        answer = collection.related(page, k=5, why=True).as_dict()
        for row in answer["results"]:
            row["lines"] = sentences(row["why"])
        output.show(answer, "table", ["rank", "score", "title", "url"])
        if keep is None:
            print("Keep it to ask more: pagekin demo demo.kin")
