"""What a change does: the tables of a what-if, made from joint counts of the same games with and without it."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import Jackknifed, jackknife, leave_one_out, share_limits, with_prior
from clashsim.analysis.intervals import (
    Interval,
    bonferroni,
    mean_interval,
    mean_of_intervals,
    score_interval,
    wilson,
)
from clashsim.analysis.paired import (
    GAINS,
    detectable,
    marginals,
    other_results,
    paired_difference,
    prior_variance,
    seen_from_other_side,
)
from clashsim.analysis.precision import CONFIDENCE
from clashsim.clash.duels import Duel
from clashsim.clash.solo_settings import PRICES
from clashsim.clash.solos import Solo
from clashsim.experiments.matchup_tables import Row, estimate, rounded
from clashsim.experiments.solo_arguments import no_bastion_of
from clashsim.experiments.twins import Twin
from clashsim.running import Tally

HIGHER, LOWER, NONE_SEEN, SAME = "higher", "lower", "no measurable difference", "no change"


def duel_table(twins: Sequence[Twin], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per pairing and change, seen from the deck that the change is about; two, if from both."""
    together = _comparisons(twins)
    return pd.DataFrame(
        _names_of(twin, side) | _duel_row(twin, tally, side, together[twin.policies])
        for twin, tally in zip(twins, tallies, strict=True)
        for side in twin.sides
    )


