"""What a comparison of two runs says: how many estimates differ, the largest difference, verdicts that changed."""

import pandas as pd

from clashsim.experiments.comparison import HIGHER, LOWER, NOT_CERTAIN, OTHER_MEAN, SAME_GAMES, Comparison
from clashsim.experiments.comparison_rows import Comparable
from clashsim.experiments.matchup_tables import ALL, MIRROR
from clashsim.experiments.result import Findings, Section
from clashsim.experiments.words import count, pairing

MISSING = "–"
MEASURED = (HIGHER, LOWER, NOT_CERTAIN)
MOST_NAMED = 3
"""Verdicts that are named in the answer."""


def findings(comparison: Comparison) -> Findings:
    """Return a comparison as a report."""
    kind, table = comparison.kind, comparison.table
    comparisons = int(table["comparisons"].iloc[0])
    wider = "that interval"
    if comparisons > 1:
        wider = f"a wider one, which holds for all {comparisons} comparisons together (Bonferroni),"
    sentences = [
        "The difference is run 2 minus run 1, in brackets its 95 % interval by itself.",
        f"It is sure when {wider} leaves out 0." if comparisons else "",
    ]
    return Findings(
        title=f"Comparison of {comparison.title}",
        question=f"What is different in the second run: {kind.words}?",
        answer=[sentence for sentence in (_differ(kind, table), _verdicts(kind, table)) if sentence],
        sections=[
            Section(
                heading=f"{kind.words[:1].upper()}{kind.words[1:]}, run by run",
                sentences=[sentence for sentence in (*sentences, *comparison.notes) if sentence],
                table=table,
                name="comparison",
                shown=_shown(kind, table),
            )
        ],
    )


def _differ(kind: Comparable, table: pd.DataFrame) -> str:
    """Count the certain differences and name the largest."""
    rows = table[~table["derived"]]
    same, played = int((rows["change"] == SAME_GAMES).sum()), rows[rows["change"].isin(MEASURED)]
    if played.empty and same:
        return f"All {same} comparisons that both runs have are the same games: there is no difference."
    if played.empty and (rows["change"] == OTHER_MEAN).any():
        return (
            "The runs have other opponents, over which these are means: they can not be compared row by row."
        )
    if played.empty:
        return "The runs have only mirrors in common, which are even by definition."
    if not same:
        return _sure(kind, played)
    are = "is" if same == 1 else "are"
    unchanged = (
        f"Of {same + len(played)} comparisons, {same} {are} of the same games, without any difference."
    )
    return f"{unchanged} {_sure(kind, played, 'other ')}"


def _sure(kind: Comparable, played: pd.DataFrame, other: str = "") -> str:
    """Count the certain differences among those that chance has a part in, and name the largest."""
    certain = played[played["change"] != NOT_CERTAIN]
    n, sure = len(played), "with 95 % confidence" + (" for all of them at once" if len(played) > 1 else "")
    if certain.empty:
        most = max(played["difference_high_all"].max(), -played["difference_low_all"].min())
        none = f"None of {n} {other}comparisons shows a certain difference"
        none = none if n > 1 else f"The {other}difference is not certain"
        return f"{none}: it is at most {_difference(kind, most)[1:]} either way ({sure})."
    row = certain.loc[certain["difference"].abs().idxmax()]
    before, after = (_value(kind, row[f"{kind.name}_{run}"]) for run in (1, 2))
    largest = f"{_row_words(kind, row)}, from {before} to {after}: {_with_limits(kind, row, unit=True)}"
    if n == 1:
        return f"The {other}difference is certain ({sure}): {largest}."
    if len(certain) == 1:
        return f"Of {n} {other}comparisons, one shows a certain difference ({sure}): {largest}."
    how_many = (
        f"All {n} {other}comparisons" if len(certain) == n else f"Of {n} {other}comparisons, {len(certain)}"
    )
    return f"{how_many} show a certain difference ({sure}), the largest {largest}."


def _verdicts(kind: Comparable, table: pd.DataFrame) -> str:
    """Name the verdicts that are not the same in both runs."""
    if not kind.verdict:
        return ""
    both = table[~table["derived"] & table["change"].isin(MEASURED)]
    both = both[(both["verdict_1"] != MIRROR) & (both["verdict_2"] != MIRROR)]
    changed = both[both["verdict_1"] != both["verdict_2"]]
    if changed.empty:
        return "Every verdict is the same in both runs." if len(both) > 1 else ""
    named = [f"{pairing(row)} from {row['verdict_1']} to {row['verdict_2']}" for _, row in changed.iterrows()]
    more = f", and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    return f"{count(len(changed), 'verdict')} changed: {', '.join(named[:MOST_NAMED])}{more}."


def _shown(kind: Comparable, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table for people: without derived rows and mirrors, estimates and limits in one cell."""
    mirror = (
        (table[["verdict_1", "verdict_2"]].fillna(MIRROR) == MIRROR).all(axis=1) if kind.verdict else False
    )
    rows = table[~table["derived"] & ~pd.Series(mirror, table.index)]
    shown = rows[[name for name in (*kind.decks, *kind.policies) if name in rows]].copy()
    unit, points = (" (%)", " (points)") if kind.share else ("", "")
    for run in (1, 2):
        shown[f"{kind.name}_{run}{unit}"] = [
            _estimate(kind, row, f"{kind.name}_{run}") for _, row in rows.iterrows()
        ]
    shown[f"difference{points}"] = [_with_limits(kind, row) for _, row in rows.iterrows()]
    shown["sure"] = rows["change"].replace({HIGHER: "yes", LOWER: "yes", NOT_CERTAIN: "no"})
    if kind.verdict:
        for run in (1, 2):
            shown[f"verdict_{run}"] = rows[f"verdict_{run}"].fillna(MISSING)
    return shown


def _estimate(kind: Comparable, row: pd.Series, name: str) -> str:
    value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
    if pd.isna(value):
        return MISSING
    numbers = [_number(kind, number) for number in (value, low, high)]
    to = (
        "–" if kind.share else " to "
    )  # a table of two runs has to be narrow, but no dash may stand before a minus
    return numbers[0] if low == high else f"{numbers[0]} ({numbers[1]}{to}{numbers[2]})"


def _with_limits(kind: Comparable, row: pd.Series, unit: bool = False) -> str:
    value, low, high = row["difference"], row["difference_low"], row["difference_high"]
    if pd.isna(value):
        return MISSING
    limits = "" if low == high else f" ({_signed(kind, low)} to {_signed(kind, high)})"
    return f"{_difference(kind, value) if unit else _signed(kind, value)}{limits}"


def _number(kind: Comparable, number: float) -> str:
    return f"{100 * number:z.1f}" if kind.share else f"{number:z.0f}"


def _value(kind: Comparable, number: float) -> str:
    return f"{_number(kind, number)} %" if kind.share else _number(kind, number)


def _signed(kind: Comparable, number: float) -> str:
    return f"{100 * number:+z.1f}" if kind.share else f"{number:+z.0f}"


def _difference(kind: Comparable, number: float) -> str:
    return f"{_signed(kind, number)} {'points' if kind.share else 'Elo'}"


def _row_words(kind: Comparable, row: pd.Series) -> str:
    if len(kind.decks) == 2 and row["deck_a"] == ALL:
        return "the mean over all pairings"
    words = pairing(row) if len(kind.decks) == 2 else f"deck {row['deck']}"
    players = dict.fromkeys(row[name] for name in kind.policies if name in row)
    return f"{words} ({' against '.join(players)})" if players else words
