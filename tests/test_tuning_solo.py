"""Weights for solo games: who plays with which, the games of a search for better ones, the check, the command."""

import tomllib
from dataclasses import fields
from functools import partial

import numpy as np
import pandas as pd
import pytest

from clashsim.clash.cards import load_cards
from clashsim.clash.duels import Duel
from clashsim.clash.policies import POLICIES, WEIGHING
from clashsim.clash.policies.lookahead.features import AI_FEATURES, FEATURES, SIDES, read_weights
from clashsim.clash.policy_files import load_policy
from clashsim.clash.solo_settings import PRICES, SoloSettings
from clashsim.clash.solos import BLOCKS, Solo
from clashsim.clash.weight_files import weights_text
from clashsim.cli.main import main
from clashsim.errors import InputError
from clashsim.experiments.tuning import plan_tuning
from clashsim.experiments.tuning_solos import CARD_WORTH, SPREAD, SoloContest, check_table, judged

COUNT = len(SIDES) * len(FEATURES)
AI_HAND = len(FEATURES) + list(FEATURES).index("hand")
DECK = "2"  # the fastest
plan_solo = partial(plan_tuning, "tactician", solo=True, decks=[DECK])


def weights_in_games_of(policy):
    """Return the weights that the core has for a policy in a duel, and in a solo game."""
    kit = load_cards()
    deck = kit.decks[DECK]
    duel, solo = Duel((deck, deck), (policy, policy)), Solo(kit, deck, policy)
    return tuple(duel.match[0]["weights"][0][:COUNT]), tuple(solo.match[0]["weights"][0][:COUNT])


@pytest.mark.jit
@pytest.mark.parametrize("name", WEIGHING)
def test_solo_games_have_weights_of_their_own(name):
    policy = POLICIES[name]
    of_duels, of_solo_games = weights_in_games_of(policy)
    assert of_duels == policy.weights == read_weights(policy.weights_file)
    solo_file = policy.weights_file.with_name(f"{name}-solo.toml")
    assert of_solo_games == read_weights(solo_file)
    assert of_solo_games != of_duels


@pytest.mark.jit
@pytest.mark.parametrize("name", WEIGHING)
def test_weights_of_ones_own_play_duels_and_solo_games(name, tmp_path):
    path, mine = tmp_path / "my.toml", tuple(float(number) for number in range(COUNT))
    path.write_text(weights_text(mine))
    assert weights_in_games_of(load_policy(f"{name}:{path}")) == (mine, mine)


def surely_wins_more(player, other, games):
    """Tell whether a policy surely wins more quick games than another one, the same games."""
    kit = load_cards()
    wins = [Solo(kit, kit.decks[DECK], each).tally(0, games)["results"][:, :1] for each in (other, player)]
    return judged((), check_table([DECK], np.array(wins).reshape(2, 1, 1, BLOCKS), games)).is_better


@pytest.mark.jit
@pytest.mark.parametrize(("name", "games"), [("tactician", 800), ("planner", 200)])
def test_weights_for_solo_games_win_more_of_them_than_those_of_duels(name, games):
    policy = POLICIES[name]
    assert surely_wins_more(policy, policy.with_weights("of duels", policy.weights), games)


@pytest.mark.jit
def test_planner_wins_more_solo_games_than_tactician():
    assert surely_wins_more(POLICIES["planner"], POLICIES["tactician"], 400)


@pytest.mark.jit
def test_how_far_planner_looks_in_solo_games_leaves_duels_alone():
    policy, kit = POLICIES["planner"], load_cards()
    deck = kit.decks[DECK]
    duel, solo = Duel((deck, deck), (policy, policy)), Solo(kit, deck, policy)
    assert tuple(duel.match[0]["foresights"][0]) == policy.foresight
    assert tuple(solo.match[0]["foresights"][0]) == policy.solo_foresight != policy.foresight
    assert POLICIES["tactician"].foresight_in(solo=True) == POLICIES["tactician"].foresight


def test_imagined_solo_games_end_with_a_turn_of_the_player():
    """What the end is worth is read off the last turn that was searched, and the AI's are not."""
    assert all(policy.foresight_in(solo=True).turns % 2 == 0 for policy in POLICIES.values())


def test_a_policy_without_weights_for_solo_games_plays_them_with_those_it_has():
    assert POLICIES["greedy"].weights_in(solo=True) == ()
    own = POLICIES["tactician"].with_weights("own", range(COUNT))
    assert own.weights_in(solo=True) == own.weights_in(solo=False) == tuple(range(COUNT))


def test_a_file_of_weights_for_solo_games_says_what_they_are_about():
    text = weights_text(range(COUNT), solo=True)
    own, enemy = text.split("[enemy]")
    assert all(meaning in own for meaning in FEATURES.values())
    assert all(meaning in enemy for meaning in AI_FEATURES.values())
    assert tomllib.loads(text) == tomllib.loads(weights_text(range(COUNT)))


