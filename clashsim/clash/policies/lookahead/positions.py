"""Which positions have been met: within a search, and in a game at the ends of a side's turns."""

import numpy as np

from clashsim.clash.core.jit import cold, jit
from clashsim.clash.core.lists import BYTE, List
from clashsim.clash.core.rng import mix
from clashsim.clash.core.state import LANES, SIDES, Side, State, by_mode, lane_of, side_of
from clashsim.clash.core.wide import WIDE_PLACES, WORD, by_width, lowest_word
from clashsim.clash.policies.scratch import HISTORY, Search

SUMMONING, ASSAULTING, TURN_OVER = range(3)
"""Phases: the same cards in the same places are another position in each."""

_SMALL, _LARGE = range(2)


@cold
def is_new(search: Search, state: State, phase: int) -> bool:
    """Tell whether a position has not been searched yet, and remember it; once both tables are full all are new."""
    key = position_key(state, phase)
    is_known, has_room = _look_up(search, _SMALL, search.small_stamps, search.small_keys, key)
    if not is_known and not has_room:
        is_known, has_room = _look_up(search, _LARGE, search.large_stamps, search.large_keys, key)
    return not is_known


@cold
def _look_up(
    search: Search, table: int, stamps: np.ndarray, keys: np.ndarray, key: np.uint64
) -> tuple[bool, bool]:
    """Tell whether a key is in a table and, if not, whether there was room to put it in (up to three quarters)."""
    last = stamps.size - 1
    slot = np.int64(key) & last
    while stamps[slot] == search.stamp:
        if keys[slot] == key:
            return True, True
        slot = (slot + 1) & last
    if search.entries[table] >= stamps.size // 4 * 3:
        return False, False
    search.entries[table] += 1
    stamps[slot] = search.stamp
    keys[slot] = key
    return False, True


@cold
def times_before(search: Search, key: np.uint64) -> int:
    """Return how often the side has left the enemy this position before in this game, as far as remembered."""
    times = 0
    for turn in range(min(search.turns[search.me], HISTORY)):
        times += search.history[search.me, turn] == key
    return times


@cold
def remember(search: Search, me: int, key: np.uint64) -> None:
    """Note the position that a side leaves the enemy at the end of its turn."""
    search.history[me, search.turns[me] % HISTORY] = key
    search.turns[me] += 1


@jit
def position_key(state: State, phase: int) -> np.uint64:
    """Return 64 bits that tell positions of one turn apart: hands, fortresses, mana, lanes with damage and marks."""
    spent = 0 if phase == TURN_OVER else state.mana << 1 | state.upper_is_over
    key = mix(np.uint64(spent << 2 | phase))
    for number in range(SIDES):
        side = side_of(state, number)
        key = mix(key ^ np.uint64(side.hand))
        key = mix(key ^ np.uint64(side.fortress << 1 | side.bastion))
        key = deck_key(state, key, side)
        for lane_number in range(LANES):
            lane = lane_of(side, lane_number)
            key = mix_list(lane.cards, key)
            key = mix_list(lane.damages << _MARKS ^ lane.marks, key)
    return key


_MARKS = 3  # bits that tell the marks of a creature


@jit
def _deck_key(state: State, key: np.uint64, side: Side) -> np.uint64:
    return key


@jit
def _deck_key_solo(state: State, key: np.uint64, side: Side) -> np.uint64:
    return mix(key ^ np.uint64(side.deck_size << 1 | (state.last_turn > 0)))


deck_key = by_mode(_deck_key, _deck_key_solo)
"""Mix in how many cards the AI's deck has: what they are nobody knows (R43)."""


@jit
def _mix_narrow(values: int, key: np.uint64) -> np.uint64:
    return mix(key ^ np.uint64(values))


@jit
def _mix_wide(values: List, key: np.uint64) -> np.uint64:
    key = mix(key ^ np.uint64(lowest_word(values)))
    if values >> WORD:
        for _ in range(WIDE_PLACES * BYTE // WORD - 1):
            values = values >> WORD
            key = mix(key ^ np.uint64(lowest_word(values)))
    return key


mix_list = by_width(_mix_narrow, _mix_wide)
"""Mix a list into a key."""
