"""What a change does: exactly nothing where it does nothing, and else what playing both worlds tells."""

import numpy as np
import pandas as pd
import pytest

import clashsim as cs
from clashsim.clash.changes import changed_cards, parse_set
from clashsim.clash.duels import results_of
from clashsim.experiments.card_values import plan_card_values
from clashsim.experiments.prices import plan_prices
from clashsim.experiments.whatif_options import plan_from_options
from clashsim.experiments.whatif_tables import HIGHER, LOWER, NONE_SEEN, SAME, as_wins

pytestmark = pytest.mark.jit

GAMES = 60
KIT = cs.load_cards()


def whatif(*arguments, games=GAMES, policy="greedy", **options):
    return cs.whatif(*arguments, games=games, policy=policy, **options)


def scores(games=GAMES, **options):
    table = cs.matchups(games=games, policy="greedy", **options).matchups
    return table.set_index(["deck_a", "deck_b"])["score_a"]


def with_cards(*changes):
    """The card set with changes."""
    return changed_cards(KIT, [parse_set(change, KIT) for change in changes])


def test_scores_are_those_of_matchups_with_and_without():
    found = whatif({"TROLL": {"cost": 3, "abilities": []}}).whatif.set_index(["deck_a", "deck_b"])
    changed = with_cards("TROLL.cost=3", "TROLL.abilities=none")
    assert list(found.index) == [("1", "2"), ("1", "3"), ("1", "4")]
    for column, expected in (("score_base", scores()), ("score_changed", scores(cards=changed))):
        np.testing.assert_allclose(found[column], expected[found.index], atol=1e-6)
    np.testing.assert_allclose(found["difference"], found["score_changed"] - found["score_base"], atol=2e-6)


def test_only_pairings_that_the_change_is_about_are_played():
    found = whatif({"TROLL": {"cost": 3}, "ZOMBIE": {"cost": 3}}).whatif  # of decks 1 and 4
    pairs = list(zip(found["deck_a"], found["deck_b"], strict=True))
    assert pairs == [("1", "2"), ("1", "3"), ("1", "4"), ("4", "1"), ("4", "2"), ("4", "3")]


def test_both_views_of_a_pairing_are_opposites():
    found = whatif({"TROLL": {"cost": 3}, "ZOMBIE": {"cost": 3}}).whatif.set_index(["deck_a", "deck_b"])
    here, there = found.loc[("1", "4")], found.loc[("4", "1")]
    for name, other in (
        ("difference", "difference"),
        ("diff_low", "diff_high"),
        ("diff_high_all", "diff_low_all"),
    ):
        assert here[name] == pytest.approx(-there[other], abs=1e-12)
    for name in ("games", "other_winner", "other_course", "turns_difference", "first_difference"):
        assert here[name] == there[name]
    assert here["score_base"] == pytest.approx(1 - there["score_base"])


def test_a_change_into_what_it_was_gives_exactly_nothing():
    found = whatif({"TROLL": {"cost": KIT["TROLL"].cost}})
    for table in (found.whatif, found.decks):
        zero = table[["difference", "diff_low", "diff_high", "diff_low_all", "diff_high_all", "detectable"]]
        assert (zero == 0).all(axis=None)
        assert (table["change_verdict"] == SAME).all()
    assert (found.whatif[["other_winner", "other_course", "turns_difference"]] == 0).all(axis=None)
    assert found.games.empty


def test_a_change_without_effect_gives_exactly_nothing():
    """Indestructible protects from Incantations only: in decks without any it does nothing (R25)."""
    creatures = [card.name for card in KIT.cards if card.kind == "creature"]
    decks = [cs.load_deck(creatures[:8], KIT), cs.load_deck(creatures[8:16], KIT)]
    decks = [cs.Deck(name, deck.cards) for name, deck in zip("xy", decks, strict=True)]
    body = next(card for card in decks[0].cards if "Indestructible" not in card.abilities)
    found = whatif({body.name: {"abilities": [*body.abilities, "Indestructible"]}}, decks=decks).whatif
    assert (found[["difference", "other_winner", "other_course", "turns_difference"]] == 0).all(axis=None)
    assert (found["change_verdict"] == NONE_SEEN).all()
    assert (found["diff_high"] > 0).all()  # it is measured, not known


