"""Intervals: true by exact coverage and by simulation, honest when degenerate, the same from either side."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from clashsim.analysis.intervals import (
    bonferroni,
    rate_interval,
    score_interval,
    wilson,
)
from clashsim.errors import InputError

COUNT = st.integers(0, 10**7)
STRATUM = st.tuples(COUNT, COUNT, COUNT)


def exact_coverage(games: int, first: float, second: float, confidence: float = 0.95) -> float:
    """Probability that the interval of two strata of coins contains the true score, over all outcomes."""
    outcomes = np.arange(games + 1)
    wins = np.stack(np.meshgrid(outcomes, outcomes, indexing="ij"), axis=-1)
    interval = score_interval(wins, 0, games - wins, confidence)
    truth = (first + second) / 2
    probability = np.outer(binom.pmf(outcomes, games, first), binom.pmf(outcomes, games, second))
    return float(probability[(interval.low <= truth) & (truth <= interval.high)].sum())


def simulated_coverage(games: int, strata: list[tuple[float, float, float]]) -> float:
    """Share of 20,000 seeded runs, with (win, draw, loss) probabilities per stratum, that cover the truth."""
    rng = np.random.default_rng(20_250_101)
    drawn = np.stack([rng.multinomial(games, chances, size=20_000) for chances in strata], axis=1)
    interval = score_interval(drawn[..., 0], drawn[..., 1], drawn[..., 2])
    truth = np.mean([win + draw / 2 for win, draw, _ in strata])
    return float(((interval.low <= truth) & (truth <= interval.high)).mean())


# Counts are discrete, so coverage swings around 95 % by about 1 point at 200 games for shares from 0.1 to 0.9
# (plain Wilson does so too). It may be higher when the strata differ: the smoothing errs on the safe side.
@pytest.mark.parametrize("first", [0.1, 0.3, 0.5, 0.8, 0.9])
@pytest.mark.parametrize("second", [0.1, 0.2, 0.5, 0.7, 0.9])
def test_coverage_of_two_strata_is_exact_for_coins(first, second):
    assert 0.94 <= exact_coverage(100, first, second) <= 0.97


# Near 0 and 1 a share of 1 / games or so is often missed altogether: Wilson's own interval falls to 0.91.
@pytest.mark.parametrize("first", [0, 0.005, 0.01, 0.02, 0.03, 0.05])
@pytest.mark.parametrize("second", [0, 0.005, 0.03, 0.5, 0.97, 0.995, 1])
def test_coverage_holds_when_strata_are_nearly_shut_out(first, second):
    assert exact_coverage(100, first, second) >= 0.91


@pytest.mark.parametrize("share", [0.1, 0.35, 0.5, 0.9])
def test_coverage_holds_for_simultaneous_confidence(share):
    assert exact_coverage(100, share, share, confidence=0.999) >= 0.997


# A simulated share of 0.95 has a standard error of 0.0015: below 0.94 is more than 6 of them.
@pytest.mark.parametrize("draws", [0.02, 0.1, 0.5, 0.9])
@pytest.mark.parametrize(("first", "second"), [(0.5, 0.5), (0.1, 0.1), (0.1, 0.9), (0.8, 0.5), (0.0, 0.5)])
def test_coverage_with_draws(draws, first, second):
    strata = [(share * (1 - draws), draws, (1 - share) * (1 - draws)) for share in (first, second)]
    assert simulated_coverage(100, strata) >= 0.94


def test_draws_make_the_interval_narrower_as_they_should():
    strata = [(0.25, 0.5, 0.25)] * 2
    assert 0.94 <= simulated_coverage(250, strata) <= 0.96


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_one_stratum_of_coins_is_plain_wilson(wins_games):
    wins, games = wins_games
    reference = proportion_confint(wins, games, method="wilson")
    assert wilson(wins / games, games) == pytest.approx(reference, abs=1e-12)
    interval = score_interval([wins], [0], [games - wins])
    assert (interval.low, interval.high) == pytest.approx(reference, abs=1e-12)
    assert interval.games == pytest.approx(games)


@given(st.lists(STRATUM, min_size=1, max_size=3), st.sampled_from([0.5, 0.95, 0.9999]))
def test_limits_enclose_the_score_and_mirror_exactly(strata, confidence):
    wins, draws, losses = np.array(strata).T
    ours = score_interval(wins, draws, losses, confidence)
    theirs = score_interval(losses, draws, wins, confidence)
    assert 0 <= ours.low <= ours.value <= ours.high <= 1
    assert (theirs.value, theirs.low, theirs.high) == (1 - ours.value, 1 - ours.high, 1 - ours.low)
    assert (ours.value, ours.low, ours.high) == (1 - theirs.value, 1 - theirs.high, 1 - theirs.low)
    assert ours.games == theirs.games


@given(st.lists(STRATUM, min_size=2, max_size=2))
def test_the_score_counts_draws_as_halves(strata):
    (wins, draws, losses) = np.array(strata).T
    games = (wins + draws + losses).sum()
    expected = (wins.sum() + draws.sum() / 2) / games if games else 0.5
    assert score_interval(wins, draws, losses).value == pytest.approx(expected, abs=1e-15)


def test_shut_out_in_both_strata_reaches_one_and_admits_what_is_possible():
    interval = score_interval([100, 100], [0, 0], [0, 0])
    assert interval.value == interval.high == 1
    # losing 1.5 % of 200 games would leave a shut-out with probability 0.05
    assert 0.98 < interval.low < 0.985


def test_strata_that_are_opposite_shut_outs_are_not_taken_for_certain():
    interval = score_interval([100, 0], [0, 0], [0, 100])
    assert interval.value == 0.5
    # winning 97 % of the first stratum (score 0.485) would still give this outcome with probability 0.05
    assert 0.475 < interval.low < 0.485
    assert interval.high == 1 - interval.low


def test_all_draws_have_an_interval_around_a_half():
    interval = score_interval([0, 0], [100, 100], [0, 0])
    assert interval.value == 0.5
    # with 1.5 % losses (score 0.4925) all 200 games would still be drawn with probability 0.05
    assert 0.48 < interval.low < 0.4925
    assert interval.high == 1 - interval.low


def test_two_games_tell_next_to_nothing():
    interval = score_interval([1, 0], [0, 0], [0, 1])
    assert interval.low < 0.2
    assert interval.high > 0.8


def test_no_games_give_the_whole_range():
    assert score_interval([0, 0], [0, 0], [0, 0])[:3] == (0.5, 0, 1)
    assert wilson(0.5, 0) == (0, 1)


def test_a_stratum_without_games_changes_nothing():
    alone, beside = score_interval([30], [5], [65]), score_interval([30, 0], [5, 0], [65, 0])
    assert alone == beside


def test_separating_the_strata_narrows_the_interval():
    together = score_interval([1000], [0], [1000])
    apart = score_interval([900, 100], [0, 0], [100, 900])
    assert apart.half_width < 0.65 * together.half_width


def test_arrays_of_conditions_are_done_at_once():
    wins, draws, losses = np.arange(24).reshape(3, 4, 2), np.ones((3, 4, 2), int), np.full((3, 4, 2), 7)
    together = score_interval(wins, draws, losses)
    assert together.low.shape == (3, 4)
    assert together.low[2, 1] == score_interval(wins[2, 1], draws[2, 1], losses[2, 1]).low


def test_a_rate_is_a_score_without_draws():
    rate, score = rate_interval([30, 40], [100, 100]), score_interval([30, 40], [0, 0], [70, 60])
    assert rate == score


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5])
def test_an_impossible_confidence_is_named(confidence):
    with pytest.raises(InputError, match=f"confidence {confidence}"):
        wilson(0.5, 100, confidence)
    with pytest.raises(InputError, match=f"confidence {confidence}"):
        bonferroni(confidence, 3)
