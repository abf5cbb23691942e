"""Games that are played with one thing after the other: a card in a place of a deck, an ability of the AI's creatures.

Numbers of games run over all places, so that each is played as often as the others: game i is at place i // 2 modulo
the number of places, both starters there, then the next place. A *round* is every place once.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from clashsim.clash.cards import Card
from clashsim.clash.core.state import PLAYER, SIDES
from clashsim.clash.policies import Policy
from clashsim.clash.solos import BLOCKS, Solo
from clashsim.clash.stand_ins import Place
from clashsim.experiments.twins import RESULTS
from clashsim.running import Tally


@dataclass(frozen=True)
class StandIns:
    """The same games with a card, and with each of others instead of it.

    Attributes
    ----------
    places : tuple of Place
    base : Card
    cards : tuple of Card
    before : int
        Number of games, of whole rounds, that another condition of the same shuffles has played: these are later ones.
    """

    places: tuple[Place, ...]
    base: Card
    cards: tuple[Card, ...]
    before: int = 0

    @property
    def policies(self) -> tuple[Policy, ...]:
        """Who plays."""
        return self.places[0].duel.policies

    @property
    def round(self) -> int:
        """Games of a round."""
        return SIDES * len(self.places)

    @property
    def games_at_once(self) -> int:
        """Games that are played for each that is counted."""
        return 1 + len(self.cards)

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games, each with the base and with every other card, and count them.

        Returns
        -------
        dict of integer arrays
            - joint (cards, BLOCKS, 3, 3): games by how they ended for the side with the card, and how they ended with
              the other card: won, drew, lost
        """
        joint = np.zeros((len(self.cards), BLOCKS, RESULTS, RESULTS), np.int64)
        spans = _spans(self.before + first_game, n_games, len(self.places), SIDES)
        for number, first, games in spans:
            results = self.places[number].results((self.base, *self.cards), first, games)
            block = _blocks(number, first, games, SIDES)
            for place, result in enumerate(results[1:]):
                np.add.at(joint[place], (block, results[0], result), 1)
        return {"joint": joint}


@dataclass(frozen=True)
class GivenAbilities:
    """The same solo games without an ability for the AI's creatures, and with each of some (R38).

    Attributes
    ----------
    decks : tuple of tuple of Solo
        For every deck of the player the game without, then with each.
    """

    decks: tuple[tuple[Solo, ...], ...]

    @property
    def policies(self) -> tuple[Policy, ...]:
        """Who plays."""
        return self.decks[0][0].policies

    @property
    def round(self) -> int:
        """Games of a round."""
        return SIDES * len(self.decks)

    @property
    def games_at_once(self) -> int:
        """Games that are played for each that is counted."""
        return len(self.decks[0])

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them as in `StandIns`, for the player; a draw is not a win: it counts as lost."""
        joint = np.zeros((len(self.decks[0]) - 1, BLOCKS, RESULTS, RESULTS), np.int64)
        for number, first, games in _spans(first_game, n_games, len(self.decks), SIDES):
            block = _blocks(number, first, games, SIDES)
            without, *given = (_lost_or_won(solo, first, games) for solo in self.decks[number])
            for place, result in enumerate(given):
                np.add.at(joint[place], (block, without, result), 1)
        return {"joint": joint}


def _lost_or_won(solo: Solo, first_game: int, n_games: int) -> np.ndarray:
    winner = solo.outcomes(first_game, n_games)[0]["winner"]
    return np.where(winner == PLAYER, 0, RESULTS - 1)


def whole_rounds(games: int, round_of_games: int) -> int:
    """Round a number of games up to whole rounds."""
    return -(-games // round_of_games) * round_of_games


def _spans(first_game: int, n_games: int, places: int, each: int) -> Iterator[tuple[int, int, int]]:
    """Yield places, and which of their own games are played: the first one and how many."""
    start, end = first_game // each, (first_game + n_games) // each
    for place in range(places):
        first, last = (-((place - turn) // places) for turn in (start, end))
        if first < last:
            yield place, each * first, each * (last - first)


def _blocks(place: int, first: int, games: int, each: int) -> np.ndarray:
    """Return the blocks of games of a place: from round to round another one of the same starter.

    So the places are spread alike over the blocks, and even blocks have the games that side 0 starts.
    """
    game = np.arange(first, first + games)
    return (each * place + game) % BLOCKS
