"""Two finished runs side by side: the estimates of each, their difference and how sure it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from clashsim.analysis.contrasts import difference_of_intervals, estimate_at_confidence, share_at_confidence
from clashsim.analysis.intervals import Interval, bonferroni
from clashsim.errors import InputError, nearest
from clashsim.experiments.comparison_games import rungs_of_rows, same_games
from clashsim.experiments.comparison_rows import COMPARABLE, Comparable, Run, side_by_side
from clashsim.experiments.matchup_tables import ALL, CONFIDENCE, MIRROR, rounded
from clashsim.experiments.words import count

HIGHER, LOWER, NOT_CERTAIN = "higher", "lower", "not certain"
SAME_GAMES = "same games"
OTHER_MEAN = "other pairings"  # of a mean over all pairings, if the runs do not have the same ones
ONLY = ("first run only", "second run only")

OTHERS = {
    "ladder": "two ladders of policies can not be compared; expected two runs of matchups (one ladder that has the "
    "policies of both sets them side by side)",
    "solo": "two runs of solo games can not be compared; expected two runs of matchups (one run of several decks or "
    "policies sets them side by side)",
    "solo-sweep": "two sweeps of solo settings can not be compared; expected two runs of matchups (one sweep of "
    "several decks or policies sets them side by side)",
}
"""Experiments whose runs are not compared, and why."""


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side.

    Attributes
    ----------
    table : DataFrame
        One row per row of either run's table: those of the first run in its order, then what only the second has.
    name, title : str
        Of the table that was compared; and of the comparison, with both folders.
    notes : list of str
        Sentences without which the table would be misread.
    """

    table: pd.DataFrame
    name: str
    title: str
    notes: Sequence[str]

    @property
    def kind(self) -> Comparable:
        """What was compared."""
        return COMPARABLE[self.name]


def choose_table(wanted: str | None, tables: Sequence[str], other_tables: Sequence[str]) -> str:
    """Return the name of the table to compare, of those that two runs have.

    Raises
    ------
    InputError
        The wanted table can not be compared, or is not in both runs.
    """
    common = [name for name in COMPARABLE if name in tables and name in other_tables]
    if wanted is not None and wanted not in COMPARABLE:
        raise InputError(
            f"--table {wanted}: no table to compare; expected one of {', '.join(COMPARABLE)}."
            f"{nearest(wanted, COMPARABLE)}"
        )
    if not common or (wanted is not None and wanted not in common):
        missing = f"table {wanted} is not in both runs" if wanted else "the runs have no table in common"
        raise InputError(f"{missing}; expected one of these in both: {', '.join(common or COMPARABLE)}")
    return wanted or common[0]


def check_comparable(first: Mapping[str, Any], second: Mapping[str, Any]) -> None:
    """Make sure, by their manifests, that two runs answer the same question, or raise InputError."""
    experiments = [str(manifest.get("experiment")) for manifest in (first, second)]
    if experiments[0] != experiments[1]:
        raise InputError(
            f"the first run is one of {experiments[0]}, the second of {experiments[1]}; "
            "expected two runs of the same experiment"
        )
    if experiments[0] in OTHERS:
        raise InputError(OTHERS[experiments[0]])


def compare_runs(name: str, first: Run, second: Run) -> Comparison:
    """Set a table of two runs side by side.

    Parameters
    ----------
    name : str
        The table, one of `COMPARABLE`.
    first, second : Run
        The difference is second minus first.

    Raises
    ------
    InputError
        Different experiments, a table that does not have the columns or holds no numbers, no row in common.

    Notes
    -----
    The interval of a difference is that of independent estimates (`difference_of_intervals`). The simultaneous one
    holds for all comparisons of the table together (Bonferroni): the rows that both runs have, without mirrors,
    derived rows, and rows that are the same games in both, whose difference is 0 by itself.
    """
    check_comparable(first.manifest, second.manifest)
    kind = COMPARABLE[name]
    pairs = side_by_side(name, first, second)
    same = same_games(pairs, kind.decks, kind.policies, first.manifest, second.manifest)
    contradiction = same & (pairs["value_1"] != pairs["value_2"])
    table = _table(kind, pairs, same & ~contradiction)
    notes = _notes(name, first, second, table, int(contradiction.sum()))
    return Comparison(table, name, f"{name}: {first.name} (1) and {second.name} (2)", notes)


