"""The worked cases of the rules, by their numbers, on the compiled core."""

import pytest
from corekit import Table, creature


@pytest.mark.parametrize(
    ("damage", "hand"),
    [(3, "a b c BASTION d e f g h"), (8, "FORT a b c d e f g h"), (20, "FORT a b c d e f g h")],
)
def test_case_1_damage_moves_the_bastion(damage, hand):
    table = Table(("BASTION a b c d e f g h", ""))
    table.damage_fortress(0, damage)
    assert table.hand(0) == hand
    assert table.winner is None


def test_case_2_a_returning_creature_shields_the_fort():
    table = Table(("SPARK a", "a FORT b c"), (("", ""), ("x", "")))
    table.cast("SPARK", side=1)
    assert table.hand(1) == "a FORT b c x"
    table.damage_fortress(1, 2)
    assert table.hand(1) == "a b c FORT x"
    assert table.winner is None


def test_case_3_the_last_card_can_not_be_summoned():
    table = Table(("FORT a b c", ""))
    table.summon("a")
    table.summon("b", lane=1)
    assert table.hand(0) == "FORT c"
    assert table.winner is None
    assert table.summonable() == []


@pytest.mark.parametrize(
    ("fortress", "hand", "winner"), [("BASTION", "FORT a b", None), ("FORT", "a b FORT", 1)]
)
def test_case_4_summoning_the_only_card_right_of_the_fortress(fortress, hand, winner):
    table = Table((f"a b {fortress} c", ""))
    assert "c" in table.summonable()
    table.summon("c")
    assert table.hand(0) == hand
    assert table.winner == winner


def test_case_5_aberration_charges_through():
    hp_9 = creature("NINE", health=9)
    table = Table(("ABERRATION a b", ""), (("c d", ""), ("x y NINE", "")), faces=[hp_9])
    table.summon("ABERRATION")
    assert table.activate() == [
        ("ABERRATION", 2, "creature", ["x", "y"]),
        ("ABERRATION", 0, "creature", []),
    ]
    assert table.lane(0) == ["ABERRATION", "c", "d"]
    assert (table.lane(1), table.damages(1)) == (["NINE"], [4])
    assert table.hand(1) == "BASTION u v w x y"


def test_case_5_aberration_has_no_enemy_in_its_lane():
    table = Table(("ABERRATION a b", ""), (("c d", ""), ("", "x")))
    table.summon("ABERRATION")
    assert table.next_attacker() == "ABERRATION"
    assert table.activate() == []
    assert table.lane(0) == ["c", "d", "ABERRATION"]


def test_case_6_berserk_goes_on_to_the_fortress_once():
    table = Table(("", "a b c d"), (("BERSERKER", ""), ("x", "")))
    assert table.assault() == [
        ("BERSERKER", 0, "creature", ["x"]),
        ("BERSERKER", 0, "fortress", []),
    ]
    assert table.hand(1) == "a b BASTION c d x"


def test_case_7_cyclone_on_an_indestructible():
    table = Table(("CYCLONE a", ""), (("", ""), ("STATUE WALL", "WALL")))
    table.cast("CYCLONE", side=1)
    assert (table.damages(1, 0), table.damages(1, 1)) == ([0, 3], [3])


def test_case_8_carapace_is_protected_once_a_turn():
    table = Table(lanes=(("SOLDIER SOLDIER", ""), ("CARAPACE", "")))
    table.assault()
    assert (table.lane(1), table.damages(1)) == (["CARAPACE"], [3])
    table.end_turn()
    table.start_turn(0)
    table.activate()
    assert table.damages(1) == [0]


def test_case_9_machine_protects_both_neighbours_and_not_itself():
    # Without its Indestructible, so that Incantations can hit it.
    brittle = creature("MACHINE", health=1, auras="Protection")
    table = Table(("SPARK a", ""), (("", ""), ("x MACHINE y", "")), faces=[brittle])
    for position in (0, 2):
        table.cast("SPARK", side=1, position=position)
    assert table.lane(1) == ["x", "MACHINE", "y"]
    table.end_turn()
    table.cast("SPARK", side=1, position=1)
    assert table.lane(1) == ["x", "y"]
    for _ in range(2):
        table.cast("SPARK", side=1)
    assert table.lane(1) == []


def test_case_10_sprint_from_an_aura():
    table = Table(("", "a b c"), (("x VORTEX CARAPACE", ""), ("", "")))
    assert table.activate() == [("CARAPACE", 2, "fortress", [])]
    assert table.lane(0) == ["CARAPACE", "x", "VORTEX"]
    assert table.hand(1) == "a b BASTION c"
