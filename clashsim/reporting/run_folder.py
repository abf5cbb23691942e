"""The folder of a run: who may write into it, what it holds besides the results, and how it ends.

manifest.json   what was run; written before the first game and again after the last
checkpoint/     the games played so far, by condition
inputs/         copies of the files that were read
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clashsim.analysis.precision import Target
from clashsim.errors import InputError, OutputError, reason_of
from clashsim.experiments.result import Result
from clashsim.reporting.differences import manifest_differences
from clashsim.reporting.manifest import (
    FINISHED,
    NAME,
    UNFINISHED,
    fingerprint,
    identity,
    read_run,
    records_of,
)
from clashsim.reporting.publish import write_report
from clashsim.running import Checkpoint, RecordStore
from clashsim.running.files import (
    check_folder,
    locked,
    open_folder,
    remove_parts,
    write_bytes,
    write_json,
)

CHECKPOINT, INPUTS, LOCK = "checkpoint", "inputs", ".lock"
RECORDS = "games"  # in the checkpoint


@dataclass
class RunFolder:
    """A folder that holds one run and is locked for it."""

    path: Path
    manifest: dict[str, Any]
    checkpoint: Checkpoint

    @property
    def records(self) -> RecordStore:
        """Where single games are kept until they go into one file."""
        return RecordStore(self.path / CHECKPOINT / RECORDS)

    def finish(self, result: Result, seconds: float, new_games: int) -> None:
        """Write the report and the final manifest of a run that took `seconds` for `new_games` games."""
        rate = round(new_games / seconds) if new_games and seconds > 0 else None
        self.manifest |= {
            "status": FINISHED,
            "games": int(result.plan["games"].sum()),
            "seconds": round(seconds, 3),
            "games_per_second": rate,
            "measured": result.measured,
            "plan": records_of(result.plan),
        }
        write_report(result.findings(), self.path, self.manifest)


@contextmanager
def open_run(
    path: str | Path,
    manifest: Mapping[str, Any],
    target: Target,
    files: Mapping[str, Path],
    *,
    resume: bool = False,
    replace: bool = False,
) -> Iterator[RunFolder]:
    """Make a folder ready for a run, and keep others out of it as long as the block runs.

    Parameters
    ----------
    path : str or path
    manifest : mapping
        Of the run that is about to begin.
    target : Target
    files : mapping
        The input files, by how the arguments name them: they are copied.
    resume : bool
        Go on with what the folder holds of this run, if it holds anything.
    replace : bool
        Begin anew whatever the folder holds; with `resume` only a damaged manifest is replaced.

    Raises
    ------
    InputError
        The folder is in use, holds another run, can not be written, …
    OutputError
        Writing failed.
    """
    check_run(path, manifest, target, resume=resume, replace=replace)
    folder = open_folder(path)
    with locked(folder, folder / LOCK):
        checkpoint = check_run(path, manifest, target, resume=resume, replace=replace)
        remove_parts(folder)
        run = RunFolder(folder, dict(manifest), checkpoint)
        run.manifest["files"] = _files_of(folder)  # to be removed, should this run not write them again
        run.manifest["inputs"] = _copy_inputs(files, folder)
        write_json(folder / NAME, run.manifest)  # first: a folder that is half cleared must not look finished
        if not resume:
            _clear(run)
        yield run


def check_run(
    path: str | Path, manifest: Mapping[str, Any], target: Target, *, resume: bool, replace: bool
) -> Checkpoint:
    """Make sure that a run may use a folder, which need not exist, and return its checkpoint; changes nothing."""
    check_folder(path)
    folder = Path(path)
    checkpoint = Checkpoint(folder / CHECKPOINT, fingerprint(manifest), target)
    if replace and not resume:
        return checkpoint
    try:
        found = read_run(folder) if (folder / NAME).exists() else None
    except InputError as error:
        if replace:
            return checkpoint
        also = " (with --resume, the games in its checkpoint are kept)" if not checkpoint.is_empty() else ""
        raise InputError(f"{error}; expected a new folder, or --yes to replace it{also}") from None
    if found is None and checkpoint.is_empty():
        _refuse_others_files(folder)
        return checkpoint
    if found is not None and identity(found) != identity(manifest):
        _refuse_other(folder, found, manifest, resume)
    if resume:
        games_kept(checkpoint, manifest)
    else:
        state = UNFINISHED if found is None else found["status"]
        raise InputError(
            f"output folder {folder}: it holds this run already, {state}; expected --resume to go on with it, "
            "--yes to begin again, or a new folder"
        )
    return checkpoint


def games_kept(
    checkpoint: Checkpoint, manifest: Mapping[str, Any], *, with_records: bool = False
) -> list[int]:
    """Return how many games of each condition need not be played again; with records, only those that have them.

    Raises
    ------
    InputError
        A condition can not go on from its checkpoint: it is another run's, or has more games than wanted.
    """
    records = RecordStore(checkpoint.folder / RECORDS)
    kept = [
        checkpoint.quiet().load(row, condition["games"]).games
        for row, condition in enumerate(manifest["plan"])
    ]
    return [
        0 if with_records and not records.covers(row, games.spans) else games.total
        for row, games in enumerate(kept)
    ]


def resolved_options(folder: str | Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a run, with the names of input files replaced by the paths of their copies.

    Raises
    ------
    InputError
        A copy is missing or not as it was when the run read it.
    """
    copies = {}
    for entry in manifest["inputs"]:
        copy = Path(folder) / entry["copy"]
        try:
            digest = hashlib.sha256(copy.read_bytes()).hexdigest()
        except (OSError, ValueError) as error:
            raise InputError(
                f"can not read {copy}: {reason_of(error)}; expected the copy the run made"
            ) from None
        if digest != entry["sha256"]:
            raise InputError(f"{copy} was changed since the run read it; expected the copy the run made")
        copies[entry["given"]] = str(copy)

    def resolved(value: Any) -> Any:
        if isinstance(value, list):
            return [resolved(entry) for entry in value]
        return _with_copies(value, copies) if isinstance(value, str) else value

    return {name: resolved(value) for name, value in manifest["options"].items()}


