"""How fast are pages parsed, next to BeautifulSoup (lxml), w3lib and the same stemmer and stop words, one core each?

The job: title, canonical links with their anchors, counted stems. Ours also finds the language, the summary and the
text of the page. Pages are a sample of Debian's documentation packages and of WebKB (`$PAGEKIN_DATA`). Before each
round ours empties its caches and is warmed on *other* pages of the same site, so that they hold what they would hold in
the middle of a run. CPU time is counted, the best of `ROUNDS` rounds; results are compared outside the clock.
"""

import gc
import os
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import Stemmer
from bs4 import BeautifulSoup
from w3lib.url import canonicalize_url

from pagekin import url as urls
from pagekin.model import Capture, Page
from pagekin.parse import parse, words
from pagekin.parse.stopwords import stop_words

BAR = 8.0
SAMPLE = 300
WARM_UP = 2000
ROUNDS = 3
PACKAGES = ("python3.11-doc", "cppreference-doc-en-html", "postgresql-doc-15")
LEAST_AGREEMENT = {"titles": 0.98, "links": 0.98, "stems": 0.9}  # another tree, other words around inline elements

_HEADERS = re.compile(rb"\A(?:[\w-]+:.*\r?\n)+\r?\n")
Result = tuple[str, list[tuple[str, str]], Counter[str]]  # title, (target, anchor), stems


def run() -> Iterator[dict[str, Any]]:
    for case, captures in corpora():
        random.Random(1).shuffle(captures)
        sample, others = captures[:SAMPLE], captures[SAMPLE : SAMPLE + WARM_UP]
        agreement = agree(sample)
        ours = theirs = float("inf")
        for _ in range(ROUNDS):
            forget(others)
            ours = min(ours, seconds(parse, sample))
            theirs = min(theirs, seconds(peer, sample))
        yield {
            "case": f"parse {case}",
            "ours": len(sample) / ours,
            "peer": "BeautifulSoup + w3lib + PyStemmer",
            "theirs": len(sample) / theirs,
            "unit": "pages/s",
            "bar": BAR,
            **agreement,
        }


def seconds(job: Callable[[Capture], object], captures: list[Capture]) -> float:
    gc.collect()  # neither side pays for the other's garbage
    start = time.process_time()
    for capture in captures:
        job(capture)
    return time.process_time() - start


def forget(others: list[Capture]) -> None:
    urls._join.cache_clear()
    words._reader.cache_clear()
    for capture in others:
        parse(capture)


@lru_cache(1)
def _tools() -> tuple[Any, frozenset[str], re.Pattern[str]]:
    return Stemmer.Stemmer("porter"), frozenset(stop_words("en")), re.compile(r"[^\W_]+")


def peer(capture: Capture) -> Result:
    """The same job, as one would write it with the usual libraries."""
    stemmer, stop, word = _tools()
    soup = BeautifulSoup(capture.body, "lxml")
    title = soup.title.get_text() if soup.title else ""
    base = soup.find("base", href=True)
    address = urljoin(capture.url, str(base["href"])) if base else capture.url
    links = []
    for a in soup.find_all(["a", "area"], href=True):
        href = str(a["href"]).strip()
        if not href or href.startswith("#"):
            continue
        try:
            target = canonicalize_url(urljoin(address, href))
        except ValueError:
            continue
        if target.startswith(("http://", "https://", "ftp://")):
            links.append((target, " ".join(a.get_text().split())))
    for tag in soup(["script", "style", "title"]):
        tag.decompose()
    text = f"{title} {soup.get_text(' ')}".lower()
    tokens = [token for token in word.findall(text) if 1 < len(token) <= 40 and token not in stop]
    return " ".join(title.split()), links, Counter(stemmer.stemWords(tokens))


def agree(captures: list[Capture]) -> dict[str, float]:
    """The shares of titles, link targets and stems on which both agree."""
    same: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for capture in captures:
        mine, (title, links, stems) = parse(capture), peer(capture)
        pairs = {
            "titles": ({mine.title}, {title or mine.title}),  # ours falls back to the heading
            "links": (_targets(mine), {_in_both_forms(target) for target, _ in links}),
            "stems": ({term.term for term in mine.terms}, set(stems)),
        }
        for what, (left, right) in pairs.items():
            same[what] += len(left & right)
            total[what] += len(left | right)
    shares = {what: same[what] / total[what] for what in total}
    for what, least in LEAST_AGREEMENT.items():
        if shares[what] < least:
            raise AssertionError(f"not the same job: {shares[what]:.3f} of the {what} agree, expected {least}")
    return shares


def _targets(page: Page) -> set[str]:
    return {_in_both_forms(link.target) for link in page.links if link.rel != "frame"}


def _in_both_forms(target: str) -> str:
    """An address put into our form, then w3lib's, to compare: ours removes default documents, w3lib sorts the query."""
    return str(canonicalize_url(urls.canonical(target) or target))


def corpora() -> Iterator[tuple[str, list[Capture]]]:
    """The name and pages of each corpus that this machine can get; names on stderr those that it cannot."""
    cache = Path(tempfile.gettempdir()) / "pagekin-bench"
    for package in PACKAGES:
        try:
            yield package, list(_debian(package, cache / package))
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"parse {package}: left out, cannot download it with apt-get ({error})", file=sys.stderr)
    if data := os.environ.get("PAGEKIN_DATA"):
        yield "webkb", list(_webkb(Path(data) / "webkb.tar.xz", cache / "webkb"))
    else:
        print("parse webkb: left out, PAGEKIN_DATA is not set", file=sys.stderr)


def _debian(package: str, directory: Path) -> Iterator[Capture]:
    if not directory.exists():
        directory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory.parent) as work:
            quiet: dict[str, Any] = {"check": True, "capture_output": True, "cwd": work}
            if subprocess.run(["apt-get", "download", package], **{**quiet, "check": False}).returncode:
                subprocess.run(["apt-get", "update"], **quiet)
                subprocess.run(["apt-get", "download", package], **quiet)
            subprocess.run(["dpkg", "-x", *map(str, Path(work).glob("*.deb")), "unpacked"], **quiet)
            (Path(work) / "unpacked").rename(directory)
    for file in sorted(directory.rglob("*.html")):
        if file.is_file():
            yield Capture(f"http://docs.example/{file.relative_to(directory).as_posix()}", file.read_bytes())


def _webkb(archive: Path, directory: Path) -> Iterator[Capture]:
    if not directory.exists():
        directory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory.parent) as work, tarfile.open(archive) as tar:
            tar.extractall(work, filter="data")
            Path(work).joinpath("webkb").rename(directory)
    for file in sorted(directory.rglob("http*")):
        if file.is_file():
            address = urls.canonical(file.name.replace("^", "/"))
            yield Capture(address or "", _HEADERS.sub(b"", file.read_bytes(), count=1))


if __name__ == "__main__":
    for row in run():
        print(row, f"ratio {row['ours'] / row['theirs']:.1f}", flush=True)
