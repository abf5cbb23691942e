"""Precision: fixed looks, limits that hold at all of them, targets that stop for a reason, games to expect."""

from fractions import Fraction
from itertools import islice, pairwise, product
from math import ceil, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.analysis.intervals import (
    SEQUENCE_GAMES,
    bonferroni,
    score_interval,
    score_sequence,
    verdict,
)
from clashsim.analysis.precision import EVEN_PRECISION, Target, expected_games, look_at_least, looks
from clashsim.errors import InputError

COUNT = st.integers(0, 10**7)
STRATUM = st.tuples(COUNT, COUNT, COUNT)
CONFIDENCE = st.sampled_from([0.5, 0.95, 1 - 0.05 / 45, 0.999999])
PRECISION = st.one_of(st.none(), st.floats(0.001, 0.5))
TARGET = st.builds(Target, PRECISION, st.booleans())


@st.composite
def even_strata(draw):
    """Results of two strata with equally many games each, at a look."""
    games = draw(st.sampled_from(list(islice(looks(), 60)))) // 2
    cuts = [sorted(draw(st.tuples(st.integers(0, games), st.integers(0, games)))) for _ in range(2)]
    return np.array([(low, high - low, games - high) for low, high in cuts])


def near(score: float, games: int) -> np.ndarray:
    """Return the results of two equal strata without draws whose score is nearest to one that is given."""
    wins = round(score * games / 2)
    return np.array([(wins, 0, games // 2 - wins)] * 2)


# ---- looks


def test_looks_are_known_numbers():
    assert list(islice(looks(), 8)) == [1000, 1200, 1440, 1728, 2074, 2490, 2986, 3584]


def test_looks_are_exact_even_and_grow_by_a_fifth():
    for k, look in enumerate(islice(looks(), 120)):
        exact = 1000 * Fraction(6, 5) ** k
        assert look == 2 * ceil(exact / 2)
    assert look > 10**12


@given(st.integers(0, 10**12))
def test_a_look_at_least_is_the_smallest(games):
    look = look_at_least(games)
    earlier = [before for before, after in pairwise(islice(looks(), 125)) if after == look]
    assert games <= look
    assert look_at_least(look) == look
    assert all(before < games for before in earlier)
    assert earlier or look == 1000


# ---- the confidence sequence


def boundary(games: int, alpha: float) -> float:
    """Robbins' boundary in standard errors, with the parameter that is best of many at `SEQUENCE_GAMES`."""

    def errors(games, rho):
        x = games * rho**2
        return np.sqrt(2 * (1 + 1 / x) * np.log(np.sqrt(x + 1) / alpha))

    tried = np.geomspace(0.001, 0.1, 10_001)
    return float(errors(games, tried[errors(SEQUENCE_GAMES, tried).argmin()]))


@pytest.mark.parametrize("games", [1000, SEQUENCE_GAMES, 10**6])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 6, 1e-9])
def test_limits_are_robbins_boundary_away_as_wilson_has_it(games, alpha):
    interval = score_sequence([games * 3 // 10], [0], [games * 7 // 10], 1 - alpha)
    for limit in (interval.low, interval.high):
        errors = abs(limit - 0.3) / sqrt(limit * (1 - limit) / games)
        assert errors == pytest.approx(boundary(games, alpha), rel=1e-3)


def test_the_known_price_of_looking_at_all_times():
    # at the games it is tuned for, 95 % take 3.035 standard errors instead of 1.960
    sequence = score_sequence([5000] * 2, [0] * 2, [5000] * 2)
    assert sequence.half_width == pytest.approx(3.0351 / 2 / sqrt(20_000 + 3.0351**2), rel=1e-4)


@given(st.lists(STRATUM, min_size=1, max_size=3), CONFIDENCE)
def test_the_sequence_encloses_the_score_and_mirrors_exactly(strata, confidence):
    wins, draws, losses = np.array(strata).T
    ours = score_sequence(wins, draws, losses, confidence)
    theirs = score_sequence(losses, draws, wins, confidence)
    assert 0 <= ours.low <= ours.value <= ours.high <= 1
    assert (theirs.value, theirs.low, theirs.high) == (1 - ours.value, 1 - ours.high, 1 - ours.low)
    assert ours.value == score_interval(wins, draws, losses).value


@given(even_strata(), CONFIDENCE)
def test_the_sequence_contains_the_interval_of_one_look(results, confidence):
    wins, draws, losses = results.T
    sequence = score_sequence(wins, draws, losses, confidence)
    interval = score_interval(wins, draws, losses, confidence)
    assert sequence.low <= interval.low
    assert interval.high <= sequence.high


@given(even_strata(), CONFIDENCE, CONFIDENCE)
def test_more_confidence_is_never_narrower(results, one, other):
    wins, draws, losses = results.T
    less, more = (score_sequence(wins, draws, losses, c) for c in sorted((one, other)))
    assert more.low <= less.low
    assert less.high <= more.high


@pytest.mark.parametrize("results", [[[500, 0, 0]] * 2, [[0, 500, 0]] * 2, [[500, 0, 0], [0, 0, 500]]])
def test_the_sequence_is_honest_when_all_games_of_a_stratum_end_alike(results):
    wins, draws, losses = np.array(results).T
    interval = score_sequence(wins, draws, losses)
    # 10 further losses in 1000 games would not be out of the question
    assert interval.low < interval.value - 0.005
    assert np.isfinite(interval).all()


def test_without_games_the_sequence_is_the_whole_range():
    assert score_sequence([0, 0], [0, 0], [0, 0])[:3] == (0.5, 0, 1)


def test_conditions_with_different_numbers_of_games_are_done_at_once():
    wins = np.array([[500, 480], [50_000, 49_000], [0, 0]])
    together = score_sequence(wins, 7, wins)
    for row in range(3):
        alone = score_sequence(wins[row], 7, wins[row])
        assert (together.low[row], together.high[row]) == (alone.low, alone.high)


# ---- targets


@pytest.mark.parametrize("precision", [0, -0.01, 0.500001, 50, float("nan"), float("inf")])
def test_an_impossible_precision_is_named_in_points(precision):
    with pytest.raises(InputError, match=f"precision {100 * precision:g}: expected percentage points"):
        Target(precision)


@given(even_strata(), st.integers(1, 100), st.booleans())
def test_without_a_target_nothing_stops(results, comparisons, even):
    assert Target().reason(results, comparisons, even) == ""


@given(even_strata(), st.floats(0.001, 0.5), st.integers(1, 100), st.booleans())
def test_a_precision_stops_at_the_half_width_of_the_interval(results, precision, comparisons, even):
    narrow = score_interval(*results.T).half_width <= precision
    assert Target(precision).reason(results, comparisons, even) == ("precise" if narrow else "")


def test_half_a_point_takes_about_38_400_games():
    target = Target(0.005)
    assert target.reason(near(0.5, 38_338), 1) == ""
    assert target.reason(near(0.5, 46_006), 1) == "precise"


@given(even_strata(), PRECISION, st.integers(1, 100))
def test_until_decided_stops_when_the_verdict_of_the_sequence_is_settled(results, precision, comparisons):
    together = score_sequence(*results.T, bonferroni(0.95, comparisons))
    settled = verdict(together.low, together.high) != "undecided"
    reason = Target(precision, until_decided=True).reason(results, comparisons)
    assert (reason == "decided") == settled
    narrow = precision is not None and score_sequence(*results.T).half_width <= precision
    assert (reason != "") == (settled or narrow)


@pytest.mark.parametrize(
    ("score", "games", "reason"),
    [
        (0.5, 1000, ""),
        (0.5, 10_700, "decided"),
        (0.525, 10**6, ""),
        (0.475, 10**6, ""),
        (0.535, 10**6, "decided"),
        (0.65, 1000, "decided"),
        (0.35, 1000, "decided"),
    ],
)
def test_until_decided_stops_sooner_the_farther_the_score_is_from_an_edge(score, games, reason):
    assert Target(until_decided=True).reason(near(score, games), 6) == reason


def test_more_comparisons_take_more_games_to_decide():
    target, results = Target(until_decided=True), near(0.5, 5160)
    assert target.reason(results, 1) == "decided"
    assert target.reason(results, 1000) == ""


def test_whichever_comes_first_stops():
    both = Target(0.02, until_decided=True)
    assert both.reason(near(0.525, 1000), 1) == ""
    assert both.reason(near(0.525, 20_000), 1) == "precise"
    assert both.reason(near(0.7, 1000), 1) == "decided"


@pytest.mark.parametrize(("precision", "half_width"), [(None, EVEN_PRECISION), (0.02, 0.02)])
def test_an_even_condition_goes_by_precision_when_others_go_until_decided(precision, half_width):
    target = Target(precision, until_decided=True)
    starter = np.array([[600, 0, 400]])
    sizes = [n for n in range(1, 60) if target.reason(starter * n, 6, even=True)]
    widths = [float(score_sequence(*(starter * n).T).half_width) for n in (sizes[0] - 1, sizes[0])]
    assert target.reason(starter * sizes[0], 6, even=True) == "precise"
    assert widths[1] <= half_width < widths[0]


def test_an_even_condition_is_not_stopped_by_who_starts():
    assert Target(until_decided=True).reason([[900, 0, 100]], 1, even=True) == ""
    assert Target(until_decided=True).reason([[900, 0, 100]], 1) == "decided"


def test_reasons_of_many_conditions_are_those_of_each():
    target = Target(0.02, until_decided=True)
    results = np.stack([near(score, 20_000) for score in (0.5, 0.525, 0.7)])
    assert target.reasons(results, 3).tolist() == ["decided", "precise", "decided"]
    assert [target.reason(each, 3) for each in results] == ["decided", "precise", "decided"]


@given(even_strata(), st.sampled_from([0.95, 0.999]))
def test_the_limits_of_a_target_hold_where_it_stops(results, confidence):
    fixed, free = (Target(0.01, until).interval(results, confidence) for until in (False, True))
    assert fixed == score_interval(*results.T, confidence)
    assert free == score_sequence(*results.T, confidence)


# ---- going on under another target


@given(TARGET, TARGET, even_strata(), st.integers(1, 50), st.booleans())
def test_where_a_tighter_target_stops_the_other_stops_too(target, other, results, comparisons, even):
    if target.tightens(other) and target.reason(results, comparisons, even):
        assert other.reason(results, comparisons, even)


@given(TARGET)
def test_every_target_tightens_itself_and_is_tightened_by_going_on_to_the_cap(target):
    assert target.tightens(target)
    assert Target().tightens(target)
    assert Target().tightens(target) != target.tightens(Target()) or target == Target()


TARGETS = [Target(p, until) for p, until in product((None, 0.009, EVEN_PRECISION, 0.011), (False, True))]


def stops_where_the_other_goes_on(target: Target, other: Target) -> bool:
    """Tell whether some results stop a target but not another."""
    found = [near(score, games) for score in (0.5, 0.525, 0.6, 0.8) for games in islice(looks(), 50)]
    return any(
        ((target.reasons(found, 1, even) != "") & (other.reasons(found, 1, even) == "")).any()
        for even in (False, True)
    )


# Only among targets close to each other: 0.1 by the interval always comes later than 1.0 by the sequence.
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("other", TARGETS)
def test_tightens_is_refused_only_when_something_would_differ(target, other):
    assert target.tightens(other) != stops_where_the_other_goes_on(target, other)


# ---- games to expect


def test_a_precision_takes_what_its_formula_says():
    # 1.96**2 / 4 / 0.01**2 games are 9604; the looks around it 8916 and 10,700
    assert 8916 < expected_games(Target(0.01), None, 1, 10**6) <= 10_700
    assert expected_games(Target(0.01), near(0.5, 10_000), 1, 10**6) == 10_700


def test_draws_and_one_sidedness_save_games_for_a_precision():
    target = Target(0.005)
    plain = expected_games(target, near(0.5, 2000), 1, 10**6)
    assert expected_games(target, [[250, 500, 250]] * 2, 1, 10**6) < 0.7 * plain
    assert expected_games(target, near(0.9, 2000), 1, 10**6) < 0.5 * plain
    assert expected_games(target, [[900, 0, 100], [100, 0, 900]], 1, 10**6) < 0.5 * plain


def test_a_clear_pilot_is_soon_decided_and_one_at_an_edge_is_not():
    target = Target(until_decided=True)
    assert expected_games(target, near(0.7, 400), 6, 10**6) == 1000
    assert 5000 < expected_games(target, near(0.5, 40_000), 6, 10**6) < 12_000
    assert expected_games(target, near(0.525, 4000), 6, 10**6) > 100_000


def test_two_games_shift_the_expectation_only_a_little():
    target = Target(until_decided=True)
    none = expected_games(target, None, 6, 100_000)
    for pilot in ([[1, 0, 0], [0, 0, 1]], [[1, 0, 0], [1, 0, 0]], [[0, 1, 0], [0, 1, 0]]):
        assert expected_games(target, pilot, 6, 100_000) == pytest.approx(none, rel=0.3)


@given(TARGET, st.one_of(st.none(), even_strata()), st.integers(1, 50), st.booleans(), st.integers(1, 10**7))
def test_the_expectation_is_at_most_the_cap_and_grows_with_it(target, pilot, comparisons, even, cap):
    games = expected_games(target, pilot, comparisons, cap, even)
    assert min(cap, 1000) <= games <= cap
    assert games <= expected_games(target, pilot, comparisons, 2 * cap, even)


def test_without_a_target_or_a_look_the_cap_is_expected():
    assert expected_games(Target(), None, 1, 12_345) == 12_345
    assert expected_games(Target(0.5), None, 1, 998) == 998


@pytest.mark.parametrize("target", [Target(0.01), Target(until_decided=True), Target(0.01, True)])
def test_both_sides_expect_alike(target):
    pilot = np.array([[30, 5, 15], [20, 0, 30]])
    games = expected_games(target, pilot, 6, 10**6)
    assert expected_games(target, pilot[:, ::-1], 6, 10**6) == pytest.approx(games, rel=0.01)
