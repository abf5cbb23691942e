"""The price audit of solo settings on sweeps whose truth is known."""

import numpy as np
import pandas as pd
import pytest
from auditkit import BLOCKS, PRICES, settings, sweep, true_points
from scipy.special import expit

from clashsim.errors import InputError
from clashsim.experiments.audit_cells import cells_of
from clashsim.experiments.audit_columns import AUDIT_COLUMNS
from clashsim.experiments.audit_findings import QUESTION, findings, strongest
from clashsim.experiments.audit_interactions import interactions_table
from clashsim.experiments.audit_levels import levels_table
from clashsim.experiments.audit_neighbours import counts_table, inversions_table, neighbours_table
from clashsim.experiments.audit_options import options_table, price_verdict
from clashsim.experiments.audit_skill import headline
from clashsim.experiments.columns import dictionary
from clashsim.experiments.solo_audit import TABLES, audit, ends_table
from clashsim.reporting.plots import draw
from clashsim.reporting.tables import format_table

UNEQUAL = PRICES | {
    "variable": {1: 0, 2: 4},
    "first": {"player": 0, "ai": -1},
    "bastion": {True: 0, False: -3},
}
FLAT = {option: dict.fromkeys(levels, 0) for option, levels in PRICES.items()}


def truth_of(row, truth):
    """What a row's level is truly worth over its base, in points."""
    by_word = {
        {True: "yes", False: "no"}.get(level, level) if isinstance(level, bool) else str(level): points
        for level, points in truth[row["option"]].items()
    }
    return by_word[row["level"]] - by_word[row["base"]]


def options_of(tables, outcome="win", deck="1"):
    rows = tables[(tables["outcome"] == outcome) & (tables["deck"] == deck)]
    return rows.assign(key=rows["option"] + " " + rows["base"] + " " + rows["level"]).set_index("key")


@pytest.fixture(scope="module")
def two_policies():
    """Two decks; under greedy all points are worth the same, under planner they are not, and a pair interacts."""
    fair = sweep(120, 1, policies=["greedy"], decks=["1", "2"])
    together = {("bastion", False, "resistance", True): 2}
    unequal = sweep(120, 2, UNEQUAL, policies=["planner"], decks=["1", "2"], together=together)
    frame = pd.concat([fair[0], unequal[0]], ignore_index=True)
    return audit(frame, {name: np.concatenate([fair[1][name], unequal[1][name]]) for name in fair[1]})


# ---- options


def test_effects_and_prices_are_recovered_and_their_intervals_cover_the_truth():
    """30 sweeps, 16 comparisons in each, which are correlated: the share of intervals that cover is near 95 %."""
    slope = np.polyfit(settings()["points"], true_points(settings(), UNEQUAL), 1)[0]
    rows = []
    for seed in range(30):
        found = options_table(cells_of(*sweep(40, seed, UNEQUAL, per_point=-0.5, start=0.5)))
        rows.append(found[found["outcome"] != "cards_left"])
    found = pd.concat(rows)
    worth = found.apply(truth_of, axis=1, truth=UNEQUAL)
    win = (found["outcome"] == "win").to_numpy()
    for name, truth in (
        ("logit", -0.5 * worth.where(win)),
        ("effect", 0.8 * worth.where(~win)),
        ("suggested", worth / slope),
    ):
        known = truth.notna()
        inside = (found[f"{name}_low"] <= truth) & (truth <= found[f"{name}_high"])
        assert 0.91 <= inside[known].mean() <= 0.98
        np.testing.assert_allclose(
            found[name][known].groupby(truth[known]).mean(), sorted(truth[known].unique()), atol=0.13
        )


def test_the_effect_on_the_win_rate_is_the_average_over_the_settings():
    frame = settings()
    found = options_of(options_table(cells_of(*sweep(400, 3, start=1.5))))
    worth = true_points(frame, PRICES)
    chances = {}
    for level, points in PRICES["fixed"].items():
        others = worth - frame["fixed"].map(PRICES["fixed"])
        chances[level] = expit(1.5 - 0.5 * (others + points)).mean()
    row = found.loc["fixed 6 10"]
    assert row["effect_low"] < chances[10] - chances[6] < row["effect_high"]
    assert row["effect_high"] - row["effect_low"] < 0.06


