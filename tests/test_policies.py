"""The policies of the compiled core: what each plays in a fixed position."""

from collections import Counter

import pytest
from corekit import Table, incantation
from scipy import stats

from clashsim.clash.policies import POLICIES
from clashsim.clash.policy_files import load_policy
from clashsim.errors import InputError

GREEDY = ("greedy", "random")
UNLIKELY = 1e-4


def greedy_play(hand, own=("", ""), enemy=("", ""), **settings):
    return Table((hand, ""), (own, enemy), policies=GREEDY, **settings).next_play()


def all_plays(table, size):
    """How often the active policy plays what, over `size` turns' random numbers."""
    plays = Counter()
    for number in range(size):
        table.state.turn_stream = number
        table.side(0).decisions = 0
        plays[table.next_play()] += 1
    return plays


# ---- names


def test_policies_are_found_by_name():
    assert {load_policy(name).name for name in POLICIES} == set(POLICIES) >= {"random", "greedy", "wild"}


def test_an_unknown_policy_is_named_with_the_nearest():
    with pytest.raises(InputError, match=r"'greddy'.*Did you mean greedy\?"):
        load_policy("greddy")


# ---- greedy: Incantations


def test_greedy_casts_where_it_destroys_the_highest_cost():
    enemy = ("BARON:2 TROLL:3", "BRUTE:2")  # worth 3, 6, 4
    assert greedy_play("BOLT TROLL", enemy=enemy) == ("cast", "BOLT", 1, 0, 1)


def test_greedy_prefers_the_incantation_that_destroys_most():
    enemy = ("BARON:4 TROLL:3", "")  # the first falls to SPARK already
    assert greedy_play("SPARK BOLT", enemy=enemy) == ("cast", "BOLT", 1, 0, 1)


@pytest.mark.parametrize(
    ("hand", "enemy", "target"),
    [
        ("BOLT SPARK a", ("GRRR:2", "GRRR:2"), ("BOLT", 0, 0)),  # lowest slot, then the upper lane
        ("SPARK BOLT a", ("GRRR:2", "GRRR:2"), ("SPARK", 0, 0)),
        ("SPARK a", ("WALL GRRR:2 GRRR:2", ""), ("SPARK", 0, 1)),  # then the lowest position
        ("SPARK a", ("WALL WALL GRRR:2", "GRRR:2"), ("SPARK", 0, 2)),  # the lane before the position
    ],
)
def test_greedy_ties(hand, enemy, target):
    card, lane, position = target
    assert greedy_play(hand, enemy=enemy) == ("cast", card, 1, lane, position)


def test_greedy_casts_nothing_for_creatures_that_cost_nothing():
    assert greedy_play("BOLT", enemy=("a b", "c")) is None


def test_greedy_casts_nothing_for_damage_alone_and_nothing_at_its_own():
    assert greedy_play("SPARK", own=("GRRR:2", ""), enemy=("TROLL", "")) is None


@pytest.mark.parametrize(
    ("creatures", "worth_it"),
    [
        ("ALPHA:1", False),  # Indestructible
        ("MARTYR:5", False),  # Protection
        ("MARTYR:5:struck", True),  # Protection used up
        ("GRRR:2 MACHINE", False),  # protected by an Aura
        ("GRRR:2:struck MACHINE", True),
        ("TROLL:4", False),
        ("TROLL:5", True),  # damage already taken
    ],
)
def test_greedy_counts_damage_and_abilities_of_the_target(creatures, worth_it):
    play = greedy_play("SPARK", enemy=(creatures, ""))
    assert play == (("cast", "SPARK", 1, 0, 0) if worth_it else None)


@pytest.mark.parametrize(
    ("rules", "play"),
    [
        ({}, None),
        ({"protection_against": "attacks"}, ("cast", "SPARK", 1, 0, 0)),
    ],
)
def test_greedy_knows_the_switches_of_protection(rules, play):
    assert greedy_play("SPARK", enemy=("MARTYR:5", ""), **rules) == play


@pytest.mark.parametrize(
    ("abilities", "target"),
    [
        ("", (0, 3)),  # TROLL alone: 6
        ("Perforation", (0, 0)),  # BRUTE and BARON: 7
        ("Splash", (0, 1)),  # BARON and BRUTE: 7
        ("Splash Perforation", (1, 1)),  # BRUTE and both BARONs: 10
    ],
)
def test_greedy_counts_splash_and_perforation(abilities, target):
    blast = incantation("BLAST", 1, abilities=abilities)
    enemy = ("BRUTE:4 BARON:4 WALL TROLL:5", "WALL BRUTE:4 BARON:4")
    assert greedy_play("BLAST", enemy=enemy, faces=[blast]) == ("cast", "BLAST", 1, *target)


def test_greedy_counts_a_target_that_is_unharmed_itself():
    assert greedy_play("METEORITE", enemy=("STATUE TROLL:2", "")) == ("cast", "METEORITE", 1, 0, 0)


def test_greedy_looks_for_incantations_again_after_each_card():
    table = Table(("BARON a b c SPARK", ""), (("", ""), ("GRRR:2", "")), policies=GREEDY)
    assert table.next_play() == ("summon", "BARON", 0)  # SPARK is the fifth card
    table.summon("BARON")
    assert table.next_play() == ("cast", "SPARK", 1, 0, 0)
    table.cast("SPARK", side=1)
    assert table.next_play() == ("summon", "a", 1)


