"""Weights for solo games: candidates play all decks against the AI, under settings from all over the price list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import jackknife, leave_one_out, share_limits
from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.policies import Policy
from clashsim.clash.policies.lookahead.features import FEATURES
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import SoloSettings
from clashsim.clash.solos import BLOCKS, Solo, compile_solo_core
from clashsim.experiments.matchup_tables import ALL, WON, Row, rounded
from clashsim.experiments.result import Section
from clashsim.experiments.tuning_contest import NEW, OLD, CheckPlan, Tuned, scales_of
from clashsim.experiments.words import points
from clashsim.running import Tally

SPREAD = (
    SoloSettings(),
    SoloSettings(fixed=7, ability="splash"),
    SoloSettings(variable=2, bastion=False, ability="rage"),
    SoloSettings(bastion=False, resistance=True, ability="protection"),
    SoloSettings(fixed=9, bastion=False, ability="berserk"),
    SoloSettings(fixed=8, first="ai", ability="perforation"),
    SoloSettings(variable=2, fixed=7, first="ai"),
    SoloSettings(fixed=10, bastion=False, resistance=True),
)
"""What the games of a search are played under: every value of every option is there, and 0 to 5 points (R38)."""

CARD_WORTH = 0.01
"""What a card that the AI still has to lose is worth, in games won: wins alone are too coarse to tell candidates
apart, and the cards left show how close a lost game was."""

_IDLE = len(FEATURES) + list(FEATURES).index("hand")
"""Place of the weight of the AI's hand, which it has not."""


