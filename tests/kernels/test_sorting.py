"""Kernels that sort can be loaded from numba's cache beside each other."""

import re
from pathlib import Path

import pagekin.kernels

KERNELS = sorted(Path(pagekin.kernels.__file__).parent.glob("*.py"))


def test_argsort_is_always_the_merge_sort():
    """numba's quicksort is one set of names for `sort` and for `argsort`. Loaded from the cache of two processes, they
    may be the very same names, and one of the two then runs the other's code: wrong orders, reads beyond the array."""
    calls = {
        f"{file.name}: {call}"
        for file in KERNELS
        for call in re.findall(r"argsort\(.*", file.read_text(encoding="utf-8"))
        if 'kind="mergesort"' not in call
    }
    assert not calls
    assert sum("np.sort(" in file.read_text(encoding="utf-8") for file in KERNELS) > 1, "or the rule would be needless"
