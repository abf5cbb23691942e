"""Several policies in one run: each as in a run of its own, and what changes from one to the next."""

import numpy as np
import pandas as pd
import pytest

import clashsim as cs
from clashsim.analysis.contrasts import difference_of_intervals
from clashsim.analysis.intervals import Interval
from clashsim.errors import InputError
from clashsim.experiments.matchups import TABLES, plan_matchups
from clashsim.experiments.rungs import Rung
from clashsim.experiments.skill_findings import skill_answers
from clashsim.experiments.skill_tables import MEASURES, skill_table
from clashsim.reporting.plots import draw

pytestmark = pytest.mark.jit

POLICIES = ["random", "greedy"]
GAMES = 2000


@pytest.fixture(scope="module")
def both():
    """Three decks, two policies."""
    return cs.matchups(["1", "2", "3"], games=GAMES, policy=POLICIES, seed=4)


def rows_of(skill, measure, deck_a, deck_b):
    rows = skill[(skill["measure"] == measure) & (skill["deck_a"] == deck_a) & (skill["deck_b"] == deck_b)]
    return rows.set_index("policy")


def alone_and_together(tables, alone, vs_policy=None):
    """Pairs of the rows of one policy in a run of several, and the table of its own run."""
    for name in TABLES:
        own = getattr(alone, name)
        policy, opponent = ("policy_a", "policy_b") if "policy_a" in own else ("policy", "vs_policy")
        players = set(map(frozenset, zip(own[policy], own[opponent], strict=True)))
        table = getattr(tables, name)
        chosen = [
            pair in players for pair in map(frozenset, zip(table[policy], table[opponent], strict=True))
        ]
        yield table[chosen].reset_index(drop=True), own


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_gets_the_tables_of_a_run_of_its_own(both, policy):
    alone = cs.matchups(["1", "2", "3"], games=GAMES, policy=policy, seed=4)
    for rows, own in alone_and_together(both, alone):
        assert rows.to_csv() == own.to_csv()


def test_against_one_opponent_too_and_where_a_policy_meets_itself():
    together = cs.matchups(["2", "3"], games=200, policy=POLICIES, vs_policy="greedy", seed=4)
    for policy in POLICIES:
        alone = cs.matchups(["2", "3"], games=200, policy=policy, vs_policy="greedy", seed=4)
        for rows, own in alone_and_together(together, alone):
            assert rows.to_csv() == own.to_csv()
    turned = rows_of(together.skill, "score", "3", "2").loc["greedy"]
    assert turned["estimate"] == 1 - rows_of(together.skill, "score", "2", "3").loc["greedy", "estimate"]
    mirror = rows_of(together.skill, "score", "2", "2")
    assert mirror.loc["greedy", ["estimate_low", "estimate_high"]].tolist() == [0.5, 0.5]
    pool = rows_of(together.skill, "pool_score", "2", "ALL")["estimate"]
    scores = [rows_of(together.skill, "score", "2", deck)["estimate"] for deck in ("2", "3")]
    np.testing.assert_allclose(pool, sum(scores) / 2, atol=2e-6)
    assert together.findings().answer


def test_a_target_is_judged_policy_by_policy():
    together = cs.matchups(["1", "3"], policy=POLICIES, until_decided=True, precision=2, seed=4)
    alone = cs.matchups(["1", "3"], policy="greedy", until_decided=True, precision=2, seed=4)
    for rows, own in alone_and_together(together, alone):
        assert rows.to_csv() == own.to_csv()


def test_each_number_of_the_skill_table_is_that_of_another_table(both):
    skill = both.skill
    assert list(dict.fromkeys(skill["measure"])) == list(MEASURES)
    for row in both.matchups[~both.matchups["derived"]].itertuples():
        draws = rows_of(skill, "draw_rate", row.deck_a, row.deck_b).loc[row.policy_a]
        assert draws["estimate"] == row.draw_rate
        if row.verdict == "mirror":
            assert rows_of(skill, "score", row.deck_a, row.deck_b).empty
            continue
        score = rows_of(skill, "score", row.deck_a, row.deck_b).loc[row.policy_a]
        assert score["estimate"] == row.score_a
        assert score["estimate_low"] == row.score_low
        assert score["estimate_high_all"] == row.score_high_all
    for row in both.pool.itertuples():
        assert rows_of(skill, "pool_score", row.deck, "ALL").loc[row.policy, "estimate"] == row.score
    for row in both.first_player.itertuples():
        number = rows_of(skill, "advantage", row.deck_a, row.deck_b).loc[row.policy_a]
        assert number["estimate"] == row.advantage
        assert (
            number["estimate_low_all"] < row.advantage_low < row.advantage_high < number["estimate_high_all"]
        )


def test_differences_are_those_of_independent_estimates(both):
    rows = rows_of(both.skill, "score", "2", "3")
    one, other = (
        Interval(*(rows.loc[policy, f"estimate{limit}"] for limit in ("", "_low", "_high")), GAMES)
        for policy in POLICIES
    )
    expected = difference_of_intervals(one, other)
    found = rows.loc["greedy", ["difference", "difference_low", "difference_high"]].astype(float)
    np.testing.assert_allclose(found, expected[:3], atol=2e-6)
    assert rows.loc["greedy", "difference_low_all"] < rows.loc["greedy", "difference_low"]
    assert (rows.loc["greedy", "change"], rows.loc["greedy", "policy_before"]) == ("lower", "random")
    first = rows.loc["random"]
    assert pd.isna(first["difference"])
    assert (first["change"], first["policy_before"], first["flips_from"]) == ("", "", "")


