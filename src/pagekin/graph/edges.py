"""Weighted edges as arrays: what clustering and exports pass around."""

from typing import Any, NamedTuple

import numpy.typing as npt

from pagekin.kernels import Ints


class Edges(NamedTuple):
    """Edge i joins source[i] and target[i], by weight[i]; whether it has a direction, its maker says."""

    source: Ints
    target: Ints
    weight: npt.NDArray[Any]  # similarities, or how many links there are
