"""What each card is worth: the tables of a run of random decks, made from its tallies."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import benjamini_hochberg
from clashsim.analysis.intervals import Interval, bonferroni, score_interval
from clashsim.analysis.precision import CONFIDENCE
from clashsim.analysis.presence import difference_of_values, synergy_of, value_of
from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.core.dealing import AGAINST_IT, WITH_IT
from clashsim.clash.dealt import DealtDuel
from clashsim.experiments.matchup_tables import DIGITS, Row, estimate, rounded
from clashsim.running import Tally

STRONG, WEAK, AVERAGE = "above the others", "below the others", "undecided"
TOGETHER, APART, PLAIN = "more together", "less together", "undecided"
FALSE_FINDS = 0.05
"""At most this share of the pairs that are called surely other than their sum are not."""

Counts = np.ndarray


def values_table(duels: Sequence[DealtDuel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy and card, the best first."""
    rows: list[Row] = []
    for duel, tally in zip(duels, tallies, strict=True):
        found = [_value_row(duel, tally, slot) for slot in range(len(duel.cards.cards))]
        found.sort(key=lambda row: -row["value"])
        rows += [row | {"rank": rank} for rank, row in enumerate(found, start=1)]
    return pd.DataFrame(rows)


def synergies_table(duels: Sequence[DealtDuel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy and pair of cards, the surest first."""
    tables = [_synergies_of(duel, tally) for duel, tally in zip(duels, tallies, strict=True)]
    return pd.concat(tables, ignore_index=True)


def swaps_table(duels: Sequence[DealtDuel], tallies: Sequence[Tally], decks: Sequence[Deck]) -> pd.DataFrame:
    """Return one row per policy, deck and swap of one of its cards, those that promise most first."""
    columns = [
        "policy",
        "deck",
        "out",
        "into",
        "gain",
        "gain_low",
        "gain_high",
        "gain_low_all",
        "gain_high_all",
    ]
    rows = [
        {"policy": duel.policies[0].name, "deck": deck.name} | row
        for duel, tally in zip(duels, tallies, strict=True)
        for deck in decks
        for row in sorted(
            _swaps_of(duel.cards, tally, deck), key=lambda row: -np.nan_to_num(row["gain"], nan=-1)
        )
    ]
    return pd.DataFrame(rows, columns=columns)


def judged(tally: Tally) -> Interval:
    """Return the values of all cards: what a target of precision looks at."""
    return value_of(tally["holding"])


def _value_row(duel: DealtDuel, tally: Tally, slot: int) -> Row:
    card = duel.cards.cards[slot]
    holding, playing = tally["holding"][slot], tally["playing"][slot]
    alone = value_of(holding)
    together = value_of(holding, bonferroni(CONFIDENCE, len(duel.cards.cards)))
    starters = np.stack([tally["results"][0], tally["results"][1, ::-1]]).sum(axis=0)
    first = float(_score(starters).value)  # of whoever starts
    by_start = [_score(holding[0]), _score(holding[1])]
    games, played = int(holding.sum()), int(playing.sum())
    observed = _score(playing) if played else None
    low, high = rounded(together.low), rounded(together.high)
    return {
        "policy": duel.policies[0].name,
        "card": card.name,
        "kind": card.kind,
        "cost": card.cost,
        "games": games,
        **estimate(_score(holding), "score"),
        **estimate(alone, "value"),
        "value_low_all": low,
        "value_high_all": high,
        "value_verdict": STRONG if low > 0 else WEAK if high < 0 else AVERAGE,
        **estimate(_shifted(by_start[0], -first), "value_first"),
        **estimate(_shifted(by_start[1], first - 1), "value_second"),
        "played": rounded(played / games) if games else np.nan,
        **(estimate(observed, "score_played") if observed else dict.fromkeys(_SCORE_PLAYED, np.nan)),
    }


_SCORE_PLAYED = ("score_played", "score_played_low", "score_played_high")


def _score(counts: Counts) -> Interval:
    """Return the score of games of all strata together: chance decides how many there are of each."""
    results = counts.reshape(-1, counts.shape[-1]).sum(axis=0, keepdims=True)
    return score_interval(results[..., 0], results[..., 1], results[..., 2])


def _shifted(interval: Interval, by: float) -> Interval:
    return interval._replace(value=interval.value + by, low=interval.low + by, high=interval.high + by)


def _scaled(interval: Interval, by: float) -> Interval:
    return interval._replace(value=interval.value * by, low=interval.low * by, high=interval.high * by)


def _synergies_of(duel: DealtDuel, tally: Tally) -> pd.DataFrame:
    cards = duel.cards.cards
    pairs, holding = tally["pairs"], tally["holding"].sum(axis=1)
    alone = holding[:, np.newaxis] - pairs.sum(axis=2)  # games of a card's side in which nobody has the other
    one, other = np.triu_indices(len(cards), k=1)
    found, z, p = synergy_of(pairs[one, other, WITH_IT], alone[one, other], alone[other, one])
    table = pd.DataFrame(
        {
            "policy": duel.policies[0].name,
            "card": [cards[slot].name for slot in one],
            "other_card": [cards[slot].name for slot in other],
            "games": pairs[one, other, WITH_IT].sum(axis=-1),
            "synergy": found.value,
            "synergy_low": found.low,
            "synergy_high": found.high,
            "p": p,
            "p_adjusted": benjamini_hochberg(p),
        }
    )
    sure = table["p_adjusted"] < FALSE_FINDS
    table["synergy_verdict"] = np.select(
        [sure & (found.value > 0), sure & (found.value < 0)], [TOGETHER, APART], PLAIN
    )
    order = np.argsort(-np.nan_to_num(np.abs(z)), kind="stable")
    return table.iloc[order].round(DIGITS)


def _swaps_of(cards: CardSet, tally: Tally, deck: Deck) -> Iterator[Row]:
    names = [card.name for card in cards.cards]
    held = [names.index(card.name) for card in deck.cards]
    others = [slot for slot in range(len(names)) if slot not in held]
    holding, pairs = tally["holding"].sum(axis=1), tally["pairs"]
    together = bonferroni(CONFIDENCE, len(held) * len(others))
    share = (len(names) - 1) / len(
        names
    )  # a value is against the mean of the others, which a swap leaves out
    for out in held:
        for into in others:
            counts = holding[out], holding[into], pairs[out, into, WITH_IT], pairs[out, into, AGAINST_IT]
            alone, all_ = (_scaled(difference_of_values(*counts, at), share) for at in (CONFIDENCE, together))
            yield {
                "out": names[out],
                "into": names[into],
                **estimate(alone, "gain"),
                "gain_low_all": rounded(all_.low),
                "gain_high_all": rounded(all_.high),
            }
