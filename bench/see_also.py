"""Lists of related pages in a site of 10,000 pages: how long from nothing, and how long after one page has changed?

The site has 100 topics of 100 pages. A page has a menu, a footer, 300 words (half of them of its topic's 400, half of
20,000 that all pages share, by Zipf's law) and six links in its text, five of them within its topic. What share of the
time goes into reading, parsing and storing pages is printed with each case; the rest is for the index, the answers and
the files.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from bench.case import Case, timed
from bench.graphs import SHRINK
from pagekin.seealso import run as runs
from pagekin.seealso.collect import collect
from pagekin.seealso.report import SeeAlso

TOPICS, EACH = max(100 // SHRINK, 2), 100
WORDS, SHARED, OWN = 300, 20_000, 400
BASE = "https://site.example/"
FASTER = 10.0


def run() -> Iterator[Case]:
    with TemporaryDirectory(prefix="pagekin-bench-") as folder:
        site, pages = Path(folder) / "public", TOPICS * EACH
        make_site(site)
        first, report, share = measured(site)
        yield Case(
            f"see-also, {pages:,} pages from nothing", first, "s", agrees=report.lists == pages,
            note=f"{share:.0%} of it reading, parsing and storing pages",
        )  # fmt: skip
        nothing, report, share = measured(site)
        yield Case(
            "see-also again, nothing changed", nothing, "s", "from nothing", first, agrees=not report.changed,
            note=f"{share:.0%} of it reading pages",
        )  # fmt: skip
        change(site / "t0" / "p7.html")
        again, report, share = measured(site)
        yield Case(
            "see-also again, one page changed", again, "s", "from nothing", first, FASTER,
            agrees=report.parsed == 1,
            note=f"{share:.0%} of it reading, parsing and storing pages; {len(report.changed):,} files changed",
        )  # fmt: skip


def measured(site: Path) -> tuple[float, SeeAlso, float]:
    """Seconds of a run, its report, and the share of the time in which pages are read, parsed and stored."""
    spent = 0.0

    def timed_collect(*given: Any) -> int:
        nonlocal spent
        spent, parsed = timed(lambda: collect(*given))
        return parsed

    with patch.object(runs, "collect", timed_collect):
        seconds, report = timed(lambda: runs.see_also(site, BASE, progress=lambda progress: None))
    return seconds, report, spent / seconds


def make_site(site: Path) -> None:
    """Write all pages."""
    dice = np.random.default_rng(1)
    menu = "".join(f'<li><a href="/t{topic}/">Topic {topic}</a>' for topic in range(min(TOPICS, 12)))
    for topic in range(TOPICS):
        (site / f"t{topic}").mkdir(parents=True)
        for number in range(EACH):
            shared = dice.zipf(1.3, WORDS // 2).clip(max=SHARED)
            own = dice.integers(OWN, size=WORDS // 2) + SHARED + OWN * topic
            words = [f"w{_letters(int(word))}" for word in dice.permutation(np.concatenate((shared, own)))]
            near = dice.integers(EACH, size=5)
            links = [f'<a href="p{other}.html">{words[other]}</a>' for other in near.tolist()]
            links.append(f'<a href="../t{dice.integers(TOPICS)}/p{dice.integers(EACH)}.html">elsewhere</a>')
            lines = [" ".join(words[at : at + 50]) for at in range(0, WORDS, 50)]
            text = "".join(f"<p>{line} {link}.</p>\n" for line, link in zip(lines, links, strict=True))
            title = " ".join(words[:4])
            (site / f"t{topic}" / f"p{number}.html").write_text(
                f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} | Site</title></head>\n'
                f"<body><header><nav><ul>{menu}</ul></nav></header>\n<main><h1>{title}</h1>\n{text}</main>\n"
                '<footer><p>Made by the makers of this site.</p><a href="/imprint.html">Imprint</a></footer></body>\n'
            )


def change(page: Path) -> None:
    """Add a sentence to a page, as its author would."""
    page.write_text(page.read_text().replace("</h1>", "</h1><p>A sentence that was not there before.</p>", 1))


def _letters(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number, 26)
        letters += chr(97 + rest)
    return letters
