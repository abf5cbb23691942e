"""Precision by simulation: coins with a known score, looked at as a run looks, are misjudged as seldom as claimed."""

from itertools import takewhile

import numpy as np
import pytest

from clashsim.analysis.intervals import BAND, score_sequence, verdict
from clashsim.analysis.precision import Target, expected_games, looks

SCORES = (0.02, 0.1, 0.3, 0.475, 0.5, 0.525, 0.7, 0.9)
EDGES = (0.474, 0.475, 0.476, 0.49, 0.5, 0.524, 0.525, 0.526, 0.53, 0.55)


def strata(score: float, draws: float = 0.0, starter: float = 0.0) -> list[tuple[float, float, float]]:
    """Chances to win, draw and lose when starting and when not, `starter` above and below the mean score."""
    shares = (score + starter, score - starter)
    drawn = [min(draws, share, 1 - share) for share in shares]
    return [(share - d / 2, d, 1 - share - d / 2) for share, d in zip(shares, drawn, strict=True)]


def paths(chances: list[tuple[float, float, float]], number: int, cap: int, seed: int) -> np.ndarray:
    """Results (paths, looks, strata, 3) of runs that are drawn from look to look."""
    rng = np.random.default_rng([20_250_102, seed])
    steps = np.diff(list(takewhile(lambda look: look <= cap, looks())), prepend=0) // 2
    shape = (number, len(steps))
    return np.stack([rng.multinomial(steps, each, shape) for each in chances], axis=2).cumsum(axis=1)


def misses(interval, truth: float) -> np.ndarray:
    return (truth < interval.low) | (interval.high < truth)


def where_it_stops(target: Target, results: np.ndarray, comparisons: int = 1) -> np.ndarray:
    """Results (paths, strata, 3) at the first look at which the target stops, or at the last look."""
    stops = target.reasons(results, comparisons) != ""
    stops[:, -1] = True
    return results[np.arange(len(results)), stops.argmax(axis=1)]


def misjudged(target: Target, score: float, results: np.ndarray, comparisons: int) -> np.ndarray:
    """Tell which paths end with a verdict that is wrong about the score."""
    end = target.interval(where_it_stops(target, results, comparisons), 1 - 0.05 / comparisons)
    verdicts = verdict(end.low, end.high)
    return verdicts == ("unbalanced" if BAND[0] <= score <= BAND[1] else "balanced")


def run_length_misses(score: float, draws: float, starter: float, number: int, confidence=0.95) -> float:
    """Share of paths whose confidence sequence misses the score at any look up to a million games."""
    results = paths(strata(score, draws, starter), number, 1_300_000, seed=int(1000 * score))
    wins, drawn, losses = np.moveaxis(results, -1, 0)
    return float(misses(score_sequence(wins, drawn, losses, confidence), score).any(axis=1).mean())


def family_errors(scores, number: int) -> float:
    """Share of tables with one path per score in which any verdict is wrong."""
    target = Target(until_decided=True)
    wrong = [
        misjudged(target, score, paths(strata(score), number, 400_000, seed=row), len(scores))
        for row, score in enumerate(scores)
    ]
    return float(np.any(wrong, axis=0).mean())


def stopped_coverage(
    score: float, points: float, draws: float, starter: float, number: int, cap=60_000
) -> float:
    """Share of runs up to a precision whose interval, where they stop, contains the score."""
    target = Target(points / 100)
    results = paths(strata(score, draws, starter), number, cap, seed=int(1000 * score + points))
    return float(1 - misses(target.interval(where_it_stops(target, results)), score).mean())


# ---- in seconds


# Of 1,000 paths 5 % are 50, with a standard deviation of 7: a rate of 0.07 is 3 of them above.
@pytest.mark.parametrize("score", [0.02, 0.3, 0.525])
def test_the_sequence_holds_at_all_looks_at_once(score):
    assert run_length_misses(score, 0.1, 0.0, number=1000) <= 0.07


def test_an_interval_for_one_look_does_not_hold_at_all_of_them():
    results = paths(strata(0.5), 1000, 1_300_000, seed=1)
    assert misses(Target(0.01).interval(results), 0.5).any(axis=1).mean() > 0.2


def test_verdicts_at_an_edge_are_seldom_wrong():
    results = paths(strata(0.525), 1000, 400_000, seed=2)
    assert misjudged(Target(until_decided=True), 0.525, results, comparisons=1).mean() <= 0.07


