"""Run an experiment as the command line asks: a question first if it is long, a folder, progress, the report."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

from clashsim.cli.compiling import announce_compiling
from clashsim.errors import InputError

if TYPE_CHECKING:
    from clashsim.experiments.result import Plan, Result, Shown
    from clashsim.reporting.run_folder import RunFolder
    from clashsim.running.pilot import Expectation

LONG = 30 * 60  # seconds; a run that takes longer asks first


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a run is carried out and shown; none of it changes a result.

    Attributes
    ----------
    command : list of str
        The command line, for the manifest.
    out, games_out : str, optional
        Output folder; file of the single games.
    jobs : int, optional
        Threads.
    output_format : str, optional
    resume, dry_run, yes : bool
    quiet : bool
        Show no result.
    """

    command: list[str]
    out: str | None = None
    games_out: str | None = None
    jobs: int | None = None
    output_format: str | None = None
    resume: bool = False
    dry_run: bool = False
    yes: bool = False
    quiet: bool = False


def conduct(experiment: str, options: Mapping[str, Any], plan: "Plan", how: Conduct) -> None:
    """Run a plan that was made from `options`, show what it found, and write its folder."""
    from clashsim.cli.faults import keeping_stopped_games

    with keeping_stopped_games(how.out):
        _conduct(experiment, options, plan, how)


def _conduct(experiment: str, options: Mapping[str, Any], plan: "Plan", how: Conduct) -> None:
    from clashsim.reporting.manifest import build_manifest, fingerprint
    from clashsim.reporting.run_folder import check_run, games_kept

    if how.resume and how.out is None:
        raise InputError("--resume goes on with a run in a folder; expected --out FOLDER")
    manifest = build_manifest(experiment, how.command, options, plan.plan, plan.details, how.games_out)
    run, played = fingerprint(manifest), None
    if how.games_out is not None:
        from clashsim.reporting.games_file import check_games_file

        check_games_file(how.games_out, run, how.out, plan.table_names, resume=how.resume, replace=how.yes)
    if how.out is not None:
        checkpoint = check_run(how.out, manifest, plan.target, resume=how.resume, replace=how.yes)
        if how.resume:
            played = games_kept(checkpoint, manifest, with_records=how.games_out is not None)
    announce_compiling(plan.policies, plan.solo)
    expectation = plan.expect(how.jobs, played)
    if how.dry_run:
        _show_expectation(plan, expectation, how.output_format)
        return
    print(_words_of(plan, expectation), file=sys.stderr)
    ask(expectation, how.yes)
    with _folder(how, manifest, plan) as folder:
        started = perf_counter()
        result = _play(plan, expectation, how, folder, run)
        seconds = perf_counter() - started
        try:
            if not how.quiet:
                show_result(result, how.output_format)
        finally:  # whatever becomes of the output, such as a reader of a pipe that goes away
            if folder:
                folder.finish(result, seconds, expectation.left)
                print(f"Report: {folder.path / 'report.md'}", file=sys.stderr)


def show_result(result: "Shown", output_format: str | None) -> None:
    """Print the findings for people, or the main table for programs."""
    if output_format == "table" or (output_format is None and sys.stdout.isatty()):
        from clashsim.reporting.console import show as show_findings

        show_findings(result.findings())
    else:
        from clashsim.cli.output import show

        show(next(iter(result.tables.values())), output_format)


def _play(
    plan: "Plan", expectation: "Expectation", how: Conduct, folder: "RunFolder | None", run: str
) -> "Result":
    from clashsim.reporting.games_file import game_records
    from clashsim.running import Progress

    with game_records(how.games_out, folder) as records:
        result = plan.run(
            jobs=how.jobs,
            progress=Progress(),
            expected=expectation.games,
            costs=expectation.costs,
            checkpoint=folder.checkpoint if folder else None,
            records=records,
        )
        if records and how.games_out:
            plan.write_games(records, result.plan["games"].tolist(), Path(how.games_out), run)
    return result


@contextmanager
def _folder(how: Conduct, manifest: Mapping[str, Any], plan: "Plan") -> Iterator["RunFolder | None"]:
    """Hold the output folder, if there is one; if the run breaks off, say how to go on."""
    from clashsim.clash.faults import PolicyFault
    from clashsim.reporting.manifest import FINISHED
    from clashsim.reporting.run_folder import open_run

    if how.out is None:
        yield None
        return
    with open_run(how.out, manifest, plan.target, plan.files, resume=how.resume, replace=how.yes) as folder:
        try:
            yield folder
        except BaseException as error:
            hopeless = isinstance(error, InputError | PolicyFault)
            finished = folder.manifest.get("status") == FINISHED
            if not (how.quiet or hopeless or finished or folder.checkpoint.is_empty()):
                print(
                    f"clashsim: the games so far are kept in {folder.path}; "
                    "go on with the same command and --resume",
                    file=sys.stderr,
                )
            raise


def ask(expectation: "Expectation", yes: bool) -> None:
    """Let the user confirm a run that takes long."""
    if expectation.seconds <= LONG or yes:
        return
    from clashsim.running.progress import spell_duration

    took = f"this takes about {spell_duration(expectation.seconds)}"
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        raise InputError(f"{took}; expected --yes to go ahead, fewer --games, or --dry-run to look first")
    if not typer.confirm(f"{took[0].upper()}{took[1:]}. Go ahead?", err=True):
        raise typer.Exit(1)


def _words_of(plan: "Plan", expectation: "Expectation") -> str:
    from clashsim.running.progress import spell_duration

    conditions = len(plan.plan)
    total = sum(expectation.games)
    games = f"{total:,} games"
    if plan.target.precision or plan.target.until_decided:
        games = f"about {games} expected"
        caps = plan.plan["games"].tolist()
        capped = sum(count == cap for count, cap in zip(expectation.games, caps, strict=True))
        games += f" ({capped} of the conditions reach --games first)" if capped else ""
    played = total - expectation.left
    known = f", {played:,} of them played" if played else ""
    took = spell_duration(expectation.seconds)
    return f"{conditions} condition{'s' * (conditions != 1)}, {games}{known}, about {took}"


def _show_expectation(plan: "Plan", expectation: "Expectation", output_format: str | None) -> None:
    from clashsim.cli.output import show

    rate = round(expectation.left / expectation.seconds) if expectation.seconds else None
    row = {
        "conditions": len(plan.plan),
        "games_at_most": int(plan.plan["games"].sum()),
        "games_expected": sum(expectation.games),
        "games_to_play": expectation.left,
        "games_per_second": rate,
        "seconds": round(expectation.seconds, 1),
    }
    show([row], output_format, _words_of(plan, expectation))
