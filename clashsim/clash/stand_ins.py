"""Cards that take the place of another in a deck, one after the other, in the same games."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from clashsim.clash.cards import Card, Deck
from clashsim.clash.core.duel import OUTCOME, TOTALS, play_games
from clashsim.clash.core.events import new_log
from clashsim.clash.core.match import AS_NAMED, MATCH, put_kit
from clashsim.clash.core.state import FIRST_CARD, FIRST_KIT_CARD, STOPPED, new_state, one_record
from clashsim.clash.duels import Duel, results_of
from clashsim.clash.policies.scratch import new_search


@dataclass(frozen=True)
class Place:
    """A place in the deck of side 0 of a duel.

    Attributes
    ----------
    duel : Duel
        Its group is that of all cards in this place: they are shuffled alike.
    slot : int
        Of the deck of side 0.
    """

    duel: Duel
    slot: int

    def duel_with(self, card: Card) -> Duel:
        """Return the duel with a card in this place: for traces."""
        deck, opponent = self.duel.decks
        cards = (*deck.cards[: self.slot], card, *deck.cards[self.slot + 1 :])
        return replace(self.duel, decks=(Deck(deck.name, cards), opponent))

    def results(self, cards: Sequence[Card], first_game: int, n_games: int) -> np.ndarray:
        """Play games with one card after the other in this place.

        Returns
        -------
        ndarray, shape (cards, n_games)
            How each game ended for side 0: 0 won, 1 drew, 2 lost.

        Raises
        ------
        PolicyFault
            A user's policy did what it may not, in the game that the error names.
        """
        match, totals = one_record(MATCH), one_record(TOTALS)
        match[:] = self.duel.match
        state, log, search = new_state(), new_log(), new_search()
        outcomes = np.zeros((len(cards), n_games), OUTCOME)
        with np.errstate(over="ignore"):  # the arithmetic of the random numbers is meant to wrap around
            for card, ends in zip(cards, outcomes, strict=True):
                match["cards"][0, FIRST_CARD[0] + self.slot] = _record(card)
                play_games(state, match, totals, log, search, first_game, ends)
        stopped = np.argwhere(outcomes["winner"] == STOPPED)
        if stopped.size:
            place, game = stopped[0].tolist()
            self.duel_with(cards[place]).outcomes(first_game + game, 1)  # raises it
        return results_of(outcomes["winner"])


@cache
def _record(card: Card) -> np.ndarray:
    """Return a card as the core reads it."""
    match = one_record(MATCH)
    put_kit(match, [card], AS_NAMED)
    return match["cards"][0, FIRST_KIT_CARD].copy()
