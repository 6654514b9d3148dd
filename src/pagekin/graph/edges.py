"""Weighted edges as arrays, the form in which clustering and exports pass them around."""

from typing import Any, NamedTuple

import numpy.typing as npt

from pagekin.kernels import Ints


class Edges(NamedTuple):
    """Edge i joins source[i] and target[i] with weight[i]; the maker says whether edges have a direction."""

    source: Ints
    target: Ints
    weight: npt.NDArray[Any]  # similarities, or numbers of links
