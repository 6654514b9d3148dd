"""A function that was packed and unpacked is the same function, in another process, too."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed; run: pip install 'pagekin[spark]'")

from pagekin.collection.array_files import load, reserved
from pagekin.engine.shipping import packed, unpacked
from pagekin.kernels import frozen
from pagekin.kernels.csr import rows_from_pairs

ELSEWHERE = """
import pickle, sys
from pagekin.engine.shipping import unpacked
work = unpacked(pickle.load(sys.stdin.buffer))
pickle.dump(work(2, 5), sys.stdout.buffer)
"""


def elsewhere(work, shared=None):
    """What a function returns for (2, 5) in another process."""
    sent = pickle.dumps(packed(work, shared))
    done = subprocess.run([sys.executable, "-c", ELSEWHERE], input=sent, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return pickle.loads(done.stdout)


def test_a_function_with_its_arrays():
    held = np.arange(100) ** 2
    assert elsewhere(lambda first, last: held[first:last].tolist()) == [4, 9, 16]


def test_arrays_arrive_read_only_and_are_sent_once():
    held = frozen(np.zeros(1_000_000))
    data, buffers = packed(lambda first, last: (held, held))
    assert len(data) < 10_000
    assert [len(buffer) for buffer in buffers] == [8_000_000]
    one, other = unpacked((data, buffers))(0, 0)
    assert one is other
    assert not one.flags.writeable


def test_a_kernel_goes_by_name():
    one, other = frozen(np.array([1, 0, 1], np.int32)), frozen(np.array([5, 6, 7], np.int32))

    def work(first, last):
        start, row = rows_from_pairs(one, other, 2)
        return start.tolist(), row.tolist(), rows_from_pairs.__module__, len(rows_from_pairs.signatures)

    assert len(packed(work)[0]) < 2_000
    assert elsewhere(work)[:3] == ([0, 1, 3], [6, 5, 7], "pagekin.kernels.csr")


def test_a_mapped_array_is_a_buffer(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(1_000))
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    assert [len(buffer) for buffer in packed(lambda first, last: mapped)[1]] == [8_000]
    assert elsewhere(lambda first, last: mapped[first:last].tolist()) == [2, 3, 4]


def test_an_array_of_a_file_that_all_machines_see_goes_as_its_place(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(1_000).reshape(100, 10))
    whole = load(tmp_path / "a.npy")
    some, column = whole[3:90], whole[:, 2]
    written = reserved(tmp_path / "b.npy", np.int32, 1_000)
    written[:] = np.arange(1_000) * 2

    def work(first, last):
        return some[first, :3].tolist(), column[first:last].tolist(), written[first:last].tolist()

    assert packed(work, tmp_path)[1] == []  # a column, which does not stand in one place, goes with the rest
    assert elsewhere(work, tmp_path) == work(2, 5) == ([50, 51, 52], [22, 32, 42], [4, 6, 8])
    assert not unpacked(packed(lambda first, last: some, tmp_path))(0, 0).flags.writeable
    assert [len(buffer) for buffer in packed(work, tmp_path / "elsewhere")[1]] == [6_960, 4_000]
    (tmp_path / "a.npy").unlink()  # a file that is gone, but mapped
    assert elsewhere(lambda first, last: some[first, :3].tolist(), tmp_path) == [50, 51, 52]
