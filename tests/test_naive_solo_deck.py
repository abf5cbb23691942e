"""The naive reference of solo games: the AI's deck, the end, and the settings (R36-R38)."""

from math import prod

import pytest
from naive.policies import Cast, Greedy, Summon
from naive.positions import creature, words
from naive.rules import BASTION, FORT
from naive.solo import AI, PLAYER, SETTINGS
from naive.solo_game import play_solo
from naive.solo_positions import ai_lanes, ai_turn, attack_all, given_order, reveal_all, solo_of

# ---- R36: the AI's deck


def test_r36_damage_discards_from_the_top():
    solo = solo_of("a b c d", discard="x", lanes=(("OGRE", ""), ("", "")))
    attack_all(solo)
    assert (solo.ai.deck, solo.ai.discard, solo.ai.fortress) == (["d"], words("x a b c"), BASTION)
    assert not solo.reshuffle_due


def test_r36_case_12():
    solo = solo_of("a b", discard="x", lanes=(("GIANT", ""), ("", "")))
    attack_all(solo)
    assert (solo.ai.deck, solo.ai.discard, solo.ai.fortress) == ([], words("x a b"), FORT)
    assert solo.reshuffle_due
    solo.reshuffle(words("b x a"))
    assert (solo.ai.deck, solo.ai.discard, solo.last_turn) == (words("b x a"), [], None)
    assert not solo.reshuffle_due


def test_r36_a_berserk_attacker_gets_no_new_attack_for_the_bastion():
    solo = solo_of("a b", lanes=(("BERSERKER", ""), ("x", "")))
    assert attack_all(solo) == [("BERSERKER", "creature"), ("BERSERKER", "fortress")]
    assert solo.reshuffle_due


def test_r36_an_attack_of_0_leaves_the_deck():
    solo = solo_of("b", lanes=(("a", ""), ("", "")))
    assert attack_all(solo) == [("a", "fortress")]
    assert solo.ai.deck == ["b"]


def test_r36_a_fort_uncovered_in_the_players_turn_leaves_the_ai_its_following_turn():
    solo = solo_of("a b", lanes=(("GIANT GIANT", ""), ("", "OGRE")), solo={"bastion": False})
    attack_all(solo)
    assert not solo.reshuffle_due
    assert (solo.ai.deck, solo.ai.discard, solo.last_turn) == ([], words("a b"), solo.turn + 1)
    solo.end_turn()
    assert not solo.over
    solo.start_turn()
    assert reveal_all(solo) == []
    assert attack_all(solo) == [("OGRE", "fortress")]
    solo.end_turn()
    assert solo.over
    assert solo.outcome == (PLAYER, "last_turn")


def test_r36_the_last_turn_stays_the_last():
    solo = solo_of("a", lanes=(("GIANT", ""), ("", "")), solo={"bastion": False})
    attack_all(solo)
    last = solo.last_turn
    solo.damage_fortress(AI, 3)
    solo.end_turn()
    solo.start_turn()
    solo.settle_deck()
    assert solo.last_turn == last == solo.turn


@pytest.mark.parametrize(("reading", "turns"), [("next", 2), ("current", 0)])
@pytest.mark.parametrize(("bastion", "discard"), [(False, ""), (False, "b"), (True, "")])
def test_r36_a_fort_uncovered_in_the_ais_turn(reading, turns, bastion, discard):
    """With no discard pile the Bastion's turning uncovers the Fort at once."""
    solo = ai_turn("a", discard=discard, solo={"bastion": bastion}, ai_last_turn=reading)
    assert reveal_all(solo) == [("a", 0)]
    assert (solo.ai.fortress, solo.last_turn) == (FORT, solo.turn + turns)
    solo.end_turn()
    assert solo.over == (reading == "current")


def test_r36_an_incantation_that_empties_the_deck_is_in_the_new_one():
    solo = ai_turn("BLAST", lanes=(("x", ""), ("", "")))
    solo.reveal(given_order)
    assert (solo.ai.discard, solo.ai.fortress, solo.reshuffle_due) == (["BLAST"], FORT, True)


def idle_game(reading: str, turn_limit: int) -> dict:
    """The AI reveals 6 of its 8 cards in its first turn, the rest in its second; nobody is ever hurt."""
    cards = {f"dear {i}": creature(cost=15) for i in range(8)}
    deck = {f"cheap {i}": creature(cost=1) for i in range(8)}
    rules = {"ai_last_turn": reading, "turn_limit": turn_limit}
    game = play_solo({**cards, **deck}, rules, {}, list(cards), list(deck), "greedy", draw=None, shuffle=None)
    return game["result"]


@pytest.mark.parametrize(("reading", "turns"), [("next", 6), ("current", 4)])
def test_r36_the_player_who_survives_the_last_turn_wins(reading, turns):
    for limit in (turns, 200):  # a win at the end of the last allowed turn is a win
        assert idle_game(reading, limit) == {"winner": PLAYER, "reason": "last_turn", "turns": turns}
    draw = {"winner": None, "reason": "turn_limit", "turns": turns - 1}
    assert idle_game(reading, turns - 1) == draw  # R31


# ---- R37: the player loses


def test_r37_the_player_can_lose_in_the_ais_last_turn():
    solo = ai_turn("a", lanes=(("", ""), ("GIANT", "")), hand="a b FORT c", solo={"bastion": False})
    solo.rules["ai_last_turn"] = "current"
    reveal_all(solo)
    assert solo.last_turn == solo.turn
    attack_all(solo)
    assert solo.over
    assert solo.outcome == (AI, "fort")


