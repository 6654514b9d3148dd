"""The archives of a crawl, replayed by pywb: it finds each page by our index, and gives the bytes that were sent.

pywb has an environment of its own, which `make replay` makes: it holds other programs to old versions.
"""

import gzip
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pagekin import Collection
from tests.loopback import HTML, Answer, Asked, Server, moved, page

BLOG = "http://blog.example/"
TEXT = "<title>Bienen</title><p>Königin und Honig, 蜂蜜 <a href='/'>home</a>"
PAGES: dict[str, Answer] = {
    "/": page(
        "/a.html", "/old", "/search?q=bees&page=2", "/packed", "/latin.html", "/Upper/Case%20d", "/in/parts", "/gone"
    ),
    "/a.html": page("/", title="A", words="bees make honey"),
    "/old": moved("/a.html", 301),
    "/search?q=bees&page=2": page("/", title="Found", words="results of a search"),
    "/packed": Answer(gzip.compress(TEXT.encode()), headers={"Content-Type": HTML, "Content-Encoding": "gzip"}),
    "/latin.html": Answer(TEXT.encode("gb18030"), headers={"Content-Type": "text/html; charset=gb18030"}),
    "/Upper/Case%20d": page("/", title="Case", words="letters of both cases"),
    "/in/parts": Answer([b"<title>Parts</title>", b"<p>first", b"<p>second"], headers={"Content-Type": HTML}),
}
UNPACKED = {"/packed": TEXT.encode(), "/in/parts": b"<title>Parts</title><p>first<p>second"}
PATIENCE = 60  # seconds for pywb to start


def answers(asked: Asked) -> Answer | None:
    return PAGES.get(asked.path)


@contextmanager
def replayed(folder: Path) -> Iterator[str]:
    """The address of pywb, in a folder with its collections."""
    program = shutil.which("wayback")
    assert program
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log, address = folder / "log", f"http://127.0.0.1:{port}/"
    with (
        log.open("w") as said,
        subprocess.Popen(
            [program, "--port", str(port), "--bind", "127.0.0.1"],
            cwd=folder,
            stdout=said,
            stderr=said,
            env=_own(),
        ) as running,
    ):
        try:
            ends = time.monotonic() + PATIENCE
            while not _answers(address):
                assert running.poll() is None and time.monotonic() < ends, log.read_text()
                time.sleep(0.1)
            yield address
        finally:
            running.send_signal(signal.SIGTERM)


def _own() -> dict[str, str]:
    """The environment of a program that has its own packages."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=5).close()
    except OSError:
        return False
    return True


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def fetched(url: str) -> tuple[int, bytes, str]:
    """Status, bytes and `Location` of an answer; redirects are not followed."""
    try:
        with urllib.request.build_opener(_Stay).open(url, timeout=30) as answer:
            return answer.status, answer.read(), ""
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), error.headers.get("Location", "")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("wayback"), reason="pywb is not installed; make replay installs it and runs this")
@pytest.mark.parametrize("index", ["ours", "pywb's"])
def test_pywb_gives_every_page_of_a_crawl_as_it_was_sent(index: str, tmp_path: Path) -> None:
    with Server(answers) as server:
        Collection(tmp_path / "blog.kin").crawl(
            BLOG, warc=tmp_path / "warc", resolve=[f"blog.example=127.0.0.1:{server.port}"], rate=50, allow_private=True
        )
    if index == "ours":
        (tmp_path / "config.yaml").write_text(
            "collections:\n  blog:\n    index_paths: warc/\n    archive_paths: warc/\n"
        )
    else:
        manager = str(Path(shutil.which("wayback") or "").with_name("wb-manager"))
        warcs = sorted(map(str, (tmp_path / "warc").glob("*.warc.gz")))
        for words in (["init", "blog"], ["add", "blog", *warcs]):
            subprocess.run([manager, *words], cwd=tmp_path, check=True, capture_output=True, env=_own())
    with replayed(tmp_path) as address:
        for path, sent in PAGES.items():
            status, body, location = fetched(f"{address}blog/20300101000000id_/{BLOG.rstrip('/')}{path}")
            if status in (302, 307) and "/old" not in path:  # to the time of the capture
                status, body, location = fetched(location)
            assert status == sent.status, (path, status, body[:200])
            if sent.status == 200:
                assert body in (sent.body, UNPACKED.get(path)), path
            else:
                assert location == sent.headers["Location"]
        status, body, _ = fetched(f"{address}blog/2030mp_/{BLOG}a.html")
        assert b"bees make honey" in body
        assert fetched(f"{address}blog/2030mp_/{BLOG}old")[2].endswith(f"mp_/{BLOG}a.html")
        assert fetched(f"{address}blog/2030id_/{BLOG}never")[0] == 404
