"""`build` after 1 % of the pages have been added, beside a build from nothing of the same pages, index by index.

The web is that of `growing`: 100,000 pages with words, and blocks of links with anchors; the new ones are on new sites,
and link to pages of all topics. Both sides are measured in turn in one process, with the processor's time, the least of
three runs each: beside other work a clock tells little, and the first run takes longer. All of it is done once before
with a web of a tenth of the size, so that nothing is compiled on the clock. `text` has no bar: its vectors are
projected anew, and its basis is fitted anew unless the pages with the smallest ids are the same.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from bench.case import Case
from bench.graphs import SHRINK
from bench.growing import grow
from pagekin.answers.build import build
from pagekin.collection.writer import Writer, writing
from pagekin.index.base import derive, index

PAGES = 100_000 // SHRINK
MORE = PAGES // 100
FASTER = 5.0
RUNS = 3
BARS: dict[str, float | None] = {"block-pairs": FASTER, "similarity": FASTER, "inverted": FASTER, "text": None}


def run() -> Iterator[Case]:
    for name, bar in BARS.items():
        with tempfile.TemporaryDirectory(prefix="pagekin-bench-") as folder:
            command = [sys.executable, "-m", "bench.incremental", name, folder]
            made: dict[str, Any] = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        yield Case(
            f"{name} of {PAGES:,} pages after {MORE:,} more", made["again"], "s", "from nothing", made["nothing"], bar,
            note=f"processor time; {made['said']}; {made['megabytes']:.0f} MB on disk", agrees=made["same"],
        )  # fmt: skip


def measured(name: str, path: Path, pages: int) -> dict[str, Any]:
    """Seconds from a former index and from nothing, and whether both hold the same."""
    grow(path, 0, pages, pages)
    build(path, ["mirrors", name], [], lambda progress: None)
    grow(path, pages, pages + pages * MORE // PAGES, pages)
    build(path, ["mirrors"], [], lambda progress: None)
    again, nothing = list[float](), list[float]()
    copy = path.with_suffix(".copy.kin")
    for _ in range(RUNS):
        shutil.copytree(path, copy)
        with writing(copy) as writer:
            seconds, said, former = _made(writer, name)
            again.append(seconds)
            writer.commit(indexes={text: held for text, held in writer.manifest.indexes.items() if text != name})
            seconds, _, fresh = _made(writer, name)
            nothing.append(seconds)
        shutil.rmtree(copy)
    size = sum(len(content) for content in fresh.values()) / 1e6
    # Parquet, JSON, what is spare and words as they were read are there for the next build, which takes any order.
    kept = ("spare", "prints", "words")
    held = [file for file in fresh if file.endswith((".npy", ".arrow")) and not file.startswith(kept)]
    same = all(fresh[file] == former.get(file) for file in held)
    return {"again": min(again), "nothing": min(nothing), "said": said, "megabytes": size, "same": same}


def _made(writer: Writer, name: str) -> tuple[float, str, dict[str, bytes]]:
    begun = process_time()
    said = derive(writer, index(name))
    seconds = process_time() - begun
    return (
        seconds,
        said,
        {file.name: file.read_bytes() for file in (writer.path / writer.manifest.indexes[name].path).iterdir()},
    )


if __name__ == "__main__":
    index_name, into = sys.argv[1], Path(sys.argv[2])
    measured(index_name, into / "first.kin", PAGES // 10)
    print(json.dumps(measured(index_name, into / "grown.kin", PAGES)))
