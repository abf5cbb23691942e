"""A solo game from the draft or the shuffle to its end, and many of them (R32-R38, R42).

The player's turn is a duel's; here are the AI's turn and the ends that it has. The AI needs no policy.
"""

import numpy as np

from clashsim.clash.core.combat import add_creature
from clashsim.clash.core.drafting import OFFER, draft_solo
from clashsim.clash.core.duel import Totals, deal_hand, open_game, open_side, play_turn
from clashsim.clash.core.events import CAST, NO_TARGET, SETUP, SUMMON, Log, note, note_phase
from clashsim.clash.core.fortress import discard, draw_top, settle, shuffle_deck, uncover_if_empty
from clashsim.clash.core.jit import cold, jit, kernel
from clashsim.clash.core.lists import placed
from clashsim.clash.core.match import INCANTATION_PRICE, NO_DRAFT, Match
from clashsim.clash.core.rng import DEALER, SETUP_TURN, subkey
from clashsim.clash.core.state import (
    AI,
    ARRIVED,
    DECK_SIZE,
    FIRST_SOLO_CARD,
    LANES,
    NO_WINNER,
    PLAYER,
    SIDES,
    TOO_LONG,
    Side,
    State,
    has_room,
    lane_of,
    record,
    side_of,
)
from clashsim.clash.core.turn import assault, begin_turn, end_turn, strike_side
from clashsim.clash.policies.scratch import Search, forget

SOLO_OUTCOME = record(
    [
        ("winner", np.int32),  # PLAYER, AI, NO_WINNER at the turn limit, or STOPPED
        ("turns", np.int32),
        ("bastion_fell", np.int32, SIDES),  # turn, or 0; the AI's is 0 too if it has none
        ("deck_left", np.int32),  # cards in the AI's deck at the end
        # The same, and while its Bastion stands all its cards once more: a new deck of them waits on the Fort (R36).
        ("to_go", np.int32),
    ]
)


@kernel
def play_solo_games(
    state: np.ndarray,
    match: np.ndarray,
    totals: np.ndarray,
    log: np.ndarray,
    search: np.ndarray,
    first_game: int,
    outcomes: np.ndarray,
) -> None:
    """Play solo games first_game, first_game + 1, … : one per element of `outcomes`.

    Parameters
    ----------
    state, match, totals, log, search
        Arrays of one SOLO_STATE (scratch), MATCH, TOTALS (added to), SOLO_LOG (the last game's events stay in it) and
        SOLO_SEARCH (scratch of policies that look ahead).
    first_game
        Number of the first game.
    outcomes
        SOLO_OUTCOME per game, filled.
    """
    for index in range(outcomes.size):
        play_solo_game(state[0], match[0], totals[0], log[0], search[0], first_game + index)
        _write_outcome(state[0], outcomes[index])


@kernel
def play_most_with_short_lanes(
    short: np.ndarray,
    short_log: np.ndarray,
    before: np.ndarray,
    state: np.ndarray,
    match: np.ndarray,
    totals: np.ndarray,
    log: np.ndarray,
    search: np.ndarray,
    first_game: int,
    outcomes: np.ndarray,
) -> None:
    """Do the same as `play_solo_games`, but try every game with the lanes of a duel first: nearly twice as fast.

    Parameters
    ----------
    short, short_log, before
        Arrays of one SHORT_SOLO_STATE, SHORT_SOLO_LOG and TOTALS (scratch).
    state, match, totals, log, search, first_game, outcomes
        As in `play_solo_games`; the log stays closed, and no policy may look ahead.
    """
    for index in range(outcomes.size):
        before[0] = totals[0]
        play_solo_game(short[0], match[0], totals[0], short_log[0], search[0], first_game + index)
        if short[0].winner == TOO_LONG:
            totals[0] = before[0]
            _play_long_game(state[0], match[0], totals[0], log[0], search[0], first_game + index)
            _write_outcome(state[0], outcomes[index])
        else:
            _write_outcome(short[0], outcomes[index])


@cold
def _play_long_game(state: State, match: Match, totals: Totals, log: Log, search: Search, game: int) -> None:
    """Play a game in a function of its own: the compiler takes longer for one that has both kinds of lanes."""
    play_solo_game(state, match, totals, log, search, game)


@jit
def _write_outcome(state: State, outcome: np.record) -> None:
    outcome.winner = state.winner
    outcome.turns = state.turn
    for side_number in range(SIDES):
        outcome.bastion_fell[side_number] = state.sides[side_number].bastion_fell
    ai = side_of(state, AI)
    outcome.deck_left = ai.deck_size
    in_play = lane_of(ai, 0).length + lane_of(ai, 1).length
    outcome.to_go = ai.deck_size + ai.bastion * (ai.deck_size + ai.discard_size + in_play)


@jit
def play_solo_game(state: State, match: Match, totals: Totals, log: Log, search: Search, game: int) -> None:
    """Play one solo game to its end."""
    set_up_solo(state, match, log, game)
    forget(search)
    side_number = AI if match.solo.ai_starts else PLAYER
    while state.winner == NO_WINNER and state.turn < match.turn_limit:  # R31, R37
        if side_number == PLAYER:
            play_turn(state, match, totals, log, search, PLAYER)
        else:
            play_ai_turn(state, match, log)
        side_number = 1 - side_number


