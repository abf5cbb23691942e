"""Means, quantiles and verdicts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from clashsim.analysis.intervals import bonferroni, distance, histogram_quantile, mean_interval, verdict
from clashsim.errors import InputError


@given(st.lists(st.integers(0, 200), min_size=2, max_size=50))
def test_mean_interval_is_students(values):
    interval = mean_interval(sum(values), sum(value**2 for value in values), len(values))
    assert interval.value == pytest.approx(np.mean(values))
    expected = stats.t.isf(0.025, len(values) - 1) * stats.sem(values)
    assert interval.half_width == pytest.approx(expected, abs=1e-5)


def test_mean_interval_covers_the_mean():
    values = np.random.default_rng(3).poisson(20, size=(20_000, 200))
    interval = mean_interval(values.sum(axis=1), (values**2).sum(axis=1), 200)
    coverage = ((interval.low <= 20) & (interval.high >= 20)).mean()
    assert 0.945 <= coverage <= 0.955  # three standard errors of the simulated share


def test_a_single_value_has_a_mean_and_no_interval():
    interval = mean_interval([7, 0], [49, 0], [1, 0])
    assert interval.value[0] == 7
    assert np.isnan(interval.low[0])
    assert np.isnan(interval.value[1])


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=60), st.sampled_from([0, 0.1, 0.25, 0.3, 0.5, 0.9, 1])
)
def test_histogram_quantile_is_that_of_the_values(values, q):
    expected = np.quantile(values, q, method="averaged_inverted_cdf")
    assert histogram_quantile(np.bincount(values), q) == expected


def test_the_median_of_an_even_number_averages_the_middle_two():
    assert histogram_quantile([0, 1, 0, 0, 1], 0.5) == 2.5


def test_quantiles_of_several_histograms():
    medians = histogram_quantile([[2, 1, 0], [0, 0, 0], [0, 1, 3]], 0.5)
    np.testing.assert_array_equal(medians, [0, np.nan, 2])


def test_an_impossible_quantile_is_named():
    with pytest.raises(InputError, match="quantile 50"):
        histogram_quantile([1, 2], 50)


def test_verdicts_have_three_values():
    low, high = [0.48, 0.53, 0.40, 0.47, 0.50], [0.52, 0.60, 0.47, 0.52, 0.53]
    expected = ["balanced", "unbalanced", "unbalanced", "undecided", "undecided"]
    assert verdict(low, high).tolist() == expected
    assert verdict(0.45, 0.55, band=(0.4, 0.6)) == "balanced"


@given(st.integers(0, 64), st.integers(0, 64))
def test_verdicts_do_not_depend_on_the_side(one, other):
    low, high = sorted((one / 64, other / 64))
    assert verdict(low, high, band=(0.25, 0.75)) == verdict(1 - high, 1 - low, band=(0.25, 0.75))


def test_distance_is_signed_and_zero_inside_the_band():
    assert distance([0.4, 0.5, 0.6]) == pytest.approx([-0.075, 0, 0.075])


def test_bonferroni_shares_the_error_out():
    assert bonferroni(0.95, 10) == pytest.approx(0.995)
    assert bonferroni(0.95, 1) == bonferroni(0.95, 0) == pytest.approx(0.95)
