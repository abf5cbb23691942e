"""Tens as places of cards in the set: drawn, crossed and changed, by the seed's random numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clashsim.analysis.intervals import Floats
from clashsim.clash.drafting import CONSTRUCTED_SIZE

Ten = tuple[int, ...]

DRAWN_BY_VALUE = 0.75  # of the tens that the search starts from
IMMIGRANTS = 0.1  # of a generation: new tens, drawn by merit
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


def first_tens(
    course: Course, number: int, draw: np.random.Generator, starts: Sequence[Ten] = ()
) -> list[Ten]:
    """Return different tens: those given, that of the highest values, those drawn by value, and any."""
    best = tuple(np.argsort(-course.worths, kind="stable")[:CONSTRUCTED_SIZE].tolist())
    tens = distinct([*starts, best])[:number]
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


def children(course: Course, ranked: Sequence[Ten], survivors: int, draw: np.random.Generator) -> list[Ten]:
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


def distinct(tens: Sequence[Ten]) -> list[Ten]:
    """Return the different ones of some tens, whatever the order of their cards: each as it comes first."""
    found: dict[frozenset[int], Ten] = {}
    for ten in tens:
        found.setdefault(frozenset(ten), ten)
    return list(found.values())
