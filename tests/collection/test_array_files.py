"""An array that grows is an ordinary .npy file at the end, whatever came of it."""

import errno
import gc
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pagekin.collection import array_files
from pagekin.collection.array_files import Growing, Scratch, load, reserved, save


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


@pytest.mark.parametrize(
    "array",
    [
        np.arange(5, dtype=np.int32),
        np.empty(0, np.int64),
        np.arange(6.0).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(20)[::3],
        np.arange(24).reshape(4, 6)[:, ::2],
        np.empty((0, 3), np.int64),
        np.array([True, False]),
        np.array([(1, 2)], "<i4,<f8"),
    ],
    ids=repr,
)
def test_save_writes_what_numpy_writes(tmp_path, array):
    save(tmp_path / "a.npy", array)
    np.save(tmp_path / "b.npy", array)
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()
    mine, numpy_s = load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy", mmap_mode="r")
    assert np.array_equal(mine, numpy_s) and mine.dtype == numpy_s.dtype
    assert str(mine.flags) == str(numpy_s.flags)  # read-only, in the same order


@pytest.mark.parametrize(
    "damage",
    [lambda b: b"", lambda b: b[:5], lambda b: b[:40], lambda b: b[:-8], lambda b: b"X" + b[1:],
     lambda b: b.replace(b"<i8", b"|O "), lambda b: b.replace(b"(3,)", b"(x,)"), lambda b: b[:6] + b"\3" + b[7:]],
)  # fmt: skip
def test_what_is_no_array_is_refused(tmp_path, damage):
    save(tmp_path / "a.npy", np.arange(3))
    (tmp_path / "a.npy").write_bytes(damage((tmp_path / "a.npy").read_bytes()))
    with pytest.raises(ValueError):
        load(tmp_path / "a.npy")


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_full_disk_has_its_error_number(full, size):
    with pytest.raises(OSError) as told:
        save(full(), np.ones(size))
    assert told.value.errno == errno.ENOSPC


def test_a_full_disk_has_its_error_number_while_an_array_grows(full):
    with pytest.raises(OSError) as told, Growing(full(), np.float64) as file:
        file.append(np.ones(1_000_000))
    assert told.value.errno == errno.ENOSPC


def test_threads_read_at_once_even_while_garbage_is_collected(tmp_path, monkeypatch):
    """Python 3.11.0 to 3.11.7 fails in about one of twenty reads here if nothing keeps them apart."""
    monkeypatch.setattr(array_files, "_described", array_files._described.__wrapped__)  # each is parsed
    save(tmp_path / "a.npy", np.zeros((4, 2)))
    threshold, interval = gc.get_threshold(), sys.getswitchinterval()

    def collected(*_):
        sum(range(50))

    gc.callbacks.append(collected)
    try:
        gc.set_threshold(1)
        sys.setswitchinterval(1e-6)
        with ThreadPoolExecutor(4) as pool:
            read = list(pool.map(lambda _: load(tmp_path / "a.npy").shape, range(800)))
    finally:
        gc.callbacks.remove(collected)
        gc.set_threshold(*threshold)
        sys.setswitchinterval(interval)
    assert set(read) == {(4, 2)}


def test_scratch_is_zeros_and_leaves_nothing(tmp_path):
    with Scratch(tmp_path) as room:
        one, none, other = room(1_000, np.uint8), room(0, bool), room(3, np.int64)
        assert not one.any() and none.size == 0 and other.tolist() == [0, 0, 0]
        one[:] = 7
        assert {file.suffix for file in tmp_path.iterdir()} == {".tmp"}, "a kind that a writer sweeps away"
        assert (one == 7).all() and not other.any()
    assert not list(tmp_path.iterdir())


def test_a_reserved_file_is_filled_in_place(tmp_path):
    made = reserved(tmp_path / "a.npy", np.int32, 4)
    made[2] = 5
    assert load(tmp_path / "a.npy").tolist() == [0, 0, 5, 0]
    assert reserved(tmp_path / "b.npy", bool, 0).size == load(tmp_path / "b.npy").size == 0


def test_where_a_disk_cannot_be_asked_for_room_zeros_are_written(tmp_path, monkeypatch):
    """As on macOS; of more than one piece, and not of whole ones."""
    monkeypatch.delattr(os, "posix_fallocate")
    monkeypatch.setattr(array_files, "PIECE", 7)
    made = reserved(tmp_path / "a.npy", np.int32, 5)
    made[4] = 3
    assert load(tmp_path / "a.npy").tolist() == [0, 0, 0, 0, 3]
    assert reserved(tmp_path / "b.npy", bool, 0).size == load(tmp_path / "b.npy").size == 0


def test_a_full_disk_is_an_error_before_anything_is_mapped(tmp_path, monkeypatch):
    def full(file, at, size):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space"), Scratch(tmp_path) as room:
        room(10, bool)
    assert not list(tmp_path.iterdir())
