"""What abilities are worth: bodies and sets, the games that are played, the stages, what the tables say."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

import clashsim as cs
from clashsim.analysis.factorial import members, on_average, on_top, subsets
from clashsim.clash.abilities import ABILITIES
from clashsim.clash.card_checks import check_card
from clashsim.clash.cards import CardSet
from clashsim.clash.duels import results_of
from clashsim.clash.policies import POLICIES
from clashsim.clash.prices import formulas
from clashsim.experiments.abilities import plan_abilities
from clashsim.experiments.ability_bodies import (
    BODIES,
    creature_of,
    incantation_of,
    names_of,
    pairs_of,
    subset_of,
    words_of,
)
from clashsim.experiments.ability_games import StandIns, whole_rounds
from clashsim.experiments.ability_layout import CARDS, PROBE, SCREENING, SOLO, Layout, without_abilities

KIT = cs.load_cards()
DECKS = list(KIT.decks.values())
GREEDY = POLICIES["greedy"]
MIDDLE = creature_of("3/3")


def layout(bodies=(MIDDLE,), decks=DECKS, policies=(GREEDY,), **options):
    return Layout(options.pop("cards", KIT), decks, policies, bodies, **options)


def abilities(body="3/3", games=60, screening=60, policy="greedy", card="TROLL", **options):
    return cs.abilities(body, games=games, screening=screening, policy=policy, card=card, **options)


# ---- effects of factors


def test_effects_of_planted_values():
    rng = np.random.default_rng(1)
    worth = {part: rng.normal() for part in range(1, 16)}  # of every set, beyond those of its parts
    values = np.array([sum(worth.get(part, 0) for part in subsets(chosen)) for chosen in range(16)])
    for chosen in range(1, 16):
        assert on_top(dict(enumerate(values)), chosen) == pytest.approx(worth[chosen])
        others = [other for other in range(16) if not other & chosen]
        mean = np.mean([sum(worth[chosen | part] for part in subsets(other)) for other in others])
        assert on_average(values, chosen) == pytest.approx(mean)


def test_a_main_effect_is_the_mean_with_less_the_mean_without():
    values = np.random.default_rng(2).normal(size=(8, 5))
    chosen = np.arange(8) & 2 > 0
    np.testing.assert_allclose(
        on_average(values, 2), values[chosen].mean(axis=0) - values[~chosen].mean(axis=0)
    )


# ---- bodies


@pytest.mark.parametrize(("body", "cost"), [*zip(BODIES, (2, 4, 7), strict=True), ("0/1", 1), ("15/15", 15)])
def test_a_body_without_a_cost_has_the_one_of_its_like(body, cost):
    assert creature_of(body).cost == cost
    assert creature_of(body, 9).cost == 9


@pytest.mark.parametrize(("damage", "cost"), [(3, 4), (0, 3), (15, 10)])
def test_an_incantation_likewise(damage, cost):
    assert incantation_of(damage).cost == cost


@pytest.mark.parametrize("body", [*map(creature_of, BODIES), incantation_of(3), creature_of("0/1", 0)])
def test_all_that_is_tried_is_sound_and_different(body):
    names = [variant.name for variant in body.variants]
    assert len(set(names)) == len(names)
    assert len({variant.card for variant in body.variants} | {body.plain}) == len(names) + 1
    for variant in body.variants:
        record = {name: getattr(variant.card, name) for name in body.plain.__dataclass_fields__}
        record |= {name: list(record[name]) for name in ("abilities", "auras")}
        check_card({name: value for name, value in record.items() if value not in (None, "")}, variant.name)
    sets = 127 + 7 if body.kind == "creature" else 3
    assert len(names) == sets + (1 if body.cost == 0 else 2)


def test_prices_of_sets_add_up():
    prices = formulas()["creature"].prices
    for variant in MIDDLE.variants:
        if variant.subset is not None:
            assert variant.price == pytest.approx(sum(prices[name] for name in names_of(variant.subset)))
    assert MIDDLE.variant("aura of Rage").price == prices["aura of Rage"]
    assert incantation_of(3).variant("Splash+Perforation").price == 3


def test_the_order_of_abilities_makes_no_other_set():
    for order in permutations(("Rage", "Splash", "Sprint")):
        assert words_of(subset_of(order)) == "Splash+Rage+Sprint"
    assert words_of(subset_of(("Rage", "Rage"))) == "Rage"


def test_there_are_no_interactions_of_an_ability_with_itself():
    pairs = pairs_of(MIDDLE)
    assert len(set(pairs)) == 21
    assert all(len(members(pair)) == 2 for pair in pairs)


def test_cards_without_their_abilities():
    taken = {variant.name: variant for variant in without_abilities(KIT["MACHINE"])}
    assert list(taken) == ["cost -1", "cost +1", "all", "Indestructible", "aura of Protection"]
    assert taken["all"].card == replace(KIT["MACHINE"], abilities=(), auras=())
    assert taken["all"].price == 3.5
    assert taken["aura of Protection"].price == 3
    assert [variant.name for variant in without_abilities(KIT["GRRR"])] == ["cost -1", "cost +1", "all"]


# ---- what is played


def test_every_place_and_opponent_gets_as_many_games():
    plan = plan_abilities("3/3", games=1000, screening=100, policy="greedy")
    games = dict(zip(plan.plan["part"], plan.plan["games"], strict=True))
    assert games == {SCREENING: 192, PROBE: 1152, CARDS: 1002, SOLO: 1000}
    condition = plan.conditions[0]
    assert len(condition.places) == 4 * 8 * 3
    groups = [place.duel.group for place in condition.places]
    assert len(set(groups)) == len(groups)


@pytest.mark.jit
def test_chunks_of_any_size_are_the_same_games():
    condition = StandIns(layout().places(GREEDY)[:5], MIDDLE.plain, (MIDDLE.variant("Rage").card,))
    whole = condition.tally(0, 60)["joint"]
    parts = [condition.tally(first, games)["joint"] for first, games in ((0, 2), (2, 24), (26, 34))]
    np.testing.assert_array_equal(sum(parts), whole)
    later = replace(condition, before=20)  # two rounds
    np.testing.assert_array_equal(later.tally(0, 40)["joint"], condition.tally(20, 40)["joint"])


@pytest.mark.jit
def test_games_are_those_of_the_deck_with_the_card_in_its_place():
    places = layout().places(GREEDY)[3:6]
    cards = [MIDDLE.variant(name).card for name in ("Rage", "aura of Sprint", "Splash+Berserk")]
    expected = np.zeros((3, 40, 3, 3), int)
    for number, place in enumerate(places):
        base, *changed = (
            results_of(place.duel_with(card).outcomes(0, 20)[0]["winner"]) for card in (MIDDLE.plain, *cards)
        )
        for game in range(20):
            for variant, results in enumerate(changed):
                expected[variant, (2 * number + game) % 40, base[game], results[game]] += 1
    found = StandIns(tuple(places), MIDDLE.plain, tuple(cards)).tally(0, 60)["joint"]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.jit
def test_even_blocks_have_the_games_that_the_deck_with_the_card_starts():
    """So that differences can be stratified by who starts."""
    condition = StandIns(layout().places(GREEDY), MIDDLE.plain, (MIDDLE.variant("Rage").card,))
    counts = condition.tally(0, 20 * 192)["joint"][0].sum(axis=(1, 2))
    assert set(counts) == {96}  # every place has been in every block of its starter


@pytest.mark.jit
def test_the_order_of_abilities_changes_no_game():
    place = layout().places(GREEDY)[7]
    cards = [replace(MIDDLE.plain, abilities=order) for order in permutations(("Rage", "Splash", "Sprint"))]
    results = place.results(cards, 0, 200)
    assert (results == results[0]).all()


@pytest.mark.jit
def test_the_body_against_itself_is_exactly_even():
    condition = StandIns(layout().places(GREEDY), MIDDLE.plain, (MIDDLE.plain,))
    joint = condition.tally(0, 192)["joint"][0].sum(axis=0)
    assert joint.sum() == np.trace(joint) == 192
    rows = abilities().ability_subsets
    plain = rows[rows["subset"] == "none"].iloc[0]
    assert (
        plain[["lift", "lift_low", "lift_high", "lift_low_all", "lift_high_all", "beyond_price"]].eq(0).all()
    )


def creatures_only():
    """Two decks of creatures."""
    creatures = [card for card in KIT.cards if card.kind == "creature"]
    decks = [replace(card, deck="AB"[place % 2]) for place, card in enumerate(creatures[:16])]
    return CardSet("creatures", tuple(decks))


@pytest.mark.jit
def test_indestructible_is_worth_exactly_nothing_without_incantations():
    """R25: it protects from Incantations only."""
    found = cs.abilities("3/3", cards=creatures_only(), games=320, screening=320, policy="greedy")
    lifts = found.ability_subsets.set_index("subset")["lift"]
    sources = found.ability_subsets.set_index("subset")["source"]
    assert lifts["Indestructible"] == lifts["aura of Indestructible"] == 0
    effects = found.ability_effects.set_index("term")
    assert effects.loc["Indestructible", "main_effect"] == 0
    assert effects.loc["Indestructible", "lift_low"] < 0 < effects.loc["Indestructible", "lift_high"]
    for name in lifts.index:
        if "Indestructible+" in name or "+Indestructible" in name:
            without = words_of(subset_of(name.split("+")) & ~subset_of(["Indestructible"]))
            if sources[name] == sources[without]:
                assert lifts[name] == lifts[without]
    assert (lifts != 0).any()
    pairs = found.ability_interactions
    assert (pairs.loc[pairs["subset"].str.contains("Indestructible"), "mean_interaction"] == 0).all()
    cards = found.ability_cards
    assert (cards.loc[cards["without"] == "Indestructible", "lift"] == 0).all()


@pytest.mark.jit
def test_an_absurdly_useful_ability_is_found():
    """Decks of creatures with attack 1 that cost all mana: who attacks at once, and again, is far ahead."""
    cards = [
        replace(card, attack=1, health=1, cost=3, abilities=(), auras=()) for card in creatures_only().cards
    ]
    found = cs.abilities(
        "1/1", cost=3, cards=CardSet("dull", tuple(cards)), games=640, screening=320, policy="greedy"
    )
    effects = found.ability_effects.set_index("term")
    assert effects["lift"].idxmax() in ("Rage", "Protection")
    assert effects.loc["Rage", "lift_verdict"] == "helps"
    assert found.ability_cards.empty
    assert "None of the cards has abilities." in [
        text for part in found.findings().sections for text in part.sentences
    ]


@pytest.mark.jit
def test_threads_change_nothing_and_policies_are_told_apart():
    one, two = (abilities(policy=["random", "greedy"], jobs=jobs) for jobs in (1, 2))
    for name in one.tables:
        assert one.tables[name].equals(two.tables[name])
    alone = abilities(policy="greedy")
    for name, table in alone.tables.items():
        again = one.tables[name]
        assert again[again["policy"] == "greedy"].reset_index(drop=True).equals(table)
    assert one.plan["games"].tolist() == two.plan["games"].tolist()


@pytest.mark.jit
def test_bodies_and_decks_as_named():
    found = abilities(["3/3", "2/5"], decks=["1"], incantation=2, cost=5, games=40, screening=40)
    assert list(dict.fromkeys(found.ability_effects["body"])) == ["3/3", "2/5", "2 damage"]
    assert set(found.ability_effects["cost"]) == {5}
    assert found.ability_cards["card"].unique().tolist() == ["TROLL"]
    only = abilities(None, incantation=3, cost=5, card="CYCLONE", games=40, screening=40)
    assert only.ability_subsets["subset"].tolist().count("Splash+Perforation") == 1
    assert len(only.ability_subsets) == 4
    assert only.ability_solo.empty
    assert only.findings().answer


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"body": "3-3"}, "body is '3-3'; expected ATTACK/HEALTH, such as 3/3"),
        ({"body": "16/3"}, "body is '16/3'; expected ATTACK/HEALTH"),
        ({"body": "3/0"}, "health 1 to 15"),
        ({"body": 33}, "body is 33; expected ATTACK/HEALTH"),
        ({"body": [33]}, "body is 33; expected ATTACK/HEALTH"),
        ({"body": ["3/3", "3/3"]}, "body 3/3 is given twice"),
        ({"cost": 16}, "cost is 16; expected a whole number from 0 to 15"),
        ({"incantation": 3, "cost": 0}, "cost is 0; expected a whole number from 1 to 15 for an Incantation"),
        ({"incantation": -1}, "incantation is -1; expected a whole number from 0 to 15"),
        ({"card": "TROL"}, r"no card 'TROL'.*Did you mean TROLL\?"),
        ({"card": 5}, "card is 5; expected the name of a card"),
        ({"card": "TROLL", "decks": ["2", "3"]}, "TROLL is in none of the decks 2 and 3"),
        ({"decks": ["9"]}, "unknown deck '9'"),
        ({"games": 39}, "games is 39; expected a whole number from 40"),
        ({"screening": 39}, "screening is 39; expected a whole number from 40"),
        ({"policy": "greed"}, "Did you mean greedy"),
        ({"cards": CardSet("none", (replace(KIT["TROLL"], deck=None),))}, "it has no decks of its own"),
        ({"cards": CardSet("one", DECKS[0].cards)}, "deck 1 alone has no opponent"),
        ({"rules": 5}, "rules is 5"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(cs.InputError, match=message):
        plan_abilities(**arguments)


def test_games_are_rounded_up_to_whole_rounds():
    assert [whole_rounds(games, 6) for games in (1, 6, 7, 60)] == [6, 6, 12, 60]
    assert len(ABILITIES) == 7