@dataclass(frozen=True)
class SoloContest:
    """Solo games of a search for weights; see `tuning_contest.Contest`.

    Attributes
    ----------
    policy : Policy
        With the weights to start from.
    decks : sequence of Deck
    rules : Rules
    seed : int
    cards : CardSet
        The AI has those that are not in the deck.
    games : int
        Per evaluation, deck and setting of `SPREAD`.
    check_games : int
        Of new, and of old, weights in the check.
    check_seed : int
    """

    policy: Policy
    decks: Sequence[Deck]
    rules: Rules
    seed: int
    cards: CardSet
    games: int
    check_games: int
    check_seed: int

    solo = True
    measure = "games won"

    @classmethod
    def of(
        cls,
        policy: Policy,
        decks: Sequence[Deck],
        rules: Rules,
        seeds: tuple[int, int],
        cards: CardSet,
        games: int,
        check: int,
    ) -> "SoloContest":
        """Return the solo games of a search with these numbers of games, rounded up.

        `seeds` are its own and the check's. Every block of game numbers of the check has equally many games.
        """
        conditions = len(decks) * len(SPREAD)
        check_games = -(-check // (conditions * BLOCKS)) * conditions * BLOCKS
        contest = cls(policy, decks, rules, seeds[0], cards, -(-games // conditions), check_games, seeds[1])
        contest._solos(policy)  # refuses card sets that are too small or too large
        return contest

    @property
    def start(self) -> tuple[float, ...]:
        """The weights to start from, and to beat."""
        weights = list(self.policy.weights_in(solo=True))
        weights[_IDLE] = 0.0
        return tuple(weights)

    @property
    def scales(self) -> np.ndarray:
        """The sizes of sensible changes of the weights: their own, or that of all if it is smaller.

        Small weights may become large ones: those of duels, where a search begins, tell little about solo games.
        """
        return np.maximum(scales_of(self.start), np.abs(self.start).mean())

    @property
    def searched(self) -> Sequence[int]:
        """All weights but that of what the AI never has."""
        return [place for place in range(len(self.start)) if place != _IDLE]

    @property
    def games_per_evaluation(self) -> int:
        """Games of a candidate."""
        return len(self.decks) * len(SPREAD) * self.games

    @property
    def about(self) -> Sequence[str]:
        """Lines on what a candidate plays, for the file of the weights."""
        return [
            f"solo, for the share won less {CARD_WORTH:g} per card that the AI still has to lose; settings:",
            *(f"- {settings} ({settings.points()} points)" for settings in SPREAD),
        ]

    @property
    def head(self) -> dict[str, Any]:
        """What candidates are measured in, and by."""
        return {"settings": [settings.as_dict() for settings in SPREAD], "card_worth": CARD_WORTH}

    def compile(self) -> None:
        """Compile the core of solo games, or load it from disk."""
        compile_solo_core([self.policy])

    def evaluate(self, weights: Sequence[float], mean: Sequence[float], generation: int) -> list:
        """Return how many games a candidate wins, draws and loses, and the cards that the AI still had to lose."""
        total = np.zeros(4, np.int64)
        solos = self._solos(self.policy.with_weights(NEW, weights))
        for place, solo in enumerate(solos):
            setting = place % len(SPREAD)  # each has games of its own: more shuffles
            first = (generation * len(SPREAD) + setting) * self.games
            tally = solo.tally(first, self.games)
            total += [*tally["results"].sum(axis=0), tally["to_go_by_block"].sum()]
        return total.tolist()

    def worth(self, found: list) -> float:
        """Return the share of games won, less something for the cards that the AI still had to lose."""
        *results, cards_to_go = found
        return self.shown(found) - CARD_WORTH * cards_to_go / sum(results)

    def shown(self, found: list) -> float:
        """Return the share of games won."""
        return found[WON] / sum(found[:3])

    def lay_out_check(self, weights: Sequence[float]) -> CheckPlan:
        """Let the old and the new weights play the same games."""
        solos = [
            solo
            for name, some in ((OLD, self.start), (NEW, weights))
            for solo in self._solos(self.policy.with_weights(name, some), self.check_seed)
        ]
        plan = pd.DataFrame({"condition": range(len(solos)), "games": 2 * self.check_games // len(solos)})
        return CheckPlan(solos, plan, [solo.deck_name for solo in solos], slice(None))

    def judge(self, weights: tuple[float, ...], check: CheckPlan, tallies: Sequence[Tally]) -> Tuned:
        """Say whether the new weights surely win more of the same games than the old ones."""
        wins = np.stack([tally["results"][:, WON] for tally in tallies])
        names = [deck.name for deck in self.decks]
        return judged(
            weights, check_table(names, wins.reshape(2, len(names), len(SPREAD), BLOCKS), self.check_games)
        )

    def _solos(self, policy: Policy, seed: int | None = None) -> list[Solo]:
        """Return the games of a policy with every deck under every setting."""
        seed = self.seed if seed is None else seed
        return [
            Solo(self.cards, deck, policy, settings, self.rules, seed)
            for deck in self.decks
            for settings in SPREAD
        ]


def check_table(decks: Sequence[str], wins: np.ndarray, games: int) -> pd.DataFrame:
    """Return the win rates with old and new weights and their difference, of all decks together and of each.

    Parameters
    ----------
    decks : sequence of str
    wins : array of int, shape (2, decks, settings, blocks)
        With the old weights and with the new ones, by block of game numbers: the same games.
    games : int
        Of old, and of new, weights in all.

    Notes
    -----
    Intervals are those of a jackknife over the blocks: the shuffles of a game are the same under all settings.
    """
    scopes = {ALL: wins.sum(axis=1), **dict(zip(decks, np.moveaxis(wins, 1, 0), strict=True))}
    of_deck = games // len(decks)
    return pd.DataFrame(
        {"deck": deck} | _compare(counts, games if deck == ALL else of_deck)
        for deck, counts in scopes.items()
    )


def _compare(wins: np.ndarray, games: int) -> Row:
    """Return the win rates in so many games, and their difference; `wins` is of shape (2, settings, blocks)."""
    _, settings, blocks = wins.shape
    played = np.array([games, *[games - games // blocks] * blocks])
    rates = leave_one_out(wins.sum(axis=1)) / played[:, np.newaxis]
    shares = jackknife(rates)
    low, high = share_limits(shares, games, games // settings)
    more = jackknife(rates[:, 1] - rates[:, 0])
    row: Row = {"games": games}
    for place, name in ((1, NEW), (0, OLD)):
        row |= _estimate(f"win_rate_{name}", shares.value[place], low[place], high[place])
    return row | _estimate("difference", more.value, *more.limits())


def _estimate(name: str, value: Any, low: Any, high: Any) -> Row:
    return {name: rounded(value), f"{name}_low": rounded(low), f"{name}_high": rounded(high)}


def judged(weights: tuple[float, ...], check: pd.DataFrame) -> Tuned:
    """Return what a table of win rates says of new weights: its first row is that of all decks."""
    row, better = check.iloc[0], bool(check["difference_low"].iloc[0] > 0)
    surely = "surely win more" if better else "do not surely win more"
    limits = " to ".join(f"{100 * row[f'difference_{end}']:+z.1f}" for end in ("low", "high"))
    verdict = (
        f"The new weights {surely} than the old ones: {points(row['difference'])} ({limits}) in the same "
        f"{row['games']:,} games with fresh shuffles."
    )
    of_decks = [f"deck {each['deck']} {points(each['difference'])}" for _, each in check.iloc[1:].iterrows()]
    section = Section(
        heading="The same games with new and old weights",
        sentences=[
            "Under all settings of the search, in games that it has not seen; ALL: all decks together."
        ],
        table=check,
        columns={
            "deck": "text",
            "difference": "points",
            "difference_low": "points",
            "difference_high": "points",
            "win_rate_new": "interval",
            "win_rate_old": "interval",
            "games": "count",
        },
    )
    return Tuned(weights, check, better, verdict, f"Deck by deck: {', '.join(of_decks)}.", section)
