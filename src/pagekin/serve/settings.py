"""What a server is told when it starts; its workers read it from the environment of the process."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pagekin.errors import UsageError

VARIABLE = "PAGEKIN_SERVE"
PORT = 8420
# First parts of addresses that are pages of the server itself, so no collection can be served under them.
RESERVED = ("api", "static", "docs", "openapi.json", "healthz", "metrics")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Settings:
    """The collections by name, who may ask, and how much is answered at once (in each worker)."""

    collections: Mapping[str, str]  # name → path
    hosts: tuple[str, ...] = ()  # names of this server beside those of loopback, as in a `Host` header
    any_number: bool = False  # whether any IP address may stand in `Host`: for a server on all interfaces
    origins: tuple[str, ...] = ()  # sites and extensions whose scripts may ask from a browser
    root_path: str = ""  # where a proxy shows this server, as /kin
    log_queries: bool = False
    slow: int = 2  # slow questions that are worked on at once
    budget: float = 30.0  # seconds that a question may take
    metrics: str = ""  # a folder in which the workers count together; "": a worker counts for itself

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> "Settings":
        """The settings that `serve` wrote for its workers."""
        found = json.loads(os.environ[VARIABLE])
        return cls(**found | {name: tuple(found[name]) for name in ("hosts", "origins")})


def named(paths: Sequence[Path]) -> dict[str, str]:
    """Collections by the name of their folder, as `site` for `/srv/site.kin`."""
    found: dict[str, str] = {}
    for path in paths:
        name = path.resolve().name.removesuffix(".kin")
        if not _NAME.fullmatch(name) or name in RESERVED:
            raise UsageError(
                f"{path} cannot be served as /{name}/; name its folder with letters, digits, '.', '_' and '-', "
                f"and not {', '.join(RESERVED)}"
            )
        if name in found:
            raise UsageError(f"{found[name]} and {path} are both called {name}; rename one of them")
        found[name] = str(path)
    if not found:
        raise UsageError("no collection given; name at least one to serve")
    return found
