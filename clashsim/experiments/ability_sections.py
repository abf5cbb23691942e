"""What a run of abilities found, in tables and figures."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from clashsim.clash.abilities import ABILITIES
from clashsim.experiments.ability_bodies import NONE
from clashsim.experiments.ability_choice import FALSE_FINDS, SCREENED
from clashsim.experiments.ability_layout import ALL
from clashsim.experiments.price_tables import NEAR, NOT_CONVERTIBLE
from clashsim.experiments.result import FigureSpec, Format, Section
from clashsim.experiments.words import difference, slug

Tables = Mapping[str, pd.DataFrame]

MOST_SHOWN = 8  # sets of a body, from either end
LABELLED = 5  # points of a figure, from either end
_LIMITS = {"values": "", "lows": "_low_all", "highs": "_high_all"}


def sections(tables: Tables, policies: Sequence[str]) -> list[Section]:
    """Return the sections of the report."""
    return [
        *_effect_sections(tables["ability_effects"], policies),
        *_subset_sections(tables["ability_subsets"], policies),
        *_interaction_sections(tables["ability_interactions"], policies),
        *_card_sections(tables["ability_cards"], policies),
        *_solo_sections(tables["ability_solo"], policies),
    ]


def mana_words(row: pd.Series, name: str) -> str:
    """Write a number of mana with the limits that its verdict is read off."""
    low, high = row[f"{name}_low_all"], row[f"{name}_high_all"]
    return NOT_CONVERTIBLE if pd.isna(low) else f"{row[name]:z.2f} ({low:z.2f} to {high:z.2f})"


def played_again(subsets: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of sets of abilities that do not rest on the screening alone.

    Of those that do, the best and the worst owe it to luck: no more is said of them than their rows in the table.
    """
    return subsets[(subsets["source"] != SCREENED) & (subsets["subset"] != NONE)]


def _policy(policies: Sequence[str]) -> dict[str, Format]:
    return {"policy": "text"} if len(policies) > 1 else {}


def _shown(rows: pd.DataFrame, **ends: str) -> pd.DataFrame:
    """Write differences with their limits, and mana where there is any."""
    written = {
        name: [difference(row, name, end=end) for _, row in rows.iterrows()] for name, end in ends.items()
    }
    if "measured" in rows:
        written["measured"] = [mana_words(row, "measured") for _, row in rows.iterrows()]
    return rows.assign(**written)


def _figures(first: Section, figures: Sequence[FigureSpec]) -> list[Section]:
    return [first, *(Section(figure.title, figure=figure) for figure in figures)]


def _effect_sections(effects: pd.DataFrame, policies: Sequence[str]) -> list[Section]:
    first = Section(
        heading="Abilities and auras one by one",
        sentences=[
            "The body takes the place of cards of the decks in turn, plain and with each ability or aura, in the same "
            "games. Lift: what the deck scores more with it than with the plain body, in percentage points; the "
            "interval holds for all of a body together (Bonferroni, 95 %). On average: the same over all sets of the "
            "other abilities (games of the screening, with all sets).",
            "Measured: the lift over what one mana less is worth to the same plain body, in mana (Fieller; limits that "
            f"hold together). Fair: surely within {NEAR:g} mana of the price by the publisher's formula. Mana is no "
            "currency by itself: on another body, or for another cost, one is worth something else.",
        ],
        table=effects,
        name="ability_effects",
        shown=_shown(effects, lift="_all", main_effect="", mana_effect=""),
        columns={
            **_policy(policies),
            "body": "text",
            "cost": "count",
            "term": "text",
            "lift": "text",
            "lift_verdict": "text",
            "main_effect": "text",
            "printed_price": "short",
            "measured": "text",
            "price_verdict": "text",
            "games": "count",
        },
        main=True,
    )
    return _figures(
        first, [_effect_figure(effects[effects["policy"] == policy], policy) for policy in policies]
    )


def _effect_figure(rows: pd.DataFrame, policy: str) -> FigureSpec:
    terms, bodies = (list(dict.fromkeys(rows[name])) for name in ("term", "body"))
    data = {"labels": terms, "series": bodies, "reference": 0.0, "percent": False}
    for end, limit in _LIMITS.items():
        table = rows.pivot(index="term", columns="body", values=f"lift{limit}")
        data[end] = 100 * table.loc[terms, bodies].to_numpy(float)
    data["x_label"] = "percentage points of score (intervals that hold together, 95 %)"
    title = f"What abilities and auras are worth on a plain body: {policy}"
    return FigureSpec("series", f"ability_effects_{slug(policy)}", title, data)


