"""Search for the numbers that score best where every score is noisy: evolution of a distribution (CMA-ES)."""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from clashsim.analysis.intervals import Floats
from clashsim.errors import InputError

LEAST_POPULATION = 4


class Evolution:
    """Asks for the scores of populations of candidates, and moves its distribution towards the better ones.

    Parameters
    ----------
    start : array_like of float, shape (n,)
        The first mean of the distribution; n at least 2.
    scales : array_like of float, shape (n,)
        Sizes of sensible changes of each number, all positive.
    seed : int
        The same seed and the same scores give the same candidates.
    population : int
        Candidates of a generation.
    step : float
        First standard deviation of the distribution, in units of `scales`.

    Notes
    -----
    CMA-ES (Hansen 2016, The CMA evolution strategy: a tutorial, arXiv:1604.00772), by the library ``cma``. It looks at
    the ranks within a generation only, so scores need to be comparable within one and may be drawn anew in the next.
    Its random numbers come from a generator of its own.
    """

    def __init__(
        self, start: ArrayLike, scales: ArrayLike, *, seed: int, population: int, step: float
    ) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that there is no library for plots
            import cma

        self._start = np.asarray(start, np.float64)
        self._scales = np.asarray(scales, np.float64)
        if self._start.size < 2 or self._scales.shape != self._start.shape or not (self._scales > 0).all():
            raise InputError("evolution: expected at least two numbers, each with a positive scale")
        if population < LEAST_POPULATION:
            raise InputError(f"population is {population}; expected at least {LEAST_POPULATION}")
        draw = np.random.default_rng(seed).standard_normal
        options = {
            "popsize": population,
            "seed": np.nan,  # leave numpy's own generator alone
            "randn": lambda *shape: draw(shape),
            "verbose": -9,
            "maxiter": np.inf,
        }
        self._strategy = cma.CMAEvolutionStrategy(np.zeros(self._start.size), step, options)
        self._asked: list[Floats] = []

    @property
    def mean(self) -> Floats:
        """The mean of the distribution: what it holds for best by now, and less lucky than the best candidate."""
        return self._start + self._scales * self._strategy.mean

    def ask(self) -> list[Floats]:
        """Return the candidates of the next generation."""
        self._asked = self._strategy.ask()
        return [self._start + self._scales * point for point in self._asked]

    def tell(self, scores: Sequence[float]) -> None:
        """Take in the scores of the candidates that were asked for, in their order; more is better."""
        self._strategy.tell(self._asked, [-score for score in scores])
