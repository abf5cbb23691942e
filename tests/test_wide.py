"""Numbers of 256 bits in compiled and uncompiled code, against Python's."""

import operator

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.clash.core import wide
from clashsim.clash.core.state import SOLO_STATE, wide_record
from clashsim.clash.core.wide import BITS, WIDE_FIELD, by_width

ROW = wide_record([("one", WIDE_FIELD), ("other", WIDE_FIELD), ("result", WIDE_FIELD)])
LARGEST = 2**BITS - 1
NUMBERS = st.one_of(st.integers(0, LARGEST), st.integers(0, 300), st.integers(LARGEST - 300, LARGEST))
WORDS = st.integers(-(2**63), 2**63 - 1)
COMPILED = not numba.config.DISABLE_JIT


def row_of(one: int, other: int = 0) -> np.ndarray:
    row = np.zeros(1, ROW)
    for name, number in (("one", one), ("other", other)):
        row[name] = np.frombuffer(number.to_bytes(BITS // 8, "little"), WIDE_FIELD)
    return row


def result_of(row: np.ndarray) -> int:
    return int.from_bytes(row["result"].tobytes(), "little")


def storing(operation):
    def of_both(row):
        row.result = operation(row.one, row.other)

    return numba.njit(of_both)


def storing_with_word(operation):
    def of_word(row, word):
        row.result = operation(row.one, word)

    return numba.njit(of_word)


OPERATIONS = [operator.and_, operator.or_, operator.xor, operator.add, operator.sub]
BOTH = {operation: storing(operation) for operation in OPERATIONS}
WITH_WORD = {
    operation: storing_with_word(operation) for operation in (*OPERATIONS, operator.lshift, operator.rshift)
}
named = {"ids": lambda operation: operation.__name__}


@pytest.mark.parametrize("operation", OPERATIONS, **named)
@given(NUMBERS, NUMBERS)
def test_arithmetic_wraps_around(operation, one, other):
    row = row_of(one, other)
    BOTH[operation](row[0])
    assert result_of(row) == operation(one, other) & LARGEST


@pytest.mark.parametrize("operation", OPERATIONS, **named)
@given(NUMBERS, WORDS)
def test_a_word_beside_a_wide_number_is_widened_with_its_sign(operation, number, word):
    row = row_of(number)
    WITH_WORD[operation](row[0], np.int64(word))
    assert result_of(row) == operation(number, word) & LARGEST


@pytest.mark.parametrize("operation", [operator.lshift, operator.rshift], **named)
@given(NUMBERS, st.integers(0, BITS - 1))
def test_shifts(operation, number, bits):
    row = row_of(number)
    WITH_WORD[operation](row[0], np.int64(bits))
    assert result_of(row) == operation(number, bits) & LARGEST


@numba.njit
def inverted(row):
    row.result = ~row.one


@numba.njit
def compared(row):
    return row.one == row.other, row.one != row.other


@numba.njit
def counted(row):
    return (
        wide.bit_length(row.one),
        wide.trailing_zeros(row.one),
        wide.ones(row.one),
        wide.lowest_word(row.one),
    )


@numba.njit
def repeated(row, word):
    row.result = wide.repeated(word)


@given(NUMBERS)
def test_inversion(number):
    row = row_of(number)
    inverted(row[0])
    assert result_of(row) == LARGEST - number


@given(NUMBERS, st.data())
def test_comparison(number, data):
    other = data.draw(st.one_of(st.just(number), NUMBERS))
    assert tuple(compared(row_of(number, other)[0])) == (number == other, number != other)


@given(NUMBERS)
def test_bits_are_counted(number):
    length, zeros, ones, lowest = map(int, counted(row_of(number)[0]))
    assert length == number.bit_length()
    assert zeros == (len(f"{number:0256b}") - len(f"{number:0256b}".rstrip("0")))
    assert ones == number.bit_count()
    assert lowest % 2**64 == number % 2**64
    assert -(2**63) <= lowest < 2**63


@given(WORDS)
def test_a_word_repeated(word):
    row = row_of(0)
    repeated(row[0], np.int64(word))
    assert np.array_equal(np.frombuffer(row["result"].tobytes(), np.int64), [word] * 4)


width_of = by_width(numba.njit(lambda number: 64), numba.njit(lambda number: BITS))


@numba.njit
def width_in(row):
    return width_of(row.one), width_of(row.one & 0), width_of(1)


def test_a_function_is_chosen_by_the_width():
    assert tuple(width_in(row_of(5)[0])) == (BITS, BITS, 64)


def test_a_field_of_a_record_keeps_to_itself():
    """What stands beside a wide field stays as it is, in nested records too."""
    state = np.zeros(2, SOLO_STATE)

    @numba.njit
    def fill(state):
        state.sides[1].lanes[0].damages = ~state.sides[1].lanes[0].damages

    fill(state[0])
    assert state["sides"]["lanes"]["damages"][0, 1, 0].tobytes() == b"\xff" * 32
    state["sides"]["lanes"]["damages"][0, 1, 0] = b"\0" * 32
    assert not any(state.tobytes())


@pytest.mark.jit
def test_wide_numbers_do_not_leave_compiled_code():
    taken = numba.njit(lambda row: row.one)
    with pytest.raises(TypeError, match="live in records only"):
        taken(row_of(7)[0])
