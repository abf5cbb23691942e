"""Drafts of solo games, in sentences, tables and figures."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from clashsim.clash.solo_settings import SoloSettings
from clashsim.experiments.card_tables import FALSE_FINDS
from clashsim.experiments.draft_sections import close_calls, worths_file
from clashsim.experiments.draft_worths import STABLE
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.experiments.solo_draft_tables import ALIKE, LESS, MORE
from clashsim.experiments.words import count, difference, interval, slug

Tables = Mapping[str, pd.DataFrame]

MOST_NAMED = 3
QUICK = SoloSettings()
MOST_SHOWN = 30


def findings(tables: Tables) -> Findings:
    """Return the report of a run of solo drafts."""
    cards = tables["draft_cards"]
    policies = list(dict.fromkeys(cards["policy"]))
    return Findings(
        title=f"Drafting against the AI, played by {', '.join(policies)}",
        question="Which of four cards should the player take, and which against which setting?",
        answer=[sentence for policy in policies for sentence in _answers(tables, policy)],
        sections=[
            _cards_section(cards),
            _drafters_section(tables["draft_drafters"]),
            *_setting_sections(tables, policies),
            _over_section(tables["draft_over"]),
            _iterations_section(tables["draft_iterations"]),
        ],
        attachments=lambda: {"worths.csv": worths_file(first_condition(cards))},
    )


def first_condition(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first setting and drafter of each policy."""
    first = table.groupby("policy", sort=False)[["setting", "drafter"]].transform("first")
    return table[(table[["setting", "drafter"]] == first).all(axis=1)]


def _answers(tables: Tables, policy: str) -> list[str]:
    of_policy = {name: table[table["policy"] == policy] for name, table in tables.items()}
    told = first_condition(of_policy["draft_cards"]).dropna(subset="value")
    return [
        *(_card_sentence(told, policy) for _ in range(min(len(told), 1))),
        *_drafter_sentences(of_policy["draft_drafters"], policy),
        *_setting_sentences(of_policy["draft_settings"], policy),
        *_agreement_sentences(of_policy["draft_iterations"], policy),
    ]


def _card_sentence(cards: pd.DataFrame, policy: str) -> str:
    most, least = (
        ", ".join(f"{row['card']} {difference(row, 'value', end='_all')}" for _, row in rows.iterrows())
        for rows in (cards.head(MOST_NAMED), cards.tail(MOST_NAMED).iloc[::-1])
    )
    return (
        f"Under {policy}, with {cards.iloc[0]['setting']}, a deck wins more with these cards than with a mean one, in "
        f"percentage points of games won: {most}; least with {least}."
    )


def _drafter_sentences(drafters: pd.DataFrame, policy: str) -> list[str]:
    rows = drafters[drafters["setting"] == drafters["setting"].iloc[0]]
    last = rows.iloc[-1]
    return [
        f"Under {policy}, with {row['setting']}, decks of {row['drafter']} win {interval(row, 'win_rate')}: "
        f"{difference(row, 'difference')} percentage points more than those of {last['drafter']}."
        for _, row in rows.iloc[:-1].iterrows()
    ]


def _setting_sentences(settings: pd.DataFrame, policy: str) -> list[str]:
    sure = settings[settings["setting_verdict"] != ALIKE]
    if settings.empty:
        return []
    if sure.empty:
        return [
            f"Under {policy}, no card is surely worth more or less in another setting than in the first, of "
            f"{count(len(settings), 'pair')} of a card and a setting."
        ]
    ends = [sure[sure["setting_verdict"] == verdict] for verdict in (MORE, LESS)]
    named = [
        "; ".join(
            f"{row['card']} {difference(row, 'gain')} ({_short(row['setting'])})"
            for _, row in rows.iterrows()
        )
        for rows in (
            ends[0].sort_values("gain", ascending=False, kind="stable").head(MOST_NAMED),
            ends[1].sort_values("gain", kind="stable").head(MOST_NAMED),
        )
    ]
    told = [
        f"{words} {names}" for words, names in zip(("gain most", "lose most"), named, strict=True) if names
    ]
    return [
        f"Under {policy}, {len(sure)} of {count(len(settings), 'pair')} of a card and a setting surely differ from the "
        f"first setting (at most {100 * FALSE_FINDS:.0f} % of such finds are false): {'; '.join(told)}."
    ]


def _agreement_sentences(iterations: pd.DataFrame, policy: str) -> list[str]:
    last = iterations.groupby("setting", sort=False)[["iteration", "agreement"]].last()
    if last["agreement"].isna().all():
        return []
    low = last[last["agreement"] < STABLE]
    why = f", below {STABLE}" if len(last) == 1 else f"; below {STABLE} in {len(low)}"
    why = f"{why}: too few --table-games, or worths that are hardly apart" if len(low) else ""
    least, most = last["agreement"].min(), last["agreement"].max()
    found = (
        f"a rank correlation of {least:z.3f}"
        if len(last) == 1
        else f"rank correlations of {least:z.3f} to {most:z.3f} over {len(last)} settings"
    )
    return [
        f"Under {policy}, worths drafted by and worths measured from these drafts, of cards that were both taken and "
        f"left, have {found}{why}."
    ]


