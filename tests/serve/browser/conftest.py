"""A server on loopback, and Chromium: Debian's, through Playwright. Where either is missing the tests are skipped."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pagekin import Collection, demo
from tests.serve.hostile import hostile
from tests.small_webs import collection

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 30  # seconds for a server to start
AXE = "axe-core@4"
SCREENSHOTS = os.environ.get("PAGEKIN_SCREENSHOTS")  # a folder that keeps them; otherwise they are in that of the run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[tuple[str, Path]]:
    """The address of a server of the collections that `words` name in a folder, and its log."""
    command = [sys.executable, "-m", "pagekin", "serve", *words, "--port", "0"]
    log = folder / "log"
    with log.open("w") as file, subprocess.Popen(command, cwd=folder, stderr=file) as running:
        try:
            ends = time.monotonic() + PATIENCE
            while not (found := re.search(r" at (http://127\.0\.0\.1:\d+/)\n", log.read_text())):
                assert running.poll() is None and time.monotonic() < ends, log.read_text()
                time.sleep(0.05)
            yield found[1], log
        finally:
            running.send_signal(signal.SIGTERM)


def demo_and_evil(folder: Path) -> None:
    """The demo web, and one with scripts in it, as built collections."""
    demo.write(folder / "web")
    Collection(folder / "demo.kin").add(folder / "web")
    collection(folder / "evil.kin", *hostile())
    for name in ("demo", "evil"):
        Collection(folder / f"{name}.kin").build(all=True)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of the demo web and of one with scripts in it."""
    folder = tmp_path_factory.mktemp("browser")
    demo_and_evil(folder)
    with serving(folder, "demo.kin", "evil.kin") as (address, _):
        yield address


@pytest.fixture(scope="session")
def demo_kin(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The collection that is served as /demo/."""
    return next(tmp_path_factory.getbasetemp().glob("browser*/demo.kin"))


@pytest.fixture(scope="module")  # while it is there, no other test of this process can run an event loop
def chromium() -> Iterator[Any]:
    if not CHROMIUM:
        pytest.skip("there is no Chromium here; on Debian: apt-get install chromium")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; run: pip install playwright")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Watched:
    """A tab, and what it should never see: errors in the console, requests that leave the server."""

    def __init__(self, chromium: Any, server: str, **settings: Any) -> None:
        self.context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}} | settings)
        self.tab, self.server = self.context.new_page(), server
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        self.tab.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on("request", lambda asked: None if asked.url.startswith(server) else self.elsewhere.append(asked.url))

    def go(self, path: str) -> Any:
        self.tab.goto(self.server + path.lstrip("/"), wait_until="networkidle")
        return self.tab


@pytest.fixture
def watched(chromium: Any, server: str) -> Iterator[Any]:
    """`watched(width=…)` opens a tab; at the end of the test none of them has seen an error."""
    tabs: list[Watched] = []

    def opened(**settings: Any) -> Watched:
        tabs.append(Watched(chromium, server, **settings))
        return tabs[-1]

    yield opened
    for each in tabs:
        each.context.close()
    assert [error for each in tabs for error in each.errors] == []
    assert [url for each in tabs for url in each.elsewhere] == []


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(SCREENSHOTS) if SCREENSHOTS else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, which checks what people with a screen reader or weak eyes need; from npm."""
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("there is no npm here, from which axe-core is taken; on Debian: apt-get install npm")
    folder = tmp_path_factory.mktemp("axe")
    try:
        subprocess.run([npm, "pack", AXE], cwd=folder, capture_output=True, check=True, timeout=PATIENCE)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm does not give {AXE}: {error}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        file = archive.extractfile("package/axe.min.js")
        assert file is not None
        return file.read().decode()
