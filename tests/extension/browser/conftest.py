"""Chromium with the extension, a web of the demo's pages for it to read, and a server whose log says what was asked."""

import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from extension.pack import SOURCE
from pagekin import demo
from pagekin.version import VERSION
from tests.serve.browser.conftest import CHROMIUM, axe, demo_and_evil, screenshots, serving  # noqa: F401
from tests.serve.hostile import ADDRESSES

STRICT = "default-src 'none'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'"  # no page lets anything in
QUICK = 10_000  # ms that anything may take


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def until(page: Any, holds: str, arg: Any = None) -> None:
    """Wait until a function holds. Playwright would evaluate text in the page, which the extension's policy forbids."""
    ends = time.monotonic() + QUICK / 1000
    while not page.evaluate(holds, arg):
        assert time.monotonic() < ends, page.evaluate("document.body.innerText")
        page.wait_for_timeout(30)


class Web:
    """A server of every `*.example` host: the demo's pages under their addresses, and what a test adds."""

    def __init__(self) -> None:
        self.pages = demo.pages() | {url: b"<title>evil</title>" for url in ADDRESSES}
        self.asked: list[str] = []
        self.made = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.port = self.made.server_port

    def handler(self) -> type[BaseHTTPRequestHandler]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                url = f"http://{self.headers['Host']}{self.path}"
                web.asked.append(url)
                body = web.pages.get(url.partition("?")[0], b"<title>somewhere</title><h1>Somewhere</h1>")
                self.send_response(200)
                self.send_header("Content-Type", "application/json" if body.startswith(b"{") else "text/html")
                self.send_header("Content-Security-Policy", STRICT)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    found = Web()
    threading.Thread(target=found.made.serve_forever, daemon=True).start()
    yield found
    found.made.shutdown()
    found.made.server_close()


class Server:
    """A server of ours, and what it was asked, from its log."""

    def __init__(self, address: str, log: Path, folder: Path) -> None:
        self.address, self.log, self.kin = address.rstrip("/"), log, folder / "demo.kin"

    def asked(self) -> list[str]:
        """Path and query of every request, but those for files of the server's pages."""
        found = re.findall(r'"GET (\S+)" \d+', self.log.read_text())
        return [each for each in found if not each.startswith("/static/")]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("extension")
    demo_and_evil(folder)
    with serving(folder, "demo.kin", "evil.kin", "--log-queries") as (address, log):
        yield Server(address, log, folder)


class Reader:
    """A browser with the extension, whose settings name a server."""

    def __init__(self, context: Any, web: Web, served: Server) -> None:
        self.context, self.web, self.served = context, web, served
        # Chromium names an unpacked extension after its folder: the digits of a hash, as letters from a on.
        digits = hashlib.sha256(str(SOURCE).encode()).hexdigest()[:32]
        self.id = "".join(chr(ord("a") + int(digit, 16)) for digit in digits)
        self.tab = context.pages[0]
        self.began = len(served.asked())
        self.errors: list[str] = []

    def url(self, name: str) -> str:
        return f"chrome-extension://{self.id}/{name}"

    def asked(self) -> list[str]:
        """What the server was asked since this browser was started."""
        return self.served.asked()[self.began :]

    def settings(self) -> Any:
        tab = self.context.new_page()
        tab.goto(self.url("options.html"))
        until(tab, "() => document.getElementById('server').value")
        return tab

    def use(self, address: str) -> str:
        """Set the address of the server, as a user does; what the page says then."""
        tab = self.settings()
        tab.fill("#server", address)
        tab.click("#save")
        done = "/^Saved\\. (?!Asking)|^Not|^“|^Leave/"
        until(tab, f"() => {done}.test(document.getElementById('said').textContent)")
        said: str = tab.text_content("#said")
        tab.close()
        self.tab.bring_to_front()
        return said

    def panel(self) -> Any:
        """The side panel, opened by a click on the button of the settings page."""
        tab = self.settings()
        with self.context.expect_page(lambda page: page.url == self.url("panel.html"), timeout=QUICK) as opened:
            tab.click("#open")
        tab.close()
        self.tab.bring_to_front()
        panel = opened.value
        panel.on("console", self.noted)
        panel.on("pageerror", lambda error: self.errors.append(str(error)))
        return panel

    def noted(self, said: Any) -> None:
        """A line of the console; Chromium notes each answer that is not a 200 there."""
        if said.type == "error" and "Failed to load resource" not in said.text:
            self.errors.append(said.text)

    def read(self, url: str, tab: Any = None) -> None:
        (tab or self.tab).goto(url)
        (tab or self.tab).bring_to_front()


@pytest.fixture(scope="module")
def playwright() -> Iterator[Any]:
    if not CHROMIUM:
        pytest.skip("there is no Chromium here; on Debian: apt-get install chromium")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; run: pip install playwright")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PW_CHROMIUM_ATTACH_TO_OTHER", "1")  # a side panel is neither a tab nor a window
        with api.sync_playwright() as running:
            yield running


@pytest.fixture
def reader(playwright: Any, web: Web, served: Server, tmp_path: Path) -> Iterator[Reader]:
    context = playwright.chromium.launch_persistent_context(
        tmp_path / "profile", executable_path=CHROMIUM, headless=True, viewport=None,
        args=[
            "--no-sandbox", f"--disable-extensions-except={SOURCE}", f"--load-extension={SOURCE}",
            f"--host-resolver-rules=MAP *.example 127.0.0.1:{web.port}",
        ],
    )  # fmt: skip
    found = Reader(context, web, served)
    assert f"pagekin {VERSION} answers there, with demo, evil" in found.use(served.address)
    yield found
    context.close()
    assert found.errors == []


def answer(**changed: Any) -> bytes:
    """The beginning of what a server says, for one that is not ours."""
    return json.dumps({"pagekin": "9.0", "panel": 99, "collections": []} | changed).encode()
