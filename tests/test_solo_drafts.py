"""The draft of solo games on the compiled core: who gets which cards (R42)."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from coregames import custom_cards
from corekit import KIT
from solokit import PLAYER, Deal

from clashsim.clash.cards import CardSet
from clashsim.clash.core.match import BY_LIKING
from clashsim.clash.drafting import DRAFTERS, Drafter, find_drafter, is_draft
from clashsim.clash.policies import POLICIES
from clashsim.clash.solo_settings import SoloSettings
from clashsim.clash.solos import Solo
from clashsim.errors import InputError

GREEDY = POLICIES["greedy"]
CARDS = {card.name: card for card in KIT.cards}
INDIFFERENT = Drafter("indifferent", "takes the first card turned up", BY_LIKING, lambda card: 0)


def drafted(drafter, game, **condition):
    """The player's cards of a game."""
    return set(Deal(Solo(KIT, drafter, GREEDY, **condition), game).cards(PLAYER))


def lover_of(name):
    return Drafter(
        f"lover of {name}", "takes one card where it sees it", BY_LIKING, lambda card: card.name == name
    )


@cache
def offers_of(game):
    """The eight offers of a game, by the card turned up first in each.

    Who loves a single card takes it instead of the first one of its offer, and all others' first ones.
    """
    firsts = drafted(INDIFFERENT, game)
    offers = {first: {first} for first in firsts}
    for name in CARDS.keys() - firsts:
        (given_up,) = firsts - drafted(lover_of(name), game)
        offers[given_up].add(name)
    return offers


@pytest.mark.parametrize("drafter", DRAFTERS.values(), ids=lambda drafter: drafter.name)
def test_r42_eight_cards_for_the_player_and_24_for_the_ai(drafter):
    for game in range(20):
        player, ai = Deal(Solo(KIT, drafter, GREEDY), game).position()["sides"]
        hand = player["hand"][1:]
        assert (len(hand), len(ai["deck"])) == (8, 24)
        assert {*hand, *ai["deck"]} == set(CARDS)


def test_r42_four_cards_are_turned_up_eight_times():
    for game in range(3):
        offers = offers_of(game)
        assert [len(offer) for offer in offers.values()] == [4] * 8
        assert set().union(*offers.values()) == set(CARDS)


@pytest.mark.parametrize("drafter", DRAFTERS.values(), ids=lambda drafter: drafter.name)
def test_r42_all_drafters_are_offered_the_same(drafter):
    for game in range(3):
        chosen = drafted(drafter, game)
        assert [len(chosen & offer) for offer in offers_of(game).values()] == [1] * 8


def test_r42_dearest_takes_a_dearest_of_the_four():
    """Of several the one that an indifferent drafter takes too, if it is among them."""
    ties = 0
    for game in range(3):
        chosen = drafted(DRAFTERS["dearest"], game)
        for first, offer in offers_of(game).items():
            most = max(CARDS[name].cost for name in offer)
            (taken,) = chosen & offer
            assert CARDS[taken].cost == most
            tied = sum(CARDS[name].cost == most for name in offer) > 1
            if tied and CARDS[first].cost == most:
                assert taken == first
                ties += 1
    assert ties > 0


def test_r42_offers_differ_from_game_to_game_and_with_the_seed():
    decks = [drafted(INDIFFERENT, game, seed=seed) for game in range(4) for seed in (1, 2)]
    assert len(set(map(frozenset, decks))) == len(decks)


def test_r42_every_card_is_turned_up_first_and_taken_by_chance_about_equally_often():
    """One of four, within five standard deviations."""
    games = 200
    firsts, taken, both = Counter(), Counter(), []
    for game in range(games):
        first, chosen = drafted(INDIFFERENT, game), drafted(DRAFTERS["random"], game)
        firsts.update(first)
        taken.update(chosen)
        both.append(len(first & chosen))
    deviation = (games * 0.25 * 0.75) ** 0.5
    for counts in (firsts, taken):
        assert max(abs(counts[name] - games / 4) for name in CARDS) < 5 * deviation
    assert abs(sum(both) - 8 * games / 4) < 5 * deviation * 8**0.5  # chance does not look at the order,
    assert len(set(both)) > 3  # and draws anew for each offer


def test_r42_a_draft_does_not_depend_on_settings_or_policy():
    for drafter in DRAFTERS.values():
        base = Deal(Solo(KIT, drafter, GREEDY), 7).position()["sides"]
        settings = SoloSettings(2, 10, "ai", ability="rage")
        other = Deal(Solo(KIT, drafter, POLICIES["random"], settings), 7).position()["sides"]
        assert base == other


# ---- by name


@pytest.mark.parametrize(
    ("spec", "expected"),
    [("draft", True), ("draft:random", True), ("drafted", False), ("1", False), (None, False), (1, False)],
)
def test_a_draft_is_told_from_a_deck(spec, expected):
    assert is_draft(spec) == expected


def test_drafters_by_name():
    assert find_drafter("draft", KIT) is DRAFTERS["dearest"]
    assert find_drafter("draft:random", KIT) is DRAFTERS["random"]
    with pytest.raises(InputError, match=r"'dear'; expected dearest or random\. Did you mean dearest\?"):
        find_drafter("draft:dear", KIT)


@pytest.mark.parametrize("size", [31, 33])
def test_r42_a_draft_needs_32_cards(size):
    cards = CardSet("own", tuple(custom_cards(Random(1), size)))
    for ask in (
        lambda: find_drafter("draft", cards),
        lambda: Solo(cards, DRAFTERS["random"], GREEDY),
    ):
        with pytest.raises(InputError, match=rf"{size} cards; expected 32 for a solo draft \(R42\)"):
            ask()
