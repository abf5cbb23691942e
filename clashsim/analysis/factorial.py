"""What factors do, alone and together, where every set of them was tried.

A set of factors is a number whose bits say which of them are in it; 0 is none. Estimates may be arrays, such as
replicates (`blocks`): then so are the effects.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from clashsim.analysis.intervals import Floats


def members(factors: int) -> list[int]:
    """Return the sets of one factor each that a set is made of."""
    return [1 << place for place in range(factors.bit_length()) if factors >> place & 1]


def subsets(factors: int) -> list[int]:
    """Return all sets of some of these factors, none and all of them included, in rising order."""
    return [chosen for chosen in range(factors + 1) if chosen & factors == chosen]


def on_average(estimates: ArrayLike, factors: int) -> Floats:
    """Return what factors do together beyond what fewer of them do, on average over all sets of the others.

    Parameters
    ----------
    estimates : array_like, shape (2**k, ...)
        One for each set of k factors.
    factors : int
        A set of one (its main effect: with it less without it), of two (difference of differences) or more.

    Notes
    -----
    The contrasts of the full factorial design 2**k, in the unit of the estimates: Yates' effects times
    2**(factors - 1), so that an interaction is what comes on top of the sum.
    """
    values = np.asarray(estimates, np.float64)
    signs = np.array([_sign(factors, chosen & factors) for chosen in range(len(values))])
    return np.tensordot(signs, values, axes=1) * 2 ** len(members(factors)) / len(values)


def on_top(estimates: Mapping[int, ArrayLike], factors: int) -> Floats:
    """Return what factors do together beyond what fewer of them do, with none of the others.

    Of two it is the difference of differences: with both, less with each alone, plus with none.
    """
    return np.sum(
        [_sign(factors, chosen) * np.asarray(estimates[chosen], np.float64) for chosen in subsets(factors)],
        axis=0,
    )


def _sign(factors: int, chosen: int) -> int:
    return -1 if (factors ^ chosen).bit_count() % 2 else 1
