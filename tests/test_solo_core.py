"""Solo rules of the compiled core by their numbers: setup, mana, the AI's reveals and its assault (R32-R35)."""

from collections import Counter
from random import Random

import pytest
from coregames import custom_cards
from corekit import KIT, creature
from solokit import AI, NO_LANES, PLAYER, Deal, Reveal, SoloTable

from clashsim.clash.cards import CardSet, Deck
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules
from clashsim.clash.solo_settings import PRICES, SoloSettings
from clashsim.clash.solos import MOST_CARDS, Solo
from clashsim.clash.trace import Tracer
from clashsim.errors import InputError

GREEDY = POLICIES["greedy"]
LETTERS = "abcdefghijklmnopqrst"


def ai_turn(deck, **position):
    """The start of a turn of the AI."""
    return SoloTable(deck, to_move=AI, **position)


def lanes_of_reveals(table):
    return [(reveal.card, reveal.lane) for reveal in table.reveal()]


# ---- R32: setup


@pytest.mark.parametrize("bastion", [True, False])
@pytest.mark.parametrize("deck", KIT.decks.values(), ids=lambda deck: deck.name)
def test_r32_eight_cards_for_the_player_and_the_others_for_the_ai(deck, bastion):
    player, ai = Deal(Solo(KIT, deck, GREEDY, SoloSettings(bastion=bastion)), 5).position()["sides"]
    own = {card.name for card in deck.cards}
    assert (player["hand"][0], set(player["hand"][1:])) == ("BASTION", own)
    assert set(ai["deck"]) == {card.name for card in KIT.cards} - own
    assert (len(player["hand"]), len(ai["deck"])) == (9, 24)  # no card twice
    assert ai["fortress"] == ("BASTION" if bastion else "FORT")
    assert (ai["discard"], ai["lanes"], player["lanes"]) == ([], [[], []], [[], []])


@pytest.mark.parametrize("size", [9, 10, 32, MOST_CARDS])
def test_r32_kits_of_other_sizes(size):
    cards = tuple(custom_cards(Random(size), size))
    solo = Solo(CardSet("own", cards), Deck("own", cards[-8:]), GREEDY)
    player, ai = Deal(solo, 0).position()["sides"]
    assert set(player["hand"][1:]) == {card.name for card in cards[-8:]}
    assert sorted(ai["deck"]) == sorted(card.name for card in cards[:-8])
    assert sum(solo.tally(0, 4)["results"].sum(axis=0)) == 4


@pytest.mark.parametrize("size", [8, MOST_CARDS + 1])
def test_r32_too_few_or_too_many_cards(size):
    cards = tuple(custom_cards(Random(size), size))
    with pytest.raises(InputError, match=f"{size} cards; expected 9 to 39"):
        Solo(CardSet("own", cards), Deck("own", cards[:8]), GREEDY)


def test_r32_both_decks_are_shuffled():
    """Every card comes first about equally often: bounds of five standard deviations."""
    solo, games = Solo(KIT, KIT.decks["2"], GREEDY), 240
    setups = [Deal(solo, game) for game in range(games)]
    for first, cards in (
        (Counter(table.cards(PLAYER)[0] for table in setups), 8),
        (Counter(table.deck[0] for table in setups), 24),
    ):
        expected = games / cards
        deviation = (expected * (1 - 1 / cards)) ** 0.5
        assert len(first) == cards
        assert max(abs(count - expected) for count in first.values()) < 5 * deviation


@pytest.mark.parametrize(
    ("first", "turns"), [("player", [(0, 7), (1, 6), (0, 9)]), ("ai", [(1, 6), (0, 9), (1, 6)])]
)
def test_r32_first_mana_is_for_the_player_who_starts(first, turns):
    """All the player's cards are too dear to be played, and the AI has too little to hurt."""
    own = tuple(creature(f"own {number}", cost=15) for number in range(8))
    others = tuple(creature(f"other {number}", cost=15) for number in range(8))
    deck = Deck("own", own)
    solo = Solo(CardSet("dear", own + others), deck, GREEDY, SoloSettings(first=first), Rules(first_mana=7))
    starts = [step for step in Tracer(solo).game(0)["steps"] if step["do"] == "start_turn"]
    assert [(step["side"], step["mana"]) for step in starts[:3]] == turns


