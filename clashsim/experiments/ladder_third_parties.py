"""Where the order of a ladder does not hold: a lower rung that does better than a higher one against a third policy."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from clashsim.analysis.contrasts import difference_of_intervals, share_at_confidence
from clashsim.analysis.intervals import Interval, bonferroni
from clashsim.analysis.precision import CONFIDENCE
from clashsim.experiments.words import interval


def third_parties(pairs: pd.DataFrame, ranked: Sequence[str]) -> str:
    """Name where a lower rung surely scores more than a higher one against a third policy.

    The differences are those of independent estimates, and hold for all pairs of policies and third ones together.
    """
    scores = pairs.set_index(["policy_a", "policy_b"])
    trios = [
        (higher, lower, third)
        for higher, lower in combinations(ranked, 2)
        for third in ranked
        if third not in (higher, lower)
    ]
    told = []
    for higher, lower, third in trios:
        ahead, behind = scores.loc[(lower, third)], scores.loc[(higher, third)]
        confidence = bonferroni(CONFIDENCE, len(trios))
        of_lower, of_higher = (_at_confidence(row, confidence) for row in (ahead, behind))
        if difference_of_intervals(of_higher, of_lower).low > 0:
            told.append(
                f"{lower} does better than {higher} against {third}: {interval(ahead, 'score_a', 'score')} and "
                f"{interval(behind, 'score_a', 'score')}"
            )
    sure = "with 95 % confidence for all such comparisons at once"
    return f"A lower rung can do better against a third policy ({sure}): {'; '.join(told)}." if told else ""


def _at_confidence(row: pd.Series, confidence: float) -> Interval:
    """Return a row's score with limits of another confidence."""
    columns = ("score_a", "score_low", "score_high", "games")
    return share_at_confidence(
        Interval(*(np.asarray(row[name], float) for name in columns)), CONFIDENCE, confidence
    )
