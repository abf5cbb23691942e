"""Who beats whom: the tables of scores of a run of matchups, made from its tallies.

Rates are rounded as they are computed, so that what is derived from them (the other side's score is one minus
this side's) agrees with them in the files as well.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from clashsim.analysis.intervals import (
    Interval,
    bonferroni,
    distance,
    histogram_quantile,
    mean_interval,
    mean_of_intervals,
    rate_interval,
    verdict,
)
from clashsim.analysis.precision import CONFIDENCE, Target
from clashsim.clash.duels import Duel
from clashsim.running import Tally

DIGITS = 6
_GRID = 2.0**53
STALLED = 0.05  # more draws than this share are called stalled
MIRROR = "mirror"
ALL = "ALL"  # instead of a deck's name: the mean over all pairings

METHOD = (
    "95 % intervals: Wilson on the effective number of games, stratified by who starts; "
    "verdicts: intervals made simultaneous over the comparisons of the table (Bonferroni), band 47.5-52.5 %"
)

SEQUENCE_METHOD = (
    "95 % limits of scores: confidence sequences (normal mixture), which hold wherever a run stops, stratified by who "
    "starts; other intervals: Wilson, for a fixed number of games; verdicts: sequences made simultaneous over the "
    "comparisons of the table (Bonferroni), band 47.5-52.5 %"
)

FIXED = Target()  # every condition gets all its games
ALL_GAMES = "games"  # why a condition stopped: its games were all played

Row = dict[str, Any]
WON, DREW, LOST = range(3)
_SWAPPED = {"deck_a": "deck_b", "policy_a": "policy_b", "wins_a": "wins_b"}
_SWAPPED |= {other: one for one, other in _SWAPPED.items()}


def matchup_table(duels: Sequence[Duel], tallies: Sequence[Tally], target: Target = FIXED) -> pd.DataFrame:
    """Return one row per ordered pair of decks, the pairs of equal policies completed by their mirror images.

    The limits of scores are those that hold where `target` stops the games.
    """
    comparisons = comparisons_of(duels)
    rows = []
    for duel, tally in zip(duels, tallies, strict=True):
        row = (
            _mirror_row(duel, tally, target)
            if is_mirror(duel)
            else _matchup_row(duel, tally, comparisons, target)
        )
        reason = target.reason(judged_results(duel, tally), comparisons, even=is_mirror(duel))
        rows.append(row | {"comparisons": comparisons, "stopped": reason or ALL_GAMES, "derived": False})
        if duel.policies[0] == duel.policies[1] and not is_mirror(duel):
            rows.append(_seen_from_b(rows[-1], tally["results"]))
    order = list(dict.fromkeys(deck.name for duel in duels for deck in duel.decks))
    rows.sort(key=lambda row: (order.index(row["deck_a"]), order.index(row["deck_b"])))
    return pd.DataFrame(rows)


def pool_table(duels: Sequence[Duel], tallies: Sequence[Tally], target: Target = FIXED) -> pd.DataFrame:
    """Return each deck's mean score over its opponents, the best first; mirrors do not count."""
    scores: dict[tuple[str, str, str], list[Interval]] = {}
    games: dict[tuple[str, str, str], int] = {}
    for duel, tally in zip(duels, tallies, strict=True):
        if is_mirror(duel):
            continue
        score = target.interval(tally["results"])
        for side, seen in enumerate((score, _one_minus(score))):
            key = (duel.decks[side].name, duel.policies[side].name, duel.policies[1 - side].name)
            scores.setdefault(key, []).append(seen)
            games[key] = games.get(key, 0) + int(tally["results"].sum())
    rows: list[Row] = [
        dict(zip(("deck", "policy", "vs_policy"), key, strict=True))
        | {"opponents": len(found), "games": games[key]}
        | estimate(mean_of_intervals(_stacked(found)), "score")
        for key, found in scores.items()
    ]
    rows.sort(key=lambda row: -row["score"])
    columns = ["deck", "policy", "vs_policy", "opponents", "games", "score", "score_low", "score_high"]
    return pd.DataFrame(rows, columns=columns)