def test_a_large_change_is_found_in_the_right_direction():
    stronger = whatif({"TROLL": {"cost": 0, "attack": 9, "health": 9}}, games=400).decks.iloc[0]
    weaker = whatif({"TROLL": {"cost": 9}, "BARON": {"cost": 9}}, games=400).decks.iloc[0]
    assert (stronger["change_verdict"], weaker["change_verdict"]) == (HIGHER, LOWER)
    assert stronger["diff_low"] > 0 > weaker["diff_high"]


def test_a_deck_gets_the_mean_over_its_opponents():
    found = whatif({"TROLL": {"cost": 3}, "ZOMBIE": {"cost": 3}})
    for _, row in found.decks.iterrows():
        rows = found.whatif[found.whatif["deck_a"] == row["deck"]]
        assert row["opponents"] == 3
        assert row["games"] == rows["games"].sum()
        for name in ("score_base", "score_changed", "difference"):
            assert row[name] == pytest.approx(rows[name].mean(), abs=2e-6)
    assert found.decks["difference"].is_monotonic_decreasing


def test_a_rule_is_about_all_pairings():
    found = whatif(rules=cs.Rules(first_mana=9)).whatif
    assert len(found) == 12
    first = found.drop_duplicates("first_base")
    np.testing.assert_allclose(
        first["first_difference"], first["first_changed"] - first["first_base"], atol=2e-6
    )
    assert first["first_difference"].mean() > 0  # three mana more to begin with


def test_the_first_player_s_difference_is_that_of_first_player_tables():
    found = whatif(rules=cs.Rules(first_mana=9), decks=["1", "2"]).whatif.iloc[0]
    for rules, column in ((cs.Rules(), "first_base"), (cs.Rules(first_mana=9), "first_changed")):
        table = cs.matchups(["1", "2"], games=GAMES, policy="greedy", rules=rules).first_player
        expected = table.query("deck_a == '1' and deck_b == '2'")["score_first"].iloc[0]
        assert found[column] == pytest.approx(expected, abs=1e-6)


def test_swaps_are_ranked():
    found = whatif(swaps=["1:TROLL=*"], decks=["1", "2"], games=20)
    assert len(found.decks) == 24
    assert found.decks["difference"].is_monotonic_decreasing
    assert set(found.decks["deck"]) == {"1"}
    best = found.decks.iloc[0]
    assert best["variant"] in found.findings().answer[0]
    alone = whatif(
        swaps=[best["variant"].replace("deck 1 ", "1:").replace(" -> ", "=")], decks=["1", "2"], games=20
    )
    assert alone.decks["difference"].iloc[0] == best["difference"]


def test_different_policies_meet_in_all_orders():
    found = whatif({"TROLL": {"cost": 3}}, decks=["1", "2"], vs_policy="random", games=20).whatif
    assert list(zip(found["deck_a"], found["deck_b"], strict=True)) == [("1", "1"), ("1", "2")]
    assert set(found["policy_b"]) == {"random"}


def test_games_that_end_otherwise_are_games_that_do(tmp_path):
    found = whatif({"TROLL": {"cost": 3}})
    assert 0 < len(found.games) <= 9
    for _, row in found.games.iterrows():
        twin = next(one for one in found.twins if one.base.decks[1].name == row["deck_b"])
        base, changed = twin.ends(row["game"], 1)
        assert row["turns_base"] == base["turns"][0]
        assert row["turns_changed"] == changed["turns"][0]
        assert (
            ("a", "draw", "b")[results_of(base["winner"])[0]] == row["winner_base"] != row["winner_changed"]
        )


