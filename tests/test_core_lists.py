"""Packed lists of both widths against Python's lists."""

from collections.abc import Sequence
from functools import cache

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.clash.core import lists
from clashsim.clash.core.lists import EVERY, PLACES
from clashsim.clash.core.state import record, wide_record
from clashsim.clash.core.wide import WIDE_FIELD, WIDE_PLACES

VALUES = st.lists(st.integers(0, 127), min_size=PLACES, max_size=PLACES)
PLACE = st.integers(0, PLACES - 1)

ROWS = {
    PLACES: record([("one", np.int64), ("other", np.int64), ("result", np.int64)]),
    WIDE_PLACES: wide_record([("one", WIDE_FIELD), ("other", WIDE_FIELD), ("result", WIDE_FIELD)]),
}
both_widths = pytest.mark.parametrize("places", ROWS, ids=["narrow", "wide"])


@pytest.fixture(autouse=True)
def _wrapping_is_meant():
    with np.errstate(over="ignore"):
        yield


def packed(values: Sequence[int]) -> np.int64:
    return np.int64(int.from_bytes(bytes(values), "little"))


def unpacked(values: int) -> list[int]:
    return list(int(values).to_bytes(PLACES, "little"))


class Row:
    """One or two lists in a record, where wide ones live, and what the core makes of them."""

    def __init__(self, one: Sequence[int], other: Sequence[int] = ()) -> None:
        self._row = np.zeros(1, ROWS[len(one)])
        for name, values in (("one", one), ("other", other)):
            self._row[name] = np.frombuffer(bytes(values).ljust(len(one), b"\0"), self._row[name].dtype)

    def number(self, function, *numbers: int) -> int:
        """The number that a function of the list and of numbers returns."""
        return int(_returning(function, len(numbers))(self._row[0], *numbers))

    def listed(self, function, *numbers: int) -> list[int]:
        """The list that a function of the list and of numbers returns."""
        _storing(function, len(numbers))(self._row[0], *numbers)
        return list(self._row["result"].tobytes())

    def both(self, function) -> list[int]:
        """The list that a function of both lists returns."""
        _storing_of_two(function)(self._row[0])
        return list(self._row["result"].tobytes())


@cache
def _returning(function, numbers: int):
    calls = (
        lambda row: function(row.one),
        lambda row, a: function(row.one, a),
    )
    return numba.njit(calls[numbers])


@cache
def _storing(function, numbers: int):
    def of_list(row):
        row.result = function(row.one)

    def of_one(row, a):
        row.result = function(row.one, a)

    def of_two(row, a, b):
        row.result = function(row.one, a, b)

    return numba.njit((of_list, of_one, of_two)[numbers])


@cache
def _storing_of_two(function):
    def of_both(row):
        row.result = function(row.one, row.other)

    return numba.njit(of_both)


def values_of(places: int):
    return st.lists(st.integers(0, 127), min_size=places, max_size=places)


def as_list(places: int, members: set[int]) -> list[int]:
    """A set of places as the list that it is."""
    return [int(place in members) for place in range(places)]


# ---- narrow lists only


@given(st.integers(0, 127), PLACE)
def test_placed(value, place):
    assert unpacked(lists.placed(np.int64(value), place)) == [value * (at == place) for at in range(PLACES)]


@given(VALUES, PLACE, PLACE)
def test_swapped(values, one, other):
    expected = list(values)
    expected[one], expected[other] = values[other], values[one]
    assert unpacked(lists.swapped(packed(values), one, other)) == expected


@pytest.mark.parametrize("n", range(1, PLACES + 1))
def test_first_places(n):
    assert unpacked(lists.first_places(n)) == as_list(PLACES, set(range(n)))


@given(VALUES, st.integers(0, 127))
def test_at_least_a_number(values, number):
    expected = {place for place, value in enumerate(values) if value >= number}
    assert unpacked(lists.at_least(packed(values), np.int64(number * EVERY))) == as_list(PLACES, expected)


