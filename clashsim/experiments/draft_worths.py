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


def measured_worths(tally: Tally, *, solo: bool) -> Jackknifed:
    """Return what each card adds to the score of the deck that has it, against the mean of the others.

    Of a duel, the result is won or lost, 1 or -1, which makes twice the score.
    """
    found = contributions(tally["products"], tally["scores"], int(tally["results"].sum()))
    return found if solo else Jackknifed(found.value / 2, found.deviations / 2, found.priors)


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


def next_worths(worths: Worths | None, tally: Tally, *, solo: bool) -> Worths:
    """Return the table to draft by next: what random drafts show, then the mean of the last one and what it led to."""
    measured = measured_worths(tally, solo=solo).value
    if worths is None:
        return Worths(tuple(measured.tolist()), () if solo else pair_worths(tally))
    mean = (np.asarray(worths.cards) + measured) / 2
    return Worths(tuple(mean.tolist()), worths.pairs)


def agreement(worths: Worths, tally: Tally, *, solo: bool) -> float:
    """Return the rank correlation of the worths drafted by and those measured from these drafts."""
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
    for tally in tallies:
        tables.append(worths)
        done = worths is not None and agreement(worths, tally, solo=solo) >= STABLE
        worths = next_worths(worths, tally, solo=solo)
    assert worths is not None
    return tables, worths, done
