"""What each card is worth: known truths, and what the tables say."""

from dataclasses import replace

import numpy as np
import pytest

import clashsim as cs
from clashsim.experiments.card_tables import AVERAGE, STRONG, WEAK

KIT = cs.load_cards()


def card_values(games=4000, policy="random", **options):
    return cs.card_values(games=games, policy=policy, **options)


@pytest.fixture(scope="module")
def found():
    return card_values(games=20_000, policy=["random", "greedy"])


pytestmark = pytest.mark.jit


def test_a_card_has_a_row_per_policy_the_best_first(found):
    for _, rows in found.card_values.groupby("policy"):
        assert sorted(rows["card"]) == sorted(card.name for card in KIT.cards)
        assert rows["value"].is_monotonic_decreasing
        assert rows["rank"].tolist() == list(range(1, 33))
    np.testing.assert_allclose(found.card_values["value"], found.card_values["score"] - 0.5, atol=1e-6)


def test_half_of_the_games_have_a_card(found):
    share = found.card_values["games"] / 20_000
    assert share.between(0.48, 0.52).all()


def test_values_are_around_0(found):
    """What one card has more than the others, they have less than it."""
    for _, rows in found.card_values.groupby("policy"):
        weighted = (rows["value"] * rows["games"]).sum() / rows["games"].sum()
        assert weighted == pytest.approx(0, abs=1e-6)


def test_verdicts_are_read_off_the_limits_that_hold_together(found):
    values = found.card_values
    expected = np.select([values["value_low_all"] > 0, values["value_high_all"] < 0], [STRONG, WEAK], AVERAGE)
    assert (values["value_verdict"] == expected).all()
    assert (values["value_low_all"] < values["value_low"]).all()


def test_the_mean_of_first_and_second_is_the_value(found):
    both = (found.card_values["value_first"] + found.card_values["value_second"]) / 2
    np.testing.assert_allclose(both, found.card_values["value"], atol=0.003)


def test_an_absurdly_strong_card_is_the_best_and_a_useless_one_the_worst():
    cards = [
        replace(card, cost=0, attack=9, health=9) if card.name == "GNOME" else card for card in KIT.cards
    ]
    cards = [replace(card, cost=15) if card.name == "BARON" else card for card in cards]
    values = card_values(cards=cs.CardSet("absurd", tuple(cards)), policy="greedy").card_values
    assert values["card"].iloc[0] == "GNOME"
    assert values["value_verdict"].iloc[0] == STRONG
    assert values.set_index("card").loc["BARON", "value"] < 0


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_two_identical_cards_get_the_same_value(policy):
    twin = replace(KIT["TROLL"], name="TWIN", deck=None)
    cards = cs.CardSet("twins", (*(replace(card, deck=None) for card in KIT.cards[:31]), twin))
    rows = card_values(20_000, policy, cards=cards).card_values.set_index("card")
    one, other = rows.loc["TROLL"], rows.loc["TWIN"]
    half_width = np.hypot(one["value_high"] - one["value"], other["value_high"] - other["value"])
    assert abs(one["value"] - other["value"]) < 1.5 * half_width


def test_two_kits_give_about_the_same_values():
    one = card_values(40_000, "greedy").card_values.set_index("card")["value"]
    two = card_values(40_000, "greedy", two_kits=True).card_values.set_index("card")["value"]
    assert np.corrcoef(one, two[one.index])[0, 1] > 0.95


def test_pairs_are_all_there_the_surest_first(found):
    for _, rows in found.card_synergies.groupby("policy"):
        assert len(rows) == 496
        assert rows["p"].is_monotonic_increasing
        assert (rows["p_adjusted"] >= rows["p"]).all()


def test_swaps_promise_what_the_values_differ_by(found):
    values = found.card_values.set_index(["policy", "card"])["value"]
    for _, row in found.card_swaps.groupby(["policy", "deck"]).head(3).iterrows():
        expected = values[row["policy"], row["into"]] - values[row["policy"], row["out"]]
        assert row["gain"] == pytest.approx(expected * 31 / 32, abs=2e-6)
    assert len(found.card_swaps) == 2 * 4 * 8 * 24


def test_skill_is_told(found):
    answer = " ".join(found.findings().answer)
    assert "From random to greedy the cards' values have a rank correlation of" in answer


def test_no_card_is_worth_less_with_one_more_health_under_random():
    """Whoever plays without a plan is never hurt by it; a player by cost may be."""
    creatures = [card for card in KIT.cards if card.kind == "creature"]
    lows = []
    for card in creatures:
        rows = cs.whatif({card.name: {"health": card.health + 1}}, games=1000, policy="random").decks
        lows.append(rows["diff_high"].iloc[0])
    assert min(lows) > 0 - 0.004  # of 26, one or so may be below 0 by chance, but by little
    assert sum(low < 0 for low in lows) <= 3


def test_one_game_says_nothing_of_cards_that_are_in_none():
    found = card_values(games=2)
    rows = found.card_values[found.card_values["games"] == 0]
    assert (rows["value"] == 0).all()
    assert (rows["value_low"] == -0.5).all()
    assert found.findings().answer


def test_precision_ends_when_all_cards_are_precise_enough():
    rows = card_values(games=200_000, precision=2).card_values
    half = (rows["value_high"] - rows["value_low"]) / 2
    assert half.max() <= 0.02
    assert rows["games"].max() < 20_000


def test_threads_and_chunks_change_nothing():
    one, two = (card_values(games=6000, policy="greedy", jobs=jobs) for jobs in (1, 2))
    for name in one.tables:
        assert one.tables[name].equals(two.tables[name])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games is 0; expected a whole number"),
        ({"policy": "greed"}, "Did you mean greedy"),
        ({"two_kits": "no"}, "two_kits is 'no'; expected True or False"),
        ({"precision": 60}, "precision 60: expected percentage points"),
        ({"cards": "starter"}, "unknown card set"),
        ({"cards": cs.CardSet("few", KIT.cards[:8])}, "8 cards; expected 16 to 63"),
        ({"rules": "window"}, "rules is 'window'"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(cs.InputError, match=message):
        card_values(**arguments)