def test_solo_rates_are_those_of_solo_with_and_without():
    settings = [cs.SoloSettings(), cs.SoloSettings(fixed=8)]
    found = whatif({"MARTYR": {"cost": 3}}, scope="solo", decks="1", settings=settings)
    changed = with_cards("MARTYR.cost=3")
    for cards, name in ((KIT, "base"), (changed, "changed")):
        table = cs.solo("1", settings, games=GAMES, policy="greedy", cards=cards).solo_settings
        np.testing.assert_allclose(found.whatif[f"win_rate_{name}"], table["win_rate"], atol=1e-6)
        assert found.decks[f"win_rate_{name}"].iloc[0] == pytest.approx(table["win_rate"].mean(), abs=1e-6)
    assert found.decks["settings"].iloc[0] == 2


def test_nothing_changes_exactly_nothing_in_solo_games():
    settings = [cs.SoloSettings(), cs.SoloSettings(fixed=8)]
    found = whatif({"TROLL": {"cost": 6}}, scope="solo", decks=["1", "draft"], settings=settings)
    for table in (found.whatif, found.decks):
        assert (table[["difference", "diff_low", "diff_high", "diff_low_all"]] == 0).all(axis=None)


def test_a_deck_that_never_wins_is_not_known_to_win_never():
    settings = [
        cs.SoloSettings(variable=2, fixed=10, ability="protection", first=first) for first in ("ai", "player")
    ]
    row = whatif(
        {"TROLL": {"cost": 5}}, scope="solo", decks="2", settings=settings, policy="random"
    ).decks.iloc[0]
    assert row["win_rate_base"] == 0
    assert row["win_rate_base_high"] > 0.01


def test_points_are_those_of_the_price_list_that_both_play_by():
    options = {
        "set": ["TROLL.cost=5"],
        "patch": None,
        "swap": [],
        "rule": ["no_bastion_points=1"],
        "decks": None,
    }
    options |= {"vs_policy": None, "deck": ["1"], "preset": "quick", "level": None, "points": 0, "games": 2}
    options |= {"policy": ["random"], "variable": None, "fixed": None, "first": None, "bastion": None}
    options |= {
        "resistance": None,
        "ability": None,
        "seed": 1,
        "cards": "starter-kit",
        "precision": None,
        "scope": "solo",
    }
    assert set(plan_from_options(options).run().whatif["points"]) == {0}


@pytest.mark.parametrize("policies", [["greedy", "random"]])
def test_all_policies_are_shown_of_many_swaps(policies):
    found = whatif(swaps=["1:*=*"], decks=["1", "2"], games=2, policy=policies).findings()
    section = found.sections[0]
    assert section.shown["policy"].value_counts().to_dict() == {"greedy": 40, "random": 40}
    assert "Shown are the 40 best of each policy" in " ".join(section.sentences)


def test_swaps_are_ranked_by_the_deck_that_they_are_of():
    found = whatif(swaps=["1:TROLL=*"], rules=cs.Rules(first_mana=7), decks=["1", "2"], games=20)
    assert len(found.decks) == 48
    assert "of 24 swaps" in " ".join(found.findings().answer)


def test_a_draw_is_no_win_in_solo_games():
    joint = np.arange(18).reshape(2, 3, 3)
    wins = as_wins(joint)
    assert wins.sum() == joint.sum()
    assert (wins[:, 1] == 0).all()
    assert (wins[:, :, 1] == 0).all()
    assert (wins[:, 0, 0] == joint[:, 0, 0]).all()
    assert (wins[:, 0, 2] == joint[:, 0, 1:].sum(axis=1)).all()


def test_precision_ends_at_a_look_that_is_precise_enough():
    found = whatif({"TROLL": {"cost": 5}}, games=20_000, precision=2, decks=["1", "2", "3"])
    half = (found.whatif["diff_high"] - found.whatif["diff_low"]) / 2
    assert (half <= 0.02).all()
    assert (found.plan["games"] < 20_000).all()


