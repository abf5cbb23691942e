"""Figures: rates as a matrix, and estimates with their intervals side by side.

Drawn with matplotlib's objects only, so that nothing is shared between figures and no display is needed.
"""

import io
import textwrap
import warnings
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import PercentFormatter
from matplotlib.transforms import offset_copy
from numpy.typing import ArrayLike

from clashsim.experiments.result import FigureSpec
from clashsim.running.files import write_bytes

DIVERGING = "PuOr"  # told apart with every common kind of colour blindness, and in grey by its middle
DOT, REFERENCE, NOT_APPLICABLE = "#0072B2", "#D55E00", "0.85"  # the first two from Okabe and Ito's palette
SERIES = (
    *(("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D")),
    *(("#E69F00", "v"), ("#56B4E9", "P"), ("#000000", "X")),
)
"""Colours (Okabe and Ito's palette) and markers, so that series are told apart in grey as well."""
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
SPAN = 0.5  # colours are the same in every map: the whole range on either side of the centre
LABEL_WIDTH = 16  # characters
FEW = 12  # labels, for which a small figure has room
LABEL_GAP = 0.032  # of the height of a figure, between labels
GOLDEN = (np.sqrt(5) - 1) / 2  # its multiples spread dots evenly, and the same every time


def draw(spec: FigureSpec) -> Figure:
    """Draw a figure as specified."""
    plots: dict[str, Callable[..., Figure]] = {
        "heatmap": heatmap,
        "whiskers": whiskers,
        "series": series,
        "scatter": scatter,
        "clouds": clouds,
    }
    with matplotlib.rc_context({"text.parse_math": False}):  # a $ in a name is a $
        return plots[spec.kind](title=spec.title, **spec.data)


def heatmap(
    matrix: ArrayLike,
    half_widths: ArrayLike,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    title: str,
    colour_label: str,
    centre: float = 0.5,
    row_title: str = "",
    column_title: str = "",
    span: float = SPAN,
    numbers: bool = True,
) -> Figure:
    """Draw a matrix of rates, each cell with its rate and half-width in percent, or small and without numbers.

    Parameters
    ----------
    matrix, half_widths : array_like of float, shape (rows, columns)
        Fractions; nan where a rate does not apply (a mirror, a condition that was not run), which is greyed.
    row_labels, column_labels : sequence of str
        Names of the rows and columns.
    title, colour_label, row_title, column_title : str
        Of the figure, the colour scale and the axes.
    centre, span : float
        The rate in the middle of the colours, and how far they reach on either side.
    numbers : bool
        Whether the cells have their numbers.
    """
    rates, widths = np.asarray(matrix, np.float64), np.asarray(half_widths, np.float64)
    rows, columns = rates.shape
    width, height = (0.8, 0.62) if numbers else (0.24, 0.24)
    figure = Figure(figsize=(3.6 + width * columns, 2.6 + height * rows), layout=_layout())
    axes = figure.add_subplot()
    colours = matplotlib.colormaps[DIVERGING].with_extremes(bad=NOT_APPLICABLE)
    image = axes.imshow(rates, colours, TwoSlopeNorm(centre, centre - span, centre + span), aspect="auto")
    for row, column in np.ndindex(rows, columns) if numbers else ():
        _write_cell(axes, image, (row, column), float(rates[row, column]), float(widths[row, column]))
    axes.set_xticks(range(columns), _wrapped(column_labels))
    axes.set_yticks(range(rows), _wrapped(row_labels))
    if columns > 2 and max(map(len, column_labels)) > 9:
        axes.tick_params("x", rotation=40 if numbers else 90)
        for label in axes.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
    axes.set(xlabel=column_title, ylabel=row_title)
    _finish(figure, axes, title)
    unit = "%" if numbers else "percentage points"
    figure.colorbar(image, label=f"{colour_label} ({unit})", format=PercentFormatter(1, symbol=""))
    return figure


