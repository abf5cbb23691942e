"""Sets of game numbers, against Python's own sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.running.ranges import Ranges

SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 8)), max_size=12)


def disjoint(pairs):
    """Keep the spans that do not overlap an earlier one."""
    taken, spans = set(), []
    for first, length in pairs:
        numbers = set(range(first, first + length))
        if not numbers & taken:
            taken |= numbers
            spans.append((first, first + length))
    return spans, taken


@given(SPANS, st.integers(0, 60))
def test_ranges_are_sets_of_numbers(pairs, end):
    spans, taken = disjoint(pairs)
    ranges = Ranges.of(spans)
    assert ranges.total == len(taken)
    assert ranges.end == max(taken, default=-1) + 1
    missing = [number for first, last in ranges.missing(end) for number in range(first, last)]
    assert missing == sorted(set(range(end)) - taken)
    assert all(before[1] < after[0] for before, after in zip(ranges.spans, ranges.spans[1:], strict=False))


@given(SPANS)
def test_a_game_is_not_counted_twice(pairs):
    spans, taken = disjoint(pairs)
    ranges = Ranges.of(spans)
    before = list(ranges.spans)
    for first in taken:
        with pytest.raises(ValueError, match="twice"):
            ranges.add(first, first + 1)
    assert ranges.spans == before


@pytest.mark.parametrize("span", [(3, 3), (4, 2), (-2, 2)])
def test_impossible_spans_are_refused(span):
    with pytest.raises(ValueError, match="span"):
        Ranges().add(*span)
