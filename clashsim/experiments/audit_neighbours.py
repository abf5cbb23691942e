"""Settings that differ in one option: where the dearer one is the easier one, `solo_inversions`.

*Neighbours* are two settings of the same policy and deck that differ in one option, by different prices: an option's
level and its base, of fixed mana two levels next to each other. A pair is compared by win rates, unless both are on the
floor or both on the ceiling.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from clashsim.analysis.blocks import benjamini_hochberg, jackknife
from clashsim.analysis.intervals import Floats
from clashsim.analysis.precision import CONFIDENCE
from clashsim.experiments.audit_cells import INSIDE, OPTIONS, WIN, Cells
from clashsim.experiments.audit_fits import DIGITS

INVERTED, IN_ORDER, UNDECIDED, AT_THE_END = "inverted", "in order", "undecided", "at the end"
FALSE_FINDS = 0.05  # share of the inversions that may be wrong (Benjamini-Hochberg)

KEYS = ["policy", "deck", "option", "cheaper", "dearer", *OPTIONS]
COLUMNS = [
    *KEYS,
    *("points", "dearer_points", "cheaper_value", "dearer_value"),
    *("easier_by", "easier_by_low", "easier_by_high", "p", "p_adjusted", "order"),
]


def neighbours_table(cells: Cells) -> pd.DataFrame:
    """Return all neighbours with how they differ, per policy and deck.

    Notes
    -----
    `easier_by` is by how much the dearer setting is the easier one: its win rate minus the cheaper one's. The
    differences are paired by blocks of games, on the same shuffles. `p` is one-sided: the chance of so high a
    difference if the dearer one is not the easier one. It is adjusted over all neighbours of the policy and the deck
    that are compared (Benjamini-Hochberg), and so is the chance of so low a difference: `order` is *inverted* or *in
    order* if one of them is below 5 %. Pairs of which both are on the floor, or both on the ceiling, are *at the end*:
    they have no p.
    """
    tables = [_of_scope(scope) for _, _, scope in cells.scopes(pooled=False)]
    filled = [table for table in tables if len(table)]
    return pd.concat(filled, ignore_index=True) if filled else pd.DataFrame(columns=COLUMNS)


def inversions_table(neighbours: pd.DataFrame) -> pd.DataFrame:
    """Return the neighbours of which the dearer one is measured as the easier one, the surest first."""
    easier = neighbours[(neighbours["easier_by"] > 0) & (neighbours["order"] != AT_THE_END)]
    order = easier.sort_values(["p_adjusted", "p"], kind="stable").index
    in_scopes = neighbours.groupby(["policy", "deck"], sort=False).ngroup()
    order = in_scopes[order].sort_values(kind="stable").index
    return easier.loc[order].reset_index(drop=True).round(DIGITS)


def counts_table(neighbours: pd.DataFrame) -> pd.DataFrame:
    """Return how many neighbours were compared, per policy, deck and option, and how many are in which order."""
    rows = []
    for (policy, deck, option), group in neighbours.groupby(["policy", "deck", "option"], sort=False):
        names = {"policy": policy, "deck": deck, "option": option, "neighbours": len(group)}
        counts = {
            "in_order": (group["order"] == IN_ORDER).sum(),
            "measured_easier": ((group["easier_by"] > 0) & (group["order"] != AT_THE_END)).sum(),
            "inverted": (group["order"] == INVERTED).sum(),
            "at_the_end": (group["order"] == AT_THE_END).sum(),
        }
        rows.append(names | {name: int(number) for name, number in counts.items()})
    return pd.DataFrame(
        rows,
        columns=[
            "policy",
            "deck",
            "option",
            "neighbours",
            *("in_order", "measured_easier", "inverted", "at_the_end"),
        ],
    )


def _of_scope(scope: Cells) -> pd.DataFrame:
    """Return the neighbours of one policy and deck."""
    frame = scope.frame
    found = [(option, *pair) for option in OPTIONS for pair in _pairs(frame, option)]
    if not found:
        return pd.DataFrame(columns=COLUMNS)
    changed, cheaper, dearer = map(np.array, zip(*found, strict=True))
    levels = {option: frame[option].to_numpy() for option in OPTIONS}
    marks = frame["mark"].to_numpy()
    same_end = (marks[cheaper] == marks[dearer]) & (marks[cheaper] != INSIDE)
    win = scope.mean(WIN)
    difference = jackknife(win[:, dearer] - win[:, cheaper])
    low, high = difference.limits(CONFIDENCE)
    p = np.where(same_end, np.nan, difference.p_above())
    table = frame.iloc[dearer].reset_index(drop=True).drop(columns=["mark", "points"])
    table = table.assign(
        option=changed,
        cheaper=[levels[option][i] for option, i in zip(changed, cheaper, strict=True)],
        dearer=[levels[option][i] for option, i in zip(changed, dearer, strict=True)],
        points=frame["points"].to_numpy()[cheaper],
        dearer_points=frame["points"].to_numpy()[dearer],
        cheaper_value=win[0, cheaper],
        dearer_value=win[0, dearer],
        easier_by=difference.value,
        easier_by_low=low,
        easier_by_high=high,
        p=p,
        p_adjusted=benjamini_hochberg(p),
        order=_orders(p),
    )
    return table[COLUMNS]


def _orders(above: Floats) -> NDArray[np.str_]:
    """Return the verdicts on pairs from the p-values of the dearer one being the easier one."""
    inverted, in_order = (benjamini_hochberg(p) < FALSE_FINDS for p in (above, 1 - above))
    return np.select([np.isnan(above), inverted, in_order], [AT_THE_END, INVERTED, IN_ORDER], UNDECIDED)


def _pairs(frame: pd.DataFrame, option: str) -> Iterator[tuple[int, int]]:
    """Yield the places of two settings that differ in an option only, the cheaper one first."""
    others = [name for name in OPTIONS if name != option]
    rank = frame[option].map(OPTIONS[option].index).to_numpy()
    points = frame["points"].to_numpy()
    for places in frame.groupby(others, sort=False).indices.values():
        by_rank = {int(rank[place]): int(place) for place in places}
        for level, place in by_rank.items():
            other = by_rank.get(level - 1 if option == "fixed" else 0)
            if level and other is not None and points[place] != points[other]:
                yield (other, place) if points[other] < points[place] else (place, other)
