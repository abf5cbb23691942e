"""Choosing cards before a game: drafts (R40, R42) and bans (R41). Small beside the game that follows."""

import numpy as np

from clashsim.clash.core.jit import cold, kernel
from clashsim.clash.core.match import BY_CHANCE, BY_DENIAL, BY_FIT, Match
from clashsim.clash.core.rng import DEALER, FIRST_CHOOSER, subkey, uniform
from clashsim.clash.core.state import DECK_SIZE, PLAYER, SIDES

OFFER = 4  # cards that are turned up at a time (R40, R42)
ROUNDS = 4  # of a duel's draft (R40)
DRAFTED_CARDS = OFFER * ROUNDS
GAMES_OF_A_DRAFT = 4  # each of them once for every combination of who drafts first and who starts
TEN = 10  # cards of a constructed deck (R41)
BANNERS = (1, 0, 0, 1)  # the sides that remove a card of the other side's, one after the other (R41)

# In the order of a round: the cards that the one who goes first takes are the first and the last.
FIRST_OF_FOUR, ONE_OF_PAIR, OTHER_OF_PAIR, LEFTOVER = range(OFFER)


@kernel
def draft_games(match: np.ndarray, first_game: int, picks: np.ndarray) -> None:
    """Draft the decks of duels first_game, first_game + 1, … .

    Parameters
    ----------
    match
        An array of one MATCH with a kit and drafters.
    first_game
        Number of the first game.
    picks
        Slots of the kit, shape (games, ROUNDS, OFFER), filled: of each round in the order in which they are taken.
    """
    for index in range(len(picks)):
        draft_duel(match[0], first_game + index, picks[index])


@kernel
def draft_solo_games(match: np.ndarray, first_game: int, picks: np.ndarray) -> None:
    """Do the same for solo games: picks (games, DECK_SIZE, OFFER), the player's card first, then those it leaves."""
    for index in range(len(picks)):
        stream = subkey(subkey(match[0].key, first_game + index), DEALER)
        draft_solo(match[0], stream, picks[index])


@cold
def first_drafter(game: int) -> int:
    """Return the side that takes the first card of a duel's draft; side `game & 1` takes the first turn."""
    return (game >> 1) & 1


