"""What a term of the cost formula is worth: the tables of a price audit of cards, made from its tallies."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import (
    Jackknifed,
    jackknife,
    ratio_to_gain,
    with_prior,
)
from clashsim.analysis.intervals import Interval, bonferroni
from clashsim.analysis.paired import paired_difference, prior_variance, replicated_differences
from clashsim.analysis.precision import CONFIDENCE
from clashsim.clash.prices import formula_cost, formulas, terms_of
from clashsim.clash.solos import BLOCKS
from clashsim.experiments.card_steps import COST, CardSteps
from clashsim.experiments.matchup_tables import Row, estimate, rounded
from clashsim.experiments.twins import by_starter
from clashsim.running import Tally

FAIR, CHEAP, DEAR, UNDECIDED = "fair", "too cheap", "too dear", "undecided"
NOT_CONVERTIBLE = "not convertible"
NEAR = 0.25  # mana: prices come in halves, so a price nearer than this could not be better
KINDS = ("creature", "incantation")


class Worth(NamedTuple):
    """What one more of a term is worth to a card: the mean of its steps up and, with the other sign, down."""

    steps: CardSteps
    games: int
    effects: Mapping[str, np.ndarray]
    """Replicates (1 + blocks,) of the effect on the score, by term; "cost" of one mana less."""


def steps_table(conditions: Sequence[CardSteps], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy, card and step: its effect, and that in mana by the card's own steps of cost."""
    rows: list[Row] = []
    for worth, tally in _worths(conditions, tallies):
        mana = worth.effects.get(COST)
        gains = replicated_differences(tally["joint"]).T
        for place, step in enumerate(worth.steps.steps):
            found = paired_difference(by_starter(tally["joint"][place]))
            own = step.sign * gains[place]
            converted = _ratio(own, mana, [worth], CONFIDENCE) if step.term != COST else _NONE
            rows.append(
                _names(worth.steps)
                | {"term": step.term, "step": step.sign, "games": int(tally["joint"][place].sum())}
                | estimate(found, "effect")
                | numbers_row("mana", converted)
            )
    return pd.DataFrame(rows)


