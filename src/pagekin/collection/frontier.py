"""The collection as a crawler's memory: finds the addresses that are known but not held, within reach of the start.

Links are followed both ways, as paper 5's crawler does ("spiral"), unless they say nofollow: forward from pages that
were fetched, and backward to pages that link here, whether a table says so (backlinks: their sources were never
fetched) or a page that is held. Backward only along content, not along menus and templates (`roles`): every page of a
site links to the front page, so with those any radius would be the whole site.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pagekin.collection.graph import Graph, folded_aliases, pages_meant, roles_of
from pagekin.collection.roles import CONTENT
from pagekin.collection.snapshot import Snapshot
from pagekin.collection.store import Store
from pagekin.kernels import Ints
from pagekin.kernels.numbers import number_in, numbers_in
from pagekin.model import Plan, Visit
from pagekin.url import page_id

NOFOLLOW = "nofollow"
State = Graph | Snapshot
AT_A_TIME = 1 << 18  # links that are looked at together
AT_ONCE = np.iinfo(np.int64).max  # as `old`: every page is old, whenever it was fetched


@dataclass(frozen=True)
class Frontier:
    """The collection at `path` as `model.Held`."""

    path: Path
    radius: int
    backlinks: pa.Table | None = None  # source, target: addresses
    old: int | None = None  # pages fetched before this (Unix seconds) are fetched again

    def plan(
        self, begin: Mapping[str, int], allows: Callable[[str], bool], tried: AbstractSet[int] = frozenset()
    ) -> Plan:
        graph = Store(self.path).state
        known = _Known(graph, self._addresses(begin))
        edges, same = self._edges(graph, known)
        settled = self._settled(graph, known, tried)
        visits, near = [], []
        for depth, reached in self._levels(known, begin, edges, same, allows):
            for at in reached.tolist():
                if settled[at]:
                    near.append(known.url(at))
                else:
                    visits.append(
                        Visit(known.url(at), depth, known.value("etag", at), known.value("last_modified", at))
                    )
        return Plan(tuple(visits), tuple(near), array("q", known.ids[settled].tobytes()))

    def home(self, url: str) -> str:
        state = Store(self.path).state
        page = number_in(state.ids, page_id(url))
        if page is None:
            return url
        end = folded_aliases(state.ids, state.pages["part"].to_numpy(), state.aliases).get(page, page)
        return str(state.pages["url"][end].as_py())

    def _addresses(self, begin: Mapping[str, int]) -> list[str]:
        if self.backlinks is None:
            return list(begin)
        ends = (pc.unique(self.backlinks[end]).to_pylist() for end in ("source", "target"))
        return [*begin, *(url for end in ends for url in end)]

    def _edges(self, graph: State, known: "_Known") -> tuple[list["Steps"], list["Steps"]]:
        """Steps of one link, and steps that cost nothing: from a page to where it moved or to its canonical address."""
        role, steps = _role(graph), list[Steps]()
        for first in range(0, graph.links.num_rows, AT_A_TIME):
            links = graph.links.slice(first, AT_A_TIME)
            source, target = (links[end].to_numpy() for end in ("source", "target"))
            followed = pc.invert(pc.match_substring(links["rel"].cast(pa.large_string()), NOFOLLOW))
            followed = followed.to_numpy(zero_copy_only=False).astype(bool)
            out = followed & known.fetched[source]
            back = followed & (~known.fetched[source] | (role[first : first + AT_A_TIME] == CONTENT))
            steps += [known.folded(source[out], target[out]), known.folded(target[back], source[back])]
        if self.backlinks is not None:
            ends = (
                known.places([page_id(url) for url in self.backlinks[end].to_pylist()]) for end in ("target", "source")
            )
            steps.append(known.of_places(*ends))
        moved = graph.aliases.to_pylist()
        from_ids, to_ids = [page_id(row["alias"]) for row in moved], [row["page"] for row in moved]
        return steps, [known.of_places(known.places(from_ids), known.places(to_ids))]

    def _settled(self, graph: State, known: "_Known", tried: AbstractSet[int]) -> npt.NDArray[np.bool_]:
        """Which addresses need no visit: pages that are held and not old, aliases, and those asked for in vain."""
        settled = np.zeros(known.ids.size, bool)
        whole = graph.pages["digest"].is_valid().to_numpy()  # not one that `salvage` could not keep all of
        fetched = graph.pages["fetched"].cast(pa.int64()).fill_null(-1).to_numpy()
        answered = graph.pages["status"].is_valid().to_numpy()
        aliases = np.zeros(fetched.size, bool)
        places = known.places([page_id(row["alias"]) for row in graph.aliases.to_pylist()])
        aliases[np.searchsorted(graph.ids, known.ids[places[places >= 0]])] = True
        in_vain = (answered if self.old != AT_ONCE else False) | aliases
        settled[known.place_of_page] = np.where(fetched < 0, in_vain, whole & (fetched >= 1000.0 * (self.old or 0)))
        places = known.places(list(tried))
        settled[places[places >= 0]] = True
        return settled

    def _levels(
        self,
        known: "_Known",
        begin: Mapping[str, int],
        edges: list["Steps"],
        same: list["Steps"],
        allows: Callable[[str], bool],
    ) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        """The addresses at each distance, nearest first: only allowed ones, reached over allowed ones."""
        seen = np.zeros(known.ids.size, bool)
        level = np.empty(0, np.int64)
        for depth in range(self.radius + 1):
            new = np.union1d(_behind(edges, level, seen.size), known.at_depth(begin, depth))
            found = []
            while (new := new[~seen[new]]).size:
                seen[new] = True
                passed = new[[url in begin or allows(url) for url in map(known.url, new.tolist())]]
                found.append(passed)
                new = _behind(same, passed, seen.size)
            level = np.concatenate([*found, np.empty(0, np.int64)])
            yield depth, level
            if not level.size and depth >= max(begin.values(), default=0):
                return


def _role(state: State) -> npt.NDArray[np.uint8]:
    """The role of each link; what a crawl has just brought in has none yet."""
    if isinstance(state, Graph):
        return np.asarray(state.links["role"].to_numpy())
    start = np.searchsorted(state.links["source"].to_numpy(), np.arange(state.ids.size + 1))
    return roles_of(state, start)[0]


@dataclass(frozen=True)
class Steps:
    """Steps from one place to another."""

    source: Ints
    target: Ints


def _behind(steps: list[Steps], places: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    """Where one step leads from some of `size` places, ascending."""
    here, there = np.zeros(size, bool), np.zeros(size, bool)
    here[places] = True
    for each in steps if places.size else ():
        there[each.target[here[each.source]]] = True
    return np.flatnonzero(there)


class _Known:
    """Every address that matters, by its place: those of the collection, and those that only the crawl brings."""

    def __init__(self, graph: State, addresses: list[str]) -> None:
        self.graph = graph
        self.extra = {page_id(url): url for url in addresses}
        self.ids = np.union1d(np.asarray(graph.ids), np.array(list(self.extra), np.int64))
        self.place_of_page = np.searchsorted(self.ids, graph.ids).astype(np.int32)
        self.fetched = graph.pages["fetched"].is_valid().to_numpy()
        fold = folded_aliases(graph.ids, graph.pages["part"].to_numpy(), graph.aliases)
        self.page_of = pages_meant(graph.ids.size, fold)

    def places(self, ids: list[int]) -> npt.NDArray[np.int64]:
        """The places of these ids, -1 for an unknown one; an alias has its own place, not that of its page."""
        return numbers_in(self.ids, np.array(ids, np.int64)).astype(np.int64)

    def folded(self, source: npt.NDArray[Any], target: npt.NDArray[Any]) -> Steps:
        """Steps between pages of the collection; an alias counts as its page."""
        return Steps(self.place_of_page[self.page_of[source]], self.place_of_page[self.page_of[target]])

    def of_places(self, source: npt.NDArray[np.int64], target: npt.NDArray[np.int64]) -> Steps:
        both = (source >= 0) & (target >= 0)
        return Steps(source[both].astype(np.int32), target[both].astype(np.int32))

    def at_depth(self, begin: Mapping[str, int], depth: int) -> npt.NDArray[np.int64]:
        return self.places([page_id(url) for url, at in begin.items() if at == depth])

    def page_at(self, place: int) -> int | None:
        return number_in(self.graph.ids, int(self.ids[place]))

    def value(self, column: str, place: int) -> str | None:
        page = self.page_at(place)
        return None if page is None else self.graph.pages[column][page].as_py()

    def url(self, place: int) -> str:
        return self.extra.get(int(self.ids[place])) or self.value("url", place) or ""