def deck_table(twins: Sequence[Twin], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return what a change does to each deck that it is about, over all its opponents, the best first."""
    found: dict[tuple[str, ...], list[np.ndarray]] = {}
    same: dict[tuple[str, ...], bool] = {}
    for twin, tally in zip(twins, tallies, strict=True):
        for side in twin.sides:
            names = _names_of(twin, side)
            key = tuple(names[name] for name in ("variant", "deck_a", "policy_a", "policy_b"))
            found.setdefault(key, []).append(_seen_from(tally["joint"], side))
            same[key] = same.get(key, True) and twin.is_same
    comparisons: dict[tuple[str, ...], int] = {}
    for key in found:
        comparisons[key[2:]] = comparisons.get(key[2:], 0) + 1
    rows: list[Row] = []
    for key, joints in found.items():
        joint = np.stack(joints)
        base, changed = (mean_of_intervals(_score(one)) for one in marginals(joint))
        row: Row = dict(zip(("variant", "deck", "policy", "vs_policy"), key, strict=True))
        row |= {"opponents": len(joints), "games": int(joint.sum())}
        row |= estimate(base, "score_base") | estimate(changed, "score_changed")
        confidence = bonferroni(CONFIDENCE, comparisons[key[2:]])
        alone, together = (mean_of_intervals(paired_difference(joint, at)) for at in (CONFIDENCE, confidence))
        rows.append(row | _difference(alone, together, confidence, same[key]))
    return _best_first(pd.DataFrame(rows), ["policy", "vs_policy"])


def solo_table(twins: Sequence[Twin], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per deck, policy, setting and change: win rates of the player."""
    together = _comparisons(twins)
    rows = []
    for twin, tally in zip(twins, tallies, strict=True):
        joint = as_wins(tally["joint"])
        rows.append(
            _solo_names(twin)
            | _solo_rates(joint)
            | _paired(_pooled(joint), together[twin.policies], twin.is_same)
            | _otherwise(joint, tally)
        )
    return pd.DataFrame(rows)


def solo_deck_table(twins: Sequence[Twin], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return what a change does to each player's deck on average over the settings, the best first.

    The same games are played in all settings, so their mean is judged by blocks of game numbers.
    """
    groups = [
        (key, list(members))
        for key, members in groupby(
            zip(twins, tallies, strict=True),
            key=lambda pair: (pair[0].variant, _solo(pair[0]).deck_name, _solo(pair[0]).policy.name),
        )
    ]
    rows = []
    for (variant, deck, policy), members in groups:
        comparisons = sum(key[2] == policy for key, _ in groups)
        joint = np.stack([as_wins(tally["joint"]) for _, tally in members])
        same = all(twin.is_same for twin, _ in members)
        row: Row = {"variant": variant, "deck": deck, "policy": policy, "settings": len(members)}
        if len(members) == 1:
            row |= _solo_rates(joint[0]) | _paired(_pooled(joint[0]), comparisons, same)
        else:
            row |= _mean_over_settings(joint, comparisons, same)
        rows.append(row)
    return _best_first(pd.DataFrame(rows), ["policy"])


def names_of(twin: Twin) -> Row:
    """Return what tells a pair of conditions from others: change, decks, policies, settings."""
    return _solo_names(twin) if twin.is_solo else _names_of(twin, 0)


def as_wins(joint: np.ndarray) -> np.ndarray:
    """Return joint counts in which a draw is no win, as in solo games (R31)."""
    counts = joint.copy()
    counts[..., 2, :] += counts[..., 1, :]
    counts[..., 1, :] = 0
    counts[..., :, 2] += counts[..., :, 1]
    counts[..., :, 1] = 0
    return counts


def judged(twin: Twin, tally: Tally) -> np.ndarray:
    """Return the joint counts that a target of precision looks at."""
    return _pooled(as_wins(tally["joint"])) if twin.is_solo else tally["joint"]


def _pooled(joint: np.ndarray) -> np.ndarray:
    """Add up the blocks of solo games: they are no strata."""
    return joint.sum(axis=-3, keepdims=True)


def _comparisons(twins: Sequence[Twin]) -> dict[tuple, int]:
    """Return how many pairs of conditions the same policies play."""
    counts: dict[tuple, int] = {}
    for twin in twins:
        counts[twin.policies] = counts.get(twin.policies, 0) + 1
    return counts


def _names_of(twin: Twin, side: int) -> Row:
    """Return who plays whom, seen from one side."""
    duel = twin.base
    assert isinstance(duel, Duel)
    other = 1 - side
    return {
        "variant": twin.variant,
        "deck_a": duel.decks[side].name,
        "deck_b": duel.decks[other].name,
        "policy_a": duel.policies[side].name,
        "policy_b": duel.policies[other].name,
    }


def _duel_row(twin: Twin, tally: Tally, side: int, comparisons: int) -> Row:
    joint = _seen_from(tally["joint"], side)
    base, changed = (_score(one) for one in marginals(joint))
    # What the side that starts gets, of either side's games.
    starting = np.stack([tally["joint"][0], seen_from_other_side(tally["joint"][1])])
    first_base, first_changed = (_score(one) for one in marginals(starting))
    return (
        {"games": int(joint.sum())}
        | estimate(base, "score_base")
        | estimate(changed, "score_changed")
        | _paired(joint, comparisons, twin.is_same)
        | _otherwise(joint, tally)
        | {"first_base": rounded(first_base.value), "first_changed": rounded(first_changed.value)}
        | estimate(_exact_if(twin.is_same, paired_difference(starting)), "first_difference")
    )


def _seen_from(joint: np.ndarray, side: int) -> np.ndarray:
    return joint if side == 0 else seen_from_other_side(joint)


def _score(results: np.ndarray) -> Interval:
    return score_interval(results[..., 0], results[..., 1], results[..., 2])


def _paired(joint: np.ndarray, comparisons: int, same: bool) -> Row:
    confidence = bonferroni(CONFIDENCE, comparisons)
    alone, together = (paired_difference(joint, at) for at in (CONFIDENCE, confidence))
    return _difference(alone, together, confidence, same)


def _difference(alone: Interval, together: Interval, confidence: float, same: bool) -> Row:
    """Return a difference, its limits, what could have been seen, and what is sure; `together` has this confidence."""
    if same:
        alone = together = _exact_if(True, alone)
    low, high = rounded(together.low), rounded(together.high)
    sure = HIGHER if low > 0 else LOWER if high < 0 else SAME if same else NONE_SEEN
    return (
        estimate(alone, "difference", "diff")
        | {"diff_low_all": low, "diff_high_all": high}
        | {"detectable": 0.0 if same else rounded(detectable(together, confidence)), "change_verdict": sure}
    )


def _exact_if(same: bool, interval: Interval) -> Interval:
    """Return the interval, or where nothing was changed what is then known."""
    zero = np.zeros_like(interval.value)
    return Interval(zero, zero, zero, interval.games) if same else interval


def _otherwise(joint: np.ndarray, tally: Tally) -> Row:
    """Return how many games end, or go, another way, and how much longer they are."""
    games = int(joint.sum())
    base, changed, longer, squares = (int(total) for total in tally["turns"])
    return {
        "other_winner": rounded(int(other_results(joint)) / games),
        "other_course": rounded(int(tally["otherwise"][0]) / games),
        "turns_base": rounded(base / games),
        "turns_changed": rounded(changed / games),
        **estimate(mean_interval(longer, squares, games), "turns_difference"),
    }


def _solo(twin: Twin) -> Solo:
    assert isinstance(twin.base, Solo)
    return twin.base


def _solo_names(twin: Twin) -> Row:
    solo = _solo(twin)
    return {
        "variant": twin.variant,
        "deck": solo.deck_name,
        "policy": solo.policy.name,
        **{name: getattr(solo.settings, name) for name in PRICES},
        "points": solo.settings.points(no_bastion_of(solo.rules)),
    }


def _solo_rates(joint: np.ndarray) -> Row:
    rates: Row = {"games": int(joint.sum())}
    for results, name in zip(
        marginals(joint.sum(axis=0)), ("win_rate_base", "win_rate_changed"), strict=True
    ):
        games = results.sum()
        share = results[0] / games
        rates |= estimate(Interval(share, *wilson(share, games), games), name)
    return rates


def _mean_over_settings(joint: np.ndarray, comparisons: int, same: bool) -> Row:
    """Return mean win rates and their difference from joint counts of shape (settings, blocks, 3, 3)."""
    games = leave_one_out(joint.sum(axis=(-1, -2)))  # (1 + blocks, settings)
    fewest = int(games[0].min())  # that are surely independent: settings share their shuffles
    gains = (GAINS * joint).sum(axis=(-1, -2)).astype(np.int64)
    gain = with_prior(jackknife((leave_one_out(gains) / games).mean(axis=1)), float(prior_variance(fewest)))
    row: Row = {"games": int(joint.sum())}
    for results, name in zip(marginals(joint), ("win_rate_base", "win_rate_changed"), strict=True):
        rate = jackknife((leave_one_out(results[..., 0]) / games).mean(axis=1))
        limits = share_limits(rate, joint.sum(), fewest, CONFIDENCE)
        row |= estimate(Interval(np.asarray(rate.value), *limits, np.asarray(joint.sum())), name)
    confidence = bonferroni(CONFIDENCE, comparisons)
    alone, together = (_as_interval(gain, at, joint) for at in (CONFIDENCE, confidence))
    return row | _difference(alone, together, confidence, same)


def _as_interval(found: Jackknifed, confidence: float, joint: np.ndarray) -> Interval:
    low, high = found.limits(confidence)
    return Interval(
        np.asarray(found.value), np.clip(low, -1, 1), np.clip(high, -1, 1), np.asarray(joint.sum())
    )


def _best_first(table: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Sort the rows of the same policies by their difference; the policies stay in their order."""
    order = {
        key: place for place, key in enumerate(dict.fromkeys(table[by].itertuples(index=False, name=None)))
    }
    rung = [order[key] for key in table[by].itertuples(index=False, name=None)]
    ranked = table.assign(_rung=rung).sort_values(
        ["_rung", "difference"], ascending=[True, False], kind="stable"
    )
    return ranked.drop(columns="_rung").reset_index(drop=True)
