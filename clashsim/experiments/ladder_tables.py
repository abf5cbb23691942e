"""The tables of a ladder of policies: ratings, every pair of policies, and every pair on every pair of decks.

All pairs of decks weigh alike, as they get equally many games; the strata of an interval are the pairs of decks and
who starts.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from clashsim.analysis.intervals import (
    Interval,
    bonferroni,
    mean_interval,
    mean_of_intervals,
    rate_interval,
    score_interval,
)
from clashsim.analysis.precision import CONFIDENCE
from clashsim.analysis.ratings import Ratings, elo_ratings
from clashsim.clash.duels import Duel
from clashsim.experiments.matchup_tables import DREW, LOST, STALLED, WON, Row, estimate, rounded
from clashsim.running import Tally

YES, UNDECIDED, NO = "yes", "undecided", "no"

LADDER_COLUMNS = (
    *("policy", "opponents", "games", "score", "score_low", "score_high", "elo", "elo_low", "elo_high"),
    *("below", "score_below", "score_below_low", "score_below_high", "beats_below", "comparisons"),
    *("draw_rate", "draw_rate_low", "draw_rate_high", "stalled"),
    *("fit_chi2", "fit_df", "fit_p", "fit_miss"),
)


class Meeting(NamedTuple):
    """The games of one policy against another.

    Attributes
    ----------
    decks : list of tuple of two str
        Names of the decks that the two play.
    results : ndarray of int, shape (pairs of decks, 2, 3)
        By pair of decks and starter: games that the first policy won, drew, lost.
    turns : ndarray of int
        Games by their number of turns.
    """

    decks: list[tuple[str, str]]
    results: np.ndarray
    turns: np.ndarray

    @property
    def strata(self) -> np.ndarray:
        """The results with pairs of decks and starters as strata, shape (strata, 3)."""
        return self.results.reshape(-1, 3)

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.results.sum())

    def score(self, comparisons: int = 1) -> Interval:
        """Return the first policy's score, with limits that hold together with those of other comparisons."""
        return score_of(self.strata, comparisons)

    def turned(self) -> "Meeting":
        """Return the same games seen from the other policy; pairs of decks keep their places."""
        return Meeting([(b, a) for a, b in self.decks], self.results[..., ::-1], self.turns)


Meetings = Mapping[tuple[str, str], Meeting]


def meetings_of(duels: Sequence[Duel], tallies: Sequence[Tally]) -> dict[tuple[str, str], Meeting]:
    """Collect the games of every pair of policies, seen from both of them."""
    found: dict[tuple[str, str], list[tuple[Duel, Tally]]] = {}
    for duel, tally in zip(duels, tallies, strict=True):
        found.setdefault((duel.policies[0].name, duel.policies[1].name), []).append((duel, tally))
    meetings = {}
    for (one, other), games in found.items():
        meetings[one, other] = Meeting(
            [(duel.decks[0].name, duel.decks[1].name) for duel, _ in games],
            np.array([tally["results"] for _, tally in games], np.int64),
            np.sum([tally["turns"] for _, tally in games], axis=(0, 1)),
        )
        meetings[other, one] = meetings[one, other].turned()
    return meetings


def ladder_table(policies: Sequence[str], meetings: Meetings) -> pd.DataFrame:
    """Return one row per policy, the strongest first: its rating, and whether it beats the one below."""
    ratings = _ratings(policies, meetings)
    ranked = [policies[place] for place in np.argsort(-ratings.elo, kind="stable")]
    comparisons = len(meetings) // 2
    rows = []
    for policy, below in zip(ranked, [*ranked[1:], None], strict=True):
        found = [meetings[policy, other] for other in policies if other != policy]
        place = policies.index(policy)
        draws = sum(meeting.strata for meeting in found)
        rows.append(
            {"policy": policy, "opponents": len(found), "games": sum(meeting.games for meeting in found)}
            | estimate(_mean([meeting.score() for meeting in found]), "score")
            | _limits("elo", ratings.elo[place], ratings.low[place], ratings.high[place])
            | _rung(None if below is None else meetings[policy, below], below, comparisons)
            | {"comparisons": comparisons}
            | _draws(np.asarray(draws))
            | {"fit_chi2": rounded(ratings.fit.chi2), "fit_df": ratings.fit.df}
            | {"fit_p": rounded(ratings.fit.p) if ratings.fit.df else np.nan}
            | {"fit_miss": rounded(ratings.fit.miss)}
        )
    return pd.DataFrame(rows, columns=LADDER_COLUMNS)


