"""The stages of a search for strong tens: what each plays, and what they come to."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from clashsim.analysis.paired import paired_difference
from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.tens import TensDuel
from clashsim.experiments.constructed_breeding import Course, Ten, swapped, swaps_of
from clashsim.experiments.constructed_evolution import Evolution
from clashsim.experiments.constructed_race import Arena, Race
from clashsim.running import Tally
from clashsim.running.chunks import even

MOST_FINALISTS = 10
AUDIT_SHARES = (2 / 5, 6 / 5, 8.0)  # of --games: what a swap plays in each heat of the audit
PASSING = 1 / 4  # of the swaps that pass the first heat
LAST_SWAPS = 8
BLOCK = 20  # games of a swap at a time: the best ten plays each block once


class AuditHeat(NamedTuple):
    """A heat of the audit: how many swaps, and how many blocks of how many games each plays."""

    swaps: int
    blocks: int
    block: int


@dataclass(frozen=True)
class Sizes:
    """How large the stages are that follow upon the generations.

    Attributes
    ----------
    finalists : int
    final_games : int
        Of each pair of tens.
    first_field_games : int
        Of each generation's winner against each of the tens that the search started from.
    audit : sequence of AuditHeat
    """

    finalists: int
    final_games: int
    first_field_games: int
    audit: Sequence[AuditHeat]


def sizes_for(cards: int, population: int, games: int, field: int) -> Sizes:
    """Return the sizes of the last stages for a card set of so many cards."""
    finalists = min(MOST_FINALISTS, population)
    swaps = len(swaps_of(tuple(range(10)), cards))
    passing = max(round(PASSING * swaps), min(LAST_SWAPS, swaps))
    numbers = (swaps, passing, min(LAST_SWAPS, swaps))
    heats = []
    for number, share in zip(numbers, AUDIT_SHARES, strict=True):
        each = even(max(2, -int(-share * games // finalists)))  # against each of the finalists
        block = min(each, BLOCK)
        heats.append(AuditHeat(number, -(-each // block) * finalists, block))
    return Sizes(finalists, even(games), even(max(2, -(-games // field))), heats)


def deck_of(cards: CardSet, ten: Ten, name: str = "ten") -> Deck:
    """Return a ten as a deck."""
    return Deck(name, tuple(cards.cards[place] for place in ten))


def evolved(course: Course, heats: Sequence[Tally]) -> Evolution:
    """Return the search as it stands after some heats."""
    evolution = Evolution(course)
    for tally in heats:
        evolution.tell(tally["results"])
    return evolution


def heat_of(arena: Arena, evolution: Evolution) -> Race:
    """Return the next heat of a generation."""
    before = sum(heat.games for heat in evolution.course.heats[: evolution.heat])
    games = evolution.course.heats[evolution.heat].games
    return Race(
        arena,
        f"constructed search {evolution.generation}",
        [deck_of(arena.cards, evolution.tens[place]) for place in evolution.runners],
        [deck_of(arena.cards, ten) for ten in evolution.field],
        blocks=len(evolution.field),
        block=games,
        first_game=before,
    )


def pairings_of(arena: Arena, tens: Sequence[Ten]) -> list[TensDuel]:
    """Return the round robin of the final: every pair with games of its own."""
    decks = [deck_of(arena.cards, ten) for ten in tens]
    return [
        arena.duel(decks[one], decks[other], f"constructed final {one} {other}")
        for one, other in combinations(range(len(tens)), 2)
    ]


def first_field_race(arena: Arena, evolution: Evolution, games: int) -> Race:
    """Return games of every generation's winner against the tens that the search started from."""
    return Race(
        arena,
        "constructed first field",
        [deck_of(arena.cards, one.winner) for one in evolution.history],
        [deck_of(arena.cards, ten) for ten in evolution.first_field],
        blocks=len(evolution.first_field),
        block=games,
    )


