"""What an experiment hands to reporting: findings in words, tables and figures to draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

Format = Literal["percent", "interval", "points", "number", "count", "text"]
"""How a column is shown, given as a fraction where it is a share.

percent: 0.571 as 57.1 %; interval: likewise, with the limits from columns `<name>_low` and `<name>_high` (for
a `<name>` that ends in a side, such as score_a, also `score_low` and `score_high`); points: a signed
difference in percentage points; number: two digits; count: whole, with thousands separators.
"""


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A figure to draw; `data` are the arguments of the plotting function of that kind, the title apart."""

    kind: Literal["heatmap", "whiskers"]
    name: str
    title: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report.

    `table` is written in full to the file `<name>.csv`. The page and the terminal show `shown`, if it is
    given, else all of it: the columns named in `columns`, in that order and format; all columns, by their
    type, when none is named.
    """

    heading: str
    sentences: Sequence[str] = ()
    table: pd.DataFrame | None = None
    name: str = ""
    columns: Mapping[str, Format] = field(default_factory=dict)
    figure: FigureSpec | None = None
    shown: pd.DataFrame | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """A question, its answer in a sentence or three, and the sections that show it."""

    title: str
    question: str
    answer: Sequence[str]
    sections: Sequence[Section]
