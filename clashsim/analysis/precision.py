"""When a condition has had enough games: looks, targets, and the games to expect before a run.

A run looks at the results of a condition only after fixed numbers of games, the same in every run, so that
neither threads nor interruptions change where it stops. Scores and precisions are fractions (0.005 is half a
percentage point).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, takewhile

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

from clashsim.analysis.intervals import Interval, bonferroni, score_interval, score_sequence, verdict
from clashsim.errors import InputError

CONFIDENCE = 0.95

EVEN_PRECISION = 0.01
"""Half-width at which a condition without a verdict counts as decided, unless a precision is asked for."""

DECIDED = "decided"
PRECISE = "precise"

_PRIOR_GAMES = 10  # a pairing's score has a standard deviation of 0.15 around 1/2 before any game is seen
_PLAUSIBLE_SCORES = 201


def looks() -> Iterator[int]:
    """Yield the numbers of games after which results are looked at: 1000 * 1.2**k, rounded up to even."""
    return (2 * -(-500 * 6**k // 5**k) for k in count())


def look_at_least(games: int) -> int:
    """Return the first look at which a condition has `games` games or more."""
    return next(look for look in looks() if look >= games)


def games_for(games: ArrayLike, half_width: ArrayLike, precision: float, cap: int) -> int:
    """Return the look, or the cap, at which half-widths are expected to be at most `precision`.

    Parameters
    ----------
    games, half_width : array_like of float
        Numbers of games, and the half-widths that they gave: these shrink with the root of the number.
    precision : float
    cap : int
    """
    with np.errstate(over="ignore"):
        wanted = np.max(np.asarray(games) * np.square(np.asarray(half_width) / np.float64(precision)))
    return min(look_at_least(int(min(wanted, cap))), cap)


@dataclass(frozen=True, slots=True)
class Target:
    """What a condition must reach before it may stop.

    Parameters
    ----------
    precision : float, optional
        Stop when the half-width of the score's 95 % interval is at most this, above 0 and up to 0.5.
    until_decided : bool
        Stop when the verdict is settled, whichever comes first. All limits are then those of the confidence
        sequence, since where a run stops depends on its scores; the verdict's are simultaneous over the
        comparisons.

    Raises
    ------
    InputError
        The precision is out of range.

    Notes
    -----
    With neither, a condition never stops by itself. A target of precision alone needs no sequence, since the
    width of an interval hardly depends on the side on which the score errs: where it stops, the 95 % interval
    covers 95 % on average over scores and 94 % at the worst (scores far from 1/2 that need just more games
    than one look has; simulated).
    """

    precision: float | None = None
    until_decided: bool = False

    def __post_init__(self) -> None:
        if self.precision is not None and not 0 < self.precision <= 0.5:
            points = f"{100 * self.precision:g}"
            raise InputError(
                f"precision {points}: expected percentage points of score above 0 and up to 50, such as 0.5."
            )

    def interval(self, results: ArrayLike, confidence: float = CONFIDENCE) -> Interval:
        """Return the score of results (..., strata, 3) with limits that hold where this target stops."""
        wins, draws, losses = np.moveaxis(np.asarray(results, np.int64), -1, 0)
        of_score = score_sequence if self.until_decided else score_interval
        return of_score(wins, draws, losses, confidence)

    def reason(self, results: ArrayLike, comparisons: int, even: bool = False) -> str:
        """Return why one condition may stop at a look, "decided" or "precise", or "" when it may not.

        Parameters
        ----------
        results : array_like of int, shape (strata, 3)
            Games won, drawn and lost. For an even condition, the rate whose precision matters (the score of
            the side that starts).
        comparisons : int
            Number of verdicts that are to hold together.
        even : bool
            The condition is even by definition and gets no verdict: it stops at the target's precision or,
            when it has none and goes on until decided, at `EVEN_PRECISION`.
        """
        return str(self.reasons(results, comparisons, even))

    def reasons(self, results: ArrayLike, comparisons: int, even: bool = False) -> NDArray[np.str_]:
        """Return `reason` for every one of results (..., strata, 3)."""
        precision = self._even_precision if even else self.precision
        precise = self.interval(results).half_width <= (precision or 0)
        decided = np.zeros_like(precise)
        if self.until_decided and not even:
            together = self.interval(results, bonferroni(CONFIDENCE, comparisons))
            decided = verdict(together.low, together.high) != "undecided"
        return np.select([decided, precise], [DECIDED, PRECISE], "")[()]

    def tightens(self, other: "Target") -> bool:
        """Tell whether what `other` has not stopped, this target would not have stopped either.

        A run under `other` can then go on under this target and ends where a run under this target from the
        start ends, given the same comparisons and equally many games in every stratum.

        Notes
        -----
        Precision is judged by wider limits under `until_decided`, so a target with it and one without it
        stop at different looks whatever their precisions. The answer may be False where both happen to stop at
        the same looks, but not True where they don't.
        """
        if self == Target():
            return True
        if self.until_decided != other.until_decided:
            return False
        if self.precision is not None:
            return other.precision is not None and self.precision <= other.precision
        return other.precision is None or other.precision >= EVEN_PRECISION

    @property
    def _even_precision(self) -> float | None:
        return EVEN_PRECISION if self.until_decided and self.precision is None else self.precision


def expected_games(
    target: Target, pilot: ArrayLike | None, comparisons: int, cap: int, even: bool = False
) -> int:
    """Number of games that a condition is expected to take, before it is run.

    Parameters
    ----------
    target : Target
        When it stops.
    pilot : array_like of int, shape (strata, 3), optional
        Results of a few games of the condition. Without any, a score around 1/2 and no draws are assumed.
    comparisons, even
        As for `Target.reason`.
    cap : int
        Largest number of games.

    Returns
    -------
    int
        Even, unless it is an odd cap.

    Notes
    -----
    A few games leave open whether a score is near an edge of the band, where a verdict takes many games, so
    the number is a mean over the scores that are plausible after the pilot: quantiles of the beta
    distribution that has its wins and losses (a draw is half of either) on top of 10 games half won and half
    lost. At each score the shares of wins, draws and losses are the pilot's, with the same 10 games, mixed
    with as many wins or losses as it takes; the run stops at the first look where exactly these shares would
    stop it.
    """
    seen = list(takewhile(lambda look: look <= cap, looks()))
    if not seen or target == Target():
        return cap
    results = _expected_results(_plausible_shares(pilot), np.array(seen))
    stops = target.reasons(results, comparisons, even) != ""
    games = np.where(stops.any(axis=-1), np.array(seen)[stops.argmax(axis=-1)], cap)
    return min(2 * int(np.ceil(games.mean() / 2)), cap)


def _plausible_shares(pilot: ArrayLike | None) -> NDArray[np.float64]:
    """Shares (scores, strata, 3) of wins, draws and losses at equally likely scores, given a pilot."""
    counts = np.zeros((1, 3)) if pilot is None else np.asarray(pilot, np.float64)
    counts = counts + np.array([0.5, 0, 0.5]) * _PRIOR_GAMES / len(counts)
    shares = counts / counts.sum(axis=-1, keepdims=True)
    wins, draws, losses = counts.sum(axis=0)
    ranks = (np.arange(_PLAUSIBLE_SCORES) + 0.5) / _PLAUSIBLE_SCORES
    wanted = betaincinv(wins + draws / 2, losses + draws / 2, ranks)[:, np.newaxis, np.newaxis]
    score = shares.mean(axis=0) @ np.array([1, 0.5, 0])
    won = np.clip((wanted - score) / (1 - score), 0, 1)
    lost = np.clip((score - wanted) / score, 0, 1)
    return (1 - won - lost) * shares + won * np.array([1, 0, 0]) + lost * np.array([0, 0, 1])


def _expected_results(shares: NDArray[np.float64], games: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts (scores, looks, strata, 3) nearest to shares (scores, strata, 3) of numbers of games (looks)."""
    strata = shares.shape[-2]
    each = (games // strata)[:, np.newaxis]
    wins, losses = (np.rint(each * shares[:, np.newaxis, :, i]).astype(np.int64) for i in (0, 2))
    losses = np.minimum(losses, each - wins)
    return np.stack([wins, each - wins - losses, losses], axis=-1)
