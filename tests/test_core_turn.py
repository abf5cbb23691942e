"""Rules R1 to R14 on the compiled core: start, mana, summons, Incantations, the assault, damage and death."""

import pytest
from corekit import KIT, Table, creature, incantation

from clashsim.clash.cards import Deck
from clashsim.clash.duels import Duel
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules
from clashsim.clash.trace import Tracer

BANNER = creature("BANNER", attack=1, health=2, auras="Rage")


# ---- the start (R1) and mana (R3)


def test_r1_a_game_starts_with_a_shuffled_deck_and_the_bastion_leftmost():
    decks = (KIT.decks["1"], KIT.decks["4"])
    tracer = Tracer(Duel(decks, (POLICIES["random"],) * 2))
    for number in range(4):
        trace = tracer.game(number)
        for deck, side in zip(decks, trace["setup"]["sides"], strict=True):
            fortress, *cards = side["hand"]
            assert fortress == "BASTION"
            assert sorted(cards) == sorted(card.name for card in deck.cards)
            assert side["lanes"] == [[], []]
        assert trace["steps"][0]["side"] == trace["first"] == number % 2


def test_r3_mana_is_the_number_of_cards_fortress_included():
    table = Table(("a BASTION b c", "d e f g h"))
    table.end_turn()
    table.start_turn(1)
    assert table.mana == 6
    table.end_turn()
    table.start_turn(0)
    assert table.mana == 4


def test_r3_mana_is_counted_once_and_the_rest_is_lost():
    table = Table(("ZOMBIE SPARK BARON a b", ""), (("x", ""), ("", "")))
    table.start_turn(0)
    assert table.mana == 6
    table.summon("ZOMBIE")
    table.cast("SPARK", side=0)  # x comes back to the hand
    assert (table.mana, table.hand(0)) == (4, "BASTION BARON a b x SPARK")
    table.end_turn()
    table.start_turn(0)
    assert table.mana == 6


@pytest.mark.parametrize("first_mana", [0, 6, 11])
def test_r3_mana_of_the_first_turn_of_the_game(first_mana):
    table = Table(first_mana=first_mana)
    table.state.turn = 0
    table.start_turn(0)
    assert table.mana == first_mana
    table.end_turn()
    table.start_turn(1)
    assert table.mana == 4


# ---- summons (R4-R7)


def test_r4_the_window_is_the_four_leftmost_cards_without_the_fortress():
    table = Table(("a b BASTION c d e f", ""))
    assert table.summonable() == ["a", "b", "c", "d"]
    table.summon("b")
    assert table.summonable() == ["a", "c", "d", "e"]


@pytest.mark.parametrize(("window", "reached"), [(1, "a"), (3, "abc"), (8, "abcdefgh")])
def test_r4_the_switch_of_the_window(window, reached):
    table = Table(("BASTION a b c d e f g h", ""), window=window)
    assert table.summonable() == list(reached)


def test_r4_a_card_costs_its_mana():
    table = Table(("TROLL BARON BOOM! ANNIHILATION a", ""), (("", ""), ("x", "")), mana=4)
    assert (table.summonable(), table.castable()) == (["BARON"], ["BOOM!", "ANNIHILATION"])
    table.summon("BARON")
    assert table.mana == 1
    assert (table.summonable(), table.castable()) == (["a"], ["BOOM!"])


def test_r5_a_creature_goes_to_the_back_of_either_lane():
    table = Table(("d e f", ""), (("a b", "c"), ("", "")))
    table.summon("e", lane=0)
    table.summon("d", lane=1)
    assert (table.lane(0, 0), table.lane(0, 1)) == (["a", "b", "e"], ["c", "d"])


def test_r5_a_lane_takes_seven_creatures():
    table = Table(("a b c d e f g h", ""))
    for letter in "abcdefg":
        table.summon(letter, lane=1)
    assert table.lane(0, 1) == list("abcdefg")
    assert table.hand(0) == "BASTION h"


def test_r6_a_player_may_play_nothing():
    dear = Deck("dear", tuple(creature(f"DEAR {i}", 1, 1, cost=15) for i in range(8)))
    duel = Duel((dear, dear), (POLICIES["random"], POLICIES["greedy"]), Rules(turn_limit=7))
    trace = Tracer(duel).game(0)
    assert [step["do"] for step in trace["steps"]] == ["start_turn", "end_turn"] * 7