@pytest.mark.parametrize("games", [40, 100])
def test_where_every_point_is_worth_the_same_no_price_is_wrong(games):
    verdicts = []
    for seed in range(10):
        found = options_table(cells_of(*sweep(games, seed)))
        verdicts += found.loc[found["outcome"] == "win", "price_verdict"].tolist()
    counts = pd.Series(verdicts).value_counts()
    assert set(counts.index) <= {"fair", "undecided", "too cheap", "too dear"}
    assert (
        counts.get("too cheap", 0) + counts.get("too dear", 0) <= 2
    )  # of 160; 5 % of ten sweeps may have some
    assert counts["fair"] > (60 if games == 40 else 130)


def test_wrong_prices_are_named_in_the_right_direction(two_policies):
    options = two_policies["solo_options"]
    found = options_of(options[options["policy"] == "planner"], deck="ALL")["price_verdict"]
    assert found["variable 1 2"] == "too cheap"  # much harder than its two points say
    assert found["first player ai"] == "too dear"  # easier, for a point more
    assert options_of(options[options["policy"] == "greedy"], deck="ALL")["price_verdict"].eq("fair").all()


def test_printed_prices_are_those_of_the_points_and_the_arabic_text_differs_in_one():
    found = options_of(options_table(cells_of(*sweep(40, 4))))
    assert found["printed"].tolist() == found.apply(truth_of, axis=1, truth=PRICES).tolist()
    differs = found["printed"] != found["printed_arabic"]
    assert found[differs].index.tolist() == ["bastion yes no"]
    assert found.loc["bastion yes no", ["printed", "printed_arabic"]].tolist() == [-1, 1]
    assert found.loc["bastion yes no", "price_verdict_arabic"] == "too dear"


def test_by_the_arabic_prices_a_sweep_without_bastion_is_judged_by_its_own_points():
    arabic = PRICES | {"bastion": {True: 0, False: 1}}
    found = options_of(options_table(cells_of(*sweep(200, 5, arabic, start=0.5))))
    assert found["price_verdict_arabic"].eq("fair").all()
    assert found.loc["bastion yes no", "price_verdict"] == "too cheap"


def test_steps_of_fixed_mana_add_up():
    found = options_of(options_table(cells_of(*sweep(40, 6))))
    steps = found.loc[["fixed 6 7", "fixed 7 8", "fixed 8 9", "fixed 9 10"], "logit"]
    assert steps.sum() == pytest.approx(found.loc["fixed 6 10", "logit"], abs=1e-5)


def test_points_that_do_nothing_convert_nothing():
    found = options_table(cells_of(*sweep(40, 7, FLAT)))
    assert found["price_verdict"].eq("not convertible").mean() > 0.9
    unknown = found["price_verdict"] == "not convertible"
    assert found.loc[unknown, "suggested"].isna().all()
    assert found["effect"].notna().all()


@pytest.mark.parametrize(
    ("low", "high", "printed", "verdict"),
    [
        (0.8, 1.2, 1, "fair"),
        (1.1, 1.4, 1, "fair"),
        (1.1, 1.6, 1, "too cheap"),
        (0.2, 0.9, 1, "too dear"),
        (0.2, 1.2, 1, "undecided"),
        (-2.9, -2.1, -1, "too dear"),
        (-0.4, 0.1, -1, "too cheap"),
        (np.nan, np.nan, 1, "not convertible"),
    ],
)
def test_verdicts_on_prices(low, high, printed, verdict):
    assert price_verdict(low, high, printed) == verdict


# ---- floor and ceiling


def test_settings_on_the_floor_are_marked_and_left_out():
    cells = cells_of(*sweep(400, 8, start=-1))
    rates = expit(-1 - 0.5 * true_points(settings(), PRICES))
    floor = cells.frame["mark"] == "floor"
    assert floor[rates < 0.015].mean() > 0.9
    assert not floor[rates > 0.03].any()
    found = options_of(options_table(cells))
    assert (found["cells"] == (~floor).sum()).all()
    assert ends_table(cells).iloc[0][["cells", "floor", "ceiling"]].tolist() == [480, floor.sum(), 0]


def test_leaving_out_the_floor_does_not_bend_the_effects_where_games_are_few():
    slopes = [
        options_table(cells_of(*sweep(40, seed, start=-1)))["point_logit"].dropna().iloc[0]
        for seed in range(20)
    ]
    error = np.std(slopes) / np.sqrt(len(slopes))
    assert abs(np.mean(slopes) + 0.5) < 0.04 + 2 * error


