"""Which positions have been met: within a search, and in a game at the ends of a side's turns."""

import numpy as np

from clashsim.clash.core.jit import cold, jit
from clashsim.clash.core.rng import mix
from clashsim.clash.core.state import LANES, SIDES, State, lane_of, side_of
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
        for lane_number in range(LANES):
            lane = lane_of(side, lane_number)
            key = mix(key ^ np.uint64(lane.cards))
            key = mix(key ^ np.uint64(lane.damages << 3 ^ lane.marks))
    return key
