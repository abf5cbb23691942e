"""What a ladder of policies says, in sentences and figures: does every rung beat the one below, at what cost?"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from clashsim.experiments.ladder_tables import NO, UNDECIDED, YES
from clashsim.experiments.ladder_third_parties import third_parties
from clashsim.experiments.matchup_tables import STALLED
from clashsim.experiments.rating_findings import ratings_figure
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.experiments.speed import Speed
from clashsim.experiments.words import interval

MISFIT = 0.01
"""Of a smaller p-value it is said that one number per policy does not describe the results."""

Tables = Mapping[str, pd.DataFrame]
Speeds = Mapping[str, Speed]


def findings(tables: Tables, details: Mapping[str, Any], speeds: Speeds) -> Findings:
    """Return the report of a ladder, from its tables by name, its details and the measured speeds."""
    ladder = tables["ladder"]
    answers = [
        _rungs(ladder),
        _order(ladder, details["policies"]),
        third_parties(tables["pairs"], ladder["policy"].tolist()),
        _hardest(ladder, tables["by_decks"]),
        _speed_sentence(ladder, speeds),
        _stalls(tables["pairs"]),
        _fit(ladder),
    ]
    return Findings(
        title=f"The ladder of {len(ladder)} policies",
        question="Does every rung beat the one below?",
        answer=[sentence for sentence in answers if sentence],
        sections=[
            _ladder_section(ladder, speeds),
            *([_speed_section(ladder, speeds)] if speeds else []),
            _pairs_section(tables["pairs"], ladder["policy"].tolist()),
            _by_decks_section(tables["by_decks"]),
        ],
    )


def plain_speed(speed: float) -> str:
    """Write games per second to three digits: "254,000", "31.4"."""
    rounded = float(f"{speed:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:g}"


def _rungs(ladder: pd.DataFrame) -> str:
    rungs = ladder[ladder["below"] != ""]
    told = [
        f"{row['policy']} scores {interval(row, 'score_below')} against {row['below']}"
        for _, row in rungs.iterrows()
    ]
    listed = "; ".join(told)
    sure = "95 % confidence" + (" for all pairs of policies at once" if len(ladder) > 2 else "")
    if (rungs["beats_below"] == YES).all():
        return f"Yes, surely (with {sure}): {listed}."
    judged = [
        f"{row['policy']} surely loses to {row['below']}"
        if row["beats_below"] == NO
        else f"it is {UNDECIDED} whether {row['policy']} beats {row['below']}"
        for _, row in rungs[rungs["beats_below"] != YES].iterrows()
    ]
    start = "No" if (rungs["beats_below"] == NO).any() else "Not surely"
    return f"{start}: {' and '.join(judged)} (with {sure}). Scores: {listed}."


def _order(ladder: pd.DataFrame, given: Sequence[str]) -> str:
    """Say if the ratings have another order than the one in which the policies were named, the weakest first."""
    ranked = ladder["policy"].tolist()
    if ranked[::-1] == list(given):
        return ""
    return f"By their ratings the order is {', '.join(ranked[::-1])}, the weakest first."


def _hardest(ladder: pd.DataFrame, by_decks: pd.DataFrame) -> str:
    """Name, for each rung, the decks with which it gains least on the one below."""
    sentences = []
    for policy, below in zip(ladder["policy"], ladder["below"], strict=True):
        rows = by_decks[(by_decks["policy_a"] == policy) & (by_decks["policy_b"] == below)]
        if rows.empty:
            continue
        worst = rows.loc[rows["score_both"].idxmin()]
        if worst["deck_a"] == worst["deck_b"]:
            where = f"where both play deck {worst['deck_a']}"
        else:
            where = f"with decks {worst['deck_a']} and {worst['deck_b']}, each policy playing either"
        sentences.append(f"{policy} gains least on {below} {where}: {interval(worst, 'score_both')}.")
    return " ".join(sentences)


def _speed_sentence(ladder: pd.DataFrame, speeds: Speeds) -> str:
    told = [
        f"{policy} {plain_speed(speeds[policy].median)}" for policy in ladder["policy"] if policy in speeds
    ]
    return f"Games per second of one thread, each against itself: {', '.join(told)}." if told else ""


def _stalls(pairs: pd.DataFrame) -> str:
    stalled = pairs[pairs["stalled"].astype(bool) & ~pairs["derived"].astype(bool)]
    if stalled.empty:
        return ""
    words = ", ".join(
        f"{row['policy_a']} against {row['policy_b']} in {interval(row, 'draw_rate')}"
        for _, row in stalled.iterrows()
    )
    return f"More than {100 * STALLED:.0f} % of the games are draws at the turn limit: {words}."


def _fit(ladder: pd.DataFrame) -> str:
    row = ladder.iloc[0]
    if not row["fit_df"] or row["fit_p"] >= MISFIT:
        return ""
    return (
        f"One number per policy does not describe all results (lack of fit, p {_p(row['fit_p'])}): the scores that "
        f"Elo implies are off by {100 * row['fit_miss']:.1f} points (root mean square): "
        "take scores rather than ratings."
    )


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _ladder_section(ladder: pd.DataFrame, speeds: Speeds) -> Section:
    title, names = "Ratings of the policies", ladder["policy"].tolist()
    figure = (
        _ratings_against_speed(ladder, speeds)
        if speeds
        else ratings_figure(ladder, names, "ladder", title, "these policies")
    )
    return Section(
        heading="The ladder",
        sentences=[
            "Score: the mean over the other policies, each counting the same.",
            "Elo: one fit to all pairs (Bradley–Terry), relative to the mean of these policies; 100 points more mean "
            "a score of 64 %. The fit is smoothed: half a game won and half a game lost are added to each pair, so "
            "that shut-outs stay finite. What only shut-outs tell apart is rated too close together.",
            "A rung beats the one below if its score is above 50 % in an interval that holds for all pairs of policies "
            "together.",
        ],
        table=ladder,
        name="ladder",
        columns={
            "policy": "text",
            "elo": "signed",
            "elo_low": "signed",
            "elo_high": "signed",
            "below": "text",
            "score_below": "interval",
            "beats_below": "text",
            "score": "interval",
            "draw_rate": "percent",
            "games": "count",
        },
        figure=figure,
    )


def _ratings_against_speed(ladder: pd.DataFrame, speeds: Speeds) -> FigureSpec:
    data = {
        "labels": ladder["policy"].tolist(),
        "across": np.array([speeds[policy].median for policy in ladder["policy"]]),
        "values": ladder["elo"].to_numpy(float),
        "lows": ladder["elo_low"].to_numpy(float),
        "highs": ladder["elo_high"].to_numpy(float),
        "x_label": "games per second of one thread, against itself (log scale)",
        "y_label": "Elo relative to these policies, with its 95 % interval",
    }
    return FigureSpec("scatter", "ladder", "Strength and speed of the policies", data)


def _speed_section(ladder: pd.DataFrame, speeds: Speeds) -> Section:
    """Return the speeds: without a name, so that they go into no file that must be the same every time."""
    fastest = max(speed.median for speed in speeds.values())
    rows = [
        {
            "policy": policy,
            "games_per_second": plain_speed(speed.median),
            "range": f"{plain_speed(speed.lowest)} to {plain_speed(speed.highest)}",
            "times_slower_than_the_fastest": plain_speed(fastest / speed.median),
        }
        for policy, speed in ((policy, speeds[policy]) for policy in ladder["policy"])
    ]
    return Section(
        heading="Speed",
        sentences=[
            "Each policy against itself over all pairs of decks, on one thread, by the time that it computes: median "
            f"and range of {next(iter(speeds.values())).repetitions} repetitions, the policies taking turns.",
            "Measured anew by every run, so kept in the manifest (measured) and not in the tables.",
        ],
        table=pd.DataFrame(rows),
    )


def _pairs_section(pairs: pd.DataFrame, ranked: Sequence[str]) -> Section:
    def matrix(values: pd.Series) -> np.ndarray:
        wide = pairs.assign(values=values).pivot(index="policy_a", columns="policy_b", values="values")
        return wide.reindex(index=ranked, columns=ranked).to_numpy(float)

    data = {
        "matrix": matrix(pairs["score_a"]),
        "half_widths": matrix((pairs["score_high"] - pairs["score_low"]) / 2),
        "row_labels": list(ranked),
        "column_labels": list(ranked),
        "colour_label": "score of policy A",
        "row_title": "policy A",
        "column_title": "policy B",
    }
    figure = FigureSpec(
        "heatmap", "pairs", "Score of the row's policy against the column's, over all decks", data
    )
    return Section(
        heading="Policy against policy",
        sentences=[
            "Over all ordered pairs of decks, each with equally many games, half started by each side."
        ],
        table=pairs,
        name="pairs",
        columns={
            "policy_a": "text",
            "policy_b": "text",
            "score_a": "interval",
            "games": "count",
            "draw_rate": "percent",
            "turns_mean": "number",
        },
        shown=pairs[~pairs["derived"].astype(bool)],
        figure=figure,
    )


def _by_decks_section(by_decks: pd.DataFrame) -> Section:
    return Section(
        heading="By decks",
        sentences=[
            "The stronger policy is A. Score A holds for the decks as dealt, and tells of the decks, too; score both "
            "is the mean with the row in which they are exchanged: what the policies alone make of these two decks.",
        ],
        table=by_decks,
        name="by_decks",
        columns={
            "policy_a": "text",
            "policy_b": "text",
            "deck_a": "text",
            "deck_b": "text",
            "score_a": "percent",
            "score_both": "interval",
            "draw_rate": "percent",
            "games": "count",
        },
    )