@pytest.mark.parametrize("jobs", [1, 2])
def test_threads_change_nothing(jobs):
    found = whatif({"TROLL": {"cost": 5}}, games=3000, decks=["1", "2"], jobs=jobs)
    assert (
        found.whatif["difference"].iloc[0]
        == whatif({"TROLL": {"cost": 5}}, games=3000, decks=["1", "2"]).whatif["difference"].iloc[0]
    )


def test_null_changes_are_covered_at_the_stated_rate():
    """Two decks of the same cards are even with and without any change of a card of both, though the games differ."""
    twin = cs.Deck("x", KIT.decks["1"].cards)
    found = pd.concat(
        whatif({"TROLL": {"cost": 3}}, decks=["1", twin], games=200, policy="random", seed=seed).whatif.iloc[
            :1
        ]
        for seed in range(400)
    )
    assert (found["other_winner"] > 0.05).all()
    covered = ((found["diff_low"] <= 0) & (found["diff_high"] >= 0)).mean()
    assert 0.92 < covered < 0.98


@pytest.mark.parametrize("games", [40, 200])
def test_intervals_cover_in_solo_games_however_few(games):
    """Blocks are no strata: a block of one game has no variance within."""
    change = {"TROLL": {"cost": 4}}
    truth = whatif(change, scope="solo", decks="1", games=100_000).whatif["difference"].iloc[0]
    found = pd.concat(
        whatif(change, scope="solo", decks="1", games=games, seed=seed).whatif for seed in range(2, 302)
    )
    assert ((found["diff_low"] <= truth) & (truth <= found["diff_high"])).mean() > 0.93


def test_a_change_that_was_seen_in_no_game_is_not_known_to_do_nothing():
    settings = [cs.SoloSettings(), cs.SoloSettings(fixed=8)]
    found = whatif(
        {"GNOME": {"health": 2}}, scope="solo", decks="2", settings=settings, policy="random", games=100
    )
    row = found.decks.iloc[0]
    assert row["difference"] == 0
    assert row["diff_low"] < 0 < row["diff_high"]
    assert row["detectable"] > 0


def test_the_named_difference_would_have_been_seen_by_the_limits_of_the_verdict():
    found = whatif(rules=cs.Rules(first_mana=8), games=200).decks
    half = (found["diff_high_all"] - found["diff_low_all"]) / 2
    assert (found["detectable"] > 1.2 * half).all()


def test_games_that_go_another_way_are_told_by_winner_length_and_bastions():
    found = whatif(swaps=["1:TROLL=OGRE"], decks=["1", "2"])
    base, changed = found.twins[0].ends(0, GAMES)
    names = ["winner", "turns", "bastion_fell"]
    other = [any(np.any(base[name][game] != changed[name][game]) for name in names) for game in range(GAMES)]
    assert found.whatif["other_course"].iloc[0] == pytest.approx(np.mean(other), abs=1e-6)


def test_a_star_stands_beside_other_swaps_of_the_deck():
    found = whatif(swaps=["1:TROLL=OGRE", "1:BARON=*"], decks=["1", "2"], games=2)
    assert len(found.decks) == 24
    assert "deck 1 TROLL -> OGRE; deck 1 BARON -> TROLL" in set(found.decks["variant"])


def test_a_rule_as_it_is_changes_exactly_nothing():
    options = {
        "set": [],
        "patch": None,
        "swap": [],
        "rule": ["first_mana=6"],
        "decks": None,
        "vs_policy": None,
    }
    options |= {
        "deck": None,
        "preset": "quick",
        "level": None,
        "points": None,
        "games": 2,
        "policy": ["greedy"],
    }
    options |= {"variable": None, "fixed": None, "first": None, "bastion": None, "resistance": None}
    options |= {"ability": None, "seed": 1, "cards": "starter-kit", "precision": None, "scope": "matchups"}
    assert (plan_from_options(options).run().whatif["change_verdict"] == SAME).all()
    with pytest.raises(cs.InputError, match="--preset nope is for --in solo only"):
        plan_from_options(options | {"preset": "nope"})


