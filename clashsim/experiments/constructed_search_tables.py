"""What a search for strong tens has found: its tables, made from the tallies."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri

from clashsim.analysis.dominance import mean_differences
from clashsim.analysis.equilibrium import EquilibriumEstimate, estimate_equilibrium
from clashsim.analysis.intervals import Interval, bonferroni, mean_of_intervals, score_interval
from clashsim.analysis.paired import paired_difference
from clashsim.analysis.precision import CONFIDENCE
from clashsim.analysis.ratings import score_matrix
from clashsim.clash.cards import CardSet
from clashsim.clash.drafting import Drafter
from clashsim.experiments.constructed_breeding import Ten
from clashsim.experiments.constructed_evolution import Evolution
from clashsim.experiments.constructed_stages import Audit, Final
from clashsim.experiments.constructed_tables import banned_share
from clashsim.experiments.matchup_tables import estimate, rounded, score_columns, verdict_columns

BEST, NOT_WORSE, WORSE = "best", "not surely worse", "worse"
BETTER, UNDECIDED = "better", "undecided"
MISSED = 0.2  # of the audits may miss a swap that is as good as `least_gain`


class Outcome(NamedTuple):
    """What all stages of a search came to.

    Attributes
    ----------
    cards : CardSet
    banner : Drafter
    values : Interval
        Of the cards; limits are nan where they are from a file.
    evolution : Evolution
    final : Final
    first_field : ndarray of int, shape (generations, 2, 3)
        Games of each generation's winner against the tens that the search started from.
    audit : Audit
    seed : int
    """

    cards: CardSet
    banner: Drafter
    values: Interval
    evolution: Evolution
    final: Final
    first_field: np.ndarray
    audit: Audit
    seed: int

    @property
    def tens(self) -> dict[str, list[str]]:
        """The cards of the tens of the final, by their names."""
        return {name_of(rank): self.cards_of(ten) for rank, ten in enumerate(self.final.tens)}

    def cards_of(self, ten: Ten) -> list[str]:
        """Return the names of a ten's cards, those of the highest value first."""
        places = sorted(ten, key=lambda place: (-float(self.values.value[place]), place))
        return [self.cards.cards[place].name for place in places]


def name_of(rank: int) -> str:
    """Return the name of a ten of the final by its place, from 0."""
    return f"ten-{rank + 1}"