@pytest.mark.parametrize(("start", "mark"), [(-30, "floor"), (30, "ceiling")])
def test_a_deck_that_always_loses_or_wins_is_told_by_cards(start, mark):
    starts = {("greedy", "1"): 1.0, ("greedy", "2"): start}
    tables = audit(*sweep(40, 9, start=starts, decks=["1", "2"]))
    lost = options_of(tables["solo_options"], deck="2")
    assert lost["price_verdict"].eq("too few settings").all()
    assert lost[["effect", "suggested", "point_worth"]].isna().all(axis=None)
    by_cards = options_of(tables["solo_options"], "cards_to_go", "2")
    assert by_cards["price_verdict"].isin(["fair", "undecided"]).all()
    assert by_cards["price_verdict"].eq("fair").sum() > 10
    assert set(headline(tables["solo_options"]).query("deck == '2'")["outcome"]) == {"cards_to_go"}
    levels = tables["solo_levels"].query("deck == '2'")
    assert (levels[mark] == levels["cells"]).all()
    assert levels["judged_by"].iloc[1:].eq("cards_to_go").all()
    assert levels["than_below"].iloc[1:].eq("harder").sum() > 8
    assert (levels["win_rate_high"] > levels["win_rate_low"]).all()
    pairs = tables["solo_interactions"].query("deck == '2'")
    assert pairs["outcome"].eq("cards_to_go").all()
    neighbours = tables["solo_neighbours"].query("deck == '2'")
    assert (neighbours["by_cards"] == neighbours["neighbours"]).all()
    answer = " ".join(findings(tables).answer)
    assert "Too few are left with deck 2" in answer
    assert "nan" not in answer


def test_nothing_but_losses_breaks_nothing():
    frame, counts = sweep(40, 10, start=-40)
    counts["cards_left"][:] = counts["cards_to_go"][:] = 24
    tables = audit(frame, counts)
    assert tables["solo_options"]["price_verdict"].isin(["too few settings", "not convertible"]).all()
    assert not tables["solo_neighbours"]["inverted"].any()
    assert tables["solo_levels"]["than_below"].iloc[1:].eq("undecided").all()
    assert "nan" not in " ".join(findings(tables).answer)


# ---- neighbours


def test_all_neighbours_are_compared_the_dearer_one_with_the_cheaper():
    cells = cells_of(*sweep(40, 11))
    neighbours = neighbours_table(cells)
    counts = neighbours.groupby("option").size()
    expected = {
        "variable": 240,
        "fixed": 384,
        "first": 240,
        "bastion": 240,
        "resistance": 240,
        "ability": 400,
    }
    assert counts.to_dict() == expected
    assert (neighbours["dearer_points"] > neighbours["points"]).all()
    assert set(neighbours.query("option == 'bastion'")["dearer"]) == {"yes"}
    row = neighbours.query("option == 'fixed' and cheaper == '8'").iloc[0]
    same = (
        cells.frame[["variable", "first", "bastion", "resistance", "ability"]]
        .eq(row[["variable", "first", "bastion", "resistance", "ability"]])
        .all(axis=1)
    )
    rate = cells.mean("win")[0]
    assert row["dearer_value"] == rate[same & (cells.frame["fixed"] == "9")][0]
    assert row["cheaper_value"] == rate[same & (cells.frame["fixed"] == "8")][0]
    assert row["easier_by"] == pytest.approx(row["dearer_value"] - row["cheaper_value"])


@pytest.mark.parametrize("games", [40, 100])
def test_where_points_do_nothing_next_to_no_inversion_is_found(games):
    """All orders are true by chance only: Benjamini-Hochberg allows a find in 5 % of the sweeps."""
    with_finds = 0
    for seed in range(20):
        neighbours = neighbours_table(cells_of(*sweep(games, seed, FLAT, start=-0.5)))
        with_finds += (neighbours["order"] == "inverted").any()
        assert 0.3 < (neighbours["easier_by"] > 0).mean() < 0.6
    assert with_finds <= 4


def test_where_points_are_worth_the_same_there_is_no_inversion():
    for seed in range(5):
        neighbours = neighbours_table(cells_of(*sweep(100, seed)))
        assert not (neighbours["order"] == "inverted").any()
        assert (neighbours["order"] == "in order").mean() > 0.3


