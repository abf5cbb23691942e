"""Effects of factors from grouped counts, and what blocks of games tell about their errors."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.special import expit, ndtri
from scipy.stats import ttest_rel

from clashsim.analysis.blocks import (
    benjamini_hochberg,
    jackknife,
    leave_one_out,
    ratio,
    ratio_to_gain,
    share_limits,
    student_quantile,
)
from clashsim.analysis.effects import (
    Coding,
    average_difference,
    firth_logit,
    independent_columns,
    least_squares,
)
from clashsim.analysis.intervals import wilson
from clashsim.errors import InputError

FACTORS = {"size": ["s", "m", "l"], "hot": ["no", "yes"], "wet": ["no", "yes"]}
CODING = Coding(FACTORS)
CELLS = pd.DataFrame(list(product(*FACTORS.values())), columns=list(FACTORS))
DESIGN = CODING.matrix(CELLS)
TRUTH = np.array([-0.6, 0.5, 1.2, -0.8, 0.4])
BLOCKS = 40


def drawn(rng, per_block, chances, correlation=0.5):
    """Wins by cell and block; the cells of a block share a part of their luck."""
    shape = (len(chances), BLOCKS, per_block)
    luck = np.sqrt(correlation) * rng.standard_normal(shape[1:]) + np.sqrt(
        1 - correlation
    ) * rng.standard_normal(shape)
    return (luck < ndtri(chances)[:, np.newaxis, np.newaxis]).sum(axis=-1)


# ---- designs


def test_the_base_is_the_intercept_and_every_other_level_a_column():
    assert CODING.columns == [("", ""), ("size", "m"), ("size", "l"), ("hot", "yes"), ("wet", "yes")]
    assert DESIGN[0].tolist() == [1, 0, 0, 0, 0]
    assert DESIGN[-1].tolist() == [1, 0, 1, 1, 1]
    assert CODING.contrast("size", "m", "l").tolist() == [0, -1, 1, 0, 0]
    assert CODING.contrast("size", "s", "m").tolist() == [0, 1, 0, 0, 0]


def test_a_design_at_a_level_has_it_in_all_cells_and_the_rest_as_before():
    moved = CODING.at(DESIGN, "size", "m")
    expected = CODING.matrix(CELLS.assign(size="m"))
    np.testing.assert_array_equal(moved, expected)
    assert not np.array_equal(moved, DESIGN)


def test_columns_that_others_make_up_are_found():
    design = np.column_stack([DESIGN, DESIGN[:, 1] + DESIGN[:, 2], DESIGN[:, 3] * DESIGN[:, 4], np.zeros(12)])
    assert independent_columns(design).tolist() == [True] * 5 + [False, True, False]


# ---- fits


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (10, 10), (3, 10), (1, 2), (0, 1)])
def test_a_single_rate_gets_half_a_win_and_half_a_loss_more(wins, games):
    fitted = firth_logit(np.ones((1, 1)), [wins], [games])
    assert fitted[0] == pytest.approx(np.log((wins + 0.5) / (games - wins + 0.5)), abs=1e-6)


def test_two_rates_give_the_log_odds_ratio_of_counts_with_halves():
    fitted = firth_logit(np.array([[1.0, 0], [1, 1]]), [0, 7], [20, 9])
    expected = [np.log(0.5 / 20.5), np.log(7.5 / 2.5) - np.log(0.5 / 20.5)]
    np.testing.assert_allclose(fitted, expected, atol=1e-6)


def test_large_counts_agree_with_maximum_likelihood():
    rng = np.random.default_rng(5)
    games = np.full(len(CELLS), 10_000)
    wins = rng.binomial(games, expit(DESIGN @ TRUTH))
    reference = sm.GLM(np.column_stack([wins, games - wins]), DESIGN, family=sm.families.Binomial()).fit()
    np.testing.assert_allclose(firth_logit(DESIGN, wins, games), reference.params, atol=2e-4)


def test_the_penalty_takes_away_most_of_the_bias_of_few_games():
    rng = np.random.default_rng(6)
    truth = np.array([-1.0, 1.0, 2.0, -1.5, 1.0])
    games = np.full((2000, len(CELLS)), 6)
    wins = rng.binomial(games, expit(DESIGN @ truth))
    kept = (wins.sum(axis=1) > 0) & (wins.sum(axis=1) < games.sum(axis=1))
    fitted = firth_logit(DESIGN, wins[kept], games[kept])
    error = fitted.std(axis=0) / np.sqrt(len(fitted))
    assert (np.abs(fitted.mean(axis=0) - truth) < 0.03 * np.abs(truth) + 4 * error).all()


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_empty_full_and_separated_counts_stay_finite(share):
    games = np.full(len(CELLS), 50)
    alike = firth_logit(DESIGN, games * share, games)
    assert np.isfinite(alike).all()
    assert np.sign(alike[0]) == (1 if share else -1)
    separated = firth_logit(DESIGN, games * (DESIGN[:, 3] == share), games)
    assert np.isfinite(separated).all()
    assert np.abs(separated[3]) > 5
    assert np.abs(separated[[1, 2, 4]]).max() < 1


def test_cells_without_games_do_not_count():
    rng = np.random.default_rng(7)
    games = np.full(len(CELLS), 30)
    games[[2, 7]] = 0
    wins = rng.binomial(games, 0.3)
    some = games > 0
    np.testing.assert_allclose(
        firth_logit(DESIGN, wins, games), firth_logit(DESIGN[some], wins[some], games[some]), atol=1e-6
    )


def test_replicates_are_fitted_as_one_by_one():
    rng = np.random.default_rng(8)
    wins, games = leave_one_out(rng.binomial(3, 0.2, (12, 40))), leave_one_out(np.full((12, 40), 3))
    together = firth_logit(DESIGN, wins, games)
    assert together.shape == (41, 5)
    for number in (0, 1, 17, 40):
        np.testing.assert_allclose(
            together[number], firth_logit(DESIGN, wins[number], games[number]), atol=1e-6
        )


def test_means_are_fitted_by_weighted_least_squares():
    rng = np.random.default_rng(9)
    games = rng.integers(1, 50, len(CELLS))
    sums = rng.integers(0, 500, len(CELLS))
    reference = sm.WLS(sums / games, DESIGN, weights=games).fit()
    np.testing.assert_allclose(least_squares(DESIGN, sums, games), reference.params, atol=1e-9)


def test_the_average_difference_is_that_of_the_predicted_rates():
    low, high = (CODING.at(DESIGN, "size", level) for level in ("s", "l"))
    by_hand = np.mean(
        [
            expit(TRUTH @ row_high) - expit(TRUTH @ row_low)
            for row_low, row_high in zip(low, high, strict=True)
        ]
    )
    assert average_difference(low, high, TRUTH) == pytest.approx(by_hand)


# ---- blocks


def test_leaving_out_a_block_leaves_the_others():
    counts = np.arange(12).reshape(2, 2, 3)
    sums = leave_one_out(counts)
    assert sums.shape == (4, 2, 2)
    np.testing.assert_array_equal(sums[0], counts.sum(axis=-1))
    np.testing.assert_array_equal(sums[2], counts[..., [0, 2]].sum(axis=-1))


def test_of_equal_blocks_the_jackknife_is_the_paired_t():
    rng = np.random.default_rng(10)
    one, other = rng.normal(0.3, 1, (2, BLOCKS))
    sums = leave_one_out([one, other])
    games = np.r_[BLOCKS, np.full(BLOCKS, BLOCKS - 1)][:, np.newaxis]
    difference = jackknife((sums[:, 0] - sums[:, 1]) / games[:, 0])
    reference = ttest_rel(one, other)
    assert difference.limits() == pytest.approx(tuple(reference.confidence_interval(0.95)))
    assert difference.p_other() == pytest.approx(reference.pvalue)
    assert difference.p_above() == pytest.approx(ttest_rel(one, other, alternative="greater").pvalue)


def test_what_never_varied_has_no_evidence_unless_it_is_not_zero():
    always = jackknife(np.array([[0.0, 1.0, -1.0]] * 4))
    np.testing.assert_array_equal(always.p_above(), [0.5, 0, 1])
    np.testing.assert_array_equal(always.p_other(), [1, 0, 0])


def test_one_block_is_not_enough():
    with pytest.raises(InputError, match="at least 2 blocks"):
        jackknife(np.zeros((2, 3)))


@pytest.mark.parametrize("per_block", [1, 5])
def test_intervals_of_effects_cover_the_truth_of_correlated_cells(per_block):
    """Of 400 runs 95 % should: 92 to 98 % are within three standard errors."""
    rng = np.random.default_rng(11)
    truth = np.array([0.2, 0.4, 0.9, -0.7, 0.3])
    chances = expit(DESIGN @ truth)
    low, high = (CODING.at(DESIGN, "size", level) for level in ("s", "l"))
    targets = np.append(truth[1:], average_difference(low, high, truth))
    games = leave_one_out(np.full((len(CELLS), BLOCKS), per_block))
    covered, naive = [], []
    for _ in range(400):
        wins = leave_one_out(drawn(rng, per_block, chances))
        coefficients = firth_logit(DESIGN, wins, games)
        effects = jackknife(
            np.column_stack([coefficients[:, 1:], average_difference(low, high, coefficients)])
        )
        limits = effects.limits()
        covered.append((limits[0] <= targets) & (targets <= limits[1]))
        weights = games[0] * chances * (1 - chances)
        error = np.sqrt(np.diag(np.linalg.inv((DESIGN.T * weights) @ DESIGN)))
        naive.append(np.abs(coefficients[0] - truth) <= 1.96 * error)
    coverage = np.mean(covered, axis=0)
    assert (coverage >= 0.92).all()
    assert (coverage <= 0.98).all()
    # As if all cells were independent, the intervals of effects would be too wide, that of the intercept too narrow.
    assert (np.mean(naive, axis=0)[1:] > 0.965).all()
    assert np.mean(naive, axis=0)[0] < 0.92


def test_ratios_cover_the_truth_where_the_denominator_is_uncertain():
    rng = np.random.default_rng(12)
    covered, unbounded = [], 0
    for _ in range(400):
        blocks = rng.multivariate_normal([2.0, 1.0], [[4.0, 1.5], [1.5, 3.0]], BLOCKS).T
        sums = leave_one_out(blocks)
        games = np.r_[BLOCKS, np.full(BLOCKS, BLOCKS - 1)]
        top, bottom = (jackknife(sums[:, place] / games) for place in (0, 1))
        value, low, high = ratio(top, bottom)
        if np.isnan(value):
            unbounded += 1
            assert np.isnan([low, high]).all()
            limits = bottom.limits()
            assert limits[0] <= 0 <= limits[1]
            continue
        assert low <= value <= high
        covered.append(low <= 2 <= high)
    assert 0 < unbounded < 40
    assert 0.92 <= np.mean(covered) <= 0.98


def test_the_ratio_of_a_thing_to_itself_is_one_for_sure():
    rng = np.random.default_rng(13)
    thing = jackknife(leave_one_out(rng.normal(3, 1, BLOCKS)))
    np.testing.assert_allclose(ratio(thing, thing), [1, 1, 1])


def test_there_is_no_ratio_to_what_is_not_surely_a_gain():
    rng = np.random.default_rng(15)
    noise = rng.normal(0, 1, BLOCKS)
    noise -= noise.mean()
    gain, loss, nothing = (jackknife(leave_one_out(mean + noise)) for mean in (3, -3, 0))
    np.testing.assert_allclose(ratio_to_gain(loss, gain), ratio(loss, gain))
    assert np.isnan(ratio_to_gain(gain, loss)).all()
    assert np.isnan(ratio_to_gain(gain, nothing)).all()


def test_shares_keep_honest_limits():
    zero = jackknife(np.zeros(BLOCKS + 1))
    low, high = share_limits(zero, 4000, 100)
    assert (float(low), float(high)) == (0.0, pytest.approx(float(wilson(0, 100)[1]), rel=0.1))
    rng = np.random.default_rng(14)
    chance, covered = 0.04, []
    games = np.r_[BLOCKS, np.full(BLOCKS, BLOCKS - 1)] * 5 * 3
    for _ in range(1000):
        wins = leave_one_out(drawn(rng, 5, np.full(3, chance))).sum(axis=1)
        low, high = share_limits(jackknife(wins / games), games[0], BLOCKS * 5)
        assert 0 <= low <= high <= 1
        covered.append(low <= chance <= high)
    assert 0.925 <= np.mean(covered) <= 0.975


def test_wider_confidence_has_wider_limits():
    assert student_quantile(0.95, 39) == pytest.approx(2.0227, abs=1e-4)
    thing = jackknife(np.random.default_rng(15).normal(size=41))
    low, high = thing.limits(0.95)
    wide = thing.limits(0.999)
    assert wide[0] < low < high < wide[1]


def test_adjusted_p_values_are_those_of_benjamini_and_hochberg():
    p = np.array([0.01, np.nan, 0.04, 0.03, 0.5])
    by_hand = [0.04, np.nan, 0.16 / 3, 0.16 / 3, 0.5]
    np.testing.assert_allclose(benjamini_hochberg(p), by_hand)
    assert benjamini_hochberg([]).shape == (0,)
    assert np.isnan(benjamini_hochberg([np.nan])).all()
