"""Policies against each other: the tables of a ladder, its findings, the measured speeds, and the recorded ladder."""

import json
from functools import partial

import numpy as np
import pandas as pd
import pytest

import clashsim.experiments.ladder_record as ladder_record
from clashsim.clash.policies import LADDER, POLICIES
from clashsim.clash.weight_files import weights_text
from clashsim.cli.main import main
from clashsim.errors import InputError
from clashsim.experiments.columns import dictionary
from clashsim.experiments.ladder import Ladder, ladder, plan_ladder
from clashsim.experiments.ladder_findings import findings, plain_speed
from clashsim.experiments.ladder_tables import Meeting, by_decks_table, ladder_table, pairs_table
from clashsim.experiments.speed import Speed, measure_speed
from clashsim.reporting.page import render_page
from clashsim.reporting.plots import draw

DECKS = ["1", "2"]
DETAILS = {"policies": ["weak", "middle", "strong"]}


def meetings(scores, games=100, draws=0):
    """Meetings over two decks: `scores` says by pair how many of the games of each stratum the first policy wins."""
    found = {}
    for (one, other), wins in scores.items():
        results = np.tile([wins, draws, games - wins - draws], (4, 2, 1))
        turns = np.bincount([20], minlength=201) * 8 * games
        found[one, other] = Meeting([(a, b) for a in DECKS for b in DECKS], results, turns)
        found[other, one] = found[one, other].turned()
    return found


def tables_of(found, policies=("weak", "middle", "strong")):
    table = ladder_table(list(policies), found)
    ranked = table["policy"].tolist()
    return {
        "ladder": table,
        "pairs": pairs_table(ranked, found),
        "by_decks": by_decks_table(ranked, found),
    }


CLEAR = {("weak", "middle"): 20, ("middle", "strong"): 30, ("weak", "strong"): 5}


def test_the_strongest_comes_first_and_every_rung_is_judged():
    table = ladder_table(DETAILS["policies"], meetings(CLEAR))
    assert table["policy"].tolist() == ["strong", "middle", "weak"]
    assert table["below"].tolist() == ["middle", "weak", ""]
    assert table["beats_below"].tolist() == ["yes", "yes", ""]
    assert table["score_below"].tolist()[:2] == [0.7, 0.8]
    assert table["score"].iloc[0] == pytest.approx((0.7 + 0.95) / 2)
    assert table["elo"].sum() == pytest.approx(0, abs=1e-5)


def test_a_rung_that_is_not_sure_is_undecided_and_one_that_loses_is_no():
    undecided = tables_of(meetings(CLEAR | {("middle", "strong"): 49}))
    assert undecided["ladder"]["beats_below"].tolist()[0] == "undecided"
    answer = findings(undecided, DETAILS, {}).answer[0]
    assert answer.startswith(
        "Not surely: it is undecided whether strong beats middle (with 95 % confidence for all"
    )
    assert "Scores: strong scores 51.0 %" in answer
    # rated higher, as it beats the weak one by more, but loses to the one below
    beaten = tables_of(meetings({("weak", "middle"): 45, ("middle", "strong"): 60, ("weak", "strong"): 2}))
    assert beaten["ladder"]["policy"].tolist()[0] == "strong"
    assert beaten["ladder"]["beats_below"].tolist()[0] == "no"
    assert "No: strong surely loses to middle" in findings(beaten, DETAILS, {}).answer[0]


@pytest.mark.parametrize("policies", [("weak", "strong"), ("weak", "middle", "strong")])
def test_shut_outs_stay_finite(policies):
    shut_out = {("weak", "middle"): 0, ("middle", "strong"): 0, ("weak", "strong"): 0}
    found = meetings({pair: wins for pair, wins in shut_out.items() if set(pair) <= set(policies)})
    tables = tables_of(found, policies)
    table = tables["ladder"]
    assert np.isfinite(table[["elo", "elo_low", "elo_high", "score_low", "score_high"]].to_numpy()).all()
    assert (table["elo_low"] < table["elo"]).all()
    assert table["policy"].tolist() == list(reversed(policies))
    assert tables["by_decks"]["score_both_low"].between(0.9, 0.999).all()  # a shut-out is no certainty


