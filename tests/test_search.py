"""The search for better numbers: the evolution itself, the journal that it goes on from, evaluations in threads."""

import threading

import numpy as np
import pytest

from clashsim.analysis.evolution import Evolution
from clashsim.errors import InputError
from clashsim.running.evaluations import evaluate_all
from clashsim.running.journal import Journal

TARGET = np.array([3.0, -0.2, 0.05])


def evolve(generations, seed=1, noise=0.0, population=12):
    """Search for TARGET, with scores that carry some noise, its numbers being of different size."""
    search = Evolution([1.0, 0.1, 0.0], [1.0, 0.1, 0.05], seed=seed, population=population, step=0.5)
    random = np.random.default_rng(5)
    for _ in range(generations):
        errors = [(candidate - TARGET) / [1.0, 0.1, 0.05] for candidate in search.ask()]
        search.tell([-(error @ error) + noise * random.standard_normal() for error in errors])
    return search.mean


def test_a_known_best_is_found():
    assert evolve(80) == pytest.approx(TARGET, abs=1e-3)


def test_noise_leaves_the_mean_near_the_best():
    found = (evolve(60, noise=0.5, population=24) - TARGET) / [1.0, 0.1, 0.05]
    assert np.linalg.norm(found) < 1  # it began at a distance of 3.7


def test_the_same_seed_gives_the_same_search_whatever_numpy_has_drawn():
    first = evolve(10)
    np.random.seed(3)  # noqa: NPY002  # what another library might do
    state = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert (evolve(10) == first).all()
    assert np.random.get_state()[1].tolist() == state  # noqa: NPY002
    assert (evolve(10, seed=2) != first).any()


def test_ranks_alone_decide():
    def means(scale):
        search = Evolution([0.0, 0.0], [1.0, 1.0], seed=1, population=6, step=0.5)
        for _ in range(5):
            search.tell([scale * (candidate[0] + 7) for candidate in search.ask()])
        return search.mean

    assert (means(1.0) == means(0.001)).all()
    assert means(1.0)[0] > 0.5  # more is better


@pytest.mark.parametrize(
    ("start", "scales", "population"),
    [([1.0], [1.0], 8), ([1.0, 2.0], [1.0, 0.0], 8), ([1.0, 2.0], [1.0, 1.0], 3)],
)
def test_a_senseless_search_is_refused(start, scales, population):
    with pytest.raises(InputError, match="expected"):
        Evolution(start, scales, seed=1, population=population, step=0.3)


# ---- the journal

HEAD = {"seed": 1, "weights": (1.0, 2.0)}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "search.log"


def filled(path):
    journal = Journal(path, HEAD)
    journal.begin()
    journal.add((0, 0), [1, 2])
    journal.add((0, 1), [[3], [4]])
    return journal


def test_what_is_kept_is_found_again(path):
    filled(path)
    again = Journal(path, HEAD)
    assert again.peek() == 2
    again.load()
    assert again.found == {(0, 0): [1, 2], (0, 1): [[3], [4]]}
    again.add((1, 0), [5])
    assert Journal(path, HEAD).peek() == 3


def test_a_line_that_breaks_off_does_not_count(path):
    filled(path)
    path.write_bytes(path.read_bytes()[:-3])
    again = Journal(path, HEAD)
    again.load()
    assert list(again.found) == [(0, 0)]
    again.add((0, 1), [9])
    assert Journal(path, HEAD).peek() == 2


@pytest.mark.parametrize("content", [None, b"", b'{"seed": '])
def test_nothing_is_begun(path, content):
    if content is not None:
        path.write_bytes(content)
    journal = Journal(path, HEAD)
    journal.load()
    assert journal.found == {}
    assert Journal(path, HEAD).peek() == 0
    assert path.read_text().endswith("\n")


def test_another_search_is_refused_with_what_differs(path):
    before = filled(path).path.read_bytes()
    with pytest.raises(InputError, match=r"not the same: seed\)"):
        Journal(path, {**HEAD, "seed": 2}).load()
    assert path.read_bytes() == before


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"key": 3, "found": []}', '{"key": [0, 0]}', "7"])
def test_a_damaged_journal_is_named(path, line):
    filled(path)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(InputError, match="damaged"):
        Journal(path, HEAD).load()


# ---- in threads


def test_the_order_is_that_of_the_keys_and_nothing_is_evaluated_twice(path):
    journal = filled(path)
    keys = [(0, number) for number in range(20)]
    asked = []

    def evaluate(key):
        asked.append(key)
        return [key[1]]

    found = evaluate_all(keys, evaluate, journal, jobs=4)
    assert found == [[1, 2], [[3], [4]], *([number] for number in range(2, 20))]
    assert sorted(asked) == keys[2:]
    assert Journal(path, HEAD).peek() == 20


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_was_finished_before_a_break_is_kept(path, error):
    journal = Journal(path, HEAD)
    journal.begin()
    both = threading.Barrier(2)

    def evaluate(key):
        if key[1] < 2:
            both.wait(10)  # one fails while the other is running
        if key[1] == 0:
            raise error
        return [key[1]]

    with pytest.raises(error):
        evaluate_all([(0, 0), (0, 1)], evaluate, journal, jobs=2)
    assert journal.found == {(0, 1): [1]}
    assert Journal(path, HEAD).peek() == 1
