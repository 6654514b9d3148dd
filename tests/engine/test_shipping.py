"""A function that was packed and unpacked is the same function, in another process, too."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed; run: pip install 'pagekin[spark]'")

from pagekin.engine.shipping import packed, unpacked
from pagekin.kernels import frozen
from pagekin.kernels.csr import rows_from_pairs

ELSEWHERE = """
import pickle, sys
from pagekin.engine.shipping import unpacked
work = unpacked(pickle.load(sys.stdin.buffer))
pickle.dump(work(2, 5), sys.stdout.buffer)
"""


def elsewhere(work):
    """What a function returns for (2, 5) in another process."""
    done = subprocess.run([sys.executable, "-c", ELSEWHERE], input=pickle.dumps(packed(work)), capture_output=True)
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