def test_a_wrong_verdict_is_found():
    results = paths(strata(0.45), 100, 20_000, seed=3)
    assert misjudged(Target(until_decided=True), 0.5, results, comparisons=1).all()


@pytest.mark.parametrize("points", [1, 2])
def test_the_interval_at_the_wanted_precision_covers(points):
    assert stopped_coverage(0.3, points, 0.1, 0.0, number=2000) >= 0.93


@pytest.mark.parametrize("score", [0.5, 0.515, 0.55, 0.7])
@pytest.mark.parametrize("target", [Target(0.01), Target(until_decided=True), Target(0.01, True)])
def test_runs_take_about_the_games_that_a_good_pilot_expects(target, score):
    results = paths(strata(score), 500, 200_000, seed=4)
    taken = where_it_stops(target, results, comparisons=6).sum(axis=(1, 2)).mean()
    pilot = (np.array(strata(score)) * 50_000).astype(int)
    assert expected_games(target, pilot, 6, 200_000) == pytest.approx(taken, rel=0.25)


def test_runs_of_unknown_conditions_take_about_the_games_that_are_expected():
    scores = np.random.default_rng(5).beta(5, 5, 2000)
    target = Target(until_decided=True)
    taken = [
        where_it_stops(target, paths(strata(score), 1, 20_000, seed=row), comparisons=6).sum()
        for row, score in enumerate(scores)
    ]
    assert expected_games(target, None, 6, 20_000) == pytest.approx(np.mean(taken), rel=0.15)


# ---- in minutes: of 4,000 paths 5 % have a standard error of 0.0034; of 20,000 runs 95 % one of 0.0015


@pytest.mark.slow
@pytest.mark.parametrize("draws", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("score", SCORES)
def test_the_sequence_covers_at_every_look(score, draws):
    assert run_length_misses(score, draws, 0.0, number=4000) <= 0.05
    assert run_length_misses(score, draws, 0.0, number=4000, confidence=1 - 0.05 / 6) <= 0.05 / 6


@pytest.mark.slow
@pytest.mark.parametrize("draws", [0.0, 0.3])
@pytest.mark.parametrize("score", [score for score in SCORES if 0.2 < score < 0.8])
def test_the_sequence_covers_when_the_starter_has_a_strong_advantage(score, draws):
    assert run_length_misses(score, draws, 0.2, number=4000) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("score", [0, 0.0005, 0.002, 0.005, 0.998])
def test_the_sequence_covers_near_shut_outs(score):
    assert run_length_misses(score, 0.1, 0.0, number=4000) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("target", [Target(until_decided=True), Target(0.01, True)])
@pytest.mark.parametrize(("draws", "starter"), [(0, 0), (0.3, 0), (0, 0.2)])
@pytest.mark.parametrize("score", EDGES)
def test_verdicts_of_runs_until_decided_are_seldom_wrong(score, draws, starter, target):
    results = paths(strata(score, draws, starter), 4000, 1_300_000, seed=6)
    assert misjudged(target, score, results, comparisons=1).mean() <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    "scores",
    [(0.475, 0.475, 0.475, 0.525, 0.525, 0.525), (0.474, 0.476, 0.5, 0.52, 0.526, 0.6), (0.5251,) * 6],
)
def test_verdicts_of_a_table_are_seldom_wrong_together(scores):
    assert family_errors(scores, number=4000) <= 0.05


# A run that may stop at either of two looks has two chances to miss: 94 % at the worst, about the scores
# whose games fall just short at one look. The mean of 45 x 10,000 runs has a standard error of 0.0003.
@pytest.mark.slow
@pytest.mark.parametrize(("points", "cap"), [(0.5, 60_000), (1, 16_000), (2, 4000)])
def test_intervals_cover_where_a_precision_stops(points, cap):
    scores = np.linspace(0.06, 0.5, 45)
    covered = [stopped_coverage(score, points, 0.0, 0.0, 10_000, cap) for score in scores]
    assert np.mean(covered) >= 0.949
    assert min(covered) >= 0.935


@pytest.mark.slow
@pytest.mark.parametrize(("draws", "starter"), [(0.3, 0), (0, 0.2)])
@pytest.mark.parametrize("points", [0.5, 1, 2])
@pytest.mark.parametrize("score", [0.3, 0.475, 0.5, 0.6])
def test_intervals_cover_where_a_precision_stops_with_draws_and_starters(score, points, draws, starter):
    assert stopped_coverage(score, points, draws, starter, number=20_000) >= 0.9375
