"""How the numbers of a run of several policies move from policy to policy: the table `skill`.

It is made from the tables of the rungs. Their games are independent of each other, although the same shuffles go into
them: game by game, the results of different policies are not correlated (see `skill_findings.INDEPENDENT`).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from clashsim.analysis.contrasts import difference_of_intervals, estimate_at_confidence, share_at_confidence
from clashsim.analysis.intervals import Interval, bonferroni, mean_of_intervals
from clashsim.analysis.precision import CONFIDENCE
from clashsim.experiments.matchup_tables import ALL, MIRROR, STALLED, Row, estimate, rounded
from clashsim.experiments.rungs import Rung, Tables, tables_of

SKILL = "skill"
SCORE, POOL, FIRST, DRAWS, TURNS = MEASURES = ("score", "pool_score", "advantage", "draw_rate", "turns_mean")

ABOVE, BELOW, OPEN = "above", "below", "open"
HIGHER, LOWER, NOT_CERTAIN = "higher", "lower", "not certain"

REFERENCES = {SCORE: 0.5, POOL: 0.5, FIRST: 0.0, DRAWS: STALLED}
"""What the conclusion of a measure is about: whether it lies above or below this."""

LIMITS = ("_low", "_high", "_low_all", "_high_all")
COLUMNS = (
    *("measure", "deck_a", "deck_b", "policy", "vs_policy"),
    *("estimate", *(f"estimate{limit}" for limit in LIMITS), "conclusion", "flips_from"),
    *("policy_before", "difference", *(f"difference{limit}" for limit in LIMITS), "change"),
)

Item = tuple[str, str]
"""The two decks that a number is about; `ALL` instead of a deck stands for the mean over all."""


class _Estimates(NamedTuple):
    """One measure of one rung: items, and their estimates with limits by themselves and for all of them together."""

    items: list[Item]
    alone: Interval
    together: Interval

    def at(self, place: int) -> tuple[Interval, Interval]:
        """Return one item's estimate with both kinds of limits."""
        alone, together = (Interval(*(values[place] for values in limits)) for limits in self[1:])
        return alone, together


def skill_table(tables: Tables, rungs: Sequence[Rung], decks: Sequence[str]) -> pd.DataFrame:
    """Return one row per measure, item and rung, the rungs in order; empty for a single rung.

    Parameters
    ----------
    tables : mapping of DataFrames
        `matchups`, `pool` and `first_player` of all rungs.
    rungs : sequence of Rung
    decks : sequence of str
        In the order in which items are to appear.

    Notes
    -----
    Differences are those of a rung and the one before it, as of independent estimates. Limits that hold together are
    simultaneous (Bonferroni) over the items of a measure on one rung, those of differences over the items of a measure
    and all steps. A conclusion (above or below the reference) is read off the former.
    """
    if len(rungs) < 2:
        return pd.DataFrame(columns=COLUMNS)
    by_rung = [tables_of(tables, rung) for rung in rungs]
    fixed_opponent = not all(rung.is_one_policy for rung in rungs)
    rows: list[Row] = []
    for measure in MEASURES:
        found = [
            _estimates(measure, tables, rung, decks, fixed_opponent)
            for rung, tables in zip(rungs, by_rung, strict=True)
        ]
        items = sorted({item for one in found for item in one.items}, key=lambda item: _order(item, decks))
        steps = sum(
            item in one.items and item in other.items for one, other in pairwise(found) for item in items
        )
        for item in items:
            rows += _rows_of(measure, item, rungs, found, steps)
    return pd.DataFrame(rows, columns=COLUMNS)


def _rows_of(
    measure: str, item: Item, rungs: Sequence[Rung], found: Sequence[_Estimates], steps: int
) -> list[Row]:
    """Return the rows of one item, rung by rung."""
    rows: list[Row] = []
    before: tuple[str, Interval] | None = None  # the rung before
    sure = ("", OPEN)  # the last policy with a conclusion, and that
    for rung, estimates in zip(rungs, found, strict=True):
        if item not in estimates.items:
            before = None
            continue
        alone, together = estimates.at(estimates.items.index(item))
        conclusion = _conclusion(measure, together)
        row = {"measure": measure, "deck_a": item[0], "deck_b": item[1], "policy": rung.policy}
        row |= {"vs_policy": rung.vs_policy} | estimate(alone, "estimate") | _together("estimate", together)
        row |= {"conclusion": conclusion, "flips_from": "", "policy_before": "", "change": ""}
        if conclusion in (ABOVE, BELOW):
            row["flips_from"] = sure[0] if sure[1] not in (conclusion, OPEN) else ""
            sure = rung.policy, conclusion
        if before:
            row |= {"policy_before": before[0]} | _difference(measure, before[1], alone, steps)
        before = rung.policy, alone
        rows.append(row)
    return rows


