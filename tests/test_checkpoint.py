"""Checkpoints: what was played comes back, whatever is damaged is told, early stops are those of a whole run."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clashsim.analysis.precision import Target, look_at_least
from clashsim.errors import InputError, OutputError
from clashsim.running import Checkpoint, RecordStore, run
from clashsim.running.checkpoint import Played
from clashsim.running.pilot import MOST_ROWS, pilot
from clashsim.running.ranges import Ranges


class Broken(Exception):
    """Ends a run as a kill would, at a chosen chunk."""


def simulate(condition, first_game, n_games):
    games = np.arange(first_game, first_game + n_games)
    return {"games": np.array([n_games]), "sum": np.array(games.sum() * condition["factor"])}


def plan_of(*games):
    return pd.DataFrame({"factor": range(1, len(games) + 1), "games": games})


def failing(after):
    """A simulation that breaks off at its `after`-th chunk."""
    left = [after]

    def simulation(condition, first_game, n_games):
        left[0] -= 1
        if left[0] < 0:
            raise Broken
        return simulate(condition, first_game, n_games)

    return simulation


def enough(row, tally):
    """Stop the first condition after 5,000 games, the others never."""
    return row == 0 and tally["games"][0] >= 5000


def equal(found, expected):
    return [sorted(tally) for tally in found] == [sorted(tally) for tally in expected] and all(
        np.array_equal(one[name], other[name])
        for one, other in zip(found, expected, strict=True)
        for name in one
    )


@settings(max_examples=25)
@given(data=st.data())
def test_a_broken_run_goes_on_and_ends_the_same(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("checkpoint")
    stop = data.draw(st.sampled_from([None, enough]))
    plan = plan_of(9000, 700, 40)
    for after in data.draw(st.lists(st.integers(0, 12), max_size=4)):
        jobs = data.draw(st.integers(1, 3))
        checkpoint = Checkpoint(folder, "run")
        try:
            run(plan, failing(after), jobs=jobs, stop=stop, checkpoint=checkpoint)
        except Broken:
            continue
    resumed = run(plan, simulate, jobs=2, stop=stop, checkpoint=Checkpoint(folder, "run"))
    assert equal(resumed, run(plan, simulate, jobs=1, stop=stop))


def test_nothing_is_played_again(tmp_path):
    checkpoint = Checkpoint(tmp_path, "run")
    first = run(plan_of(3000, 500), simulate, checkpoint=checkpoint)
    assert equal(run(plan_of(3000, 500), failing(0), checkpoint=checkpoint), first)
    with pytest.raises(Broken):
        run(plan_of(3002, 500), failing(0), checkpoint=checkpoint)


def test_stops_are_at_looks_whatever_the_chunks():
    for jobs in (1, 2, 5):
        tallies = run(plan_of(100_000, 3000), simulate, jobs=jobs, stop=enough)
        assert [int(tally["games"][0]) for tally in tallies] == [look_at_least(5000), 3000]


def test_a_raised_cap_goes_on_as_if_it_had_always_been_there(tmp_path):
    checkpoint = Checkpoint(tmp_path, "run", Target(0.01))
    run(plan_of(1100, 2000), simulate, stop=enough, checkpoint=checkpoint)  # 1,100 is no look
    raised = run(plan_of(50_000, 2500), simulate, stop=enough, checkpoint=checkpoint)
    assert equal(raised, run(plan_of(50_000, 2500), simulate, stop=enough))


def test_more_games_than_wanted_are_refused(tmp_path):
    checkpoint = Checkpoint(tmp_path, "run")
    run(plan_of(300), simulate, checkpoint=checkpoint)
    with pytest.raises(InputError, match=r"holds 300 games.*at least as many"):
        run(plan_of(200), simulate, checkpoint=checkpoint)


@settings(max_examples=60)
@given(data=st.data())
def test_any_damage_is_told_and_nothing_is_taken_from_it(data, tmp_path_factory):
    told = []
    checkpoint = Checkpoint(tmp_path_factory.mktemp("c"), "run", tell=told.append)
    tally = {"counts": np.arange(6).reshape(2, 3)}
    checkpoint.save(0, Played(Ranges.of([(0, 10), (20, 40)]), tally))
    path = checkpoint.folder / "000000.json"
    intact = path.read_bytes()
    place = data.draw(st.integers(0, len(intact) - 2))  # the line feed at the end means nothing
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != intact[place]))
    path.write_bytes(intact[:place] + bytes([byte]) + intact[place + 1 :])
    found = checkpoint.load(0, 10**6)
    if told:
        assert found == (Ranges(), {})
        assert str(path) in told[0]
    else:  # what JSON does not tell apart: white space
        assert found.games.spans == [(0, 10), (20, 40)]
        np.testing.assert_array_equal(found.tally["counts"], tally["counts"])


def test_what_was_kept_comes_back(tmp_path):
    checkpoint = Checkpoint(tmp_path / "new", "run")
    checkpoint.prepare()
    assert checkpoint.is_empty()
    tally = {"empty": np.zeros((0, 2), np.int64), "one": np.array(2**62), "many": np.arange(6).reshape(2, 3)}
    checkpoint.save(7, Played(Ranges.of([(0, 10)]), tally))
    back = checkpoint.load(7, 10**6)
    assert back.games.spans == [(0, 10)]
    for name, counts in tally.items():
        np.testing.assert_array_equal(back.tally[name], counts)
    assert checkpoint.load(8, 10**6) == (Ranges(), {})
    checkpoint.clear()
    assert checkpoint.is_empty()


def test_another_run_or_target_is_refused(tmp_path):
    Checkpoint(tmp_path, "one", Target(0.01)).save(0, Played(Ranges.of([(0, 10)]), {}))
    with pytest.raises(InputError, match="another run"):
        Checkpoint(tmp_path, "other", Target(0.01)).load(0, 10**6)
    with pytest.raises(InputError, match="may have stopped earlier"):
        Checkpoint(tmp_path, "one", Target(0.02)).load(0, 10**6)
    assert Checkpoint(tmp_path, "one", Target(0.005)).load(0, 10**6).games.end == 10


def test_a_row_in_the_wrong_place_is_refused(tmp_path):
    checkpoint = Checkpoint(tmp_path, "one")
    checkpoint.save(0, Played(Ranges.of([(0, 10)]), {}))
    (tmp_path / "000000.json").rename(tmp_path / "000001.json")
    with pytest.raises(InputError, match="another run"):
        checkpoint.load(1, 10**6)


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path, monkeypatch):
    checkpoint = Checkpoint(tmp_path, "run")
    run(plan_of(500), simulate, checkpoint=checkpoint)
    before = (tmp_path / "000000.json").read_bytes()

    def full(self, content):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.write_bytes", full)
        with pytest.raises(OutputError, match="no space left"):
            run(plan_of(5000), simulate, checkpoint=checkpoint)
    assert (tmp_path / "000000.json").read_bytes() == before
    assert json.loads(before)["content"]["games"] == [[0, 500]]


def test_games_without_records_are_played_again(tmp_path):
    def recorded(condition, first_game, n_games):
        return simulate(condition, first_game, n_games), np.arange(first_game, first_game + n_games)

    checkpoint, records = Checkpoint(tmp_path / "c", "run"), RecordStore(tmp_path / "games")
    run(plan_of(500, 300), simulate, checkpoint=checkpoint)
    tallies = run(plan_of(500, 300), recorded, checkpoint=checkpoint, records=records)
    assert equal(tallies, run(plan_of(500, 300), simulate))
    assert records.ranges(0) == [(0, 500)]
    assert records.ranges(1) == [(0, 300)]


def test_a_pilot_knows_every_row_and_counts_what_is_left():
    found = pilot(plan_of(*[4000] * 400), simulate)
    assert len(found.rates) == 400
    assert min(found.rates) > 0
    assert len(found.tallies) <= MOST_ROWS
    assert all(2 <= tally["games"][0] <= 4000 for tally in found.tallies.values())
    expectation = found.expect([4000] * 400, [1000] * 400, 2)
    assert expectation.left == 1_200_000
    assert 0 < expectation.seconds < found.expect([4000] * 400, None, 2).seconds
    assert found.expect([4000] * 400, [1000] * 400, 1).seconds == pytest.approx(2 * expectation.seconds)


def test_a_pilot_tries_every_kind_of_condition_and_takes_neighbours_of_the_same_kind():
    tried = []

    def noted(condition, first_game, n_games):
        tried.append(condition["condition"])
        return simulate(condition, first_game, n_games)

    plan = plan_of(*[2] * 60).assign(condition=range(60))
    kinds = ["quick"] * 50 + ["slow"] * 9 + ["alone"]
    found = pilot(plan, noted, kinds)
    assert {kinds[row] for row in tried} == set(kinds)
    assert len(set(tried)) <= MOST_ROWS
    for row, kind in enumerate(kinds):
        assert any(found.rates[row] == found.rates[other] for other in tried if kinds[other] == kind)
    assert found.expect([2] * 60, None, 1).costs == [1 / rate for rate in found.rates]