def first_player_table(
    duels: Sequence[Duel], tallies: Sequence[Tally], target: Target = FIXED
) -> pd.DataFrame:
    """Return what going first is worth, per pairing that was played, and in the last row the mean over them
    with its range.

    The advantage is the first player's score minus 1/2.
    """
    found = [target.interval(starter_results(tally)) for tally in tallies]
    rows = [
        names_of(duel) | _starter_counts(tally) | advantage_columns(score)
        for duel, tally, score in zip(duels, tallies, found, strict=True)
    ]
    for row in rows:
        row |= {"advantage_least": row["advantage"], "advantage_most": row["advantage"]}
    advantages = [row["advantage"] for row in rows]
    names = rows[0] | {"deck_a": ALL, "deck_b": ALL}
    totals = {
        name: sum(row[name] for row in rows) for name in ("games", "wins_first", "wins_second", "draws")
    }
    spread = {"advantage_least": min(advantages), "advantage_most": max(advantages)}
    rows.append(names | totals | advantage_columns(mean_of_intervals(_stacked(found))) | spread)
    return pd.DataFrame(rows)


def is_mirror(duel: Duel) -> bool:
    """Tell whether both sides are the same deck and policy: even by definition."""
    return duel.decks[0] == duel.decks[1] and duel.policies[0] == duel.policies[1]


def starter_results(tally: Tally) -> np.ndarray:
    """Return the games by starter and by how they ended for the starter: counts (2, 3) of won, drew, lost."""
    results = tally["results"]
    return np.stack([results[0], results[1, ::-1]])


def judged_results(duel: Duel, tally: Tally) -> np.ndarray:
    """Return the counts (strata, 3) on which it depends whether a condition may stop: in a mirror the starter's."""
    if is_mirror(duel):  # the sides are exchangeable, so who is A is no stratum
        return starter_results(tally).sum(axis=0, keepdims=True)
    return tally["results"]


def comparisons_of(duels: Sequence[Duel]) -> int:
    """Return over how many comparisons the verdicts hold together: mirrors have none."""
    return sum(not is_mirror(duel) for duel in duels)


def names_of(duel: Duel) -> Row:
    """Return who plays whom."""
    (deck_a, deck_b), (policy_a, policy_b) = duel.decks, duel.policies
    names = {"deck_a": deck_a.name, "deck_b": deck_b.name}
    return names | {"policy_a": policy_a.name, "policy_b": policy_b.name}


def estimate(interval: Interval, name: str, limits: str = "") -> Row:
    """Return an estimate and its limits as three columns; the limits are named after `limits`, by default `name`."""
    limits = limits or name
    return {
        name: rounded(interval.value),
        f"{limits}_low": rounded(interval.low),
        f"{limits}_high": rounded(interval.high),
    }


def rounded(value: Any) -> float:
    """Round as it will be written, to a multiple of 2**-53: for those between 0 and 1, 1 - (1 - x) is x. nan stays."""
    if np.isnan(value):
        return float("nan")
    return round(round(float(value), DIGITS) * _GRID) / _GRID


def score_columns(results: np.ndarray, together: Interval, target: Target = FIXED) -> Row:
    """Return what games (2, 3), by starter and by how they ended for side A, say of its score.

    `together` is the score with limits that hold for all comparisons of the table.
    """
    return (
        _counts(results)
        | estimate(target.interval(results), "score_a", "score")
        | {"score_low_all": rounded(together.low), "score_high_all": rounded(together.high)}
        | estimate(rate_interval(results[:, WON], results.sum(axis=1), CONFIDENCE), "win_rate_a", "win_rate")
        | _draw_rate(results)
        | estimate(target.interval(results[:1]), "score_a_first")
        | estimate(target.interval(results[1:]), "score_a_second")
    )


def verdict_columns(score: Interval, together: Interval) -> Row:
    """Return the verdict on a score, read off the limits that hold together, and its distance from what is fair."""
    return {"verdict": str(verdict(together.low, together.high)), "distance": rounded(distance(score.value))}