def _with_copies(text: str, copies: Mapping[str, str]) -> str:
    """Replace the file that a text names, alone or as its first or last part (name:file, file:name), by its copy."""
    if text in copies:
        return copies[text]
    for given in sorted(copies, key=len, reverse=True):  # a colon may be in a file's name as well
        if text.endswith(f":{given}"):
            return text.removesuffix(given) + copies[given]
        if text.startswith(f"{given}:"):
            return copies[given] + text.removeprefix(given)
    return text


def _refuse_others_files(folder: Path) -> None:
    """Make sure that nothing in a folder without a run looks like what a run would write."""
    kinds = ("*.csv", "*.parquet", "*.png", "*.svg", "report.md", INPUTS)
    there = next((path for kind in kinds for path in sorted(folder.glob(kind))), None)
    if there is not None:
        raise InputError(
            f"output folder {folder}: it holds {there.name}, but no run; expected a new folder, or --yes to write there"
        )


def _refuse_other(folder: Path, found: Mapping[str, Any], manifest: Mapping[str, Any], resume: bool) -> None:
    differences = manifest_differences(identity(found), identity(manifest))
    reason = f" ({'; '.join(differences[:2])})" if differences else ""
    wanted = "a new folder" if resume else "a new folder, or --yes to replace it"
    command = " ".join(found["command"])
    raise InputError(f"output folder {folder}: it holds another run, {command}{reason}; expected {wanted}")


def _files_of(folder: Path) -> list[str]:
    """Return the names of the files that the run in a folder has written, as far as that can be told."""
    try:
        return read_run(folder)["files"]
    except InputError:
        return []


def _clear(run: RunFolder) -> None:
    """Remove what another run has left."""
    try:
        for name in run.manifest["files"]:
            (run.path / name).unlink(missing_ok=True)
        run.checkpoint.clear()
        run.records.clear()
    except OSError as error:
        raise OutputError(f"can not empty {run.path}: {reason_of(error)}") from error


def _copy_inputs(files: Mapping[str, Path], folder: Path) -> list[dict[str, str]]:
    """Copy the input files under their own names, since a name may be taken from its file."""
    entries: list[dict[str, str]] = []
    taken: set[str] = set()
    for given, source in files.items():
        copy, number = Path(INPUTS) / source.name, 1
        while str(copy).casefold() in taken:
            number += 1
            copy = Path(INPUTS) / str(number) / source.name
        taken.add(str(copy).casefold())
        try:
            content = source.read_bytes()
            (folder / copy).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"can not copy {source}: {reason_of(error)}") from error
        write_bytes(content, folder / copy)
        digest = hashlib.sha256(content).hexdigest()
        entries.append({"given": given, "copy": copy.as_posix(), "sha256": digest})
    return entries
