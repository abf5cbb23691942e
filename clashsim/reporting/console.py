"""The findings on a terminal."""

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from clashsim.experiments.result import Findings, Section
from clashsim.reporting.tables import format_table


def show(findings: Findings, console: Console | None = None) -> None:
    """Print the answer and the main table: that of the first section that has one."""
    console = console or Console()
    console.print(Text(findings.title, style="bold"))
    console.print(Text(" ".join(findings.answer)))
    main = next((section for section in findings.sections if section.table is not None), None)
    if main:
        console.print()
        console.print(_table(main))
        if main.sentences:
            console.print(Padding(Text(" ".join(main.sentences)), (1, 0, 0, 0)))


def _table(section: Section) -> Table:
    headings, rows, numeric = format_table(section)
    table = Table(title=section.heading, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name, right in zip(headings, numeric, strict=True):
        table.add_column(Text(name), justify="right" if right else "left")
    for cells in rows:
        table.add_row(*map(Text, cells))
    return table
