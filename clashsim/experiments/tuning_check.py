"""The check of weights that were found: do they beat the old ones in games that the search has not seen?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from clashsim.clash.cards import Deck
from clashsim.clash.duels import Duel
from clashsim.clash.policies import POLICIES, Policy
from clashsim.clash.rules import Rules
from clashsim.experiments.ladder import lay_out
from clashsim.experiments.ladder_tables import meetings_of
from clashsim.experiments.matchup_tables import Row, estimate
from clashsim.experiments.result import Findings, Section
from clashsim.running import Progress, Simulate, run

OLD, NEW = "old", "new"
GUARD = "greedy"
"""Weights that only learn to beat their own kind lose against others: the check plays this one, too."""


@dataclass(frozen=True)
class Tuned:
    """What a search found.

    Attributes
    ----------
    weights : tuple of float
        Rounded as they are written.
    check : DataFrame
        Scores in games with fresh shuffles: new against old weights, and both against `GUARD`.
    """

    weights: tuple[float, ...]
    check: pd.DataFrame

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The table of the check by name."""
        return {"check": self.check}

    def findings(self) -> Findings:
        """Return the check's table as people read it."""
        section = Section(
            heading="Policy against policy",
            sentences=["Over all ordered pairs of decks, in games that the search has not seen."],
            table=self.check,
            columns={"policy_a": "text", "policy_b": "text", "score_a": "interval", "games": "count"},
        )
        question = "Do the new weights beat the old ones?"
        return Findings("Check of the new weights", question, answer=[], sections=[section])

    @property
    def is_better(self) -> bool:
        """Whether the new weights surely beat the old ones."""
        return bool(self.check["score_low"].iloc[0] > 0.5)


def with_weights(policy: Policy, name: str, weights: Sequence[float]) -> Policy:
    """Return a policy with other weights, and a name that tells them apart."""
    return replace(policy, name=name, weights=tuple(map(float, weights)))


def lay_out_check(
    policy: Policy, weights: Sequence[float], decks: Sequence[Deck], rules: Rules, seed: int, games: int
) -> tuple[list[Duel], pd.DataFrame]:
    """Return the conditions of the check, those of old against new weights last, and its plan; see `ladder.lay_out`."""
    players = [
        POLICIES[GUARD],
        with_weights(policy, OLD, policy.weights),
        with_weights(policy, NEW, weights),
    ]
    return lay_out(players, decks, rules, seed, games)


def simulator(duels: Sequence[Duel]) -> Simulate:
    """Return what plays the games of a plan whose column `condition` numbers some duels."""
    return lambda condition, first_game, n_games: duels[condition["condition"]].tally(first_game, n_games)


def check_table(
    duels: Sequence[Duel], plan: pd.DataFrame, jobs: int | None, progress: Progress | None
) -> pd.DataFrame:
    """Play the check and return its scores, that of the new weights against the old ones first."""
    tallies = run(plan, simulator(duels), jobs=jobs, progress=progress)
    meetings = meetings_of(duels, tallies)
    rows: list[Row] = []
    for one, other in ((NEW, OLD), (NEW, GUARD), (OLD, GUARD)):
        meeting = meetings[one, other]
        score = estimate(meeting.score(), "score_a", "score")
        rows.append({"policy_a": one, "policy_b": other, "games": meeting.games} | score)
    return pd.DataFrame(rows)
