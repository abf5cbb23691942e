"""Duels between decks that are chosen anew for every game, and those that chance deals."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from clashsim.clash.cards import Card, CardSet, Deck
from clashsim.clash.core.dealing import RELATIONS, RESULTS, count_cards, deal_games
from clashsim.clash.core.duel import OUTCOME, TOTALS, play_games
from clashsim.clash.core.events import new_log
from clashsim.clash.core.match import FROM_ONE_KIT, FROM_TWO_KITS, NOTHING_HELD, put_kit
from clashsim.clash.core.state import (
    DECK_SIZE,
    MOST_KIT_CARDS,
    SIDES,
    STOPPED,
    new_state,
    one_record,
)
from clashsim.clash.duels import Duel, Tally, results_of
from clashsim.clash.policies import Policy
from clashsim.clash.policies.scratch import new_search
from clashsim.clash.rules import Rules
from clashsim.errors import InputError

DEALT = ("dealt A", "dealt B")
"""Names of the decks."""


@dataclass(frozen=True)
class KitDuel:
    """Duels whose decks are chosen anew for every game out of a kit: what all ways to choose them share.

    Attributes
    ----------
    cards : CardSet
        The kit.
    policies : tuple of two Policies
    rules : Rules
    seed : int
    group : str
        Random-number group: conditions of one group and seed deal and shuffle the same slots of the kit.
    """

    cards: CardSet
    policies: tuple[Policy, Policy]
    rules: Rules = field(default_factory=Rules)
    seed: int = 1
    group: str = ""

    names: ClassVar[tuple[str, str]] = DEALT

    @property
    def kit(self) -> Sequence[Card]:
        """The cards by slot."""
        return self.cards.cards

    @property
    def random_group(self) -> str:
        """The random-number group that it is in."""
        return self.group or self._own_group()

    def decks_of(self, first_game: int, n_games: int) -> np.ndarray:
        """Return the decks of games: slots of the kit, shape (n_games, 2, 8)."""
        slots = np.zeros((n_games, SIDES, DECK_SIZE), np.int64)
        with np.errstate(over="ignore"):
            deal_games(self._match, first_game, slots)
        return slots

    def duel(self, game: int) -> Duel:
        """Return a duel whose game of this number is the same: for traces."""
        slots = self.decks_of(game, 1)[0]
        decks = [
            Deck(name, tuple(self.kit[slot] for slot in side))
            for name, side in zip(self.names, slots.tolist(), strict=True)
        ]
        return Duel((decks[0], decks[1]), self.policies, self.rules, self.seed, self.random_group)

    def outcomes(self, first_game: int, n_games: int) -> np.ndarray:
        """Play games and return how each ended: OUTCOME, shape (n_games,).

        Raises
        ------
        PolicyFault
            A user's policy did what it may not, in the game that the error names.
        """
        outcomes, totals = np.zeros(n_games, OUTCOME), one_record(TOTALS)
        match = one_record(self._match.dtype)  # its decks change from game to game
        match[:] = self._match
        with np.errstate(over="ignore"):
            play_games(new_state(), match, totals, new_log(), new_search(), first_game, outcomes)
        stopped = np.flatnonzero(outcomes["winner"] == STOPPED)
        if stopped.size:
            game = first_game + int(stopped[0])
            self.duel(game).outcomes(game, 1)  # raises it
        return outcomes

    @cached_property
    def _match(self) -> np.ndarray:
        """The condition as the core reads it: an array of one MATCH."""
        any_deck = Deck("", tuple(self.kit[:DECK_SIZE]))
        duel = Duel((any_deck, any_deck), self.policies, self.rules, self.seed, self.random_group)
        match = one_record(duel.match.dtype)
        match[:] = duel.match
        self._choose_from_kit(match)
        return match

    def _own_group(self) -> str:
        raise NotImplementedError

    def _choose_from_kit(self, match: np.ndarray) -> None:
        """Tell an array of one MATCH how its decks are chosen."""
        raise NotImplementedError


@dataclass(frozen=True)
class DealtDuel(KitDuel):
    """Everything that decides a game between dealt decks but its number.

    Attributes
    ----------
    two_kits : bool
        Whether each side has a kit of its own, so that both may have a card.
    held : str
        Name of a card that side 0 always has, in its first slot; "": none.

    Raises
    ------
    InputError
        The card set has too few or too many cards.
    """

    two_kits: bool = False
    held: str = ""

    def __post_init__(self) -> None:
        least = DECK_SIZE + 1 if self.two_kits else SIDES * DECK_SIZE
        size = len(self.cards.cards)
        if not least <= size <= MOST_KIT_CARDS:
            raise InputError(
                f"card set {self.cards.name} has {size} cards; expected {least} to {MOST_KIT_CARDS} for random decks "
                "of eight different cards"
            )

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them.

        Returns
        -------
        dict of integer arrays
            - results (2, 3): games that side 0, and that side 1 started, by how they ended for side 0: won, drew, lost
            - holding, playing (kit, 2, 3), pairs (kit, kit, 3, 3): by the cards in them, see `core.dealing.count_cards`
        """
        outcomes, slots = self.outcomes(first_game, n_games), self.decks_of(first_game, n_games)
        results = results_of(outcomes["winner"])
        starter = np.arange(first_game, first_game + n_games) & 1
        size = len(self.cards.cards)
        counts = {
            "holding": np.zeros((size, SIDES, RESULTS), np.int64),
            "playing": np.zeros((size, SIDES, RESULTS), np.int64),
            "pairs": np.zeros((size, size, RELATIONS, RESULTS), np.int64),
        }
        count_cards(slots, results, outcomes["played"], first_game, *counts.values())
        by_starter = np.bincount(starter * RESULTS + results, minlength=SIDES * RESULTS)
        return {"results": by_starter.reshape(SIDES, RESULTS).astype(np.int64), **counts}

    def _own_group(self) -> str:
        return json.dumps(["dealt", self.two_kits, self.held])

    def _choose_from_kit(self, match: np.ndarray) -> None:
        names = [card.name for card in self.kit]
        dealing = FROM_TWO_KITS if self.two_kits else FROM_ONE_KIT
        put_kit(match, self.kit, dealing, names.index(self.held) if self.held else NOTHING_HELD)