# ---- R33: the AI's mana


@pytest.mark.parametrize("variable", PRICES["variable"])
@pytest.mark.parametrize("fixed", PRICES["fixed"])
def test_r33_mana_counts_the_players_creatures(fixed, variable):
    lanes = (("a b", "c"), ("x y z u", "v"))
    table = ai_turn("COST6", lanes=lanes, settings={"fixed": fixed, "variable": variable})
    assert table.mana == fixed + 3 * variable


def test_r33_mana_is_counted_once():
    table = ai_turn("BLAST a COST2 b", lanes=(("x", ""), NO_LANES))
    assert lanes_of_reveals(table) == [("BLAST", 0), ("a", 1), ("COST2", 0)]  # 6 of 7, then 8
    assert table.lane(PLAYER) == []


def test_r33_the_ais_own_creatures_do_not_count():
    assert ai_turn("z", lanes=(NO_LANES, ("a b c", "d"))).mana == 6


# ---- R34: reveals


def test_r34_case_11():
    table = ai_turn("COST2 BOLT COST4 COST3 z", lanes=(("a", ""), NO_LANES))
    assert table.mana == 7
    assert table.reveal() == [
        Reveal("COST2", 0),
        Reveal("BOLT", 1, hit=False),
        Reveal("COST4", 0),
        Reveal("COST3", 1),
    ]
    assert table.mana == 7 - 9
    assert (table.lane(AI, 0), table.lane(AI, 1)) == (["COST2", "COST4"], ["COST3"])
    assert (table.deck, table.discard) == (["z"], ["BOLT"])


@pytest.mark.parametrize(
    ("deck", "revealed"), [("COST6 z z", 1), ("COST4 COST2 z z", 2), ("COST5 COST5 z z", 2), ("COST12 z", 1)]
)
def test_r34_stops_when_the_value_reaches_the_mana(deck, revealed):
    assert len(ai_turn(deck).reveal()) == revealed


def test_r34_cards_of_no_cost_come_without_end():
    table = ai_turn("a b c d e f g h i j k COST6 l")
    assert len(table.reveal()) == 12
    assert (table.lane(AI, 0), table.lane(AI, 1)) == (list("acegik"), [*"bdfhj", "COST6"])


def test_r34_creatures_go_to_the_back_and_arrive():
    table = ai_turn("SOLDIER COST6 z", lanes=(NO_LANES, ("x", "y")))
    table.reveal()
    assert (table.lane(AI, 0), table.lane(AI, 1)) == (["x", "SOLDIER"], ["y", "COST6"])
    assert [attack.card for attack in table.assault()] == ["x", "y"]


def test_r34_every_turn_starts_in_the_upper_lane():
    table = ai_turn("COST6 COST6 COST6")
    found = lanes_of_reveals(table)
    table.finish_ai_turn()
    table.start_turn(PLAYER)
    table.end_turn()
    table.start_ai_turn()
    assert found + lanes_of_reveals(table) == [("COST6", 0), ("COST6", 0)]


def test_r34_an_incantation_hits_the_players_front_creature_of_its_lane():
    lanes = (("x", "SOLDIER WALL"), ("", "y"))
    table = ai_turn("a BLAST COST12 z", lanes=lanes, hand="BASTION c")
    assert table.reveal()[:2] == [Reveal("a", 0), Reveal("BLAST", 1, hit=True, destroyed=("SOLDIER",))]
    assert table.hand(PLAYER) == "BASTION c SOLDIER"
    assert (table.lane(PLAYER, 0), table.lane(PLAYER, 1)) == (["x"], ["WALL"])
    assert table.lane(AI, 1) == ["y"]
    assert table.discard == ["BLAST"]


def test_r34_an_untargeted_incantation_is_free_and_takes_its_place_in_the_alternation():
    """A creature in the other lane is no target."""
    table = ai_turn("BLAST COST4 COST3 z", lanes=(("", "x"), NO_LANES))
    assert table.reveal() == [Reveal("BLAST", 0, hit=False), Reveal("COST4", 1), Reveal("COST3", 0)]
    assert table.mana == 0
    assert table.lane(PLAYER, 1) == ["x"]
    assert table.discard == ["BLAST"]


