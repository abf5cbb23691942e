"""One condition of solo games: the player's deck, policy and settings, and the games they play (R32-R39)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from clashsim.clash.cards import Card, CardSet, Deck
from clashsim.clash.core.duel import TOTALS
from clashsim.clash.core.events import SHORT_SOLO_LOG, SOLO_LOG, new_log
from clashsim.clash.core.match import MATCH, new_solo_match
from clashsim.clash.core.rng import condition_key
from clashsim.clash.core.solo import SOLO_OUTCOME, play_most_with_short_lanes, play_solo_games
from clashsim.clash.core.state import (
    FIRST_SOLO_CARD,
    MOST_AI_CARDS,
    PLAYER,
    SHORT_SOLO_STATE,
    SOLO_STATE,
    STOPPED,
    one_record,
)
from clashsim.clash.drafting import DRAFT, Drafter, check_draft_kit, is_draft
from clashsim.clash.duels import Tally, results_of
from clashsim.clash.policies import PLANNING, Policy
from clashsim.clash.policies.scratch import SOLO_SEARCH, new_search
from clashsim.clash.policies.units import unit_address
from clashsim.clash.policies.users.loading import solo_address
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import SoloSettings
from clashsim.errors import InputError

BLOCKS = 40
"""Games are counted by blocks, game i in block i modulo 40: the same games in all conditions of a random-number group,
so that differences between conditions have honest standard errors."""

MOST_CARDS = MOST_AI_CARDS + 8  # of a card set for solo games


@dataclass(frozen=True)
class Solo:
    """Everything that decides a solo game but its number.

    Attributes
    ----------
    cards : CardSet
        The player's deck is from it, the AI has all its other cards.
    deck : Deck or Drafter
        The player's; a drafter chooses another one in every game.
    policy : Policy
        The player's.
    settings : SoloSettings
    rules : Rules
    seed : int
    group : str
        Random-number group: conditions of one group and seed deal and shuffle alike. By default the deck, so that the
        same game meets the same shuffles under all settings and policies, and all drafters the same offers.

    Raises
    ------
    InputError
        The card set has too few or too many cards for a solo game or a draft, or a user's policy can not be compiled
        for it.
    """

    cards: CardSet
    deck: Deck | Drafter
    policy: Policy
    settings: SoloSettings = field(default_factory=SoloSettings)
    rules: Rules = field(default_factory=Rules)
    seed: int = 1
    group: str = ""

    def __post_init__(self) -> None:
        size = len(self.cards.cards)
        if not 8 < size <= MOST_CARDS:
            raise InputError(
                f"card set {self.cards.name} has {size} cards; expected 9 to {MOST_CARDS} for solo games: 8 for the "
                f"player, the others for the AI (R32)"
            )
        if self.policy.chooser:
            solo_address(self.policy.chooser)
        if isinstance(self.deck, Drafter):
            check_draft_kit(self.cards)
        else:
            self._check_deck(self.deck)

    def _check_deck(self, deck: Deck) -> None:
        names = {card.name for card in self.cards.cards}
        for card in deck.cards:
            if card.name not in names:
                raise InputError(
                    f"deck {deck.name}: {card.name} is not in card set {self.cards.name}; expected cards of the "
                    "set, of which the AI has the others (R32)"
                )

    @property
    def deck_name(self) -> str:
        """The deck as tables show it."""
        return f"{DRAFT}:{self.deck.name}" if isinstance(self.deck, Drafter) else self.deck.name

    @property
    def random_group(self) -> str:
        """The random-number group that it is in."""
        return self.group or solo_group(self.deck_name)

    @cached_property
    def match(self) -> np.ndarray:
        """The condition as the core reads it: an array of one MATCH."""
        policy = self.policy
        match = new_solo_match(
            self.cards.cards,
            self._slots(),
            self.rules,
            self.settings,
            condition_key(self.seed, self.random_group),
            policy.number,
            planner=unit_address(policy.unit, solo=True) if policy.unit else 0,
            weights=policy.weights_in(solo=True),
            foresight=policy.foresight_in(solo=True),
            chooser=solo_address(policy.chooser) if policy.chooser else 0,
        )
        if isinstance(self.deck, Drafter):
            self.deck.put(match, PLAYER, self.cards.cards)
        return match

    @property
    def policies(self) -> tuple[Policy]:
        """The policies of those who have one: the player's."""
        return (self.policy,)

    @property
    def numbered_cards(self) -> dict[int, Card]:
        """The cards by the numbers that the core knows them by: every card of the set has one for each side."""
        return {first + slot: card for first in FIRST_SOLO_CARD for slot, card in enumerate(self.cards.cards)}

    def _slots(self) -> list[int]:
        if isinstance(self.deck, Drafter):
            return []
        names = [card.name for card in self.cards.cards]
        return [names.index(card.name) for card in self.deck.cards]

    def outcomes(self, first_game: int, n_games: int) -> tuple[np.ndarray, np.ndarray]:
        """Play games and return them one by one.

        Returns
        -------
        outcomes : array of SOLO_OUTCOME, shape (n_games,)
        totals : array of one TOTALS
        """
        outcomes = np.zeros(n_games, SOLO_OUTCOME)
        totals = one_record(TOTALS)
        # The arithmetic of the random numbers is meant to wrap around; uncompiled, numpy would warn of it.
        with np.errstate(over="ignore"):
            _play(self.policy, self.match, totals, first_game, outcomes)
        stopped = np.flatnonzero(outcomes["winner"] == STOPPED)
        if stopped.size:
            self._raise_fault(first_game + int(stopped[0]))
        return outcomes, totals

    def _raise_fault(self, game: int) -> None:
        """Play a game once more, step by step, to tell what a user's policy did in it."""
        from clashsim.clash.trace import Tracer  # which plays games of conditions

        Tracer(self).game(game)

    def tally(self, first_game: int, n_games: int) -> Tally:
        """Play games and count them.

        Returns
        -------
        dict of integer arrays
            - results (BLOCKS, 3): games that the player won, drew, lost
            - turns_by_block, left_by_block, to_go_by_block (BLOCKS,): sums of turns, of the cards left in the AI's
              deck, and of those and, while its Bastion stands, all its cards once more
            - turns (turn_limit + 1): games by their number of turns
            - left (MOST_AI_CARDS + 1), to_go (2 * MOST_AI_CARDS + 1): games by these numbers of cards
            - bastions_fell (2,): games in which the player's, and the AI's, Bastion fell
            - plays (cards of the set,): the player's summons and casts
        """
        return self.count(first_game, *self.outcomes(first_game, n_games))

    def count(self, first_game: int, outcomes: np.ndarray, totals: np.ndarray) -> Tally:
        """Count games that `outcomes` returned, the first of them game number `first_game`; see `tally`."""
        block = np.arange(first_game, first_game + len(outcomes)) % BLOCKS
        winner = outcomes["winner"]
        result = results_of(winner)
        results = np.bincount(block * 3 + result, minlength=BLOCKS * 3).reshape(BLOCKS, 3)
        sums = {
            f"{name}_by_block": np.bincount(block, weights=outcomes[column], minlength=BLOCKS).astype(
                np.int64
            )
            for name, column in (("turns", "turns"), ("left", "deck_left"), ("to_go", "to_go"))
        }
        counts = {
            name: np.bincount(outcomes[column], minlength=length).astype(np.int64)
            for name, column, length in (
                ("turns", "turns", self.rules.turn_limit + 1),
                ("left", "deck_left", MOST_AI_CARDS + 1),
                ("to_go", "to_go", 2 * MOST_AI_CARDS + 1),
            )
        }
        first = FIRST_SOLO_CARD[PLAYER]
        return {
            "results": results.astype(np.int64),
            **sums,
            **counts,
            "bastions_fell": (outcomes["bastion_fell"] > 0).sum(axis=0).astype(np.int64),
            "plays": totals["plays"][0][first : first + len(self.cards.cards)].copy(),
        }


