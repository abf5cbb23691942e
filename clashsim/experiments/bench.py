"""How fast this machine plays: games per second, scaling over threads, time outside the core, compiling."""

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from math import floor, log10
from pathlib import Path
from statistics import median
from typing import Any

import numba
import pandas as pd

from clashsim.clash.duels import compile_core
from clashsim.clash.policy_files import load_policy
from clashsim.errors import InputError
from clashsim.experiments.bench_findings import findings
from clashsim.experiments.bench_processes import compiled_and_uncompiled, time_compiling, time_loading
from clashsim.experiments.bench_runs import (
    RunTiming,
    Setting,
    affordable_games,
    alternated,
    numbers_of_jobs,
    time_run,
)
from clashsim.experiments.matchups import plan_matchups
from clashsim.experiments.result import Findings
from clashsim.running import usable_cores

GAMES = 100_000
LIBRARIES = ("llvmlite", "numba", "numpy", "pandas")
YARDSTICKS = ("random", "greedy")
"""The policy that only drives tests: measured when it is asked for."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes
    ----------
    repetitions : int
        Of every run and of the uncompiled games.
    run_seconds : float
        A slow policy gets fewer games, so that a run on one thread takes about this long.
    uncompiled_games : int
        Per pairing and repetition.
    compilations, loads : int
        Compilations into an empty cache, and processes that load each of them.
    """

    repetitions: int
    run_seconds: float
    uncompiled_games: int
    compilations: int
    loads: int


FULL = Size(repetitions=5, run_seconds=4.0, uncompiled_games=8, compilations=2, loads=3)
QUICK = Size(repetitions=3, run_seconds=0.2, uncompiled_games=2, compilations=0, loads=3)


@dataclass(frozen=True)
class Bench:
    """What was measured, as a table with one row per figure; `clashsim columns` tells what its columns mean."""

    table: pd.DataFrame
    circumstances: dict[str, Any]

    def findings(self) -> Findings:
        """Return the answers in sentences, with the table."""
        return findings(self.table, judged=not self.circumstances["quick"])

    def record(self) -> dict[str, Any]:
        """Return all of it, ready for JSON: circumstances, answer, and the rows of the table."""
        rows = self.table.astype(object).where(self.table.notna(), None).to_dict("records")
        return {**self.circumstances, "answer": list(self.findings().answer), "figures": rows}


