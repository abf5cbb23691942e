"""What abilities are worth on a body, alone and together: the tables of the bodies that were tried."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import Jackknifed, benjamini_hochberg, ratio_to_gain
from clashsim.analysis.factorial import members, on_average, on_top, subsets
from clashsim.analysis.intervals import Interval, bonferroni
from clashsim.analysis.paired import paired_difference, replicated_differences
from clashsim.analysis.precision import CONFIDENCE
from clashsim.clash.prices import aura_of
from clashsim.clash.solos import BLOCKS
from clashsim.experiments.ability_bodies import NONE, Body, Variant, pairs_of, words_of
from clashsim.experiments.ability_choice import (
    BOTH,
    FALSE_FINDS,
    Tried,
    beyond_price,
    judged,
    prices_of_sets,
    triples_of,
)
from clashsim.experiments.card_steps import COST
from clashsim.experiments.card_tables import APART, PLAIN, TOGETHER
from clashsim.experiments.matchup_tables import DIGITS, Row, estimate, rounded
from clashsim.experiments.price_tables import interval_of, numbers_row, price_verdict
from clashsim.experiments.twins import by_starter

HELPS, HURTS, OPEN = "helps", "hurts", "undecided"
NOTHING = "nothing to tell"  # of the plain body against itself


def subsets_table(tried: Sequence[Tried]) -> pd.DataFrame:
    """Return one row per policy, body and set of abilities or aura, the most for its price first."""
    rows = [row for each in tried for row in _ranked(_subset_rows(each))]
    return pd.DataFrame(rows).round(DIGITS)


def effects_table(tried: Sequence[Tried]) -> pd.DataFrame:
    """Return one row per policy, body and ability or aura: alone on the plain body, and on average over all others."""
    return pd.DataFrame([row for each in tried for row in _effect_rows(each)]).round(DIGITS)


def interactions_table(tried: Sequence[Tried]) -> pd.DataFrame:
    """Return one row per policy, body and pair of abilities, and per three where that was played; surest first."""
    rows = [row for each in tried for row in _interaction_rows(each)]
    return pd.DataFrame(rows).round(DIGITS)


def lift_row(joint: np.ndarray, comparisons: int) -> Row:
    """Return what a change adds to the score of the deck, with limits alone and together with others, and a verdict."""
    counts = by_starter(joint)
    together = paired_difference(counts, bonferroni(CONFIDENCE, comparisons))
    low, high = rounded(together.low), rounded(together.high)
    return estimate(paired_difference(counts), "lift") | {
        "lift_low_all": low,
        "lift_high_all": high,
        "lift_verdict": HELPS if low > 0 else HURTS if high < 0 else OPEN,
    }


def price_row(lift: Jackknifed, mana: Jackknifed | None, price: float, comparisons: int) -> Row:
    """Return a lift in mana beside its price, with a verdict that is read off limits that hold together."""
    found = all_ = (np.nan, np.nan, np.nan)
    if mana is not None:
        found = _floats(ratio_to_gain(lift, mana, CONFIDENCE))
        all_ = _floats(ratio_to_gain(lift, mana, bonferroni(CONFIDENCE, comparisons)))
    return {
        "printed_price": price,
        **numbers_row("measured", found),
        "measured_low_all": rounded(all_[1]),
        "measured_high_all": rounded(all_[2]),
        "price_verdict": price_verdict(all_[1], all_[2], price),
    }


def mana_row(mana: Jackknifed | None) -> Row:
    """Return what one mana less is worth."""
    return estimate(_NOTHING if mana is None else interval_of(mana), "mana_effect")


_NOTHING = Interval(*(np.asarray(np.nan) for _ in range(4)))


def _floats(values: Sequence[np.ndarray]) -> tuple[float, float, float]:
    value, low, high = (float(each) for each in values)
    return value, low, high


def _names(tried: Tried) -> Row:
    body = tried.body
    return {"policy": tried.policy, "kind": body.kind, "body": body.name, "cost": body.cost}


def _abilities_tried(tried: Tried) -> list[Variant]:
    return [variant for variant in tried.body.variants if not variant.name.startswith(COST)]


def _subset_rows(tried: Tried) -> list[Row]:
    variants = _abilities_tried(tried)
    _, rate = beyond_price(tried.factorial[1:], prices_of_sets(tried.body)[1:])
    rows = [_plain_row(tried, float(rate[0]))]
    for variant in variants:
        lift, games = tried.lift(variant.name), tried.games(variant.name)
        beyond = interval_of(judged(lift - variant.price * rate, games))
        rows.append(
            _names(tried)
            | {"subset": variant.name, "size": _size(variant), "source": tried.sources[variant.name]}
            | {"games": games}
            | lift_row(tried.joints[variant.name], len(variants))
            | price_row(judged(lift, games), tried.mana, variant.price, len(variants))
            | {"price_rate": rounded(rate[0])}
            | estimate(beyond, "beyond_price")
        )
    return rows


def _plain_row(tried: Tried, rate: float) -> Row:
    """Return the row of the plain body: against itself, so that all is exactly 0."""
    nothing = {
        f"{name}{end}": 0.0
        for name, ends in (("lift", ("", "_low", "_high", "_low_all", "_high_all")), ("beyond_price", _ENDS))
        for end in ends
    }
    games = max(map(tried.games, tried.joints))
    row = _names(tried) | {"subset": NONE, "size": 0, "source": BOTH, "games": games, "lift_verdict": NOTHING}
    return row | nothing | {"printed_price": 0.0, "price_verdict": NOTHING, "price_rate": rounded(rate)}


_ENDS = ("", "_low", "_high")


def _size(variant: Variant) -> int:
    return 1 if variant.subset is None else variant.subset.bit_count()


def _ranked(rows: list[Row]) -> list[Row]:
    rows = sorted(rows, key=lambda row: -row["beyond_price"])
    return [row | {"rank": rank} for rank, row in enumerate(rows, start=1)]


def terms_of(body: Body) -> list[str]:
    """Return the abilities that a body can have, and those that it can give."""
    return [*body.abilities, *(aura_of(name) for name in body.abilities if body.kind == "creature")]


def _effect_rows(tried: Tried) -> Iterator[Row]:
    terms = terms_of(tried.body)
    for term in terms:
        variant, games = tried.body.variant(term), tried.games(term)
        main = None
        if variant.subset is not None:
            main = judged(on_average(tried.factorial, variant.subset), tried.screening_games)
        yield (
            _names(tried)
            | {"term": term, "games": games}
            | lift_row(tried.joints[term], len(terms))
            | estimate(_NOTHING if main is None else interval_of(main), "main_effect")
            | {"games_all_sets": 0 if main is None else tried.screening_games}
            | price_row(judged(tried.lift(term), games), tried.mana, variant.price, len(terms))
            | mana_row(tried.mana)
        )


def _interaction_rows(tried: Tried) -> list[Row]:
    pairs = pairs_of(tried.body)
    rows = _interactions_of(tried, pairs)
    triples = triples_of(tried.body, tried.screened)
    return rows + (_interactions_of(tried, triples) if triples else [])


def _interactions_of(tried: Tried, sets: Sequence[int]) -> list[Row]:
    """Return rows of sets of one size, the surest first.

    Threes are chosen by what the screening found of their pairs, so that all of their lifts are from later games.
    """
    parts = members(sets[0])
    joints = tried.joints if len(parts) == 2 else tried.later
    lifts = {
        part: replicated_differences(joints[words_of(part)])
        for chosen in sets
        for part in subsets(chosen)
        if part
    }
    lifts[0] = np.zeros(1 + BLOCKS)
    games = {chosen: int(joints[words_of(chosen)].sum()) for chosen in sets}
    weight = 2 ** len(parts) - 1  # lifts in an interaction
    on_plain = [judged(on_top(lifts, chosen), games[chosen], weight) for chosen in sets]
    p = np.array([float(found.p_other()) for found in on_plain])
    adjusted = benjamini_hochberg(p)
    rows = []
    for place in np.argsort(p, kind="stable").tolist():
        chosen, found = sets[place], on_plain[place]
        on_all = judged(on_average(tried.factorial, chosen), tried.screening_games, 2 ** (len(parts) - 1))
        rows.append(
            _names(tried)
            | {"subset": words_of(chosen), "size": len(parts), "games": games[chosen]}
            | estimate(interval_of(found), "interaction")
            | {"p": p[place], "p_adjusted": adjusted[place]}
            | {"interaction_verdict": _verdict(float(found.value), adjusted[place])}
            | estimate(interval_of(on_all), "mean_interaction")
            | {"games_all_sets": tried.screening_games}
        )
    return rows


def _verdict(value: float, p_adjusted: float) -> str:
    if p_adjusted >= FALSE_FINDS:
        return PLAIN
    return TOGETHER if value > 0 else APART
