"""Drafts of duels: who takes what (R40), and that the games are those of the drafted decks."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import drafting as naive
from scipy.stats import chisquare

import clashsim as cs
from clashsim.clash.core.draft_counts import FIRST_PICK, LAST_PICK, PAIR_PICK
from clashsim.clash.drafting import ALL_DRAFTERS, Worths
from clashsim.clash.drafts import DraftDuel
from clashsim.clash.duels import results_of
from clashsim.clash.policies import POLICIES
from clashsim.clash.trace import Tracer
from clashsim.errors import InputError

KIT = cs.load_cards()
COSTS = Worths(tuple(card.cost / 100 for card in KIT.cards))


def drafts(one="random", other=None, worths=COSTS, policy="random", **options):
    drafters = tuple(ALL_DRAFTERS[name].by(worths) for name in (one, other or one))
    return DraftDuel(options.pop("cards", KIT), (POLICIES[policy],) * 2, drafters=drafters, **options)


def worths_of(draw, size=32):
    """Distinct worths, so that there are no ties, and worths of pairs."""
    worths = draw.permutation(size) / 1000 + draw.uniform(0, 1e-4, size)
    pairs = np.triu(draw.normal(0, 0.01, (size, size)), k=1)
    return Worths(tuple(worths.tolist()), tuple(map(tuple, (pairs + pairs.T).tolist())))


def kit_of(size):
    cards = [replace(KIT.cards[place % 32], name=f"C{place}", deck=None) for place in range(size)]
    return cs.CardSet("many", tuple(cards))


def turned_up(game, **options):
    """The 16 cards that a draft turns up, in order: who likes cards in the order of turning up takes the first."""
    picks = drafts("value", worths=Worths((0.0,) * 32), **options).picks_of(game, 1)[0]
    return picks  # all are liked alike, so that each takes what was turned up first


# ---- R40


@pytest.mark.parametrize("size", [16, 17, 32, 63])
def test_r40_four_rounds_of_four_different_cards(size):
    picks = drafts(cards=kit_of(size)).picks_of(0, 40)
    assert picks.shape == (40, 4, 4)
    assert picks.min() >= 0
    assert picks.max() < size
    assert all(len(set(game.ravel().tolist())) == 16 for game in picks)


@pytest.mark.parametrize("size", [15, 64])
def test_r40_other_card_sets_are_refused(size):
    with pytest.raises(InputError, match=rf"has {size} cards; expected 16 to 63 for a draft \(R40\)"):
        drafts(cards=kit_of(size))


@pytest.mark.parametrize("drafter", ["random", "value", "fit", "denial"])
def test_r40_one_takes_the_first_and_the_last_the_other_the_two_between(drafter):
    """And they take turns in going first, the one of the first round being side 0 in games 0, 1, 4, 5, …"""
    one = drafts(drafter)
    picks, decks = one.picks_of(0, 24), one.decks_of(0, 24)
    for game in range(24):
        first = (game // 2) % 2
        expected = {0: [], 1: []}
        for number in range(4):
            goes_first = first if number % 2 == 0 else 1 - first
            expected[goes_first] += [picks[game, number, 0], picks[game, number, 3]]
            expected[1 - goes_first] += [picks[game, number, 1], picks[game, number, 2]]
        for side in range(2):
            assert sorted(decks[game, side].tolist()) == sorted(expected[side])
            assert len(set(expected[side])) == 8


def test_r40_a_draft_is_played_four_times():
    """Each side drafts first, and each starts, with the same cards turned up."""
    one = drafts("random", "dearest", policy="greedy")
    picks = one.picks_of(0, 16)
    for quad in range(4):
        games = picks[4 * quad : 4 * quad + 4]
        offers = [[sorted(offer) for offer in game.tolist()] for game in games]
        assert all(offer == offers[0] for offer in offers)
        np.testing.assert_array_equal(games[0], games[1])
        np.testing.assert_array_equal(games[2], games[3])
    assert sorted(picks[0].ravel().tolist()) != sorted(picks[4].ravel().tolist())
    for game in range(4):
        trace = Tracer(one.duel(game)).game(game)
        assert next(step for step in trace["steps"] if step.get("turn") == 1)["side"] == game % 2


def test_r40_the_same_cards_are_turned_up_for_all_drafters():
    offers = [np.sort(drafts(name).picks_of(0, 20), axis=-1) for name in ("random", "value", "fit", "denial")]
    for other in offers[1:]:
        np.testing.assert_array_equal(offers[0], other)


@pytest.mark.jit
def test_r40_chance_turns_up_all_cards_alike():
    picks = drafts().picks_of(0, 8000)[::4]
    for number in range(4):
        counts = np.bincount(picks[:, number].ravel(), minlength=32)
        assert chisquare(counts).pvalue > 1e-6


# ---- drafters


@pytest.mark.jit
def test_random_takes_any_card():
    """Against the order in which the cards were turned up, 1 of 4 and each pair of 3 are as likely."""
    picks = drafts().picks_of(0, 8000)
    order = drafts("value", worths=Worths((0.0,) * 32)).picks_of(0, 8000)
    first = (order == picks[:, :, :1]).argmax(axis=-1)
    assert chisquare(np.bincount(first[::4].ravel(), minlength=4)).pvalue > 1e-6
    last = (order == picks[:, :, 3:]).argmax(axis=-1)
    cells = Counter(zip(first[::4].ravel().tolist(), last[::4].ravel().tolist(), strict=True))
    assert len(cells) == 12
    assert chisquare(list(cells.values())).pvalue > 1e-6


def test_value_takes_the_best_and_leaves_the_worst():
    for game in drafts("value").picks_of(0, 100):
        for offer in game.tolist():
            worth = [COSTS.cards[slot] for slot in offer]
            assert worth[0] == max(worth)
            assert worth[3] == min(worth[1:])


def test_dearest_is_value_by_cost():
    np.testing.assert_array_equal(drafts("dearest").picks_of(0, 50), drafts("value").picks_of(0, 50))


def test_fit_and_denial_without_pairs_are_value():
    """Where all cards add up and both sides go by the same table, the best of four is the best to deny as well."""
    worths = Worths(worths_of(np.random.default_rng(3)).cards)
    for name in ("fit", "denial"):
        np.testing.assert_array_equal(
            drafts(name, worths=worths).picks_of(0, 200), drafts("value", worths=worths).picks_of(0, 200)
        )


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    game=st.integers(0, 10**6),
    kinds=st.tuples(*[st.sampled_from(["value", "fit", "denial"])] * 2),
)
def test_r40_drafters_against_the_naive_ones(seed, game, kinds):
    worths = worths_of(np.random.default_rng(seed))
    likings, fits = worths.likings(), worths.fits().tolist()
    kit = turned_up(game).ravel().tolist()
    picks, decks = naive.draft(kit, (game >> 1) & 1, kinds, likings, fits)
    one = drafts(*kinds, worths=worths)
    assert [[row[0], *sorted(row[1:3]), row[3]] for row in one.picks_of(game, 1)[0].tolist()] == [
        [row[0], *sorted(row[1:3]), row[3]] for row in picks
    ]
    slots = one.decks_of(game, 1)[0]
    assert [sorted(side) for side in slots.tolist()] == [sorted(decks[0]), sorted(decks[1])]


@pytest.mark.jit
def test_denial_takes_what_the_other_side_needs():
    """A pair that wins together: whoever holds the one half is denied the other."""
    worths = [0.0] * 32
    pairs = [[0.0] * 32 for _ in range(32)]
    pairs[0][1] = pairs[1][0] = 0.2
    worths = Worths(tuple(worths), tuple(map(tuple, pairs)))
    together = {"fit": 0, "denial": 0}
    for name in together:
        for game in drafts("fit", name, worths=worths).decks_of(0, 2000)[:, 0].tolist():
            together[name] += {0, 1} <= set(game)
    assert 0 < together["denial"] < together["fit"]


def test_a_draft_depends_on_the_game_alone():
    one = drafts("random")
    np.testing.assert_array_equal(one.picks_of(0, 40)[17:23], one.picks_of(17, 6))
    np.testing.assert_array_equal(one.picks_of(0, 40), drafts("random", policy="greedy").picks_of(0, 40))
    assert (one.picks_of(0, 40) != drafts("random", seed=2).picks_of(0, 40)).any()


def test_a_drafter_who_needs_a_table_is_not_left_without():
    with pytest.raises(ValueError, match="drafter value has no table of worths"):
        DraftDuel(KIT, (POLICIES["random"],) * 2, drafters=(ALL_DRAFTERS["value"],) * 2).picks_of(0, 1)


# ---- games


@pytest.mark.parametrize("policy", ["random", "greedy", pytest.param("tactician", marks=pytest.mark.jit)])
def test_a_game_is_that_of_its_decks(policy):
    one = drafts("value", "random", policy=policy)
    outcomes, slots = one.outcomes(3, 6), one.decks_of(3, 6)
    for place in range(6):
        duel = one.duel(3 + place)
        assert [deck.name for deck in duel.decks] == ["drafted A", "drafted B"]
        assert [[card.name for card in deck.cards] for deck in duel.decks] == [
            [KIT.cards[slot].name for slot in deck] for deck in slots[place]
        ]
        assert duel.outcomes(3 + place, 1)[0][0] == outcomes[place]


@pytest.mark.parametrize("drafters", [("random", "value"), ("denial", "denial")])
def test_a_tally_counts_what_its_games_show(drafters):
    one = drafts(*drafters, policy="greedy")
    first, games = 6, 12
    tally, outcomes = one.tally(first, games), one.outcomes(first, games)
    picks, slots = one.picks_of(first, games), one.decks_of(first, games)
    expected = {name: np.zeros_like(counts) for name, counts in tally.items()}
    for place, result in enumerate(results_of(outcomes["winner"])):
        game = first + place
        drafts_first, starter, block = (game >> 1) & 1, game & 1, (game // 4) % 40
        expected["results"][drafts_first, starter, block, result] += 1
        x = np.zeros(32, int)
        for side in range(2):
            own = result if side == 0 else 2 - result
            x[slots[place, side]] = 1 - 2 * side
            for slot_place, slot in enumerate(slots[place, side]):
                if outcomes["played"][place] >> (1 + 8 * side + slot_place) & 1:
                    expected["playing"][side, slot, own] += 1
            for number in range(4):
                row = picks[place, number]
                if side == drafts_first ^ (number & 1):
                    mine = [(row[0], FIRST_PICK, row), (row[3], LAST_PICK, row[3:])]
                else:
                    mine = [(row[1], PAIR_PICK, row[1:]), (row[2], PAIR_PICK, row[1:])]
                for slot, pick, _ in mine:
                    expected["by_pick"][side, slot, pick, block, own] += 1
                if starter == 0:
                    for slot, pick, _ in mine:
                        expected["taken"][side, slot, pick] += 1
                    for pick, seen in {pick: seen for _, pick, seen in mine}.items():
                        expected["seen"][side, seen, pick] += 1
        expected["products"][block] += np.outer(x, x)
        expected["scores"][block] += x * (1 - result)
    for name in ("results", "by_pick", "playing", "taken", "seen", "products", "scores"):
        np.testing.assert_array_equal(tally[name], expected[name], name)
    # Who goes first leaves three cards, the last of which comes back: they were left all the same.
    over = np.zeros_like(tally["over"])
    for place in range(0, games, 2):
        drafts_first = ((first + place) >> 1) & 1
        for number in range(4):
            row, goes_first = picks[place, number], drafts_first ^ (number & 1)
            over[goes_first, row[0], row[1:]] += 1
            over[1 - goes_first, row[1:3], row[3]] += 1
    np.testing.assert_array_equal(tally["over"], over)


def test_tallies_of_parts_add_up():
    one = drafts("value", policy="greedy")
    whole, parts = one.tally(0, 16), [one.tally(0, 6), one.tally(6, 10)]
    for name, counts in whole.items():
        np.testing.assert_array_equal(counts, sum(part[name] for part in parts), name)
