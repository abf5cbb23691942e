"""The search for strong constructed decks: planted truths, the course of it, and what its tables say."""

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from constructedkit import KIT, NAMES, few_cards, planted, ten, worth_file

import clashsim as cs
from clashsim.analysis.dominance import mean_differences
from clashsim.analysis.intervals import score_interval
from clashsim.analysis.paired import paired_difference
from clashsim.clash.drafting import DRAFTERS
from clashsim.clash.policies import POLICIES
from clashsim.clash.rules import Rules
from clashsim.experiments.columns import dictionary
from clashsim.experiments.constructed_breeding import Course, aligned, swapped, swaps_of
from clashsim.experiments.constructed_evolution import Evolution, heats_for, possible_tens
from clashsim.experiments.constructed_race import Arena, Race
from clashsim.experiments.constructed_search_tables import BETTER, WORSE
from clashsim.experiments.constructed_stages import AUDIT_SHARES, audited, final_of, sizes_for

jit = pytest.mark.jit

ARENA = Arena(KIT, (POLICIES["greedy"],) * 2, Rules(), 1, DRAFTERS["random"])


def search(policy="greedy", generations=2, population=8, games=48, value_games=2000, **options):
    return cs.constructed_search(
        policy=policy,
        generations=generations,
        population=population,
        games=games,
        value_games=value_games,
        **options,
    )


@pytest.fixture(scope="module")
def found():
    return search(bans="random", games=200, cards=few_cards(16))


# ---- planted truths


@jit
def test_ten_cards_far_stronger_than_all_others_are_found_without_a_hint(tmp_path):
    cards = planted(10, 6)
    values = worth_file(tmp_path / "flat.csv", {card.name: 0.0 for card in cards.cards})
    run = search(cards=cards, values=values, bans="random", generations=6, games=400)
    best = run.constructed_tens.iloc[0]
    assert set(best["ten_cards"].split(", ")) == {f"STRONG{place}" for place in range(10)}
    assert best["generation"] > 1  # chance did not have it from the start
    assert not (run.constructed_swaps["swap_verdict"] == BETTER).any()
    assert "is surely better against the tens of the final" in " ".join(run.findings().answer)


@jit
def test_a_ten_that_makes_the_bans_miss_is_found(tmp_path):
    """Bans take the weak cards, wrongly held for the better ones: two of them beside the strong ones keep all of "
    "these."""
    cards = planted(8, 8)
    worths = {card.name: 0.1 if card.name.startswith("WEAK") else 0.05 for card in cards.cards}
    values = worth_file(tmp_path / "wrong.csv", worths)
    run = search(cards=cards, values=values, bans="value", generations=6, games=400)
    best = run.constructed_tens["ten_cards"].iloc[0].split(", ")
    assert set(best[2:]) == {f"STRONG{place}" for place in range(8)}
    rows = run.constructed_cards.set_index("card")
    assert rows.loc[best[2:], "banned"].tolist() == [0] * 8
    assert rows.loc["STRONG0", "value"] == pytest.approx(0.05)
    assert f"Its opponents remove {best[0]} and {best[1]}" in " ".join(run.findings().answer)


@jit
def test_a_better_swap_is_told_and_handed_out(tmp_path):
    """A search that hardly searches, among three of a thousand tens."""
    cards = planted(10, 4)
    values = worth_file(tmp_path / "flat.csv", {card.name: 0.0 for card in cards.cards})
    run = search(cards=cards, values=values, bans="random", generations=1, population=4, games=400)
    best = run.constructed_tens["ten_cards"].iloc[0].split(", ")
    assert sum(card.startswith("STRONG") for card in best) < 10
    swap = run.constructed_swaps.iloc[0]
    assert swap["swap_verdict"] == BETTER
    assert (swap["out"][:4], swap["into"][:6]) == ("WEAK", "STRONG")
    assert f"{swap['into']} for {swap['out']} gains" in " ".join(run.findings().answer)
    better = run.findings().attachments()["ten-1-swapped.toml"]
    assert f'"{swap["into"]}"' in better
    assert f'"{swap["out"]}"' not in better


# ---- races