def bench(
    policies: Sequence[str] | None = None,
    *,
    games: int = GAMES,
    jobs: int | None = None,
    quick: bool = False,
    folder: Path | None = None,
    say: Say | None = None,
) -> Bench:
    """Measure the speed of the program on this machine: minutes, or seconds if `quick`.

    Parameters
    ----------
    policies : sequence of str, optional
        Which policies play the shipped decks; by default all but the one for tests.
    games : int
        Games per pairing in each run, at most: slow policies get fewer.
    jobs : int, optional
        Most threads to measure; all usable cores by default. Measured are 1, 2, 4, … and this number.
    quick : bool
        Short runs, and no compilation into an empty cache (one to two minutes each).
    folder : Path, optional
        Where runs store their checkpoints while they are measured; by default where temporary files go.
    say : callable, optional
        Told in a line what is measured next.

    Raises
    ------
    InputError
        An unknown policy, or the compiler is switched off.
    OutputError
        A process that was to be measured failed.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        raise InputError("NUMBA_DISABLE_JIT is set; expected it unset, since the compiled core is measured")
    size, say = QUICK if quick else FULL, say or (lambda line: None)
    names = [policy.name for policy in map(load_policy, _worth_it(policies))]
    circumstances = _circumstances(quick)
    compile_core()
    runs = _time_runs(
        names, games, numbers_of_jobs(usable_cores() if jobs is None else jobs), size, folder, say
    )
    rows = [*_run_rows(runs), *_uncompiled_rows(names, size, say), *_compile_rows(size, say)]
    return Bench(pd.DataFrame(rows).astype({"jobs": "Int64", "games": "Int64"}), circumstances)


def _worth_it(policies: Sequence[str] | None) -> list[str]:
    return list(dict.fromkeys(policies or YARDSTICKS))


def _time_runs(
    policies: Sequence[str], games: int, jobs: Sequence[int], size: Size, folder: Path | None, say: Say
) -> dict[Setting, list[RunTiming]]:
    """Return the timings of every setting, one per repetition, taken in turns."""
    plans = {}
    for policy in policies:
        most = affordable_games(policy, games, size.run_seconds)
        plans[policy] = plan_matchups(policy=policy, games=most)
    settings = [Setting(*way) for way in ((p, j, s) for p in policies for j in jobs for s in (False, True))]
    timings: dict[Setting, list[RunTiming]] = {setting: [] for setting in settings}
    for number, setting in enumerate(alternated(settings, size.repetitions)):
        if number % len(settings) == 0:
            say(f"Runs, repetition {number // len(settings) + 1} of {size.repetitions} ...")
        timings[setting].append(time_run(plans[setting.policy], setting, folder))
    return timings


def _run_rows(runs: dict[Setting, list[RunTiming]]) -> list[dict[str, Any]]:
    rows = []
    for setting, timings in runs.items():
        where = {**asdict(setting), "games": timings[0].games}
        rows.append(_row("speed", [timing.speed for timing in timings], "games/s", **where))
        if setting.jobs > 1:
            alone = runs[Setting(setting.policy, 1, setting.stored)]
            pairs = zip(timings, alone, strict=True)
            kept = [timing.speed / (setting.jobs * one.speed) for timing, one in pairs]
            rows.append(_row("speed_per_thread", kept, "share", **where))
        rows.append(_row("core_share", [timing.core_share for timing in timings], "share", **where))
    return rows


def _uncompiled_rows(policies: Sequence[str], size: Size, say: Say) -> list[dict[str, Any]]:
    rows = []
    for policy in policies:
        say(f"The same code uncompiled, {policy} ...")
        firsts = [repetition * size.uncompiled_games for repetition in range(size.repetitions)]
        speeds = [compiled_and_uncompiled(policy, first, size.uncompiled_games) for first in firsts]
        ratios = [compiled / uncompiled for compiled, uncompiled in speeds]
        plain = [speed.uncompiled for speed in speeds]
        rows.append(_row("speed_uncompiled", plain, "games/s", policy=policy, jobs=1))
        rows.append(_row("compiled_to_uncompiled", ratios, "ratio", policy=policy, jobs=1))
    return rows


def _compile_rows(size: Size, say: Say) -> list[dict[str, Any]]:
    if not size.compilations:
        say("Loading the compiled core ...")
        return [_row("load_compiled", [time_loading() for _ in range(size.loads)], "s")]
    timings = []
    for number in range(size.compilations):
        say(
            f"Compiling into an empty cache, {number + 1} of {size.compilations} (one to two minutes each) ..."
        )
        timings.append(time_compiling(size.loads))
    return [
        _row("compile", [timing.cold for timing in timings], "s"),
        _row("load_compiled", [seconds for timing in timings for seconds in timing.cached], "s"),
    ]


def _row(measure: str, values: Sequence[float], unit: str, **where: Any) -> dict[str, Any]:
    """Return a row of the table: where it was measured, the median of the repetitions, and their range."""
    place = {"policy": None, "jobs": None, "stored": None, "games": None, **where}
    figures = {"median": median(values), "lowest": min(values), "highest": max(values)}
    digits = 4 if unit == "share" else 3
    rounded = {name: significant(value, digits) for name, value in figures.items()}
    return {"measure": measure, **place, **rounded, "repetitions": len(values), "unit": unit}


def significant(value: float, digits: int) -> float:
    """Round a positive number to so many significant digits."""
    return round(value, digits - 1 - floor(log10(value)))


def _circumstances(quick: bool) -> dict[str, Any]:
    """Return what the figures depend on besides the program."""
    return {
        "quick": quick,
        "cpu_count": os.cpu_count(),
        "usable_cores": usable_cores(),
        "load_average": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "machine": platform.machine(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "libraries": {library: version(library) for library in LIBRARIES},
    }