@pytest.mark.parametrize("precision", [1e-9, 1e-160, 1e-300])
def test_any_precision_can_be_asked_for(precision):
    options = {"games": 40, "policy": "random", "precision": precision}
    assert whatif({"TROLL": {"cost": 5}}, decks=["1", "2"], **options).plan["games"].eq(40).all()
    assert cs.card_values(**options).plan["games"].eq(40).all()
    assert cs.prices("TROLL", **options).plan["games"].eq(40).all()
    for plan in (plan_card_values(**options), plan_prices(["TROLL"], **options)):
        assert plan.expect().games == [40]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "nothing is changed"),
        ({"changes": {}}, "nothing is changed"),
        ({"changes": {"TROL": {"cost": 3}}}, r"no card 'TROL'.*Did you mean TROLL\?"),
        ({"changes": {"TROLL": {"price": 3}}}, "unknown field 'price'"),
        ({"changes": {"TROLL": {"cost": 99}}}, "cost is 99; expected"),
        ({"changes": {"TROLL": {"cost": 3}}, "decks": ["2", "3"]}, "TROLL is in none of the decks 2 and 3"),
        ({"changes": {"TROLL": {"cost": 3}}, "decks": ["1"]}, "deck 1 alone has no opponent"),
        ({"changes": {"CYCLONE": 6}}, "'CYCLONE' has 6; expected new values by card and field"),
        ({"changes": "CYCLONE.cost=6"}, "changes is 'CYCLONE.cost=6'; expected"),
        (
            {"changes": {"TROLL": {"abilities": [None]}}},
            r"TROLL.abilities is \[None\]; expected a number or a list",
        ),
        ({"swaps": "1:TROLL=OGRE"}, "swaps is '1:TROLL=OGRE'; expected a list"),
        ({"swaps": [5]}, r"swaps is \[5\]; expected a list"),
        (
            {"changes": {"TROLL": {"cost": 3}}, "scope": "solo", "vs_policy": "greedy"},
            "vs_policy is of duels",
        ),
        ({"swaps": ["9:TROLL=OGRE"]}, "no deck 9; expected 1 or 2 or 3 or 4"),
        ({"swaps": ["1:OGRE=TROLL"]}, "OGRE is not in deck 1"),
        ({"swaps": ["1:*=OGRE", "2:*=TROLL"]}, "2 swaps name any card"),
        (
            {"changes": {"TROLL": {"cost": 3}}, "scope": "duels"},
            "scope is 'duels'; expected matchups or solo",
        ),
        ({"changes": {"TROLL": {"cost": 3}}, "settings": cs.SoloSettings()}, "settings are of solo games"),
        ({"rules": cs.Rules(ai_last_turn="current")}, "for solo games only"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(cs.InputError, match=message):
        whatif(**arguments)


def test_the_options_of_the_other_scope_are_refused():
    options = {
        "set": ["TROLL.cost=3"],
        "patch": None,
        "swap": [],
        "rule": [],
        "decks": None,
        "vs_policy": None,
    }
    options |= {
        "deck": None,
        "preset": "quick",
        "level": None,
        "points": None,
        "games": 2,
        "policy": ["greedy"],
    }
    options |= {
        "variable": None,
        "fixed": None,
        "first": None,
        "bastion": None,
        "resistance": None,
        "ability": None,
    }
    options |= {"seed": 1, "cards": "starter-kit", "precision": None}
    with pytest.raises(cs.InputError, match="--fixed is for --in solo only"):
        plan_from_options(options | {"scope": "matchups", "fixed": 8})
    with pytest.raises(cs.InputError, match="--decks is for --in matchups only"):
        plan_from_options(options | {"scope": "solo", "decks": ["1", "2"]})
    assert isinstance(plan_from_options(options | {"scope": "solo"}).plan, pd.DataFrame)
