"""What the abilities of printed cards are worth to them, and of the AI's creatures to the AI: the other tables."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import Jackknifed
from clashsim.analysis.intervals import Interval, bonferroni, rate_interval
from clashsim.analysis.paired import paired_difference, replicated_differences
from clashsim.analysis.precision import CONFIDENCE
from clashsim.clash.cards import Card
from clashsim.clash.prices import formulas
from clashsim.clash.solo_settings import PRICES
from clashsim.experiments.ability_bodies import Variant
from clashsim.experiments.ability_choice import Tried, judged, worth_of_a_mana
from clashsim.experiments.ability_layout import ALL, CARDS, GIVEN, SOLO, Layout, without_abilities
from clashsim.experiments.ability_tables import lift_row, mana_row, price_row
from clashsim.experiments.card_steps import COST
from clashsim.experiments.matchup_tables import DIGITS, Row, estimate, rounded
from clashsim.experiments.price_tables import interval_of
from clashsim.experiments.twins import by_starter
from clashsim.running import Tally

CARD_COLUMNS = [
    *("policy", "deck", "card", "kind", "cost", "without", "games", "lift", "lift_low", "lift_high"),
    *("lift_low_all", "lift_high_all", "lift_verdict", "printed_price", "measured", "measured_low"),
    *("measured_high", "measured_low_all", "measured_high_all", "price_verdict", "mana_effect"),
    *("mana_effect_low", "mana_effect_high", "rank"),
]
SOLO_COLUMNS = [
    *(
        "policy",
        "ability",
        "games",
        "win_rate",
        "win_rate_low",
        "win_rate_high",
        "loss",
        "loss_low",
        "loss_high",
    ),
    *("loss_low_all", "loss_high_all", "points", "lift", "lift_low", "lift_high", "printed_price"),
]


def printed_table(layout: Layout, tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy, card with abilities, and what is taken from it; those worth most first."""
    played = [(row, tally) for row, tally in zip(layout.rows, tallies, strict=True) if row.part == CARDS]
    comparisons = sum(len(_taken(card)) for _, card in layout.printed)
    rows: list[Row] = []
    for policy in layout.policies:
        found = [
            made
            for row, tally in played
            if row.policy == policy and row.deck and row.card
            for made in _card_rows(
                {"policy": policy.name, "deck": row.deck.name}, row.card, tally["joint"], comparisons
            )
        ]
        whole = sorted((row for row in found if row["without"] == ALL), key=lambda row: -row["lift"])
        ranks = {(row["deck"], row["card"]): rank for rank, row in enumerate(whole, start=1)}
        ranked = [row | {"rank": ranks[row["deck"], row["card"]]} for row in found]
        rows += sorted(ranked, key=lambda row: row["rank"])
    return pd.DataFrame(rows, columns=CARD_COLUMNS).round(DIGITS)


def solo_table(layout: Layout, tallies: Sequence[Tally], tried: Sequence[Tried]) -> pd.DataFrame:
    """Return one row per policy and ability that the AI can be given, beside what it is worth on a body in duels."""
    rows = [
        made
        for row, tally in zip(layout.rows, tallies, strict=True)
        if row.part == SOLO
        for made in _solo_rows(row.policy.name, tally["joint"], tried)
    ]
    return pd.DataFrame(rows, columns=SOLO_COLUMNS).round(DIGITS)


def _card_rows(names: Row, card: Card, joint: np.ndarray, comparisons: int) -> Iterator[Row]:
    variants = without_abilities(card)
    games = int(joint[0].sum())
    lifts = replicated_differences(joint).T
    mana = worth_of_a_mana(dict(zip((variant.name for variant in variants), joint, strict=True)))
    for variant, counts, lift in zip(variants, joint, lifts, strict=True):
        if variant.name.startswith(COST):
            continue
        worth = counts.swapaxes(-1, -2)  # with it, against the card without
        yield (
            names
            | {"card": card.name, "kind": card.kind, "cost": card.cost, "without": variant.name}
            | {"games": games}
            | lift_row(worth, comparisons)
            | price_row(judged(-lift, games), mana, variant.price, comparisons)
            | mana_row(mana)
        )


def _taken(card: Card) -> list[Variant]:
    """Return the card without what is taken from it: its variants but those of cost."""
    return [variant for variant in without_abilities(card) if not variant.name.startswith(COST)]


def _solo_rows(policy: str, joint: np.ndarray, tried: Sequence[Tried]) -> Iterator[Row]:
    together = bonferroni(CONFIDENCE, len(GIVEN))
    for ability, counts in zip(GIVEN, joint, strict=True):
        loss = by_starter(counts).swapaxes(-1, -2)
        low, high = _limits(paired_difference(loss, together))
        games = int(counts.sum())
        won = int(counts.sum(axis=(0, 1))[0])
        yield (
            {"policy": policy, "ability": ability.lower(), "games": games}
            | estimate(rate_interval([won], [games]), "win_rate")
            | estimate(paired_difference(loss), "loss")
            | {"loss_low_all": low, "loss_high_all": high}
            | {"points": PRICES["ability"][ability.lower()]}
            | estimate(interval_of(_mean_lift(policy, ability, tried)), "lift")
            | {"printed_price": formulas()["creature"].prices[ability]}
        )


def _limits(interval: Interval) -> tuple[float, float]:
    return rounded(interval.low), rounded(interval.high)


def _mean_lift(policy: str, ability: str, tried: Sequence[Tried]) -> Jackknifed:
    """Return what an ability adds to a plain creature in duels, on average over the bodies."""
    bodies = [each for each in tried if each.policy == policy and each.body.kind == "creature"]
    games = min(each.games(ability) for each in bodies)
    return judged(np.mean([each.lift(ability) for each in bodies], axis=0), games)
