"""What cards are worth, in sentences, tables and figures."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from clashsim.experiments.card_tables import APART, FALSE_FINDS, STRONG, TOGETHER, WEAK
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.experiments.words import count, difference, slug

Tables = Mapping[str, pd.DataFrame]

MOST_NAMED = 3
MOST_SHOWN = 20
MOST_SWAPS = 5  # of a deck, that the page shows


def findings(tables: Tables, two_kits: bool) -> Findings:
    """Return the report of a run of random decks."""
    values = tables["card_values"]
    policies = list(dict.fromkeys(values["policy"]))
    return Findings(
        title=f"What each card is worth, played by {', '.join(policies)}",
        question="Which cards make a deck win, whatever else is in it?",
        answer=[
            *(sentence for policy in policies for sentence in _answers(tables, policy)),
            *_skill_sentences(values, policies),
        ],
        sections=[
            _values_section(values, policies, two_kits),
            *_cost_sections(values, policies),
            *_synergy_sections(tables["card_synergies"], policies),
            _swaps_section(tables["card_swaps"]),
        ],
    )


def _answers(tables: Tables, policy: str) -> list[str]:
    values, pairs, swaps = (
        tables[name][tables[name]["policy"] == policy]
        for name in ("card_values", "card_synergies", "card_swaps")
    )
    best, worst = values.head(MOST_NAMED), values.tail(MOST_NAMED).iloc[::-1]
    named = [
        ", ".join(f"{row['card']} {difference(row, 'value', end='_all')}" for _, row in rows.iterrows())
        for rows in (best, worst)
    ]
    verdicts, with_cost = values["value_verdict"].value_counts(), _correlation(values, "cost")
    told = [
        f"Under {policy}, in percentage points that a deck with the card scores above 50 % against one without: the "
        f"best are {named[0]}; the worst {named[1]}.",
        f"Under {policy}, {verdicts.get(STRONG, 0)} of {count(len(values), 'card')} are surely worth more than the "
        f"mean of the others, {verdicts.get(WEAK, 0)} surely less; the correlation of worth and printed cost is "
        f"{with_cost:+z.2f}.",
        _synergy_sentence(pairs, policy),
        *_swap_sentences(swaps, policy),
    ]
    return told


def _correlation(values: pd.DataFrame, with_column: str) -> float:
    if values[with_column].nunique() < 2 or values["value"].nunique() < 2:
        return 0.0
    return float(np.corrcoef(values[with_column], values["value"])[0, 1])


def _synergy_sentence(pairs: pd.DataFrame, policy: str) -> str:
    sure = pairs[pairs["synergy_verdict"].isin((TOGETHER, APART))]
    if sure.empty:
        return f"Under {policy}, none of {count(len(pairs), 'pair')} of cards is surely worth other than its sum."
    ends = sure.sort_values("synergy", ascending=False, kind="stable")
    named = [
        f"{row['card']} with {row['other_card']} {difference(row, 'synergy')}"
        for _, row in pd.concat([ends.head(1), ends.tail(1)]).drop_duplicates().iterrows()
    ]
    return (
        f"Under {policy}, {len(sure)} of {count(len(pairs), 'pair')} of cards surely do more or less together than "
        f"their sum (at most {100 * FALSE_FINDS:.0f} % of such finds are false), from {' to '.join(named)}."
    )


def _swap_sentences(swaps: pd.DataFrame, policy: str) -> list[str]:
    told = []
    for deck, rows in swaps.groupby("deck", sort=False):
        row = rows.iloc[0]
        if row["gain_low_all"] > 0:
            told.append(
                f"deck {deck} by {row['into']} for {row['out']}, {difference(row, 'gain', end='_all')}"
            )
    if not told:
        return []
    return [
        f"Under {policy}, single swaps that promise most, by the cards' values in random decks: {'; '.join(told)}. "
        "clashsim whatif --swap measures them in the deck itself."
    ]


def _skill_sentences(values: pd.DataFrame, policies: Sequence[str]) -> list[str]:
    """Tell how far the ranking is another from policy to policy."""
    if len(policies) < 2:
        return []
    from scipy.stats import spearmanr  # slow to import

    by_policy = values.pivot(index="card", columns="policy", values="value")
    verdicts = values.pivot(index="card", columns="policy", values="value_verdict")
    told = []
    for before, after in pairwise(policies):
        rank = float(spearmanr(by_policy[before], by_policy[after]).statistic)
        flips = verdicts[
            ((verdicts[before] == STRONG) & (verdicts[after] == WEAK))
            | ((verdicts[before] == WEAK) & (verdicts[after] == STRONG))
        ].index.tolist()
        named = f": {', '.join(flips)}" if flips else ""
        told.append(
            f"From {before} to {after} the cards' values have a rank correlation of {rank:+z.2f}; "
            f"{count(len(flips), 'card')} change{'s' if len(flips) == 1 else ''} sides for sure{named}."
        )
    return told


def _values_section(values: pd.DataFrame, policies: Sequence[str], two_kits: bool) -> Section:
    kits = "each from a kit of its own" if two_kits else "both from one kit"
    columns = ["value_first", "value_second", "score_played"]
    shown = values.assign(value=[difference(row, "value", end="_all") for _, row in values.iterrows()])
    return Section(
        heading="Cards",
        sentences=[
            f"Every game has decks of its own, dealt at random, {kits}. Value: score of decks with the card against "
            "decks without it, less 50 %, in percentage points: chance decides who has it, so this is what it does, "
            "against the mean of the other cards. The interval holds for all cards of a policy together (Bonferroni, "
            "95 %): the verdict is read off it. First, second: the value if the deck goes first or second.",
            "Played: share of these games in which the deck played the card. Score played: of the games in which the "
            "card was played, observed and biased: cards that are played late or only when ahead look better than they "
            "are.",
        ],
        table=values,
        name="card_values",
        shown=shown,
        columns={
            **({"policy": "text"} if len(policies) > 1 else {}),
            "rank": "count",
            "card": "text",
            "cost": "count",
            "value": "text",
            "value_verdict": "text",
            **{name: "points" if name.startswith("value") else "percent" for name in columns},
            "played": "percent",
            "games": "count",
        },
        figure=_value_figure(values, policies),
        main=True,
    )


def _value_figure(values: pd.DataFrame, policies: Sequence[str]) -> FigureSpec:
    label = "percentage points above 50 % (intervals that hold together, 95 %)"
    last = values[values["policy"] == policies[-1]]
    if len(policies) == 1:
        data = {
            "labels": last["card"].tolist(),
            **{end: 100 * last[f"value{limit}"].to_numpy(float) for end, limit in _LIMITS.items()},
            "x_label": label,
            "reference": 0.0,
            "percent": False,
        }
        return FigureSpec("whiskers", "card_values", "What each card is worth in random decks", data)
    order = last["card"].tolist()
    data = {"labels": order, "series": list(policies), "x_label": label, "reference": 0.0, "percent": False}
    for end, limit in _LIMITS.items():
        table = values.pivot(index="card", columns="policy", values=f"value{limit}")
        data[end] = 100 * table.loc[order, list(policies)].to_numpy(float)
    return FigureSpec("series", "card_values", "What each card is worth in random decks, by policy", data)


_LIMITS = {"values": "", "lows": "_low_all", "highs": "_high_all"}


def _cost_sections(values: pd.DataFrame, policies: Sequence[str]) -> list[Section]:
    made = []
    for policy in policies:
        rows = values[values["policy"] == policy]
        data = {
            "labels": rows["card"].tolist(),
            "across": rows["cost"].to_numpy(float),
            **{end: 100 * rows[f"value{limit}"].to_numpy(float) for end, limit in _LIMITS.items()},
            "x_label": "printed cost (mana)",
            "y_label": "value (percentage points)",
            "logarithmic": False,
        }
        name = f"card_costs_{slug(policy)}"
        made.append(
            Section(
                f"Worth and cost, {policy}",
                figure=FigureSpec("scatter", name, f"What cards are worth by their cost: {policy}", data),
            )
        )
    return made


def _synergy_sections(pairs: pd.DataFrame, policies: Sequence[str]) -> list[Section]:
    sure = pairs[pairs["synergy_verdict"].isin((TOGETHER, APART))]
    shown = sure.assign(synergy=[difference(row, "synergy") for _, row in sure.iterrows()])
    shown = shown.groupby("policy", sort=False).head(MOST_SHOWN)
    figures = [_matrix(pairs[pairs["policy"] == policy], policy) for policy in policies]
    first = Section(
        heading="Pairs of cards",
        sentences=[
            "Synergy: by how much a deck with both scores more, in percentage points, than the sum of what each is "
            "worth with other partners, against decks with neither. Shown are the surest of those that are surely not "
            f"0, with at most {100 * FALSE_FINDS:.0f} % false finds (Benjamini-Hochberg)."
        ],
        table=pairs,
        name="card_synergies",
        shown=shown,
        columns={
            **({"policy": "text"} if len(policies) > 1 else {}),
            "card": "text",
            "other_card": "text",
            "synergy": "text",
            "p_adjusted": "number",
            "synergy_verdict": "text",
            "games": "count",
        },
    )
    return [first, *(Section(figure.title, figure=figure) for figure in figures)]


def _matrix(pairs: pd.DataFrame, policy: str) -> FigureSpec:
    cards = sorted({*pairs["card"], *pairs["other_card"]})
    places = {card: place for place, card in enumerate(cards)}
    matrix = np.full((len(cards), len(cards)), np.nan)
    one, other = (pairs[name].map(places).to_numpy() for name in ("card", "other_card"))
    matrix[one, other] = matrix[other, one] = pairs["synergy"]
    data = {
        "matrix": matrix,
        "half_widths": np.full(matrix.shape, np.nan),
        "row_labels": cards,
        "column_labels": cards,
        "colour_label": "synergy",
        "centre": 0.0,
        "span": max(float(np.nanmax(np.abs(matrix))), 0.001) if np.isfinite(matrix).any() else 0.01,
        "numbers": False,
    }
    return FigureSpec(
        "heatmap", f"card_synergies_{slug(policy)}", f"Synergies of pairs of cards: {policy}", data
    )


def _swaps_section(swaps: pd.DataFrame) -> Section:
    shown = swaps.groupby(["policy", "deck"], sort=False).head(MOST_SWAPS) if len(swaps) else swaps
    return Section(
        heading="Swaps that promise most",
        sentences=[
            "Gain: what the deck would score more, by the values of both cards in random decks, in percentage points "
            "(their difference less a part, as values are against the mean of the others); intervals hold for all "
            f"swaps of a deck. Shown are the {MOST_SWAPS} best of each deck. In the deck itself it may be another: "
            "clashsim whatif --swap measures it."
        ],
        table=swaps,
        name="card_swaps",
        shown=shown.assign(gain=[difference(row, "gain", end="_all") for _, row in shown.iterrows()]),
        columns={
            **({"policy": "text"} if swaps["policy"].nunique() > 1 else {}),
            "deck": "text",
            "out": "text",
            "into": "text",
            "gain": "text",
        },
    )
