"""What each of many things adds: known truths, also where who has what is no chance of its own."""

import numpy as np
import pytest

from clashsim.analysis.composition import apart_from_means, contributions, rank_correlation, shrunk

BLOCKS, THINGS, EACH = 40, 12, 4


def sums(x, results):
    """Products and scores by block."""
    block = np.arange(len(x)) % BLOCKS
    products, scores = np.zeros((BLOCKS, THINGS, THINGS), int), np.zeros((BLOCKS, THINGS), int)
    np.add.at(products, block, x[:, :, np.newaxis] * x[:, np.newaxis, :])
    np.add.at(scores, block, x * results[:, np.newaxis])
    return products, scores, len(x)


def drafted(rng, games, truth, greedy=True):
    """One side takes the better of two, again and again; the result is a coin by the sum of what its things add."""
    x = np.zeros((games, THINGS), int)
    for game in range(games):
        kit = rng.permutation(THINGS)[: 2 * EACH].reshape(EACH, 2)
        for first, second in kit.tolist():
            better = first if not greedy or truth[first] > truth[second] else second
            side = 1 if rng.random() < 0.8 else -1  # the one side is the better drafter
            x[game, better], x[game, first + second - better] = side, -side
    won = rng.random(games) < 0.5 + x @ truth
    return x, 2 * won.astype(int) - 1


@pytest.mark.parametrize("greedy", [False, True])
def test_contributions_are_found_though_the_better_side_has_the_better_things(greedy):
    rng = np.random.default_rng(1)
    truth = rng.normal(0, 0.03, THINGS)
    truth -= truth.mean()
    found = contributions(*sums(*drafted(rng, 40_000, truth, greedy)))
    np.testing.assert_allclose(found.value / 2, truth, atol=0.02)
    assert found.value.sum() == pytest.approx(0, abs=1e-12)


def test_their_intervals_cover():
    rng = np.random.default_rng(2)
    truth = np.linspace(-0.05, 0.05, THINGS)
    covered, tried = 0, 0
    for _ in range(150):
        found = contributions(*sums(*drafted(rng, 400, truth)))
        low, high = found.limits()
        covered += ((low / 2 <= truth) & (truth <= high / 2)).sum()
        tried += THINGS
    assert 0.93 < covered / tried < 0.97


def test_no_effect_is_covered_as_well():
    rng = np.random.default_rng(3)
    covered = []
    for _ in range(150):
        low, high = contributions(*sums(*drafted(rng, 400, np.zeros(THINGS)))).limits()
        covered.append((low <= 0) & (high >= 0))
    assert 0.93 < np.mean(covered) < 0.97


def test_there_is_an_answer_however_few_games_there_are():
    x = np.zeros((1, THINGS), int)
    x[0, :EACH], x[0, EACH : 2 * EACH] = 1, -1
    found = contributions(*sums(x, np.array([1])))
    assert np.isfinite(found.value).all()
    assert (found.value[:EACH] > found.value[EACH : 2 * EACH]).all()


def test_games_that_all_end_alike_do_not_make_sure():
    x, _ = drafted(np.random.default_rng(6), 100, np.zeros(THINGS))
    found = contributions(*sums(x, np.zeros(100, int)))
    assert (found.value == 0).all()
    low, high = found.limits()
    assert (low < -0.01).all()
    assert (high > 0.01).all()


def test_noise_is_drawn_to_0_and_what_is_sure_stays():
    rng = np.random.default_rng(4)
    noise = rng.normal(0, 1, 500)
    assert np.abs(shrunk(noise, np.ones(500))).mean() < 0.25
    truth = rng.normal(0, 5, 500)
    close = shrunk(truth + 0.1 * noise, np.full(500, 0.1))
    np.testing.assert_allclose(close, truth, atol=0.4)
    half = truth / 5 + noise
    assert ((shrunk(half, np.ones(500)) - truth / 5) ** 2).mean() < ((half - truth / 5) ** 2).mean()
    np.testing.assert_array_equal(shrunk([np.nan, 2.0], [1.0, 0.1])[0], 0)


def test_pairs_without_what_things_have_in_common_with_all():
    rng = np.random.default_rng(5)
    pairs = np.triu(rng.normal(size=(7, 7)), k=1)
    pairs += pairs.T
    apart = apart_from_means(pairs)
    np.testing.assert_allclose(apart.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_array_equal(apart, apart.T)
    np.testing.assert_array_equal(np.diag(apart), 0)
    own = rng.normal(size=7)
    np.testing.assert_allclose(
        apart_from_means((pairs + own + own[:, np.newaxis]) * (1 - np.eye(7))), apart, atol=1e-12
    )


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [([1, 2, 3], [10, 20, 40], 1), ([1, 2, 3], [3, 2, 1], -1), ([1, 1, 1], [1, 2, 3], 0)],
)
def test_rank_correlation(one, other, expected):
    assert rank_correlation(one, other) == pytest.approx(expected)
