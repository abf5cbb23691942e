"""`clashsim rerun`: a run again, from its folder, and whether the same comes out."""

import sys
from typing import Annotated

import typer

from clashsim.cli.conduct import Conduct, conduct
from clashsim.cli.options import JobsOption, examples

EXAMPLES = examples(
    "clashsim rerun reports/matchups",
    "clashsim rerun reports/matchups --out /tmp/again --jobs 1",
)


def rerun(
    context: typer.Context,
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Output folder of a finished run.")],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            show_default="FOLDER-rerun, or -rerun-2 and so on",
            help="Play it again into this folder, which must be new or empty.",
        ),
    ] = None,
    jobs: JobsOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Start without asking, however long it takes.")] = False,
) -> None:
    """Play a run again from what its folder keeps, and compare: identical, or where it differs (exit code 1).

    The copies of cards and decks in the folder are used, and nothing is overwritten. A file of single games
    (--games-out) is played again and compared if it lies in the folder.
    """
    from clashsim.errors import CheckFailed
    from clashsim.reporting.rerun import (
        changed_files,
        differences_of_rerun,
        games_file_in,
        new_folder,
        open_finished,
    )

    run = open_finished(folder)
    new = new_folder(run.folder, out)
    for note in [*run.changes, *changed_files(run)]:
        print(f"clashsim: {note}", file=sys.stderr)
    games_file = games_file_in(run.folder, run.manifest)
    games_out = str(new / games_file) if games_file else None
    command = ["clashsim", *context.find_root().obj]
    how = Conduct(command, str(new), games_out, jobs, quiet=True, yes=yes)
    conduct(run.manifest["experiment"], run.options, run.plan, how)
    tables, differences = differences_of_rerun(run, new)
    if differences:
        print(*differences, sep="\n")
        raise CheckFailed(f"{new} differs from {run.folder}, as listed")
    print(f"Identical: all {tables} table files in {run.folder} and {new} are the same to the byte.")
