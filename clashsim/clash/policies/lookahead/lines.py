"""The best ways to play a turn that a search has found so far."""

import numpy as np

from clashsim.clash.core.jit import cold
from clashsim.clash.policies.scratch import Search

NO_PLACE = -1


@cold
def place_for(search: Search, value: float, key: np.uint64) -> int:
    """Return the place of the kept lines where one of this value belongs, NO_PLACE if it is not good enough."""
    worst = 0
    for place in range(search.count):
        line = search.lines[place]
        if line.key == key:
            return place if value > line.value else NO_PLACE
        if line.value < search.lines[worst].value:
            worst = place
    if search.count < search.wanted:
        return search.count
    return worst if value > search.lines[worst].value else NO_PLACE


@cold
def keep(search: Search, place: int, value: float, length: int) -> None:
    """Write down the path that has just been followed."""
    search.count = max(search.count, place + 1)
    line = search.lines[place]
    line.value = value
    line.length = length
    for index in range(length):
        line.actions[index] = search.path[index]


@cold
def best_line(search: Search) -> int:
    """Return the place of the best line kept."""
    best = 0
    for place in range(1, search.count):
        if search.lines[place].value > search.lines[best].value:
            best = place
    return best