def pairs_table(ranked: Sequence[str], meetings: Meetings) -> pd.DataFrame:
    """Return one row per ordered pair of policies: the games, scores and lengths over all pairs of decks."""
    comparisons = len(meetings) // 2
    rows = []
    for one in ranked:
        for other in ranked:
            if one == other:
                continue
            meeting = meetings[one, other]
            together = meeting.score(comparisons)
            games = meeting.strata.sum(axis=1)
            rows.append(
                {"policy_a": one, "policy_b": other}
                | _counts(meeting.strata)
                | estimate(meeting.score(), "score_a", "score")
                | {"score_low_all": rounded(together.low), "score_high_all": rounded(together.high)}
                | {"comparisons": comparisons}
                | estimate(rate_interval(meeting.strata[:, WON], games, CONFIDENCE), "win_rate_a", "win_rate")
                | _draws(meeting.strata)
                | _length(meeting.turns)
                | {"derived": ranked.index(one) > ranked.index(other)}
            )
    return pd.DataFrame(rows)


def by_decks_table(ranked: Sequence[str], meetings: Meetings) -> pd.DataFrame:
    """Return one row per pair of policies, the stronger as A, and ordered pair of decks.

    Column `score_both` is the mean of a row and the one with the decks exchanged: what the policies make of two decks,
    apart from which of the decks is the better one.
    """
    rows = []
    for place, one in enumerate(ranked):
        for other in ranked[place + 1 :]:
            meeting = meetings[one, other]
            found = dict(zip(meeting.decks, meeting.results, strict=True))
            for decks in sorted(found, key=_in_order_of(meeting.decks)):
                results = found[decks]
                both = results if decks[0] == decks[1] else np.concatenate([results, found[decks[::-1]]])
                rows.append(
                    {"policy_a": one, "policy_b": other, "deck_a": decks[0], "deck_b": decks[1]}
                    | _counts(results)
                    | estimate(score_of(results), "score_a", "score")
                    | estimate(score_of(both), "score_both")
                    | _draws(results)
                )
    return pd.DataFrame(rows)


def score_of(strata: np.ndarray, comparisons: int = 1) -> Interval:
    """Return the score in games counted by stratum, shape (strata, 3)."""
    confidence = bonferroni(CONFIDENCE, comparisons)
    return score_interval(strata[:, WON], strata[:, DREW], strata[:, LOST], confidence)


def _ratings(policies: Sequence[str], meetings: Meetings) -> Ratings:
    pairs = [(i, j) for i in range(len(policies)) for j in range(i + 1, len(policies))]
    results = [meetings[policies[i], policies[j]].strata for i, j in pairs]
    return elo_ratings(pairs, results, policies)


def _rung(meeting: Meeting | None, below: str | None, comparisons: int) -> Row:
    """Return how a policy scores against the one below, and whether it surely beats it, with all pairs at once."""
    if meeting is None:
        names = ("score_below", "score_below_low", "score_below_high")
        return {"below": ""} | dict.fromkeys(names, np.nan) | {"beats_below": ""}
    together = meeting.score(comparisons)
    sure = YES if rounded(together.low) > 0.5 else NO if rounded(together.high) < 0.5 else UNDECIDED
    return {"below": below} | estimate(meeting.score(), "score_below") | {"beats_below": sure}


def _in_order_of(decks: Sequence[tuple[str, str]]):
    names = list(dict.fromkeys(name for pair in decks for name in pair))
    return lambda pair: (names.index(pair[0]), names.index(pair[1]))


def _counts(strata: np.ndarray) -> Row:
    wins, draws, losses = (int(count) for count in strata.sum(axis=0))
    return {"games": wins + draws + losses, "wins_a": wins, "wins_b": losses, "draws": draws}


def _draws(strata: np.ndarray) -> Row:
    rate = estimate(rate_interval(strata[:, DREW], strata.sum(axis=1), CONFIDENCE), "draw_rate")
    return rate | {"stalled": rate["draw_rate"] > STALLED}


def _length(turns: np.ndarray) -> Row:
    values = np.arange(len(turns))
    mean = mean_interval((turns * values).sum(), (turns * values**2).sum(), turns.sum(), CONFIDENCE)
    return estimate(mean._replace(low=np.maximum(mean.low, 1)), "turns_mean")


def _mean(intervals: Sequence[Interval]) -> Interval:
    return mean_of_intervals(Interval(*(np.array(values) for values in zip(*intervals, strict=True))))


def _limits(name: str, value: float, low: float, high: float) -> Row:
    return {name: rounded(value), f"{name}_low": rounded(low), f"{name}_high": rounded(high)}
