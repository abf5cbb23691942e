"""The naive reference of solo games: setup, mana, the AI's reveals and its assault (R32-R35)."""

import pytest
from naive.positions import names, words
from naive.rules import BASTION, FORT
from naive.solo import SETTINGS, Solo
from naive.solo_positions import ai_lanes, ai_turn, attack_all, backwards, given_order, reveal_all, solo_of

# ---- R32: setup


@pytest.mark.parametrize(("bastion", "fortress"), [(True, BASTION), (False, FORT)])
def test_r32_the_ai_starts_with_a_deck_and_its_fortress(bastion, fortress):
    solo = Solo({}, {}, {"bastion": bastion}, words("a b c"), words("x y z"))
    assert solo.player.hand == words("BASTION a b c")
    assert solo.ai.state() == {"deck": words("x y z"), "discard": [], "fortress": fortress, "lanes": [[], []]}


@pytest.mark.parametrize(
    ("first", "mana"), [("player", [(0, 7), (1, 6), (0, 9)]), ("ai", [(1, 6), (0, 9), (1, 6)])]
)
def test_r32_first_mana_is_for_the_player_who_starts(first, mana):
    solo = Solo({}, {"first_mana": 7}, {"first": first}, "abcdefgh", "xyz")
    found = []
    for _ in mana:
        solo.start_turn()
        found.append((solo.active, solo.mana))
        solo.end_turn()
    assert found == mana


# ---- R33: the AI's mana


@pytest.mark.parametrize("variable", SETTINGS["variable"])
@pytest.mark.parametrize("fixed", SETTINGS["fixed"])
def test_r33_mana_counts_the_players_creatures(fixed, variable):
    solo = ai_turn("SIX", lanes=(("a b", "c"), ("x", "")), solo={"fixed": fixed, "variable": variable})
    assert solo.mana == fixed + 3 * variable


def test_r33_mana_is_counted_once():
    solo = ai_turn("BLAST a TWO b", lanes=(("x", ""), ("", "")))
    solo.reveal(given_order)
    assert solo.player.lanes == [[], []]
    assert reveal_all(solo) == [("a", 1), ("TWO", 0)]  # 6 of 7, then 8


# ---- R34: reveals


def test_r34_case_11():
    solo = ai_turn("TWO BOLT FOUR THREE x", lanes=(("a", ""), ("", "")))
    assert solo.mana == 7
    assert reveal_all(solo) == [("TWO", 0), ("BOLT", 1), ("FOUR", 0), ("THREE", 1)]
    assert solo.value == 9
    assert ai_lanes(solo) == [["TWO", "FOUR"], ["THREE"]]
    assert (solo.ai.deck, solo.ai.discard) == (["x"], ["BOLT"])


@pytest.mark.parametrize(("deck", "revealed"), [("SIX a", 1), ("FOUR TWO a", 2), ("FOUR FOUR a", 2)])
def test_r34_stops_when_the_value_reaches_the_mana(deck, revealed):
    assert len(reveal_all(ai_turn(deck))) == revealed


def test_r34_creatures_go_to_the_back_and_arrive():
    solo = ai_turn("OGRE SIX a", lanes=(("", ""), ("x", "y")))
    reveal_all(solo)
    assert ai_lanes(solo) == [["x", "OGRE"], ["y", "SIX"]]
    assert attack_all(solo) == [("x", "fortress"), ("y", "fortress")]


def test_r34_every_turn_starts_in_the_upper_lane():
    solo = ai_turn("SIX SIX SIX")
    lanes = []
    for _ in range(2):
        lanes += reveal_all(solo)
        solo.end_turn()
        solo.start_turn()
        solo.end_turn()
        solo.start_turn()
    assert lanes == [("SIX", 0), ("SIX", 0)]


def test_r34_an_incantation_hits_the_front_creature_of_its_lane():
    solo = ai_turn("a BLAST b", lanes=(("x", "ELF WALL"), ("", "y")), hand="BASTION c")
    reveal = [solo.reveal(given_order) for _ in range(2)][1]
    assert (reveal.name, reveal.lane, reveal.target.name, names(reveal.destroyed)) == (
        "BLAST",
        1,
        "ELF",
        ["ELF"],
    )
    assert solo.player.hand == words("BASTION c ELF")
    assert solo.ai.discard == ["BLAST"]
    assert solo.value == 6