@jit
@pytest.mark.parametrize("base", [None, ten("base", 3)])
def test_a_race_is_the_same_in_any_stretches(base):
    race = Race(ARENA, "race", [ten("a"), ten("b", 9)], [ten("c", 20), ten("d", 15)], 4, 6, 12, base)
    assert race.games == 48
    whole = race.tally(0, 48)
    assert whole["results"].sum(axis=(1, 2)).tolist() == [24, 24]
    for cuts in ((0, 48), (0, 2, 4, 20, 48), (0, 30, 32, 48)):
        parts = [race.tally(first, end - first) for first, end in pairwise(cuts)]
        for name, counts in whole.items():
            np.testing.assert_array_equal(sum(part[name] for part in parts), counts)


@jit
def test_races_of_one_name_play_the_same_games():
    field = [ten("c", 20), ten("d", 15)]
    one = Race(ARENA, "race", [ten("a"), ten("b", 9)], field, 4, 6)
    other = replace(one, tens=[ten("b", 9)], blocks=2, block=12)
    np.testing.assert_array_equal(one.tally(0, one.games)["results"][1], other.tally(0, 24)["results"][0])
    later = replace(other, blocks=2, block=6, first_game=6)
    first = replace(other, blocks=2, block=6)
    both = first.tally(0, 12)["results"] + later.tally(0, 12)["results"]
    np.testing.assert_array_equal(both, other.tally(0, 24)["results"])


@jit
def test_a_ten_differs_from_itself_by_exactly_nothing():
    race = Race(ARENA, "race", [ten("a")], [ten("c", 20)], 1, 40, base=ten("a"))
    tally = race.tally(0, 40)
    joint = tally["joint"][0]
    assert joint.sum() == 40
    assert paired_difference(joint).value == 0
    assert joint.sum() == np.trace(joint.sum(axis=0))
    np.testing.assert_array_equal(joint.sum(axis=1), tally["results"][0])


# ---- the course of a search


def course(cards=20, population=8, generations=3, worths=None, **options):
    field = min(6, possible_tens(cards))
    worths = np.linspace(-0.1, 0.1, cards) if worths is None else worths
    return Course(worths, heats_for(population, 96, field), generations, field, 1, **options)


def raced(evolution, strength):
    """Let the runners of an evolution win by their strength, until it ends."""
    while evolution.generation <= evolution.course.generations + 1 and len(evolution.history) < 50:
        results = np.zeros((len(evolution.runners), 2, 3), np.int64)
        for place, runner in enumerate(evolution.runners):
            results[place, :, 0] = strength(evolution.tens[runner])
            results[place, :, 2] = 400 - results[place, :, 0]
        before = evolution.generation
        evolution.tell(results)
        if before > evolution.course.generations and evolution.heat == len(evolution.course.heats):
            return evolution
    return evolution


def test_heats_halve_the_tens_and_add_up_to_the_games():
    heats = heats_for(24, 400, 6)
    assert [heat.tens for heat in heats] == [24, 12, 6, 3]
    assert all(heat.games % 2 == 0 for heat in heats)
    assert 400 <= 6 * sum(heat.games for heat in heats) < 400 + 6 * 2 * 4
    assert [heat.tens for heat in heats_for(4, 1, 6)] == [4, 2, 2, 2]
    assert [heat.games for heat in heats_for(4, 1, 6)] == [2] * 4


def test_generations_are_different_tens_with_shared_cards_in_place():
    evolution = Evolution(course())
    seen = []

    def strength(one):
        seen.append((evolution.generation, one))
        return sum(one)

    raced(evolution, strength)
    assert len(evolution.history) == 3
    assert evolution.generation == 4
    for generation in range(1, 5):
        tens = [one for number, one in seen if number == generation]
        assert len({frozenset(one) for one in tens}) == 8
        assert all(len(set(one)) == 10 for one in tens)
        first = tens[0]
        for one in tens:
            assert all(one[first.index(card)] == card for card in set(one) & set(first))


