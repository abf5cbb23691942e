"""One condition of duels: two decks, their policies and rules, and the games they play."""

import json
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from clashsim.clash.cards import Card, Deck
from clashsim.clash.core.duel import OUTCOME, TOTALS, play_games
from clashsim.clash.core.events import new_log
from clashsim.clash.core.match import MATCH, new_match
from clashsim.clash.core.rng import condition_key
from clashsim.clash.core.state import FIRST_CARD, NO_WINNER, SIDES, STOPPED, new_state, one_record
from clashsim.clash.policies import Policy
from clashsim.clash.policies.scratch import new_search
from clashsim.clash.policies.units import unit_address
from clashsim.clash.rules import Rules

Tally = dict[str, np.ndarray]


@dataclass(frozen=True)
class Duel:
    """Everything that decides a game but its number.

    Attributes
    ----------
    decks : tuple of two Decks
        Side 0 first. Side 0 takes the first turn of even games, side 1 of odd ones.
    policies : tuple of two Policies
    rules : Rules
    seed : int
    group : str
        Random-number group: conditions of one group and seed shuffle the same slots (common random numbers).
        By default the pairing of the decks, by their names.
    """

    decks: tuple[Deck, Deck]
    policies: tuple[Policy, Policy]
    rules: Rules = field(default_factory=Rules)
    seed: int = 1
    group: str = ""

    @cached_property
    def match(self) -> np.ndarray:
        """The condition as the core reads it: an array of one MATCH."""
        key = condition_key(self.seed, self.group or pairing_group(*self.decks))
        numbers = [policy.number for policy in self.policies]
        planners = [unit_address(policy.unit) if policy.unit else 0 for policy in self.policies]
        weights = [policy.weights for policy in self.policies]
        foresights = [policy.foresight for policy in self.policies]
        choosers = [policy.chooser for policy in self.policies]
        decks = [deck.cards for deck in self.decks]
        return new_match(decks, self.rules, numbers, key, planners, weights, foresights, choosers)

    @property
    def numbered_cards(self) -> dict[int, Card]:
        """The cards by the numbers that the core knows them by."""
        return {
            first + slot: card
            for first, deck in zip(FIRST_CARD, self.decks, strict=True)
            for slot, card in enumerate(deck.cards)
        }

    def outcomes(self, first_game: int, n_games: int) -> tuple[np.ndarray, np.ndarray]:
        """Play games and return them one by one.

        Returns
        -------
        outcomes : array of OUTCOME, shape (n_games,)
        totals : array of one TOTALS

        Raises
        ------
        PolicyFault
            A user's policy did what it may not, in the game that the error names.
        """
        outcomes = np.zeros(n_games, OUTCOME)
        totals = one_record(TOTALS)
        # The arithmetic of the random numbers is meant to wrap around; uncompiled, numpy would warn of it.
        with np.errstate(over="ignore"):
            play_games(new_state(), self.match, totals, new_log(), new_search(), first_game, outcomes)
        stopped = np.flatnonzero(outcomes["winner"] == STOPPED)
        if stopped.size:
            self._raise_fault(first_game + int(stopped[0]))
        return outcomes, totals

    def _raise_fault(self, game: int) -> None:
        """Play a game once more, step by step, to tell what a user's policy did in it."""
        from clashsim.clash.trace import Tracer  # which plays games of duels

        Tracer(self).game(game)

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them.

        Returns
        -------
        dict of integer arrays
            On an axis `starter`, games that side 0 and games that side 1 started; on an axis `side`, side 0 and side 1.

            - results (starter, 3): games that side 0 won, drew, lost
            - turns (starter, turn_limit + 1): games by their number of turns
            - bastion_falls (side, turn_limit + 1): games by the turn in which the side's Bastion fell; 0: it stood
            - turns_ended, unspent_mana (side,): turns that came to their end, and the mana left in them
            - plays (side, 8): summons and casts by deck slot
        """
        return self.count(first_game, *self.outcomes(first_game, n_games))

    def count(self, first_game: int, outcomes: np.ndarray, totals: np.ndarray) -> Tally:
        """Count games that `outcomes` returned, the first of them game number `first_game`; see `tally`."""
        starter = (np.arange(first_game, first_game + len(outcomes)) & 1).astype(np.int64)
        winner = outcomes["winner"]
        result = results_of(winner)
        lengths = self.rules.turn_limit + 1
        turns = _cross_count(starter, outcomes["turns"], lengths)
        falls = [np.bincount(outcomes["bastion_fell"][:, side], minlength=lengths) for side in range(SIDES)]
        slots = [slice(first, first + len(self.decks[0].cards)) for first in FIRST_CARD]
        return {
            "results": _cross_count(starter, result, 3),
            "turns": turns,
            "bastion_falls": np.array(falls, np.int64),
            "turns_ended": totals["turns_ended"][0].copy(),
            "unspent_mana": totals["unspent_mana"][0].copy(),
            "plays": np.stack([totals["plays"][0][cards] for cards in slots]),
        }


def results_of(winner: np.ndarray) -> np.ndarray:
    """Return how games ended for side 0, by who won: 0 won, 1 drew, 2 lost."""
    return np.where(winner == NO_WINNER, 1, np.where(winner == 0, 0, 2))


def compile_core() -> None:
    """Compile the core or load it from disk, without playing: some seconds at most once in a process."""
    play_games(
        new_state(), one_record(MATCH), one_record(TOTALS), new_log(), new_search(), 0, np.zeros(0, OUTCOME)
    )


def pairing_group(deck: Deck, other: Deck) -> str:
    """Return the random-number group of a pairing: the names of the decks, whatever cards are in them.

    So a deck keeps its shuffles, slot by slot, when one of its cards is changed or replaced.
    """
    return json.dumps([deck.name, other.name])


def _cross_count(starter: np.ndarray, values: np.ndarray, n_values: int) -> np.ndarray:
    """Count values per starter: integers of shape (2, n_values)."""
    flat = np.bincount(starter * n_values + values, minlength=SIDES * n_values)
    return flat.reshape(SIDES, n_values).astype(np.int64)
