"""What is said when a kernel has to be compiled, and what is not."""

import os
import subprocess
import sys
from pathlib import Path

from pagekin.kernels.compiling import KEPT, LOST

CALLED = """
import sys
sys.stderr.isatty = lambda: {terminal}
import numpy as np
from pagekin.kernels.csr import rows_from_pairs
for number in (np.int32, np.int64):  # compiled for each
    start, _ = rows_from_pairs(np.array([0, 1], number), np.array([1, 0], number), 2)
print(start)
"""


def said(cache: Path, terminal: bool = True, **variables: str) -> str:
    """What a process that calls a kernel writes to stderr; its compiled kernels are kept in a folder."""
    command = [sys.executable, "-c", CALLED.format(terminal=terminal)]
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache)} | variables
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.stdout == "[0 1 2]\n", done.stderr
    return done.stderr


def test_one_line_on_a_terminal_and_only_the_first_time(tmp_path: Path) -> None:
    assert said(tmp_path / "pipe", terminal=False) == ""
    assert said(tmp_path / "terminal") == f"{KEPT}\n"
    assert said(tmp_path / "terminal") == ""


def test_where_nothing_can_be_kept_kernels_work_and_the_line_says_so(tmp_path: Path) -> None:
    nowhere = {"NUMBA_CACHE_LOCATOR_CLASSES": "ZipCacheLocator"}  # the kernels are in no zip file
    for _ in range(2):
        assert said(tmp_path, **nowhere) == f"{LOST}\n"