def whiskers(
    labels: Sequence[str],
    values: ArrayLike,
    lows: ArrayLike,
    highs: ArrayLike,
    title: str,
    x_label: str,
    reference: float | None = None,
    percent: bool = True,
    marks: ArrayLike | None = None,
    marks_label: str = "",
) -> Figure:
    """Draw estimates as dots with their intervals as whiskers, the first on top, and a line at `reference`.

    `values`, `lows` and `highs` are fractions shown in percent, or with ``percent=False`` numbers in the unit
    that `x_label` tells. nan leaves a label without a dot. `marks` are further numbers, one for each label, that the
    estimates are to be compared with, and `marks_label` what they are.
    """
    values, lows, highs = (np.asarray(numbers, np.float64) for numbers in (values, lows, highs))
    figure = Figure(figsize=(7, 1.6 + 0.34 * len(labels)), layout=_layout())
    axes = figure.add_subplot()
    if reference is not None:
        axes.axvline(reference, color=REFERENCE, linestyle="--", linewidth=1.2)
    places = np.arange(len(labels))
    axes.errorbar(
        values, places, xerr=[values - lows, highs - values], fmt="o", color=DOT, capsize=3, linewidth=1.5
    )
    if marks is not None:
        axes.plot(marks, places, "|", color=REFERENCE, markersize=14, markeredgewidth=2.5, label=marks_label)
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), frameon=False)
    axes.set_yticks(places, _wrapped(labels, 28))
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    axes.set_xlabel(f"{x_label} (%)" if percent else x_label)
    if percent:
        axes.xaxis.set_major_formatter(PercentFormatter(1, symbol=""))
    _finish(figure, axes, title)
    return figure


def series(
    labels: Sequence[str],
    series: Sequence[str],
    values: ArrayLike,
    lows: ArrayLike,
    highs: ArrayLike,
    title: str,
    x_label: str,
    reference: float | None = None,
    percent: bool = True,
) -> Figure:
    """Draw several series of shares with their intervals: a line of the figure for each label, a mark for each series.

    Parameters
    ----------
    labels, series : sequence of str
        Names of the lines, the first on top, and of the series.
    values, lows, highs : array_like of float, shape (labels, series)
        Fractions, shown in percent, or with ``percent=False`` numbers in the unit that `x_label` tells; nan where a
        series has none.
    title, x_label : str
    reference : float, optional
        Where to draw a line across.
    """
    values, lows, highs = (np.asarray(numbers, np.float64) for numbers in (values, lows, highs))
    figure = Figure(figsize=(7.5, 1.9 + (0.22 + 0.13 * len(series)) * len(labels)), layout=_layout())
    axes = figure.add_subplot()
    if reference is not None:
        axes.axvline(reference, color="0.4", linestyle="--", linewidth=1.2)
    places = np.arange(len(labels))
    offsets = (np.arange(len(series)) - (len(series) - 1) / 2) * 0.7 / len(series)
    for number, name in enumerate(series):
        colour, marker = SERIES[number % len(SERIES)]
        middle, low, high = values[:, number], lows[:, number], highs[:, number]
        axes.errorbar(
            *(middle, places + offsets[number]),
            xerr=[middle - low, high - middle],
            fmt=marker,
            color=colour,
            capsize=2,
            markersize=5,
            label=name,
        )
    axes.set_yticks(places, _wrapped(labels, 28))
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_yticks(places[1:] - 0.5, minor=True)
    axes.grid(axis="y", which="minor", color="0.8")
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    axes.set_xlabel(f"{x_label} (%)" if percent else x_label)
    if percent:
        axes.xaxis.set_major_formatter(PercentFormatter(1, symbol=""))
    axes.legend(
        loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.5 / (1 + len(labels))), ncols=4, frameon=False
    )
    _finish(figure, axes, title)
    axes.tick_params(which="minor", length=0)
    return figure


def scatter(
    labels: Sequence[str],
    across: ArrayLike,
    values: ArrayLike,
    lows: ArrayLike,
    highs: ArrayLike,
    title: str,
    x_label: str,
    y_label: str,
    percent: bool = False,
    logarithmic: bool = True,
) -> Figure:
    """Draw labelled estimates with their intervals, shares in percent if wanted, against numbers: positive ones on a
    logarithmic axis.
    """
    across, values, lows, highs = (
        np.asarray(numbers, np.float64) for numbers in (across, values, lows, highs)
    )
    figure = Figure(figsize=(7, 4.4) if len(labels) <= FEW else (9.5, 7), layout=_layout())
    axes = figure.add_subplot()
    axes.errorbar(
        across, values, yerr=[values - lows, highs - values], fmt="o", color=DOT, capsize=3, linewidth=1.5
    )
    if logarithmic:
        axes.set_xscale("log")
    if percent:
        axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=""))
    axes.margins(0.15)
    beside = offset_copy(axes.transData, fig=figure, x=8, units="points")
    for label, x, height in zip(_wrapped(labels), across, _apart(across, values), strict=True):
        axes.text(x, height, label, fontsize=8, va="center", transform=beside)
    axes.grid(color="0.9")
    axes.set_axisbelow(True)
    axes.set(xlabel=x_label, ylabel=y_label)
    _finish(figure, axes, title)
    return figure


