"""The cost formula, the steps that cards are varied by, and what they are found to be worth."""

from dataclasses import replace

import numpy as np
import pytest

import clashsim as cs
from clashsim.clash.card_checks import check_card
from clashsim.clash.prices import formula_cost, formulas
from clashsim.experiments.card_steps import CardSteps, steps_of
from clashsim.experiments.columns import dictionary
from clashsim.experiments.price_tables import (
    CHEAP,
    DEAR,
    FAIR,
    NOT_CONVERTIBLE,
    UNDECIDED,
    cards_table,
    price_verdict,
    steps_table,
    terms_table,
)
from clashsim.experiments.prices import plan_prices

KIT = cs.load_cards()
ROUNDED = {
    "GRRR": 2.5,
    "ALPHA": 5.5,
    "PARASITE": 4.5,
    "CYCLONE": 5.5,
    "BOOM!": 1.5,
    "DISCIPLE": 3.5,
    "ABERRATION": 6.5,
}


def prices(card=None, games=400, policy="greedy", **options):
    return cs.prices(card, games=games, policy=policy, **options)


# ---- the formula


@pytest.mark.parametrize("card", KIT.cards, ids=lambda card: card.name)
def test_the_formula_gives_the_printed_costs_but_for_half_a_mana(card):
    assert formula_cost(card) == ROUNDED.get(card.name, card.cost)


def test_an_aura_costs_one_mana_more_than_the_ability():
    creature = formulas()["creature"].prices
    assert all(
        creature[f"aura of {name}"] == price + 1
        for name, price in creature.items()
        if name not in ("attack", "health") and not name.startswith("aura")
    )
    assert formulas()["incantation"].prices == {"attack": 0.5, "Splash": 1, "Perforation": 2}


# ---- steps


@pytest.mark.parametrize("card", KIT.cards, ids=lambda card: card.name)
def test_every_step_is_a_sound_card_that_differs_in_one_thing(card):
    seen = set()
    for step in steps_of(card):
        fields = [
            name for name in card.__dataclass_fields__ if getattr(card, name) != getattr(step.card, name)
        ]
        assert len(fields) == 1
        record = {name: getattr(step.card, name) for name in card.__dataclass_fields__}
        check_card({name: value for name, value in record.items() if value is not None}, card.name)
        before, after = getattr(card, fields[0]), getattr(step.card, fields[0])
        amount = after - before if isinstance(after, int) else len(after) - len(before)
        assert amount == step.sign
        assert (step.term, step.sign) not in seen
        seen.add((step.term, step.sign))
    assert len({term for term, _ in seen if term not in ("cost", "attack", "health")}) == (
        7 + len(card.auras) if card.kind == "creature" else 2
    )


def test_steps_end_where_cards_do():
    steps = {(step.term, step.sign) for step in steps_of(KIT["MACHINE"])}  # 0 attack, 1 health
    assert ("attack", -1) not in steps
    assert ("health", -1) not in steps
    assert ("aura of Protection", -1) in steps
    assert ("cost", -1) not in {(step.term, step.sign) for step in steps_of(KIT["BOOM!"])}  # costs 1


# ---- what they are worth


