"""Running a plan: the same totals in any chunks, clean ends, and what the user sees meanwhile."""

import io
import signal
import threading
import time
from collections import Counter
from itertools import pairwise
from time import thread_time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clashsim.errors import InputError
from clashsim.running import Progress, run, usable_cores
from clashsim.running.chunks import TARGET_SECONDS, Chunker
from clashsim.running.pilot import MOST_WAITING, pilot


def simulate(condition, first_game, n_games):
    """Tally the numbers of the games played, so that a missing or doubled one shows."""
    games = np.arange(first_game, first_game + n_games)
    return {
        "games": np.array([(games % 2 == 0).sum(), (games % 2 == 1).sum()]),
        "sum": np.array(condition["factor"] * games.sum()),
        "by_digit": np.bincount(games % 10, minlength=10),
    }


def plan_of(*games):
    return pd.DataFrame({"factor": range(1, len(games) + 1), "games": games})


def simulation_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("simulate")]


def chunker_of(games, workers):
    chunker = Chunker(len(games), workers)
    for row, count in enumerate(games):
        chunker.open(row, [(0, count + count % 2)])
    return chunker


def drain(chunker, seconds_per_game):
    """Take every chunk, telling the chunker a made-up duration, and return them all."""
    chunks = []
    while chunk := chunker.next():
        chunks.append(chunk)
        chunker.took(chunk, chunk.games * seconds_per_game(chunk.row))
    return chunks


@settings(max_examples=25)
@given(st.lists(st.integers(1, 3000), max_size=4), st.integers(1, 5))
def test_totals_are_those_of_one_long_chunk(games, jobs):
    plan = plan_of(*games)
    tallies = run(plan, simulate, jobs=jobs)
    assert len(tallies) == len(plan)
    for tally, condition in zip(tallies, plan.to_dict("records"), strict=True):
        even = condition["games"] + condition["games"] % 2
        for name, counts in simulate(condition, 0, even).items():
            np.testing.assert_array_equal(tally[name], counts)
            assert tally[name].dtype == np.int64


def test_a_plan_without_rows_returns_nothing():
    assert run(plan_of(), simulate) == []


def test_an_odd_number_of_games_is_rounded_up():
    (tally,) = run(plan_of(7), simulate)
    assert tally["games"].tolist() == [4, 4]


@given(
    st.lists(st.integers(1, 10**6), min_size=1, max_size=5),
    st.integers(1, 8),
    st.lists(st.floats(1e-7, 1.0), min_size=5, max_size=5),
)
@settings(max_examples=30)
def test_chunks_are_even_and_cover_every_game_once(games, workers, speeds):
    games = [min(count, int(1000 / speed) + 1) for count, speed in zip(games, speeds, strict=False)]
    chunks = drain(chunker_of(games, workers), speeds.__getitem__)
    for row, count in enumerate(games):
        mine = [chunk for chunk in chunks if chunk.row == row]
        assert mine[0].first == 0
        assert all(before.first + before.games == after.first for before, after in pairwise(mine))
        assert mine[-1].first + mine[-1].games == count + count % 2
        assert all(chunk.games > 0 and chunk.games % 2 == 0 for chunk in mine)


def test_chunks_approach_their_target_and_shrink_towards_the_end():
    seconds = 2e-5
    lengths = [chunk.games * seconds for chunk in drain(chunker_of([10**6], 2), lambda row: seconds)]
    assert lengths[0] < TARGET_SECONDS / 1000
    assert max(lengths) == pytest.approx(TARGET_SECONDS, rel=0.01)
    assert len(lengths) < 140  # 20 s of games at 0.2 s each, and a few for the start and the end
    assert lengths[-1] < TARGET_SECONDS / 10


def test_workers_finish_together_though_the_last_condition_is_slow():
    speeds = [1e-5, 1e-2]
    chunker, free_at = chunker_of([100_000, 200], 2), [0.0, 0.0]
    while chunk := chunker.next():
        worker = free_at.index(min(free_at))
        duration = chunk.games * speeds[chunk.row]
        free_at[worker] += duration
        chunker.took(chunk, duration)
    assert abs(free_at[0] - free_at[1]) < 0.03
    assert sum(free_at) == pytest.approx(3)


def test_only_a_few_chunks_are_in_flight():
    lock, running, most = threading.Lock(), 0, 0

    def counting(condition, first_game, n_games):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.001)
        with lock:
            running -= 1
        return {"games": np.array(n_games)}

    run(plan_of(500, 500), counting, jobs=3)
    assert 2 <= most <= 3


def test_an_error_stops_the_run_and_names_the_condition():
    calls = Counter()

    def failing(condition, first_game, n_games):
        calls[condition["factor"]] += 1
        if condition["factor"] == 2:
            raise ZeroDivisionError("by design")
        return simulate(condition, first_game, n_games)

    with pytest.raises(ZeroDivisionError, match="by design") as caught:
        run(plan_of(100, 10**9, 10), failing, jobs=2)
    assert "factor=2, games=1000000000" in caught.value.__notes__[0]
    assert calls[2] <= 4  # those in flight
    assert not simulation_threads()