def test_a_planted_inversion_is_found_where_it_is():
    together = {
        ("bastion", False, "first", "ai"): -4
    }  # with both, the AI's start makes it easier by three points
    neighbours = neighbours_table(cells_of(*sweep(400, 12, start=0.5, together=together)))
    truly = (neighbours["option"] == "first") & (neighbours["bastion"] == "no")
    inverted = neighbours["order"] == "inverted"
    assert inverted[truly].mean() > 0.9
    assert (inverted & ~truly).sum() <= 0.1 * inverted.sum()
    table = inversions_table(neighbours)
    assert (table["easier_by"] > 0).all()
    assert table["p_adjusted"].is_monotonic_increasing
    counts = counts_table(neighbours).set_index("option")
    assert counts.loc["first", "inverted"] == inverted[truly].sum()


def test_both_on_the_floor_are_compared_by_cards():
    truth = PRICES | {"first": {"player": 0, "ai": -1}}
    neighbours = neighbours_table(cells_of(*sweep(200, 13, truth, start=-2)))
    by_cards = neighbours[neighbours["outcome"] == "cards_to_go"]
    assert len(by_cards) > 100
    wrong = by_cards[by_cards["option"] == "first"]
    assert (wrong["order"] == "inverted").mean() > 0.5
    assert (wrong["easier_by"] > 0).mean() > 0.9


# ---- levels


def test_prices_that_mean_difficulty_are_in_order_and_have_no_spread():
    levels = levels_table(cells_of(*sweep(400, 14, start=1.5)))
    assert levels["points"].tolist() == list(range(-1, 11))
    assert dict(zip(levels["points"], levels["level"], strict=True))[4] == "Heroic"
    assert levels["than_below"].iloc[2:9].eq("harder").all()
    assert levels["spread"].max() < 0.02
    assert levels["settings"].sum() == 480
    truth = expit(1.5 - 0.5 * levels["points"])
    assert ((levels["win_rate_low"] < truth) & (truth < levels["win_rate_high"])).mean() > 0.7


def test_the_spread_of_settings_is_told_without_chance():
    cells = cells_of(*sweep(400, 15, UNEQUAL, start=1))
    frame = settings()
    chances = pd.Series(expit(1 - 0.5 * true_points(frame, UNEQUAL)))
    expected = chances.groupby(frame["points"]).std()
    found = levels_table(cells).set_index("points")["spread"]
    np.testing.assert_allclose(found.loc[1:9], expected.loc[1:9], atol=0.012)


def test_a_price_that_is_easier_than_the_one_below_is_named():
    frame = settings()
    truth = {"variable": {1: 0, 2: -2}, "fixed": dict.fromkeys(range(6, 11), 0)}
    found = levels_table(cells_of(*sweep(100, 16, FLAT | truth, frame=frame, start=0)))
    assert "easier" in set(found["than_below"])
    assert "harder" not in set(found["than_below"])


def test_the_mean_over_decks_counts_each_alike():
    starts = {("greedy", "1"): 2.0, ("greedy", "2"): 0.0}
    levels = levels_table(cells_of(*sweep(40, 17, start=starts, decks=["1", "2"])))
    by_deck = levels.pivot(index="points", columns="deck", values="win_rate")
    np.testing.assert_allclose(by_deck["ALL"], by_deck[["1", "2"]].mean(axis=1), atol=1e-5)
    everything = levels[levels["deck"] == "ALL"]
    assert (everything["cells"] == 2 * everything["settings"]).all()


# ---- interactions


def test_a_pair_that_does_more_than_its_sum_is_found_and_hardly_any_other():
    together = {("bastion", False, "resistance", True): 2}
    pairs = interactions_table(cells_of(*sweep(100, 18, start=1.5, together=together)))
    assert len(pairs) == 35
    sure = pairs[pairs["p_adjusted"] < 0.05]
    names = list(zip(sure["level"], sure["other_level"], sure["pair_verdict"], sure["matters"], strict=True))
    assert names[:1] == [("no", "yes", "harder together", True)]
    assert len(names) <= 2
    row = sure.iloc[0]
    assert row["together_low"] < -1.0 < row["together_high"]
    assert 1 < row["in_points_low"] < row["in_points_high"] < 3


def test_without_interactions_next_to_none_is_found():
    with_finds = [
        (interactions_table(cells_of(*sweep(40, seed)))["p_adjusted"] < 0.05).any() for seed in range(8)
    ]
    assert sum(with_finds) <= 2  # in 5 % of the sweeps one may be


# ---- skill and the report


