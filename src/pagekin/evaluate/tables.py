"""The papers' own tables and figures: `evaluate --tables paper4`, and with `--out` as a picture."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pagekin.collection.store import Store
from pagekin.errors import unknown


@dataclass(frozen=True)
class Options:
    """What may be said about a table: where its truth is."""

    labels: Path | None = None


# name → the module with `table(store, options) -> answer` and `plot(answer, path)`
TABLES = {"paper4": "pagekin.evaluate.paper4"}


def tables(name: str, site: Path, options: Options, out: Path | None = None) -> dict[str, Any]:
    """A paper's table as an answer `{"query": …, "note": …, "results": [rows]}`; drawn to `out` as well."""
    if name not in TABLES:
        raise unknown("table", name, TABLES)
    module = import_module(TABLES[name])
    table: Callable[[Store, Options], dict[str, Any]] = module.table
    answer = table(Store(site), options)
    if out is not None:
        module.plot(answer, out)
    return answer
