"""How the games go: draws, length, when the Bastions fall, mana left unspent, and which cards are played."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from clashsim.analysis.intervals import histogram_quantile, rate_interval
from clashsim.clash.duels import Duel
from clashsim.experiments.matchup_tables import CONFIDENCE, DREW, STALLED, Row, estimate, names_of, rounded
from clashsim.running import Tally

SHORT, LONG = 0.1, 0.9  # quantiles of the number of turns


def health_table(duels: Sequence[Duel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per pairing that was played."""
    return pd.DataFrame([_health_row(duel, tally) for duel, tally in zip(duels, tallies, strict=True)])


def plays_table(duels: Sequence[Duel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return how often each card is played, per deck and policy, over all its games; a mirror counts on both sides."""
    counts: dict[tuple[str, str, str, str], list[int]] = {}
    for duel, tally in zip(duels, tallies, strict=True):
        games = int(tally["results"].sum())
        players = zip(duel.decks, duel.policies, reversed(duel.policies), tally["plays"], strict=True)
        for deck, policy, opponent, plays in players:
            for card, played in zip(deck.cards, plays, strict=True):
                count = counts.setdefault((deck.name, policy.name, opponent.name, card.name), [0, 0])
                count[0] += games
                count[1] += int(played)
    return pd.DataFrame(
        {"deck": deck, "policy": policy, "vs_policy": opponent, "card": card, "games": games, "plays": plays}
        | {"plays_per_game": rounded(plays / games)}
        for (deck, policy, opponent, card), (games, plays) in counts.items()
    ).sort_values(
        ["deck", "policy", "plays"], ascending=[True, True, False], kind="stable", ignore_index=True
    )


def _health_row(duel: Duel, tally: Tally) -> Row:
    results = tally["results"]
    turns = tally["turns"].sum(axis=0)
    draw_rate = estimate(rate_interval(results[:, DREW], results.sum(axis=1), CONFIDENCE), "draw_rate")
    row = names_of(duel) | {"games": int(results.sum()), "draws": int(results[:, DREW].sum())} | draw_rate
    row["stalled"] = draw_rate["draw_rate"] > STALLED
    row["turns_mean"] = _mean(turns)
    for name, quantile in (("turns_p10", SHORT), ("turns_median", 0.5), ("turns_p90", LONG)):
        row[name] = float(histogram_quantile(turns, quantile))
    for side, letter in enumerate("ab"):
        falls = tally["bastion_falls"][side].copy()
        games = falls.sum()
        falls[0] = 0  # the Bastion stood to the end
        row |= estimate(rate_interval(falls.sum(), games, CONFIDENCE), f"bastion_{letter}_fell")
        row[f"bastion_{letter}_turn"] = _mean(falls)
    for side, letter in enumerate("ab"):
        turns_ended = max(int(tally["turns_ended"][side]), 1)
        row[f"unspent_mana_{letter}"] = rounded(tally["unspent_mana"][side] / turns_ended)
    return row


def _mean(counts: np.ndarray) -> float:
    """Return the mean of a histogram of whole numbers; nan where it is empty."""
    total = counts.sum()
    return rounded((counts * np.arange(len(counts))).sum() / total) if total else float("nan")