def test_both_sides_of_a_pair_add_up_to_one_exactly():
    pairs = tables_of(meetings(CLEAR, draws=7))["pairs"].set_index(["policy_a", "policy_b"])
    for one, other in CLEAR:
        assert pairs.loc[(one, other), "score_a"] == 1 - pairs.loc[(other, one), "score_a"]
        assert pairs.loc[(one, other), "score_low"] == 1 - pairs.loc[(other, one), "score_high"]
    assert pairs["derived"].sum() == len(pairs) // 2
    assert pairs["stalled"].all()


def test_exchanged_decks_tell_policies_from_decks():
    found = meetings({("weak", "strong"): 30})
    results = found["weak", "strong"].results
    results[1] = [[90, 0, 10], [90, 0, 10]]  # deck 1 against 2: the deck wins whoever plays it
    results[2] = [[10, 0, 90], [10, 0, 90]]
    found["strong", "weak"] = found["weak", "strong"].turned()
    table = by_decks_table(["strong", "weak"], found).set_index(["deck_a", "deck_b"])
    assert table.loc[("1", "2"), "score_a"] == pytest.approx(0.9)
    assert table.loc[("1", "2"), "score_both"] == table.loc[("2", "1"), "score_both"] == 0.5
    assert table.loc[("1", "1"), "score_both"] == pytest.approx(0.7)
    tables = tables_of(found, ("weak", "strong"))
    answer = " ".join(findings(tables, {"policies": ["weak", "strong"]}, {}).answer)
    assert "strong gains least on weak with decks 1 and 2" in answer


def test_order_misfit_and_stalls_are_said():
    odd = meetings({("weak", "middle"): 10, ("middle", "strong"): 20, ("weak", "strong"): 60}, draws=30)
    answer = " ".join(findings(tables_of(odd), {"policies": ["strong", "middle", "weak"]}, {}).answer)
    assert "One number per policy does not describe all results" in answer
    assert "More than 5 % of the games are draws" in answer
    turned = findings(tables_of(meetings(CLEAR)), {"policies": ["strong", "weak", "middle"]}, {}).answer
    assert "By their ratings the order is weak, middle, strong, the weakest first." in turned


def test_a_lower_rung_that_does_better_against_a_third_is_told_if_it_is_sure():
    def answer_of(strong_loses_to_weak):
        scores = {("weak", "middle"): 5, ("middle", "strong"): 20, ("weak", "strong"): strong_loses_to_weak}
        return " ".join(findings(tables_of(meetings(scores)), DETAILS, {}).answer)

    assert "middle does better than strong against weak: 95.0 % (" in answer_of(12)
    assert "does better than" not in answer_of(6)  # 94 % and 95 % in 800 games
    assert "does better than" not in answer_of(1)


def test_a_ladder_of_two_has_no_third_policy():
    tables = tables_of(meetings({("weak", "strong"): 20}), ("weak", "strong"))
    assert "third" not in " ".join(findings(tables, {"policies": ["weak", "strong"]}, {}).answer)


def test_speeds_are_on_the_page_and_in_no_table():
    tables = tables_of(meetings(CLEAR))
    rates = zip(tables["ladder"]["policy"], (31.4, 744.0, 2.5e5), strict=True)
    speeds = {name: Speed(rate, rate, rate, 10, 5) for name, rate in rates}
    found = findings(tables, DETAILS, speeds)
    page = render_page(found, {"command": ["clashsim"]})
    assert "250,000" in page
    assert "31.4" in page
    named = [section.name for section in found.sections if section.table is not None]
    assert named == ["ladder", "", "pairs", "by_decks"]
    kinds = [section.figure.kind for section in found.sections if section.figure]
    assert kinds == ["scatter", "heatmap"]
    for section in found.sections:
        if section.figure:
            assert draw(section.figure).axes