def _matchup_row(duel: Duel, tally: Tally, comparisons: int, target: Target) -> Row:
    results = tally["results"]
    together = target.interval(results, bonferroni(CONFIDENCE, comparisons))
    return (
        names_of(duel)
        | score_columns(results, together, target)
        | _lengths(tally)
        | verdict_columns(target.interval(results), together)
    )


def _mirror_row(duel: Duel, tally: Tally, target: Target) -> Row:
    """Return a mirror's row: the sides are exchangeable, so every game counts from both of them."""
    half = {"score_a": 0.5, "score_low": 0.5, "score_high": 0.5, "score_low_all": 0.5, "score_high_all": 0.5}
    draws = _draw_rate(tally["results"])
    wins = {
        "win_rate_a": rounded((1 - draws["draw_rate"]) / 2),
        "win_rate_low": rounded((1 - draws["draw_rate_high"]) / 2),
        "win_rate_high": rounded((1 - draws["draw_rate_low"]) / 2),
    }
    first = target.interval(judged_results(duel, tally))
    return (
        names_of(duel)
        | _counts(tally["results"])
        | half
        | wins
        | draws
        | estimate(first, "score_a_first")
        | estimate(_one_minus(first), "score_a_second")
        | _lengths(tally)
        | {"verdict": MIRROR, "distance": 0.0}
    )


def _seen_from_b(row: Row, results: np.ndarray) -> Row:
    """Return the row of the same games from side B: every rate of a score is one minus that of side A, exactly."""
    seen = {_SWAPPED.get(name, name): value for name, value in row.items()}
    seen = {name: seen[name] for name in row}
    for name, low, high in (
        ("score_a", "score_low", "score_high"),
        ("score_a", "score_low_all", "score_high_all"),
    ):
        seen |= {name: 1 - row[name], low: 1 - row[high], high: 1 - row[low]}
    for name, other in (("score_a_first", "score_a_second"), ("score_a_second", "score_a_first")):
        seen[name] = 1 - row[other]
        seen[f"{name}_low"], seen[f"{name}_high"] = 1 - row[f"{other}_high"], 1 - row[f"{other}_low"]
    wins = rate_interval(results[:, LOST], results.sum(axis=1), CONFIDENCE)
    return seen | estimate(wins, "win_rate_a", "win_rate") | {"distance": -row["distance"], "derived": True}


def _counts(results: np.ndarray) -> Row:
    wins, draws, losses = (int(count) for count in results.sum(axis=0))
    return {"games": wins + draws + losses, "wins_a": wins, "wins_b": losses, "draws": draws}


def _starter_counts(tally: Tally) -> Row:
    wins, draws, losses = (int(count) for count in starter_results(tally).sum(axis=0))
    return {"games": wins + draws + losses, "wins_first": wins, "wins_second": losses, "draws": draws}


def _draw_rate(results: np.ndarray) -> Row:
    rate = estimate(rate_interval(results[:, DREW], results.sum(axis=1), CONFIDENCE), "draw_rate")
    return rate | {"stalled": rate["draw_rate"] > STALLED}


def _lengths(tally: Tally) -> Row:
    turns = tally["turns"].sum(axis=0)
    values = np.arange(len(turns))
    mean = mean_interval((turns * values).sum(), (turns * values**2).sum(), turns.sum(), CONFIDENCE)
    mean = mean._replace(low=np.maximum(mean.low, 1))  # a game has at least one turn
    return estimate(mean, "turns_mean") | {"turns_median": float(histogram_quantile(turns, 0.5))}


def advantage_columns(score: Interval) -> Row:
    """Return the score of whoever starts, and what going first is worth."""
    ahead = Interval(score.value - 0.5, score.low - 0.5, score.high - 0.5, score.games)
    return estimate(score, "score_first") | estimate(ahead, "advantage")


def _one_minus(score: Interval) -> Interval:
    return Interval(1 - score.value, 1 - score.high, 1 - score.low, score.games)


def _stacked(intervals: Sequence[Interval]) -> Interval:
    return Interval(*(np.array(values, np.float64) for values in zip(*intervals, strict=True)))