@pytest.mark.skipif(signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="SIGINT is ignored here")
def test_an_interrupt_ends_the_run_without_leaving_threads():
    calls, once = Counter(), threading.Lock()

    def slow(condition, first_game, n_games):
        calls["started"] += 1
        if first_game >= 20 and once.acquire(blocking=False):
            calls["before"] = calls["started"]
            signal.raise_signal(signal.SIGINT)
        time.sleep(0.02)
        calls["ended"] += 1
        return {"games": np.array(n_games)}

    with pytest.raises(KeyboardInterrupt):
        run(plan_of(10**9), slow, jobs=2)
    assert calls["started"] == calls["ended"]
    assert calls["started"] - calls["before"] <= 4  # those in flight
    assert not simulation_threads()


@pytest.mark.parametrize(
    ("tally", "error"),
    [
        ({"score": np.array([0.5])}, TypeError),
        ({"games": np.array([1])}, ValueError),
        ({"score": np.array([1, 2])}, ValueError),
    ],
)
def test_tallies_that_do_not_add_up_are_refused(tally, error):
    def changing(condition, first_game, n_games):
        return tally if first_game else {"score": np.array([1])}

    with pytest.raises(error):
        run(plan_of(10), changing, jobs=1)


@pytest.mark.parametrize("jobs", [0, -1, 1.5, "two", True])
def test_a_wrong_number_of_jobs_is_named(jobs):
    with pytest.raises(InputError, match=r"jobs: expected a whole number of at least 1, not"):
        run(plan_of(10), simulate, jobs=jobs)


def test_a_wrong_number_of_games_is_named_with_its_row():
    with pytest.raises(InputError, match="games in row 1 of the plan"):
        run(plan_of(10, 0), simulate)
    with pytest.raises(InputError, match="column games"):
        run(pd.DataFrame({"game": [1]}), simulate)


def test_there_is_a_usable_core():
    assert usable_cores() >= 1


class Clock:
    """Seconds that pass only when told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_off_a_terminal_is_a_plain_line_now_and_then():
    stream, clock = io.StringIO(), Clock()
    progress = Progress(stream, clock=clock)
    progress.start(1_000_000)
    for _ in range(25):
        clock.now += 1
        progress.advance(10_000)
    progress.finish()
    assert stream.getvalue().splitlines() == [
        "100,000 of 1,000,000 games, 10% of the work, 10,000 games/s, time left 1:30",
        "200,000 of 1,000,000 games, 20% of the work, 10,000 games/s, time left 1:20",
    ]


def test_a_short_run_off_a_terminal_is_silent():
    stream = io.StringIO()
    run(plan_of(1000, 1000), simulate, progress=Progress(stream))
    assert stream.getvalue() == ""


def test_the_share_and_the_time_left_go_by_the_cost_of_the_games():
    stream, clock = io.StringIO(), iter(range(0, 1000, 20)).__next__
    costs = {0: 1.0, 1: 9.0}
    progress = Progress(stream, clock=clock)
    progress.start(2000, work=1000 * sum(costs.values()))
    progress.advance(1000, cost=costs[0])
    progress.advance(500, cost=costs[1])
    assert stream.getvalue().splitlines() == [
        "1,000 of 2,000 games, 10% of the work, 50 games/s, time left 3:00",
        "1,500 of 2,000 games, 55% of the work, 38 games/s, time left 0:33",
    ]


def test_a_run_tells_its_progress_what_games_cost():
    told = []

    class Told(Progress):
        def start(self, total, done=0, work=None, work_done=None):
            told.append((total, work))

        def advance(self, games, more=0, cost=1.0):
            told.append((games, cost))

    run(plan_of(100, 200), simulate, progress=Told(io.StringIO()), costs=[1.0, 5.0], jobs=1)
    assert told[0] == (300, 1100)
    assert sum(games * cost for games, cost in told[1:]) == 1100


def test_progress_on_a_terminal_ends_with_all_games():
    stream = Terminal()
    run(plan_of(1000, 235), simulate, progress=Progress(stream))
    assert "1,236 of 1,236 games" in stream.getvalue()


def test_progress_on_a_terminal_ends_when_the_run_fails(monkeypatch):
    def failing(condition, first_game, n_games):
        raise ZeroDivisionError

    stream = Terminal()
    with pytest.raises(ZeroDivisionError):
        run(plan_of(1000), failing, progress=Progress(stream))
    assert stream.getvalue().endswith("\x1b[?25h")  # the cursor is shown again


def test_what_a_call_costs_besides_its_games_does_not_count_as_theirs():
    def simulate(condition, first_game, n_games):
        end = thread_time() + 0.006 + 1e-5 * n_games
        while thread_time() < end:
            pass
        return {"games": np.array([n_games])}

    (rate,) = pilot(pd.DataFrame({"games": [1_000_000]}), simulate).rates
    assert rate * MOST_WAITING > 1e5 / 2  # not the 330 games per second of a call of two games
