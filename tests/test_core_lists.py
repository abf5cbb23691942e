"""Packed lists against Python's lists."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.clash.core import lists
from clashsim.clash.core.lists import EVERY, PLACES

VALUES = st.lists(st.integers(0, 127), min_size=PLACES, max_size=PLACES)
SMALL = st.lists(st.integers(0, 31), min_size=PLACES, max_size=PLACES)
PLACE = st.integers(0, PLACES - 1)
SETS = st.sets(PLACE)


@pytest.fixture(autouse=True)
def _wrapping_is_meant():
    with np.errstate(over="ignore"):
        yield


def packed(values: Sequence[int]) -> np.int64:
    return np.int64(int.from_bytes(bytes(values), "little"))


def unpacked(values: int) -> list[int]:
    return list(int(values).to_bytes(PLACES, "little"))


def as_set(places) -> np.int64:
    return packed([place in places for place in range(PLACES)])


def places_of(values: int) -> set[int]:
    marks = unpacked(values)
    assert set(marks) <= {0, 1}
    return {place for place, mark in enumerate(marks) if mark}


@given(VALUES, PLACE)
def test_value_at(values, place):
    assert lists.value_at(packed(values), place) == values[place]


@given(st.integers(0, 127), PLACE)
def test_placed(value, place):
    assert unpacked(lists.placed(np.int64(value), place)) == [value * (at == place) for at in range(PLACES)]


@given(VALUES, PLACE)
def test_without(values, place):
    assert unpacked(lists.without(packed(values), place)) == [*values[:place], *values[place + 1 :], 0]


@given(VALUES, st.integers(0, PLACES - 2))  # only lanes need it, and they hold seven at most
def test_moved_to_start(values, place):
    rest = values[:place] + values[place + 1 :]
    assert unpacked(lists.moved_to_start(packed(values), place)) == [values[place], *rest]


@given(VALUES, PLACE, PLACE)
def test_swapped(values, one, other):
    expected = list(values)
    expected[one], expected[other] = values[other], values[one]
    assert unpacked(lists.swapped(packed(values), one, other)) == expected


@pytest.mark.parametrize("n", range(1, PLACES + 1))
def test_first_places(n):
    assert places_of(lists.first_places(n)) == set(range(n))


@given(VALUES, VALUES)
def test_at_least(values, others):
    expected = {place for place in range(PLACES) if values[place] >= others[place]}
    assert places_of(lists.at_least(packed(values), packed(others))) == expected


@given(VALUES, st.integers(0, 127))
def test_at_least_a_number(values, number):
    expected = {place for place, value in enumerate(values) if value >= number}
    assert places_of(lists.at_least(packed(values), np.int64(number * EVERY))) == expected


@given(VALUES, SETS)
def test_only(values, places):
    expected = [value * (place in places) for place, value in enumerate(values)]
    assert unpacked(lists.only(packed(values), as_set(places))) == expected


@given(SMALL)
def test_total(values):
    assert lists.total(packed(values)) == sum(values)


@given(SETS)
def test_total_of_a_set_is_its_size(places):
    assert lists.total(as_set(places)) == len(places)


@given(SETS.filter(bool), st.data())
def test_nth_place(places, data):
    n = data.draw(st.integers(0, len(places) - 1))
    assert lists.nth_place(as_set(places), n) == sorted(places)[n]


@given(SETS.filter(bool))
def test_last_place(places):
    assert lists.last_place(as_set(places)) == max(places)


@given(VALUES)
def test_greatest(values):
    assert lists.greatest(packed(values)) == max(values)