def _subset_sections(subsets: pd.DataFrame, policies: Sequence[str]) -> list[Section]:
    by_body = played_again(subsets).groupby(["policy", "body"], sort=False)
    shown = pd.concat([by_body.head(MOST_SHOWN), by_body.tail(MOST_SHOWN)])
    shown = shown[~shown.index.duplicated()].sort_index()
    first = Section(
        heading="Sets of abilities and their prices",
        sentences=[
            f"The {MOST_SHOWN} sets and auras of each body that give most, and that give least, for their price, of "
            "those that were played again after the screening; the file has all, ranked together. Figures label them "
            "by their rank. Beyond price: lift less the price times the mean rate of all sets of the body, in "
            "percentage points. Source: second stage, only later games, as the screening chose the set by its result; "
            "both stages, as it was to be played anyway.",
        ],
        table=subsets,
        name="ability_subsets",
        shown=_shown(shown, lift="_all", beyond_price=""),
        columns={
            **_policy(policies),
            "body": "text",
            "rank": "count",
            "subset": "text",
            "lift": "text",
            "printed_price": "short",
            "beyond_price": "text",
            "measured": "text",
            "price_verdict": "text",
            "source": "text",
            "games": "count",
        },
    )
    figures = []
    for policy in policies:
        rows = subsets[(subsets["policy"] == policy) & (subsets["kind"] == "creature")]
        if len(rows):
            figures.append(_size_figure(rows, policy))
        figures += [_price_figure(part, policy, str(body)) for body, part in rows.groupby("body", sort=False)]
    return _figures(first, figures)


def _size_figure(rows: pd.DataFrame, policy: str) -> FigureSpec:
    sets = rows[~rows["subset"].str.startswith("aura")]
    bodies, sizes = list(dict.fromkeys(sets["body"])), range(len(ABILITIES) + 1)
    values = [
        [sets.loc[(sets["body"] == body) & (sets["size"] == size), "lift"].to_numpy(float) for size in sizes]
        for body in bodies
    ]
    means = np.array([[cloud.mean() for cloud in clouds] for clouds in values])
    data = {
        "panels": bodies,
        "groups": [str(size) for size in sizes],
        "values": [[100 * cloud for cloud in clouds] for clouds in values],
        **dict.fromkeys(("means", "lows", "highs"), 100 * means),
        "x_label": "number of abilities",
        "y_label": "lift (percentage points)",
        "percent": False,
    }
    title = f"Sets of abilities by their size, and the mean of each size: {policy}"
    return FigureSpec("clouds", f"ability_sizes_{slug(policy)}", title, data)


def _price_figure(rows: pd.DataFrame, policy: str, body: str) -> FigureSpec:
    rows = played_again(rows)
    far = {*rows.head(LABELLED)["rank"], *rows.tail(LABELLED)["rank"]}
    data = {
        "labels": [str(rank) if rank in far else "" for rank in rows["rank"]],
        "across": rows["printed_price"].to_numpy(float),
        "values": 100 * rows["lift"].to_numpy(float),
        "lows": 100 * rows["lift_low"].to_numpy(float),
        "highs": 100 * rows["lift_high"].to_numpy(float),
        "x_label": "price by the formula (mana)",
        "y_label": "lift (percentage points)",
        "logarithmic": False,
    }
    title = f"Prices of sets of abilities and auras and what they are worth on a {body}: {policy}"
    return FigureSpec("scatter", f"ability_prices_{slug(body)}_{slug(policy)}", title, data)


def _interaction_sections(pairs: pd.DataFrame, policies: Sequence[str]) -> list[Section]:
    first = Section(
        heading="Abilities together",
        sentences=[
            "Interaction: by how much a plain body with all of them scores more than the sum of what fewer of them do "
            "(difference of differences), in percentage points. Sure are those that stay so with at most "
            f"{100 * FALSE_FINDS:.0f} % false finds (Benjamini-Hochberg, over the pairs of a body, and over its "
            "threes). On average: the same over all sets of the other abilities. Three abilities are looked at where "
            "the screening found a pair of them to interact, in later games.",
        ],
        table=pairs,
        name="ability_interactions",
        shown=_shown(pairs, interaction="", mean_interaction=""),
        columns={
            **_policy(policies),
            "body": "text",
            "subset": "text",
            "interaction": "text",
            "p_adjusted": "number",
            "interaction_verdict": "text",
            "mean_interaction": "text",
            "games": "count",
        },
    )
    creatures = pairs[(pairs["kind"] == "creature") & (pairs["size"] == 2)]
    figures = [
        _matrix(rows, str(policy), str(body))
        for (policy, body), rows in creatures.groupby(["policy", "body"], sort=False)
    ]
    return _figures(first, figures)