def planted(card, effects, games=4000, seed=1, changed=0.2):
    """A condition with tallies drawn so that each term's step moves the score by what is planted."""
    rng = np.random.default_rng(seed)
    plan = plan_prices([card], games=40, policy="random")
    steps = plan.conditions[0]
    joint = np.zeros((len(steps.steps), 40, 3, 3), np.int64)
    for place, step in enumerate(steps.steps):
        effect = step.sign * effects.get(step.term, 0.0)
        gained, lost = (changed + effect) / 2, (changed - effect) / 2
        for block in range(40):
            same, up, down = rng.multinomial(games // 40, [1 - changed, gained, lost])
            joint[place, block, 0, 0], joint[place, block, 2, 0], joint[place, block, 0, 2] = same, up, down
    return steps, {"joint": joint}


def test_a_term_is_worth_its_effect_over_that_of_a_mana():
    effects = {"cost": -0.04, "attack": 0.02, "health": 0.06, "Rage": 0.06, "Sprint": 0.0}
    found = [planted(name, effects, games=400_000) for name in ("TROLL", "OGRE", "BARON")]
    steps, tallies = zip(*found, strict=True)
    rows = terms_table(steps, tallies).set_index("term")
    for term, mana in (("attack", 0.5), ("health", 1.5), ("Rage", 1.5), ("Sprint", 0.0)):
        assert rows.loc[term, "measured_low"] - 0.02 < mana < rows.loc[term, "measured_high"] + 0.02
        assert rows.loc[term, "measured"] == pytest.approx(mana, abs=0.08)
    verdicts = rows["price_verdict"]
    assert verdicts[["attack", "health", "Rage", "Sprint"]].tolist() == [FAIR, CHEAP, FAIR, DEAR]
    cards = cards_table(steps, tallies).set_index("card")
    assert cards["mana_effect"].between(0.036, 0.044).all()


def test_intervals_of_measured_prices_cover():
    effects = {"cost": -0.04, "attack": 0.02}
    covered = []
    for seed in range(200):
        steps, tally = planted("BARON", effects, games=8000, seed=seed)
        row = terms_table([steps], [tally]).set_index("term").loc["attack"]
        covered.append(row["measured_low"] <= 0.5 <= row["measured_high"])
    assert 0.9 < np.mean(covered) < 0.985


def test_where_a_mana_is_worth_nothing_for_sure_nothing_is_converted():
    steps, tally = planted("BARON", {"attack": 0.05})
    rows = terms_table([steps], [tally])
    assert (rows["price_verdict"] == NOT_CONVERTIBLE).all()
    assert rows["measured"].isna().all()
    assert steps_table([steps], [tally])["mana"].isna().all()


def test_rounding_down_gave_a_card_half_a_mana():
    down, up = (planted(name, {"cost": -0.04}, games=40_000) for name in ("GRRR", "DISCIPLE"))
    rows = cards_table([down[0], up[0]], [down[1], up[1]]).set_index("card")
    assert rows.loc["GRRR", "rounding"] == -0.5
    assert rows.loc["DISCIPLE", "rounding"] == 0.5
    assert rows.loc["GRRR", "rounding_effect"] == pytest.approx(0.02, abs=0.006)
    assert rows.loc["DISCIPLE", "rounding_effect"] == pytest.approx(-0.02, abs=0.006)


@pytest.mark.parametrize(
    ("low", "high", "printed", "verdict"),
    [
        (0.4, 0.6, 0.5, FAIR),
        (0.25, 0.75, 0.5, FAIR),
        (0.8, 0.9, 0.5, CHEAP),
        (0.0, 0.2, 0.5, DEAR),
        (0.2, 0.6, 0.5, UNDECIDED),
        (np.nan, np.nan, 0.5, NOT_CONVERTIBLE),
    ],
)
def test_verdicts_on_terms(low, high, printed, verdict):
    assert price_verdict(low, high, printed) == verdict


# ---- in games


@pytest.mark.jit
def test_a_step_is_what_both_games_tell():
    plan = plan_prices(["TROLL"], games=40, policy="greedy")
    steps = plan.conditions[0]
    tally = steps.tally(0, 40)
    for place, step in enumerate(steps.steps):
        cards = replace(KIT, cards=tuple(step.card if card.name == "TROLL" else card for card in KIT.cards))
        other = replace(steps.base, cards=cards)
        ends = [duel.outcomes(0, 40)["winner"] for duel in (steps.base, other)]
        differs = (ends[0] != ends[1]).sum()
        joint = tally["joint"][place].sum(axis=0)
        assert joint.sum() == 40
        assert joint.sum() - np.trace(joint) == differs


@pytest.mark.jit
def test_indestructible_is_worth_exactly_nothing_where_there_are_no_incantations():
    """R25: it protects from Incantations only."""
    creatures = tuple(replace(card, deck=None) for card in KIT.cards if card.kind == "creature")
    found = prices(["TROLL", "MACHINE"], cards=cs.CardSet("creatures", creatures), games=60).price_steps
    rows = found[found["term"] == "Indestructible"]
    assert len(rows) == 2
    assert (rows["effect"] == 0).all()
    assert (found.loc[found["term"] != "Indestructible", "effect"] != 0).any()


@pytest.mark.jit
def test_intervals_of_steps_cover_however_few_games():
    """Blocks are no strata: a block of one game has no variance within."""
    truth = prices("TROLL", games=40_000).price_steps.set_index(["term", "step"])["effect"]
    covered = []
    for seed in range(2, 82):
        rows = prices("TROLL", games=40, seed=seed).price_steps.set_index(["term", "step"])
        covered.append((rows["effect_low"] <= truth) & (truth <= rows["effect_high"]))
    assert np.mean(covered) > 0.94
    assert min(np.mean(covered, axis=0)) > 0.85


@pytest.mark.jit
def test_what_changed_no_game_is_not_known_to_be_worth_nothing():
    found = prices("MARTYR", games=40, policy="random")
    rows = found.price_terms
    assert (rows["effect"] == 0).any()
    assert (rows["effect_high"] - rows["effect_low"] > 0.01).all()
    card = found.price_cards.iloc[0]
    assert card["mana_effect_low"] < card["mana_effect_high"]


@pytest.mark.jit
def test_costs_are_suggested_where_all_cards_of_a_kind_were_varied():
    few = prices(["TROLL", "OGRE"]).price_cards
    assert few["suggested_cost"].isna().all()
    incantations = [card.name for card in KIT.cards if card.kind == "incantation"]
    rows = prices(incantations, games=400, policy="greedy").price_cards
    known = rows["suggested_cost"].notna()
    assert known.any()
    assert rows.loc[known, "suggested_cost"].mean() == pytest.approx(rows.loc[known, "cost"].mean(), abs=1e-5)
    assert (rows.loc[known, "suggested_cost_low"] < rows.loc[known, "suggested_cost_high"]).all()


@pytest.mark.jit
def test_every_column_is_explained():
    for table in prices("TROLL", games=40).tables.values():
        assert set(table.columns) <= set(dictionary())


@pytest.mark.jit
def test_cheaper_is_better_for_those_who_plan():
    found = prices(["MARTYR", "TROLL"], games=800, policy="tactician")
    assert (found.price_cards["mana_effect"] > 0).all()


@pytest.mark.jit
def test_threads_change_nothing_and_policies_are_told_apart():
    one, two = (prices(["TROLL", "BOOM!"], policy=["random", "greedy"], jobs=jobs) for jobs in (1, 2))
    for name in one.tables:
        assert one.tables[name].equals(two.tables[name])
    assert one.price_terms["policy"].unique().tolist() == ["random", "greedy"]
    alone = prices(["TROLL", "BOOM!"], policy="greedy")
    again = one.price_steps[one.price_steps["policy"] == "greedy"].reset_index(drop=True)
    assert again.equals(alone.price_steps)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"card": "TROL"}, r"no card 'TROL'.*Did you mean TROLL\?"),
        ({"card": ["TROLL", "troll"]}, "card TROLL is given twice"),
        ({"card": 5}, "card is 5; expected a name or a list of them"),
        ({"card": [5]}, r"card is \[5\]; expected a name"),
        ({"games": 39}, "games is 39; expected a whole number from 40"),
        ({"policy": "greed"}, "Did you mean greedy"),
        ({"cards": cs.CardSet("few", KIT.cards[:8])}, "8 cards; expected 16 to 63"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(cs.InputError, match=message):
        prices(**arguments)


def test_conditions_know_their_card():
    assert isinstance(plan_prices(["TROLL"], games=40, policy="random").conditions[0], CardSteps)
    assert plan_prices(["troll"], games=40, policy="random").plan["card"].tolist() == ["TROLL"]
