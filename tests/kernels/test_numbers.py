"""Where ids stand among ids, against a dictionary."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pagekin.kernels.numbers import number_in, numbers_in

IDS = st.lists(st.integers(-(2**63), 2**63 - 1), max_size=30)


@given(IDS, IDS)
def test_places_are_those_of_a_dictionary(held, wanted):
    ids, asked = np.array(sorted({*held}), np.int64), [*wanted, *held[:5]]
    place = {value: at for at, value in enumerate(ids.tolist())}
    assert numbers_in(ids, np.array(asked, np.int64)).tolist() == [place.get(value, -1) for value in asked]
    assert [number_in(ids, value) for value in asked] == [place.get(value) for value in asked]
