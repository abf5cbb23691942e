"""The manifest of a run: everything needed to repeat it and to tell what it ran on."""

import json
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from clashsim import __version__
from clashsim.errors import InputError

CIRCUMSTANCES = frozenset(
    {"command", "started", "seconds", "games_per_second", "python", "platform", "libraries"}
)
"""Entries in which two runs may differ and yet have the same results."""

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


def check_replaceable(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Make sure that a folder holds no other run than the one the manifest describes.

    Raises
    ------
    InputError
        If it does, or holds a manifest that can not be read: its results would be lost.
    """
    path = folder / "manifest.json"
    if not path.exists():
        return
    try:
        found = json.loads(path.read_text())
        same = _results(found) == _results(json.loads(json.dumps(manifest)))
        command = " ".join(map(str, found["command"]))
    except (OSError, ValueError, KeyError, TypeError):
        same, command = False, "a manifest.json that can not be read"
    if not same:
        raise InputError(
            f"output folder {folder}: it holds another run ({command}); expected a new folder, or --yes to replace it"
        )


def _results(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries that decide the results of a run."""
    return {name: value for name, value in manifest.items() if name not in CIRCUMSTANCES}
