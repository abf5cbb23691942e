"""What the tables of abilities say: planted truths, coverage, numbers recomputed by hand, and the sentences."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import clashsim as cs
from clashsim.analysis.factorial import on_top
from clashsim.clash.policies import POLICIES
from clashsim.clash.solo_settings import SoloSettings
from clashsim.clash.solos import Solo
from clashsim.experiments.abilities import plan_abilities
from clashsim.experiments.ability_bodies import creature_of, subset_of
from clashsim.experiments.ability_card_tables import printed_table, solo_table
from clashsim.experiments.ability_choice import BOTH, LATER, SCREENED, choose, judged, screened_of, tried_of
from clashsim.experiments.ability_findings import findings
from clashsim.experiments.ability_games import StandIns
from clashsim.experiments.ability_layout import ALL, CARDS, GIVEN, SOLO, Layout
from clashsim.experiments.ability_tables import (
    HELPS,
    OPEN,
    effects_table,
    interactions_table,
    lift_row,
    subsets_table,
)
from clashsim.experiments.card_tables import PLAIN, TOGETHER
from clashsim.experiments.columns import dictionary
from clashsim.experiments.price_tables import CHEAP, DEAR, FAIR, NOT_CONVERTIBLE

KIT = cs.load_cards()
DECKS = list(KIT.decks.values())
BODY = creature_of("3/3")
BLOCKS = 40


def layout(body=BODY, **options):
    return Layout(KIT, DECKS, [POLICIES["greedy"]], [body], **options)


def effect_of(name, worth):
    """Return the planted effect of a variant: of a set of abilities the sum over its parts."""
    if not set(name.split("+")) <= {*BODY.abilities}:
        return worth.get(name, 0.0)
    chosen = subset_of(name.split("+"))
    return sum(
        value
        for part, value in worth.items()
        if set(part.split("+")) <= {*BODY.abilities} and not subset_of(part.split("+")) & ~chosen
    )


def counts(names, worth, games, rng, changed=0.5):
    """Return joint counts in which each variant moves the score by what is planted."""
    joint = np.zeros((len(names), BLOCKS, 3, 3), np.int64)
    for place, name in enumerate(names):
        effect = effect_of(name, worth)
        shares = [1 - changed, (changed + effect) / 2, (changed - effect) / 2]
        same, up, down = rng.multinomial(games // BLOCKS, shares, size=BLOCKS).T
        joint[place, :, 0, 0], joint[place, :, 2, 0], joint[place, :, 0, 2] = same, up, down
    return {"joint": joint}


def planted(worth, games=400_000, screening=40_000, seed=1, later=None, body=BODY):
    """Return what was tried where the truth is planted, in the games after the screening maybe another one."""
    rng = np.random.default_rng(seed)
    names = [variant.name for variant in body.variants]
    first = counts(names, worth, screening, rng)
    choice = choose(body, KIT, screened_of(body, first))
    second = counts(choice.names, worth if later is None else later, games, rng)
    run = layout(body)
    rest = [{}] * (len(run.rows) - 2)
    return tried_of(run, [first, second, *rest])


WORTH = {
    **{"cost -1": 0.05, "cost +1": -0.05},
    **{"Rage": 0.15, "Splash": 0.05, "Splash+Rage": 0.05, "aura of Rage": 0.05},
}


def test_planted_effects_are_found():
    rows = effects_table(planted(WORTH)).set_index("term")
    for term, lift, main in (("Rage", 0.15, 0.175), ("Splash", 0.05, 0.075), ("Sprint", 0.0, 0.0)):
        assert rows.loc[term, "lift"] == pytest.approx(lift, abs=0.004)
        assert rows.loc[term, "main_effect"] == pytest.approx(main, abs=0.004)
        assert rows.loc[term, "games_all_sets"] == 40_000
    assert rows.loc["Rage", "measured"] == pytest.approx(3, abs=0.3)
    verdicts = rows["price_verdict"]
    assert verdicts[["Rage", "Splash", "Sprint", "aura of Rage"]].tolist() == [CHEAP, FAIR, DEAR, DEAR]
    assert rows.loc[["Rage", "Sprint"], "lift_verdict"].tolist() == [HELPS, OPEN]
    assert rows["mana_effect"].iloc[0] == pytest.approx(0.05, abs=0.003)
    assert rows.loc["aura of Rage", ["main_effect", "games_all_sets"]].fillna(0).eq(0).all()


def test_planted_interactions_are_found_and_no_others():
    rows = interactions_table(planted(WORTH)).set_index("subset")
    pairs = rows[rows["size"] == 2]
    assert len(pairs) == 21
    assert pairs.loc["Splash+Rage", "interaction"] == pytest.approx(0.05, abs=0.006)
    assert pairs.loc["Splash+Rage", "mean_interaction"] == pytest.approx(0.05, abs=0.006)
    assert pairs.loc["Splash+Rage", "interaction_verdict"] == TOGETHER
    assert (pairs.drop("Splash+Rage")["interaction_verdict"] == PLAIN).all()
    triples = rows[rows["size"] == 3]
    assert sorted(triples.index) == sorted(
        name for name in triples.index if "Splash" in name and "Rage" in name
    )
    assert len(triples) == 5
    assert triples["interaction"].abs().max() < 0.012
    assert (triples["games"] == 400_000).all()


def test_of_three_abilities_nothing_is_said_where_no_pair_matters():
    rows = interactions_table(planted({"Rage": 0.06, "Splash": 0.02}))
    assert (rows["size"] == 2).all()


def test_what_the_screening_chose_by_its_result_rests_on_later_games_only():
    """The winner's curse: here the screening is wrong altogether."""
    name = "Splash+Protection+Indestructible+Berserk"
    tried = planted({name: 0.3}, later={}, games=40_000)
    rows = subsets_table(tried).set_index("subset")
    assert rows.loc[name, "source"] == LATER
    assert rows.loc[name, "games"] == 40_000
    assert abs(rows.loc[name, "lift"]) < 0.02
    assert rows.loc["Rage", ["source", "games"]].tolist() == [BOTH, 80_000]
    others = rows[rows["source"] == SCREENED]
    assert len(others) > 60
    assert (others["games"] == 40_000).all()