def test_the_settings_of_a_search_have_every_value_of_every_option():
    for field in fields(SoloSettings):
        assert {getattr(settings, field.name) for settings in SPREAD} == set(PRICES[field.name])
    prices = [settings.points() for settings in SPREAD]
    assert min(prices) == 0
    assert max(prices) in (5, 6)
    assert len(set(SPREAD)) == len(SPREAD)


def test_games_are_spread_evenly_over_decks_and_settings():
    contest = plan_tuning("tactician", solo=True, games=33, check_games=1).contest
    assert contest.games_per_evaluation == 64  # two for each of 4 decks and 8 settings
    assert contest.check_games == 4 * 8 * BLOCKS
    check = contest.lay_out_check(contest.start)
    assert check.plan["games"].sum() == 2 * contest.check_games
    assert (check.plan["games"] % BLOCKS == 0).all()
    assert contest.check_seed != contest.seed
    assert {solo.seed for solo in check.conditions} == {contest.check_seed}


def test_what_the_ai_never_has_is_not_searched_for():
    contest = plan_solo().contest
    assert contest.start[AI_HAND] == 0
    assert sorted([*contest.searched, AI_HAND]) == list(range(COUNT))
    changed = [place for place in range(COUNT) if contest.start[place] != contest.policy.solo_weights[place]]
    assert set(changed) <= {AI_HAND}


def test_a_search_starts_from_the_weights_for_solo_games_or_from_ones_own(tmp_path):
    path, mine = tmp_path / "my.toml", [float(number) for number in range(COUNT)]
    path.write_text(weights_text(mine))
    start = plan_tuning(f"tactician:{path}", solo=True).contest.start
    assert [*start[:AI_HAND], *start[AI_HAND + 1 :]] == [*mine[:AI_HAND], *mine[AI_HAND + 1 :]]
    assert plan_tuning("tactician").contest.start == POLICIES["tactician"].weights


def test_a_card_that_the_ai_still_has_counts_less_than_a_game():
    contest = plan_solo().contest
    assert contest.worth([10, 0, 0, 0]) == 1
    assert contest.worth([5, 1, 4, 30]) == pytest.approx(0.5 - 3 * CARD_WORTH)
    assert contest.worth([5, 1, 4, 30]) > contest.worth([4, 2, 4, 30])
    assert contest.worth([5, 1, 4, 30]) > contest.worth([5, 1, 4, 31])
    assert contest.shown([5, 1, 4, 30]) == 0.5


@pytest.mark.jit
def test_candidates_of_a_generation_play_the_same_games_and_those_of_the_next_others():
    contest = plan_solo(games=24).contest
    start, other = contest.start, [-weight for weight in contest.start]
    first = contest.evaluate(start, start, 0)
    assert sum(first[:3]) == contest.games_per_evaluation
    assert contest.evaluate(start, other, 0) == first  # the mean of the search has no part in it
    assert contest.evaluate(other, start, 0) != first
    assert len({tuple(contest.evaluate(start, start, generation)) for generation in range(8)}) > 1


SHAPE = (3, 4, BLOCKS)  # decks, settings, blocks
GAMES = 5  # of each of them


def wins_with(old, new):
    return check_table("abc", np.stack([old, new]), old.size * GAMES)


def drawn_wins(seed, *shares):
    draw = np.random.default_rng(seed)
    return [draw.binomial(GAMES, share, SHAPE) for share in shares]


def test_equal_wins_differ_by_exactly_nothing():
    (wins,) = drawn_wins(1, 0.4)
    check = wins_with(wins, wins)
    assert (check[["difference", "difference_low", "difference_high"]] == 0).all(axis=None)
    assert not judged((), check).is_better
    assert "do not surely win more" in judged((), check).verdict


