"""A duel from the shuffle to its end, and many of them: the entry points called from Python (R1, R30, R31)."""

from typing import TypeAlias

import numpy as np

from clashsim.clash.core.dealing import take_from_kit
from clashsim.clash.core.events import SETUP, Log, note_phase
from clashsim.clash.core.hand import put_rightmost
from clashsim.clash.core.jit import jit, kernel
from clashsim.clash.core.lists import placed, swapped, value_at
from clashsim.clash.core.match import AS_NAMED, Match
from clashsim.clash.core.rng import SETUP_TURN, subkey, uniform
from clashsim.clash.core.state import (
    CARD_NUMBERS,
    DECK_SIZE,
    FIRST_CARD,
    LANES,
    NO_WINNER,
    SIDES,
    Side,
    State,
    clear_lane,
    lane_of,
    record,
    side_of,
)
from clashsim.clash.core.turn import (
    NO_ATTACKER,
    activate,
    cast,
    end_turn,
    next_attacker,
    start_turn,
    summon,
)
from clashsim.clash.policies.action import CAST, SUMMON
from clashsim.clash.policies.dispatch import casts_in_assault, next_assault_cast, next_play
from clashsim.clash.policies.scratch import Search, forget

OUTCOME = record(
    [
        ("winner", np.int32),  # side, NO_WINNER at the turn limit, or STOPPED
        ("turns", np.int32),
        ("bastion_fell", np.int32, SIDES),  # turn, or 0
        ("played", np.int32),  # bits of the numbers of the cards that were summoned or cast
    ]
)

# Sums over games that are cheaper to keep while playing than per game.
TOTALS = record(
    [
        ("turns_ended", np.int64, SIDES),
        ("unspent_mana", np.int64, SIDES),  # over these turns
        ("plays", np.int64, CARD_NUMBERS),  # summons and casts per card
        ("played", np.int64),  # of the game that runs: bits of the numbers of these cards
    ]
)

Totals: TypeAlias = np.record  # for annotations


@kernel
def play_games(
    state: np.ndarray,
    match: np.ndarray,
    totals: np.ndarray,
    log: np.ndarray,
    search: np.ndarray,
    first_game: int,
    outcomes: np.ndarray,
) -> None:
    """Play games first_game, first_game + 1, … : one per element of `outcomes`.

    Parameters
    ----------
    state, match, totals, log, search
        Arrays of one STATE (scratch), MATCH, TOTALS (added to), LOG (the last game's events stay in it) and SEARCH
        (scratch of policies that look ahead).
    first_game
        Number of the first game. Side 0 takes the first turn of even games, side 1 of odd ones.
    outcomes
        OUTCOME per game, filled.
    """
    for index in range(outcomes.size):
        play_game(state[0], match[0], totals[0], log[0], search[0], first_game + index)
        outcome = outcomes[index]
        outcome.winner = state[0].winner
        outcome.turns = state[0].turn
        outcome.played = totals[0].played
        for side_number in range(SIDES):
            outcome.bastion_fell[side_number] = state[0].sides[side_number].bastion_fell


@jit
def play_game(state: State, match: Match, totals: Totals, log: Log, search: Search, game: int) -> None:
    """Play one game to its end."""
    set_up(state, match, log, game)
    forget(search)
    totals.played = 0
    side_number = game & 1
    while state.winner == NO_WINNER and state.turn < match.turn_limit:  # R30, R31
        play_turn(state, match, totals, log, search, side_number)
        side_number = 1 - side_number


@jit
def set_up(state: State, match: Match, log: Log, game: int) -> None:
    """Shuffle both decks into hands, each with its fortress leftmost, Bastion side up (R1)."""
    game_key = subkey(match.key, game)
    if match.dealing != AS_NAMED:
        take_from_kit(match, game)
    for side_number in range(SIDES):
        side = side_of(state, side_number)
        side.stream = subkey(game_key, side_number)
        cards = 0
        for slot in range(DECK_SIZE):
            cards |= placed(FIRST_CARD[side_number] + slot, slot)
        open_side(side)
        deal_hand(match, side, cards)
    open_game(state)
    note_phase(log, state, SETUP)


