"""What a run of abilities found, in tables."""

from collections.abc import Mapping, Sequence

import pandas as pd

from clashsim.experiments.ability_choice import FALSE_FINDS
from clashsim.experiments.ability_figures import (
    card_figure,
    effect_figure,
    interaction_figure,
    played_again,
    price_figure,
    size_figure,
)
from clashsim.experiments.price_tables import NEAR, NOT_CONVERTIBLE
from clashsim.experiments.result import FigureSpec, Format, Section
from clashsim.experiments.words import difference

SKILL = "ability_skill"
Tables = Mapping[str, pd.DataFrame]

MOST_CHANGES = 12
MOST_SHOWN = 8  # sets of a body, from either end


def sections(tables: Tables, policies: Sequence[str]) -> list[Section]:
    """Return the sections of the report."""
    return [
        *_effect_sections(tables["ability_effects"], policies),
        *_subset_sections(tables["ability_subsets"], policies),
        *_interaction_sections(tables["ability_interactions"], policies),
        *_card_sections(tables["ability_cards"], policies),
        *_solo_sections(tables["ability_solo"], policies),
        *_skill_sections(tables),
    ]


def mana_words(row: pd.Series, name: str) -> str:
    """Write a number of mana with the limits that its verdict is read off."""
    low, high = row[f"{name}_low_all"], row[f"{name}_high_all"]
    return NOT_CONVERTIBLE if pd.isna(low) else f"{row[name]:z.2f} ({low:z.2f} to {high:z.2f})"


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
        first, [effect_figure(effects[effects["policy"] == policy], policy) for policy in policies]
    )


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
            figures.append(size_figure(rows, policy))
        figures += [price_figure(part, policy, str(body)) for body, part in rows.groupby("body", sort=False)]
    return _figures(first, figures)


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
        interaction_figure(rows, str(policy), str(body))
        for (policy, body), rows in creatures.groupby(["policy", "body"], sort=False)
    ]
    return _figures(first, figures)


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
    return _figures(first, [card_figure(cards[cards["policy"] == policy], policy) for policy in policies])


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


def _skill_sections(tables: Tables) -> list[Section]:
    if SKILL not in tables:
        return []
    skill = tables[SKILL]
    order = skill["difference"].abs().sort_values(ascending=False, kind="stable").index
    shown = skill.loc[order].groupby(["policy_before", "policy"], sort=False).head(MOST_CHANGES)
    return [
        Section(
            heading="Abilities and skill",
            sentences=[
                "Difference: by how much the lift on the plain body is higher under policy than under the one named "
                f"before, in percentage points; limits hold for all of two policies together (Bonferroni). Shown are "
                f"the {MOST_CHANGES} that change most."
            ],
            table=skill,
            name=SKILL,
            shown=_shown(shown, difference="_all"),
            columns={
                "policy_before": "text",
                "policy": "text",
                "body": "text",
                "term": "text",
                "difference": "text",
                "change": "text",
            },
        )
    ]
