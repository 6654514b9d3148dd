"""A web server on loopback that answers as a test says, and whose log is the witness."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HTML = "text/html; charset=utf-8"


@dataclass
class Asked:
    """One request, as the server saw it; times are of one clock."""

    host: str
    path: str
    headers: Mapping[str, str]
    began: float
    ended: float = 0.0


@dataclass
class Answer:
    body: bytes | Iterable[bytes] = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def page(*targets: str, title: str = "A page", head: str = "", words: str = "") -> Answer:
    links = "".join(f'<li><a href="{target}">{target}</a>' for target in targets)
    return Answer(
        f"<title>{title}</title>{head}<p>{words}</p><ul>{links}</ul>".encode(), headers={"Content-Type": HTML}
    )


def moved(target: str, status: int = 302) -> Answer:
    return Answer(status=status, headers={"Location": target})


Answers = Callable[[Asked], Answer | bytes | None]


class Server:
    """`with Server(answers) as server:`; `answers` takes an `Asked` and gives an answer, HTML, or None for a 404."""

    def __init__(self, answers: Answers, address: str = "127.0.0.1") -> None:
        log = self.log = []
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 30

            def do_GET(self) -> None:
                asked = Asked(self.headers.get("Host", ""), self.path, dict(self.headers), time.monotonic())
                with lock:
                    log.append(asked)
                found = answers(asked)
                if found is None:
                    found = Answer(b"<title>Not found</title>", 404, {"Content-Type": HTML})
                elif isinstance(found, bytes):
                    found = Answer(found, headers={"Content-Type": HTML})
                asked.ended = time.monotonic()
                try:
                    self._send(found)
                except OSError:
                    self.close_connection = True

            def _send(self, answer: Answer) -> None:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if isinstance(answer.body, bytes):
                    if "Content-Length" not in answer.headers:
                        self.send_header("Content-Length", str(len(answer.body)))
                    self.end_headers()
                    self.wfile.write(answer.body)
                    self.close_connection = "Content-Length" in answer.headers  # and perhaps a lie
                    return
                self.send_header("Connection", "close")
                self.end_headers()
                for piece in answer.body:
                    self.wfile.write(piece)
                    self.wfile.flush()
                self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                pass

        self.server = Quiet((address, 0), Handler)
        self.address, self.port = self.server.server_address[:2]
        self.url = f"http://{self.address}:{self.port}/"

    def __enter__(self) -> "Server":
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def paths(self, host: str | None = None) -> list[str]:
        """What was asked for, robots.txt apart."""
        return [a.path for a in self.log if a.path != "/robots.txt" and host in (None, a.host.partition(":")[0])]
