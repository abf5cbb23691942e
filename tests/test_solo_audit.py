"""What options of solo settings are worth, on sweeps whose truth is known."""

import numpy as np
import pandas as pd
import pytest
from auditkit import FLAT, PRICES, UNEQUAL, options_of, settings, sweep, true_points, truth_of
from scipy.special import expit

from clashsim.experiments.audit_cells import cells_of
from clashsim.experiments.audit_findings import findings
from clashsim.experiments.audit_options import options_table, price_verdict
from clashsim.experiments.audit_skill import headline
from clashsim.experiments.solo_audit import audit, ends_table

# ---- options


def test_effects_and_prices_are_recovered_and_their_intervals_cover_the_truth():
    """30 sweeps, 16 comparisons in each, which are correlated: the share of intervals that cover is near 95 %."""
    slope = np.polyfit(settings()["points"], true_points(settings(), UNEQUAL), 1)[0]
    rows = []
    for seed in range(30):
        found = options_table(cells_of(*sweep(40, seed, UNEQUAL, per_point=-0.5, start=0.5)))
        rows.append(found[found["outcome"] != "ai_cards_left"])
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
    found = found[found["outcome"] == "win"]
    assert found["price_verdict"].eq("not convertible").mean() > 0.9
    unknown = found["price_verdict"] == "not convertible"
    assert found.loc[unknown, "suggested"].isna().all()
    assert found["effect"].notna().all()


@pytest.mark.parametrize(
    ("low", "high", "printed", "verdict"),
    [
        (0.8, 1.2, 1, "fair"),
        (1.1, 1.4, 1, "fair"),
        (1.1, 1.6, 1, "undecided"),
        (1.6, 2.6, 1, "too cheap"),
        (0.2, 0.9, 1, "undecided"),
        (0.1, 0.4, 1, "too dear"),
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
def test_of_a_deck_that_always_loses_or_wins_nothing_is_concluded(start, mark):
    starts = {("greedy", "1"): 1.0, ("greedy", "2"): start}
    tables = audit(*sweep(40, 9, start=starts, decks=["1", "2"]))
    lost = options_of(tables["solo_options"], deck="2")
    assert lost["price_verdict"].eq("too few settings").all()
    assert lost[["effect", "suggested", "point_worth"]].isna().all(axis=None)
    by_cards = options_of(tables["solo_options"], "ai_cards_to_go", "2")
    assert by_cards["price_verdict"].eq("by wins only").all()
    assert by_cards[["effect", "suggested", "point_worth"]].notna().all(axis=None)
    assert set(headline(tables["solo_options"])["outcome"]) == {"win"}
    levels = tables["solo_levels"].query("deck == '2'")
    assert (levels[mark] == levels["cells"]).all()
    assert levels["than_below"].iloc[1:].eq("undecided").all()
    assert (levels["to_go_difference_low"].iloc[2:9] > 0).all()
    assert (levels["win_rate_high"] > levels["win_rate_low"]).all()
    assert tables["solo_interactions"].query("deck == '2'").empty
    neighbours = tables["solo_neighbours"].query("deck == '2'")
    assert (neighbours["at_the_end"] == neighbours["neighbours"]).all()
    answer = " ".join(findings(tables).answer)
    assert "Too few are left with deck 2 to judge prices with it." in answer
    assert "nan" not in answer


def test_nothing_but_losses_breaks_nothing():
    frame, counts = sweep(40, 10, start=-40)
    counts["ai_cards_left"][:] = counts["ai_cards_to_go"][:] = 24
    tables = audit(frame, counts)
    assert options_of(tables["solo_options"])["price_verdict"].eq("too few settings").all()
    assert not tables["solo_neighbours"]["inverted"].any()
    assert tables["solo_levels"]["than_below"].iloc[1:].eq("undecided").all()
    assert "nan" not in " ".join(findings(tables).answer)