def clouds(
    panels: Sequence[str],
    groups: Sequence[str],
    values: Sequence[Sequence[ArrayLike]],
    means: ArrayLike,
    lows: ArrayLike,
    highs: ArrayLike,
    title: str,
    x_label: str,
    y_label: str,
    percent: bool = True,
) -> Figure:
    """Draw panels side by side: a dot for each value of a group, and the groups' means with their intervals.

    Parameters
    ----------
    panels, groups : sequence of str
        Names of the panels and, the same in all of them, of the groups.
    values : sequence of sequence of array_like of float, shape (panels, groups, any number)
        Fractions shown in percent, or with ``percent=False`` numbers in the unit that `y_label` tells.
    means, lows, highs : array_like of float, shape (panels, groups)
        nan where a group has no values.
    title, x_label, y_label : str
    percent : bool
    """
    means, lows, highs = (np.asarray(numbers, np.float64) for numbers in (means, lows, highs))
    figure = Figure(figsize=(1.6 + 3.4 * max(len(panels), 1.4), 4.2), layout=_layout())
    all_axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    places = np.arange(len(groups))
    for axes, name, clouds_of, mean, low, high in zip(
        all_axes, panels, values, means, lows, highs, strict=True
    ):
        for place, cloud in zip(places, clouds_of, strict=True):
            cloud = np.sort(np.asarray(cloud, np.float64))
            across = place + 0.7 * ((np.arange(len(cloud)) * GOLDEN) % 1 - 0.5)
            axes.plot(across, cloud, ".", color="0.35", markersize=4, alpha=0.6, markeredgewidth=0)
        axes.errorbar(
            places, mean, yerr=[mean - low, high - mean], fmt="o-", color=DOT, capsize=3, linewidth=1.5
        )
        axes.set_xticks(places, groups)
        axes.grid(axis="y", color="0.9")
        axes.set_axisbelow(True)
        axes.set_title(name, fontsize=10)
        axes.set_xlabel(x_label)
        if percent:
            axes.yaxis.set_major_formatter(PercentFormatter(1, symbol=""))
        _finish(figure, axes, title)
    all_axes[0].set_ylabel(f"{y_label} (%)" if percent else y_label)
    return figure


def save(figure: Figure, folder: Path, name: str) -> None:
    """Write a figure as PNG (150 dpi) and SVG; the same figure gives the same bytes."""
    timeless = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
    for kind, metadata in timeless.items():
        buffer = io.BytesIO()
        with matplotlib.rc_context({"svg.hashsalt": "clashsim"}), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing")  # drawn as a box; the tables have the name
            figure.savefig(buffer, format=kind, dpi=150, metadata=metadata)
        write_bytes(buffer.getvalue(), folder / f"{name}.{kind}")


def _write_cell(axes: Axes, image: AxesImage, cell: tuple[int, int], rate: float, half_width: float) -> None:
    row, column = cell
    if not np.isfinite(rate):
        axes.text(column, row, "–", ha="center", va="center", color="0.4")
        return
    background = np.asarray(image.cmap(image.norm(np.asarray(rate)))[:3])
    dark = (
        background**2.2 @ LUMINANCE < 0.18
    )  # below it, white is the more readable of the two (WCAG contrast)
    text = f"{100 * rate:.1f}" + (f"\n±{100 * half_width:.1f}" if np.isfinite(half_width) else "")
    axes.text(column, row, text, ha="center", va="center", fontsize=9, color="white" if dark else "black")


def _apart(across: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return heights for the labels of points: those at one place far enough apart to be read, in their order."""
    heights = values.copy()
    gap = LABEL_GAP * (np.ptp(values) if len(values) else 0)
    for place in np.unique(across):
        points = np.flatnonzero(across == place)
        points = points[np.argsort(-values[points], kind="stable")]
        for above, below in pairwise(points):
            heights[below] = min(heights[below], heights[above] - gap)
        heights[points] += (values[points] - heights[points]).mean()  # around their points
    return heights


def _wrapped(labels: Sequence[str], width: int = LABEL_WIDTH) -> list[str]:
    return ["\n".join(textwrap.wrap(str(label), width, max_lines=2, placeholder="…")) for label in labels]


def _layout() -> ConstrainedLayoutEngine:
    return ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)


def _finish(figure: Figure, axes: Axes, title: str) -> None:
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    characters = int(figure.get_figwidth() * 9)
    figure.suptitle("\n".join(textwrap.wrap(title, characters)), fontsize=11)
