"""Rule R24 on the compiled core: Protection, and its two switches."""

import pytest
from corekit import Table, creature


def hurt(table):
    return table.damages(1, 0), table.damages(1, 1)


def test_r24_protection_absorbs_the_first_source_of_each_turn():
    table = Table(("SPARK a", ""), (("SOLDIER SOLDIER", ""), ("KNIGHT", "")))
    table.activate()
    assert table.damages(1) == [0]
    table.activate()
    assert table.damages(1) == [3]
    table.end_turn()
    table.start_turn(1)
    table.end_turn()
    table.start_turn(0)
    table.cast("SPARK", side=1)
    assert table.damages(1) == [0]


def test_r24_in_either_players_turn():
    table = Table(lanes=(("KNIGHT", ""), ("SOLDIER SOLDIER", "")))
    for side, damages in ((1, [3]), (0, [0]), (1, [3])):
        table.end_turn()
        table.start_turn(side)
        table.assault()
        assert table.damages(0) == damages


def test_r24_other_creatures_take_the_hit_of_the_same_source():
    table = Table(("CYCLONE a", ""), (("", ""), ("KNIGHT WALL", "WALL")))
    table.cast("CYCLONE", side=1)
    assert hurt(table) == ([0, 3], [3])


@pytest.mark.parametrize("by", ["attack", "incantation"])
def test_r24_a_source_deals_at_least_1(by):
    table = Table(("DUD SPARK a", ""), (("a", ""), ("KNIGHT", "")))
    if by == "attack":
        table.activate()
    else:
        table.cast("DUD", side=1)
    table.cast("SPARK", side=1)
    assert table.damages(1) == [0]  # Protection was not used up


def test_r24_each_attack_of_a_berserk_creature_is_a_source_of_its_own():
    both = creature("BOTH", attack=2, health=2, abilities="Splash Berserk")
    table = Table(lanes=(("BOTH", ""), ("a b", "KNIGHT")), faces=[both])
    assert len(table.activate()) == 3  # a, b, then the fortress
    assert hurt(table) == ([], [2])


def test_r24_splash_uses_it_up_too():
    table = Table(("SPARK a", ""), (("SWEEPER", ""), ("WALL", "KNIGHT")))
    table.activate()
    table.cast("SPARK", side=1, lane=1)
    assert hurt(table) == ([2], [1])


def test_r24_the_first_source_counts_though_protection_came_later():
    table = Table(("SPARK a", ""), (("", ""), ("WALL x PRIEST", "")))
    table.cast("SPARK", side=1, position=0)  # WALL is not protected
    table.cast("SPARK", side=1, position=1)  # x is
    table.cast("SPARK", side=1, position=1)
    assert table.lane(1) == ["WALL", "PRIEST"]
    table.cast("SPARK", side=1, position=0)
    assert table.damages(1) == [2, 0]


def test_r24_an_aura_protects_from_the_attack_that_destroys_its_bearer():
    table = Table(("SPARK a", ""), (("LANCER", ""), ("PRIEST x", "")))
    assert table.activate()[0].destroyed == ["PRIEST"]
    table.cast("SPARK", side=1)
    assert table.lane(1) == []


# KNIGHT has Protection, SENTINEL is Indestructible besides. Each is hit by an Incantation of 1, then an attack of 3.
SWITCHES = [
    # rules, damage of KNIGHT after the Incantation, after both; does SENTINEL survive?
    ({}, 0, 3, True),
    ({"ignored_uses_protection": "on"}, 0, 3, False),
    ({"protection_against": "attacks"}, 1, 1, True),
    ({"protection_against": "attacks", "ignored_uses_protection": "on"}, 1, 1, True),
]


@pytest.mark.parametrize(("rules", "by_incantation", "in_total", "survives"), SWITCHES)
def test_r24_the_two_switches(rules, by_incantation, in_total, survives):
    table = Table(("SPARK a", ""), (("SOLDIER", "SOLDIER"), ("KNIGHT", "SENTINEL")), **rules)
    table.cast("SPARK", side=1, lane=0)
    assert table.damages(1, 0) == [by_incantation]
    table.cast("SPARK", side=1, lane=1)
    table.assault()
    assert table.damages(1, 0) == [in_total]
    assert bool(table.lane(1, 1)) == survives


@pytest.mark.parametrize("rules", [rules for rules, *_ in SWITCHES])
def test_r24_an_incantation_of_0_never_uses_protection_up(rules):
    table = Table(("DUD a", ""), (("SOLDIER", "SOLDIER"), ("KNIGHT", "SENTINEL")), **rules)
    table.cast("DUD", side=1, lane=0)
    table.cast("DUD", side=1, lane=1)
    table.assault()
    assert hurt(table) == ([0], [0])


@pytest.mark.parametrize("rules", [rules for rules, *_ in SWITCHES])
def test_r24_attacks_are_absorbed_once_under_all_switches(rules):
    table = Table(("SPARK a", ""), (("SOLDIER SOLDIER", ""), ("KNIGHT", "")), **rules)
    for damages in ([0], [3]):
        table.activate()
        assert table.damages(1) == damages
    table.cast("SPARK", side=1)
    assert table.lane(1) == []


@pytest.mark.parametrize(("switch", "survives"), [("off", True), ("on", False)])
def test_r24_an_ignored_splash_uses_protection_up_by_switch(switch, survives):
    table = Table(
        ("COMBUSTION a", ""), (("", "SOLDIER"), ("WALL", "SENTINEL")), ignored_uses_protection=switch
    )
    table.cast("COMBUSTION", side=1, lane=0)
    table.assault()
    assert bool(table.lane(1, 1)) == survives
