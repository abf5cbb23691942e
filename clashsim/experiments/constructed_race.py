"""Tens that play the same games against the same opponents: the heats of a search, and of an audit of its best."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.core.dealing import RESULTS
from clashsim.clash.core.state import SIDES
from clashsim.clash.drafting import Drafter
from clashsim.clash.duels import results_of
from clashsim.clash.policies import Policy
from clashsim.clash.rules import Rules
from clashsim.clash.tens import TensDuel
from clashsim.running import Tally

Players = tuple[Policy, Policy]


@dataclass(frozen=True)
class Arena:
    """What all games of a search have in common.

    Attributes
    ----------
    cards : CardSet
    players : tuple of two Policies
    rules : Rules
    seed : int
    banner : Drafter
        Who removes cards of the other side's ten, for both sides.
    """

    cards: CardSet
    players: Players
    rules: Rules
    seed: int
    banner: Drafter

    def duel(self, one: Deck, other: Deck, group: str) -> TensDuel:
        """Return games of two tens."""
        banners = (self.banner, self.banner)
        return TensDuel(
            self.cards, self.players, self.rules, self.seed, group, tens=(one, other), banners=banners
        )


@dataclass(frozen=True)
class Race:
    """Games of some tens, each against the same opponents with the same shuffles and bans.

    The games come in blocks, each against one opponent: first all those of the first ten in a block, then those of the
    next. So every stretch of game numbers can be played by itself.

    Attributes
    ----------
    arena : Arena
    name : str
        Of the random-number groups: races of one name play the same games.
    tens, opponents : sequence of Decks
    blocks : int
        Number of blocks, a multiple of that of the opponents.
    block : int
        Games of a ten in a block, an even number.
    first_game : int
        Number of the first game against each opponent, an even one: games before it are those of earlier races.
    base : Deck, optional
        A ten that plays the same games besides, for the differences from it.
    """

    arena: Arena
    name: str
    tens: Sequence[Deck]
    opponents: Sequence[Deck]
    blocks: int
    block: int
    first_game: int = 0
    base: Deck | None = None

    @property
    def policies(self) -> Players:
        """Who plays."""
        return self.arena.players

    @property
    def games(self) -> int:
        """How many games there are, but for those of the base."""
        return self.blocks * self.block * len(self.tens)

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them.

        Returns
        -------
        dict of integer arrays
            - results (tens, 2, 3): games that the ten, and that its opponent started, by how they ended for the ten:
              won, drew, lost
            - joint (tens, 2, 3, 3), with a base: by how they ended for the base, and for the ten
        """
        results = np.zeros((len(self.tens), SIDES, RESULTS), np.int64)
        joint = np.zeros((len(self.tens), SIDES, RESULTS, RESULTS), np.int64)
        known: dict[int, np.ndarray] = {}
        for number, place, first, games in self._stretches(first_game, n_games):
            starter = np.arange(first, first + games) & 1
            ends = self._ends(self.tens[place], number, first, games)
            np.add.at(results[place], (starter, ends), 1)
            if self.base is not None:
                if number not in known:
                    known[number] = self._ends(self.base, number, 0, self.block)
                np.add.at(joint[place], (starter, known[number][first : first + games], ends), 1)
        return {"results": results} if self.base is None else {"results": results, "joint": joint}

    def _stretches(self, first_game: int, n_games: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield block, place of the ten, first game within the block, and number of games."""
        game, end = first_game, first_game + n_games
        while game < end:
            cell, first = divmod(game, self.block)
            games = min(self.block - first, end - game)
            number, place = divmod(cell, len(self.tens))
            yield number, place, first, games
            game += games

    def _ends(self, ten: Deck, number: int, first: int, games: int) -> np.ndarray:
        """Play games of a block and return how they ended for a ten: 0 won, 1 drew, 2 lost."""
        turn, opponent = divmod(number, len(self.opponents))
        duel = self.arena.duel(ten, self.opponents[opponent], json.dumps([self.name, opponent]))
        return results_of(duel.outcomes(self.first_game + turn * self.block + first, games)["winner"])
