"""The verbs of a turn: start, summon, cast, find the next attacker, activate it, end (R3-R13, R23, R26-R28).

They change the state and record what happened. Which of them is called is the caller's business (duel.py), so
a search can play a turn out on a copy of the state. `side` is the side to move, `enemy` the other one.
"""

from clashsim.clash.core.combat import (
    abilities_in,
    add_creature,
    move_to_front,
    occupied,
    strike,
    with_bit,
)
from clashsim.clash.core.events import (
    AT_CREATURE,
    AT_FORTRESS,
    ATTACK,
    CAST,
    END_TURN,
    START_TURN,
    SUMMON,
    Log,
    note,
    note_phase,
)
from clashsim.clash.core.fortress import bury, damage_fortress, settle
from clashsim.clash.core.hand import breach_if_rightmost, put_rightmost, take_card
from clashsim.clash.core.jit import jit
from clashsim.clash.core.lists import last_place, placed_in, value_at
from clashsim.clash.core.match import BERSERK_BIT, RAGE_BIT, SPRINT_BIT, Match
from clashsim.clash.core.rng import subkey
from clashsim.clash.core.state import (
    ACTIVATED,
    ARRIVED,
    LOWER,
    NO_WINNER,
    SIDES,
    UPPER,
    Lane,
    Side,
    State,
    clear_turn,
    lane_of,
    side_of,
)
from clashsim.clash.policies.orders import draws_numbers, return_order

NO_ATTACKER = -1
_ARRIVED_BIT = ARRIVED.bit_length() - 1
_ACTIVATED_BIT = ACTIVATED.bit_length() - 1


@jit
def start_turn(state: State, match: Match, log: Log, side: Side, side_number: int) -> None:
    """Begin the next turn, of the given side: its mana is counted once, now (R3)."""
    mana = match.first_mana if state.turn == 0 else side.hand_size + 1
    begin_turn(state, match, log, side, side_number, mana)


@jit
def begin_turn(state: State, match: Match, log: Log, side: Side, side_number: int, mana: int) -> None:
    """Begin the next turn, of a side that has this mana."""
    state.turn += 1
    state.active = side_number
    state.mana = mana
    state.upper_is_over = 0
    if draws_numbers(match.policies[side_number]):
        state.turn_stream = subkey(side.stream, state.turn)
    for number in range(SIDES):
        state.sides[number].decisions = 0
    note_phase(log, state, START_TURN)


@jit
def summon(state: State, match: Match, log: Log, side: Side, slot: int, lane: int) -> None:
    """Play a creature from the hand to the back of a lane (R4, R5); it may uncover the own fortress (R19)."""
    card = take_card(side, slot)
    state.mana -= match.cards[card].cost
    add_creature(match, lane_of(side, lane), card, ARRIVED)
    breach_if_rightmost(state, side, state.active)
    note(log, state, SUMMON, card, state.active, lane, 0, 0, 0)


@jit
def cast(
    state: State, match: Match, log: Log, side: Side, slot: int, target_side: int, lane: int, position: int
) -> None:
    """Play an Incantation on a creature; it goes to the right end of the hand after what it destroyed (R8)."""
    card = value_at(side.hand, slot)
    face = match.cards[card]
    state.mana -= face.cost
    target = side_of(state, target_side)
    fallen = strike_side(state, match, target, target_side, lane, position, face.attack, face.abilities, True)
    put_rightmost(side, match, take_card(side, slot))
    note(log, state, CAST, card, target_side, lane, position, 0, fallen)


@jit
def next_attacker(state: State, side: Side) -> tuple[int, int]:
    """Find the creature that activates next: upper lane first, in each the rearmost that can and has not (R9,
    R10).

    Returns
    -------
    lane, position
        Position NO_ATTACKER when the assault is over.
    """
    if not state.upper_is_over:
        ready = _ready(lane_of(side, UPPER))
        if ready:
            return UPPER, last_place(ready)
    ready = _ready(lane_of(side, LOWER))
    return LOWER, last_place(ready) if ready else NO_ATTACKER


@jit
def _ready(lane: Lane) -> int:
    """Return the set of creatures that have not activated and need not wait as arrived ones without Rage (R10, R23)."""
    rested = ~with_bit(lane.marks, _ARRIVED_BIT) | with_bit(abilities_in(lane), RAGE_BIT)
    return occupied(lane) & ~with_bit(lane.marks, _ACTIVATED_BIT) & rested


@jit
def activate(state: State, match: Match, log: Log, side: Side, enemy: Side, lane: int, position: int) -> None:
    """Activate a creature: one attack, or more of them if it is Berserk (R9, R11, R23, R26-R28)."""
    defender = 1 - state.active
    own = lane_of(side, lane)
    opposite = lane_of(enemy, lane)
    card = value_at(own.cards, position)
    arrived = value_at(own.marks, position) & ARRIVED
    attack = value_at(own.attacks, position)
    own.marks |= placed_in(own.marks, ACTIVATED, position)
    while opposite.length > 0 or not arrived:  # R23
        state.upper_is_over |= lane  # R9: at the first attack in the lower lane
        abilities = value_at(abilities_in(own), position)
        stood_at = position
        if (abilities >> SPRINT_BIT) & 1 and position > 0:
            move_to_front(own, position)
            attack += position
            position = 0
            abilities = value_at(abilities_in(own), position)  # R27: read after the move
        if opposite.length == 0:
            damage_fortress(state, match, enemy, defender, attack)
            note(log, state, ATTACK, card, defender, lane, stood_at, AT_FORTRESS, 0)
            settle(state, log, enemy)
            return
        fallen = strike_side(state, match, enemy, defender, lane, 0, attack, abilities, False)
        note(log, state, ATTACK, card, defender, lane, stood_at, AT_CREATURE, fallen)
        if fallen == 0 or not (abilities >> BERSERK_BIT) & 1:
            return


@jit
def assault(state: State, match: Match, log: Log, side: Side, enemy: Side) -> None:
    """Activate all creatures of the side to move, without Incantations between them (R9)."""
    while state.winner == NO_WINNER:
        lane, position = next_attacker(state, side)
        if position == NO_ATTACKER:
            return
        activate(state, match, log, side, enemy, lane, position)


@jit
def end_turn(state: State, log: Log) -> None:
    """End the turn: all damage goes, and with it what is remembered of this turn only (R13, R24)."""
    clear_turn(state)
    note_phase(log, state, END_TURN)


@jit
def strike_side(
    state: State,
    match: Match,
    victim: Side,
    victim_number: int,
    lane: int,
    position: int,
    damage: int,
    abilities: int,
    by_incantation: bool,
) -> int:
    """Strike a side's creature, and let the owner send home what falls in the order he chooses; return it so (R14)."""
    fallen, count = strike(
        match, lane_of(victim, lane), lane_of(victim, 1 - lane), position, damage, abilities, by_incantation
    )
    if count > 1:
        fallen = return_order(state, match, victim_number, fallen, count)
    bury(state, match, victim, victim_number, fallen, count)
    return fallen
