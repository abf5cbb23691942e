"""Runs of solo drafts (R42): known truths, and what the tables say of the games that were played."""

from dataclasses import replace

import numpy as np
import pytest
from corekit import KIT
from solokit import PLAYER, Deal

import clashsim as cs
from clashsim.clash.drafting import ALL_DRAFTERS, DRAFTERS, Worths
from clashsim.clash.drafts import DraftSolo
from clashsim.clash.duels import results_of
from clashsim.clash.policies import POLICIES
from clashsim.clash.solos import Solo
from clashsim.experiments.draft_worths import LEAST_GAMES, measured_worths
from clashsim.experiments.solo_draft import plan_solo_draft, single_options

QUICK = cs.SoloSettings()
COSTS = Worths(tuple(card.cost / 100 for card in KIT.cards))


def condition(drafter="random", policy="greedy", **options):
    by = ALL_DRAFTERS[drafter].by(COSTS)
    return DraftSolo(Solo(KIT, by, POLICIES[policy], **options))


def solo_draft(settings=QUICK, drafter=("value", "random"), games=2000, policy="greedy", **options):
    return cs.solo_draft(
        settings,
        drafter=drafter,
        games=games,
        table_games=options.pop("table_games", games),
        policy=policy,
        **options,
    )


# ---- R42


@pytest.mark.parametrize("drafter", ["random", "dearest", "value"])
def test_r42_picks_are_those_of_the_games(drafter):
    one = condition(drafter)
    picks = one.picks_of(5, 6)
    assert picks.shape == (6, 8, 4)
    for place in range(6):
        assert sorted(picks[place].ravel().tolist()) == list(range(32))
        player, ai = Deal(one.solo, 5 + place).position()["sides"]
        assert {KIT.cards[slot].name for slot in picks[place, :, 0]} == {*player["hand"][1:]}
        assert {KIT.cards[slot].name for slot in picks[place, :, 1:].ravel()} == set(ai["deck"])
    assert PLAYER == 0


def test_r42_value_takes_the_card_of_the_highest_worth():
    for offer in condition("value").picks_of(0, 40).reshape(-1, 4).tolist():
        assert COSTS.cards[offer[0]] == max(COSTS.cards[slot] for slot in offer)
    np.testing.assert_array_equal(condition("value").picks_of(0, 40), condition("dearest").picks_of(0, 40))


@pytest.mark.parametrize("size", [31, 33])
def test_r42_other_card_sets_are_refused(size):
    cards = tuple(replace(KIT.cards[place % 32], name=f"C{place}", deck=None) for place in range(size))
    with pytest.raises(cs.InputError, match=rf"{size} cards; expected 32 for a solo draft \(R42\)"):
        plan_solo_draft(cards=cs.CardSet("own", cards))


def test_a_tally_counts_what_its_games_show():
    one = condition("value")
    tally = one.tally(10, 12)
    results, picks = results_of(one.solo.outcomes(10, 12)[0]["winner"]), one.picks_of(10, 12)
    expected = {name: np.zeros_like(counts) for name, counts in tally.items()}
    for place, result in enumerate(results.tolist()):
        block = (10 + place) % 40
        x = np.zeros(32, int)
        x[picks[place, :, 0]] = 1
        expected["results"][block, result] += 1
        expected["by_card"][:, block, result] += x
        expected["seen"] += 1
        expected["taken"] += x
        expected["products"][block] += np.outer(x, x)
        expected["scores"][block] += x * (result == 0)
        for taken, *left in picks[place].tolist():
            expected["over"][taken, left] += 1
    for name, counts in tally.items():
        np.testing.assert_array_equal(counts, expected[name], name)


# ---- runs


@pytest.mark.jit
def test_an_absurdly_strong_card_is_taken_every_time():
    cards = tuple(
        replace(card, cost=0, attack=15, health=15) if card.name == "GNOME" else card for card in KIT.cards
    )
    found = solo_draft(cards=cs.CardSet("strong", cards), games=4000)
    best = found.draft_cards[found.draft_cards["drafter"] == "value"].iloc[0]
    assert (best["card"], best["pick_rate"]) == ("GNOME", 1)
    assert best["value_verdict"] == "above the others"


@pytest.mark.jit
def test_drafters_are_compared_in_the_same_games():
    found = solo_draft(drafter=("value", "dearest", "random"), games=4000)
    rows = found.draft_drafters.set_index("drafter")
    assert rows.loc["random", ["difference", "difference_low", "difference_high"]].tolist() == [0, 0, 0]
    assert (rows["vs_drafter"] == "random").all()
    for name in ("value", "dearest"):
        more = rows.loc[name, "win_rate"] - rows.loc["random", "win_rate"]
        assert rows.loc[name, "difference"] == pytest.approx(more, abs=2e-6)
    assert rows.loc["value", "difference_low"] > 0


