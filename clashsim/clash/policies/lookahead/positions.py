"""Which positions have been met: within a search, and in a game at the ends of a side's turns."""

import numpy as np

from clashsim.clash.core.jit import cold, jit
from clashsim.clash.core.rng import mix
from clashsim.clash.core.state import LANES, SIDES, State, lane_of, side_of
from clashsim.clash.policies.scratch import HISTORY, TABLE, Search

SUMMONING, ASSAULTING, TURN_OVER = range(3)
"""Phases: the same cards in the same places are another position in each."""

MOST_ENTRIES = TABLE * 3 // 4


@cold
def is_new(search: Search, state: State, phase: int) -> bool:
    """Tell whether a position has not been searched yet, and remember it; once the table is full all are new."""
    key = position_key(state, phase)
    slot = np.int64(key) & (TABLE - 1)
    while search.stamps[slot] == search.stamp:
        if search.keys[slot] == key:
            return False
        slot = (slot + 1) & (TABLE - 1)
    if search.entries < MOST_ENTRIES:
        search.entries += 1
        search.stamps[slot] = search.stamp
        search.keys[slot] = key
    return True


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
