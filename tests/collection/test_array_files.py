"""An array that grows is an ordinary .npy file at the end, whatever came of it."""

import numpy as np
import pytest

from pagekin.collection.array_files import Growing


@pytest.mark.parametrize("blocks", [[], [0], [3], [5, 0, 100_000, 7]])
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_what_was_appended_is_read(tmp_path, blocks, dtype):
    parts = [np.arange(size).astype(dtype) for size in blocks]
    with Growing(tmp_path / "a.npy", dtype) as file:
        for part in parts:
            file.append(part)
    read = np.load(tmp_path / "a.npy", mmap_mode="r") if sum(blocks) else np.load(tmp_path / "a.npy")
    assert read.dtype == dtype
    assert np.array_equal(read, np.concatenate([np.empty(0, dtype), *parts]))


def test_after_an_error_it_holds_what_there_was(tmp_path):
    with pytest.raises(RuntimeError), Growing(tmp_path / "a.npy", np.int32) as file:
        file.append(np.ones(3, np.int32))
        raise RuntimeError
    assert np.load(tmp_path / "a.npy").tolist() == [1, 1, 1]
