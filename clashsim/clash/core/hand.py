"""Hand and fortress: what can be played, and how the fortress moves and falls (R4, R7, R8, R15-R19)."""

from clashsim.clash.core.jit import jit
from clashsim.clash.core.lists import (
    BYTE,
    BYTE_MASK,
    EVERY,
    at_least,
    first_places,
    placed,
    value_at,
    without,
)
from clashsim.clash.core.match import INCANTATION_BIT, INCANTATION_PRICE, Match
from clashsim.clash.core.state import Side, State


@jit
def take_card(side: Side, slot: int) -> int:
    """Take the card at a hand slot out; a card left of the fortress lets it move left (R18)."""
    card = value_at(side.hand, slot)
    side.hand = without(side.hand, slot)
    side.prices = without(side.prices, slot)
    side.hand_size -= 1
    side.fortress -= slot < side.fortress
    side.unseen -= slot < side.unseen
    return card


@jit
def put_rightmost(side: Side, match: Match, card: int) -> None:
    """Put a card at the right end of the hand (R8, R12)."""
    side.hand |= placed(card, side.hand_size)
    side.prices |= placed(match.cards[card].price, side.hand_size)
    side.hand_size += 1


@jit
def send_home(match: Match, side: Side, fallen: int, count: int) -> None:
    """Put destroyed cards at the right end of their owner's hand, the first first (R12, R14)."""
    for _ in range(count):
        put_rightmost(side, match, fallen & BYTE_MASK)
        fallen >>= BYTE


@jit
def move_fortress(state: State, side: Side, side_number: int, damage: int) -> None:
    """Move a fortress to the right by the damage done to it, at most to the right end (R15)."""
    side.fortress = min(side.fortress + damage, side.hand_size)
    breach_if_rightmost(state, side, side_number)


@jit
def breach_if_rightmost(state: State, side: Side, side_number: int) -> None:
    """Destroy a rightmost fortress: a Bastion turns to a Fort, leftmost (R16); a Fort loses the game (R17, R19)."""
    if side.fortress == side.hand_size:
        if side.bastion:
            side.bastion = 0
            side.bastion_fell = state.turn
            side.fortress = 0
        else:
            state.winner = 1 - side_number


@jit
def breaching_slot(side: Side) -> int:
    """Return, as a set, the slot of the only card right of the fortress: summoning it breaches it (R19)."""
    last = side.hand_size - 1
    return placed(1 if side.fortress == last else 0, last)


@jit
def summonable_slots(state: State, match: Match, side: Side) -> int:
    """Return the set of hand slots whose creature may be summoned (R4, R7, R19)."""
    slots = at_least(state.mana * EVERY, side.prices) & _window(match, side)
    if side.hand_size == 1:
        return 0
    if not match.self_breach:
        slots &= ~breaching_slot(side)
    return slots


@jit
def castable_slots(state: State, match: Match, side: Side) -> int:
    """Return the set of hand slots whose Incantation may be cast, if there is a target (R4, R8)."""
    mana = (state.mana + INCANTATION_PRICE) * EVERY
    return at_least(mana, side.prices) & (side.prices >> INCANTATION_BIT) & _window(match, side)


@jit
def _window(match: Match, side: Side) -> int:
    return first_places(min(match.window, side.hand_size))


@jit
def targets_in_play(state: State) -> int:
    """Return the number of creatures in play: each is a legal target (R8)."""
    one, other = state.sides[0].lanes, state.sides[1].lanes
    return one[0].length + one[1].length + other[0].length + other[1].length