def test_r37_the_player_can_breach_the_own_fort():
    solo = solo_of("a", hand="a b FORT c")
    solo.summon("c", 0)
    assert solo.over
    assert solo.outcome == (AI, "fort")


# ---- R38: settings


def test_r38_there_are_480_settings():
    assert prod(map(len, SETTINGS.values())) == 480


READINGS = {None: (0, 1, 2, 5), "minus_one": (0, 0, 1, 4), "to_one": (0, 1, 1, 1)}


@pytest.mark.parametrize("bastion", [True, False])
@pytest.mark.parametrize("reading", READINGS)
def test_r38_resistance(reading, bastion):
    for attack, discarded in zip((0, 1, 2, 5), READINGS[reading], strict=True):
        settings = {"resistance": reading is not None, "bastion": bastion}
        rules = {"resistance_reading": reading} if reading else {}
        solo = solo_of("a b c d e f", solo=settings, **rules)
        solo.damage_fortress(AI, attack)
        assert len(solo.ai.discard) == discarded


@pytest.mark.parametrize(("reading", "discarded"), [("minus_one", 3), ("to_one", 1)])
def test_r38_resistance_reduces_the_attack_with_its_sprint_bonus(reading, discarded):
    lanes = (("WALL WALL SPRINTER", ""), ("", ""))
    solo = solo_of("a b c d e f", lanes=lanes, solo={"resistance": True}, resistance_reading=reading)
    solo.attack(solo.player.lanes[0][2], given_order)
    assert len(solo.ai.discard) == discarded


@pytest.mark.parametrize("reading", ["minus_one", "to_one"])
def test_r38_resistance_reduces_each_attack_on_the_deck_and_none_on_creatures(reading):
    lanes = (("BERSERKER BERSERKER", ""), ("ELF", ""))
    solo = solo_of("a b c d e f", lanes=lanes, solo={"resistance": True}, resistance_reading=reading)
    attacks = [("BERSERKER", target) for target in ("creature", "creature", "fortress")]
    assert attack_all(solo) == attacks
    assert solo.ai.discard == ["ELF", "a"]


def test_r38_resistance_does_not_protect_the_player():
    solo = ai_turn("SIX", lanes=(("", ""), ("OGRE", "")), hand="a b c d e", solo={"resistance": True})
    attack_all(solo)
    assert solo.player.hand == words("a b c BASTION d e")


def test_r38_splash_and_perforation_leave_the_deck_alone():
    solo = solo_of("a b c d e f", lanes=(("SWEEPER", ""), ("", "x y")))
    attack_all(solo)
    assert solo.ai.discard == words("a b c")
    assert ai_lanes(solo) == [[], ["x", "y"]]


@pytest.mark.parametrize("ability", SETTINGS["ability"][1:])
def test_r38_the_given_ability_is_for_all_the_ais_creatures_and_nobody_else(ability):
    solo = ai_turn("SIX a", lanes=(("OGRE", ""), ("OGRE", "MACHINE")), solo={"ability": ability})
    reveal_all(solo)
    assert all(ability in solo.abilities(one) for lane in solo.ai.lanes for one in lane)
    assert solo.abilities(solo.player.lanes[0][0]) == set()


@pytest.mark.parametrize("ability", ["Splash", "Perforation"])
def test_r38_the_ais_incantations_are_not_given_an_ability(ability):
    solo = ai_turn("BLAST x", lanes=(("WALL WALL", "WALL"), ("", "")), solo={"ability": ability})
    solo.reveal(given_order)
    assert [[one.damage for one in lane] for lane in solo.player.lanes] == [[3, 0], [0]]


def test_r38_given_splash_and_perforation():
    for ability, damages in (("Splash", [[3, 0], [3]]), ("Perforation", [[3, 3], [0]])):
        solo = ai_turn("a", lanes=(("WALL WALL", "WALL"), ("OGRE", "")), solo={"ability": ability})
        attack_all(solo)
        assert [[one.damage for one in lane] for lane in solo.player.lanes] == damages


def test_r38_given_rage_attacks_creatures_on_arrival_and_never_the_fortress():
    solo = ai_turn("GIANT GIANT SIX", lanes=(("", "WALL"), ("", "")), solo={"ability": "Rage"})
    reveal_all(solo)
    assert attack_all(solo) == [("GIANT", "creature")]


def test_r38_given_protection_absorbs_the_first_source():
    lanes = (("OGRE OGRE", ""), ("OGRE", ""))
    solo = solo_of("a b c d", lanes=lanes, solo={"ability": "Protection"})
    assert attack_all(solo) == [("OGRE", "creature")] * 2
    assert solo.ai.discard == ["OGRE"]


def test_r38_given_berserk():
    solo = ai_turn("SIX", lanes=(("x", ""), ("OGRE", "")), solo={"ability": "Berserk"})
    assert attack_all(solo) == [("OGRE", "creature"), ("OGRE", "fortress")]


# ---- the player's policies


@pytest.mark.parametrize(("ability", "action"), [(None, Cast), ("Protection", Summon)])
def test_greedy_counts_what_is_given_to_the_ai(ability, action):
    solo = solo_of("a", hand="BOLT a b", lanes=(("", ""), ("TROLL", "")), solo={"ability": ability})
    assert isinstance(Greedy().act(solo, "summon", pick=None), action)
