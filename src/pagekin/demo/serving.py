"""The demo web on loopback: one server stands in for its twelve hosts, so that a crawl can be tried on it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pagekin.demo.web import pages

ADDRESS = "127.0.0.1"


@contextmanager
def serving(port: int = 0) -> Iterator[str]:
    """Inside this context the demo web is served at `127.0.0.1:PORT`, for `resolve` of a crawl. 0: any free port."""
    with ThreadingHTTPServer((ADDRESS, port), _handler(pages())) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"{ADDRESS}:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def _handler(web: dict[str, bytes]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.removesuffix("index.html")  # which the demo's pages sometimes write
            body = web.get(f"http://{self.headers.get('Host', '')}{path}")
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html")  # each page says its encoding itself
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: Any) -> None:
            """Requests are not logged."""

    return Handler
