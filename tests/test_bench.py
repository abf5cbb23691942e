"""What a bench measures: that the share of the core counts what it says, and how figures become rows and words."""

import json
import sys
from itertools import pairwise
from math import isclose
from time import sleep

import numba
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.clash.policies import POLICIES
from clashsim.errors import CheckFailed, InputError, OutputError
from clashsim.experiments import bench_processes
from clashsim.experiments.bench import Bench, bench, significant
from clashsim.experiments.bench_findings import findings
from clashsim.experiments.bench_runs import (
    CoreClock,
    RunTiming,
    Setting,
    affordable_games,
    alternated,
    numbers_of_jobs,
    time_run,
)
from clashsim.experiments.matchups import plan_matchups
from clashsim.running import run

SETTING = Setting("random", 1, False)


class Clock:
    """A clock that only others move."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


class FakeDuel:
    """A duel whose games take `core` seconds per chunk to play and `counting` seconds to count."""

    def __init__(self, clock, core, counting):
        self.clock, self.core, self.counting = clock, core, counting

    def outcomes(self, first_game, n_games):
        self.clock.now += self.core
        return np.zeros(n_games), first_game

    def count(self, first_game, outcomes, totals):
        assert totals == first_game
        self.clock.now += self.counting
        return {"games": np.array([len(outcomes)])}


# ---- the share of the core


def timed(core, counting, between, chunks=4):
    clock = Clock()
    duel = CoreClock([FakeDuel(clock, core, counting)], clock)
    for chunk in range(chunks):
        tally = duel.simulate({"condition": 0}, 10 * chunk, 10)
        assert tally["games"] == [10]
        clock.now += between
    return RunTiming(SETTING, 10 * chunks, 100.0, duel.span, duel.core_seconds)


def test_a_run_that_only_plays_is_all_core():
    assert timed(core=2.0, counting=0.0, between=0.0).core_share == 1.0


def test_counting_is_not_core():
    timing = timed(core=3.0, counting=1.0, between=0.0)
    assert (timing.core_seconds, timing.span, timing.core_share) == (12.0, 16.0, 0.75)


def test_time_between_the_chunks_is_not_core_but_that_after_the_last_is_left_out():
    timing = timed(core=3.0, counting=0.0, between=1.0)
    assert (timing.core_seconds, timing.span) == (12.0, 15.0)


def test_a_thread_without_work_lowers_the_share():
    assert RunTiming(Setting("random", 2, False), 10, 9.0, span=8.0, core_seconds=12.0).core_share == 0.75


def test_speed_is_that_of_the_whole_run():
    assert timed(core=1.0, counting=0.0, between=0.0).speed == 40 / 100.0


def test_a_run_that_sleeps_outside_the_core_shows_it():
    class Sleeper(FakeDuel):
        def count(self, *arguments):
            sleep(0.002)
            return super().count(*arguments)

    duel = CoreClock([Sleeper(Clock(), 0, 0)])
    run(pd.DataFrame({"condition": [0], "games": [100]}), duel.simulate, jobs=1)
    assert 0 < duel.core_seconds < 0.5 * duel.span


@pytest.mark.parametrize("stored", [False, True])
def test_a_timed_run_plays_the_games_of_the_plan_and_leaves_nothing(stored, tmp_path):
    plan = plan_matchups(["1", "3"], policy="random", games=4)
    timing = time_run(plan, Setting("random", 2, stored), tmp_path)
    assert timing.games == 12
    assert 0 < timing.core_share < 1
    assert 0 < timing.span < timing.seconds
    assert list(tmp_path.iterdir()) == []


def test_the_timed_games_are_counted_like_all_others():
    plan = plan_matchups(["1", "3"], policy="greedy", games=6)
    tallies = run(plan.plan, CoreClock(plan.conditions).simulate, jobs=2)
    for duel, tally in zip(plan.conditions, tallies, strict=True):
        for name, counts in duel.tally(0, 6).items():
            np.testing.assert_array_equal(tally[name], counts)


# ---- what is measured when


@given(st.lists(st.integers(), min_size=1, max_size=9, unique=True), st.integers(1, 6))
def test_settings_take_turns(settings, repetitions):
    order = alternated(settings, repetitions)
    assert len(order) == repetitions * len(settings)
    for first in range(0, len(order), len(settings)):
        assert sorted(order[first : first + len(settings)]) == sorted(settings)
    if repetitions > 1:
        assert order[len(settings)] == settings[-1]  # there and back


@given(st.integers(1, 2000))
def test_numbers_of_jobs_double_up_to_the_most(most):
    jobs = numbers_of_jobs(most)
    assert (jobs[0], jobs[-1]) == (1, most)
    assert all(one < other <= 2 * one for one, other in pairwise(jobs))


def test_no_more_games_than_wanted():
    assert affordable_games("random", 2, seconds=100.0) == 2


def test_a_slow_policy_gets_fewer_games():
    assert 2 <= affordable_games("random", 10**9, seconds=1e-6) < 10**9


@given(st.floats(1e-9, 1e12), st.integers(1, 6))
def test_rounding_keeps_the_digits(value, digits):
    assert isclose(significant(value, digits), value, rel_tol=0.51 * 10.0 ** (1 - digits))


def test_a_speed_is_rounded_to_three_digits():
    assert [significant(value, 3) for value in (284_963.7, 0.052345, 9.999)] == [285_000, 0.0523, 10.0]


# ---- processes that are measured


def test_loading_is_measured_in_a_process_of_its_own(monkeypatch):
    monkeypatch.setattr(bench_processes, "_COMPILE", 'print(\'{"cached": true, "seconds": 1.5}\')')
    assert bench_processes.time_loading() == 1.5


def test_a_process_that_fails_is_one_clear_line(monkeypatch):
    monkeypatch.setattr(bench_processes, "_COMPILE", "print('half')\nraise RuntimeError('no compiler')")
    with pytest.raises(OutputError, match="failed: RuntimeError: no compiler") as caught:
        bench_processes.time_loading()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("program", ["print('no JSON')", "import os; os._exit(7)"])
def test_a_process_that_tells_nothing_is_refused(monkeypatch, program):
    monkeypatch.setattr(bench_processes, "_COMPILE", program)
    with pytest.raises(OutputError, match="process that was to be measured failed"):
        bench_processes.time_loading()


def test_a_process_that_does_not_start_is_one_clear_line(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(OutputError, match="No such file"):
        bench_processes.time_loading()


@pytest.mark.parametrize("cached", [[True], [False, False]])
def test_a_cache_that_was_not_empty_or_not_used_is_no_measurement(monkeypatch, cached):
    answers = iter(cached)
    monkeypatch.setattr(bench_processes, "_measure", lambda *_: {"cached": next(answers), "seconds": 1.0})
    with pytest.raises(OutputError, match="cache folder"):
        bench_processes.time_compiling(loads=1)


def test_other_games_uncompiled_are_no_comparison(monkeypatch):
    other = {"games": 20, "turns": 1, "seconds": 1.0}
    monkeypatch.setattr(bench_processes, "_measure", lambda *_: other)
    with pytest.raises(CheckFailed, match="policy random: the same games take"):
        bench_processes.compiled_and_uncompiled("random", 0, 2)


@pytest.mark.jit
def test_the_core_is_timed_against_the_same_games_uncompiled():
    speeds = bench_processes.compiled_and_uncompiled("random", 2, 2)
    assert speeds.compiled > speeds.uncompiled > 0


@pytest.mark.slow
@pytest.mark.jit
def test_compiling_takes_longer_than_loading():
    timing = bench_processes.time_compiling(loads=2)
    assert timing.cold > max(timing.cached)


# ---- figures in words


def table(shares):
    """Rows as a bench has them, with these shares in the core."""
    rows = [
        row("speed", 285_000, "games/s", jobs=1, stored=False),
        row("speed_per_thread", 0.91, "share", jobs=2, stored=False),
        *(row("core_share", share, "share", jobs=jobs, stored=True) for jobs, share in shares.items()),
        row("compiled_to_uncompiled", 9_500, "ratio", jobs=1),
        row("load_compiled", 0.52, "s", policy=None),
    ]
    return pd.DataFrame(rows).astype({"jobs": "Int64", "games": "Int64"})


def row(measure, value, unit, policy="greedy", jobs=None, stored=None):
    place = {"policy": policy, "jobs": jobs, "stored": stored, "games": None}
    return {"measure": measure, **place, "median": value, "lowest": 0.9 * value, "highest": 1.02 * value} | {
        "repetitions": 5,
        "unit": unit,
    }


def test_the_answer_says_how_fast_and_by_how_much_compiled():
    answer = " ".join(findings(table({1: 0.97})).answer)
    assert "On one thread greedy plays 285,000 games/s (256,500 to 290,700)." in answer
    assert "Of 2 threads side by side each keeps 91.0 % (greedy)" in answer
    assert "9,500 times (greedy)" in answer
    assert "Loading it later takes 0.52 s." in answer


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ({1: 0.97, 2: 0.95}, "95.0 % (greedy, 2 jobs, stored) to 97.0 %"),
        ({1: 0.97, 2: 0.95}, "everywhere at least the 95.0 % aimed at"),
        ({1: 0.97, 2: 0.9499}, "aimed at are missed in 1 of 2 settings"),
    ],
)
def test_the_answer_says_whether_the_target_is_met(shares, words):
    assert words in " ".join(findings(table(shares)).answer)
    assert "too short" in " ".join(findings(table(shares), judged=False).answer)


def test_people_read_every_figure_in_its_unit_with_its_range_and_repetitions():
    found = findings(table({1: 0.97}))
    (section,) = found.sections
    shown = section.shown.set_index("measure")
    assert shown.loc["games/s", "median"] == "285,000"
    assert shown.loc["time in the core", ["median", "range"]].tolist() == ["97.0 %", "87.3 to 98.9"]
    assert shown.loc["load the compiled core", "median"] == "0.52 s"
    assert (shown["repetitions"] == 5).all()
    assert "only ratios" in section.sentences[0]


def test_a_record_is_json_with_nothing_undefined():
    record = Bench(table({1: 0.97}), {"quick": False, "cpu_count": 2}).record()
    text = json.dumps(record, allow_nan=False, default=int)
    assert json.loads(text)["figures"][-1] == {
        "measure": "load_compiled",
        "policy": None,
        "jobs": None,
        "stored": None,
        "games": None,
        "median": 0.52,
        "lowest": pytest.approx(0.468),
        "highest": pytest.approx(0.5304),
        "repetitions": 5,
        "unit": "s",
    }


# ---- what is refused


def test_without_the_compiler_there_is_nothing_to_measure(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    with pytest.raises(InputError, match="NUMBA_DISABLE_JIT"):
        bench(quick=True)


@pytest.mark.parametrize(("name", "value"), [("jobs", 0), ("jobs", -1), ("games", 0)])
def test_wrong_numbers_are_refused(name, value, monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    with pytest.raises(InputError, match=name):
        bench(["random"], quick=True, **{"games": 2, name: value})


def test_an_unknown_policy_is_refused_before_anything_is_measured(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    with pytest.raises(InputError, match=f"{next(iter(POLICIES))}"):
        bench(["rndom"], quick=True, say=pytest.fail)