@pytest.mark.jit
def test_a_setting_against_itself_is_exactly_nothing_and_others_are_compared_with_the_first():
    settings = [QUICK, cs.SoloSettings(bastion=False), cs.SoloSettings(fixed=10)]
    found = solo_draft(settings, drafter="random", games=1000)
    table = found.draft_settings
    assert set(table["setting"]) == {str(setting) for setting in settings[1:]}
    assert len(table) == 2 * 32
    by_setting = found.draft_iterations.set_index(["setting", "card"])["value"]
    for _, row in table.iterrows():
        expected = by_setting[row["setting"], row["card"]] - by_setting[str(QUICK), row["card"]]
        assert row["gain"] == pytest.approx(expected, abs=3e-6)
    assert table["p"].is_monotonic_increasing
    assert (table["p_adjusted"] >= table["p"]).all()


@pytest.mark.jit
def test_protection_for_the_ai_is_felt_in_what_cards_are_worth():
    """Among 32 cards and a setting that changes the game, some surely gain or lose."""
    found = solo_draft([QUICK, cs.SoloSettings(ability="protection")], drafter="random", games=20_000)
    assert (found.draft_settings["setting_verdict"] != "undecided").any()


@pytest.mark.jit
def test_win_rates_are_those_of_the_same_deck_in_solo_games():
    found = solo_draft(drafter="random", games=400)
    solo = cs.solo("draft:random", QUICK, games=400, policy="greedy")
    assert found.draft_drafters["wins"].tolist() == solo.solo_settings["wins"].tolist()


def test_by_default_the_quick_game_and_each_option_alone():
    settings = single_options()
    assert settings[0] == QUICK
    assert len(settings) == len(set(settings)) == 14
    plan = plan_solo_draft(drafter="random", policy="random")
    assert len(plan.plan) == 2 * 14
    assert plan.solo


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"drafter": "denial"},
            r"denial: .* the AI gets whatever the player leaves \(R42\).* expected value",
        ),
        ({"drafter": "fit"}, "fit: "),
        ({"drafter": "best"}, "unknown drafter 'best'; expected dearest, random, value"),
        ({"drafter": ["random", "random"]}, "given twice"),
        ({"games": 39}, "games is 39; expected a whole number from 40"),
        ({"settings": [QUICK, QUICK]}, "is given twice"),
    ],
)
def test_what_is_wrong_is_told(options, message):
    with pytest.raises(cs.InputError, match=message):
        plan_solo_draft(options.pop("settings", None), **options)


@pytest.mark.jit
def test_threads_change_nothing():
    one, other = (
        plan_solo_draft(QUICK, games=200, table_games=200, policy="greedy").run(jobs=jobs) for jobs in (1, 3)
    )
    for name, table in one.tables.items():
        assert table.equals(other.tables[name]), name


def test_drafters_of_solo_decks_are_still_those_without_a_table():
    assert list(DRAFTERS) == ["dearest", "random"]


@pytest.mark.jit
def test_of_cards_that_are_always_or_never_taken_nothing_is_told():
    """Thirty-two times the same card: by a table one is always taken, others never; none is worth more or less."""
    cards = tuple(replace(KIT["OGRE"], name=f"OGRE {number}", deck=None) for number in range(32))
    values = Worths(tuple(number / 100 for number in range(32)))
    by_table = DraftSolo(
        Solo(cs.CardSet("same", cards), ALL_DRAFTERS["value"].by(values), POLICIES["greedy"])
    ).tally(0, 2000)
    found = measured_worths(by_table, solo=True)
    taken = by_table["taken"]
    assert taken[31] == 2000
    assert taken[0] == 0
    unknown = (taken < LEAST_GAMES) | (taken > 2000 - LEAST_GAMES)
    np.testing.assert_array_equal(np.isnan(found.value), unknown)
    run = solo_draft(cards=cs.CardSet("same", cards), games=2000, policy="random")
    assert (run.draft_cards["value_verdict"] == "undecided").mean() > 0.98
    assert run.draft_cards.groupby("card")["value"].nunique().max() == 1


@pytest.mark.jit
def test_few_games_tell_of_few_cards_and_never_of_nan():
    found = solo_draft(games=40, policy="random").findings()
    assert "nan" not in " ".join(found.answer)
