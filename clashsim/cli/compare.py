"""`clashsim compare`: two finished runs side by side."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from clashsim.cli.options import Format, FormatOption, examples

if TYPE_CHECKING:
    from clashsim.experiments.comparison import Comparison

EXAMPLES = examples(
    "clashsim compare reports/before reports/after",
    "clashsim compare reports/greedy reports/random --table pool",
    "clashsim compare reports/before reports/after --format csv > change.csv",
)

TableOption = Annotated[
    str | None,
    typer.Option(
        "--table",
        metavar="NAME",
        show_default="the first of these that both runs have",
        help="The table to compare: matchups, pool, first_player, health (draws) or ratings.",
    ),
]


def compare(
    first: Annotated[
        str, typer.Argument(metavar="FIRST", help="Folder of a finished run of matchups.", show_default=False)
    ],
    second: Annotated[
        str, typer.Argument(metavar="SECOND", help="Folder of another one.", show_default=False)
    ],
    table: TableOption = None,
    output_format: FormatOption = None,
) -> None:
    """Show two runs of matchups side by side: what differs in their settings and results, and how sure that is.

    The difference is second minus first, with its 95 % interval, and with one that holds for all comparisons together.
    """
    from pathlib import Path

    from clashsim.experiments.comparison import Run, check_comparable, choose_table, compare_runs
    from clashsim.reporting.differences import manifest_differences
    from clashsim.reporting.read_tables import read_finished_run, read_table

    folders = Path(first), Path(second)
    manifests = [read_finished_run(folder) for folder in folders]
    check_comparable(*manifests)
    name = choose_table(table, *([path.stem for path in folder.glob("*.csv")] for folder in folders))
    runs = [
        Run(str(folder), manifest, read_table(folder / f"{name}.csv"))
        for folder, manifest in zip(folders, manifests, strict=True)
    ]
    _show(compare_runs(name, *runs), manifest_differences(*manifests), output_format)


def _show(comparison: "Comparison", settings: list[str], output_format: Format | None) -> None:
    from clashsim.cli.output import show
    from clashsim.experiments.comparison_findings import findings

    report = findings(comparison)
    for_people = output_format == "table" or (output_format is None and sys.stdout.isatty())
    lines = (
        ["Settings that differ:", *(f"  {line}" for line in settings)]
        if settings
        else ["The settings are the same."]
    )
    print(*lines, sep="\n", file=sys.stdout if for_people else sys.stderr)
    if for_people:
        from clashsim.reporting.console import show as show_findings

        print()
        show_findings(report)
    else:
        print(*report.answer, *comparison.notes, sep="\n", file=sys.stderr)
        show(comparison.table, output_format)
