"""`clashsim bench`: how fast this machine plays."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from clashsim.cli.options import (
    POLICY_NAMES,
    Format,
    FormatOption,
    GamesOption,
    JobsOption,
    YesOption,
    examples,
)
from clashsim.errors import InputError

EXAMPLES = examples(
    "clashsim bench",
    "clashsim bench --quick --policy greedy",
    "clashsim bench --jobs 8 --out reports/bench-server.json",
)

BenchPoliciesOption = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="NAME,NAME",
        show_default="random,greedy",
        help=f"Policies to measure, separated by commas: {POLICY_NAMES}.",
    ),
]
BenchOutOption = Annotated[
    str | None,
    typer.Option(
        "--out",
        metavar="FILE",
        show_default="reports/bench-<date and time>.json",
        help="Write the record into this file, as JSON.",
    ),
]
QuickOption = Annotated[
    bool,
    typer.Option("--quick", help="Seconds instead of minutes: short runs, no compiling into an empty cache."),
]


def measure_speed(
    context: typer.Context,
    policy: BenchPoliciesOption = None,
    games: GamesOption = 100_000,
    jobs: JobsOption = None,
    quick: QuickOption = False,
    out: BenchOutOption = None,
    output_format: FormatOption = None,
    yes: YesOption = False,
) -> None:
    """Measure games per second, scaling over threads, time outside the core, and compiling.

    The shipped decks play each other; every figure is the median of several repetitions taken in turns, with
    their range. A record is written as JSON. Slow policies get fewer games than --games.
    """
    from clashsim import __version__
    from clashsim.cli.compiling import announce_compiling
    from clashsim.experiments.bench import bench
    from clashsim.running.files import write_json

    started, clock = datetime.now(UTC), perf_counter()
    policies = None if policy is None else [name.strip() for name in policy.split(",")]
    path = _record_path(out, started, yes)
    announce_compiling()
    result = bench(policies, games=games, jobs=jobs, quick=quick, folder=path.parent, say=_say)
    record = {
        "program": "clashsim",
        "version": __version__,
        "command": ["clashsim", *context.find_root().obj],
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(perf_counter() - clock, 1),
        **result.record(),
    }
    write_json(path, record)
    print(f"Record: {path}", file=sys.stderr)
    _show(result, output_format)


def _record_path(out: str | None, started: datetime, yes: bool) -> Path:
    """Return where the record goes, after making sure that it can be written there."""
    from clashsim.running.files import open_folder

    path = Path(f"reports/bench-{started:%Y%m%dT%H%M%SZ}.json" if out is None else out)
    if path.is_dir() or not path.name:
        raise InputError(f"--out {out}: it is a folder; expected the name of a file, such as bench.json")
    if path.exists() and not yes:
        raise InputError(f"--out {path}: it exists; expected a new name, or --yes to replace it")
    open_folder(path.parent)
    return path


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _show(result, output_format: Format | None) -> None:
    if output_format == "table" or (output_format is None and sys.stdout.isatty()):
        from clashsim.reporting.console import show as show_findings

        show_findings(result.findings())
    else:
        from clashsim.cli.output import show

        show(result.table, output_format)