def test_r34_an_incantation_on_an_indestructible_creature_is_paid_for():
    table = ai_turn("BLAST COST1 COST1", lanes=(("STATUE x", ""), NO_LANES))  # 8 mana
    assert lanes_of_reveals(table) == [("BLAST", 0), ("COST1", 1), ("COST1", 0)]
    assert table.damages(PLAYER) == [0, 0]


@pytest.mark.parametrize(
    ("card", "lanes", "hand"),
    [
        ("STORM", (["b"], ["WALL"]), "BASTION w SOLDIER LANCER a"),
        ("BLAST", (["LANCER", "b"], ["a", "WALL"]), "BASTION w SOLDIER"),
    ],
)
def test_r34_splash_and_perforation_of_the_ais_incantation(card, lanes, hand):
    """As in R22: around its target, on the target's side."""
    table = ai_turn(
        f"{card} COST12 z", lanes=(("SOLDIER LANCER b", "a WALL"), ("x x", "x")), hand="BASTION w"
    )
    table.reveal()
    assert (table.lane(PLAYER, 0), table.lane(PLAYER, 1)) == lanes
    assert table.hand(PLAYER) == hand
    assert table.lane(AI, 0)[:2] == ["x", "x"]


def test_r34_splash_and_perforation_pass_an_indestructible_target():
    table = ai_turn("STORM COST12 z", lanes=(("STATUE WALL", "WALL"), NO_LANES))
    table.reveal()
    assert (table.damages(PLAYER, 0), table.damages(PLAYER, 1)) == ([0, 3], [3])


@pytest.mark.parametrize(("against", "damage"), [("sources", 0), ("attacks", 3)])
def test_r34_protection_against_the_ais_incantations(against, damage):
    table = ai_turn("BLAST COST6 z", lanes=(("KNIGHT", ""), NO_LANES), protection_against=against)
    table.reveal()
    assert table.damages(PLAYER) == [damage]


@pytest.mark.parametrize(("switch", "left"), [("off", ["SENTINEL"]), ("on", [])])
def test_r34_an_ignored_incantation_and_protection(switch, left):
    lanes = (("SENTINEL", ""), ("SOLDIER", ""))
    table = ai_turn("BLAST COST6 z", lanes=lanes, ignored_uses_protection=switch)
    table.reveal()
    table.activate()
    assert table.lane(PLAYER) == left


def test_r34_the_ai_goes_on_from_the_new_deck():
    table = ai_turn("COST2", discard="COST1 COST1 COST1 COST1 COST1", settings={"fixed": 6})
    assert lanes_of_reveals(table) == [("COST2", 0), *(("COST1", lane) for lane in (1, 0, 1, 0))]
    assert table.mana == 0  # 6, over both decks
    assert (table.fortress, table.deck, table.discard) == ("FORT", ["COST1"], [])
    assert (table.reshuffles, table.last_turn) == (1, None)


def test_r34_a_card_is_dealt_with_before_the_empty_deck_has_its_consequence():
    """The Incantation is in the new deck, and so is revealed a second time."""
    table = ai_turn("COST2 BOLT", lanes=(("", "x"), NO_LANES))
    assert table.reveal() == [Reveal("COST2", 0), Reveal("BOLT", 1, True, ("x",)), Reveal("BOLT", 0)]
    assert (table.fortress, table.deck, table.discard) == ("FORT", [], ["BOLT"])


def test_r34_the_new_deck_lies_there_when_the_value_is_reached_too():
    table = ai_turn("COST6", discard="a b c")
    assert lanes_of_reveals(table) == [("COST6", 0)]
    assert (table.fortress, sorted(table.deck), table.discard) == ("FORT", ["a", "b", "c"], [])


# ---- R35: the AI's assault


def test_r35_the_ai_attacks_from_the_back_the_upper_lane_first():
    lanes = (NO_LANES, ("SOLDIER a", "b GIANT"))
    table = ai_turn("COST6 z", lanes=lanes, hand="BASTION a b c d e f g")
    attacks = [(name, "fortress") for name in ("a", "SOLDIER", "GIANT", "b")]
    assert [(attack.card, attack.target) for attack in table.assault()] == attacks
    assert table.hand(PLAYER) == "FORT a b c d e f g"  # 3, and 5