def test_the_best_of_a_generation_wins_and_lives_on():
    evolution = raced(Evolution(course(generations=12, population=16)), sum)
    strengths = [sum(one.winner) for one in evolution.history]
    assert strengths == sorted(strengths)
    assert evolution.ranked[0] == aligned(evolution.history[-1].winner, evolution.ranked[0])
    assert strengths[-1] == sum(range(10, 20))


def test_a_search_depends_on_its_seed_and_results_alone():
    one, other = (raced(Evolution(course(generations=5)), sum) for _ in range(2))
    assert [ten.winner for ten in one.history] == [ten.winner for ten in other.history]
    assert one.ranked == other.ranked
    assert Evolution(replace(course(), seed=2)).tens != Evolution(course()).tens


def test_fields_are_earlier_winners():
    evolution = raced(Evolution(course(generations=9, population=16)), sum)
    winners = [frozenset(one.winner) for one in evolution.history]
    assert frozenset(evolution.field[-1]) == winners[-1]
    assert len({frozenset(one) for one in evolution.field}) == 6


@pytest.mark.parametrize("cards", [11, 12, 13])
def test_few_cards_make_few_tens(cards):
    population = min(24, possible_tens(cards))
    evolution = raced(Evolution(course(cards, population, generations=4)), sum)
    assert len({frozenset(one) for one in evolution.ranked}) == population
    assert set(evolution.ranked[0]) == set(range(cards - 10, cards))


def test_tens_to_start_from_are_there_at_first():
    starts = [tuple(range(10)), tuple(range(5, 15))]
    tens = Evolution(course(starts=starts)).tens
    assert [set(one) for one in tens[:2]] == [set(one) for one in starts]
    assert set(tens[2]) == set(range(10, 20))  # the highest values


def test_swaps():
    best = tuple(range(10))
    swaps = swaps_of(best, 13)
    assert len(swaps) == 30
    assert swapped(best, 2, 12) == (0, 1, 12, *range(3, 10))
    assert aligned((9, 8, 12), (12, 4, 9)) == (12, 8, 9)


def test_the_search_learns_what_cards_do():
    wrong = course(generations=4, population=16, worths=np.linspace(0.1, -0.1, 20))
    evolution = raced(Evolution(wrong), sum)
    assert np.corrcoef(evolution.merits, range(20))[0, 1] > 0.9
    np.testing.assert_allclose(Evolution(wrong).merits, wrong.worths)


# ---- the final and the audit


