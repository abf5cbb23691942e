"""What a term of the cost formula is worth: the tables of a price audit of cards, made from its tallies."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import Jackknifed, jackknife, leave_one_out, ratio, student_quantile
from clashsim.analysis.intervals import Interval, bonferroni
from clashsim.analysis.paired import GAINS, paired_difference
from clashsim.analysis.precision import CONFIDENCE
from clashsim.clash.prices import formula_cost, formulas
from clashsim.experiments.card_steps import COST, CardSteps
from clashsim.experiments.matchup_tables import Row, estimate, rounded
from clashsim.running import Tally

FAIR, CHEAP, DEAR, UNDECIDED = "fair", "too cheap", "too dear", "undecided"
NOT_CONVERTIBLE = "not convertible"
NEAR = 0.25  # mana: prices come in halves, so a price nearer than this could not be better
KINDS = ("creature", "incantation")


class Worth(NamedTuple):
    """What one more of a term is worth to a card: the mean of its steps up and, with the other sign, down."""

    steps: CardSteps
    effects: Mapping[str, np.ndarray]
    """Replicates (1 + blocks,) of the effect on the score, by term; "cost" of one mana less."""


def steps_table(conditions: Sequence[CardSteps], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy, card and step: its effect on the score, and in mana by the card's own steps of "
    "cost."""
    rows: list[Row] = []
    for worth, tally in _worths(conditions, tallies):
        mana = worth.effects.get(COST)
        gains = _gains(tally)
        for place, step in enumerate(worth.steps.steps):
            found = paired_difference(tally["joint"][place])
            converted = _ratio(step.sign * gains[place], mana, CONFIDENCE) if step.term != COST else _NONE
            rows.append(
                _names(worth.steps)
                | {"term": step.term, "step": step.sign, "games": int(tally["joint"][place].sum())}
                | estimate(found, "effect")
                | _numbers("mana", converted)
            )
    return pd.DataFrame(rows)


