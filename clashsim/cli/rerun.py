"""`clashsim rerun`: a run again, from its folder, and whether the same comes out."""

import sys
from pathlib import Path
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
    from clashsim.errors import InputError
    from clashsim.experiments.catalogue import plan_of
    from clashsim.reporting.manifest import build_manifest, read_run
    from clashsim.reporting.rerun import (
        changed_files,
        changes_since,
        check_repeatable,
        compare_rerun,
        games_file_in,
        new_folder,
    )
    from clashsim.reporting.run_folder import resolved_options

    path = Path(folder)
    manifest = read_run(path)
    check_repeatable(path, manifest)
    options = resolved_options(path, manifest)
    experiment = manifest["experiment"]
    try:
        plan = plan_of(experiment, options)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    new = new_folder(path, out)
    now = build_manifest(experiment, [], manifest["options"], plan.plan, plan.details)
    notes = changes_since(manifest, now)
    try:
        notes += changed_files(manifest, plan_of(experiment, manifest["options"]).files)
    except InputError:  # an input file is gone or no longer right: the copies are all there is
        notes += [f"the input files as they are now can not be used any more; the copies in {path} are"]
    for note in notes:
        print(f"clashsim: {note}", file=sys.stderr)
    games_file = games_file_in(path, manifest)
    games_out = str(new / games_file) if games_file else None
    command = ["clashsim", *context.find_root().obj]
    conduct(experiment, options, plan, Conduct(command, str(new), games_out, jobs, quiet=True, yes=yes))
    print(compare_rerun(path, manifest, new))