def test_every_column_is_explained():
    for table in tables_of(meetings(CLEAR)).values():
        assert set(table.columns) <= set(dictionary())
    assert set(ladder_record.POLICY_COLUMNS) <= set(dictionary())


@pytest.mark.parametrize(
    ("speed", "words"), [(254_321, "254,000"), (744.4, "744"), (31.42, "31.4"), (0.476, "0.476")]
)
def test_speeds_have_three_digits(speed, words):
    assert plain_speed(speed) == words


class Games:
    """Stands for a duel whose games take some seconds of a clock."""

    def __init__(self, clock, seconds):
        self.clock, self.seconds = clock, seconds

    def outcomes(self, first_game, n_games):
        self.clock.now += n_games * self.seconds


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_speed_is_games_per_second_of_the_thread():
    clock = Clock()
    duels = {"fast": [Games(clock, 0.001)] * 2, "slow": [Games(clock, 0.5)]}
    found = measure_speed(duels, clock=clock, repetitions=3)
    assert found["fast"].median == pytest.approx(1000)
    assert found["slow"].median == pytest.approx(2)
    assert found["slow"].games == 2  # two at least, however slow
    assert found["fast"].repetitions == 3


def test_games_are_spread_over_the_pairs_of_decks():
    plan = plan_ladder(["random", "greedy", "wild"], games=100)
    assert len(plan.plan) == 3 * 16
    assert set(plan.plan["games"]) == {8}  # 100 / 16, rounded up to an even number
    assert plan.games_per_pair == 128
    groups = plan.plan.groupby(["deck_a", "deck_b"])["group"].nunique()
    assert (groups == 1).all()  # all pairs of policies share their shuffles


@pytest.mark.parametrize(
    ("policies", "message"),
    [
        (["greedy"], "expected at least two"),
        ("greedy", "expected at least two"),
        (7, "expected a policy or a list"),
        (["greedy", "greedy"], "twice"),
        (["greedy", "tactican"], "Did you mean tactician"),
    ],
)
def test_bad_policies_are_refused(policies, message):
    with pytest.raises(InputError, match=message):
        plan_ladder(policies)


@pytest.fixture
def quick(monkeypatch):
    """Measure speeds in no time."""
    short = partial(measure_speed, seconds=0.001, repetitions=1)
    monkeypatch.setattr("clashsim.experiments.ladder.measure_speed", short)


@pytest.mark.jit
@pytest.mark.usefixtures("quick")
def test_a_ladder_from_python():
    found = ladder(["random", "greedy"], games=400, decks=DECKS)
    assert isinstance(found, Ladder)
    assert found.ladder["policy"].tolist() == ["greedy", "random"]
    assert found.ladder["beats_below"].iloc[0] == "yes"
    assert found.measured["speed"].keys() == {"greedy", "random"}
    assert "greedy > random" in repr(found)


def run(*arguments):
    return main([str(word) for word in arguments])


SMALL = ("policies", "ladder", "--policy", "random,greedy", "--decks", "1,2")


@pytest.mark.jit
@pytest.mark.usefixtures("quick")
def test_a_run_is_written_resumed_and_repeated(tmp_path, capsys):
    whole, grown = tmp_path / "whole", tmp_path / "grown"
    assert run(*SMALL, "--games", 801, "--out", whole, "--jobs", 2) == 0
    assert "--games 801 rounded up to 808" in capsys.readouterr().err
    assert run(*SMALL, "--games", 400, "--out", grown, "--jobs", 1) == 0
    assert run(*SMALL, "--games", 808, "--out", grown, "--resume", "--jobs", 1) == 0
    for name in ("ladder", "pairs", "by_decks"):
        assert (whole / f"{name}.csv").read_bytes() == (grown / f"{name}.csv").read_bytes()
    manifest = json.loads((whole / "manifest.json").read_text())
    assert manifest["measured"]["speed"]["greedy"]["games_per_second"] > 0
    assert "games_per_second" not in (whole / "ladder.csv").read_text()
    capsys.readouterr()
    assert run("rerun", whole) == 0
    assert "Identical" in capsys.readouterr().out
    assert run(*SMALL[:3], "random,wild", "--out", whole, "--resume") == 2
    assert "holds another run" in capsys.readouterr().err


