"""A run played again: where to, what has changed since, and whether the same came out."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clashsim.errors import CheckFailed, InputError
from clashsim.reporting.differences import manifest_differences, table_differences
from clashsim.reporting.manifest import FINISHED


def check_repeatable(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Make sure that a run has come to its end, so that there is something to compare with."""
    if manifest["status"] != FINISHED:
        raise InputError(
            f"{folder} holds an unfinished run; expected a finished one (go on with its command and --resume)"
        )


def new_folder(folder: Path, out: str | None) -> Path:
    """Return the folder to play a run again in: `out`, or a name that is free; never one that holds something."""
    if out is not None:
        path = Path(out)
        if path.is_dir() and any(path.iterdir()):
            raise InputError(
                f"output folder {path}: it is not empty; expected a new folder (a rerun never overwrites)"
            )
        return path
    base = folder.resolve()
    number, path = 1, base.with_name(f"{base.name}-rerun")
    while path.exists():
        number += 1
        path = base.with_name(f"{base.name}-rerun-{number}")
    return path


def games_file_in(folder: Path, manifest: Mapping[str, Any]) -> str | None:
    """Return the name of the file of single games, if the run has written one into its folder."""
    given = manifest["games_file"]
    if given is None or not (folder / Path(given).name).is_file():
        return None
    return Path(given).name


def changes_since(manifest: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Say how the program and the settings of a run differ from what would be run now, a line each."""
    extent = {"games": now["games"]}  # as many as were played, where they stop by themselves
    return manifest_differences({**manifest, **extent}, now)


def changed_files(manifest: Mapping[str, Any], files: Mapping[str, Path]) -> list[str]:
    """Say which input files are no longer as they were when they were copied."""
    lines = []
    for entry in manifest["inputs"]:
        path = files.get(entry["given"])
        try:
            same = path is None or hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]
        except OSError:
            continue  # gone: the copy is all there is
        if not same:
            lines.append(f"{entry['given']} has changed since; what is played is the copy, {entry['copy']}")
    return lines


def compare_rerun(folder: Path, manifest: Mapping[str, Any], again: Path) -> str:
    """Say that a run, of this manifest, and its rerun have the same tables.

    Raises
    ------
    CheckFailed
        They have not; the message says where they differ.
    """
    tables = {name for name in manifest["files"] if name.endswith((".csv", ".parquet"))}
    tables |= {name for name in [games_file_in(folder, manifest)] if name}
    differences = [found for found in table_differences(folder, again) if found.file in tables]
    if not differences:
        return f"Identical: all {len(tables)} table files in {folder} and {again} are the same to the byte."
    lines = [line for difference in differences for line in difference.lines()]
    raise CheckFailed(f"{again} differs from {folder}: " + "; ".join(lines))