def _conclusion(measure: str, together: Interval) -> str:
    if measure not in REFERENCES:
        return ""
    reference = REFERENCES[measure]
    if rounded(together.low) > reference:
        return ABOVE
    return BELOW if rounded(together.high) < reference else OPEN


def _difference(measure: str, before: Interval, after: Interval, steps: int) -> Row:
    wanted = bonferroni(CONFIDENCE, steps)
    together = difference_of_intervals(*(_widened(measure, each, wanted) for each in (before, after)))
    row = estimate(difference_of_intervals(before, after), "difference") | _together("difference", together)
    higher, lower = row["difference_low_all"] > 0, row["difference_high_all"] < 0
    return row | {"change": HIGHER if higher else LOWER if lower else NOT_CERTAIN}


def _together(name: str, limits: Interval) -> Row:
    return {f"{name}_low_all": rounded(limits.low), f"{name}_high_all": rounded(limits.high)}


def _estimates(
    measure: str, tables: Tables, rung: Rung, decks: Sequence[str], fixed_opponent: bool
) -> _Estimates:
    """Collect a measure of a rung, and the mean over its items where the table of the measure has none.

    Against a fixed opponent every ordered pair of decks is an item; the rung on which a policy meets itself is then
    seen from both sides.
    """
    twice = fixed_opponent and rung.is_one_policy
    table, name, limits = {
        SCORE: ("matchups", "score_a", "score"),
        POOL: ("pool", "score", "score"),
        FIRST: ("first_player", "advantage", "advantage"),
        DRAWS: ("matchups", "draw_rate", "draw_rate"),
        TURNS: ("matchups", "turns_mean", "turns_mean"),
    }[measure]
    rows = tables[table]
    if measure == POOL:
        rows = rows[rows["policy"] == rung.policy].assign(deck_a=lambda pool: pool["deck"], deck_b=ALL)
    elif table == "matchups" and not twice:
        rows = rows[~rows["derived"]]
    if measure == SCORE and not fixed_opponent:
        rows = rows[rows["verdict"] != MIRROR]
    if measure == FIRST and fixed_opponent:
        rows = rows[rows["deck_a"] != ALL]
    if measure == FIRST and twice:
        other = rows[rows["deck_a"] != rows["deck_b"]].rename(
            columns={"deck_a": "deck_b", "deck_b": "deck_a"}
        )
        rows = pd.concat([rows, other], ignore_index=True)
    items = list(zip(rows["deck_a"], rows["deck_b"], strict=True))
    values = Interval(
        *(rows[column].to_numpy(float) for column in (name, f"{limits}_low", f"{limits}_high", "games"))
    )
    if measure == POOL and twice:
        values = _with_itself(values, rows["opponents"].to_numpy(float))
    together = _widened(measure, values, bonferroni(CONFIDENCE, len(items)))
    if measure == SCORE:
        wide = {side: rows[f"score_{side}_all"].to_numpy(float) for side in ("low", "high")}
        together = values._replace(**wide)
    if measure in (DRAWS, TURNS) and not fixed_opponent:
        items, values, together = [*items, (ALL, ALL)], _with_mean(values), _with_mean(together)
    return _Estimates(items, values, together)


def _with_itself(score: Interval, opponents: np.ndarray) -> Interval:
    """Count a deck against itself, which is even, among its opponents, as where another policy plays the other side."""
    share = opponents / (opponents + 1)
    value, low, high = (0.5 + share * (limit - 0.5) for limit in score[:3])
    return Interval(value, low, high, score.games)


def _with_mean(values: Interval) -> Interval:
    mean = mean_of_intervals(values)
    return Interval(*(np.append(one, other) for one, other in zip(values, mean, strict=True)))


def _widened(measure: str, values: Interval, wanted: float) -> Interval:
    """Move limits to another confidence."""
    if measure == TURNS:
        wider = estimate_at_confidence(values, CONFIDENCE, wanted)
        return wider._replace(low=np.maximum(wider.low, 1))  # a game has at least one turn
    shift = 0.5 if measure == FIRST else 0.0
    share = share_at_confidence(_shifted(values, shift), CONFIDENCE, wanted)
    return _shifted(share, -shift)


def _shifted(values: Interval, shift: float) -> Interval:
    return values._replace(value=values.value + shift, low=values.low + shift, high=values.high + shift)


def _order(item: Item, decks: Sequence[str]) -> tuple[int, ...]:
    """Return by what items are sorted: in the order of the decks, means last."""
    return tuple(len(decks) if deck == ALL else list(decks).index(deck) for deck in item)
