"""Weights for duels: candidates play the old weights and the mean of the search, over all pairs of decks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from clashsim.clash.cards import Deck
from clashsim.clash.duels import Duel, compile_core, pairing_group
from clashsim.clash.policies import POLICIES, Policy
from clashsim.clash.rules import Rules
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.ladder import lay_out
from clashsim.experiments.ladder_tables import Meeting, meetings_of
from clashsim.experiments.matchup_tables import Row, estimate
from clashsim.experiments.result import Section
from clashsim.experiments.tuning_contest import NEW, OLD, CheckPlan, Tuned, scales_of
from clashsim.experiments.words import interval
from clashsim.running import Tally

GUARD = "greedy"
"""Weights that only learn to beat their own kind lose against others: the check plays this one, too."""

_OPPONENTS = 2  # the old weights, and the mean of the search


@dataclass(frozen=True)
class DuelContest:
    """Duels of a search for weights; see `tuning_contest.Contest`.

    Attributes
    ----------
    policy : Policy
        With the weights to start from.
    decks : sequence of Deck
    rules : Rules
    seed : int
    games : int
        Per evaluation, opponent and ordered pair of decks.
    check_games : int
        Of each pair of policies in the check.
    check_seed : int
    """

    policy: Policy
    decks: Sequence[Deck]
    rules: Rules
    seed: int
    games: int
    check_games: int
    check_seed: int

    solo = False
    measure = "score against the old weights"
    about = ("half against the old weights and half against the mean of the search.",)

    @classmethod
    def of(
        cls,
        policy: Policy,
        decks: Sequence[Deck],
        rules: Rules,
        seeds: tuple[int, int],
        games: int,
        check: int,
    ) -> "DuelContest":
        """Return the duels of a search with these numbers of games, rounded up; `seeds` are its own and the check's."""
        return cls(
            policy,
            decks,
            rules,
            seeds[0],
            arguments.per_pair_of_decks(-(-games // _OPPONENTS), decks),
            arguments.per_pair_of_decks(check, decks) * len(decks) ** 2,
            seeds[1],
        )

    @property
    def start(self) -> tuple[float, ...]:
        """The weights to start from, and to beat."""
        return self.policy.weights

    @property
    def scales(self) -> np.ndarray:
        """The sizes of sensible changes of the weights: about their own."""
        return scales_of(self.start)

    @property
    def searched(self) -> Sequence[int]:
        """All weights."""
        return range(len(self.start))

    @property
    def games_per_evaluation(self) -> int:
        """Games of a candidate."""
        return _OPPONENTS * len(self.decks) ** 2 * self.games

    @property
    def head(self) -> dict[str, Any]:
        """Nothing that solo games do not have as well."""
        return {}

    def compile(self) -> None:
        """Compile the core of duels, or load it from disk."""
        compile_core()

    def evaluate(self, weights: Sequence[float], mean: Sequence[float], generation: int) -> list:
        """Return how many games a candidate wins, draws and loses, against each of its opponents."""
        candidate = self.policy.with_weights(NEW, weights)
        opponents = [self.policy.with_weights(OLD, self.start), self.policy.with_weights("mean", mean)]
        return [self.play(candidate, opponent, generation * self.games) for opponent in opponents]

    def play(self, policy: Policy, opponent: Policy, first_game: int) -> list[int]:
        """Return how many games a policy wins, draws and loses, over all ordered pairs of decks."""
        total = np.zeros(3, np.int64)
        for pair in product(self.decks, self.decks):
            duel = Duel(pair, (policy, opponent), self.rules, self.seed, pairing_group(*pair))
            total += duel.tally(first_game, self.games)["results"].sum(axis=0)
        return total.tolist()

    def worth(self, found: list) -> float:
        """Return the score against both opponents."""
        return _score(np.sum(found, axis=0))

    def shown(self, found: list) -> float:
        """Return the score against the old weights."""
        return _score(found[0])

    def lay_out_check(self, weights: Sequence[float]) -> CheckPlan:
        """Let `GUARD`, the old and the new weights play each other, those of old against new last."""
        players = [
            POLICIES[GUARD],
            self.policy.with_weights(OLD, self.start),
            self.policy.with_weights(NEW, weights),
        ]
        duels, plan = lay_out(players, self.decks, self.rules, self.check_seed, self.check_games)
        kinds = (plan["policy_a"] + plan["policy_b"]).tolist()
        return CheckPlan(duels, plan, kinds, slice(-(len(self.decks) ** 2), None))

    def judge(self, weights: tuple[float, ...], check: CheckPlan, tallies: Sequence[Tally]) -> Tuned:
        """Say whether the new weights surely beat the old ones, and how both fare against `GUARD`."""
        duels = [duel for duel in check.conditions if isinstance(duel, Duel)]
        return judged(weights, _check_table(meetings_of(duels, tallies)))


def judged(weights: tuple[float, ...], check: pd.DataFrame) -> Tuned:
    """Return what a table of scores says of new weights: its first row is that of new against old."""
    row, better = check.iloc[0], bool(check["score_low"].iloc[0] > 0.5)
    told = f"{interval(row, 'score_a', 'score')} in {row['games']:,} games with fresh shuffles"
    surely = "surely beat" if better else "do not surely beat"
    section = Section(
        heading="Policy against policy",
        sentences=["Over all ordered pairs of decks, in games that the search has not seen."],
        table=check,
        columns={"policy_a": "text", "policy_b": "text", "score_a": "interval", "games": "count"},
    )
    verdict = f"The new weights {surely} the old ones: they score {told}."
    return Tuned(weights, check, better, verdict, _guard_sentence(check), section)


def _guard_sentence(check: pd.DataFrame) -> str:
    """Say how new and old weights fare against another policy."""
    rows = {name: check[(check["policy_a"] == name) & (check["policy_b"] == GUARD)] for name in (NEW, OLD)}
    if any(found.empty for found in rows.values()):
        return ""
    new, old = (interval(rows[name].iloc[0], "score_a", "score") for name in (NEW, OLD))
    return f"Against {GUARD} the new ones score {new}, the old ones {old}."


def _check_table(meetings: dict[tuple[str, str], Meeting]) -> pd.DataFrame:
    """Return the scores, that of the new weights against the old ones first."""
    rows: list[Row] = []
    for one, other in ((NEW, OLD), (NEW, GUARD), (OLD, GUARD)):
        meeting = meetings[one, other]
        score = estimate(meeting.score(), "score_a", "score")
        rows.append({"policy_a": one, "policy_b": other, "games": meeting.games} | score)
    return pd.DataFrame(rows)


def _score(counts: Sequence[int] | np.ndarray) -> float:
    wins, draws, losses = map(int, counts)
    return (wins + draws / 2) / (wins + draws + losses)
