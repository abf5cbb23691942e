"""Duels between decks that are dealt at random: who gets what, and that the games are those of the decks."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

import clashsim as cs
from clashsim.clash.core.dealing import AGAINST_IT, ON_BOTH_SIDES, WITH_IT
from clashsim.clash.dealt import DealtDuel
from clashsim.clash.duels import results_of
from clashsim.clash.policies import POLICIES
from clashsim.clash.trace import Tracer

KIT = cs.load_cards()


def dealt(policy="random", **options):
    return DealtDuel(options.pop("cards", KIT), (POLICIES[policy],) * 2, **options)


def kit_of(size):
    cards = [replace(KIT.cards[place % 32], name=f"C{place}", deck=None) for place in range(size)]
    return cs.CardSet("many", tuple(cards))


@pytest.mark.parametrize("size", [16, 17, 32, 63])
def test_decks_are_sixteen_different_cards_of_one_kit(size):
    slots = dealt(cards=kit_of(size)).decks_of(0, 50)
    assert slots.min() >= 0
    assert slots.max() < size
    assert all(len(set(game.ravel())) == 16 for game in slots)


@pytest.mark.parametrize("size", [9, 32, 63])
def test_decks_of_two_kits_are_eight_different_cards_each(size):
    slots = dealt(cards=kit_of(size), two_kits=True).decks_of(0, 200)
    assert all(len(set(deck)) == 8 for game in slots for deck in game)
    assert any(set(game[0]) & set(game[1]) for game in slots)
    assert slots.max() < size


@pytest.mark.parametrize("two_kits", [False, True])
def test_every_card_is_as_often_in_every_place(two_kits):
    slots = dealt(two_kits=two_kits).decks_of(0, 4000)
    for side in range(2):
        for place in range(8):
            counts = np.bincount(slots[:, side, place], minlength=32)
            assert chisquare(counts).pvalue > 1e-6


def test_two_cards_are_as_often_together_as_chance_has_it():
    slots = dealt().decks_of(0, 20_000)
    together = (slots[:, 0] == 3).any(axis=1) & (slots[:, 0] == 9).any(axis=1)
    against = (slots[:, 0] == 3).any(axis=1) & (slots[:, 1] == 9).any(axis=1)
    assert together.mean() == pytest.approx(8 * 7 / (32 * 31), abs=0.007)
    assert against.mean() == pytest.approx(8 * 8 / (32 * 31), abs=0.007)


@pytest.mark.parametrize("two_kits", [False, True])
def test_a_card_that_is_held_is_always_there(two_kits):
    slots = dealt(held="TROLL", two_kits=two_kits).decks_of(0, 300)
    troll = [card.name for card in KIT.cards].index("TROLL")
    assert (slots[:, 0, 0] == troll).all()
    assert all(len(set(deck)) == 8 for game in slots for deck in game)
    assert (slots[:, 1] == troll).any() == two_kits


def test_the_deal_depends_on_the_game_alone():
    one = dealt()
    np.testing.assert_array_equal(one.decks_of(0, 40)[17:23], one.decks_of(17, 6))
    np.testing.assert_array_equal(one.decks_of(0, 40), dealt("greedy").decks_of(0, 40))
    assert (one.decks_of(0, 40) != dealt(seed=2).decks_of(0, 40)).any()


@pytest.mark.parametrize("policy", ["random", "greedy", pytest.param("tactician", marks=pytest.mark.jit)])
@pytest.mark.parametrize("options", [{}, {"two_kits": True}, {"held": "GNOME"}])
def test_a_game_is_that_of_its_decks(policy, options):
    one = dealt(policy, **options)
    outcomes, slots = one.outcomes(3, 6), one.decks_of(3, 6)
    for place in range(6):
        game = 3 + place
        duel = one.duel(game)
        assert [[card.name for card in deck.cards] for deck in duel.decks] == [
            [KIT.cards[slot].name for slot in deck] for deck in slots[place]
        ]
        assert duel.outcomes(game, 1)[0][0] == outcomes[place]
        trace = Tracer(duel).game(game)
        assert trace["result"]["turns"] == outcomes["turns"][place]


def test_games_by_their_cards_are_counted_from_the_side_that_has_them():
    one = dealt("greedy", two_kits=True)
    tally = one.tally(5, 30)
    outcomes, slots = one.outcomes(5, 30), one.decks_of(5, 30)
    holding, playing = np.zeros((32, 2, 3), int), np.zeros((32, 2, 3), int)
    pairs = np.zeros((32, 32, 3, 3), int)
    for place, result in enumerate(results_of(outcomes["winner"])):
        decks = [set(deck.tolist()) for deck in slots[place]]
        for side in range(2):
            seen = result if side == 0 else 2 - result
            second = int((5 + place) % 2 != side)
            for card in decks[side] - decks[1 - side]:
                holding[card, second, seen] += 1
                number = 1 + 8 * side + slots[place, side].tolist().index(card)
                playing[card, second, seen] += (int(outcomes["played"][place]) >> number) & 1
                for other in (decks[0] | decks[1]) - {card}:
                    whose = (other in decks[side], other in decks[1 - side])
                    relation = {
                        (True, False): WITH_IT,
                        (False, True): AGAINST_IT,
                        (True, True): ON_BOTH_SIDES,
                    }
                    pairs[card, other, relation[whose], seen] += 1
    np.testing.assert_array_equal(tally["holding"], holding)
    np.testing.assert_array_equal(tally["playing"], playing)
    np.testing.assert_array_equal(tally["pairs"], pairs)
    assert tally["results"].sum() == 30


def test_what_is_played_is_what_the_trace_shows():
    one = dealt("greedy")
    outcomes = one.outcomes(0, 4)
    for game in range(4):
        duel = one.duel(game)
        played = {number for number in duel.numbered_cards if (int(outcomes["played"][game]) >> number) & 1}
        steps = Tracer(duel).game(game)["steps"]
        shown = {step["card"] for step in steps if step["do"] in ("summon", "cast")}
        assert {duel.numbered_cards[number].name for number in played} == shown


@pytest.mark.parametrize(
    ("size", "two_kits", "message"),
    [
        (15, False, "15 cards; expected 16 to 63"),
        (64, False, "64 cards"),
        (8, True, "8 cards; expected 9 to 63"),
    ],
)
def test_card_sets_of_other_sizes_are_refused(size, two_kits, message):
    with pytest.raises(cs.InputError, match=message):
        dealt(cards=kit_of(size), two_kits=two_kits)
