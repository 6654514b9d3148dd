"""Runs a server until it is told to stop: binds its address, starts workers, and ends within a few seconds."""

import ipaddress
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from multiprocessing.reduction import DupFd
from time import monotonic
from typing import Any
from weakref import WeakSet

import uvicorn
from uvicorn.supervisors import Multiprocess

from pagekin.errors import PagekinError
from pagekin.serve.settings import VARIABLE, Settings
from pagekin.wording import option, speaking

GRACE_S = 5  # for answers under way when the server is told to stop
BACKLOG = 2048
# Until a worker takes another connection, for each that it has: by then one that waits is awake, unless the machine is
# busy. And at most: many connections that come together should not wait long for each other.
TURN_S, LONGEST_TURN_S = 0.002, 0.005
LAST_PORT = 65_535
LOGS: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "pagekin.serve": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "pagekin.access": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
    },
}


def run(settings: Settings, host: str, port: int, workers: int, ready: Callable[[str], None]) -> None:
    """Serve; `ready` is told the address when it is bound."""
    bound = listening(host, port)
    address = f"http://{_shown(host)}:{bound.getsockname()[1]}{settings.root_path}/"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # after uvicorn has stopped
    if hasattr(signal, "SIGPIPE"):  # the shell's commands end when their reader has gone; a server has other readers
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    with tempfile.TemporaryDirectory(prefix="pagekin-serve-") as folder, speaking("python"):
        if workers > 1:
            settings = replace(settings, metrics=folder)
        os.environ[VARIABLE] = settings.as_text()
        config = uvicorn.Config(
            "pagekin.serve.app:from_environment", factory=True, workers=workers, log_config=LOGS, access_log=False,
            timeout_graceful_shutdown=GRACE_S, server_header=False, date_header=True, lifespan="on",
        )  # fmt: skip
        ready(address)
        if workers > 1:
            Multiprocess(config, sockets=[bound]).run()
        else:
            uvicorn.Server(config).run(sockets=[bound])


class Shared(socket.socket):
    """A socket at which several workers listen, and take turns.

    asyncio takes all connections that wait: of those that come together, and stay open, one worker would get every one,
    and the others would have nothing to do. A worker that has taken one leaves the next to the others for a moment, the
    longer the more it has.
    """

    turn = 0.0  # seconds for each that is open; one worker has nobody to leave anything to
    resting = 0.0  # until when

    def accept(self) -> tuple[socket.socket, Any]:
        """A connection; right after one, there is none."""
        if monotonic() < self.resting:
            raise BlockingIOError
        taken = super().accept()
        self.open.add(taken[0])
        self.resting = monotonic() + min(self.turn * len(self.open), LONGEST_TURN_S)
        return taken

    @cached_property
    def open(self) -> "WeakSet[socket.socket]":
        """The connections that are open."""
        return WeakSet()

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (self.family, self.type, self.proto, DupFd(self.fileno()))


def _received(family: int, kind: int, protocol: int, handle: Any) -> Shared:
    """The socket in one of several workers."""
    made = Shared(family, kind, protocol, handle.detach())
    made.turn = TURN_S
    return made


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; port 0 takes any that is free."""
    if not 0 <= port <= LAST_PORT:
        raise PagekinError(f"port {port} does not exist; choose another {option('port')}, 0 to {LAST_PORT}")
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # It names its protocol: only then does asyncio set TCP_NODELAY, without which each answer waits 40 ms.
        bound = Shared(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(where)
    except OSError as error:
        why = error.strerror or str(error)
        other = f"choose another {option('host')} or {option('port')}"
        raise PagekinError(f"cannot listen at {host}, port {port}: {why}; {other}") from None
    bound.listen(BACKLOG)
    bound.set_inheritable(True)
    return bound


def is_everywhere(host: str) -> bool:
    """Whether a server at this address listens on all interfaces."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