def test_r7_the_last_card_can_not_be_summoned():
    table = Table(("BASTION a b", ""))
    assert table.summonable() == ["a", "b"]
    table.summon("a")
    assert table.summonable() == []


# ---- Incantations (R8)


@pytest.mark.parametrize(
    ("side", "lane", "position", "victim"), [(0, 0, 1, "b"), (0, 1, 0, "c"), (1, 0, 0, "d"), (1, 1, 1, "f")]
)
def test_r8_an_incantation_hits_any_creature_in_play(side, lane, position, victim):
    table = Table(("SPARK k l", ""), (("a b", "c"), ("d", "e f")))
    table.cast("SPARK", side, lane, position)
    assert victim not in table.lane(side, lane)
    assert sum(len(table.lane(s, n)) for s in (0, 1) for n in (0, 1)) == 5
    assert table.hand(side).endswith(f"{victim} SPARK" if side == 0 else victim)


def test_r8_it_moves_to_the_right_end_and_may_be_cast_again_within_the_window():
    table = Table(("SPARK a b c d", ""), (("", ""), ("WALL", "")), mana=2)
    table.cast("SPARK", side=1)
    assert (table.hand(0), table.mana) == ("BASTION a b c d SPARK", 1)
    assert table.castable() == []  # fifth from the left
    table.summon("a")
    assert table.castable() == ["SPARK"]
    table.cast("SPARK", side=1)
    assert (table.damages(1), table.castable()) == ([2], [])  # no mana left


def test_r8_own_destroyed_creatures_reach_the_hand_before_it():
    table = Table(("CYCLONE a BASTION", ""), (("x y", "w"), ("", "")))
    table.cast("CYCLONE", side=0)
    assert table.hand(0) == "a BASTION x y w CYCLONE"


def test_r8_it_never_leaves_the_hand_while_it_resolves():
    table = Table(("a BASTION SPARK", ""), (("", ""), ("x", "")))
    table.cast("SPARK", side=1)
    assert table.hand(0) == "a BASTION SPARK"  # the Bastion was not rightmost (R19)


def test_r8_it_may_be_the_only_card_beside_the_fortress():
    table = Table(("FORT SPARK", ""), (("", ""), ("x", "")))
    assert table.castable() == ["SPARK"]
    table.cast("SPARK", side=1)
    assert (table.hand(0), table.winner) == ("FORT SPARK", None)


@pytest.mark.parametrize("policy", ["random", "greedy", "wild"])
def test_r8_without_a_target_it_can_not_be_cast(policy):
    table = Table(("SPARK TROLL", ""), mana=5, policies=(policy, policy))
    for decision in range(20):
        table.side(0).decisions = decision
        assert table.next_play() is None


def test_r8_it_may_be_cast_in_the_assault():
    table = Table(("SPARK k l", ""), (("a b c d", ""), ("WALL", "")))
    assert table.activate()[0].card == "d"
    table.cast("SPARK", side=0, position=2)  # a creature that still waits: c
    assert [attack.card for attack in table.assault()] == ["b", "a"]


# ---- the assault (R9-R11)


def test_r9_upper_lane_first_each_from_the_back():
    table = Table(lanes=(("a b c", "d e"), ("", "")))
    assert [attack.card for attack in table.assault()] == ["c", "b", "a", "e", "d"]


def test_r9_a_creature_that_moves_lets_none_activate_twice_or_not_at_all():
    table = Table(lanes=(("a b RUNNER c", ""), ("WALL", "")))
    assert [attack.card for attack in table.assault()] == ["c", "RUNNER", "b", "a"]


def test_r9_a_creature_that_gains_rage_later_still_activates_while_its_lane_is_the_current_one():
    table = Table(("SPARK k", ""), (("BANNER a b:arrived", "c"), ("WALL", "WALL")), faces=[BANNER])
    assert table.activate()[0].card == "a"  # b could not
    table.cast("SPARK", side=0, position=1)  # b moves up to BANNER
    assert [attack.card for attack in table.assault()] == ["b", "BANNER", "c"]


def test_r9_the_upper_lane_resumes_after_a_cast_before_the_first_attack_of_the_lower():
    table = Table(("SPARK k", ""), (("BANNER a b:arrived", "c"), ("WALL", "WALL")), faces=[BANNER])
    for _ in range(2):
        table.activate()
    assert table.next_attacker() == "c"
    table.cast("SPARK", side=0, position=1)
    assert [attack.card for attack in table.assault()] == ["b", "c"]


