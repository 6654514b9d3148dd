"""What holds for every request: who may ask, what a browser may do with the answer, and what is logged.

A page of a stranger can send requests to a server on loopback, under a name that it lets point there (DNS rebinding),
and read the answers. So a `Host` that is not a name of this server is refused.
"""

import ipaddress
import logging
import time
from collections.abc import Iterable

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagekin.harmless import clean
from pagekin.serve.metrics import Metrics
from pagekin.serve.problems import HttpError, problem, respond
from pagekin.serve.settings import Settings
from pagekin.serve.style import HASH
from pagekin.wording import option, speaking

LOOPBACK = ("localhost", "127.0.0.1", "::1")
# Nothing is loaded from elsewhere, no script stands in a page and no style but ours, and no other site may frame one.
POLICY = (
    f"default-src 'none'; script-src 'self'; style-src '{HASH}'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # addresses hold what was asked
    (b"cross-origin-opener-policy", b"same-origin"),
)
log = logging.getLogger("pagekin.access")


class Guard:
    """The outermost layer of the app. It also answers HEAD, as GET without the body."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics
        self.names = frozenset((*LOOPBACK, *map(str.lower, settings.hosts)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, is_head = time.perf_counter(), 0, scope["method"] == "HEAD"
        asked, scope = scope, {**scope, **self._placed(scope["path"]), "method": "GET" if is_head else scope["method"]}

        async def guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *HEADERS]
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        try:
            if self.knows(host_of(scope["headers"])):
                await self.app(scope, receive, guarded)
            else:
                await respond(Request(scope), self.refusal(scope))(scope, receive, guarded)
        except Exception as error:
            if status:  # it is too late to say anything else
                raise
            await respond(Request(scope), problem(error))(scope, receive, guarded)
        finally:
            took = time.perf_counter() - began
            self.metrics.count(self._route(scope), status, took)
            self._log(asked, status, took)

    def _placed(self, path: str) -> dict[str, str]:
        """The path as ASGI has it, with that of the proxy, which may or may not have cut it off."""
        root = self.settings.root_path
        return {"root_path": root, "path": path if f"{path}/".startswith(f"{root}/") else root + path}

    def _route(self, scope: Scope) -> str:
        """The path by which a request is counted: ours have no parts that vary, but for files."""
        path: str = scope["path"].removeprefix(self.settings.root_path)
        return "/static" if path.startswith("/static/") else path

    def knows(self, host: str) -> bool:
        """Whether a `Host` is a name of this server. A number cannot be made to point elsewhere."""
        return host in self.names or (self.settings.any_number and _is_number(host))

    def refusal(self, scope: Scope) -> HttpError:
        """The answer to a request that names another server."""
        with speaking("shell"):  # a server is started from there
            named = option("allow_host", "NAME")
        host = clean(host_of(scope["headers"]))
        return HttpError(421, f"this server is not called '{host}'", f"if it is, start it with {named}")

    def _log(self, scope: Scope, status: int, took: float) -> None:
        client = scope["client"][0] if scope.get("client") else "-"
        path = scope["path"]
        if self.settings.log_queries and scope["query_string"]:
            path += "?" + scope["query_string"].decode("latin-1")
        log.info('%s "%s %s" %d %.0f ms', client, scope["method"], clean(path), status, 1000 * took)


def host_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The name in the `Host` header, in lower case, without the port; "" if it is missing or given twice."""
    given = [value.decode("latin-1") for name, value in headers if name == b"host"]
    if len(given) != 1:
        return ""
    host = given[0].strip().lower()
    if host.startswith("["):  # an IPv6 address
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