def test_the_check_shows_all_decks_first_and_then_each():
    old, new = drawn_wins(2, 0.3, 0.5)
    check = wins_with(old, new)
    assert check["deck"].tolist() == ["ALL", "a", "b", "c"]
    assert check["games"].tolist() == [old.size * GAMES, *[old.size * GAMES // 3] * 3]
    for name, wins in (("old", old), ("new", new)):
        rates = [wins.mean() / GAMES, *(deck.mean() / GAMES for deck in wins)]
        assert check[f"win_rate_{name}"].tolist() == pytest.approx(rates, abs=1e-6)
    differences = check["win_rate_new"] - check["win_rate_old"]
    assert check["difference"].tolist() == pytest.approx(differences.tolist(), abs=2e-6)
    tuned = judged((), check)
    assert tuned.is_better
    assert "surely win more" in tuned.verdict
    assert tuned.beside.count("deck ") == 3


def test_games_that_go_alike_tell_more_than_others():
    old, other, turns = drawn_wins(3, 0.4, 0.4, 0.05)
    alike, apart = wins_with(old, np.minimum(old + turns, GAMES)), wins_with(old, other)
    widths = [(check["difference_high"] - check["difference_low"]).iloc[0] for check in (alike, apart)]
    assert widths[0] < widths[1] / 2


def test_intervals_of_differences_hold_the_truth():
    """Shuffles that a game shares under all settings: their luck moves the wins of a block together."""
    draw, hits, runs = np.random.default_rng(4), 0, 300
    for _ in range(runs):
        luck = draw.normal(0, 0.1, (2, 1, 1, BLOCKS))
        shares = np.clip(np.array([0.4, 0.45]).reshape(2, 1, 1, 1) + luck, 0, 1)
        wins = draw.binomial(GAMES, np.broadcast_to(shares, (2, *SHAPE)))
        row = check_table("abc", wins, wins[0].size * GAMES).iloc[0]
        hits += row["difference_low"] <= 0.05 <= row["difference_high"]
    assert 0.92 <= hits / runs <= 0.98


def test_shut_outs_have_honest_limits():
    none, all_games = np.zeros(SHAPE, int), np.full(SHAPE, GAMES)
    row = wins_with(none, all_games).iloc[0]
    assert row["win_rate_old"] == row["win_rate_old_low"] == 0
    assert 0 < row["win_rate_old_high"] < 0.05
    assert 0.95 < row["win_rate_new_low"] < 1
    assert row["win_rate_new"] == row["win_rate_new_high"] == 1


def run(*arguments):
    return main([str(word) for word in arguments])


TUNE = (
    *("policies", "tune", "tactician", "--solo", "--decks", DECK),
    *("--games", 8, "--population", 4, "--check-games", 1),
)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "my.toml"


@pytest.mark.jit
def test_an_interrupted_search_ends_with_the_same_file(out, tmp_path, capsys, monkeypatch):
    whole = tmp_path / "whole" / "my.toml"
    code = run(*TUNE, "--evaluations", 12, "--out", whole, "--jobs", 2)
    shown = capsys.readouterr()
    verdict = "do not surely win more" if code else "surely win more"
    assert verdict in shown.err
    assert "Deck by deck: deck 2" in shown.err
    assert pd.read_csv(whole.parent / "my.toml.log", sep="\0", header=None).shape[0] == 1 + 12
    assert shown.out.startswith("deck,games,win_rate_new,win_rate_new_low,win_rate_new_high,win_rate_old")
    text = whole.read_text()
    assert set(tomllib.loads(text)) == set(SIDES)
    assert read_weights(whole)[AI_HAND] == 0
    assert verdict in text
    assert all(str(settings) in text for settings in SPREAD)

    evaluate, played = SoloContest.evaluate, []

    def interrupted(contest, *arguments):
        played.append(arguments)
        if len(played) > 6:  # in the second generation
            raise KeyboardInterrupt
        return evaluate(contest, *arguments)

    monkeypatch.setattr(SoloContest, "evaluate", interrupted)
    assert run(*TUNE, "--evaluations", 12, "--out", out, "--jobs", 1) == 130
    assert "--resume" in capsys.readouterr().err
    assert not out.exists()
    monkeypatch.undo()
    assert run(*TUNE, "--evaluations", 12, "--out", out, "--jobs", 1, "--resume") == code
    assert "6 of them done" in capsys.readouterr().err
    assert out.read_bytes() == whole.read_bytes()

    # another seed gives other weights; the journal of a search in duels is of another search
    run(*TUNE, "--evaluations", 12, "--out", tmp_path / "other.toml", "--seed", 2)
    assert read_weights(tmp_path / "other.toml") != read_weights(out)
    capsys.readouterr()
    duels = [word for word in TUNE if word != "--solo"]
    assert run(*duels, "--evaluations", 12, "--out", out, "--resume") == 2
    assert "is of another search (not the same: weights" in capsys.readouterr().err


@pytest.mark.jit
def test_weights_that_are_no_better_end_in_a_failed_check(out, capsys):
    """Weights that were found, and are the old ones."""
    assert run(*TUNE, "--evaluations", 4, "--step", "0.000000001", "--out", out, "--format", "table") == 1
    shown = capsys.readouterr()
    assert "do not surely win more" in shown.err
    assert "--check-games 1 rounded up to 320: a multiple of 40 for each deck and setting." in shown.err
    assert "left out" not in shown.out
    assert "Difference" in shown.out
    assert read_weights(out)[:AI_HAND] == POLICIES["tactician"].solo_weights[:AI_HAND]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("greedy", "--solo"), "no weights to tune"),
        (("tactician", "--rule", "ai_last_turn=current"), "is for solo games only"),
        (("tactician", "--solo", "--decks", "draft"), "draft"),
        (("tactician", "--solo", "--games", "0"), "--games is 0"),
    ],
)
def test_what_does_not_fit_is_named(arguments, message, out, capsys):
    assert run("policies", "tune", *arguments, "--out", out) == 2
    assert message in capsys.readouterr().err


def test_a_card_set_without_cards_for_the_ai_is_refused():
    kit = load_cards()
    deck = kit.decks[DECK]
    few = type(kit)(**{field.name: getattr(kit, field.name) for field in fields(kit)} | {"cards": deck.cards})
    with pytest.raises(InputError, match="expected 9 to"):
        plan_tuning("tactician", solo=True, decks=[deck], cards=few)