@jit
def open_game(state: State) -> None:
    """Begin a game: no turn has been played."""
    state.turn = 0
    state.winner = NO_WINNER
    state.events = 0


@jit
def open_side(side: Side) -> None:
    """Let a side begin with empty lanes and its Bastion up (R1)."""
    side.hand = 0
    side.prices = 0
    side.hand_size = 0
    side.fortress = 0
    side.unseen = 0
    side.order = 0
    side.bastion = 1
    side.bastion_fell = 0
    for lane_number in range(LANES):
        clear_lane(lane_of(side, lane_number))


@jit
def deal_hand(match: Match, side: Side, cards: int) -> None:
    """Shuffle a deck into a hand (Fisher and Yates): a permutation of the slots, whatever the cards in them."""
    stream = subkey(side.stream, SETUP_TURN)
    for last in range(DECK_SIZE - 1, 0, -1):
        cards = swapped(cards, uniform(stream, DECK_SIZE - 1 - last, last + 1), last)
    side.unseen = DECK_SIZE
    for slot in range(DECK_SIZE):
        put_rightmost(side, match, value_at(cards, slot))


@jit
def play_turn(state: State, match: Match, totals: Totals, log: Log, search: Search, side_number: int) -> None:
    """Play one turn: summon phase, assault phase, end."""
    side = side_of(state, side_number)
    enemy = side_of(state, 1 - side_number)
    start_turn(state, match, log, side, side_number)
    _summon_phase(state, match, totals, log, search, side, enemy)
    if state.winner == NO_WINNER:
        _assault_phase(state, match, totals, log, search, side, enemy)
    if state.winner == NO_WINNER:
        totals.turns_ended[side_number] += 1
        totals.unspent_mana[side_number] += state.mana
        end_turn(state, log)


@jit
def _summon_phase(
    state: State, match: Match, totals: Totals, log: Log, search: Search, side: Side, enemy: Side
) -> None:
    """Do what the policy of the side to move wants until it stops (R4-R8)."""
    while state.winner == NO_WINNER:
        action = next_play(state, match, search, side, enemy)
        if action.kind == SUMMON:
            _count_play(totals, side, action.slot)
            summon(state, match, log, side, action.slot, action.lane)
        elif action.kind == CAST:
            _count_play(totals, side, action.slot)
            cast(state, match, log, side, action.slot, action.side, action.lane, action.position)
        else:
            return


@jit
def _assault_phase(
    state: State, match: Match, totals: Totals, log: Log, search: Search, side: Side, enemy: Side
) -> None:
    """Activate the creatures one by one, with the policy's casts before, between and after (R8, R9)."""
    with_casts = casts_in_assault(match.policies[state.active])
    while state.winner == NO_WINNER:
        if with_casts:
            _assault_casts(state, match, totals, log, search, side)
            if state.winner != NO_WINNER:
                return
        lane, position = next_attacker(state, side)
        if position == NO_ATTACKER:
            return
        activate(state, match, log, side, enemy, lane, position)


@jit
def _assault_casts(state: State, match: Match, totals: Totals, log: Log, search: Search, side: Side) -> None:
    action = next_assault_cast(state, match, search, side)
    while action.kind == CAST:
        _count_play(totals, side, action.slot)
        cast(state, match, log, side, action.slot, action.side, action.lane, action.position)
        action = next_assault_cast(state, match, search, side)


@jit
def _count_play(totals: Totals, side: Side, slot: int) -> None:
    card = value_at(side.hand, slot)
    totals.plays[card] += 1
    totals.played |= 1 << card  # of interest in duels only, whose cards have numbers below 32
