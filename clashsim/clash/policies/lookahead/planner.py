"""`tactician` and `planner`: both search their turn; `planner` plays out what follows before it chooses.

`tactician` plays the way that its evaluation likes best after the enemy's next assault. `planner` takes the best
few of these ways, and lets the game go on in its mind: the enemy, its unseen cards in an order that might be
theirs (R43), answers as a tactician would, then perhaps the side itself, and so on. All ways are tried against
the same orders. What counts is the mean of the evaluations at the end.
"""

from typing import Any

import numpy as np
from numba import carray

from clashsim.clash.core.fortress import shuffle_deck
from clashsim.clash.core.jit import cold, jit
from clashsim.clash.core.lists import swapped, value_at
from clashsim.clash.core.match import Match
from clashsim.clash.core.rng import subkey, uniform
from clashsim.clash.core.solo import play_ai_turn
from clashsim.clash.core.state import AI, NO_WINNER, Side, State, by_mode, side_of
from clashsim.clash.core.turn import start_turn
from clashsim.clash.policies.lookahead.evaluation import evaluate
from clashsim.clash.policies.lookahead.lines import best_line
from clashsim.clash.policies.lookahead.positions import remember
from clashsim.clash.policies.lookahead.search import prepare, search_turn
from clashsim.clash.policies.scratch import Line, Search

MOST_LEAVES, MOST_LEAVES_FOR_A_WIN = 2000, 1_000_000
MOST_LEAVES_IMAGINED, MOST_LEAVES_FOR_AN_IMAGINED_WIN = 300, 3000
DECIDED = 40.0  # what a game won in the mind is worth: more than any lead on the board
# Number of the order in which the AI's cards lie while the own turn is searched; those of the samples are 0, 1, …
_THIS_TURN = 1 << 20


@cold
def plan_turn(state: State, match: Match, search: Search) -> None:
    """Search the turn that has begun and write down the best way to play it."""
    me = state.active
    prepare(search, match, me)
    search.imagined = state
    imagine_deck(search.imagined, side_of(search.imagined, 1 - me), subkey(_own_stream(state), _THIS_TURN))
    search_turn(search.imagined, search, match.foresights[me].lines, MOST_LEAVES, MOST_LEAVES_FOR_A_WIN, 1)
    chosen = best_line(search)
    if search.count > 1:
        chosen = _best_in_the_long_run(state, match, search)
        _write_down(search, search.candidates[chosen], me)
    else:
        _write_down(search, search.lines[chosen], me)


@jit
def _own_stream(state: State) -> np.uint64:
    """Return the key of what the side to move imagines in this turn."""
    return subkey(side_of(state, state.active).stream, state.turn)


@cold
def _write_down(search: Search, line: Line, me: int) -> None:
    plan = search.plans[me]
    plan.next = 0
    plan.length = line.length
    for index in range(line.length):
        plan.actions[index] = line.actions[index]
    remember(search, me, line.key)


@cold
def _best_in_the_long_run(state: State, match: Match, search: Search) -> int:
    """Play the kept lines on in the mind and return the place of the best among `search.candidates`."""
    me = state.active
    foresight = match.foresights[me]
    stream = _own_stream(state)
    count = search.count
    for place in range(count):
        search.candidates[place] = search.lines[place]
    best = 0
    most = 0.0
    for place in range(count):
        worth = 0.0
        for sample in range(foresight.samples):
            search.imagined = search.candidates[place].end
            imagine_unseen(search.imagined, side_of(search.imagined, 1 - me), subkey(stream, sample))
            worth += _play_on(search, me, foresight.turns)
        if place == 0 or worth > most:
            best, most = place, worth
    return best


@cold
def _play_on(search: Search, me: int, turns: int) -> float:
    """Let the imagined game go on for some turns and return what the end is worth to a side."""
    state = search.imagined
    for _ in range(turns):
        play_imagined(state, search, 1 - state.active)
        if state.winner != NO_WINNER:
            return DECIDED if state.winner == me else -DECIDED
    leaf = search.lines[0].leaf
    if leaf.winner != NO_WINNER:
        return DECIDED if leaf.winner == me else -DECIDED
    return evaluate(leaf, search.match, me)


@jit
def _play_imagined(state: State, search: Search, number: int) -> None:
    start_turn(state, search.match, search.log, side_of(state, number), number)
    search_turn(state, search, 1, MOST_LEAVES_IMAGINED, MOST_LEAVES_FOR_AN_IMAGINED_WIN, 0)
    won = search.won
    search.imagined = search.lines[0].end
    if won:
        state.winner = number


@jit
def _play_imagined_solo(state: State, search: Search, number: int) -> None:
    if number == AI:
        play_ai_turn(state, search.match, search.log)
    else:
        _play_imagined(state, search, number)


play_imagined = by_mode(_play_imagined, _play_imagined_solo)
"""Play a side's turn of the imagined game as a tactician would; the AI's as its cards come (R34)."""


@cold
def shuffle_unseen(side: Side, stream: np.uint64) -> None:
    """Put the cards of a hand that have never been played into a random order, whatever theirs is (R43)."""
    for end in range(side.unseen - 1, 0, -1):  # sorted first, so that the order they have leaves no trace
        for place in range(end):
            if value_at(side.hand, place) > value_at(side.hand, place + 1):
                _swap(side, place, place + 1)
    for last in range(side.unseen - 1, 0, -1):
        _swap(side, uniform(stream, last, last + 1), last)


@jit
def _imagine_unseen(state: State, side: Side, stream: np.uint64) -> None:
    shuffle_unseen(side, stream)


@jit
def _imagine_unseen_solo(state: State, side: Side, stream: np.uint64) -> None:
    side.stream = stream  # of a new deck, if it comes to that
    for end in range(side.deck_size - 1, 0, -1):
        for place in range(end):
            if side.deck[place] > side.deck[place + 1]:
                side.deck[place], side.deck[place + 1] = side.deck[place + 1], side.deck[place]
    shuffle_deck(side, stream)


imagine_unseen = by_mode(_imagine_unseen, _imagine_unseen_solo)
"""Put the enemy's unseen cards, in its hand or the AI's deck, into a random order, whatever theirs is (R43)."""


@jit
def _imagine_nothing(state: State, side: Side, stream: np.uint64) -> None:
    return


imagine_deck = by_mode(_imagine_nothing, _imagine_unseen_solo)
"""Put the AI's deck into a random order before the own turn is searched: attacks discard from its top (R36, R43)."""


@jit
def _swap(side: Side, one: int, other: int) -> None:
    side.hand = swapped(side.hand, one, other)
    side.prices = swapped(side.prices, one, other)


def plan_turn_at(state: Any, match: Any, search: Any) -> None:
    """Do the same as `plan_turn`, given pointers: what the core calls."""
    plan_turn(carray(state, 1)[0], carray(match, 1)[0], carray(search, 1)[0])
