"""The sections of the report of a price audit: tables and figures, with what is needed to read them."""

from collections.abc import Mapping, Sequence

import pandas as pd

from clashsim.experiments.audit_cells import (
    ALL,
    CEILING,
    FLOOR,
    LEAST_CELLS,
    MARGIN,
    OPTIONS,
    OUTCOMES,
    SMOOTHING,
    WIN,
)
from clashsim.experiments.audit_figures import level_figure, option_figure
from clashsim.experiments.audit_interactions import FALSE_FINDS, MATTERS
from clashsim.experiments.audit_neighbours import INVERTED
from clashsim.experiments.audit_options import NEAR
from clashsim.experiments.audit_skill import headline
from clashsim.experiments.audit_words import effect_words, level_words, price_words
from clashsim.experiments.result import FigureSpec, Format, Section

Tables = Mapping[str, pd.DataFrame]

MOST_SHOWN = 20
"""Rows of a long table that the page shows; the file has them all."""

SAME_GAMES = (
    "Game i has the same shuffles in all settings, so that settings are correlated: all intervals and tests come from "
    "blocks of game numbers (delete-one-block jackknife, Student's quantile)."
)


def sections(tables: Tables, policies: Sequence[str]) -> list[Section]:
    """Return the sections of an audit, those of figures once for each policy."""
    made = [
        *_level_sections(tables, policies),
        *_option_sections(tables, policies),
        _inversions(tables),
        _neighbours(tables),
        _interactions(tables),
        _ends(tables),
        _skill(tables),
        _settings(tables),
    ]
    return [section for section in made if section is not None]


