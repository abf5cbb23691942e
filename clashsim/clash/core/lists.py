"""Short lists packed into one number: a byte per place, the first place lowest, empty places 0.

A hand and a lane are several such lists side by side: cards, costs, damage, … One operation on the number
then works on all places at once, without a loop or a branch ("SIMD within a register"). Bytes stay below 128,
so that their highest bit is free to catch a comparison's result and no sum or difference runs over into the
next byte. A *set of places* has the value 1 in the bytes of its places.

Narrow lists are machine words: hands, which use all eight places, and the lanes of a duel, seven at most (R7), so
that a lane's list may be moved or read one place beyond its end. They are signed, the compiled code's everyday
type, for which an overflow is undefined: what may use the highest bit or wrap around is computed unsigned. Lanes of
solo games are wide lists (wide.py). Where a list is made from nothing another one of the same width is named.
"""

from typing import TypeAlias

import numpy as np

from clashsim.clash.core import wide
from clashsim.clash.core.jit import jit
from clashsim.clash.core.wide import by_width

List: TypeAlias = int  # for annotations: a number of either width

PLACES = 8
BYTE = 8
BYTE_MASK = 0xFF
EVERY = 0x0101010101010101  # the set of all places of a narrow list

_U_EVERY = np.uint64(EVERY)
_U_HIGH = np.uint64(0x8080808080808080)  # the highest bit of every byte
_U_BYTE_MASK = np.uint64(BYTE_MASK)
_TO_LOWEST = BYTE - 1  # shifts the highest bit of every byte to its lowest
_U_TO_LOWEST = np.uint64(_TO_LOWEST)
_TOP = np.uint64(BYTE * (PLACES - 1))

_EVEN_BYTES = 0x00FF00FF00FF00FF
_U_TWO_BYTES = np.uint64(0x0001000100010001)
_TOP_TWO_BYTES = np.uint64(48)


@jit
def like(values: List, number: int) -> List:
    """Return a number as wide as a list."""
    return (values & 0) | number


@jit
def _same(values: int) -> int:
    return values


@jit
def _lowest_word(values: List) -> int:
    return wide.lowest_word(values)


_word_of = by_width(_same, _lowest_word)


@jit
def value_at(values: List, place: int) -> int:
    """Return the value at a place."""
    return _word_of(values >> (BYTE * place)) & BYTE_MASK


@jit
def placed(value: int, place: int) -> int:
    """Return the narrow list that holds only this value, at this place."""
    return value << (BYTE * place)


@jit
def placed_in(values: List, value: int, place: int) -> List:
    """Return the list, as wide as `values`, that holds only this value, at this place."""
    return like(values, value) << (BYTE * place)


@jit
def _before(values: List, place: int) -> List:
    """Return all bits of the places before one."""
    return placed_in(values, 1, place) - 1


@jit
def without(values: List, place: int) -> List:
    """Take out a place; those after it close up."""
    before = _before(values, place)
    return (values & before) | ((values >> BYTE) & ~before)


@jit
def moved_to_start(values: List, place: int) -> List:
    """Move the value at a place to the start; those it passes go back one place."""
    passed = _before(values, place)
    moved = (passed << BYTE) | BYTE_MASK
    return (values & ~moved) | ((values & passed) << BYTE) | value_at(values, place)


@jit
def swapped(values: int, one: int, other: int) -> int:
    """Exchange the values at two places of a narrow list."""
    difference = value_at(values, one) ^ value_at(values, other)
    return values ^ (placed(difference, one) | placed(difference, other) if one != other else 0)


@jit
def first_places(n: int) -> int:
    """Return the set of the first n places of a narrow list, n from 1 to 8."""
    return EVERY & ((1 << (BYTE * n - PLACES + 1)) - 1)


@jit
def first_places_in(values: List, n: int) -> List:
    """Return the set of the first n places of a list as wide as `values`, n below its number of places."""
    return every(values) & _before(values, n)