def test_sets_are_ranked_by_what_they_give_beyond_their_price():
    rows = subsets_table(planted(WORTH))
    assert len(rows) == 135
    assert rows["rank"].tolist() == list(range(1, 136))
    assert rows["beyond_price"].is_monotonic_decreasing
    rate = rows["price_rate"].iloc[0]
    np.testing.assert_allclose(rows["beyond_price"], rows["lift"] - rate * rows["printed_price"], atol=2e-6)
    plain = rows[rows["size"] == 0]
    assert plain["subset"].tolist() == ["none"]
    assert "Rage" in rows["subset"].iloc[0]


def test_the_mean_rate_is_that_of_all_sets():
    prices = np.array([variant.price for variant in BODY.variants if variant.subset is not None])
    tried = planted(
        {name: price / 50 for name, price in zip(BODY.abilities, (1, 1, 1.5, 2, 0.5, 1, 0.5), strict=True)}
    )
    rows = subsets_table(tried)
    assert rows["price_rate"].iloc[0] == pytest.approx(0.02, abs=0.001)
    assert rows.loc[rows["size"] > 0, "printed_price"].max() == prices.max()
    again = rows[(rows["source"] != SCREENED) & ~rows["subset"].str.startswith("aura")]
    assert again["beyond_price"].abs().max() < 0.008


def test_where_a_mana_is_worth_nothing_for_sure_nothing_is_converted():
    rows = effects_table(planted({"Rage": 0.06}, games=4000, screening=400))
    assert (rows["price_verdict"] == NOT_CONVERTIBLE).all()
    assert rows["measured"].isna().all()


