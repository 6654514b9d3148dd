"""The report of paper 5's appendix for one page: its base set, and hubs and authorities under the four weightings.

For each weighting (links and hubs, links, hubs, none) it prints how the iteration converges, the scores of the page
itself, and the best hubs and authorities *picked*, adjacent results of one host suppressed; then the pages of the base
set by Hamming distance, and the hosts of the base set and of the lists before they were picked.

As in the paper all links count, and the page itself may be on its lists. Here iteration goes on until it has converged;
the paper stopped after 14 steps.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pagekin.answer import PageName
from pagekin.collection.lookup import known
from pagekin.collection.seen import seen_by
from pagekin.collection.store import Store
from pagekin.errors import PagekinError
from pagekin.evaluate.papers.tables import Options, PaperTables
from pagekin.graph.base_set import MAX_PAGES, BaseSet, check_limits
from pagekin.graph.hubs import Role, Scored
from pagekin.graph.topk import best
from pagekin.methods.hamming import distances
from pagekin.methods.hits import Hits
from pagekin.wording import option

PICKED, NEAREST, HOSTS = 20, 25, 10  # the lengths of the appendix's lists; hosts as in the paper's Table 1
FIRST_STEPS, LAST_STEPS = 3, 2  # of an iteration; the appendix leaves out those between, too

# The appendix's four runs, in its order: (link_weights, hub_weights).
WEIGHTINGS: dict[str, tuple[bool, Literal["log", "none"]]] = {
    "link, hub": (True, "log"), "link": (True, "none"), "hub": (False, "log"), "none": (False, "none"),
}  # fmt: skip
ROLES: dict[str, Role] = {"hubs": "hub", "authorities": "authority"}

Rows = Iterator[dict[str, Any]]


@dataclass(frozen=True)
class Settings:
    """How the base set is made."""

    radius: int = 2
    links: Literal["all", "content"] = "all"
    max_pages: int = MAX_PAGES

    def __post_init__(self) -> None:
        check_limits(self.radius, self.max_pages)


@dataclass(frozen=True)
class Run:
    """A base set with its scores under each weighting."""

    store: Store
    base: BaseSet
    scored: dict[str, Scored]

    def ranked(self, weights: str, role: str) -> list[tuple[str, str, float]]:
        """Address, host and score of the pages with any score, best first."""
        found, scores = self.scored[weights], self.scored[weights].scores(ROLES[role])
        there = np.flatnonzero(scores > 0)
        pages, values = best(found.web.pages[there], scores[there], max(there.size, 1))
        return [
            (self.store.url(page), self.store.value("host", page) or "", float(value))
            for page, value in zip(pages.tolist(), values.tolist(), strict=True)
        ]


def table(store: Store, options: Options) -> PaperTables:
    """All tables of the report."""
    page, notes = _page(store, options)
    run = _run(store, page, options.settings or Settings())
    notes += [f"{weights}: {found.steps()}" for weights, found in run.scored.items() if not found.converged]
    notes += [run.base.note] if run.base.note else []
    if not any(store.values("host", run.base.pages)):
        notes.append(
            "the pages are identifiers without hosts, so link weights change nothing and nothing is suppressed"
        )
    if run.base.pages.size == 1:
        raise PagekinError(f"{store.url(page)} has no links, so its base set is the page alone")
    tables = {
        "Base set": (f"The pages within {int(run.base.distance.max())} links of {store.url(page)}", _statistics(run)),
        "Convergence": ("How far the scores still moved at a step; the steps between are left out", _steps(run)),
        "Scores": ("The page's own scores under each weighting", _own(run)),
        **{
            f"{role.capitalize()} ({weights})": (_caption(role, weights), _picked(run, weights, role))
            for weights in WEIGHTINGS
            for role in ROLES
        },
        "Hamming": ("The pages of the base set that are nearest by Hamming distance", _nearest(run)),
        "Hosts": ("The hosts with most pages in the base set", _hosts(run)),
        "Hosts listed": (f"Hosts among the first {PICKED} of each list before it was picked", _listed(run)),
    }
    rows = tuple({"table": name, **row} for name, (_, found) in tables.items() for row in found)
    about = {"page": store.url(page), "radius": (options.settings or Settings()).radius}
    captions = {name: caption for name, (caption, _) in tables.items()}
    asked = (PageName(store.url(page), store.title(page)),)
    return PaperTables(asked, "; ".join(notes) or None, rows, "paper5", about, captions)


def _page(store: Store, options: Options) -> tuple[int, list[str]]:
    """The page asked about or, if none was named, the page with most in-links."""
    if options.page:
        found = known(store, options.page)
        return found.page, [found.note] if found.note else []
    cited = np.diff(store.arrays.in_start)
    fetched = np.where(store.fetched, cited, -1) if store.fetched.any() else cited
    if not fetched.size or fetched.max() < 1:
        raise PagekinError(f"no page of {store.path} has an in-link; name one with {option('page')}")
    page = int(fetched.argmax())
    return page, [f"{store.url(page)} is the page with most in-links ({option('page')} asks about another)"]


def _run(store: Store, page: int, asked: Settings) -> Run:
    plain = Hits(links=asked.links, radius=asked.radius, max_pages=asked.max_pages)
    shown, scored = seen_by(plain, store), {}
    for weights, (links, hubs) in WEIGHTINGS.items():
        base, scored[weights] = replace(plain, link_weights=links, hub_weights=hubs).scored(shown, page)
    return Run(store, base, scored)


def _statistics(run: Run) -> Rows:
    names = {
        "mean_out": "mean out-degree", "mean_in": "mean in-degree", "max_out": "largest out-degree",
        "max_in": "largest in-degree", "left_out": "left out",
    }  # fmt: skip
    yield {names.get(name, name): value for name, value in run.base.statistics().items()}


def _steps(run: Run) -> Rows:
    for weights, found in run.scored.items():
        last = len(found.changes)
        for step, (hub, authority) in enumerate(found.changes.tolist()):
            if step < FIRST_STEPS or step >= last - LAST_STEPS:
                yield {"weights": weights, "step": step, "hub scores": hub, "authority scores": authority}


def _own(run: Run) -> Rows:
    for weights, found in run.scored.items():
        place = found.web.place
        yield {
            "weights": weights, "hub": float(found.hub[place]), "authority": float(found.authority[place]),
            "steps": len(found.changes), "converged": "yes" if found.converged else "no",
        }  # fmt: skip


def _caption(role: str, weights: str) -> str:
    by = "no weights (Kleinberg's HITS)" if weights == "none" else f"weights: {weights}"
    return f"The best {role} picked: adjacent equal hosts suppressed; rank is the place before; {by}"


def _picked(run: Run, weights: str, role: str) -> Rows:
    before, shown = None, 0
    for rank, (url, host, score) in enumerate(run.ranked(weights, role), 1):
        if host and host == before:
            continue
        before, shown = host, shown + 1
        yield {"picked": shown, "rank": rank, "score": score, "url": url}
        if shown == PICKED:
            return


def _nearest(run: Run) -> Rows:
    forth, back = distances(run.base)
    others = np.flatnonzero(np.arange(run.base.pages.size) != run.base.place)
    order = others[np.lexsort((others, (forth + back)[others]))][:NEAREST]
    for place in order.tolist():
        yield {
            "distance": int(forth[place] + back[place]), "out-links": int(forth[place]), "in-links": int(back[place]),
            "url": run.store.url(int(run.base.pages[place])),
        }  # fmt: skip


def _hosts(run: Run) -> Rows:
    counts = Counter(run.store.values("host", run.base.pages))
    for host, pages in sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:HOSTS]:
        yield {"host": host or "(none)", "pages": pages, "share": pages / run.base.pages.size}


def _listed(run: Run) -> Rows:
    for weights in WEIGHTINGS:
        for role in ROLES:
            hosts = Counter(host for _, host, _ in run.ranked(weights, role)[:PICKED])
            host, places = hosts.most_common(1)[0] if hosts else ("", 0)
            yield {
                "weights": weights, "list": role, "hosts": len(hosts), "most frequent": host or "(none)",
                "places": places,
            }  # fmt: skip


def plot(store: Store, options: Options, answer: PaperTables, path: Path) -> None:
    """Draw how the four iterations converge, and how their scores fall from place to place."""
    from pagekin.evaluate.figures import figure, save

    run = _run(store, known(store, str(answer.about["page"])).page, options.settings or Settings())
    page = figure(10, 7)
    grid = page.subplots(2, 2)
    for column, (role, by) in enumerate(ROLES.items()):
        for weights, found in run.scored.items():
            grid[0][column].plot(range(len(found.changes)), np.maximum(found.changes[:, column], 1e-16), label=weights)
            values = np.sort(found.scores(by))[::-1][:100]
            grid[1][column].plot(range(1, values.size + 1), values, label=weights)
        grid[0][column].set(title=f"{role}: convergence", xlabel="step", ylabel="movement of the scores", yscale="log")
        grid[1][column].set(title=f"{role}: the first 100 scores", xlabel="place", ylabel="score")
    grid[0][1].legend(title="weights", frameon=False, fontsize=8)
    for axes in grid.flat:
        axes.spines[["right", "top"]].set_visible(False)
    page.set_layout_engine("constrained")
    save(page, path, path.suffix.lower()[1:])