@pytest.mark.jit
@pytest.mark.usefixtures("quick")
def test_weights_of_ones_own_are_kept_with_the_run(tmp_path, capsys):
    weights, out = tmp_path / "my.toml", tmp_path / "out"
    weights.write_text(weights_text([-number for number in POLICIES["tactician"].weights]))
    policies = f"greedy,tactician:{weights}"
    command = ("policies", "ladder", "--policy", policies, "--decks", "1", "--games", 16, "--out", out)
    assert run(*command) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("tactician:my.toml,")  # the worse one
    weights.write_text(weights_text(POLICIES["tactician"].weights))
    assert run(*command, "--resume") == 2
    assert "policy_files" in capsys.readouterr().err
    assert run("rerun", out) == 0
    assert "my.toml has changed since" in capsys.readouterr().err


def test_a_dry_run_plays_nothing(tmp_path, capsys):
    assert run(*SMALL, "--games", 80, "--dry-run", "--out", tmp_path / "out") == 0
    assert not (tmp_path / "out").exists()
    assert "80" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["random,,greedy", ""])
def test_an_empty_policy_is_named(value, capsys):
    assert run("policies", "ladder", "--policy", value) == 2
    assert "--policy has an empty entry" in capsys.readouterr().err


# ---- the ladder as shipped


def test_the_list_shows_every_policy(capsys):
    assert run("policies", "--format", "json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert {row["policy"] for row in rows} == set(POLICIES)
    by_name = {row["policy"]: row for row in rows}
    assert by_name["wild"]["elo"] is None  # a driver for tests: no rung
    assert by_name["greedy"]["times_slower"] == 1
    assert by_name["greedy"]["score_below"] > 0.5
    assert run("policies", "--format", "table") == 0
    assert POLICIES["greedy"].summary[:40] in capsys.readouterr().out


def test_changed_sources_are_said():
    record = ladder_record.recorded()
    assert ladder_record.is_outdated({**record, "sources": "0" * 16})
    assert not ladder_record.is_outdated({**record, "sources": ladder_record.source_digest()})


def manifest_of(**changes):
    manifest = {
        "experiment": "ladder",
        "version": "0.1.0",
        "core": "abc",
        "seed": 1,
        "options": {"decks": None, "rule": [], "cards": "starter-kit", "games": 2016},
        "measured": {"speed": {name: {"games_per_second": 10.0} for name in LADDER}},
    }
    return manifest | changes


def test_a_run_is_recorded_and_read_back():
    found = meetings({(a, b): 20 for place, a in enumerate(LADDER) for b in LADDER[place + 1 :]})
    record = json.loads(
        json.dumps(ladder_record.record_of(manifest_of(), ladder_table(LADDER, found)), allow_nan=False)
    )
    table = ladder_record.policies_table(record)
    assert table["policy"].tolist()[: len(LADDER)] == list(reversed(LADDER))
    assert table["score_below"].iloc[0] == pytest.approx(0.8)
    assert pd.isna(table["score_below"].iloc[len(LADDER) - 1])


@pytest.mark.parametrize(
    "changes",
    [
        {"experiment": "matchups"},
        {"options": {"decks": ["1"], "rule": [], "cards": "starter-kit", "games": 2016}},
        {"options": {"decks": None, "rule": ["window=5"], "cards": "starter-kit", "games": 2016}},
    ],
)
def test_only_the_shipped_ladder_is_recorded(changes):
    found = meetings({(a, b): 20 for place, a in enumerate(LADDER) for b in LADDER[place + 1 :]})
    with pytest.raises(InputError):
        ladder_record.record_of(manifest_of(**changes), ladder_table(LADDER, found))
    with pytest.raises(InputError):
        ladder_record.record_of(
            manifest_of(), ladder_table(LADDER[:2], found) if len(LADDER) > 2 else pd.DataFrame()
        )