@jit
def _all_narrow(values: int, number: int) -> int:
    return number * EVERY


@jit
def _all_wide(values: List, number: int) -> List:
    return wide.repeated(number * EVERY)


all_of = by_width(_all_narrow, _all_wide)
"""Return the list, as wide as its first argument, that holds a number at every place."""


@jit
def every(values: List) -> List:
    """Return the set of all places of a list as wide as `values`."""
    return all_of(values, 1)


@jit
def _at_least_narrow(values: int, others: int) -> int:
    difference = (np.uint64(values) | _U_HIGH) - np.uint64(others)
    return np.int64((difference >> _U_TO_LOWEST) & _U_EVERY)


@jit
def _at_least_wide(values: List, others: List) -> List:
    places = every(values)
    return (((values | (places << _TO_LOWEST)) - others) >> _TO_LOWEST) & places


at_least = by_width(_at_least_narrow, _at_least_wide)
"""Return the set of places where the first list is not below the second."""


@jit
def _only_narrow(values: int, places: int) -> int:
    return values & np.int64(np.uint64(places) * _U_BYTE_MASK)


@jit
def _only_wide(values: List, places: List) -> List:
    return values & ((places << BYTE) - places)


only = by_width(_only_narrow, _only_wide)
"""Return the first list with 0 at all places but those of a set."""


@jit
def _times_narrow(places: int, number: int) -> int:
    return places * number


@jit
def _times_wide(places: List, number: int) -> List:
    return only(all_of(places, number), places)


times = by_width(_times_narrow, _times_wide)
"""Return the list that holds a number at the places of a set."""


@jit
def _total_narrow(values: int) -> int:
    return np.int64((np.uint64(values) * _U_EVERY) >> _TOP)


@jit
def _total_wide(values: List) -> int:
    even = wide.repeated(_EVEN_BYTES)
    pairs = (values & even) + ((values >> BYTE) & even)  # two bytes for each
    pairs += pairs >> (2 * wide.WORD)
    pairs += pairs >> wide.WORD
    return np.int64((np.uint64(wide.lowest_word(pairs)) * _U_TWO_BYTES) >> _TOP_TWO_BYTES)


total = by_width(_total_narrow, _total_wide)
"""Return the sum of a list, that of a narrow one below 256. Of a set: how many places it has."""


@jit
def _nth_narrow(places: int, n: int) -> int:
    counted = np.int64(np.uint64(places) * _U_EVERY)  # at each place: how many of the set are there or before
    return total(at_least(n * EVERY, counted))


@jit
def _nth_wide(places: List, n: int) -> int:
    for _ in range(n):
        places = places & (places - 1)
    return wide.trailing_zeros(places) // BYTE


nth_place = by_width(_nth_narrow, _nth_wide)
"""Return the n-th place of a set, counted from 0."""


@jit
def _last_narrow(places: int) -> int:
    places |= places >> BYTE
    places |= places >> (2 * BYTE)
    places |= places >> (4 * BYTE)
    return total(places) - 1


@jit
def _last_wide(places: List) -> int:
    return (wide.bit_length(places) - 1) // BYTE


last_place = by_width(_last_narrow, _last_wide)
"""Return the last place of a set that is not empty."""


@jit
def _greatest_narrow(values: int) -> int:
    values = _greater(values, values >> (4 * BYTE))
    values = _greater(values, values >> (2 * BYTE))
    return max(values & BYTE_MASK, value_at(values, 1))


@jit
def _greatest_wide(values: List) -> int:
    values = _greater(values, values >> (2 * wide.WORD))
    values = _greater(values, values >> wide.WORD)
    return _greatest_narrow(wide.lowest_word(values))


greatest = by_width(_greatest_narrow, _greatest_wide)
"""Return the greatest value of a list."""


@jit
def _greater(values: List, others: List) -> List:
    """Return, place by place, the greater value."""
    return others ^ only(values ^ others, at_least(values, others))
