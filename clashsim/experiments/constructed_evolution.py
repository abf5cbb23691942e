"""How strong tens are found: generations of them, raced against a field of earlier winners and bred from the best.

A ten is a tuple of places of cards in the set. Shared cards have the same places in all tens of a generation, so that
the same chance shuffles and bans them. What comes next depends on the seed and the results so far, on nothing else.
"""

from dataclasses import replace
from math import comb
from typing import NamedTuple

import numpy as np

from clashsim.analysis.intervals import Floats
from clashsim.clash.drafting import CONSTRUCTED_SIZE
from clashsim.experiments.constructed_breeding import (
    Course,
    Heat,
    Ten,
    aligned,
    children,
    distinct,
    first_tens,
)
from clashsim.running.chunks import even

FIELD = 6  # opponents of a generation
LEAST_POPULATION = 4
HEAT_SHARES = (1 / 8, 1 / 8, 1 / 4, 1 / 2)  # of the games of the best of a generation
PRIOR_GAMES = 100  # that the card values count for, as what a card is worth in the search


class Generation(NamedTuple):
    """What became of a generation.

    Attributes
    ----------
    winner : Ten
    score : float
        Its score against the field.
    results : ndarray of int, shape (2, 3)
        All games of its first heat, by starter and how they ended for the generation.
    games : int
        Of all heats.
    """

    winner: Ten
    score: float
    results: np.ndarray
    games: int


def possible_tens(cards: int) -> int:
    """Return how many tens can be made of so many cards."""
    return comb(cards, CONSTRUCTED_SIZE)


def heats_for(population: int, games: int, field: int) -> list[Heat]:
    """Return the heats of a generation in which the best play so many games at least; each heat has half the tens."""
    return [
        Heat(
            max(-(-population // 2**number), min(2, population)), even(max(2, -int(-share * games // field)))
        )
        for number, share in enumerate(HEAT_SHARES)
    ]


class Evolution:
    """A search on its way: what plays next, and what has been found.

    Attributes
    ----------
    generation : int
        From 1 on; the one after the last races the winners once more.
    heat : int
    tens : list of Ten
        The generation.
    runners : list of int
        Those still in the race, by their places in it.
    field, first_field : list of Ten
        Whom they meet; whom the first generation met.
    born : dict
        The generation in which a set of cards was there first.
    history : list of Generation
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self.history: list[Generation] = []
        self.born: dict[frozenset[int], int] = {}
        self._gram = PRIOR_GAMES * np.eye(len(course.worths))
        self._moments = PRIOR_GAMES * course.worths
        self.generation = self.heat = 0
        self.tens: list[Ten] = []
        self.runners: list[int] = []
        self._counts = self._heats = self._first_heat = np.zeros(0, np.int64)
        draw = np.random.default_rng([course.seed, 0])
        chosen = first_tens(course, course.population, draw, course.starts)
        self.first_field = first_tens(course, course.field, draw)
        self._hall = list(self.first_field)
        self._ranked = chosen
        self._begin(chosen)

    def tell(self, results: np.ndarray) -> None:
        """Take in how the runners' games ended: counts (runners, 2, 3)."""
        self._counts[self.runners] += results
        self._heats[self.runners] += 1
        if self.heat == 0:
            self._first_heat = results.sum(axis=0)
        scores = self._scores()
        order = np.lexsort((-scores, -self._heats)).tolist()  # by heats, then by scores, then by places
        self.heat += 1
        if self.heat < len(self.course.heats):
            self.runners = sorted(order[: self.course.heats[self.heat].tens])
            return
        self._ranked = [self.tens[place] for place in order]
        self._end(float(scores[order[0]]))

    @property
    def ranked(self) -> list[Ten]:
        """The tens of the last race, the best first."""
        return self._ranked

    @property
    def merits(self) -> Floats:
        """What each card has done for tens with it, bans and all, beyond the mean of their generation.

        A ridge regression of scores on cards, over all tens so far, weighted by their games. It starts from the values.
        """
        return np.round(np.linalg.solve(self._gram, self._moments), 9)

    def _learn(self) -> None:
        """Take in what the scores of the generation tell of the cards."""
        games = self._counts.sum(axis=(1, 2)).astype(np.float64)
        has = np.zeros((len(self.tens), len(self._moments)))
        np.put_along_axis(has, np.array(self.tens), 1.0, axis=1)
        has -= np.average(has, axis=0, weights=games)
        scores = self._scores() - np.average(self._scores(), weights=games)
        self._gram += (has * games[:, np.newaxis]).T @ has
        self._moments += has.T @ (games * scores)

    def _end(self, score: float) -> None:
        winner = self._ranked[0]
        if self.generation > self.course.generations:
            return
        self._learn()
        self.history.append(Generation(winner, score, self._first_heat, int(self._counts.sum())))
        self._hall = [ten for ten in self._hall if set(ten) != set(winner)] + [winner]
        if self.generation < self.course.generations:
            draw = np.random.default_rng([self.course.seed, self.generation])
            course = replace(self.course, worths=self.merits)
            self._begin(children(course, self._ranked, self.course.heats[-1].tens, draw))
        else:
            self._begin(self._winners())

    def _begin(self, tens: list[Ten]) -> None:
        self.generation += 1
        self.heat = 0
        self.tens = [aligned(ten, tens[0]) for ten in tens]
        self.runners = list(range(len(tens)))
        self.field = self._draw_field()
        self._counts = np.zeros((len(tens), 2, 3), np.int64)
        self._heats = np.zeros(len(tens), np.int64)
        for ten in tens:
            self.born.setdefault(frozenset(ten), self.generation)

    def _draw_field(self) -> list[Ten]:
        """Return half of the latest winners, and any of those before them."""
        latest = self._hall[-(self.course.field // 2) :]
        older = self._hall[: -len(latest)]
        draw = np.random.default_rng([self.course.seed, self.generation, 1])
        others = draw.choice(len(older), self.course.field - len(latest), replace=False)
        return [*(older[place] for place in sorted(others.tolist())), *latest]

    def _winners(self) -> list[Ten]:
        """Return the winners of all generations, the latest first, and as many others as make a generation."""
        winners = [one.winner for one in reversed(self.history)]
        return distinct([*winners, *self._ranked])[: self.course.population]

    def _scores(self) -> Floats:
        return (self._counts.sum(axis=1) @ [1.0, 0.5, 0.0]) / np.maximum(self._counts.sum(axis=(1, 2)), 1)