def _table(kind: Comparable, pairs: pd.DataFrame, same: pd.Series) -> pd.DataFrame:
    both = pairs["in_1"] & pairs["in_2"]
    mirror = both & (pairs["verdict_1"] == MIRROR) & (pairs["verdict_2"] == MIRROR)
    complete = both.groupby(rungs_of_rows(pairs, kind.policies)).transform("all")
    other_mean = (pairs[kind.decks[0]].eq(ALL) | kind.over_pool) & ~complete
    derived = _derived(kind, pairs, both)
    comparisons = int((both & ~mirror & ~other_mean & ~derived & ~same).sum())
    table = pairs.drop(columns=[name for name in pairs if name[-2:] in ("_1", "_2")])
    for run in (1, 2):
        table[f"policies_{run}"] = pairs[f"policies_{run}"]
        for column, source in (("", "value"), ("_low", "low"), ("_high", "high")):
            table[f"{kind.name}_{run}{column}"] = _rounded(pairs[f"{source}_{run}"])
    for column, values in _differences(kind, pairs, comparisons).items():
        table[column] = _rounded(values).mask(mirror | same, 0.0)
    higher, lower = table["difference_low_all"] > 0, table["difference_high_all"] < 0
    table["change"] = np.select(
        [~pairs["in_2"], ~pairs["in_1"], mirror, same, other_mean, higher, lower],
        [*ONLY, MIRROR, SAME_GAMES, OTHER_MEAN, HIGHER, LOWER],
        NOT_CERTAIN,
    )
    if kind.verdict:
        table[["verdict_1", "verdict_2"]] = pairs[["verdict_1", "verdict_2"]]
    table[["games_1", "games_2"]] = pairs[["games_1", "games_2"]].astype("Int64")
    return table.assign(comparisons=comparisons, derived=derived)


def _differences(kind: Comparable, pairs: pd.DataFrame, comparisons: int) -> dict[str, pd.Series]:
    """Return the difference of each row with its limits, by itself and for all comparisons together."""
    runs = [Interval(*(_rounded(pairs[f"{name}_{run}"]) for name in Interval._fields)) for run in (1, 2)]
    move = share_at_confidence if kind.share else estimate_at_confidence
    wider = [move(run, CONFIDENCE, bonferroni(CONFIDENCE, comparisons)) for run in runs]
    alone, together = difference_of_intervals(*runs), difference_of_intervals(*wider)
    columns = {
        "difference": alone.value,
        "difference_low": alone.low,
        "difference_high": alone.high,
        "difference_low_all": together.low,
        "difference_high_all": together.high,
    }
    return {name: pd.Series(values, pairs.index) for name, values in columns.items()}


def _derived(kind: Comparable, pairs: pd.DataFrame, both: pd.Series) -> pd.Series:
    """Tell which rows say the same as another one: their pairing is played once and seen from both sides in both runs.

    Which of the two sides is derived may differ between the runs; the first run's counts.
    """
    pairings = pairs[list(kind.decks)].apply(frozenset, axis=1)
    seen_twice = pairings.isin(set(pairings[pairs["derived_2"]]))
    return (pairs["derived_1"] & seen_twice).where(both, pairs["derived_1"] | pairs["derived_2"])


def _rounded(numbers: pd.Series) -> pd.Series:
    return numbers.map(rounded, na_action="ignore")


def _notes(name: str, first: Run, second: Run, table: pd.DataFrame, contradictions: int) -> list[str]:
    notes = []
    manifests = first.manifest, second.manifest
    played = table["change"].isin([HIGHER, LOWER, NOT_CERTAIN])
    if contradictions:
        rows = count(contradictions, "row")
        notes.append(
            f"Careful: by the manifests {rows} should be the same games, yet the results differ: one of the folders is "
            "not what its manifest says ('clashsim rerun' tells which)."
        )
    if played.any() and manifests[0].get("seed") == manifests[1].get("seed"):
        notes.append(
            "The runs share their seed, hence shuffles or even games; the intervals treat them as independent, "
            "so they are rather too wide than too narrow."
        )
    decks = [sorted(manifest.get("decks") or {}) for manifest in manifests]
    if decks[0] != decks[1] and (COMPARABLE[name].decks == ("deck",) or (table["deck_a"] == ALL).any()):
        notes.append("The runs have different decks, so their means are over different opponents.")
    for run, only in zip((first, second), ONLY, strict=True):
        if n := int(((table["change"] == only) & ~table["derived"]).sum()):
            notes.append(f"{count(n, 'row')} of {run.name} {'has' if n == 1 else 'have'} no counterpart.")
    return notes
