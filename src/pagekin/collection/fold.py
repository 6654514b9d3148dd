"""Folds the rows of parts, and of the graph that was written before, into a new written graph (`graph`), out of core.

It goes over the rows in slices of pages (`runs`): first over the pages, which decides which rows count and gives the
numbers; then over the links and the stretches, with numbers for ids. What is decided within a slice is what `snapshot`
decides. Roles and link arrays follow from the files (`roles`, `link_files`). Memory holds a slice, and some 30 bytes
for each page; nothing grows with the links.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.collection.array_files import Growing, Scratch, load, reserved, save
from pagekin.collection.arrow_files import Batches, Codes, Mapped, mapped
from pagekin.collection.few_runs import MergedRun, few
from pagekin.collection.graph import CONTENT_PREFIX, ROLE_FILE, folded_aliases, pages_meant
from pagekin.collection.link_files import LinkFiles
from pagekin.collection.repeats import Sites
from pagekin.collection.roles import Stretches, repeated, roles, without_words
from pagekin.collection.runs import CODED, PART, Run, slices
from pagekin.collection.schema import ALIASES, LINKS, PAGES
from pagekin.collection.snapshot import (
    Winners,
    counting,
    decided,
    distinct_aliases,
    in_order,
    plain,
    standing,
    strangers,
)  # fmt: skip
from pagekin.engine.addresses import Numbers
from pagekin.engine.memory import SETTING, memory
from pagekin.errors import PagekinError
from pagekin.failures import size
from pagekin.kernels import Longs
from pagekin.kernels.numbers import numbers_in

# Hosts, sites and languages repeat: as dictionaries they take four bytes per row.
REPEATED = ("host", "site", "language", "content_type", "label")
ROW_BYTES = 1500  # of memory for a row in a slice: as it was read, as it is compared, as it is written
MOST_ROWS = 1 << 17  # of a slice: more would not be faster
LEAST_ROWS = 1 << 10  # of a slice: fewer would take for ever
PAGE_BYTES = 64  # of memory for a page: its part, its site, and where its rows begin in each file

Strange = list[npt.NDArray[np.int64]]  # by run: the ids that are of another address there


def fold(runs: Sequence[Run], folder: Path) -> None:
    """Write the graph of all rows that count into a folder."""
    pa.default_memory_pool().release_unused()  # of the parts made before: 420 MB after ten million rows
    aliases = distinct_aliases(pa.concat_tables([ALIASES.empty_table(), *(run.aliases() for run in runs)]))
    with Batches(folder / "aliases.arrow", ALIASES, {}) as file:
        file.write(aliases)
    with few(runs, folder, _rows()) as merged:
        winners, strange = _write_pages(merged, folder)
        if merged is not runs and any(ids.size for ids in strange):
            # Two addresses have one id, perhaps in two parts that are one run: only parts by themselves tell which.
            merged = runs
            winners, strange = _write_pages(runs, folder)
        link_start = _write_links(merged, winners, strange, folder)
        stretches = _write_stretches(merged, winners, folder)
    links = Mapped(folder / "links.arrow")
    role = reserved(folder / ROLE_FILE, np.uint8, links.num_rows)
    with Scratch(folder) as room:
        sites = Sites.read(mapped(folder / "pages.arrow"))
        in_template = repeated(stretches, sites, room)
        without_words(stretches, in_template, reserved(folder / "repeated.npy", bool, in_template.size))
        roles(links, link_start, sites, stretches, in_template, room, role)
    folded = folded_aliases(*winners, aliases)
    files = LinkFiles(links, link_start, pages_meant(winners[0].size, folded) if folded else None)
    files.write(folder)
    if role.any():  # not all are content
        files.write(folder, CONTENT_PREFIX, role)


def winners(runs: Sequence[Run], folder: Path) -> Winners:
    """The ids of all pages, ascending, and the part that each one's rows come from (or UNITED); `folder`: for what is
    needed meanwhile."""
    ids, parts = [np.empty(0, np.int64)], [np.empty(0, np.int32)]
    with few(runs, folder, _rows(), ["pages"]) as merged:
        for pages, _ in _pages(merged):
            ids.append(pages["id"].to_numpy())
            parts.append(pages["part"].to_numpy())
    return np.concatenate(ids), np.concatenate(parts)


def _rows(pages: int = 0) -> int:
    """How many rows a slice may have, beside what is held of each page."""
    return min(MOST_ROWS, max(LEAST_ROWS, (memory() - pages * PAGE_BYTES) // ROW_BYTES))


def _check(pages: int) -> None:
    """Refuse to go on if the memory allowed does not suffice for so many pages."""
    least = pages * PAGE_BYTES + LEAST_ROWS * ROW_BYTES
    if least > memory():
        raise PagekinError(
            f"{size(memory())} of memory are too little to fold {pages:,} pages or more; what was committed before is "
            f"safe; set the environment variable {SETTING} to {-(-least // 10**6)}MB at least and run the same "
            "command again"
        )


def _pages(runs: Sequence[Run]) -> Iterator[tuple[pa.Table, Strange]]:
    """The row of each page, slice by slice."""
    for found in slices(runs, "pages", _rows()):
        rows = pa.concat_tables([plain(each) for each in found])
        pages, refused = decided(rows)
        strange = [np.empty(0, np.int64)] * len(found)
        if refused:
            ends = np.cumsum([len(each) for each in found])
            other = np.split(strangers(rows, pages), ends[:-1])
            strange = [each["id"].to_numpy()[mask] for each, mask in zip(found, other, strict=True)]
        yield pages, strange


def _write_pages(runs: Sequence[Run], folder: Path) -> tuple[Winners, Strange]:
    """Write the row of each page, first with numbers for texts that repeat: which there are is known in the end."""
    schema = pa.schema([*PAGES, PART])
    kept = plain(schema.empty_table()).schema
    coded = pa.schema([each.with_type(pa.int32()) if each.name in REPEATED else each for each in kept])
    codes = {name: Codes() for name in REPEATED}
    parts, strange = [np.empty(0, np.int32)], [[np.empty(0, np.int64)] for _ in runs]
    spooled = folder / "pages.tmp"
    with pa.ipc.new_stream(spooled, coded) as file, Growing(folder / "ids.npy", np.int64) as ids:
        for pages, others in _pages(runs):
            _check(ids.size + pages.num_rows)
            ids.append(pages["id"].to_numpy())
            parts.append(pages["part"].to_numpy())
            for name, of in codes.items():
                pages = pages.set_column(pages.column_names.index(name), coded.field(name), of.of(pages[name]))
            file.write_table(pages)
            for each, other in zip(strange, others, strict=True):
                each.append(other)
    with (
        pa.memory_map(str(spooled)) as source,
        Batches(folder / "pages.arrow", kept, {name: of.values for name, of in codes.items()}) as file,
    ):
        for batch in pa.ipc.open_stream(source):
            file.write(pa.Table.from_batches([batch]))
    spooled.unlink()
    return (load(folder / "ids.npy"), np.concatenate(parts)), [np.concatenate(each) for each in strange]


def _write_links(runs: Sequence[Run], winners: Winners, strange: Strange, folder: Path) -> Longs:
    """Write the links that count, with page numbers, by source; returns where each page's begin."""
    codes = {name: Codes() for name in CODED}
    for name, of in codes.items():
        for run in runs:
            for texts in run.values(name):
                of.learn(texts)
    numbers = {
        "source": pa.int32(),
        "target": pa.int32(),
        "anchor": pa.large_string(),
        **dict.fromkeys(CODED, pa.int32()),
    }
    schema = pa.schema([pa.field(each.name, numbers.get(each.name, each.type)) for each in LINKS])
    start, number_of = np.zeros(winners[0].size + 1, np.int64), Numbers(winners[0])
    several = np.concatenate([np.empty(0, np.int64), *(run.several for run in runs if isinstance(run, MergedRun))])
    several = numbers_in(winners[0], several)
    several = np.unique(several[several >= 0])
    with Batches(folder / "links.arrow", schema, {name: of.values for name, of in codes.items()}) as file:
        for found in slices(runs, "links", _rows(winners[0].size)):
            made = []
            for rows, others in zip(found, strange, strict=True):
                if rows.num_rows:
                    for name, of in codes.items():
                        rows = rows.set_column(rows.column_names.index(name), name, of.of(rows[name]))
                    part = rows["part"].to_numpy()
                    made.append(counting(rows.select(LINKS.names), part, winners, others, number_of))
            links = in_order(made, winners[1], several)
            source = links["source"].to_numpy()
            first = np.flatnonzero(np.diff(source, prepend=-1))
            start[source[first] + 1] = np.diff(first, append=source.size)
            file.write(links.cast(schema))
    np.cumsum(start, out=start)
    save(folder / "link_start.npy", start)
    return load(folder / "link_start.npy")


def _write_stretches(runs: Sequence[Run], winners: Winners, folder: Path) -> Stretches:
    """Write the stretches that count, by page: only the part that won has some."""
    start = np.zeros(winners[0].size + 1, np.int64)
    with Growing(folder / "print.npy", np.int32) as prints, Growing(folder / "heading.npy", bool) as headings:
        for found in slices(runs, "stretches", _rows(winners[0].size)):
            rows = pa.concat_tables([each for each in found if each.num_rows])
            page, live = standing(rows["page"].to_numpy(), rows["part"].to_numpy(), winners, united=False)
            order = np.flatnonzero(live)[np.argsort(page[live], kind="stable")]
            prints.append(rows["print"].to_numpy()[order])
            headings.append(rows["heading"].to_numpy()[order])
            page = page[order]
            first = np.flatnonzero(np.diff(page, prepend=-1))
            start[page[first] + 1] = np.diff(first, append=page.size)
    np.cumsum(start, out=start)
    save(folder / "stretch_start.npy", start)
    return Stretches(*(load(folder / f"{name}.npy") for name in ("stretch_start", "print", "heading")))
