"""`open` finds the server before it opens anything, and says what is wrong if there is none."""

import json
import threading
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from pagekin.shell import main as cli

PAGE = "http://a.example/x?y=1&z#part"


@pytest.fixture
def server():
    """A server that answers what `server.says` holds; its requests are in `server.asked`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.asked.append(self.path)
            status, body = self.server.says
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    made = HTTPServer(("127.0.0.1", 0), Handler)
    made.asked, made.says = [], (200, json.dumps({"pagekin": "0.1.0", "panel": 1, "collections": ["a"]}).encode())
    made.address = f"http://127.0.0.1:{made.server_port}"
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def shell(monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # nothing is there; loopback is asked without it

    def run(*words):
        monkeypatch.setattr("sys.argv", ["pagekin", "open", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err, opened

    return run


def test_it_opens_the_panel_about_a_page(shell, server):
    code, out, err, opened = shell(PAGE, "--server", server.address + "/", "-m", "assisted(alpha=0.2)")
    address = (
        f"{server.address}/panel?url=http%3A%2F%2Fa.example%2Fx%3Fy%3D1%26z%23part&method=assisted%28alpha%3D0.2%29"
    )
    assert (code, out, err, opened) == (0, address + "\n", "", [address])
    assert server.asked == ["/panel.json"]  # it asks whether a server is there; the page is the browser's to ask about


def test_of_one_collection_and_without_a_browser(shell, server):
    code, out, _, opened = shell(PAGE, "--server", f"127.0.0.1:{server.server_port}/demo", "--no-browser")
    assert (code, opened) == (0, [])
    assert out.startswith(f"{server.address}/demo/panel?url=")
    assert server.asked == ["/demo/panel.json"]


def test_without_a_screen_the_address_is_all(shell, server, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    code, out, _, opened = shell(PAGE, "--server", server.address)
    assert (code, out != "", opened) == (0, True, [])


def test_where_no_server_is_it_says_how_to_start_one(shell, server):
    address = server.address
    server.shutdown()
    server.server_close()
    code, out, err, opened = shell(PAGE, "--server", address)
    assert (code, out, opened) == (1, "", [])
    assert f"no server answers at {address}" in err
    assert "pagekin serve SITE.kin" in err
    assert "--server" in err


@pytest.mark.parametrize("says", [(200, b"<html>"), (200, b"[]"), (404, b'{"error": "no"}'), (500, b"")])
def test_another_server_is_not_taken_for_ours(shell, server, says):
    server.says = says
    code, _, err, opened = shell(PAGE, "--server", server.address)
    assert (code, opened) == (1, [])
    assert "has no panel" in err


@pytest.mark.parametrize("address", ["ftp://a.example", "http://", "file:///etc"])
def test_what_is_no_address_is_refused(shell, address):
    code, _, err, opened = shell(PAGE, "--server", address)
    assert (code, opened) == (2, [])
    assert "expected one like" in err


def test_plain_http_to_another_machine_is_warned_of(shell, monkeypatch):
    monkeypatch.setattr("pagekin.shell.open.ask", lambda root: {})
    _, _, err, opened = shell(PAGE, "--server", "http://kin.example")
    assert "not encrypted" in err
    assert opened[0].startswith("http://kin.example/panel?")
    assert shell(PAGE, "--server", "https://kin.example")[2] == ""
