"""How long does the shell take to answer about one of a million pages, from the start of its process?

The operating system's cache is warm; the process is new each time and imports everything it needs. A kernel that is
compiled in the middle of a question would cost seconds, so the bar also requires that none is compiled.

And what does verifying cost: the same question in a process that does not compare any file with its checksum.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.case import Case, timed
from bench.site import PAGES, million_pages, pagekin, url

TIMES = 5
LIMIT_S = 1.5
PAGE = url(PAGES // 1000)
VERIFYING_SHARE = 0.1  # at most, of the time of a question
VERIFYING_TIMES = 15  # a tenth of a second is near the noise of starting a process
UNVERIFIED = """
from pagekin.collection.verify import Verifier
from pagekin.shell.main import main
Verifier._verify = lambda *_: None
main()
"""
VERIFIED = "from pagekin.shell.main import main\nmain()"


def run() -> Iterator[Case]:
    site = million_pages()
    yield Case(f"add {site.rows:,} rows of links", site.rows / site.seconds, "rows/s")
    question = ("related", str(site.path), PAGE, "--method", "co-citation", "--json")
    pagekin(*question)  # warms the caches if `make setup` did not
    seconds = median(timed(lambda: pagekin(*question))[0] for _ in range(TIMES))
    saved = _compiled(*question)
    yield Case(
        f"first answer of a new process, median of {TIMES}", seconds, "s", bar=LIMIT_S, bar_on="ours at most",
        note=f"kernels were compiled: {saved[0]} …" if saved else "", agrees=not saved,
    )  # fmt: skip


    yield _verifying("a million pages", *question)
    with TemporaryDirectory() as folder:
        demo = Path(folder) / "demo.kin"
        pagekin("demo", str(demo))
        yield _verifying("the demo collection", "related", str(demo), "http://crumb.example/posts/country-loaf/")


def _verifying(of: str, *question: str) -> Case:
    """A new process that verifies against one that does not, in turn; the medians."""
    ours, theirs = [], []
    for _ in range(VERIFYING_TIMES):
        ours.append(timed(lambda: _python(VERIFIED, *question))[0])
        theirs.append(timed(lambda: _python(UNVERIFIED, *question))[0])
    return Case(
        f"verifying on opening, {of}", median(ours), "s", peer="without verifying", theirs=median(theirs),
        bar=1 / (1 + VERIFYING_SHARE),
    )  # fmt: skip


def _python(program: str, *question: str) -> None:
    subprocess.run([sys.executable, "-c", program, *question], check=True, capture_output=True)


def _compiled(*question: str) -> list[str]:
    """What numba says it wrote to its cache, which is what it had to compile; it should be nothing."""
    said = pagekin(*question, NUMBA_DEBUG_CACHE="1").stdout.splitlines()
    return [line for line in said if line.startswith("[cache]") and "saved" in line]
