"""How long does the shell take to answer about one of a million pages, from the start of its process?

The operating system's cache is warm; the process is new each time and imports everything it needs. A kernel that is
compiled in the middle of a question would cost seconds, so the bar also requires that none is compiled.
"""

from collections.abc import Iterator
from statistics import median

from bench.case import Case, timed
from bench.site import PAGES, million_pages, pagekin, url

TIMES = 5
LIMIT_S = 1.5
PAGE = url(PAGES // 1000)


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


def _compiled(*question: str) -> list[str]:
    """What numba says it wrote to its cache, which is what it had to compile; it should be nothing."""
    said = pagekin(*question, NUMBA_DEBUG_CACHE="1").stdout.splitlines()
    return [line for line in said if line.startswith("[cache]") and "saved" in line]