@jit
def set_up_solo(state: State, match: Match, log: Log, game: int) -> None:
    """Deal eight cards to the player and all others of the kit to the AI, and shuffle both decks (R32)."""
    game_key = subkey(match.key, game)
    for side_number in range(SIDES):
        side = side_of(state, side_number)
        side.stream = subkey(game_key, side_number)
        side.deck_size = 0
        side.discard_size = 0
        open_side(side)
    ai = side_of(state, AI)
    slots = _deal_cards(match, ai, subkey(game_key, DEALER))
    ai.bastion = match.solo.bastion
    shuffle_deck(ai, subkey(ai.stream, SETUP_TURN))
    deal_hand(match, side_of(state, PLAYER), slots)
    open_game(state)
    state.last_turn = 0
    note_phase(log, state, SETUP)


@jit
def _deal_cards(match: Match, ai: Side, stream: np.uint64) -> int:
    """Give the AI its cards; return the player's deck, as numbers of the player's cards."""
    if match.drafters[PLAYER] == NO_DRAFT:
        return _share_out(match, ai)
    return _draft(match, ai, stream)


@jit
def _share_out(match: Match, ai: Side) -> int:
    """Deal the decks that the match names (R32)."""
    for place in range(match.solo.ai_cards):
        _give(ai, match.solo.ai_deck[place])
    cards = 0
    for place in range(DECK_SIZE):
        cards |= placed(FIRST_SOLO_CARD[PLAYER] + match.solo.deck[place], place)
    return cards


@jit
def _give(ai: Side, slot: int) -> None:
    ai.deck[ai.deck_size] = FIRST_SOLO_CARD[AI] + slot
    ai.deck_size += 1


@cold
def _draft(match: Match, ai: Side, stream: np.uint64) -> int:
    """Let the player take one of four cards eight times, and the AI the others (R42); return the player's."""
    picks = np.zeros((DECK_SIZE, OFFER), np.int64)
    draft_solo(match, stream, picks)
    cards = 0
    for place in range(DECK_SIZE):
        cards |= placed(FIRST_SOLO_CARD[PLAYER] + picks[place, 0], place)
        for other in range(1, OFFER):
            _give(ai, picks[place, other])
    return cards


@jit
def play_ai_turn(state: State, match: Match, log: Log) -> None:
    """Play the AI's turn: mana, reveals, assault, end; a player who survives the last one has won (R33-R36)."""
    begin_ai_turn(state, match, log)
    reveal_cards(state, match, log, side_of(state, PLAYER), side_of(state, AI))
    finish_ai_turn(state, match, log)


@jit
def begin_ai_turn(state: State, match: Match, log: Log) -> None:
    """Begin the AI's turn with the fixed amount of mana and the variable one for each creature of the player (R33)."""
    lanes = side_of(state, PLAYER).lanes
    mana = match.solo.fixed + match.solo.variable * (lanes[0].length + lanes[1].length)
    begin_turn(state, match, log, side_of(state, AI), AI, mana)


@jit
def finish_ai_turn(state: State, match: Match, log: Log) -> None:
    """Let the AI's creatures attack, and its turn end; a player who survives the last one has won (R35, R36)."""
    assault(state, match, log, side_of(state, AI), side_of(state, PLAYER))
    if state.winner == NO_WINNER:
        end_turn(state, log)
        if state.last_turn > 0 and state.turn >= state.last_turn:
            state.winner = PLAYER


@jit
def reveal_cards(state: State, match: Match, log: Log, player: Side, ai: Side) -> None:
    """Reveal cards from the AI's deck until their value reaches its mana, into the lanes by turns (R34)."""
    lane = 0
    while state.mana > 0 and ai.deck_size > 0 and state.winner == NO_WINNER:
        card = draw_top(ai)
        if match.cards[card].price >= INCANTATION_PRICE:
            _reveal_incantation(state, match, log, player, ai, card, lane)
        elif not has_room(lane_of(ai, lane)):
            state.winner = TOO_LONG
        else:
            state.mana -= match.cards[card].cost
            add_creature(match, lane_of(ai, lane), card, ARRIVED)
            uncover_if_empty(state, match, ai)
            note(log, state, SUMMON, card, AI, lane, 0, 0, 0)
        settle(state, log, ai)
        lane = LANES - 1 - lane


@jit
def _reveal_incantation(
    state: State, match: Match, log: Log, player: Side, ai: Side, card: int, lane: int
) -> None:
    """Let an Incantation hit the player's front creature of the lane; where there is none it is free (R34)."""
    fallen = 0
    position = NO_TARGET
    if lane_of(player, lane).length > 0:
        face = match.cards[card]
        state.mana -= face.cost
        position = 0
        fallen = strike_side(state, match, player, PLAYER, lane, position, face.attack, face.abilities, True)
    discard(ai, card)
    uncover_if_empty(state, match, ai)
    note(log, state, CAST, card, PLAYER, lane, position, 0, fallen)
