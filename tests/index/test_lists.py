"""Lists of related pages on disk: what was written is read, in whatever blocks it came."""

import numpy as np
import pytest

from pagekin.index.lists import Lists, write

LISTS = {-7: [(9, 0.5), (3, 0.25)], 3: [(-7, 0.125)], 9: [(-7, 1.0), (3, 0.5), (12, 0.5)]}


def blocks(*groups):
    for pages in groups:
        rows = [row for page in pages for row in LISTS[page]]
        lengths = np.array([len(LISTS[page]) for page in pages], np.int32)
        others, scores = np.array([p for p, _ in rows], np.int64), np.array([s for _, s in rows], np.float64)
        yield np.array(pages, np.int64), lengths, others, scores


@pytest.mark.parametrize("groups", [([-7, 3, 9],), ([-7], [], [3, 9])], ids=["one", "several"])
def test_what_was_written_is_read(tmp_path, groups):
    assert write(tmp_path, blocks(*groups)) == (3, 6)
    held = Lists(*Lists.arrays(tmp_path))
    for page, rows in LISTS.items():
        related, scores = held.of(page)
        assert list(zip(related.tolist(), scores.tolist(), strict=True)) == rows
    assert [held.of(page)[0].size for page in (-8, 4, 12)] == [0, 0, 0]


def test_no_pages_at_all(tmp_path):
    assert write(tmp_path, blocks()) == (0, 0)
    assert Lists(*Lists.arrays(tmp_path)).of(3)[0].size == 0


@pytest.mark.parametrize("name", ["ids", "start", "related", "scores"])
def test_arrays_that_do_not_fit_together_are_refused(tmp_path, name):
    write(tmp_path, blocks([-7, 3, 9]))
    np.save(tmp_path / f"{name}.npy", np.load(tmp_path / f"{name}.npy")[:-1])
    with pytest.raises(ValueError, match="do not fit together"):
        Lists(*Lists.arrays(tmp_path))