def terms_table(conditions: Sequence[CardSteps], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy, kind of card and term of the formula: printed and measured price, and a verdict."""
    rows: list[Row] = []
    worths = [worth for worth, _ in _worths(conditions, tallies)]
    for policy in dict.fromkeys(steps.policies[0].name for steps in conditions):
        for kind in KINDS:
            scope = [
                worth
                for worth in worths
                if worth.steps.policies[0].name == policy and worth.steps.card.kind == kind
            ]
            rows += _terms_of(policy, kind, scope)
    return pd.DataFrame(rows)


def cards_table(
    conditions: Sequence[CardSteps], tallies: Sequence[Tally], terms: pd.DataFrame
) -> pd.DataFrame:
    """Return one row per policy and card: what a mana is worth to it, what its rounding did, what it should cost."""
    rows: list[Row] = []
    for worth, _ in _worths(conditions, tallies):
        card = worth.steps.card
        exact = formula_cost(card)
        rounding = card.cost - exact
        policy = worth.steps.policies[0].name
        mana = worth.effects.get(COST)
        effect = _interval(jackknife(mana)) if mana is not None else _NOTHING
        rounded_by = _interval(jackknife(-rounding * mana)) if mana is not None else _NOTHING
        rows.append(
            _names(worth.steps)
            | {"kind": card.kind, "cost": card.cost, "formula": exact, "rounding": rounding}
            | estimate(effect, "mana_effect")
            | estimate(rounded_by, "rounding_effect")
            | {
                "suggested_cost": _suggested(
                    card, terms[(terms["policy"] == policy) & (terms["kind"] == card.kind)]
                )
            }
        )
    table = pd.DataFrame(rows)
    # A base can not be told from steps: it is set so that the cards of a kind cost the same on the whole.
    off = (
        (table["cost"] - table["suggested_cost"]).groupby([table["policy"], table["kind"]]).transform("mean")
    )
    return table.assign(suggested_cost=(table["suggested_cost"] + off).round(2))


_NONE = (np.nan, np.nan, np.nan)
_NOTHING = Interval(*(np.asarray(np.nan) for _ in range(4)))


def judged(tally: Tally) -> Interval:
    """Return the effects of all steps: what a target of precision looks at."""
    return paired_difference(tally["joint"])


def price_verdict(low: float, high: float, printed: float) -> str:
    """Compare a printed price with the limits of the measured one; see `NEAR`."""
    if np.isnan(low):
        return NOT_CONVERTIBLE
    if printed - NEAR <= low and high <= printed + NEAR:
        return FAIR
    return CHEAP if low > printed + NEAR else DEAR if high < printed - NEAR else UNDECIDED


def _worths(conditions: Sequence[CardSteps], tallies: Sequence[Tally]) -> Iterator[tuple[Worth, Tally]]:
    for steps, tally in zip(conditions, tallies, strict=True):
        gains = _gains(tally)
        effects: dict[str, list[np.ndarray]] = {}
        for step, gain in zip(steps.steps, gains, strict=True):
            sign = (
                -step.sign if step.term == COST else step.sign
            )  # of cost, one less is what is worth something
            effects.setdefault(step.term, []).append(sign * gain)
        yield Worth(steps, {term: np.mean(found, axis=0) for term, found in effects.items()}), tally


def _gains(tally: Tally) -> np.ndarray:
    """Return replicates (steps, 1 + blocks) of the mean gain of each step."""
    joint = tally["joint"]
    doubled = np.rint((2 * GAINS * joint).sum(axis=(-1, -2))).astype(np.int64)
    games = joint[0].sum(axis=(-1, -2))
    return np.stack([leave_one_out(gain) for gain in doubled]) / 2 / leave_one_out(games)


def _terms_of(policy: str, kind: str, scope: Sequence[Worth]) -> Iterator[Row]:
    """Yield what each term is worth to the cards of a kind that can have more or less of it.

    Notes
    -----
    The measured price is the mean effect of the term over that of a mana, both over the same cards: blocks of game
    numbers tell how sure both are together (Fieller).
    """
    prices = {term: price for term, price in formulas()[kind].prices.items()}
    present = [term for term in prices if any(term in worth.effects for worth in scope)]
    together = bonferroni(CONFIDENCE, len(present))
    for term in present:
        having = [worth for worth in scope if term in worth.effects and COST in worth.effects]
        if not having:
            continue
        effect = np.mean([worth.effects[term] for worth in having], axis=0)
        mana = np.mean([worth.effects[COST] for worth in having], axis=0)
        measured = _ratio(effect, mana, CONFIDENCE)
        limits = _ratio(effect, mana, together)
        yield {
            "policy": policy,
            "kind": kind,
            "term": term,
            "cards": len(having),
            **estimate(_interval(jackknife(effect)), "effect"),
            "printed_price": prices[term],
            **_numbers("measured", measured),
            "measured_low_all": rounded(limits[1]),
            "measured_high_all": rounded(limits[2]),
            "price_verdict": price_verdict(limits[1], limits[2], prices[term]),
        }


def _suggested(card: object, terms: pd.DataFrame) -> float:
    from clashsim.clash.prices import terms_of

    measured = terms.set_index("term")["measured"]
    return float(sum(measured.get(term, np.nan) * amount for term, amount in terms_of(card)))  # type: ignore[arg-type]


def _names(steps: CardSteps) -> Row:
    return {"policy": steps.policies[0].name, "card": steps.card.name}


def _ratio(effect: np.ndarray, mana: np.ndarray | None, confidence: float) -> tuple[float, float, float]:
    """Return an effect in mana with its limits; nan if a mana is not surely worth anything."""
    if mana is None:
        return _NONE
    worth = jackknife(mana)
    if not worth.value > student_quantile(confidence, worth.df) * worth.standard_error:
        return _NONE
    value, low, high = ratio(jackknife(effect), worth, confidence)
    return float(value), float(low), float(high)


def _interval(found: Jackknifed) -> Interval:
    low, high = found.limits(CONFIDENCE)
    return Interval(np.asarray(found.value), low, high, np.asarray(np.nan))


def _numbers(name: str, values: tuple[float, float, float]) -> Row:
    return dict(zip((name, f"{name}_low", f"{name}_high"), map(rounded, values), strict=True))
