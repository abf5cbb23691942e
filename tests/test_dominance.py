"""Sure dominance and cycles."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from clashsim.analysis.dominance import dominates, shortest_cycles
from clashsim.analysis.intervals import score_interval

NOTHING = np.zeros((3, 3), bool)


def with_limits(scores, half_width):
    scores = np.array(scores, float)
    width = np.full(scores.shape, half_width)
    if scores.shape[0] == scores.shape[1]:
        np.fill_diagonal(width, 0)
    return scores, scores - width, scores + width


def test_better_against_everyone_is_dominance():
    scores = [[0.5, 0.6, 0.8], [0.4, 0.5, 0.7], [0.2, 0.3, 0.5]]
    expected = np.triu(np.ones((3, 3), bool), 1)
    np.testing.assert_array_equal(dominates(*with_limits(scores, 0.01)), expected)


def test_one_opponent_that_fares_better_spoils_it():
    scores = [[0.5, 0.6, 0.8], [0.4, 0.5, 0.9], [0.2, 0.1, 0.5]]
    found = dominates(*with_limits(scores, 0.01))
    assert not found[0, 1]
    assert found[0, 2]
    assert found[1, 2]


def test_unsure_or_unknown_is_no_dominance():
    scores = np.array([[0.5, 0.6, 0.8], [0.4, 0.5, 0.7], [0.2, 0.3, 0.5]])
    np.testing.assert_array_equal(dominates(*with_limits(scores, 0.3)), NOTHING)
    np.testing.assert_array_equal(dominates(*with_limits(np.full((3, 3), 0.5), 0)), NOTHING)
    scores[0, 2], scores[2, 0] = np.nan, np.nan
    found = dominates(*with_limits(scores, 0.01))
    assert not found[0, 1]
    assert not found[2].any()


def test_rows_of_another_side_need_no_games_among_themselves():
    found = dominates(*with_limits([[0.9, 0.8, 0.7], [0.6, 0.5, 0.4]], 0.05))
    np.testing.assert_array_equal(found, [[False, True], [False, False]])


def test_false_claims_are_rare():
    rng = np.random.default_rng(11)
    truth = np.array([[0.5, 0.9], [0.5, 0.6]])  # alike at the first column: neither row dominates
    wins = rng.binomial(500, truth[:, :, np.newaxis], (4000, 2, 2, 1))
    scores = score_interval(wins, 0, 500 - wins)
    claims = [dominates(*rows).any() for rows in zip(scores.value, scores.low, scores.high, strict=True)]
    assert 0.01 < np.mean(claims) < 0.05  # 2.5 %: only the first row can seem better at both


def arrows(items, *steps):
    beats = np.zeros((items, items), bool)
    for winner, loser in steps:
        beats[winner, loser] = True
    return beats


@pytest.mark.parametrize(
    ("beats", "cycles"),
    [
        (arrows(3, (0, 1), (1, 2), (2, 0)), [(0, 1, 2)]),
        (arrows(3, (1, 0), (2, 1), (0, 2)), [(0, 2, 1)]),
        (arrows(3, (0, 1), (1, 2), (0, 2)), []),
        (arrows(4, (3, 2), (2, 1), (1, 3), (0, 1)), [(1, 3, 2)]),
        (arrows(4, (0, 1), (1, 2), (2, 3), (3, 0)), [(0, 1, 2, 3)]),
        (arrows(4, (0, 1), (1, 2), (2, 3), (3, 0), (0, 2)), [(0, 2, 3)]),
        (arrows(1), []),
        (np.zeros((0, 0), bool), []),
    ],
)
def test_cycles(beats, cycles):
    assert shortest_cycles(beats) == cycles


@settings(deadline=None)
@given(arrays(bool, (5, 5)).map(lambda upper: np.triu(upper, 1)), st.booleans())
def test_a_tournaments_cycles_are_its_triangles(upper, turned):
    tournament = upper | (np.tri(5, k=-1, dtype=bool) & ~upper.T)
    tournament = tournament.T if turned else tournament
    triangles = [
        (a, b, c)
        for a, b, c in permutations(range(5), 3)
        if a < min(b, c) and tournament[a, b] and tournament[b, c] and tournament[c, a]
    ]
    assert shortest_cycles(tournament) == triangles