def planted_final(shares, games=400):
    """Tallies of a round robin in which the scores are those given: {(one, other): share}."""
    tallies = []
    for pair in combinations(range(4), 2):
        won = round(games / 2 * shares[pair])
        results = np.array([[won, 0, games // 2 - won]] * 2, np.int64)
        banned = np.zeros((2, 10, 2, 3), np.int64)
        banned[:, :2, :, 0] = games // 2
        tallies.append({"results": results, "banned": banned})
    return final_of([tuple(range(first, first + 10)) for first in range(4)], tallies)


SHARES = {(0, 1): 0.3, (0, 2): 0.4, (0, 3): 0.5, (1, 2): 0.6, (1, 3): 0.7, (2, 3): 0.5}


def test_the_final_ranks_by_mean_score():
    final = planted_final(SHARES)
    assert [one[0] for one in final.tens] == [1, 2, 3, 0]
    assert final.pairs.tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    scores = final.results.sum(axis=1)[:, 0] / 400
    assert scores.tolist() == pytest.approx([0.6, 0.7, 0.7, 0.5, 0.6, 0.5])
    assert final.games_of_a_ten == 1200
    assert final.banned[0, :3].tolist() == [[600, 600], [600, 600], [0, 0]]


def test_differences_of_means_are_those_of_their_pairs():
    rng = np.random.default_rng(1)
    scores = np.full((4, 4), 0.5)
    low, high = scores.copy(), scores.copy()
    for one, other in combinations(range(4), 2):
        score, below, above = rng.uniform(0.3, 0.7), *rng.uniform(0.01, 0.05, 2)
        for a, b, value, down, up in (
            (one, other, score, below, above),
            (other, one, 1 - score, above, below),
        ):
            scores[a, b], low[a, b], high[a, b] = value, value - down, value + up
    found = mean_differences(scores, low, high)
    for one, other in combinations(range(4), 2):
        rest = [place for place in range(4) if place not in (one, other)]
        value = (scores[one].sum() - scores[other].sum()) / 3
        below = 4 * (scores[one, other] - low[one, other]) ** 2
        below += sum(
            (scores[one, k] - low[one, k]) ** 2 + (high[other, k] - scores[other, k]) ** 2 for k in rest
        )
        assert found.value[one, other] == pytest.approx(value)
        assert found.low[one, other] == pytest.approx(value - np.sqrt(below) / 3)
        assert found.high[other, one] == pytest.approx(-found.low[one, other])
    assert (found.low.diagonal() == 0).all()


def test_intervals_of_differences_of_means_cover():
    rng = np.random.default_rng(2)
    truth = {pair: rng.uniform(0.3, 0.7) for pair in combinations(range(4), 2)}
    covered = []
    for _ in range(400):
        drawn = {pair: rng.binomial(200, share) for pair, share in truth.items()}
        matrices = [np.full((4, 4), 0.5) for _ in range(4)]
        for (one, other), won in drawn.items():
            score = score_interval([won], 0, [200 - won])
            values = (score.value, score.low, score.high, truth[one, other])
            turned = (1 - score.value, 1 - score.high, 1 - score.low, 1 - truth[one, other])
            for matrix, value, back in zip(matrices, values, turned, strict=True):
                matrix[one, other], matrix[other, one] = value, back
        found = mean_differences(*matrices[:3])
        true = mean_differences(*[matrices[3]] * 3).value
        covered.append(((found.low <= true) & (true <= found.high))[np.triu_indices(4, 1)])
    assert 0.93 < np.mean(covered) < 0.97


def test_an_audit_drops_the_worse_swaps_and_judges_the_rest_by_fresh_games():
    sizes = sizes_for(20, 8, 100, 6)
    assert [heat.swaps for heat in sizes.audit] == [100, 25, 8]
    assert len(sizes.audit) == len(AUDIT_SHARES)
    best = tuple(range(10))
    tallies = []
    for number, heat in enumerate(sizes.audit):
        joint = np.zeros((heat.swaps, 2, 3, 3), np.int64)
        joint[:, :, 2, 0] = np.arange(heat.swaps)[:, np.newaxis]  # the later a swap, the more it gains
        joint[:, :, 0, 0] = 200 - np.arange(heat.swaps)[:, np.newaxis]
        tallies.append({"joint": joint})
        audit = audited(best, 20, sizes, tallies)
        assert (audit.heats == number + 1).sum() == heat.swaps
    assert audit.running == list(range(92, 100))
    np.testing.assert_array_equal(audit.joint[audit.running], tallies[-1]["joint"])
    np.testing.assert_array_equal(audit.joint[0], tallies[0]["joint"][0])
    np.testing.assert_array_equal(audit.joint[75], tallies[0]["joint"][75] + tallies[1]["joint"][0])
    assert audit.thresholds[0] == pytest.approx(75 / 200)


# ---- tables


@jit
def test_the_final_is_told_as_its_games_have_it(found):
    tens, pairings = found.constructed_tens, found.constructed_pairings
    assert tens["rank"].tolist() == list(range(1, 9))
    assert tens["score"].is_monotonic_decreasing
    assert len(pairings) == 28
    for _, row in tens.iterrows():
        own = [*pairings.loc[pairings["ten_a"] == row["ten"], "score_a"]]
        own += [*(1 - pairings.loc[pairings["ten_b"] == row["ten"], "score_a"])]
        assert row["score"] == pytest.approx(np.mean(own), abs=2e-6)
        assert row["behind"] == pytest.approx(tens["score"].iloc[0] - row["score"], abs=2e-6)
        assert row["games"] == 7 * 200
    assert tens["weight"].sum() == pytest.approx(1, abs=1e-5)
    assert ((tens["standing"] == WORSE) == (tens["behind_low"] > 0)).all()
    assert (tens["score_low_all"] < tens["score_low"]).all()


@jit
def test_cards_and_swaps_are_those_of_the_tens(found):
    tens, cards, swaps = found.constructed_tens, found.constructed_cards, found.constructed_swaps
    having = tens["ten_cards"].str.split(", ")
    for _, row in cards.iterrows():
        has = having.map(lambda names, card=row["card"]: card in names)
        assert row["finalists_share"] == pytest.approx(has.mean())
        assert row["weighted_share"] == pytest.approx(tens.loc[has, "weight"].sum(), abs=1e-5)
        assert row["games"] == has.sum() * 1400
    used = cards[cards["games"] > 0]
    assert (used["banned"] * used["games"]).sum() == pytest.approx(2 * 8 * 1400, abs=0.1)
    assert ((used["banned_low"] < 0.2) & (used["banned_high"] > 0.2)).mean() > 0.8
    best = having.iloc[0]
    assert len(swaps) == 60
    assert set(swaps["out"]) == set(best)
    assert not set(swaps["into"]) & set(best)
    assert swaps["swap_heat"].value_counts().to_dict() == {1: 45, 2: 7, 3: 8}
    assert (swaps["swap_gain_low_all"] < swaps["swap_gain_low"]).all()


@jit
def test_the_winners_are_followed_in_games_of_their_own(found):
    rows = found.constructed_generations
    assert rows["generation"].tolist() == [1, 2]
    assert (rows["candidates"] == 8).all()
    assert (
        rows["first_field_score"].between(rows["first_field_score_low"], rows["first_field_score_high"]).all()
    )
    answer = " ".join(found.findings().answer)
    assert "the winner of the first generation scores" in answer
    assert "the best ten that was found is" in answer


@jit
def test_the_tens_are_handed_out_as_files(found, tmp_path):
    files = found.findings().attachments()
    assert {f"ten-{rank}.toml" for rank in range(1, 9)} <= set(files)
    for name in ("ten-1.toml", "ten-2.toml"):
        (tmp_path / name).write_text(files[name])
    again = cs.constructed_play(
        tmp_path / "ten-1.toml",
        tmp_path / "ten-2.toml",
        bans="random",
        games=2000,
        policy="greedy",
        cards=few_cards(16),
    ).constructed.iloc[0]
    row = found.constructed_pairings.iloc[0]
    assert (again["deck_a"], again["deck_b"]) == ("ten-1", "ten-2")
    assert again["score_low"] < row["score_high"]
    assert row["score_low"] < again["score_high"]


@jit
def test_every_column_is_explained(found):
    for table in found.tables.values():
        assert set(table.columns) <= set(dictionary())


@jit
def test_threads_change_nothing():
    one, two = (search(jobs=jobs, cards=few_cards(13)) for jobs in (1, 2))
    for name in one.tables:
        assert one.tables[name].equals(two.tables[name])
    assert one.details == two.details


@jit
@pytest.mark.parametrize("cards", [11, 12])
def test_small_card_sets_are_searched(cards):
    run = search(cards=few_cards(cards), games=12, value_games=400)
    assert len(run.constructed_swaps) == 10 * (cards - 10)
    assert run.findings().answer


# ---- what is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"generations": 0}, "generations is 0; expected a whole number from 1 to 1000"),
        ({"population": 3}, "population is 3; expected a whole number from 4"),
        ({"games": 0}, "games is 0; expected a whole number"),
        ({"policy": ["greedy"]}, r"policy is \['greedy'\]; expected a single policy"),
        ({"policy": "greed"}, "Did you mean greedy"),
        ({"bans": "all"}, "bans is 'all'; expected random or value"),
        ({"start": "ten.toml"}, "start is 'ten.toml'; expected a list of tens"),
        ({"start": [NAMES[:9]]}, r"9 cards; expected exactly 10 distinct ones \(R41\)"),
        ({"start": [NAMES[:10]] * 9}, "start: 9 tens; expected at most 8"),
        ({"cards": few_cards(9)}, r"few has 9 cards; expected at least 10 for constructed decks \(R41\)"),
        ({"cards": few_cards(10)}, r"only one ten can be made \(R41\); expected at least 11"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(cs.InputError, match=message):
        search(**arguments)
