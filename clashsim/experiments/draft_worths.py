"""What cards are worth in drafts: the table that drafters go by, measured from drafts by it until the two agree."""

from collections.abc import Sequence

import numpy as np

from clashsim.analysis.blocks import Jackknifed
from clashsim.analysis.composition import apart_from_means, contributions, rank_correlation, shrunk
from clashsim.analysis.presence import synergy_of
from clashsim.clash.core.dealing import WITH_IT
from clashsim.clash.drafting import Worths
from clashsim.running import Tally

ITERATIONS = 6  # at most, the first of them with random drafts
STABLE = 0.95
"""Rank correlation of the worths drafted by and those measured from these drafts at which they are taken to agree."""


LEAST_GAMES = 10
"""Games with, and games without a card, below which nothing is told of it in solo games."""


def measured_worths(*tallies: Tally, solo: bool) -> Jackknifed:
    """Return what each card adds to the score of the deck that has it, against the mean of all cards.

    From the games of one condition, or of several. Of a duel, the result is won or lost, 1 or -1, which makes twice the
    score, and every card that turns up is in a deck. In solo games a drafter by worths takes the best cards always and
    the worst never; of these it is nan.
    """
    products, scores, results = (
        sum((tally[name] for tally in tallies[1:]), tallies[0][name])
        for name in ("products", "scores", "results")
    )
    games = int(results.sum())
    if not solo:
        found = contributions(products, scores, games)
        return Jackknifed(found.value / 2, found.deviations / 2, found.priors)
    taken = np.diagonal(products.sum(axis=0))
    known = (taken >= LEAST_GAMES) & (taken <= games - LEAST_GAMES)
    return contributions(products, scores, games, known)


def pair_worths(tally: Tally) -> tuple[tuple[float, ...], ...]:
    """Return what pairs of cards do beyond the sum, from random drafts of duels, drawn towards 0 as noise demands.

    What a card does with all others alike is in its own worth already, and taken out here.
    """
    pairs, holding = tally["pairs"], tally["holding"].sum(axis=1)
    kit = len(holding)
    alone = holding[:, np.newaxis] - pairs.sum(axis=2)
    one, other = np.triu_indices(kit, k=1)
    found, z, _ = synergy_of(pairs[one, other, WITH_IT], alone[one, other], alone[other, one])
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.abs(found.value / z)
    values = np.zeros((kit, kit))
    values[one, other] = values[other, one] = np.nan_to_num(found.value)
    centred = apart_from_means(values)[one, other]
    worths = np.zeros((kit, kit))
    worths[one, other] = worths[other, one] = shrunk(np.where(np.isfinite(errors), centred, np.nan), errors)
    return tuple(map(tuple, worths.tolist()))


def next_worths(worths: Worths | None, tallies: Sequence[Tally], *, solo: bool) -> Worths:
    """Return the table to draft by next.

    Of duels: what random drafts show, then the mean of the last table and what it led to. Of solo games: what all
    drafts so far show, since those by a table say nothing of the cards that they always or never take.
    """
    if solo:
        return Worths(tuple(np.nan_to_num(measured_worths(*tallies, solo=True).value).tolist()))
    measured = measured_worths(tallies[-1], solo=False).value
    if worths is None:
        return Worths(tuple(measured.tolist()), pair_worths(tallies[-1]))
    mean = (np.asarray(worths.cards) + measured) / 2
    return Worths(tuple(mean.tolist()), worths.pairs)


def agreement(worths: Worths, tally: Tally, *, solo: bool) -> float:
    """Return the rank correlation of the worths drafted by and those that can be measured from these drafts."""
    return rank_correlation(worths.cards, measured_worths(tally, solo=solo).value)


def refined(tallies: Sequence[Tally], *, solo: bool) -> tuple[list[Worths | None], Worths, bool]:
    """Follow the iterations that have been played.

    Returns
    -------
    tables : list of Worths or None
        What each of them drafted by; None: by chance.
    worths : Worths
        What comes out.
    done : bool
        Whether no more are needed: the last table agrees with what was measured from its drafts.
    """
    tables: list[Worths | None] = []
    worths: Worths | None = None
    done = False
    for number, tally in enumerate(tallies, start=1):
        tables.append(worths)
        done = worths is not None and agreement(worths, tally, solo=solo) >= STABLE
        worths = next_worths(worths, tallies[:number], solo=solo)
    assert worths is not None
    return tables, worths, done