def terms_table(conditions: Sequence[CardSteps], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy, kind of card and term of the formula: printed and measured price, and a verdict."""
    worths = [worth for worth, _ in _worths(conditions, tallies)]
    rows = [
        row for (policy, kind), scope in _scopes(worths).items() for row in _terms_of(policy, kind, scope)
    ]
    return pd.DataFrame(rows)


def cards_table(conditions: Sequence[CardSteps], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy and card: what a mana is worth to it, what its rounding did, what it should cost."""
    worths = [worth for worth, _ in _worths(conditions, tallies)]
    suggested = {
        id(worth.steps): cost for scope in _scopes(worths).values() for worth, cost in _suggested_costs(scope)
    }
    of_kind = {
        kind: {worth.steps.card.name for worth in worths if worth.steps.card.kind == kind} for kind in KINDS
    }
    rows: list[Row] = []
    for worth in worths:
        card = worth.steps.card
        exact = formula_cost(card)
        mana, rounding = worth.effects.get(COST), card.cost - exact
        cost = suggested.get(id(worth.steps))
        rows.append(
            _names(worth.steps)
            | {"kind": card.kind, "cost": card.cost, "formula": exact, "rounding": rounding}
            | estimate(_NOTHING if mana is None else interval_of(_judged(mana, [worth])), "mana_effect")
            | estimate(
                _NOTHING if mana is None else _scaled(interval_of(_judged(mana, [worth])), -rounding),
                "rounding_effect",
            )
            | _suggestion(None if cost is None else jackknife(cost), len(of_kind[card.kind]))
        )
    return pd.DataFrame(rows)


_NONE = (np.nan, np.nan, np.nan)
_NOTHING = Interval(*(np.asarray(np.nan) for _ in range(4)))


def judged(tally: Tally) -> Interval:
    """Return the effects of all steps: what a target of precision looks at."""
    return paired_difference(by_starter(tally["joint"]))


def price_verdict(low: float, high: float, printed: float) -> str:
    """Compare a printed price with the limits of the measured one; see `NEAR`."""
    if np.isnan(low):
        return NOT_CONVERTIBLE
    if printed - NEAR <= low and high <= printed + NEAR:
        return FAIR
    return CHEAP if low > printed + NEAR else DEAR if high < printed - NEAR else UNDECIDED


def _worths(conditions: Sequence[CardSteps], tallies: Sequence[Tally]) -> Iterator[tuple[Worth, Tally]]:
    for steps, tally in zip(conditions, tallies, strict=True):
        gains = replicated_differences(tally["joint"]).T
        effects: dict[str, list[np.ndarray]] = {}
        for step, gain in zip(steps.steps, gains, strict=True):
            sign = (
                -step.sign if step.term == COST else step.sign
            )  # of cost, one less is what is worth something
            effects.setdefault(step.term, []).append(sign * gain)
        means = {term: np.mean(found, axis=0) for term, found in effects.items()}
        yield Worth(steps, int(tally["joint"][0].sum()), means), tally


def _terms_of(policy: str, kind: str, scope: Sequence[Worth]) -> Iterator[Row]:
    """Yield what each term is worth to the cards of a kind that can have more or less of it.

    Notes
    -----
    The measured price is the mean effect of the term over that of a mana, both over the same cards: blocks of game
    numbers tell how sure both are together (Fieller).
    """
    prices = formulas()[kind].prices
    present = [term for term in prices if any(term in worth.effects for worth in scope)]
    together = bonferroni(CONFIDENCE, len(present))
    for term in present:
        having = _having(term, scope)
        if not having:
            continue
        effect, mana = _means(term, having)
        measured = _ratio(effect, mana, having, CONFIDENCE)
        limits = _ratio(effect, mana, having, together)
        yield {
            "policy": policy,
            "kind": kind,
            "term": term,
            "cards": len(having),
            **estimate(interval_of(_judged(effect, having)), "effect"),
            "printed_price": prices[term],
            **numbers_row("measured", measured),
            "measured_low_all": rounded(limits[1]),
            "measured_high_all": rounded(limits[2]),
            "price_verdict": price_verdict(limits[1], limits[2], prices[term]),
        }


def _suggestion(cost: Jackknifed | None, cards: int) -> Row:
    """Return a suggested cost with its limits, alone and together with those of all cards of the kind."""
    if cost is None:
        return dict.fromkeys(
            [f"suggested_cost{end}" for end in ("", "_low", "_high", "_low_all", "_high_all")], np.nan
        )
    low, high = cost.limits(bonferroni(CONFIDENCE, cards))
    both = {"suggested_cost_low_all": rounded(low), "suggested_cost_high_all": rounded(high)}
    return estimate(interval_of(cost), "suggested_cost") | both


def _scopes(worths: Sequence[Worth]) -> dict[tuple[str, str], list[Worth]]:
    """Return the cards that are judged together: of one policy and kind."""
    scopes: dict[tuple[str, str], list[Worth]] = {}
    for worth in sorted(worths, key=lambda worth: KINDS.index(worth.steps.card.kind)):
        scopes.setdefault((worth.steps.policies[0].name, worth.steps.card.kind), []).append(worth)
    order = list(dict.fromkeys(worth.steps.policies[0].name for worth in worths))
    return dict(sorted(scopes.items(), key=lambda scope: order.index(scope[0][0])))


def _suggested_costs(scope: Sequence[Worth]) -> Iterator[tuple[Worth, np.ndarray]]:
    """Yield what each card of a kind would cost by the formula with the measured prices, as replicates.

    A base can not be told from steps: it is set so that the cards cost the same on the whole. So it takes all cards of
    the kind, and none is told otherwise, nor of a card with a term that is not convertible.
    """
    kit = scope[0].steps.base.cards.cards
    if len(scope) < sum(card.kind == scope[0].steps.card.kind for card in kit):
        return
    measured = {}
    for term in {term for worth in scope for term in worth.effects} - {COST}:
        having = _having(term, scope)
        if having and not np.isnan(_ratio(*_means(term, having), having, CONFIDENCE)[0]):
            effect, mana = _means(term, having)
            measured[term] = effect / mana
    costs = []
    for worth in scope:
        terms = dict(terms_of(worth.steps.card))
        if all(term in measured or not amount for term, amount in terms.items()):
            parts = [amount * measured[term] for term, amount in terms.items() if amount]
            costs.append((worth, np.sum(parts, axis=0) if parts else np.zeros(1 + BLOCKS)))
    base = np.mean([worth.steps.card.cost - cost for worth, cost in costs], axis=0) if costs else 0
    for worth, cost in costs:
        yield worth, cost + base


def _having(term: str, scope: Sequence[Worth]) -> list[Worth]:
    """Return the cards that have steps of a term and of cost."""
    return [worth for worth in scope if term in worth.effects and COST in worth.effects]


def _means(term: str, having: Sequence[Worth]) -> tuple[np.ndarray, np.ndarray]:
    """Return replicates of the mean effect of a term, and of one mana less, over the cards."""
    effect, mana = (np.mean([worth.effects[name] for worth in having], axis=0) for name in (term, COST))
    return effect, mana


def _names(steps: CardSteps) -> Row:
    return {"policy": steps.policies[0].name, "card": steps.card.name}


def _ratio(
    effect: np.ndarray, mana: np.ndarray | None, scope: Sequence[Worth], confidence: float
) -> tuple[float, float, float]:
    """Return an effect in mana with its limits; nan if a mana is not surely worth anything to these cards."""
    if mana is None:
        return _NONE
    found = ratio_to_gain(_judged(effect, scope), _judged(mana, scope, place=1), confidence)
    return float(found[0]), float(found[1]), float(found[2])


def _judged(replicates: np.ndarray, scope: Sequence[Worth], place: int = 0) -> Jackknifed:
    """Return a mean effect over cards, not surer of itself than games in which nothing changed allow."""
    open_variance = float(np.sum(prior_variance([worth.games for worth in scope]))) / len(scope) ** 2
    return with_prior(jackknife(replicates), open_variance, place, places=2)


def _scaled(interval: Interval, by: float) -> Interval:
    low, high = sorted((float(interval.low * by), float(interval.high * by)))
    return interval._replace(value=interval.value * by, low=np.asarray(low), high=np.asarray(high))


def interval_of(found: Jackknifed) -> Interval:
    """Return an estimate with its interval."""
    low, high = found.limits(CONFIDENCE)
    return Interval(np.asarray(found.value), low, high, np.asarray(np.nan))


def numbers_row(name: str, values: Sequence[float]) -> Row:
    """Return an estimate and its limits as a part of a row."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), map(rounded, values), strict=True))
