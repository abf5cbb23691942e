"""Short lists packed into one integer: a byte per place, the first place lowest, empty places 0.

A hand and a lane are several such lists side by side: cards, costs, damage, … One operation on the integer
then works on all places at once, without a loop or a branch ("SIMD within a register"). Bytes stay below 128,
so that their highest bit is free to catch a comparison's result and no sum or difference runs over into the
next byte. A *set of places* has the value 1 in the bytes of its places.

Lists are signed integers, the compiled code's everyday type, for which an overflow is undefined: what may use
the highest bit or wrap around is computed unsigned.

A hand uses all eight places, a lane at most seven (R7), so that a lane's list may be moved or read one place
beyond its end.
"""

import numpy as np

from clashsim.clash.core.jit import jit

PLACES = 8
BYTE = 8
BYTE_MASK = 0xFF
EVERY = 0x0101010101010101  # the set of all places

_U_EVERY = np.uint64(EVERY)
_U_HIGH = np.uint64(0x8080808080808080)  # the highest bit of every byte
_U_BYTE_MASK = np.uint64(BYTE_MASK)
_TO_LOWEST = np.uint64(BYTE - 1)  # shifts the highest bit of every byte to its lowest
_TOP = np.uint64(BYTE * (PLACES - 1))


@jit
def value_at(values: int, place: int) -> int:
    """Return the value at a place."""
    return (values >> (BYTE * place)) & BYTE_MASK


@jit
def placed(value: int, place: int) -> int:
    """Return the list that holds only this value, at this place."""
    return value << (BYTE * place)


@jit
def without(values: int, place: int) -> int:
    """Take out a place; those after it close up."""
    before = (1 << (BYTE * place)) - 1
    return (values & before) | ((values >> BYTE) & ~before)


@jit
def moved_to_start(values: int, place: int) -> int:
    """Move the value at a place to the start; those it passes go back one place."""
    passed = (1 << (BYTE * place)) - 1
    moved = (passed << BYTE) | BYTE_MASK
    return (values & ~moved) | ((values & passed) << BYTE) | value_at(values, place)


@jit
def swapped(values: int, one: int, other: int) -> int:
    """Exchange the values at two places."""
    difference = value_at(values, one) ^ value_at(values, other)
    return values ^ (placed(difference, one) | placed(difference, other) if one != other else 0)


@jit
def first_places(n: int) -> int:
    """Return the set of the first n places, n from 1 to 8."""
    return EVERY & ((1 << (BYTE * n - PLACES + 1)) - 1)


@jit
def at_least(values: int, others: int) -> int:
    """Return the set of places where `values` is not below `others`."""
    difference = (np.uint64(values) | _U_HIGH) - np.uint64(others)
    return np.int64((difference >> _TO_LOWEST) & _U_EVERY)


@jit
def only(values: int, places: int) -> int:
    """Return the list with 0 at all places but those of the set."""
    return values & np.int64(np.uint64(places) * _U_BYTE_MASK)


@jit
def total(values: int) -> int:
    """Return the sum of a list; it must stay below 256. Of a set: how many places it has."""
    return np.int64((np.uint64(values) * _U_EVERY) >> _TOP)


@jit
def nth_place(places: int, n: int) -> int:
    """Return the n-th place of a set, counted from 0."""
    counted = np.int64(np.uint64(places) * _U_EVERY)  # at each place: how many of the set are there or before
    return total(at_least(n * EVERY, counted))


@jit
def last_place(places: int) -> int:
    """Return the last place of a set that is not empty."""
    places |= places >> BYTE
    places |= places >> (2 * BYTE)
    places |= places >> (4 * BYTE)
    return total(places) - 1


@jit
def greatest(values: int) -> int:
    """Return the greatest value of a list."""
    values = _greater(values, values >> (4 * BYTE))
    values = _greater(values, values >> (2 * BYTE))
    return max(values & BYTE_MASK, value_at(values, 1))


@jit
def _greater(values: int, others: int) -> int:
    """Return, place by place, the greater value."""
    return others ^ only(values ^ others, at_least(values, others))