def test_r34_an_untargeted_incantation_is_free_and_takes_its_place_in_the_alternation():
    solo = ai_turn("BLAST FOUR THREE a", lanes=(("", "x"), ("", "")))
    assert reveal_all(solo) == [("BLAST", 0), ("FOUR", 1), ("THREE", 0)]
    assert solo.value == 7
    assert names(solo.player.lanes[1]) == ["x"]
    assert solo.ai.discard == ["BLAST"]


def test_r34_an_incantation_on_an_indestructible_creature_is_paid_for():
    solo = ai_turn("BLAST a SIX", lanes=(("STATUE x", ""), ("", "")))
    reveal = solo.reveal(given_order)
    assert reveal.target.name == "STATUE"
    assert (reveal.target.damage, solo.value) == (0, 6)


@pytest.mark.parametrize(
    ("order", "hand"), [(given_order, "BASTION c ELF ORC a"), (backwards, "BASTION c a ORC ELF")]
)
def test_r34_splash_and_perforation_of_the_ais_incantation(order, hand):
    solo = ai_turn("STORM x", lanes=(("ELF ORC b", "a WALL"), ("", "")), hand="BASTION c")
    solo.reveal(order)
    assert solo.player.hand == words(hand)  # R14: their owner chooses
    assert [names(lane) for lane in solo.player.lanes] == [["b"], ["WALL"]]


@pytest.mark.parametrize(("against", "damage"), [("sources", 0), ("attacks", 3)])
def test_r34_protection_against_the_ais_incantations(against, damage):
    solo = ai_turn("BLAST x", lanes=(("CARAPACE", ""), ("", "")), protection_against=against)
    assert solo.reveal(given_order).target.damage == damage


@pytest.mark.parametrize(("switch", "destroyed"), [("off", []), ("on", ["SENTINEL"])])
def test_r34_an_ignored_incantation_and_protection(switch, destroyed):
    solo = ai_turn("BLAST x", lanes=(("SENTINEL", ""), ("OGRE", "")), ignored_uses_protection=switch)
    solo.reveal(given_order)
    assert names(solo.attack(solo.ai.lanes[0][0], given_order).destroyed) == destroyed


def test_r34_goes_on_from_the_new_deck():
    solo = ai_turn("TWO BOLT", discard="b FOUR", solo={"fixed": 8})
    assert reveal_all(solo) == [("TWO", 0), ("BOLT", 1), ("BOLT", 0), ("FOUR", 1), ("b", 0)]
    assert (solo.ai.fortress, solo.ai.deck, solo.ai.discard) == (FORT, [], ["BOLT"])
    assert solo.value == 6


def test_r34_the_new_deck_lies_there_when_the_value_is_reached_too():
    solo = ai_turn("SIX", discard="a b")
    assert reveal_all(solo) == [("SIX", 0)]
    assert (solo.ai.fortress, solo.ai.deck, solo.ai.discard) == (FORT, ["b", "a"], [])


# ---- R35: the AI's assault


def test_r35_the_ai_attacks_from_the_back_the_upper_lane_first():
    solo = ai_turn("SIX", lanes=(("", ""), ("OGRE a", "b GIANT")), hand="BASTION a b c d e f g h")
    assert attack_all(solo) == [(name, "fortress") for name in ("a", "OGRE", "GIANT", "b")]
    assert solo.player.hand == words("FORT a b c d e f g h")  # 3 and 5


@pytest.mark.parametrize("order", [given_order, backwards])
def test_r35_the_ais_creatures_reach_the_discard_pile_as_target_behind_beside(order):
    solo = solo_of("a", lanes=(("SWEEPER", ""), ("ELF ORC x", "TROLL")))
    solo.attack(solo.player.lanes[0][0], order)
    assert solo.ai.discard == ["ELF", "ORC", "TROLL"]
    assert ai_lanes(solo) == [["x"], []]


def test_r35_the_players_creatures_return_to_the_hand_in_the_players_order():
    solo = ai_turn("a", lanes=(("ELF ORC", "TROLL"), ("SWEEPER", "")), hand="BASTION c")
    solo.attack(solo.ai.lanes[0][0], backwards)
    assert solo.player.hand == words("BASTION c TROLL ORC ELF")


def test_r35_damage_is_removed_when_the_ais_turn_ends():
    solo = ai_turn("SIX", lanes=(("WALL", ""), ("OGRE", "")))
    attack_all(solo)
    assert solo.player.lanes[0][0].damage == 3
    solo.end_turn()
    assert solo.player.lanes[0][0].damage == 0
