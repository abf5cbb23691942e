"""What every experiment offers to those who run it, and hands to reporting: findings, tables, figures to draw."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

import pandas as pd

from clashsim.analysis.precision import Target
from clashsim.clash.policies import Policy
from clashsim.running import Checkpoint, Progress, RecordStore
from clashsim.running.pilot import Expectation

Format = Literal["percent", "interval", "points", "number", "short", "signed", "count", "text"]
"""How a column is shown, given as a fraction where it is a share.

percent: 0.571 as 57.1 %; interval: likewise, with the limits from columns `<name>_low` and `<name>_high` (for
a `<name>` that ends in a side, such as score_a, also `score_low` and `score_high`); points: a signed
difference in percentage points; number: two digits; short: as few as it takes; signed: whole, with its sign;
count: whole, with thousands separators.
"""


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A figure to draw; `data` are the arguments of the plotting function of that kind, the title apart."""

    kind: Literal["heatmap", "whiskers", "series", "scatter", "clouds"]
    name: str
    title: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report.

    `table` is written in full to the file `<name>.csv`. The page and the terminal show `shown`, if it is
    given, else all of it, the terminal only that of the sections that are `main`, or if none is, of the first that has
    one: the columns named in `columns`, in that order and format; all columns, by their
    type, when none is named.
    """

    heading: str
    sentences: Sequence[str] = ()
    table: pd.DataFrame | None = None
    name: str = ""
    columns: Mapping[str, Format] = field(default_factory=dict)
    figure: FigureSpec | None = None
    shown: pd.DataFrame | None = None
    main: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """A question, its answer in a sentence or three, and the sections that show it.

    `attachments` makes the texts of further files, by their names, for those who write them; empty ones are left out.
    """

    title: str
    question: str
    answer: Sequence[str]
    sections: Sequence[Section]
    attachments: Callable[[], Mapping[str, str]] = dict


class Shown(Protocol):
    """What can be shown on a terminal: tables, and what they say."""

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name, the main one first."""
        ...

    def findings(self) -> Findings:
        """Return the answers in sentences, with the tables and figures that show them."""
        ...


class Result(Shown, Protocol):
    """What a run found."""

    @property
    def plan(self) -> pd.DataFrame:
        """One row per condition, with the number of `games` it got."""
        ...

    @property
    def measured(self) -> dict[str, Any]:
        """What was measured of this machine, another every time; for the manifest."""
        ...


class Plan(Protocol):
    """An experiment that is checked and ready to run."""

    @property
    def plan(self) -> pd.DataFrame:
        """One row per condition; `games` is how many it gets, at most if it may stop early."""
        ...

    @property
    def details(self) -> dict[str, Any]:
        """What decides the games besides the plan, and how they are counted; for the manifest."""
        ...

    @property
    def target(self) -> Target:
        """When a condition stops before its last game."""
        ...

    @property
    def policies(self) -> Sequence[Policy]:
        """The policies that play, each once: they may have to be compiled first."""
        ...

    @property
    def solo(self) -> bool:
        """Whether its games are solo games: they have a core of their own."""
        ...

    @property
    def files(self) -> Mapping[str, Path]:
        """The input files, by how they are named in the arguments."""
        ...

    @property
    def table_names(self) -> Sequence[str]:
        """The names of the tables that a run gives."""
        ...

    def expect(self, jobs: int | None = None, played: Sequence[int] | None = None) -> Expectation:
        """Play a few games and tell how many it will take, and how long, beyond those `played` of each condition."""
        ...

    def run(
        self,
        *,
        jobs: int | None = None,
        progress: Progress | None = None,
        expected: Sequence[int] | None = None,
        costs: Sequence[float] | None = None,
        checkpoint: Checkpoint | None = None,
        records: RecordStore | None = None,
    ) -> Result:
        """Play the games and make the tables."""
        ...

    def write_games(self, records: RecordStore, games: Sequence[int], path: Path, run: str) -> None:
        """Write what was kept of these numbers of games of each condition into one Parquet file."""
        ...