def widest(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all decks, or where there is one deck only, of that."""
    rows = table[table["deck"] == ALL]
    return table if rows.empty else rows


def _policy(table: pd.DataFrame) -> dict[str, Format]:
    return {"policy": "text"} if table["policy"].nunique() > 1 else {}


def _level_sections(tables: Tables, policies: Sequence[str]) -> list[Section]:
    table = tables["solo_levels"]
    figures = [level_figure(tables, policy, outcome) for policy in policies for outcome in (WIN, OUTCOMES[2])]
    first = Section(
        heading="Price and difficulty",
        sentences=[
            SAME_GAMES,
            "Win rates are means over all settings of a price, in brackets the 95 % interval. Spread: by how much the "
            "settings of one price differ beyond chance (standard deviation).",
            "Than below: whether the price is harder than the one below, by intervals that hold for all prices of a "
            "policy and a deck together (Bonferroni). Prices without a name have no level in the rulebook.",
        ],
        table=table,
        name="solo_levels",
        shown=widest(table),
        columns={
            **_policy(table),
            "deck": "text",
            "points": "short",
            "level": "text",
            "settings": "count",
            "win_rate": "interval",
            "win_rate_lowest": "percent",
            "win_rate_highest": "percent",
            "spread": "percent",
            "ai_cards_to_go": "number",
            "than_below": "text",
        },
        figure=figures[0],
        main=True,
    )
    return [first, *(_more(figure, CARDS if "cards" in figure.name else "") for figure in figures[1:])]


CARDS = (
    "Cards to go: in the AI's deck at the end and, while its Bastion stands, all its cards once more, of which the new "
    "deck on its Fort will be made (R36). They tell how far the games went, also where hardly any is won, but not "
    "always who was nearer to winning: an AI with more mana empties its own deck sooner. Nothing is concluded from "
    "them."
)


def _more(figure: FigureSpec, sentence: str = "") -> Section:
    """Show one more figure under a heading of its own."""
    heading, _, policy = figure.title.rpartition(": ")
    return Section(f"{heading.partition(' by ')[0]}, {policy}", [sentence] if sentence else [], figure=figure)


def _option_sections(tables: Tables, policies: Sequence[str]) -> list[Section]:
    table = tables["solo_options"]
    figures = [figure for policy in policies if (figure := option_figure(tables, policy))]
    first = Section(
        heading="What each option is worth",
        sentences=[
            "Effect: how much an option changes the win rate, in percentage points, on average over the settings that "
            "are neither on the floor nor on the ceiling, as a logistic regression (bias-reduced) on all options "
            "tells; 95 % interval.",
            "Suggested: the price that would fit: the option's effect over that of a point, on average over all "
            "options, both in logits, which do not shrink near 0 and 100 %. In brackets the interval that holds for "
            "all options of a policy and a deck together (Fieller, Bonferroni): verdicts are read off it.",
            "Over all decks each setting of a deck counts once: a deck with more settings on the floor counts less.",
            f"Fair: surely within {NEAR:g} points of the printed price. Too cheap: surely harder than that; too dear: "
            "surely less hard (at a price below 0, easier by more than is taken off). Else undecided.",
        ],
        table=table,
        name="solo_options",
        shown=_shown_options(widest(headline(table))),
        columns={
            **_policy(table),
            "deck": "text",
            "option": "text",
            "effect": "text",
            "suggested": "text",
            "printed": "signed",
            "price_verdict": "text",
        },
        figure=figures[0] if figures else None,
        main=True,
    )
    return [first, *map(_more, figures[1:]), _card_effects(table)]


def _card_effects(table: pd.DataFrame) -> Section:
    rows = widest(table[table["outcome"] == OUTCOMES[2]])
    return Section(
        heading="What each option does to the cards to go",
        sentences=["The same by least squares, over all settings; prices are not judged by it."],
        table=_shown_options(rows),
        columns={**_policy(table), "deck": "text", "option": "text", "effect": "text", "printed": "signed"},
    )


def _shown_options(rows: pd.DataFrame) -> pd.DataFrame:
    def name(row: pd.Series) -> str:
        words = level_words(row["option"], row["level"])
        step = row["base"] != OPTIONS[row["option"]][0]
        return f"{words} after {row['base']}" if step else words

    return rows.assign(
        option=[name(row) for _, row in rows.iterrows()],
        effect=[
            effect_words(row, unit=False) if pd.notna(row["effect"]) else "–" for _, row in rows.iterrows()
        ],
        suggested=[price_words(row) for _, row in rows.iterrows()],
    )


def _inversions(tables: Tables) -> Section:
    table = tables["solo_inversions"]
    return Section(
        heading="Dearer and yet easier",
        sentences=[
            "Settings that differ in one option only, of which the dearer one is measured as the easier one by win "
            "rate; those are left out of which both are on the floor, or both on the ceiling. The other options are "
            "those of both.",
            f"Order: inverted if that is sure, with at most {100 * FALSE_FINDS:.0f} % of such finds false, policy by "
            "policy and deck by deck (Benjamini-Hochberg).",
        ],
        table=table,
        name="solo_inversions",
        shown=_shared_options(table.sort_values("p_adjusted", kind="stable").head(MOST_SHOWN)),
        columns={
            **_policy(table),
            "deck": "text",
            "option": "text",
            "cheaper": "text",
            "dearer": "text",
            **{option: "text" for option in OPTIONS},
            "cheaper_value": "percent",
            "dearer_value": "percent",
            "p_adjusted": "number",
            "order": "text",
        },
    )


def _shared_options(pairs: pd.DataFrame) -> pd.DataFrame:
    """Leave the option out in which a pair differs: its other options are those of both."""
    return pairs.assign(
        **{option: pairs[option].astype(object).mask(pairs["option"] == option) for option in OPTIONS}
    )


def _neighbours(tables: Tables) -> Section:
    table = tables["solo_neighbours"]
    names = ("neighbours", "in_order", "measured_easier", INVERTED, "at_the_end")
    counts: dict[str, Format] = {name: "count" for name in names}
    return Section(
        heading="How many such pairs there are",
        sentences=[
            "In order: the dearer one is surely the harder one. At the end: both on the floor, or both on the ceiling, "
            "and not compared."
        ],
        table=table,
        name="solo_neighbours",
        columns={**_policy(table), "deck": "text", "option": "text", **counts},
    )


def _interactions(tables: Tables) -> Section:
    table = tables["solo_interactions"]
    sure = table[table["p_adjusted"] < FALSE_FINDS]
    rows = widest(sure) if len(sure) else sure
    shown = rows.sort_values("p_adjusted", kind="stable").head(MOST_SHOWN)
    return Section(
        heading="Options that go together",
        sentences=[
            "Pairs of options that surely do more or less together than the sum of what each does (in logits of the "
            "win rate).",
            f"In points: what a pair is worth beyond its parts; matters: {MATTERS:g} points or more.",
        ],
        table=table,
        name="solo_interactions",
        shown=shown.assign(
            pair=[
                " with ".join(
                    [
                        level_words(row["option"], row["level"]),
                        level_words(*row[["other_option", "other_level"]]),
                    ]
                )
                for _, row in shown.iterrows()
            ],
            in_points=[price_words(row, "in_points", limits="") for _, row in shown.iterrows()],
        ),
        columns={
            **_policy(table),
            "deck": "text",
            "pair": "text",
            "in_points": "text",
            "pair_verdict": "text",
            "matters": "text",
        },
    )


def _ends(tables: Tables) -> Section:
    return Section(
        heading="Floor and ceiling",
        sentences=[
            f"Settings with a win rate below {100 * MARGIN:.0f} % are on the floor, above "
            f"{100 * (1 - MARGIN):.0f} % on the ceiling, after {SMOOTHING} games more that go as a fit to all settings "
            "expects, so that luck in few games does not decide it.",
            f"They are left out of prices by win rate, which need {LEAST_CELLS} others.",
        ],
        table=tables["solo_ends"],
        name="solo_ends",
        columns={
            "policy": "text",
            "deck": "text",
            **{name: "count" for name in ("cells", FLOOR, CEILING, "inside")},
        },
    )


def _skill(tables: Tables) -> Section | None:
    table = tables.get("solo_skill", pd.DataFrame())
    if table.empty:
        return None
    flips = table[table["flips_from"] != ""]
    return Section(
        heading="What flips with skill",
        sentences=[
            "Conclusions of which the contrary was sure under a policy before: prices with another verdict and an "
            "interval that does not overlap; harder and easier; inverted and in order."
        ],
        table=table,
        name="solo_skill",
        shown=flips.head(MOST_SHOWN),
    )


def _settings(tables: Tables) -> Section:
    table = tables["solo_settings"]
    mean = table.groupby(["policy", "deck", "points"])["win_rate"].transform("mean")
    limits = {"win_rate_low": table["ci_low"], "win_rate_high": table["ci_high"]}
    shown = table.assign(beyond=table["win_rate"] - mean, **limits)
    order = shown["beyond"].abs().sort_values(ascending=False, kind="stable").index[:MOST_SHOWN]
    return Section(
        heading="Every setting",
        sentences=[
            "Shown are those that are farthest from the mean of their price (beyond), as measured; the file has all."
        ],
        table=table,
        name="solo_settings",
        shown=shown.loc[order],
        columns={
            **_policy(table),
            "deck": "text",
            **{option: "text" for option in OPTIONS},
            "points": "short",
            "win_rate": "interval",
            "beyond": "points",
            "ai_cards_to_go": "number",
            "games": "count",
        },
    )