def test_the_known_flip_is_found_and_named_first(both):
    rows = rows_of(both.skill, "score", "2", "3")
    assert rows["conclusion"].tolist() == ["above", "below"]
    assert rows["flips_from"].tolist() == ["", "random"]
    answer = both.findings().answer
    assert "another favourite when the policy changes" in answer[0]
    said = next(sentence for sentence in answer if sentence.startswith("Deck 2 beats deck 3"))
    assert "beats deck 3 under random, 7" in said
    assert "but loses to it under greedy, 2" in said
    assert any("from random to greedy" in sentence for sentence in answer)
    assert both.findings().question.startswith("What changes with skill?")


def test_findings_have_a_table_and_a_map_for_each_policy_in_order(both):
    sections = both.findings().sections
    main = [section for section in sections if section.main]
    assert [section.heading.split(", ")[1] for section in main] == ["random players", "greedy players"]
    assert [set(section.shown["policy_a"]) for section in main] == [{"random"}, {"greedy"}]
    assert [section.name for section in sections if section.name] == ["skill", *both.tables][:-1]
    figures = [section.figure.name for section in sections if section.figure]
    assert len(set(figures)) == len(figures)
    for section in sections:
        if section.name:
            pd.testing.assert_frame_equal(section.table, both.tables[section.name])
        if section.figure:
            draw(section.figure)


def test_one_policy_has_no_skill_table():
    alone = cs.matchups(["2"], games=2, policy=["greedy"])
    assert alone.skill.empty
    assert list(alone.tables) == list(TABLES)


# ---- conclusions, from tables made by hand


def run_of(scores, half_width=0.01, decks=2):
    """Skill table and pool of pairings A-B, A-C, … with given scores on each rung."""
    names = [chr(ord("A") + i) for i in range(decks)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    matchups, pool, first = [], [], []
    for policy, of_policy in scores.items():
        for (a, b), score in zip(pairs, of_policy, strict=True):
            names_of = {"deck_a": a, "deck_b": b, "policy_a": policy, "policy_b": policy, "games": 1000}
            limits = {f"_{side}": sign * half_width for side, sign in (("low", -1), ("high", 1))}
            row = names_of | {"derived": False, "verdict": "undecided", "score_a": score}
            row |= {f"score{end}": score + off for end, off in limits.items()}
            row |= {f"score{end}_all": score + 1.5 * off for end, off in limits.items()}
            row |= {"draw_rate": 0.0, "draw_rate_low": 0.0, "draw_rate_high": 0.002}
            row |= {"turns_mean": 12.0, "turns_mean_low": 11.9, "turns_mean_high": 12.1}
            matchups.append(row)
            first.append(names_of | {"advantage": 0.0, "advantage_low": -0.01, "advantage_high": 0.01})
        for deck in names:
            share = {"score": 0.5, "score_low": 0.49, "score_high": 0.51}
            pool.append(
                {"deck": deck, "policy": policy, "vs_policy": policy, "games": 1, "opponents": 1} | share
            )
    tables = {
        "matchups": pd.DataFrame(matchups),
        "pool": pd.DataFrame(pool),
        "first_player": pd.DataFrame(first),
    }
    rungs = [Rung(policy, policy) for policy in scores]
    return tables | {"skill": skill_table(tables, rungs, names)}, rungs


def test_a_conclusion_flips_from_the_last_policy_that_was_sure_of_the_opposite():
    tables, rungs = run_of({"random": [0.7], "greedy": [0.505], "tactician": [0.3]})
    rows = rows_of(tables["skill"], "score", "A", "B")
    assert rows["conclusion"].tolist() == ["above", "open", "below"]
    assert rows["flips_from"].tolist() == ["", "", "random"]
    answer = skill_answers(tables, rungs)
    assert answer[0].startswith("1 of 1 pairing has another favourite")
    assert (
        "Favourites that surely flip in one step: 0 of 1 from random to greedy, 0 of 1 from greedy"
        in answer[2]
    )
    assert any(sentence.startswith("tactician is the strongest of these policies") for sentence in answer)


def test_the_strongest_is_named_only_if_it_comes_last():
    tables, rungs = run_of({"tactician": [0.7], "random": [0.6]})
    answer = skill_answers(tables, rungs)
    assert not any("strongest" in sentence for sentence in answer)
    assert any("Under every policy alike, 1 of 1: deck A beats deck B (60.0 to 70.0 %)." in s for s in answer)
    assert not any("flips" in sentence for sentence in tables["skill"]["flips_from"])


def test_from_ten_pairings_on_the_ranks_are_correlated():
    scores = np.linspace(0.2, 0.8, 10)
    for other, rank in ((scores, "1.00"), (1 - scores, "-1.00")):
        tables, rungs = run_of({"random": scores, "greedy": other}, decks=5)
        assert f"(rank correlation of the scores {rank})" in " ".join(skill_answers(tables, rungs))
    tables, rungs = run_of({"random": scores[:6], "greedy": scores[:6]}, decks=4)
    assert "correlation" not in " ".join(skill_answers(tables, rungs))


# ---- bad lists


@pytest.mark.parametrize(
    ("policy", "vs_policy", "words"),
    [
        (["greedy", "greedy"], None, "greedy is given twice"),
        ([], None, "policy: none given"),
        (["greedy", "randm"], None, "Did you mean random?"),
        (3, None, "policy is 3; expected a policy or a list"),
        ("greedy", ["random"], "expected a single policy"),
        (["greedy:x.toml"], None, "greedy has no weights"),
    ],
)
def test_bad_lists_of_policies_are_named(policy, vs_policy, words):
    with pytest.raises(InputError, match=words.replace("?", r"\?")):
        plan_matchups(["2"], games=2, policy=policy, vs_policy=vs_policy)
