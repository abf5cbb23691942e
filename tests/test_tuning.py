"""Weights by self-play: files of weights, common games within a generation, the command with its interruptions."""

import tomllib

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.clash.policies import POLICIES
from clashsim.clash.policies.lookahead.features import FEATURES, SIDES, read_weights
from clashsim.clash.weight_files import round_weights, weights_text
from clashsim.cli.main import main
from clashsim.errors import InputError
from clashsim.experiments.tuning import plan_tuning
from clashsim.experiments.tuning_contest import scales_of
from clashsim.experiments.tuning_duels import DuelContest, judged

NUMBERS = st.floats(-1e5, 1e5, allow_nan=False)
COUNT = len(SIDES) * len(FEATURES)


@given(weights=st.lists(NUMBERS, min_size=COUNT, max_size=COUNT))
def test_written_weights_are_read_back_as_rounded(weights, tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "my.toml"
    path.write_text(weights_text(weights, ["two", "lines"]))
    assert read_weights(path) == round_weights(weights)


def test_a_file_of_weights_explains_itself():
    weights = POLICIES["tactician"].weights
    text = weights_text(weights, ["Where from."])
    assert text.startswith(f"# Where from.\n\n[own]\nlife = {weights[0]}")
    assert all(meaning in text for meaning in FEATURES.values())
    assert "-0.0 " not in weights_text([-0.0] * COUNT)


def test_small_weights_can_grow():
    scales = scales_of([4.0, -1.0, 0.1, 0.0])
    assert scales.tolist() == [4.0, 1.0, 0.5, 0.5]
    assert (scales_of([0.0, 0.0]) > 0).all()


def test_evaluations_and_games_are_rounded_up():
    plan = plan_tuning("tactician", evaluations=50, games=33, population=8)
    assert plan.evaluations == 56
    assert plan.contest.games_per_evaluation == 64  # two for each of two opponents and 16 pairs of decks
    assert plan.contest.check_games == 10_016  # 626 for each pair of decks
    assert plan.contest.check_seed != plan.seed


@pytest.mark.parametrize("policy", ["greedy", "random"])
def test_only_weights_can_be_tuned(policy):
    with pytest.raises(InputError, match="no weights to tune; expected tactician"):
        plan_tuning(policy)


@pytest.mark.parametrize(("low", "better"), [(0.501, True), (0.5, False), (0.4, False)])
def test_better_is_said_only_if_it_is_sure(low, better):
    row = {"policy_a": "new", "policy_b": "old", "games": 100, "score_a": 0.52}
    tuned = judged((), pd.DataFrame([row | {"score_low": low, "score_high": 0.6}]))
    assert tuned.is_better is better
    assert ("surely beat the old" in tuned.verdict.replace("do not surely", "")) is better


def run(*arguments):
    return main([str(word) for word in arguments])


SETTINGS = ("--games", 4, "--population", 4, "--check-games", 8, "--decks", "1")
TUNE = ("policies", "tune", "tactician", *SETTINGS)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "my.toml"


@pytest.mark.jit
def test_candidates_of_a_generation_play_the_same_games_and_those_of_the_next_others():
    plan = plan_tuning("tactician", games=4, decks=["1"])
    old = plan.policy
    first = [plan.contest.play(old, old, 0) for _ in range(2)]
    assert first[0] == first[1]
    several = {tuple(plan.contest.play(old, old, 2 * generation)) for generation in range(8)}
    assert len(several) > 1


@pytest.mark.jit
def test_an_interrupted_search_ends_with_the_same_file(out, tmp_path, capsys, monkeypatch):
    whole = tmp_path / "whole" / "my.toml"
    code = run(*TUNE, "--evaluations", 12, "--out", whole, "--jobs", 2)
    shown = capsys.readouterr()
    verdict = "do not surely beat" if code else "surely beat"
    assert code in (0, 1)
    assert verdict in shown.err
    assert shown.out.splitlines()[0] == "policy_a,policy_b,games,score_a,score_low,score_high"
    text = whole.read_text()
    assert set(tomllib.loads(text)) == set(SIDES)
    assert verdict in text
    assert f"seed {plan_tuning('tactician').contest.check_seed}" in text

    play, played = DuelContest.play, []

    def interrupted(contest, *arguments):
        played.append(arguments)
        if len(played) > 11:  # in the second generation: two opponents each
            raise KeyboardInterrupt
        return play(contest, *arguments)

    monkeypatch.setattr(DuelContest, "play", interrupted)
    assert run(*TUNE, "--evaluations", 12, "--out", out, "--jobs", 1) == 130
    assert "--resume" in capsys.readouterr().err
    assert not out.exists()
    monkeypatch.undo()
    log = out.with_name("my.toml.log")
    log.write_bytes(log.read_bytes()[:-4])  # as a kill might leave it
    assert run(*TUNE, "--evaluations", 12, "--out", out, "--jobs", 1, "--resume") == code
    assert "4 of them done" in capsys.readouterr().err
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(log.read_text().splitlines()) == sorted(
        (whole.parent / "my.toml.log").read_text().splitlines()
    )

    # more evaluations are added, and nothing is played twice
    assert run(*TUNE, "--evaluations", 16, "--out", out, "--resume") in (0, 1)
    assert "12 of them done" in capsys.readouterr().err
    assert len(log.read_text().splitlines()) == 1 + 16
    # other settings are another search; so are the weights it now starts from
    before = log.read_bytes()
    assert run(*TUNE, "--evaluations", 12, "--out", out, "--resume", "--seed", 2) == 2
    assert "not the same: seed" in capsys.readouterr().err
    assert log.read_bytes() == before
    assert run(*TUNE, "--evaluations", 12, "--out", out) == 2
    assert "expected --resume to go on with it, --yes" in capsys.readouterr().err
    assert run("policies", "tune", f"tactician:{out}", *SETTINGS, "--out", out, "--yes") == 2
    assert "the weights to start from" in capsys.readouterr().err
    assert (
        run("policies", "tune", f"tactician:{out}", *SETTINGS, "--out", tmp_path / "next.toml", "--dry-run")
        == 0
    )
    assert not (tmp_path / "next.toml.log").exists()


@pytest.mark.jit
def test_found_weights_are_checked_against_the_old_ones_and_greedy(tmp_path):
    from clashsim.running.journal import Journal

    plan = plan_tuning("tactician", evaluations=4, games=4, population=4, check_games=2, decks=["1"])
    journal = Journal(tmp_path / "log", plan.head)
    journal.begin()
    tuned = plan.run(journal, jobs=2)
    assert tuned.weights != plan.policy.weights
    assert tuned.check[["policy_a", "policy_b"]].to_numpy().tolist() == [
        ["new", "old"],
        ["new", "greedy"],
        ["old", "greedy"],
    ]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--evaluations", "0"),
        ("--evaluations", "many"),
        ("--population", "3"),
        ("--check-games", "-1"),
        ("--games", "x"),
        ("--step", "0"),
        ("--step", "nan"),
    ],
)
def test_bad_numbers_are_named(option, value, out, capsys):
    assert run("policies", "tune", "tactician", "--out", out, option, value) == 2
    assert f"{option} is" in capsys.readouterr().err


def test_a_folder_is_no_file_of_weights(tmp_path, capsys):
    assert run("policies", "tune", "tactician", "--out", tmp_path) == 2
    assert "it is no file" in capsys.readouterr().err
    assert run("policies", "tune", "tactican", "--out", tmp_path / "my.toml") == 2
    assert "Did you mean tactician" in capsys.readouterr().err


@pytest.mark.jit
def test_weights_that_are_no_better_end_in_a_failed_check(tmp_path, capsys):
    """The evaluations of one generation of all but equal candidates make nothing sure."""
    command = (
        *TUNE,
        "--evaluations",
        4,
        "--check-games",
        1,
        "--out",
        tmp_path / "my.toml",
        "--format",
        "table",
    )
    assert run(*command) == 1
    shown = capsys.readouterr()
    assert "do not surely beat" in shown.err
    assert "--check-games 1 rounded up to" in shown.err
    assert "4 evaluations (1 generation of 4) of" in shown.err
    assert "Policy A" in shown.out
    assert "score_low" not in shown.out
    assert "%" in shown.out
    assert "do not surely beat" in (tmp_path / "my.toml").read_text()
