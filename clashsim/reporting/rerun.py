"""A run played again: where to, what has changed since, and whether the same came out."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clashsim.errors import InputError
from clashsim.experiments.catalogue import plan_of
from clashsim.experiments.result import Plan
from clashsim.reporting.differences import manifest_differences, table_differences
from clashsim.reporting.manifest import build_manifest
from clashsim.reporting.read_tables import read_finished_run
from clashsim.reporting.run_folder import resolved_options
from clashsim.running.files import check_folder


@dataclass(frozen=True)
class FinishedRun:
    """A run that has come to its end, ready to be played again.

    Attributes
    ----------
    folder : Path
    manifest : dict
    options : dict
        Those of the run, with the copies of its input files.
    plan : Plan
        Laid out from them.
    changes : list of str
        How the program and the settings differ from what would be run now, a line each.
    """

    folder: Path
    manifest: dict[str, Any]
    options: dict[str, Any]
    plan: Plan
    changes: list[str]


def open_finished(folder: str | Path) -> FinishedRun:
    """Lay out the run in a folder once more.

    Raises
    ------
    InputError
        There is no such run, it is unfinished, or what the folder keeps of it is damaged.
    """
    folder = Path(folder)
    manifest = read_finished_run(folder)
    options = resolved_options(folder, manifest)
    experiment = manifest["experiment"]
    try:
        plan = plan_of(experiment, options)
    except InputError as error:
        raise InputError(f"{folder}: {error}") from None
    now = build_manifest(experiment, [], manifest["options"], plan.plan, plan.details)
    played = {"games": now["games"]}  # fewer, where a run stops by itself: no change
    return FinishedRun(folder, manifest, options, plan, manifest_differences({**manifest, **played}, now))


def new_folder(folder: Path, out: str | None) -> Path:
    """Return the folder to play a run again in: `out`, or a name that is free; never one that holds something."""
    if out is not None:
        check_folder(out)
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


def changed_files(run: FinishedRun) -> list[str]:
    """Say which input files are no longer as they were when they were copied."""
    try:
        files = plan_of(run.manifest["experiment"], run.manifest["options"]).files
    except InputError:  # gone, or no longer right
        return [f"the input files as they are now can not be used any more; the copies in {run.folder} are"]
    lines = []
    for entry in run.manifest["inputs"]:
        path = files[entry["given"]]
        if hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
            lines.append(f"{entry['given']} has changed since; what is played is the copy, {entry['copy']}")
    return lines


def differences_of_rerun(run: FinishedRun, again: Path) -> tuple[int, list[str]]:
    """Return how many table files a run has written, and where those of its rerun differ, a line each."""
    tables = {name for name in run.manifest["files"] if name.endswith((".csv", ".parquet"))}
    tables |= {name for name in [games_file_in(run.folder, run.manifest)] if name}
    found = [one for one in table_differences(run.folder, again) if one.file in tables]
    return len(tables), [line for one in found for line in one.lines()]