def _play(
    policy: Policy,
    match: np.ndarray,
    totals: np.ndarray,
    first_game: int,
    outcomes: np.ndarray,
    long_lanes: bool = False,
) -> None:
    long = (
        one_record(SOLO_STATE),
        match,
        totals,
        new_log(SOLO_LOG),
        new_search(SOLO_SEARCH),
        first_game,
        outcomes,
    )
    if long_lanes or policy.number == PLANNING:  # which plans with records of the one kind only
        play_solo_games(*long)
    else:
        short = (one_record(SHORT_SOLO_STATE), new_log(SHORT_SOLO_LOG), one_record(TOTALS))
        play_most_with_short_lanes(*short, *long)


def solo_kernels(policies: Iterable[Policy], stepwise: bool = False) -> list[str]:
    """Return the names of the kernels that play these policies (jit.is_cached), or show their games step by step."""
    kernels = {True: "solo.play_solo_games", False: "solo.play_most_with_short_lanes"}
    return [kernels[long] for long in {stepwise or policy.number == PLANNING for policy in policies}]


def compile_solo_core(policies: Iterable[Policy], stepwise: bool = False) -> None:
    """Compile these kernels, or load them from disk: some seconds at most once in a process."""
    for policy in {policy.number == PLANNING: policy for policy in policies}.values():
        _play(policy, one_record(MATCH), one_record(TOTALS), 0, np.zeros(0, SOLO_OUTCOME), stepwise)


def solo_group(deck: str) -> str:
    """Return the random-number group of all solo games of a player's deck, by its name: one for all drafters (R42)."""
    return json.dumps(["solo", DRAFT if is_draft(deck) else deck])
