"""Cases that take too long for every run: `make gates` asks for them."""

from collections.abc import Iterable
from typing import Any

import pytest


def gates(cases: Iterable[Any], *kept: Any) -> list[Any]:
    """Some as a test of every change, the others as gates."""
    return [case if case in kept else pytest.param(case, marks=pytest.mark.slow) for case in cases]
