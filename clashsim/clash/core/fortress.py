"""What becomes of damage to a fortress and of destroyed cards: of a player's (hand.py), and of the AI's (R35, R36).

The AI's fortress lies under its deck: damage moves cards from the top of the deck to the discard pile.
"""

import numpy as np

from clashsim.clash.core.events import RESHUFFLE, Log, note_phase
from clashsim.clash.core.hand import move_fortress, send_home
from clashsim.clash.core.jit import jit
from clashsim.clash.core.lists import BYTE, BYTE_MASK
from clashsim.clash.core.match import MINUS_ONE, TO_ONE, Match
from clashsim.clash.core.rng import subkey, uniform
from clashsim.clash.core.state import PLAYER, Side, State, by_mode

NEW_DECK_TURN = 1 << 31  # the "turn" whose draws shuffle the AI's new deck, beyond every turn limit


@jit
def _damage_fortress(state: State, match: Match, side: Side, side_number: int, damage: int) -> None:
    move_fortress(state, side, side_number, damage)


@jit
def _damage_fortress_or_deck(state: State, match: Match, side: Side, side_number: int, damage: int) -> None:
    if side_number == PLAYER:
        move_fortress(state, side, side_number, damage)
        return
    for _ in range(min(_resisted(match, damage), side.deck_size)):
        discard(side, draw_top(side))
    uncover_if_empty(state, match, side)


damage_fortress = by_mode(_damage_fortress, _damage_fortress_or_deck)
"""Do the damage of an attack to a side's fortress (R15-R17), the AI's deck being its fortress (R36)."""


@jit
def _resisted(match: Match, damage: int) -> int:
    """Return what is left of an attack on the AI's deck after its resistance (R38)."""
    if match.solo.resistance == MINUS_ONE:
        return max(damage - 1, 0)
    if match.solo.resistance == TO_ONE:
        return min(damage, 1)
    return damage


@jit
def _bury(state: State, match: Match, side: Side, side_number: int, fallen: int, count: int) -> None:
    send_home(match, side, fallen, count)


@jit
def _bury_or_discard(
    state: State, match: Match, side: Side, side_number: int, fallen: int, count: int
) -> None:
    if side_number == PLAYER:
        send_home(match, side, fallen, count)
        return
    for _ in range(count):
        discard(side, fallen & BYTE_MASK)
        fallen >>= BYTE


bury = by_mode(_bury, _bury_or_discard)
"""Put destroyed cards where they belong, the first first: the owner's hand (R12, R14), the AI's discard pile (R35)."""


@jit
def draw_top(side: Side) -> int:
    """Take the top card of the AI's deck."""
    side.deck_size -= 1
    return np.int64(side.deck[side.deck_size])


@jit
def discard(side: Side, card: int) -> None:
    """Put a card on the AI's discard pile."""
    side.discard[side.discard_size] = card
    side.discard_size += 1


@jit
def uncover_if_empty(state: State, match: Match, side: Side) -> None:
    """Let an empty deck have its consequence: the Bastion turns to the Fort, an uncovered Fort has one turn left (R36).

    Where there are cards to shuffle a new deck is due, which `settle` makes once the step is recorded.
    """
    if side.deck_size > 0 or state.last_turn > 0:
        return
    if side.bastion:
        side.bastion = 0
        side.bastion_fell = state.turn
        if side.discard_size > 0:
            return
    if state.active == PLAYER:
        state.last_turn = state.turn + 1
    else:
        state.last_turn = state.turn if match.solo.last_turn_is_current else state.turn + 2


@jit
def _settle(state: State, log: Log, side: Side) -> None:
    return


@jit
def _settle_solo(state: State, log: Log, side: Side) -> None:
    if side.deck_size > 0 or side.discard_size == 0 or state.last_turn > 0:  # the player has neither pile
        return
    side.deck_size = side.discard_size
    for place in range(side.discard_size):
        side.deck[place] = side.discard[place]
    side.discard_size = 0
    shuffle_deck(side, subkey(side.stream, NEW_DECK_TURN))
    note_phase(log, state, RESHUFFLE)


settle = by_mode(_settle, _settle_solo)
"""Shuffle the AI's discard pile into a new deck on top of its Fort, if one is due after a step that is over (R36)."""


@jit
def shuffle_deck(side: Side, stream: np.uint64) -> None:
    """Shuffle the AI's deck (Fisher and Yates)."""
    for last in range(side.deck_size - 1, 0, -1):
        place = uniform(stream, last, last + 1)
        card = side.deck[place]
        side.deck[place] = side.deck[last]
        side.deck[last] = card