# ---- both widths


@both_widths
@given(st.data())
def test_value_at(places, data):
    values, place = data.draw(values_of(places)), data.draw(st.integers(0, places - 1))
    assert Row(values).number(lists.value_at, place) == values[place]


@both_widths
@given(st.data())
def test_placed_in(places, data):
    value, place = data.draw(st.integers(0, 127)), data.draw(st.integers(0, places - 1))
    expected = [value * (at == place) for at in range(places)]
    assert Row(data.draw(values_of(places))).listed(lists.placed_in, value, place) == expected


@both_widths
@given(st.data())
def test_a_number_as_a_list(places, data):
    value = data.draw(st.integers(0, 2**62))
    found = Row(data.draw(values_of(places))).listed(lists.like, value)
    assert found == list(value.to_bytes(places, "little"))


@both_widths
@given(st.data())
def test_without(places, data):
    values, place = data.draw(values_of(places)), data.draw(st.integers(0, places - 1))
    assert Row(values).listed(lists.without, place) == [*values[:place], *values[place + 1 :], 0]


@both_widths
@given(st.data())
def test_moved_to_start(places, data):
    values = data.draw(values_of(places))
    place = data.draw(st.integers(0, places - 2))  # a lane leaves its last place free
    rest = values[:place] + values[place + 1 :]
    assert Row(values).listed(lists.moved_to_start, place) == [values[place], *rest]


@both_widths
@given(st.data())
def test_first_places_in(places, data):
    n = data.draw(st.integers(0, places - 1))
    found = Row(data.draw(values_of(places))).listed(lists.first_places_in, n)
    assert found == as_list(places, set(range(n)))


@both_widths
@given(st.data())
def test_all_of(places, data):
    number = data.draw(st.integers(0, 127))
    assert Row(data.draw(values_of(places))).listed(lists.all_of, number) == [number] * places


@both_widths
@given(st.data())
def test_at_least(places, data):
    values, others = data.draw(values_of(places)), data.draw(values_of(places))
    others = [data.draw(st.sampled_from([value, other])) for value, other in zip(values, others, strict=True)]
    expected = {place for place in range(places) if values[place] >= others[place]}
    assert Row(values, others).both(lists.at_least) == as_list(places, expected)


@both_widths
@given(st.data())
def test_only(places, data):
    values, members = data.draw(values_of(places)), data.draw(st.sets(st.integers(0, places - 1)))
    expected = [value * (place in members) for place, value in enumerate(values)]
    assert Row(values, as_list(places, members)).both(lists.only) == expected


@both_widths
@given(st.data())
def test_times(places, data):
    members, number = data.draw(st.sets(st.integers(0, places - 1))), data.draw(st.integers(0, 127))
    expected = [number * (place in members) for place in range(places)]
    assert Row(as_list(places, members)).listed(lists.times, number) == expected


@both_widths
@given(st.data())
def test_total(places, data):
    most = 31 if places == PLACES else 127  # the sum of a narrow list stays below 256
    values = data.draw(st.lists(st.integers(0, most), min_size=places, max_size=places))
    assert Row(values).number(lists.total) == sum(values)


def test_total_of_the_largest_wide_list():
    assert Row([127] * WIDE_PLACES).number(lists.total) == 127 * WIDE_PLACES


@both_widths
@given(st.data())
def test_sets(places, data):
    """How many places a set has, the n-th and the last of them."""
    members = data.draw(st.sets(st.integers(0, places - 1), min_size=1))
    n = data.draw(st.integers(0, len(members) - 1))
    row = Row(as_list(places, members))
    assert row.number(lists.total) == len(members)
    assert row.number(lists.nth_place, n) == sorted(members)[n]
    assert row.number(lists.last_place) == max(members)


@both_widths
@given(st.data())
def test_greatest(places, data):
    values = data.draw(values_of(places))
    assert Row(values).number(lists.greatest) == max(values)