def test_r35_the_ais_creatures_reach_the_discard_pile_as_target_behind_beside():
    table = SoloTable("z", "a", lanes=(("SPEAR", ""), ("SOLDIER LANCER x", "RAGER")))
    table.assault()
    assert table.discard == ["a", "SOLDIER", "LANCER", "RAGER"]
    assert (table.lane(AI, 0), table.lane(AI, 1)) == (["x"], [])


def test_r35_so_do_those_that_the_players_incantation_destroys():
    table = SoloTable("z", "a", hand="STORM a b", lanes=(NO_LANES, ("WALL SOLDIER LANCER x", "x RAGER")))
    table.cast("STORM", side=AI, position=1)
    assert table.discard == ["a", "SOLDIER", "LANCER", "RAGER"]
    assert table.hand(PLAYER) == "BASTION a b STORM"


def test_r35_the_players_creatures_return_to_the_hand():
    lanes = (("SOLDIER LANCER x", "RAGER"), ("SPEAR", ""))
    table = ai_turn("z", lanes=lanes, hand="BASTION c")
    table.assault()
    assert table.hand(PLAYER) == "BASTION c SOLDIER LANCER RAGER"
    assert table.discard == []


def test_r35_damage_is_removed_when_the_ais_turn_ends():
    table = ai_turn("COST6 z", lanes=(("WALL", ""), ("SOLDIER", "")))
    table.assault()
    assert table.damages(PLAYER) == [3]
    table.finish_ai_turn()
    assert table.damages(PLAYER) == [0]


# ---- lanes of more than eight creatures


def test_a_long_lane_attacks_from_the_back_and_closes_up():
    lanes = (("a", ""), (" ".join(LETTERS), ""))
    table = ai_turn("COST12 z", lanes=lanes, hand="SPARK u v")
    table.reveal()
    assert table.lane(AI) == [*LETTERS, "COST12"]
    assert [attack.card for attack in table.assault()] == list(LETTERS[::-1])
    table.finish_ai_turn()
    table.start_turn(PLAYER)
    for _ in range(3):
        table.cast("SPARK", side=AI, position=9)
    assert table.lane(AI) == [*LETTERS[:9], *LETTERS[12:], "COST12"]


@pytest.mark.parametrize("place", [7, 8, 15, 16, 29])
def test_a_runner_far_back_in_a_long_lane(place):
    line = ["a"] * place + ["RUNNER:1"]
    table = ai_turn("z", lanes=(("TOWER", ""), (" ".join(line), "")), faces=[creature("TOWER", health=99)])
    assert table.activate() == [("RUNNER", place, "creature", [])]
    assert (table.lane(AI), table.damages(AI)) == (["RUNNER"] + ["a"] * place, [1] + [0] * place)
    assert table.damages(PLAYER) == [1 + place]


@pytest.mark.parametrize("place", [6, 7, 8, 15, 27])
def test_an_aura_in_a_long_lane(place):
    line = [*"b" * place, "PRIEST", *"cde"][:30]
    table = SoloTable("z", hand="SPARK u v", lanes=(NO_LANES, (" ".join(line), "")))
    for position in range(len(line) - 1, -1, -1):
        table.cast("SPARK", side=AI, position=position)
    assert table.lane(AI) == ["b", "PRIEST", "c"]


@pytest.mark.parametrize("place", [6, 7, 8, 11])
def test_splash_and_perforation_in_long_lanes(place):
    upper, lower = LETTERS[:12], LETTERS[:11]
    table = SoloTable("z", hand="STORM u v", lanes=(NO_LANES, (" ".join(upper), " ".join(lower))))
    table.cast("STORM", side=AI, position=place)
    assert "".join(table.lane(AI, 0)) == upper[:place] + upper[place + 2 :]
    assert "".join(table.lane(AI, 1)) == lower[:place] + lower[place + 1 :]
    fallen = upper[place : place + 2] + lower[place : place + 1]
    assert "".join(table.discard) == fallen