def tens_table(outcome: Outcome) -> pd.DataFrame:
    """Return one row per ten of the final, the best first."""
    final, tens = outcome.final, len(outcome.final.tens)
    mean = mean_of_intervals(_without_diagonal(_matrices(final, CONFIDENCE)))
    together = mean_of_intervals(_without_diagonal(_matrices(final, bonferroni(CONFIDENCE, tens))))
    behind = mean_differences(*_matrices(final, bonferroni(CONFIDENCE, tens * (tens - 1) // 2)))
    mix = _equilibrium(outcome).rows
    rows = []
    for rank, ten in enumerate(final.tens):
        lag = Interval(*(np.asarray(values)[0, rank] for values in behind))
        standing = BEST if rank == 0 else WORSE if rounded(lag.low) > 0 else NOT_WORSE
        rows.append(
            {
                "rank": rank + 1,
                "ten": name_of(rank),
                "ten_cards": ", ".join(outcome.cards_of(ten)),
                "games": final.games_of_a_ten,
                **estimate(_at(mean, rank), "score"),
                "score_low_all": rounded(together.low[rank]),
                "score_high_all": rounded(together.high[rank]),
                **estimate(lag, "behind"),
                "standing": standing,
                **estimate(
                    Interval(mix.weight[rank], mix.low[rank], mix.high[rank], mean.games[rank]), "weight"
                ),
                "support": rounded(mix.support[rank]),
                "generation": outcome.evolution.born[frozenset(ten)],
            }
        )
    return pd.DataFrame(rows)


def pairings_table(outcome: Outcome) -> pd.DataFrame:
    """Return one row per pair of tens of the final, the better one as A."""
    final, rows = outcome.final, []
    for (one, other), results in zip(final.pairs.tolist(), final.results, strict=True):
        won, drew, lost = np.moveaxis(results, -1, 0)
        together = score_interval(won, drew, lost, bonferroni(CONFIDENCE, len(final.pairs)))
        rows.append(
            {"ten_a": name_of(one), "ten_b": name_of(other)}
            | score_columns(results, together)
            | verdict_columns(score_interval(won, drew, lost), together)
        )
    return pd.DataFrame(rows)


def cards_table(outcome: Outcome) -> pd.DataFrame:
    """Return one row per card: its value, and how much of it the tens of the final have."""
    final, values = outcome.final, outcome.values
    weights = _equilibrium(outcome).rows.weight
    each = final.results[0].sum(axis=-1) * (len(final.tens) - 1)  # games of a ten, half of them started by it
    rows = []
    for place, card in enumerate(outcome.cards.cards):
        having = [rank for rank, ten in enumerate(final.tens) if place in ten]
        banned = sum(
            (final.banned[rank, final.tens[rank].index(place)] for rank in having),
            start=np.zeros(2, np.int64),
        )
        share = banned_share(banned, len(having) * each, outcome.banner)
        row = {
            "card": card.name,
            "cost": card.cost,
            **estimate(_at(values, place), "value"),
            "finalists_share": rounded(len(having) / len(final.tens)),
            "weighted_share": rounded(sum(weights[rank] for rank in having)),
            "games": len(having) * final.games_of_a_ten,
            "games_banned": int(banned.sum()),
        }
        known = estimate(share, "banned")
        rows.append(row | (known if having else dict.fromkeys(known, np.nan)))
    rows.sort(key=lambda row: (-row["weighted_share"], -row["finalists_share"], -row["value"]))
    return pd.DataFrame(rows)


def swaps_table(outcome: Outcome) -> pd.DataFrame:
    """Return one row per swap of a card of the best ten, those of the last heat first, the best of them first."""
    audit, best = outcome.audit, outcome.final.tens[0]
    rows = []
    for place, (slot, card) in enumerate(audit.swaps):
        joint, last = audit.joint[place], audit.heats[place] == audit.heats.max()
        comparisons = len(audit.running) if last else len(audit.swaps)
        together = paired_difference(joint, bonferroni(CONFIDENCE, comparisons))
        low, high = rounded(together.low), rounded(together.high)
        rows.append(
            {
                "ten": name_of(0),
                "out": outcome.cards.cards[best[slot]].name,
                "into": outcome.cards.cards[card].name,
                "swap_heat": int(audit.heats[place]),
                "games": int(joint.sum()),
                **estimate(paired_difference(joint), "swap_gain"),
                "swap_gain_low_all": low,
                "swap_gain_high_all": high,
                "swap_verdict": BETTER if low > 0 else WORSE if high < 0 else UNDECIDED,
            }
        )
    rows.sort(key=lambda row: (-row["swap_heat"], -row["swap_gain"]))
    return pd.DataFrame(rows)


def generations_table(outcome: Outcome) -> pd.DataFrame:
    """Return one row per generation: how its tens and its winner fared."""
    evolution, rows = outcome.evolution, []
    for number, (one, fresh) in enumerate(zip(evolution.history, outcome.first_field, strict=True), start=1):
        mean, first = (_score(results) for results in (one.results, fresh))
        rows.append(
            {
                "generation": number,
                "ten_cards": ", ".join(outcome.cards_of(one.winner)),
                "candidates": evolution.course.population,
                "games": one.games,
                **estimate(mean, "mean_field_score"),
                "field_score": rounded(one.score),
                **estimate(first, "first_field_score"),
            }
        )
    return pd.DataFrame(rows)


def least_gain(outcome: Outcome) -> float:
    """Return the smallest true gain of a swap that four of five such audits would surely find.

    Each heat has to let the swap pass: with a chance of 1 in 15 each to miss it, at most 1 in 5 miss it in all three.
    """
    audit = outcome.audit
    miss = -float(ndtri(MISSED / (len(audit.thresholds) + 1)))
    gains = []
    for heat, threshold in enumerate(audit.thresholds, start=1):
        dropped = audit.joint[audit.heats == heat]
        if len(dropped):
            error = paired_difference(dropped, CONFIDENCE).half_width.max() / _quantile(CONFIDENCE)
            gains.append(threshold + miss * error)
    confidence = bonferroni(CONFIDENCE, len(audit.running))
    last = paired_difference(audit.joint[audit.running], confidence).half_width.max()
    return rounded(max(*gains, last * (1 + miss / _quantile(confidence)), 0.0))


def _quantile(confidence: float) -> float:
    return -float(ndtri((1 - confidence) / 2))


def _score(results: np.ndarray) -> Interval:
    won, drew, lost = np.moveaxis(results, -1, 0)
    return score_interval(won, drew, lost)


def _at(intervals: Interval, place: int) -> Interval:
    return Interval(*(np.asarray(values)[place] for values in intervals))


def _matrices(final: Final, confidence: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return everyone's score against everyone, with limits."""
    won, drew, lost = np.moveaxis(final.results, -1, 0)
    score, tens = score_interval(won, drew, lost, confidence), len(final.tens)
    return (
        score_matrix(final.pairs, score.value, tens),
        score_matrix(final.pairs, score.low, tens, opposite=score.high),
        score_matrix(final.pairs, score.high, tens, opposite=score.low),
    )


def _without_diagonal(matrices: tuple[np.ndarray, ...]) -> Interval:
    """Return scores against the others only, each with its limits."""
    tens = len(matrices[0])
    others = ~np.eye(tens, dtype=bool)
    score, low, high = (matrix[others].reshape(tens, tens - 1) for matrix in matrices)
    return Interval(score, low, high, np.ones_like(score))


def _equilibrium(outcome: Outcome) -> EquilibriumEstimate:
    final = outcome.final
    everyone = range(len(final.tens))
    return estimate_equilibrium(
        final.pairs, final.results, (everyone, everyone), outcome.seed, confidence=CONFIDENCE
    )
