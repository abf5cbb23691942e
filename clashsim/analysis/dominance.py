"""Who surely beats whom, which item is better than another whatever it meets, and who beats whom in a circle."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clashsim.analysis.intervals import Interval

Booleans = NDArray[np.bool_]


def dominates(scores: ArrayLike, low: ArrayLike, high: ArrayLike) -> Booleans:
    """Tell which rows surely score more than which other rows, against every column.

    Parameters
    ----------
    scores, low, high : array_like of float, shape (rows, columns)
        Scores of independent pairs with their intervals. Of a pool that plays itself, rows and columns are the same
        items, with 1/2 as an item's score, and limits, against itself. nan: not known, so nothing is sure.

    Returns
    -------
    ndarray of bool, shape (rows, rows)
        At (i, j) whether row i strictly dominates row j.

    Notes
    -----
    Row i is better than j at a column if the interval of the difference of their scores (MOVER: Zou and Donner 2008)
    is above 0. To claim all columns, each has to hold with the confidence of the intervals only, not all of them
    simultaneously (intersection-union test: Berger 1982). So it is enough to make the intervals simultaneous over
    the pairs of rows.
    """
    scores, low, high = (np.asarray(values, np.float64) for values in (scores, low, high))
    difference = scores[:, np.newaxis] - scores
    below = np.hypot((scores - low)[:, np.newaxis], high - scores)
    better: Booleans = difference > below
    return np.asarray(better.all(axis=-1))


def mean_differences(scores: ArrayLike, low: ArrayLike, high: ArrayLike) -> Interval:
    """Return by how much the mean score of each row's item is above that of each column's, in a pool that plays itself.

    Parameters
    ----------
    scores, low, high : array_like of float, shape (items, items)
        Scores of independent pairs with their intervals, B against A being one minus A against B; 1/2 as an item's
        score, and limits, against itself, which does not count for its mean.

    Notes
    -----
    MOVER (Zou and Donner 2008): the distances to the limits of the scores that the difference is made of add up in
    squares. The pair of the two items themselves counts for both means, so twice.
    """
    scores, low, high = (np.asarray(values, np.float64) for values in (scores, low, high))
    items = len(scores)
    below, above = (scores - low) ** 2, (high - scores) ** 2
    means = scores.sum(axis=1) / max(items - 1, 1)
    off = []
    for near, far in ((below, above), (above, below)):
        # of all others, near[i, k] + far[j, k]: their own pair is in both sums, as near[i, j] == far[j, i]
        squares = near.sum(axis=1)[:, np.newaxis] + far.sum(axis=1) + 2 * near
        np.fill_diagonal(squares, 0)
        off.append(np.sqrt(squares) / max(items - 1, 1))
    value = means[:, np.newaxis] - means
    return Interval(value, value - off[0], value + off[1], np.full_like(value, np.nan))


def shortest_cycles(beats: ArrayLike) -> list[tuple[int, ...]]:
    """Return all shortest cycles of items of which each beats the next one, and the last the first.

    Parameters
    ----------
    beats : array_like of bool, shape (items, items)
        At (i, j) whether i beats j.

    Returns
    -------
    list of tuples of int
        Each starts with its lowest item; in ascending order. Empty if there is no cycle. Where every pair is
        decided, the shortest cycles have three items.
    """
    beats = np.asarray(beats, bool)
    length = _length_of_shortest_cycle(beats)
    if length == 0:
        return []
    beaten = [np.flatnonzero(row).tolist() for row in beats]
    paths: list[tuple[int, ...]] = [(first,) for first in range(len(beats))]
    for _ in range(length - 1):
        paths = [(*path, after) for path in paths for after in beaten[path[-1]] if after > path[0]]
    return [path for path in paths if beats[path[-1], path[0]]]


def _length_of_shortest_cycle(beats: Booleans) -> int:
    """Return the least number of steps in which an item comes back to itself, 0 if none does."""
    reached = beats
    for length in range(1, len(beats) + 1):
        if reached.diagonal().any():
            return length
        reached = reached @ beats
    return 0