@cold
def draft_duel(match: Match, game: int, picks: np.ndarray) -> None:
    """Draft both decks of a duel (R40): picks (ROUNDS, OFFER), as of `draft_games`."""
    key = subkey(match.key, game // GAMES_OF_A_DRAFT)
    kit = _shuffled(match.kit_size, subkey(key, DEALER))
    decks = np.zeros((SIDES, DECK_SIZE), np.int64)
    for number in range(ROUNDS):
        first = first_drafter(game) ^ (number & 1)
        offer = kit[OFFER * number : OFFER * (number + 1)]
        _draft_round(match, key, offer, first, number, decks, picks[number])


@cold
def drafted_slots(picks: np.ndarray, game: int, slots: np.ndarray) -> None:
    """Write what each side took: slots (SIDES, DECK_SIZE), two cards a round."""
    for number in range(ROUNDS):
        first = first_drafter(game) ^ (number & 1)
        slots[first, 2 * number] = picks[number, FIRST_OF_FOUR]
        slots[first, 2 * number + 1] = picks[number, LEFTOVER]
        slots[1 - first, 2 * number] = picks[number, ONE_OF_PAIR]
        slots[1 - first, 2 * number + 1] = picks[number, OTHER_OF_PAIR]


@cold
def draft_solo(match: Match, stream: np.uint64, picks: np.ndarray) -> None:
    """Draft the player's deck of a solo game (R42): picks (DECK_SIZE, OFFER), as of `draft_solo_games`."""
    kit = _shuffled(OFFER * DECK_SIZE, stream)
    deck = np.zeros(DECK_SIZE, np.int64)
    for number in range(DECK_SIZE):
        offer = kit[OFFER * number : OFFER * (number + 1)]
        if match.drafters[PLAYER] == BY_CHANCE:
            place = uniform(stream, kit.size + number, OFFER)
        else:
            place = _best_of(match, PLAYER, offer, deck, number)
        deck[number] = offer[place]
        picks[number, 0] = offer[place]
        picks[number, 1:] = _without(offer, place)


@cold
def ban_cards(match: Match, game_key: np.uint64, slots: np.ndarray) -> None:
    """Remove two cards of each ten, and write those that are left (R41): slots (SIDES, DECK_SIZE).

    A's ten are the kit's first, B's the next. A banner by liking removes the card that it likes best.
    """
    banned = np.zeros(SIDES * TEN, np.bool_)
    for number in range(len(BANNERS)):
        side = BANNERS[number]
        first = TEN * (1 - side)
        left = first + np.flatnonzero(~banned[first : first + TEN])
        if match.drafters[side] == BY_CHANCE:
            place = uniform(subkey(game_key, FIRST_CHOOSER + side), number, left.size)
        else:
            place = 0
            for other in range(1, left.size):
                if match.likings[side, left[other]] > match.likings[side, left[place]]:
                    place = other
        banned[left[place]] = True
    for side in range(SIDES):
        first = TEN * side
        slots[side] = first + np.flatnonzero(~banned[first : first + TEN])


@cold
def _shuffled(size: int, stream: np.uint64) -> np.ndarray:
    kit = np.arange(size)
    for last in range(size - 1, 0, -1):
        place = uniform(stream, last, last + 1)
        kit[last], kit[place] = kit[place], kit[last]
    return kit


@cold
def _draft_round(
    match: Match,
    key: np.uint64,
    offer: np.ndarray,
    first: int,
    number: int,
    decks: np.ndarray,
    taken: np.ndarray,
) -> None:
    """Let the first side take one of four, the other two of the three left, and the first the last (R40)."""
    second = 1 - first
    held = 2 * number  # by either side
    place = _pick_one(match, subkey(key, FIRST_CHOOSER + first), offer, first, number, decks)
    decks[first, held] = offer[place]
    rest = _without(offer, place)
    place = _leave_one(match, subkey(key, FIRST_CHOOSER + second), rest, second, number, decks)
    decks[first, held + 1] = rest[place]
    decks[second, held : held + 2] = _without(rest, place)
    taken[FIRST_OF_FOUR], taken[LEFTOVER] = decks[first, held], decks[first, held + 1]
    taken[ONE_OF_PAIR], taken[OTHER_OF_PAIR] = decks[second, held], decks[second, held + 1]


@cold
def _pick_one(
    match: Match, stream: np.uint64, offer: np.ndarray, side: int, number: int, decks: np.ndarray
) -> int:
    """Return the place of the card that the first side takes."""
    held = 2 * number
    if match.drafters[side] == BY_CHANCE:
        return uniform(stream, number, OFFER)
    if match.drafters[side] != BY_DENIAL:
        return _best_of(match, side, offer, decks[side], held)
    best, most = 0, 0
    mine = decks[side].copy()
    for place in range(OFFER):
        rest = _without(offer, place)
        left = _least_of_three(match, side, rest, decks[1 - side], held, False, decks[side])
        pair = _without(rest, left)
        mine[held] = offer[place]
        gain = (
            _liking(match, side, offer[place], mine, held)
            + _liking(match, side, rest[left], mine, held + 1)
            - _worth_of_pair(match, side, pair, decks[1 - side], held)
        )
        if place == 0 or gain > most:
            best, most = place, gain
    return best


@cold
def _leave_one(
    match: Match, stream: np.uint64, rest: np.ndarray, side: int, number: int, decks: np.ndarray
) -> int:
    """Return the place of the card that the second side leaves of three."""
    if match.drafters[side] == BY_CHANCE:
        return uniform(stream, number, OFFER - 1)
    deny = match.drafters[side] == BY_DENIAL
    return _least_of_three(match, side, rest, decks[side], 2 * number, deny, decks[1 - side])


@cold
def _least_of_three(
    match: Match,
    judge: int,
    rest: np.ndarray,
    deck: np.ndarray,
    held: int,
    deny: bool,
    other_deck: np.ndarray,
) -> int:
    """Return the card of three that is left by a side with this deck, as the judge sees it; ties: the last.

    To deny is to count what the other side, which has taken a card more, gains by the card that is left.
    """
    best, most = 0, 0
    for place in range(OFFER - 2, -1, -1):
        gain = _worth_of_pair(match, judge, _without(rest, place), deck, held)
        if deny:
            gain -= _liking(match, judge, rest[place], other_deck, held + 1)
        if place == OFFER - 2 or gain > most:
            best, most = place, gain
    return best


@cold
def _best_of(match: Match, side: int, offer: np.ndarray, deck: np.ndarray, held: int) -> int:
    """Return the place of the card that a side likes best; ties: the first turned up."""
    best, most = 0, 0
    for place in range(offer.size):
        liking = _liking(match, side, offer[place], deck, held)
        if place == 0 or liking > most:
            best, most = place, liking
    return best


@cold
def _worth_of_pair(match: Match, judge: int, pair: np.ndarray, deck: np.ndarray, held: int) -> int:
    worth = _liking(match, judge, pair[0], deck, held) + _liking(match, judge, pair[1], deck, held)
    if match.drafters[judge] >= BY_FIT:
        worth += match.fits[pair[0], pair[1]]
    return worth


@cold
def _liking(match: Match, judge: int, slot: int, deck: np.ndarray, held: int) -> int:
    """Return what a side's drafter thinks of a card for a deck that holds some already."""
    liking = match.likings[judge, slot]
    if match.drafters[judge] >= BY_FIT:
        for place in range(held):
            liking += match.fits[slot, deck[place]]
    return liking


@cold
def _without(slots: np.ndarray, place: int) -> np.ndarray:
    rest = np.empty(slots.size - 1, np.int64)
    rest[:place] = slots[:place]
    rest[place:] = slots[place + 1 :]
    return rest