def test_intervals_cover_where_nothing_is_worth_anything():
    covered = {name: [] for name in ("lift", "main_effect", "interaction", "mean_interaction")}
    wrong, finds = [], []
    for seed in range(120):
        tried = planted({}, games=800, screening=400, seed=seed)
        effects, pairs = effects_table(tried), interactions_table(tried)
        pairs = pairs[pairs["size"] == 2]
        for table, names in (
            (effects, ("lift", "main_effect")),
            (pairs, ("interaction", "mean_interaction")),
        ):
            for name in names:
                known = table[table[name].notna()]
                covered[name].append(((known[f"{name}_low"] <= 0) & (known[f"{name}_high"] >= 0)).mean())
        wrong.append((effects["lift_verdict"] != OPEN).any())
        finds.append((pairs["interaction_verdict"] != PLAIN).any())
    for name, shares in covered.items():
        assert 0.93 < np.mean(shares) < 0.98, name
    assert np.mean(wrong) < 0.1
    assert np.mean(finds) < 0.11


@pytest.mark.jit
def test_intervals_cover_in_games():
    names = ["Rage", "Splash", "Splash+Rage"]
    cards = tuple(BODY.variant(name).card for name in names)

    def found(games, seed):
        run = layout(seed=seed, replaced="TROLL")
        joint = StandIns(run.places(POLICIES["greedy"]), BODY.plain, cards).tally(0, games)["joint"]
        lifts = [replicates_by_hand(each) for each in joint]
        together = judged(on_top({0: 0 * lifts[0], 1: lifts[1], 4: lifts[0], 5: lifts[2]}, 5), games, 3)
        return [lift_row(each, 1) for each in joint], together

    rows, together = found(60_000, 999)
    truth = [row["lift"] for row in rows]
    covered, both = [], []
    for seed in range(80):
        rows, few = found(192, seed)
        covered.append(
            [row["lift_low"] <= true <= row["lift_high"] for row, true in zip(rows, truth, strict=True)]
        )
        low, high = few.limits(0.95)
        both.append(low <= together.value <= high)
    assert np.mean(covered) > 0.9
    assert np.mean(both) > 0.88


def replicates_by_hand(joint):
    """Return the lift from all blocks, then without each of them, by hand."""
    gains = np.array([[0, -0.5, -1], [0.5, 0, -0.5], [1, 0.5, 0]])
    kept = [[other for other in range(BLOCKS) if other != block] for block in (-1, *range(BLOCKS))]
    return np.array([(joint[blocks] * gains).sum() / joint[blocks].sum() for blocks in kept])


@pytest.mark.jit
def test_lifts_are_those_of_the_games():
    plan = plan_abilities("3/3", games=48, screening=48, policy="greedy", card="TROLL")
    found = plan.run()
    condition = plan.layout.condition(plan.layout.rows[0])
    ends = {
        variant.name: [
            place.duel_with(variant.card).outcomes(0, 32)[0]["winner"] for place in condition.places
        ]
        for variant in BODY.variants
        if variant.name in ("Rage", "aura of Splash")
    }
    plain = [place.duel_with(BODY.plain).outcomes(0, 32)[0]["winner"] for place in condition.places]
    rows = found.ability_effects.set_index("term")
    for (
        name,
        winners,
    ) in ends.items():  # 48 games of the screening, and 48 after them: 32 at each of three places
        lift = (score(winners) - score(plain)).mean()
        assert rows.loc[name, "lift"] == pytest.approx(lift, abs=1e-6)
        assert rows.loc[name, "games"] == 96


def score(winners):
    winners = np.array(winners)
    return np.where(winners == 0, 1, np.where(winners == 1, 0, 0.5))


