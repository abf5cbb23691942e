"""Differences between estimates of two runs, and limits at another confidence when only the limits are known.

As in `intervals`, everything is vectorised, and shares are fractions.
"""

import numpy as np
from scipy.special import ndtri

from clashsim.analysis.intervals import Interval, wilson


def difference_of_intervals(first: Interval, second: Interval) -> Interval:
    """Difference second minus first of two independent estimates, with its own interval.

    Exchanging the two only changes the signs, to the last bit; `games` adds up both. An estimate that is known
    exactly has limits equal to its value.

    Notes
    -----
    MOVER (Zou and Donner 2008), for Wilson's limits the same as method 10 of Newcombe (1998): each limit of the
    difference is as far off as the two limits that pull it there, added in squares. The difference of two shares
    stays between -1 and 1.
    """
    value = second.value - first.value
    below = np.sqrt((second.value - second.low) ** 2 + (first.high - first.value) ** 2)
    above = np.sqrt((second.high - second.value) ** 2 + (first.value - first.low) ** 2)
    return Interval(value, value - below, value + above, first.games + second.games)


def share_at_confidence(share: Interval, confidence: float, wanted: float) -> Interval:
    """Move the limits of shares from one confidence to another, without knowing the counts.

    Notes
    -----
    Either limit p tells by itself the number of games on which it would be Wilson's: z**2 p (1 - p) / (share - p)**2.
    So the limits of `wilson` are moved exactly; those of a mean of shares (`mean_of_intervals`) stay between 0 and 1.
    """
    z = _normal_quantile(confidence)
    limits = []
    for side, limit in enumerate((share.low, share.high)):
        off = share.value - limit
        with np.errstate(divide="ignore", invalid="ignore"):
            games = z**2 * limit * (1 - limit) / off**2
        moved = wilson(share.value, np.where(off == 0, 0, games), wanted)[side]
        limits.append(np.where(off == 0, limit, moved))
    return share._replace(low=limits[0], high=limits[1])


def estimate_at_confidence(estimate: Interval, confidence: float, wanted: float) -> Interval:
    """Move the limits of estimates without bounds: their distances grow like the normal quantile."""
    factor = _normal_quantile(wanted) / _normal_quantile(confidence)
    below, above = estimate.value - estimate.low, estimate.high - estimate.value
    return estimate._replace(low=estimate.value - factor * below, high=estimate.value + factor * above)


def _normal_quantile(confidence: float) -> float:
    return -float(ndtri((1 - confidence) / 2))
