"""How strong tens are found: generations of them, raced against a field of earlier winners and bred from the best.

A ten is a tuple of places of cards in the set. Shared cards have the same places in all tens of a generation, so that
the same chance shuffles and bans them. What comes next depends on the seed and the results so far, on nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import NamedTuple

import numpy as np

from clashsim.analysis.intervals import Floats
from clashsim.clash.drafting import CONSTRUCTED_SIZE
from clashsim.running.chunks import even

Ten = tuple[int, ...]

FIELD = 6  # opponents of a generation
LEAST_POPULATION = 4
HEAT_SHARES = (1 / 8, 1 / 8, 1 / 4, 1 / 2)  # of the games of the best of a generation
DRAWN_BY_VALUE = 0.75  # of the tens that the search starts from
IMMIGRANTS = 0.1  # of a generation: new tens, drawn by merit
PRIOR_GAMES = 100  # that the card values count for, as what a card is worth in the search
CROSSED = 0.5  # of the others: from two parents
BY_MERIT = 0.5  # of the cards that change
MORE_SWAPS = 0.4  # chance that a child has one more card changed
SCALE = 0.7  # of the standard deviation of the values: a card worth so much more is drawn e times as readily
TRIES = 200  # to find a ten that is not there yet, before any will do


class Heat(NamedTuple):
    """A part of a generation's race: how many tens are in it, and how many games each plays against each opponent."""

    tens: int
    games: int


@dataclass(frozen=True)
class Course:
    """What a search is like.

    Attributes
    ----------
    worths : ndarray of float
        Of the cards, by their places in the set.
    heats : sequence of Heat
        Of every generation.
    generations : int
    field : int
        Number of opponents.
    seed : int
    starts : sequence of Ten
        Tens to start from besides those that are drawn.
    """

    worths: Floats
    heats: Sequence[Heat]
    generations: int
    field: int
    seed: int
    starts: Sequence[Ten] = ()

    @property
    def population(self) -> int:
        """Number of tens of a generation."""
        return self.heats[0].tens


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
        chosen = _first_tens(course, course.population, draw, course.starts)
        self.first_field = _first_tens(course, course.field, draw)
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
            self._begin(_children(course, self._ranked, self.course.heats[-1].tens, draw))
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
        return _distinct([*winners, *self._ranked])[: self.course.population]

    def _scores(self) -> Floats:
        return (self._counts.sum(axis=1) @ [1.0, 0.5, 0.0]) / np.maximum(self._counts.sum(axis=(1, 2)), 1)


def aligned(ten: Ten, to: Ten) -> Ten:
    """Return a ten in another order: the cards that it shares with `to` have the same places as there."""
    others = iter([card for card in ten if card not in to])
    return tuple(card if card in ten else next(others) for card in to)


def swaps_of(ten: Ten, cards: int) -> list[tuple[int, int]]:
    """Return every swap of a card of a ten: its place in the ten, and the card that comes."""
    others = [card for card in range(cards) if card not in ten]
    return [(place, card) for place in range(len(ten)) for card in others]


def swapped(ten: Ten, place: int, card: int) -> Ten:
    """Return a ten with another card in a place."""
    return (*ten[:place], card, *ten[place + 1 :])


def _first_tens(
    course: Course, number: int, draw: np.random.Generator, starts: Sequence[Ten] = ()
) -> list[Ten]:
    """Return different tens: those given, that of the highest values, those drawn by value, and any."""
    best = tuple(np.argsort(-course.worths, kind="stable")[:CONSTRUCTED_SIZE].tolist())
    tens = _distinct([*starts, best])[:number]
    by_value = round(DRAWN_BY_VALUE * number)
    while len(tens) < number:
        tens.append(_new_ten(course, tens, draw, by_value=len(tens) < by_value))
    return tens


def _new_ten(
    course: Course, there: Sequence[Ten], draw: np.random.Generator, *, by_value: bool = True
) -> Ten:
    """Draw a ten that is not there yet, by the values of its cards or with equal chances."""
    taken = set(map(frozenset, there))
    tries = 0
    while True:
        ten = _drawn(course.worths, CONSTRUCTED_SIZE, draw, by_value=by_value and tries < TRIES)
        if frozenset(ten) not in taken:
            return ten
        tries += 1


def _drawn(worths: Floats, number: int, draw: np.random.Generator, *, by_value: bool) -> Ten:
    """Draw cards without replacement, those of a higher worth more readily (Gumbel's trick)."""
    spread = float(worths.std())
    likings = worths / (SCALE * spread) if by_value and spread > 0 else np.zeros(len(worths))
    return tuple(np.argsort(-(likings + draw.gumbel(size=len(worths))))[:number].tolist())


def _children(course: Course, ranked: Sequence[Ten], survivors: int, draw: np.random.Generator) -> list[Ten]:
    """Return the next generation: the last heat's tens, some new ones, and children of the better half."""
    tens = list(ranked[:survivors])
    parents = ranked[: max(2, len(ranked) // 2)]
    immigrants = max(1, round(IMMIGRANTS * course.population))
    for _ in range(min(immigrants, course.population - len(tens))):
        tens.append(_new_ten(course, tens, draw))
    while len(tens) < course.population:
        tens.append(_child(course, parents, tens, draw))
    return tens


def _child(course: Course, parents: Sequence[Ten], there: Sequence[Ten], draw: np.random.Generator) -> Ten:
    """Return a child that is not there yet: the better of two parents, perhaps crossed, some cards changed."""
    taken = set(map(frozenset, there))
    for _ in range(TRIES):
        one, other = (parents[draw.integers(len(parents), size=2).min()] for _ in range(2))
        child = _crossed(one, other, draw) if draw.random() < CROSSED else one
        if child is one or draw.random() < CROSSED:
            child = _mutated(course, child, draw)
        if frozenset(child) not in taken:
            return child
    return _new_ten(course, there, draw)


def _crossed(one: Ten, other: Ten, draw: np.random.Generator) -> Ten:
    """Return the first ten with about half of the cards that only the other has."""
    return tuple(
        theirs if mine != theirs and draw.random() < CROSSED else mine
        for mine, theirs in zip(one, aligned(other, one), strict=True)
    )


def _mutated(course: Course, ten: Ten, draw: np.random.Generator) -> Ten:
    while True:
        left = np.array([card for card in range(len(course.worths)) if card not in ten])
        if not left.size:
            return ten
        by_merit = bool(draw.random() < BY_MERIT)
        place = _drawn(-course.worths[list(ten)], 1, draw, by_value=by_merit)[0]
        by_merit = bool(draw.random() < BY_MERIT)
        ten = swapped(ten, place, int(left[_drawn(course.worths[left], 1, draw, by_value=by_merit)[0]]))
        if draw.random() >= MORE_SWAPS:
            return ten


def _distinct(tens: Sequence[Ten]) -> list[Ten]:
    found: dict[frozenset[int], Ten] = {}
    for ten in tens:
        found.setdefault(frozenset(ten), ten)
    return list(found.values())
