"""What became of every setting of a run of solo games: rates and means, with their intervals."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from clashsim.analysis.intervals import Interval, histogram_quantile, mean_interval, rate_interval
from clashsim.analysis.precision import CONFIDENCE, Target
from clashsim.clash.solo_settings import PRICES, level_of
from clashsim.clash.solos import Solo
from clashsim.experiments.audit_cells import CEILING, FLOOR, INSIDE, MARGIN
from clashsim.experiments.matchup_tables import ALL_GAMES, DREW, LOST, STALLED, WON, Row, estimate, rounded
from clashsim.experiments.solo_arguments import no_bastion_of
from clashsim.running import Tally


def settings_table(solos: Sequence[Solo], tallies: Sequence[Tally], target: Target) -> pd.DataFrame:
    """Return one row per deck, policy and setting."""
    return pd.DataFrame([_row(solo, tally, target) for solo, tally in zip(solos, tallies, strict=True)])


def plays_table(solos: Sequence[Solo], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return how often the player plays each card, per deck and policy, over all settings."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for solo, tally in zip(solos, tallies, strict=True):
        for card, plays in zip(solo.cards.cards, tally["plays"], strict=True):
            count = counts.setdefault((solo.deck_name, solo.policy.name, card.name), [0, 0])
            count[0] += int(tally["results"].sum())
            count[1] += int(plays)
    return pd.DataFrame(
        {"deck": deck, "policy": policy, "card": card, "games": games, "plays": plays}
        | {"plays_per_game": rounded(plays / games)}
        for (deck, policy, card), (games, plays) in counts.items()
        if plays
    )


def blocks_of(tallies: Sequence[Tally]) -> dict[str, np.ndarray]:
    """Return the counts of every condition by block of game numbers, each of shape (conditions, BLOCKS)."""
    results = np.stack([tally["results"] for tally in tallies])
    sums = {"turns": "turns_by_block", "ai_cards_left": "left_by_block", "ai_cards_to_go": "to_go_by_block"}
    return {
        "games": results.sum(axis=2),
        "wins": results[:, :, WON],
        "draws": results[:, :, DREW],
        **{name: np.stack([tally[key] for tally in tallies]) for name, key in sums.items()},
    }


def results_of(tally: Tally) -> np.ndarray:
    """Return wins, and all that is none, as results (1, 3): what a target of precision looks at."""
    won = int(tally["results"][:, WON].sum())
    return np.array([[won, 0, int(tally["results"].sum()) - won]])


def _row(solo: Solo, tally: Tally, target: Target) -> Row:
    results = tally["results"].sum(axis=0)
    games = int(results.sum())
    points = solo.settings.points(no_bastion_of(solo.rules))
    rate = rate_interval([results[WON]], [games], CONFIDENCE)
    row: Row = {"deck": solo.deck_name, "policy": solo.policy.name}
    row |= {name: getattr(solo.settings, name) for name in PRICES}
    row |= {"points": points, "level": level_of(points), "games": games}
    row |= {"wins": int(results[WON]), "draws": int(results[DREW]), "losses": int(results[LOST])}
    row |= {"win_rate": rounded(rate.value), "ci_low": rounded(rate.low), "ci_high": rounded(rate.high)}
    row["mark"] = _mark(float(rate.value))
    row["stalled"] = bool(results[DREW] > STALLED * games)
    row |= estimate(_mean(tally["turns"]), "turns_mean")
    row["turns_median"] = float(histogram_quantile(tally["turns"], 0.5))
    row |= estimate(_mean(tally["left"]), "ai_cards_left")
    row |= estimate(_mean(tally["to_go"]), "ai_cards_to_go")
    for name, fell in zip(("bastion_fell", "ai_bastion_fell"), tally["bastions_fell"], strict=True):
        row |= estimate(rate_interval([fell], [games], CONFIDENCE), name)
    row["stopped"] = target.reason(results_of(tally), 1) or ALL_GAMES
    return row


def _mark(rate: float) -> str:
    return FLOOR if rate < MARGIN else CEILING if rate > 1 - MARGIN else INSIDE


def _mean(counts: np.ndarray) -> Interval:
    """Return the mean of a histogram of whole numbers, with its interval; no mean is below 0."""
    values = np.arange(len(counts))
    found = mean_interval((counts * values).sum(), (counts * values**2).sum(), counts.sum(), CONFIDENCE)
    return found._replace(low=np.maximum(found.low, 0))
