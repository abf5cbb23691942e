"""The manifest of a run: everything needed to repeat it and to tell what it ran on."""

import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import pandas as pd

from clashsim import __version__

LIBRARIES = ("llvmlite", "matplotlib", "numba", "numpy", "pandas", "scipy", "statsmodels")


def build_manifest(
    command: Sequence[str],
    seed: int,
    plan: pd.DataFrame,
    details: Mapping[str, Any],
    started: datetime,
    seconds: float,
) -> dict[str, Any]:
    """Describe a run.

    Parameters
    ----------
    command : sequence of str
        The command line, word by word.
    seed : int
        Seed of all random numbers.
    plan : DataFrame
        One row per condition, with its number of `games`.
    details : mapping
        What the game adds, such as rules, policies, method; each becomes an entry, in the order given.
    started : datetime
        When the run began, with its time zone.
    seconds : float
        How long it took.
    """
    games = int(plan["games"].sum())
    return {
        "program": "clashsim",
        "version": __version__,
        "command": list(command),
        "seed": seed,
        **details,
        "games": games,
        "started": started.astimezone(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "games_per_second": round(games / seconds) if seconds > 0 else None,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "libraries": {library: version(library) for library in LIBRARIES},
        "plan": plan.astype(object).where(plan.notna(), None).to_dict("records"),
    }