def _matrix(rows: pd.DataFrame, policy: str, body: str) -> FigureSpec:
    matrix, widths = np.full((2, len(ABILITIES), len(ABILITIES)), np.nan)
    for _, row in rows.iterrows():
        one, other = (ABILITIES.index(name) for name in row["subset"].split("+"))
        matrix[one, other] = matrix[other, one] = row["interaction"]
        widths[one, other] = widths[other, one] = (row["interaction_high"] - row["interaction_low"]) / 2
    data = {
        "matrix": matrix,
        "half_widths": widths,
        "row_labels": list(ABILITIES),
        "column_labels": list(ABILITIES),
        "colour_label": "beyond the sum, in points",
        "centre": 0.0,
        "span": max(float(np.nanmax(np.abs(matrix))), 0.001),
    }
    title = f"What pairs of abilities do beyond their sum on a plain {body}: {policy}"
    return FigureSpec("heatmap", f"ability_interactions_{slug(body)}_{slug(policy)}", title, data)


def _card_sections(cards: pd.DataFrame, policies: Sequence[str]) -> list[Section]:
    if cards.empty:
        return [Section("The cards as printed", ["None of the cards has abilities."], cards, "ability_cards")]
    first = Section(
        heading="The cards as printed",
        sentences=[
            "Each card in its own deck, against the same card without all its abilities and auras, or without one of "
            "them, in the same games. Lift: what the deck scores more with them; intervals hold for all rows of a "
            "policy. Measured: in mana, by what one mana less is worth to the card.",
        ],
        table=cards,
        name="ability_cards",
        shown=_shown(cards, lift="_all", mana_effect=""),
        columns={
            **_policy(policies),
            "rank": "count",
            "card": "text",
            "without": "text",
            "lift": "text",
            "printed_price": "short",
            "measured": "text",
            "price_verdict": "text",
            "mana_effect": "text",
            "games": "count",
        },
    )
    return _figures(first, [_card_figure(cards[cards["policy"] == policy], policy) for policy in policies])


def _card_figure(cards: pd.DataFrame, policy: str) -> FigureSpec:
    rows = cards[cards["without"] == ALL]
    data = {
        "labels": rows["card"].tolist(),
        **{end: 100 * rows[f"lift{limit}"].to_numpy(float) for end, limit in _LIMITS.items()},
        "x_label": "percentage points of score (intervals that hold together, 95 %)",
        "reference": 0.0,
        "percent": False,
        "marks": 100 * (rows["printed_price"] * rows["mana_effect"]).to_numpy(float),
        "marks_label": "their price, at what a mana is worth to the card",
    }
    title = f"What their abilities are worth to the cards as printed: {policy}"
    return FigureSpec("whiskers", f"ability_cards_{slug(policy)}", title, data)


def _solo_sections(solo: pd.DataFrame, policies: Sequence[str]) -> list[Section]:
    if solo.empty:
        return [Section("Abilities of the AI", ["No solo games were played."], solo, "ability_solo")]
    return [
        Section(
            heading="Abilities of the AI",
            sentences=[
                "All creatures of the AI have the ability in the quick solo game, against the same games without, over "
                "all decks. Loss: what the player wins less, in percentage points of games; where hardly any game is "
                "won without it, little can be lost. Beside it the lift of the same ability on one creature of a deck "
                "in duels, on average over the bodies, and both prices: points of difficulty (R38) and mana.",
            ],
            table=solo,
            name="ability_solo",
            shown=_shown(solo, loss="_all", lift=""),
            columns={
                **_policy(policies),
                "ability": "text",
                "win_rate": "interval",
                "loss": "text",
                "points": "count",
                "lift": "text",
                "printed_price": "short",
                "games": "count",
            },
        )
    ]
