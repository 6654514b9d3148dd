"""How much do damping, radius and distance damping change the answers of `hits`? The study that paper 5 left out.

    python -m bench.sensitivity SITE.kin… [--out FOLDER] [--pages 40]

For each collection it asks about pages spread evenly over those with links, and measures the first 20 authorities:

    hosts      how many different hosts (for a site on one host: how many directories)
    kept       share of the list that the default setting also gives
    drift      share of the list that a page has in common with the next page asked about: a large radius blurs them
    label      share of the results with the page's own label, if the data has labels and both pages have one
    steps      until convergence

One setting changes at a time, the others keep their defaults. Prints a Markdown table, and writes it and a plot for
each collection to the folder. It takes minutes, mostly for radius 3 and 4.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pagekin.collection.store import Store
from pagekin.methods.hits import Hits
from pagekin.url import components

BEST = 20
DAMPING = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
RADIUS = (1, 2, 3, 4)
DISTANCE_DAMPING = (0.1, 0.3, 0.5, 0.7, 1.0)
MEASURES = ("hosts", "kept", "drift", "label", "steps")


def settings() -> list[tuple[str, float, Hits]]:
    """The settings to study: (what changes, its value, the method)."""
    default = Hits()
    return [
        *(("damping", value, replace(default, damping=value)) for value in DAMPING),
        *(("radius", value, replace(default, radius=value)) for value in RADIUS),
        *(("distance_damping", value, replace(default, distance_damping=value)) for value in DISTANCE_DAMPING),
        *(
            ("distance_damping, radius 4", value, replace(default, radius=4, distance_damping=value))
            for value in DISTANCE_DAMPING
        ),
    ]


def study(store: Store, pages: Sequence[int]) -> list[dict[str, Any]]:
    """A row of measures for each setting."""
    default = _lists(store, Hits(), pages)[0]
    one_host = len({store.value("host", page) for found in default for page in found}) == 1
    rows = []
    for what, value, method in settings():
        lists, steps = _lists(store, method, pages)
        rows.append(
            {
                "setting": what,
                "value": value,
                "hosts": _mean(len({_place(store, page, one_host) for page in found}) for found in lists),
                "kept": _mean(_shared(found, usual) for found, usual in zip(lists, default, strict=True)),
                "drift": _mean(
                    _shared(found, after) for found, after in zip(lists, [*lists[1:], lists[0]], strict=True)
                ),
                "label": _mean(_labelled(store, page, found) for page, found in zip(pages, lists, strict=True)),
                "steps": _mean(steps),
            }
        )
    return rows


def asked(store: Store, count: int) -> list[int]:
    """Pages spread evenly over those that link to something and have at least ten pages around them."""
    linking = np.flatnonzero((np.diff(store.arrays.out_start) > 0) & (np.diff(store.arrays.either_start) >= 10))
    return sorted({int(linking[at]) for at in np.linspace(0, linking.size - 1, min(count, linking.size)).astype(int)})


def _lists(store: Store, method: Hits, pages: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    lists, steps = [], []
    for page in pages:
        lists.append(method.related(store, page, BEST).pages.tolist())
        steps.append(len(method.scored(store, page)[1].changes))
    return lists, steps


def _place(store: Store, page: int, one_host: bool) -> tuple[str, ...]:
    parts = components(store.url(page))
    return parts[:-1] if one_host else parts[:1]


def _shared(found: Sequence[int], other: Sequence[int]) -> float | None:
    return len(set(found) & set(other)) / len(found) if found else None


def _labelled(store: Store, page: int, found: Sequence[int]) -> float | None:
    label = store.value("label", page)
    others = [other for other in (store.value("label", page) for page in found) if other]
    return others.count(label) / len(others) if label and others else None


def _mean(values: Any) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def table(rows: Sequence[dict[str, Any]]) -> str:
    lines = ["| setting | value | " + " | ".join(MEASURES) + " |", "|---" * (2 + len(MEASURES)) + "|"]
    for row in rows:
        cells = ("" if row[name] is None else f"{row[name]:.2f}" for name in MEASURES)
        lines.append(f"| {row['setting']} | {row['value']:g} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def plot(rows: Sequence[dict[str, Any]], title: str, path: Path) -> None:
    """A panel for each setting: shares on the left axis, hosts on the right."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(dict.fromkeys(row["setting"] for row in rows))
    figure, panels = pyplot.subplots(1, len(names), figsize=(4.2 * len(names), 3.4), layout="constrained")
    for panel, name in zip(panels, names, strict=True):
        own = [row for row in rows if row["setting"] == name]
        values = [row["value"] for row in own]
        for measure in ("kept", "drift", "label"):
            if own[0][measure] is not None:
                panel.plot(values, [row[measure] for row in own], marker="o", label=measure)
        panel.set(xlabel=name, ylim=(0, 1.02))
        hosts = panel.twinx()
        hosts.plot(values, [row["hosts"] for row in own], color="grey", linestyle="--", marker=".", label="hosts")
        hosts.set_ylim(bottom=0)
    panels[0].legend(loc="lower left")
    figure.suptitle(f"{title}: first {BEST} authorities (dashed, right: hosts)")
    figure.savefig(path)
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser("python -m bench.sensitivity", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sites", nargs="+", type=Path, metavar="SITE.kin")
    parser.add_argument("--out", type=Path, default=Path("sensitivity"), help="where tables and plots go")
    parser.add_argument("--pages", type=int, default=40, help="how many pages are asked of each collection")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for site in given.sites:
        store = Store(site)
        pages = asked(store, given.pages)
        rows = study(store, pages)
        text = f"## {site.stem}: {len(pages)} pages of {store.size:,}\n\n{table(rows)}\n"
        print(text, flush=True)
        (given.out / f"{site.stem}.md").write_text(text)
        plot(rows, site.stem, given.out / f"{site.stem}.svg")


if __name__ == "__main__":
    main()