def _cards_section(cards: pd.DataFrame) -> Section:
    shown = first_condition(cards)
    rows = shown[shown["policy"] == shown["policy"].iloc[-1]]
    data = {
        "labels": rows["card"].tolist(),
        "values": 100 * rows["value"].to_numpy(float),
        "lows": 100 * rows["value_low_all"].to_numpy(float),
        "highs": 100 * rows["value_high_all"].to_numpy(float),
        "x_label": "percentage points of games won, against the mean card\n(limits hold together, 95 %)",
        "reference": 0.0,
        "percent": False,
    }
    return Section(
        heading="Cards",
        sentences=[
            "Value: how many more games a deck with the card wins, against the mean card, in percentage points: least "
            "squares over all cards at once, from all drafts of the setting, those by chance included. The AI has "
            "every card that the player leaves (R42), so it holds what the card is worth to the AI as well. Win rate: "
            "of decks that have the card, observed, which also have what goes with it (17Lands: GP WR). Shown is the "
            "first setting and drafter."
        ],
        table=cards,
        name="draft_cards",
        shown=shown.assign(value=[difference(row, "value", end="_all") for _, row in shown.iterrows()]),
        columns={
            **({"policy": "text"} if cards["policy"].nunique() > 1 else {}),
            "setting": "text",
            "drafter": "text",
            "rank": "count",
            "card": "text",
            "cost": "count",
            "value": "text",
            "value_verdict": "text",
            "pick_rate": "percent",
            "win_rate": "interval",
            "games": "count",
        },
        figure=FigureSpec("whiskers", "draft_cards", "What cards are worth in solo drafts", data),
        main=True,
    )


def _drafters_section(drafters: pd.DataFrame) -> Section:
    return Section(
        heading="Drafters",
        sentences=[
            "Difference: percentage points of games won more than by decks of the last drafter, from the same cards "
            "turned up and the same shuffles."
        ],
        table=drafters,
        name="draft_drafters",
        shown=drafters.assign(
            difference=[difference(row, "difference") for _, row in drafters.iterrows()],
        ),
        columns={
            **({"policy": "text"} if drafters["policy"].nunique() > 1 else {}),
            "setting": "text",
            "points": "count",
            "drafter": "text",
            "win_rate": "interval",
            "difference": "text",
            "games": "count",
        },
    )


def _setting_sections(tables: Tables, policies: list[str]) -> list[Section]:
    settings = tables["draft_settings"]
    sure = settings[settings["setting_verdict"] != ALIKE]
    if settings.empty:
        return [
            Section(
                "Which card against which setting", ["There is one setting only."], settings, "draft_settings"
            )
        ]
    section = Section(
        heading="Which card against which setting",
        sentences=[
            "Gain: how much more the card is worth under this setting than under the first, in percentage points of "
            "games won, from random drafts of the same cards in all settings. Shown are the surest that surely differ "
            f"(Benjamini-Hochberg, at most {100 * FALSE_FINDS:.0f} % false)."
        ],
        table=settings,
        name="draft_settings",
        shown=sure.assign(gain=[difference(row, "gain") for _, row in sure.iterrows()]).head(MOST_SHOWN),
        columns={
            "policy": "text",
            "setting": "text",
            "card": "text",
            "gain": "text",
            "value": "points",
            "setting_verdict": "text",
        },
    )
    figures = [_matrix(settings[settings["policy"] == policy], policy) for policy in policies]
    return [section, *(Section(figure.title, figure=figure) for figure in figures if figure)]


def _matrix(settings: pd.DataFrame, policy: str) -> FigureSpec | None:
    if settings.empty:
        return None
    by_setting = settings.pivot(index="card", columns="setting", values="gain")
    by_setting = by_setting[list(dict.fromkeys(settings.sort_values("points", kind="stable")["setting"]))]
    matrix = by_setting.to_numpy(float)
    data = {
        "matrix": matrix,
        "half_widths": np.full(matrix.shape, np.nan),
        "row_labels": by_setting.index.tolist(),
        "column_labels": [_short(setting) for setting in by_setting.columns],
        "colour_label": "worth more than in the first setting",
        "centre": 0.0,
        "span": max(float(np.abs(matrix).max()), 0.001),
        "numbers": False,
    }
    title = f"Which card gains against which setting: {policy}"
    return FigureSpec("heatmap", f"draft_settings_{slug(policy)}", title, data)


def _short(setting: str) -> str:
    """Return what is not that of the quick game in the words of a setting."""
    mana, _, others = setting.partition(", ")
    mana = mana.replace(" per creature", "")
    quick = mana == f"mana {QUICK.fixed} + {QUICK.variable}"
    return (others or mana) if quick else ", ".join(filter(None, [mana, others]))


def _over_section(over: pd.DataFrame) -> Section:
    shown, words = close_calls(over)
    return Section(
        heading="Which card is taken over which",
        sentences=["Of choices in which one of the two was taken and the other left.", *words],
        table=over,
        name="draft_over",
        shown=shown,
        columns={
            "setting": "text",
            "drafter": "text",
            "card": "text",
            "other_card": "text",
            "taken_over": "interval",
            "choices": "count",
        },
    )


def _iterations_section(iterations: pd.DataFrame) -> Section:
    shown = iterations.groupby(["policy", "setting", "iteration"], sort=False, as_index=False).first()
    shown = shown.assign(
        agreement=["–" if pd.isna(value) else f"{value:z.3f}" for value in shown["agreement"]]
    )
    return Section(
        heading="The tables of worths",
        sentences=[
            "Iteration 0 lets chance draft and measures what cards are worth. Each further one drafts by the mean of "
            "the last table and what was measured from its drafts, in fresh games, until the two agree (rank "
            f"correlation of at least {STABLE}). Every setting has a table of its own; the file has all cards."
        ],
        table=iterations,
        name="draft_iterations",
        shown=shown,
        columns={"policy": "text", "setting": "text", "iteration": "count", "agreement": "text"},
    )