class Final(NamedTuple):
    """The tens of the final, the best first, and the games of their pairs.

    Attributes
    ----------
    tens : list of Ten
    pairs : ndarray of int, shape (pairs, 2)
        Places in `tens`, the better first.
    results : ndarray of int, shape (pairs, 2, 3)
        By who started, and how they ended for the first of a pair: won, drew, lost.
    banned : ndarray of int, shape (tens, 10, 2)
        Games in which each card was banned, by who started.
    """

    tens: list[Ten]
    pairs: np.ndarray
    results: np.ndarray
    banned: np.ndarray

    @property
    def games_of_a_ten(self) -> int:
        """How many games each ten played."""
        return int(self.results[0].sum()) * (len(self.tens) - 1)


def final_of(tens: Sequence[Ten], tallies: Sequence[Tally]) -> Final:
    """Rank the tens of the final by their games."""
    played = list(combinations(range(len(tens)), 2))
    points = np.zeros(len(tens))
    banned = np.zeros((len(tens), len(tens[0]), 2), np.int64)
    for (one, other), tally in zip(played, tallies, strict=True):
        won, drew, lost = tally["results"].sum(axis=0)
        points[one] += won + drew / 2
        points[other] += lost + drew / 2
        for side, ten in enumerate((one, other)):
            banned[ten] += tally["banned"][side].sum(axis=-1)
    order = sorted(range(len(tens)), key=lambda place: (-points[place], place))
    ranks = {place: rank for rank, place in enumerate(order)}
    pairs, results = [], []
    for (one, other), tally in zip(played, tallies, strict=True):
        ahead = ranks[one] < ranks[other]
        pairs.append((ranks[one], ranks[other]) if ahead else (ranks[other], ranks[one]))
        results.append(tally["results"] if ahead else tally["results"][::-1, ::-1])
    in_order = np.lexsort(np.array(pairs).T[::-1])
    return Final(
        [tens[place] for place in order],
        np.array(pairs)[in_order],
        np.array(results)[in_order],
        banned[order],
    )


class Audit(NamedTuple):
    """What has become of the swaps of the best ten.

    Attributes
    ----------
    swaps : list of (place in the ten, card)
    running : list of int
        Those still in the audit, by their places in `swaps`.
    heats : ndarray of int, shape (swaps,)
        The last heat that each was in, from 1 on.
    joint : ndarray of int, shape (swaps, 2, 3, 3)
        The games that count for it: of the first heats together, or of the last one.
    thresholds : list of float
        The least gain that passed each heat.
    """

    swaps: list[tuple[int, int]]
    running: list[int]
    heats: np.ndarray
    joint: np.ndarray
    thresholds: list[float]


def audit_race(arena: Arena, final: Final, audit: Audit, sizes: Sizes, heat: int) -> Race:
    """Return a heat of the audit, 0 the first: swaps of the best ten, in its games against all tens of the final."""
    best = final.tens[0]
    last = heat == len(sizes.audit) - 1
    played = 0 if last else sum(one.blocks * one.block for one in sizes.audit[:heat]) // len(final.tens)
    _, blocks, block = sizes.audit[heat]
    tens = [swapped(best, *audit.swaps[place]) for place in audit.running]
    return Race(
        arena,
        "constructed audit, last heat" if last else "constructed audit",
        [deck_of(arena.cards, ten) for ten in tens],
        [deck_of(arena.cards, ten) for ten in final.tens],
        blocks=blocks,
        block=block,
        first_game=played,
        base=deck_of(arena.cards, best),
    )


def audited(best: Ten, cards: int, sizes: Sizes, tallies: Sequence[Tally]) -> Audit:
    """Return the audit as it stands after some heats."""
    swaps = swaps_of(best, cards)
    running = list(range(len(swaps)))
    heats = np.zeros(len(swaps), np.int64)
    joint = np.zeros((len(swaps), 2, 3, 3), np.int64)
    thresholds: list[float] = []
    for heat, tally in enumerate(tallies):
        if (
            heat == len(sizes.audit) - 1
        ):  # its games are fresh: what chance did for those that passed does not count
            joint[running] = 0
        joint[running] += tally["joint"]
        heats[running] = heat + 1
        if heat + 1 < len(sizes.audit):
            gains = paired_difference(joint[running]).value
            order = np.argsort(-gains, kind="stable")[: sizes.audit[heat + 1].swaps]
            thresholds.append(float(gains[order[-1]]))
            running = sorted(running[place] for place in order.tolist())
    return Audit(swaps, running, heats, joint, thresholds)