def test_greedy_casts_only_what_it_can_reach_and_pay():
    enemy = ("TROLL:5", "")
    assert greedy_play("BOLT", enemy=enemy, mana=0) is None
    assert greedy_play("a b c d BOLT", enemy=enemy, window=4)[0] == "summon"
    assert greedy_play("a b c d BOLT", enemy=enemy, window=5)[0] == "cast"


# ---- greedy: summons


def test_greedy_summons_the_dearest_that_it_can_pay():
    assert greedy_play("GRRR TROLL BARON a", mana=5) == ("summon", "BARON", 0)
    assert greedy_play("GRRR TROLL BARON a", mana=6) == ("summon", "TROLL", 0)


def test_greedy_ties_in_cost_go_to_the_leftmost():
    assert greedy_play("a REPTILE BARON GNOME") == ("summon", "REPTILE", 0)


def test_greedy_summons_what_costs_nothing_last():
    table = Table(("a GRRR b c", ""), policies=GREEDY, mana=2)
    for card in ("GRRR", "a", "b"):
        assert table.next_play()[:2] == ("summon", card)
        table.summon(card)
    assert table.next_play() is None  # R7


@pytest.mark.parametrize(
    ("own", "enemy", "lane"),
    [
        (("", ""), ("", ""), 0),
        (("", ""), ("", "SOLDIER"), 1),
        (("", ""), ("BARON", "SOLDIER"), 0),
        (("BARON", ""), ("SOLDIER", ""), 0),
        (("BARON BARON", ""), ("SOLDIER", ""), 1),
        (("", "BRUTE"), ("", "a b c"), 0),
        (
            ("", "TROLL"),
            ("ABOMINATION:5", "MICROCTOPUS ABOMINATION"),
            1,
        ),  # printed values, whatever the damage
    ],
)
def test_greedy_summons_into_the_lane_where_the_enemy_is_more_ahead(own, enemy, lane):
    assert greedy_play("a b", own, enemy) == ("summon", "a", lane)


def test_greedy_breaches_no_fortress_of_its_own():
    assert greedy_play("a BASTION TROLL") == ("summon", "a", 0)
    assert greedy_play("SPARK BASTION TROLL") is None


def test_greedy_plays_alike_from_the_other_seat():
    """From side 1: own and enemy change places, the rest stays."""
    table = Table(("", "BOLT GRRR a"), (("TROLL:3", ""), ("", "SOLDIER")), policies=("random", "greedy"))
    table.start_turn(1)
    assert table.next_play() == ("cast", "BOLT", 0, 0, 0)
    table.cast("BOLT", side=0)
    assert table.next_play() == ("summon", "GRRR", 0)


# ---- random


def test_random_chooses_uniformly_among_its_legal_actions():
    hand = "GRRR a BOLT TROLL b"  # TROLL is too dear, b the fifth
    table = Table((hand, ""), (("k", ""), ("x", "y")), mana=5)
    expected = {("summon", card, lane) for card in ("GRRR", "a") for lane in (0, 1)}
    expected |= {("cast", "BOLT", *place) for place in ((0, 0, 0), (1, 0, 0), (1, 1, 0))}
    expected |= {None}
    plays = all_plays(table, 250 * len(expected))
    assert set(plays) == expected
    assert stats.chisquare(list(plays.values())).pvalue > UNLIKELY


def test_random_casts_of_two_incantations_are_separate_actions():
    table = Table(("SPARK BOLT TROLL", ""), (("", ""), ("w x", "y")), mana=5)
    places = ((1, 0, 0), (1, 0, 1), (1, 1, 0))
    plays = all_plays(table, 1750)
    assert set(plays) == {None} | {("cast", card, *place) for card in ("SPARK", "BOLT") for place in places}
    assert stats.chisquare(list(plays.values())).pvalue > UNLIKELY


def test_random_never_breaches_its_own_fortress():
    table = Table(("a BASTION b", ""))
    assert set(all_plays(table, 100)) == {None, ("summon", "a", 0), ("summon", "a", 1)}


def test_random_stops_when_it_can_do_nothing_else():
    table = Table(("TROLL BARON", ""), mana=2)
    assert table.next_play() is None
    assert table.side(0).decisions == 0  # and draws no number for it


def test_wild_has_the_breach_among_its_actions():
    table = Table(("a BASTION b", ""), policies=("wild", "wild"))
    plays = all_plays(table, 1000)
    assert set(plays) == {None} | {("summon", card, lane) for card in "ab" for lane in (0, 1)}
    assert stats.chisquare(list(plays.values())).pvalue > UNLIKELY
    table = Table(("a BASTION b", ""), policies=("wild", "wild"), self_breach="off")
    assert set(all_plays(table, 100)) == {None, ("summon", "a", 0), ("summon", "a", 1)}


@pytest.mark.parametrize("name", ["tactician", "greedy"])
def test_a_colon_wants_a_file(name):
    with pytest.raises(InputError, match="no file after the colon"):
        load_policy(f"{name}:")
