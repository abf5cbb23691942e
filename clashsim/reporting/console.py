"""The findings on a terminal."""

import sys
from itertools import accumulate

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from clashsim.experiments.result import Findings, Section
from clashsim.reporting.tables import format_table

PIPE_WIDTH = 120


def show(findings: Findings, console: Console | None = None) -> None:
    """Print the answer and the main tables: those of the sections that are main, or of the first that has one."""
    console = console or Console(width=None if sys.stdout.isatty() else PIPE_WIDTH)
    console.print(Text(findings.title, style="bold"))
    for sentence in findings.answer:
        console.print(Text(sentence))
    with_table = [section for section in findings.sections if section.table is not None]
    for main in [section for section in with_table if section.main] or with_table[:1]:
        console.print()
        shown, left_out = _table(main, console.width)
        console.print(shown)
        if left_out:
            console.print(
                Text(f"For want of room without {', '.join(left_out)}; --format csv has all columns.")
            )
        if main.sentences:
            console.print(Padding(Text(" ".join(main.sentences)), (1, 0, 0, 0)))


def _fitting(
    headings: list[str], rows: list[list[str]], numeric: list[bool], width: int
) -> tuple[list[str], list[list[str]], list[bool]]:
    """Leave out columns from the right until the rest fits; the files have them all."""
    widths = [max(map(len, column)) + 2 for column in zip(headings, *rows, strict=True)]
    kept = max(1, sum(total <= width + 2 for total in accumulate(widths)))
    return headings[:kept], [row[:kept] for row in rows], numeric[:kept]


def _table(section: Section, width: int) -> tuple[Table, list[str]]:
    """Return what fits of a section's table, and the headings of the columns that don't."""
    every, rows, numeric = format_table(section)
    headings, rows, numeric = _fitting(every, rows, numeric, width)
    table = Table(title=section.heading, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name, right in zip(headings, numeric, strict=True):
        table.add_column(Text(name), justify="right" if right else "left", no_wrap=True)
    for cells in rows:
        table.add_row(*map(Text, cells))
    return table, every[len(headings) :]
