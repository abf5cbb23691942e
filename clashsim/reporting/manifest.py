"""The manifest of a run: everything needed to repeat it and to tell what it ran on."""

import hashlib
import json
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from clashsim import __version__
from clashsim.errors import InputError, reason_of
from clashsim.experiments.catalogue import check_manifest

NAME = "manifest.json"
UNFINISHED, FINISHED = "unfinished", "finished"

CIRCUMSTANCES = frozenset(
    {
        "version",
        "command",
        "options",
        "inputs",
        "files",
        "games_file",
        "status",
        "started",
        "seconds",
        "games_per_second",
        "measured",
        "python",
        "platform",
        "libraries",
    }
)
"""Entries in which two runs may differ and yet have the same results."""

EXTENT = frozenset({"games", "stopping", "method"})
"""Entries that decide how many games are played, and how they are counted, but not how any of them goes."""

LIBRARIES = ("llvmlite", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "scipy")

_STOPPING = ("games", "precision", "until_decided")

_KINDS: dict[str, tuple[type, ...]] = {
    "program": (str,),
    "version": (str,),
    "core": (str,),
    "experiment": (str,),
    "command": (list,),
    "options": (dict,),
    "inputs": (list,),
    "files": (list,),
    "games_file": (str, type(None)),
    "status": (str,),
    "seed": (int,),
    "games": (int,),
    "stopping": (dict,),
    "started": (str,),
    "seconds": (int, float, type(None)),
    "games_per_second": (int, type(None)),
    "measured": (dict,),
    "python": (str,),
    "platform": (str,),
    "libraries": (dict,),
    "plan": (list,),
}
MOST = 2**63
"""A number in a manifest is less."""

_PLAIN_NAME = re.compile(r"(?!\.{1,2}$)[^/\\\0]+")


def build_manifest(
    experiment: str,
    command: Sequence[str],
    options: Mapping[str, Any],
    plan: pd.DataFrame,
    details: Mapping[str, Any],
    games_file: str | None = None,
) -> dict[str, Any]:
    """Describe a run that is about to begin.

    Parameters
    ----------
    experiment : str
    command : sequence of str
        The command line, word by word.
    options : mapping
        The arguments of the experiment, by name, of JSON's types.
    plan : DataFrame
        One row per condition, with its number of `games`, at most.
    details : mapping
        What the game adds, such as seed, rules, policies, method; each becomes an entry, in the order given.
    games_file : str, optional
        Where the games are written one by one.
    """
    return {
        "program": "clashsim",
        "version": __version__,
        "experiment": experiment,
        "command": list(command),
        **details,
        "options": dict(options),
        "stopping": {name: options[name] for name in _STOPPING if options.get(name)},
        "games_file": games_file,
        "inputs": [],
        "files": [],
        "status": UNFINISHED,
        "games": int(plan["games"].sum()),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": None,
        "games_per_second": None,
        "measured": {},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "libraries": {library: version(library) for library in LIBRARIES},
        "plan": records_of(plan),
    }


def records_of(plan: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a plan as a manifest keeps them."""
    return plan.astype(object).where(plan.notna(), None).to_dict("records")


def read_run(folder: str | Path) -> dict[str, Any]:
    """Read and check the manifest of the run in a folder.

    Raises
    ------
    InputError
        There is no such folder or no run in it, or its manifest is damaged or of another program; names the file.
    """
    folder = Path(folder)
    path = folder / NAME
    try:
        raw = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        what = "is not a folder" if not folder.is_dir() else f"has no {NAME}"
        raise InputError(f"{folder} {what}; expected the output folder of a run (--out)") from None
    except (OSError, ValueError) as error:
        raise InputError(f"can not read {path}: {reason_of(error)}") from None
    try:
        manifest = json.loads(raw, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is damaged: {str(error)[:80] or 'brackets nested too deeply'}") from None
    fault = _fault(manifest)
    if not fault:
        try:
            check_manifest(manifest)
        except InputError as error:
            fault = str(error)
    if fault:
        raise InputError(f"{path} is damaged or from another version: {fault}")
    return manifest


def identity(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries that decide which games a run plays, but not how many of them."""
    plain = json.loads(json.dumps(manifest))
    decisive = {name: value for name, value in plain.items() if name not in CIRCUMSTANCES | EXTENT}
    decisive["plan"] = [{k: v for k, v in row.items() if k != "games"} for row in decisive["plan"]]
    return decisive


def fingerprint(manifest: Mapping[str, Any]) -> str:
    """Return 16 hexadecimal digits that tell runs of different games apart."""
    text = json.dumps(identity(manifest), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _fault(manifest: Any) -> str:
    """Say what is wrong with a manifest, or ""."""
    if not isinstance(manifest, dict):
        return "it is no JSON object"
    if manifest.get("program") != "clashsim":
        return "it is not clashsim's"
    for name, kinds in _KINDS.items():
        if name not in manifest:
            return f"{name!r} is missing"
        value = manifest[name]
        if not isinstance(value, kinds) or isinstance(value, bool):
            return f"{name!r} is {str(value)[:40]!r}"
        if isinstance(value, int | float) and not 0 <= value < MOST:
            return f"{name!r} is {str(value)[:40]}"
    if manifest["status"] not in (UNFINISHED, FINISHED):
        return f"'status' is {manifest['status'][:40]!r}; expected {UNFINISHED} or {FINISHED}"
    if not manifest["plan"] or not all(_is_condition(row) for row in manifest["plan"]):
        return "'plan' is not a list of conditions with their 'games'"
    if not all(isinstance(name, str) for name in manifest["libraries"].values()):
        return "'libraries' is not a list of versions by name"
    if not all(isinstance(word, str) for word in manifest["command"]):
        return "'command' is not a list of words"
    if not all(isinstance(name, str) and _PLAIN_NAME.fullmatch(name) for name in manifest["files"]):
        return "'files' is not a list of names"
    if not all(_is_input(entry) for entry in manifest["inputs"]):
        return "'inputs' is not a list of files with 'given', 'copy' and 'sha256'"
    return ""


def _is_condition(row: Any) -> bool:
    games = row.get("games") if isinstance(row, dict) else None
    return isinstance(games, int) and not isinstance(games, bool) and 0 <= games < MOST


def _is_input(entry: Any) -> bool:
    if not isinstance(entry, dict) or not all(
        isinstance(entry.get(k), str) for k in ("given", "copy", "sha256")
    ):
        return False
    parts = Path(entry["copy"]).parts
    return parts[:1] == ("inputs",) and len(parts) > 1 and ".." not in parts