@pytest.mark.jit
def test_abilities_of_cards_and_of_the_ai_are_those_of_the_games():
    run = layout(replaced="MUTANT")
    tallies = [{}, {}] + [run.condition(row).tally(0, 120) for row in run.rows[2:]]
    rows = printed_table(run, tallies).set_index("without")
    places = run.condition(run.rows[2]).places
    card = KIT["MUTANT"]
    whole = score([place.duel_with(card).outcomes(0, 40)[0]["winner"] for place in places])
    for name, left in (("all", ()), ("Perforation", ("Rage", "Sprint"))):
        without = replace(card, abilities=left)
        less = score([place.duel_with(without).outcomes(0, 40)[0]["winner"] for place in places])
        assert rows.loc[name, "lift"] == pytest.approx((whole - less).mean(), abs=1e-6)
    assert rows["printed_price"].to_dict() == {"all": 3, "Perforation": 1, "Rage": 1.5, "Sprint": 0.5}
    assert run.rows[2].part == CARDS
    assert run.rows[-1].part == SOLO
    solo = solo_table(run, tallies, planted(WORTH)).set_index("ability")
    won = {
        ability: np.mean(
            [
                Solo(KIT, deck, POLICIES["greedy"], SoloSettings(ability=ability)).outcomes(0, 30)[0][
                    "winner"
                ]
                == 0
                for deck in DECKS
            ]
        )
        for ability in ("none", "splash", "rage")
    }
    assert len(solo) == len(GIVEN) == 5
    for ability in ("splash", "rage"):
        assert solo.loc[ability, "win_rate"] == pytest.approx(won[ability], abs=1e-6)
        assert solo.loc[ability, "loss"] == pytest.approx(won["none"] - won[ability], abs=1e-6)
    assert solo.loc["rage", "lift"] == pytest.approx(0.15, abs=0.004)
    assert (solo["points"] == 1).all()


@pytest.fixture(scope="module")
def found():
    return cs.abilities("3/3", games=96, screening=96, policy=["random", "greedy"], card="TROLL", decks=["1"])


@pytest.mark.jit
def test_every_column_is_explained(found):
    for table in found.tables.values():
        assert set(table.columns) <= set(dictionary())
        assert len(table)
    assert "<Abilities on 3/3:" in repr(found)


@pytest.mark.jit
def test_verdicts_are_read_off_the_limits_that_hold_together(found):
    for table in (found.ability_effects, found.ability_subsets, found.ability_cards):
        rows = table[table["lift"] != 0]
        assert (rows["lift_low_all"] <= rows["lift_low"]).all()
        expected = np.select([rows["lift_low_all"] > 0, rows["lift_high_all"] < 0], [HELPS, "hurts"], OPEN)
        assert (rows["lift_verdict"] == expected).all()


@pytest.mark.jit
def test_flips_between_policies_are_named(found):
    effects = found.ability_effects.copy()
    random = effects["policy"] == "random"
    effects["lift_verdict"] = OPEN
    effects["price_verdict"] = FAIR
    quiet = " ".join(findings({**found.tables, "ability_effects": effects}).answer)
    assert "No ability or aura surely helps under one policy and hurts" in quiet
    sprint = effects["term"] == "Sprint"
    effects.loc[sprint, "lift_verdict"] = np.where(random[sprint], "hurts", "helps")
    aura = effects["term"] == "aura of Rage"
    effects.loc[aura, "price_verdict"] = np.where(random[aura], DEAR, CHEAP)
    told = findings({**found.tables, "ability_effects": effects}).answer
    assert "Sprint helps on 3/3 under greedy and hurts under random." in told
    assert "Aura of Rage on 3/3 is too cheap under greedy and too dear under random." in told


@pytest.mark.jit
def test_no_more_is_said_of_a_set_that_rests_on_the_screening_alone(found):
    shown = next(part.shown for part in found.findings().sections if part.name == "ability_subsets")
    assert isinstance(shown, pd.DataFrame)
    assert SCREENED not in set(shown["source"])
    assert ALL in set(found.ability_cards["without"])


@pytest.mark.jit
def test_changes_with_skill_are_differences_of_lifts(found):
    lifts = found.ability_effects.pivot(index="term", columns="policy", values="lift")
    rows = found.ability_skill.set_index("term")
    assert (rows["policy_before"] == "random").all()
    expected = lifts["greedy"] - lifts["random"]
    np.testing.assert_allclose(rows["difference"], expected[rows.index], atol=2e-6)
    assert (rows["difference_low_all"] < rows["difference_low"]).all()
    assert any(text.startswith("From random to greedy, ") for text in found.findings().answer)