def test_verdicts_that_flip_between_policies_are_named(two_policies):
    skill = two_policies["solo_skill"]
    flips = skill[skill["flips_from"] != ""]
    assert set(flips["policy"]) == {"planner"}
    prices = set(flips.query("what == 'price of an option' and deck == 'ALL'")["item"])
    assert {"variable 1 to 2", "first player to ai"} <= prices
    answer = " ".join(findings(two_policies).answer)
    assert "first player to ai fair under greedy, too dear under planner" in answer
    alone = audit(*sweep(40, 19))
    assert alone["solo_skill"].empty
    assert "flip" not in " ".join(findings(alone).answer)


def test_the_report_answers_the_question_first(two_policies):
    found = findings(two_policies)
    assert found.question == QUESTION
    first = found.answer[0]
    assert first.startswith("Under planner, over both decks: ")
    assert "harder than the one below" in first
    assert "too cheap" in first
    starts = [
        "Variable mana 2 (+2)",
        "Fixed mana: ",
        "The AI starts (+1)",
        "No Bastion (-1)",
        "Resistance (+2)",
    ]
    for words in [*starts, "An ability for all"]:
        assert sum(sentence.startswith(words) for sentence in found.answer) == 1
    assert any("no Bastion with resistance" in sentence for sentence in found.answer)
    assert strongest(["planner", "greedy"]) == "planner"
    assert strongest(["mine.py:choose", "other.py:choose"]) == "other.py:choose"


def test_every_table_is_shown_and_every_figure_drawn(two_policies):
    assert tuple(two_policies) == TABLES
    sections = findings(two_policies).sections
    assert [section.name for section in sections if section.name] == list(TABLES)
    for section in sections:
        if section.name:
            pd.testing.assert_frame_equal(section.table, two_policies[section.name])
            heading, rows, _ = format_table(section)
            assert rows
            assert all(len(row) == len(heading) for row in rows)
    figures = [section.figure for section in sections if section.figure]
    assert len({figure.name for figure in figures}) == len(figures) == 6
    for figure in figures:
        assert draw(figure).axes


def test_every_column_is_explained(two_policies):
    known = set(dictionary()) | {name.replace("_low", "_high") for name in AUDIT_COLUMNS} | set(AUDIT_COLUMNS)
    for table in two_policies.values():
        assert set(table.columns) <= known


# ---- input


def test_the_order_of_the_cells_does_not_matter():
    frame, counts = sweep(40, 20)
    order = np.random.default_rng(0).permutation(len(frame))
    one = audit(frame, counts)
    other = audit(frame.iloc[order], {name: sums[order] for name, sums in counts.items()})
    for name in ("solo_levels", "solo_options", "solo_neighbours"):
        pd.testing.assert_frame_equal(one[name], other[name], atol=2e-6)


def test_cells_and_blocks_without_games_are_left_out():
    frame, counts = sweep(40, 21)
    played = {name: sums.copy() for name, sums in counts.items()}
    for sums in played.values():
        sums[7] = 0
        sums[:, BLOCKS - 5 :] = 0
    cells = cells_of(frame, played)
    assert len(cells.frame) == 479
    assert cells.games.shape == (BLOCKS - 5 + 1, 479)
    assert options_table(cells)["effect"].notna().all()


def test_part_of_the_settings_is_enough():
    frame = settings(ability=("none", "rage"), fixed=(6, 8))
    tables = audit(*sweep(100, 22, frame=frame, start=1))
    found = options_of(tables["solo_options"])
    assert {"fixed 6 8", "ability none rage"} <= set(found.index)
    assert not any("7" in key or "splash" in key for key in found.index)
    assert findings(tables).answer


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda frame, counts: (frame, counts | {"wins": counts["wins"][:, 1:]}), "wins has the shape"),
        (lambda frame, counts: (frame.iloc[1:], counts), "games has the shape"),
        (
            lambda frame, counts: (frame.assign(ability="splosh"), counts),
            "ability is splosh. Did you mean splash",
        ),
        (lambda frame, counts: (frame.assign(fixed=11), counts), "fixed is 11"),
        (
            lambda frame, counts: (frame, {name: 0 * sums for name, sums in counts.items()}),
            "no cell has games",
        ),
    ],
)
def test_bad_sweeps_are_refused(change, words):
    with pytest.raises(InputError, match=words):
        cells_of(*change(*sweep(40, 23, frame=settings().head(10))))
