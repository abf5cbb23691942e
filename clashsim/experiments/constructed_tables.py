"""Two constructed decks against each other: the tables, made from the tallies of their games."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from clashsim.analysis.contrasts import difference_of_intervals
from clashsim.analysis.intervals import Interval, bonferroni, mean_of_intervals, rate_interval, score_interval
from clashsim.analysis.precision import CONFIDENCE, Target
from clashsim.clash.core.state import SIDES
from clashsim.clash.drafting import Drafter
from clashsim.clash.tens import TensDuel
from clashsim.experiments.matchup_tables import (
    ALL_GAMES,
    FIXED,
    Row,
    advantage_columns,
    estimate,
    rounded,
    score_columns,
    starter_results,
    verdict_columns,
)
from clashsim.running import Tally

HURTS, HELPS, UNDECIDED = "hurts more", "hurts less", "undecided"

_BY_CHANCE = (
    *(
        "score_banned",
        "score_banned_low",
        "score_banned_high",
        "score_kept",
        "score_kept_low",
        "score_kept_high",
    ),
    *("ban_effect", "ban_effect_low", "ban_effect_high", "ban_effect_low_all", "ban_effect_high_all"),
)


def scores_table(duels: Sequence[TensDuel], tallies: Sequence[Tally], target: Target = FIXED) -> pd.DataFrame:
    """Return one row per policy: the score of side A, its verdict, what going first is worth."""
    rows = []
    for duel, tally in zip(duels, tallies, strict=True):
        results = tally["results"]
        together = target.interval(results, bonferroni(CONFIDENCE, len(duels)))
        rows.append(
            {
                "policy": duel.policies[0].name,
                "deck_a": duel.tens[0].name,
                "deck_b": duel.tens[1].name,
                "bans": duel.banners[0].name,
                "vs_bans": duel.banners[1].name,
            }
            | score_columns(results, together, target)
            | verdict_columns(target.interval(results), together)
            | advantage_columns(target.interval(starter_results(tally)))
            | {"comparisons": len(duels), "stopped": target.reason(results, len(duels)) or ALL_GAMES}
        )
    return pd.DataFrame(rows)


def bans_table(duels: Sequence[TensDuel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy, side and card of its ten: how often it is banned, and what that is worth."""
    return pd.DataFrame(
        [
            _ban_row(duel, tally, side, place)
            for duel, tally in zip(duels, tallies, strict=True)
            for side in range(SIDES)
            for place in range(len(duel.tens[side].cards))
        ]
    )


def banned_share(banned: np.ndarray, games: np.ndarray, banner: Drafter) -> Interval:
    """Return in which share of games (starter,) a card was banned: known exactly where that is no matter of chance."""
    share = rate_interval(banned, games)
    return share._replace(low=share.value, high=share.value) if banner.needs_worths else share


def _ban_row(duel: TensDuel, tally: Tally, side: int, place: int) -> Row:
    card, banner = duel.tens[side].cards[place], duel.banners[1 - side]
    banned, results = tally["banned"][side, place], tally["results"]
    share = banned_share(banned.sum(axis=-1), results.sum(axis=-1), banner)
    kept = results - banned
    row: Row = {
        "policy": duel.policies[0].name,
        "side": "AB"[side],
        "deck": duel.tens[side].name,
        "card": card.name,
        "banned_by": banner.name,
        "worth": rounded(banner.worths.cards[_place_in_set(duel, place, side)]) if banner.worths else np.nan,
        "games": int(results.sum()),
        "games_banned": int(banned.sum()),
        **estimate(share, "banned"),
    }
    if banner.needs_worths or not banned.sum() or not kept.sum():
        return (
            row
            | dict.fromkeys(_BY_CHANCE, np.nan)
            | {"ban_verdict": UNDECIDED if not banner.needs_worths else ""}
        )
    together = bonferroni(CONFIDENCE, sum(len(ten.cards) for ten in duel.tens))
    effect, all_ = (_effect(banned, kept, side, confidence) for confidence in (CONFIDENCE, together))
    low, high = rounded(all_.low), rounded(all_.high)
    return row | {
        **estimate(_owner_score(banned, side), "score_banned"),
        **estimate(_owner_score(kept, side), "score_kept"),
        **estimate(effect, "ban_effect"),
        "ban_effect_low_all": low,
        "ban_effect_high_all": high,
        "ban_verdict": HURTS if high < 0 else HELPS if low > 0 else UNDECIDED,
    }


def _place_in_set(duel: TensDuel, place: int, side: int) -> int:
    return [card.name for card in duel.cards.cards].index(duel.tens[side].cards[place].name)


def _effect(banned: np.ndarray, kept: np.ndarray, side: int, confidence: float) -> Interval:
    return difference_of_intervals(
        _owner_score(kept, side, confidence), _owner_score(banned, side, confidence)
    )


def _owner_score(results: np.ndarray, side: int, confidence: float = CONFIDENCE) -> Interval:
    """Return the score of a side from counts (starter, 3) of how games ended for side A.

    Chance decides how many of the games with a ban each side starts, so the two kinds count the same, whatever their
    numbers.
    """
    seen = results if side == 0 else results[..., ::-1]
    won, drew, lost = np.moveaxis(seen[:, np.newaxis], -1, 0)
    return mean_of_intervals(score_interval(won, drew, lost, confidence))
