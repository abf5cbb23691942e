"""What a run of solo games says: how often the player wins, and what the report shows of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from clashsim.clash.solo_settings import PRICES, SoloSettings
from clashsim.experiments.audit_findings import findings as audit_findings
from clashsim.experiments.result import FigureSpec, Findings, Format, Section
from clashsim.experiments.words import count, percent

Tables = Mapping[str, pd.DataFrame]

MOST_DRAWN = 40
"""Lines of a figure: of more settings the page has the table only."""

LIMITS = "Win rates: Wilson's 95 % interval; means: Student's. A draw (turn limit, R31) is no win."


def findings(tables: Tables, details: Mapping[str, Any]) -> Findings:
    """Return the report of a run: a price audit if it is a sweep, else how often the player wins."""
    if "solo_options" in tables:
        return audit_findings(tables)
    table = tables["solo_settings"]
    return Findings(
        title=f"Solo: {_decks(table)} against the AI",
        question=f"How often does the player win at {_settings_words(table)}?",
        answer=_answers(table),
        sections=[_main_section(table), _course(table), _plays(tables["solo_plays"])],
    )


def setting_of(row: pd.Series) -> SoloSettings:
    """Return the setting of a row."""
    return SoloSettings(**{name: _plain(row[name]) for name in PRICES})


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _decks(table: pd.DataFrame) -> str:
    decks = list(dict.fromkeys(table["deck"]))
    return f"deck {decks[0]}" if len(decks) == 1 else f"decks {', '.join(decks)}"


def _n_settings(table: pd.DataFrame) -> int:
    return len(table[list(PRICES)].drop_duplicates())


def _settings_words(table: pd.DataFrame) -> str:
    points = table["points"].unique()
    price = f"{points[0]} points" if len(points) == 1 else f"{points.min()} to {points.max()} points"
    if _n_settings(table) == 1:
        return f"{setting_of(table.iloc[0])} ({price})"
    level = f" ({table['level'].iloc[0]})" if len(points) == 1 and table["level"].iloc[0] else ""
    return f"the {_n_settings(table)} settings of {price}{level}"


def _answers(table: pd.DataFrame) -> list[str]:
    return [
        sentence
        for policy in dict.fromkeys(table["policy"])
        for sentence in _answers_of(table[table["policy"] == policy], policy)
    ]


def _answers_of(rows: pd.DataFrame, policy: str) -> list[str]:
    if _n_settings(rows) > 1:
        return [_range(rows[rows["deck"] == deck], policy, deck) for deck in dict.fromkeys(rows["deck"])]
    told = [
        f"deck {row['deck']} {_rate(row)}, with {row['ai_cards_left']:.1f} cards left in the AI's deck on average"
        for _, row in rows.iterrows()
    ]
    return [f"Under {policy}, the player wins with {'; with '.join(told)}."]


def _rate(row: pd.Series) -> str:
    return f"{percent(row['win_rate'])} ({100 * row['ci_low']:.1f} to {100 * row['ci_high']:.1f})"


def _range(rows: pd.DataFrame, policy: str, deck: str) -> str:
    least, most = (
        _at(rows[rows["win_rate"] == end]) for end in (rows["win_rate"].min(), rows["win_rate"].max())
    )
    mean = f"{percent(rows['win_rate'].mean())} on average over {_settings_words(rows)}"
    return f"Under {policy}, deck {deck} wins {mean}: least, {least}; most, {most}."


def _at(rows: pd.DataFrame) -> str:
    """Tell where a win rate was measured, and at how many settings more."""
    first, more = rows.iloc[0], len(rows) - 1
    return f"{_rate(first)}, at {setting_of(first)}" + (f" and at {more} more" if more else "")


def _main_section(table: pd.DataFrame) -> Section:
    several: dict[str, Format] = {"policy": "text"} if table["policy"].nunique() > 1 else {}
    return Section(
        heading="Win rates",
        sentences=[LIMITS, *_marks(table)],
        table=table,
        name="solo_settings",
        shown=table.assign(win_rate_low=table["ci_low"], win_rate_high=table["ci_high"]),
        columns={
            "deck": "text",
            **several,
            **dict.fromkeys(PRICES, "text"),
            "points": "signed",
            "games": "count",
            "win_rate": "interval",
            "ai_cards_left": "number",
        },
        figure=_figure(table),
        main=True,
    )


def _marks(table: pd.DataFrame) -> list[str]:
    marked = table[table["mark"] != ""]
    if marked.empty:
        return []
    return [
        f"{count(len(marked), 'row')} of the table lie below 2 % or above 98 %: such win rates say little about "
        "differences; ai_cards_left tells more."
    ]


def _figure(table: pd.DataFrame) -> FigureSpec | None:
    if len(table) > MOST_DRAWN:
        return None
    labels = [_label(row, table) for _, row in table.iterrows()]
    data = {
        "labels": labels,
        "values": table["win_rate"].tolist(),
        "lows": table["ci_low"].tolist(),
        "highs": table["ci_high"].tolist(),
        "x_label": "Win rate of the player, with its 95 % interval",
        "reference": 0.5,
    }
    return FigureSpec("whiskers", "solo_settings", f"Win rates at {_settings_words(table)}", data)


def _label(row: pd.Series, table: pd.DataFrame) -> str:
    words: list[str] = []
    if table["deck"].nunique() > 1 or _n_settings(table) == 1:
        words.append(f"deck {row['deck']}")
    if table["policy"].nunique() > 1:
        words.append(row["policy"])
    return ", ".join([*words, str(setting_of(row))] if _n_settings(table) > 1 else words)


def _course(table: pd.DataFrame) -> Section:
    columns: Sequence[str] = (
        "ai_cards_left",
        "ai_cards_to_go",
        "turns_median",
        "bastion_fell",
        "ai_bastion_fell",
    )
    return Section(
        heading="How far the games go",
        sentences=[
            "Cards left: in the AI's deck at the end. Cards to go: those and, while its Bastion stands, all its cards "
            "once more, of which the new deck on its Fort will be made (R36).",
        ],
        table=table,
        columns={
            "deck": "text",
            "policy": "text",
            **(dict.fromkeys(PRICES, "text") if _n_settings(table) > 1 else {}),
            "points": "signed",
            **{name: "percent" if name.endswith("fell") else "number" for name in columns},
            "turns_median": "short",
        },
    )


def _plays(table: pd.DataFrame) -> Section:
    return Section(
        heading="What is played",
        sentences=[
            "Plays per game of the player's cards, the four that are played most; more in longer games: not what a "
            "card is worth."
        ],
        table=table,
        name="solo_plays",
        shown=table.sort_values("plays", ascending=False, kind="stable").groupby("deck", sort=False).head(4),
    )