def test_r9_the_upper_lane_is_over_at_the_first_attack_of_the_lower():
    table = Table(("SPARK k", ""), (("BANNER a b:arrived", "c d"), ("WALL", "WALL")), faces=[BANNER])
    for _ in range(3):
        table.activate()
    table.cast("SPARK", side=0, position=1)
    assert [attack.card for attack in table.assault()] == ["c"]


def test_r9_an_activation_without_an_attack_ends_nothing():
    table = Table(("SPARK k", ""), (("BANNER a b:arrived", "c RAGER:arrived"), ("WALL", "")), faces=[BANNER])
    for _ in range(2):
        table.activate()
    assert table.next_attacker() == "RAGER"
    assert table.activate() == []  # no enemy creature in its lane
    table.cast("SPARK", side=0, position=1)
    assert [attack.card for attack in table.assault()] == ["b", "c"]


def test_r9_upper_lane_is_open_again_in_the_next_turn():
    table = Table(lanes=(("a", "b"), ("", "")))
    table.assault()
    table.end_turn()
    table.start_turn(1)
    table.end_turn()
    table.start_turn(0)
    assert [attack.card for attack in table.assault()] == ["a", "b"]


def test_r10_a_creature_waits_on_the_turn_it_arrives():
    table = Table(("a b c", ""))
    table.summon("a")
    assert table.next_attacker() is None
    table.end_turn()
    table.start_turn(1)
    table.end_turn()
    table.start_turn(0)
    assert table.next_attacker() == "a"


def test_r11_attacks_the_front_creature_of_its_lane_else_the_fortress():
    table = Table(lanes=(("SOLDIER", "SOLDIER"), ("WALL x", "")))
    assert table.assault() == [("SOLDIER", 0, "creature", []), ("SOLDIER", 0, "fortress", [])]
    assert table.damages(1) == [3, 0]
    assert table.hand(1) == "FORT u v w"


# ---- damage and death (R12-R14)


def test_r12_damage_accumulates_until_it_reaches_the_health():
    table = Table(("SPARK a", ""), (("SOLDIER", ""), ("k BARON:1 x", "")))
    table.cast("SPARK", side=1, position=1)
    assert table.damages(1) == [0, 2, 0]
    table.cast("SPARK", side=1, position=0)
    table.assault()
    assert table.lane(1) == ["x"]
    assert table.damages(1) == [0]  # excess damage is lost
    assert table.hand(1) == "BASTION u v w k BARON"


def test_r12_a_card_that_is_summoned_again_is_a_new_creature():
    table = Table(("SPARK BOLT", ""), (("KNIGHT:3:struck a", ""), ("", "")))
    table.cast("SPARK", side=0)
    assert table.hand(0) == "BASTION BOLT KNIGHT SPARK"
    table.summon("KNIGHT")
    assert (table.lane(0), table.damages(0)) == (["a", "KNIGHT"], [0, 0])
    table.cast("BOLT", side=0, position=1)
    assert table.damages(0) == [0, 0]  # its Protection is not used up


def test_r13_all_damage_goes_at_the_end_of_each_turn():
    table = Table(lanes=(("WALL:4", "a WALL:1"), ("WALL:9", "")))
    table.end_turn()
    assert [table.damages(side, lane) for side in (0, 1) for lane in (0, 1)] == [[0], [0, 0], [0], []]


def test_r14_destroyed_together_they_return_as_target_behind_beside_by_default():
    table = Table(("CYCLONE a", ""), (("", ""), ("x y", "w")))
    table.cast("CYCLONE", side=1)
    assert table.hand(1) == "BASTION u v w x y w"


@pytest.mark.parametrize("active", [0, 1])
def test_r14_wild_chooses_any_order_in_either_sides_turn(active):
    blast = incantation("BLAST", 5, abilities="Splash Perforation")
    hands = {0: ("BLAST a", "k"), 1: ("k", "BLAST a")}[active]
    orders = set()
    for key in range(60):
        table = Table(hands, (("x y", "z"), ("", "")), policies=("wild", "random"), faces=[blast])
        table.side(0).stream = key
        table.start_turn(active)
        table.cast("BLAST", side=0)
        orders.add("".join(name for name in table.cards(0) if name in "xyz"))
    assert orders == {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx"}
