"""The figures of a bench in words."""

import pandas as pd

from clashsim.experiments.result import Findings, Format, Section
from clashsim.experiments.words import count, percent

CORE_TARGET = 0.95
"""Least share of the threads' time between the first and the last chunk that is to be spent in the core."""

CAVEAT = (
    "On a machine that others use too, only ratios of figures from one run hold (scaling, shares, compiled to "
    "uncompiled); speeds and seconds do not compare with another day's."
)

_WORDS: tuple[str, ...] = ("measure", "policy", "jobs", "stored", "median", "range")
_MEASURES = {
    "speed": "games/s",
    "speed_per_thread": "speed per thread, one alone = 100 %",
    "core_share": "time in the core",
    "speed_uncompiled": "games/s uncompiled",
    "compiled_to_uncompiled": "core compiled, times as fast",
    "compile": "compile, empty cache",
    "load_compiled": "load the compiled core",
}


def findings(table: pd.DataFrame, *, judged: bool = True) -> Findings:
    """Return question, answer and table of a bench, from its rows; `judged` by the target, or too short for it."""
    columns: dict[str, Format] = {**dict.fromkeys(_WORDS, "text"), "repetitions": "count"}
    heading = "Median of the repetitions, taken in turns, and their range"
    section = Section(heading, [CAVEAT], table, "bench", columns, shown=_shown(table))
    answer = [_speeds(table), *_scaling(table), _core(table, judged=judged), *_compiling(table)]
    return Findings(
        "Speed", "How fast does this machine play, and is the time spent in the core?", answer, [section]
    )


def _speeds(table: pd.DataFrame) -> str:
    rows = _rows(table, "speed", jobs=1, stored=False)
    speeds = [f"{row.policy} plays {_number(row.median)} games/s ({_range(row)})" for row in rows]
    return f"On one thread {', '.join(speeds)}."


def _scaling(table: pd.DataFrame) -> list[str]:
    rows = _rows(table, "speed_per_thread", stored=False)
    most = max((row.jobs for row in rows), default=1)
    kept = [f"{percent(row.median)} ({row.policy})" for row in rows if row.jobs == most]
    return (
        [f"Of {most} threads side by side each keeps {', '.join(kept)} of the speed of one alone."]
        if kept
        else []
    )


def _core(table: pd.DataFrame, *, judged: bool) -> str:
    rows = _rows(table, "core_share")
    least, most = min(rows, key=lambda row: row.median), max(rows, key=lambda row: row.median)
    told = (
        f"Between the first and the last chunk the threads are in the core {percent(least.median)} "
        f"({_way(least)}) to {percent(most.median)} ({_way(most)}) of the time"
    )
    missed = sum(row.median < CORE_TARGET for row in rows)
    if not judged:
        return f"{told}; these runs are too short to judge by them."
    if missed:
        return f"{told}; the {percent(CORE_TARGET)} aimed at are missed in {missed} of {count(len(rows), 'setting')}."
    return f"{told}: everywhere at least the {percent(CORE_TARGET)} aimed at."


def _compiling(table: pd.DataFrame) -> list[str]:
    ratios = [f"{_number(row.median)} times ({row.policy})" for row in _rows(table, "compiled_to_uncompiled")]
    told = [f"The core is {', '.join(ratios)} as fast as the same code uncompiled."]
    waits = [
        f"{verb} takes {_number(row.median)} s"
        for measure, verb in (("compile", "Compiling it once"), ("load_compiled", "loading it later"))
        for row in _rows(table, measure)
    ]
    sentence = ", ".join(waits)
    return [*told, f"{sentence[:1].upper()}{sentence[1:]}."]


def _rows(table: pd.DataFrame, measure: str, **where: object) -> list:
    """Return the rows of a measure, as named tuples."""
    chosen = table[table["measure"] == measure]
    for column, value in where.items():
        chosen = chosen[chosen[column] == value]
    return list(chosen.itertuples(index=False))


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table as people read it: each figure in its unit, with its range in one cell."""
    rows = list(table.itertuples(index=False))
    return pd.DataFrame(
        {
            "measure": [_MEASURES[row.measure] for row in rows],
            "policy": table["policy"],
            "jobs": table["jobs"],
            "stored": table["stored"],
            "median": [_figure(row.median, row.unit) for row in rows],
            "range": [_range(row) for row in rows],
            "repetitions": table["repetitions"],
        }
    )


def _range(row) -> str:
    return f"{_figure(row.lowest, row.unit, bare=True)} to {_figure(row.highest, row.unit, bare=True)}"


def _figure(value: float, unit: str, *, bare: bool = False) -> str:
    if unit == "share":
        return f"{100 * value:.1f}" if bare else percent(value)
    return f"{_number(value)} s" if unit == "s" and not bare else _number(value)


def _number(value: float) -> str:
    """Write a number to three digits: 181000 as "181,000", 0.52 as "0.52"."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _way(row) -> str:
    return f"{row.policy}, {count(row.jobs, 'job')}{', stored' if row.stored else ''}"
