"""What a what-if says, in sentences, tables and figures."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from clashsim.clash.solo_settings import PRICES
from clashsim.experiments.result import FigureSpec, Findings, Format, Section
from clashsim.experiments.whatif_tables import (
    HIGHER,
    LOWER,
    SAME,
    SEARCHED,
    SHOWN_GAMES,
    SHOWN_TWINS,
)
from clashsim.experiments.words import count, percent

Tables = Mapping[str, pd.DataFrame]

MOST_TOLD = 6  # decks or variants in sentences
MOST_DRAWN = 30
MOST_SHOWN = 40
SURE = (HIGHER, LOWER)


def findings(tables: Tables, details: Mapping[str, Any], traces: Mapping[str, str]) -> Findings:
    """Return the report of a what-if: the difference for each deck, then for each pairing or setting."""
    decks, rows = tables["whatif_decks"], tables["whatif"]
    changes = list(dict.fromkeys(decks["variant"]))
    what = changes[0] if len(changes) == 1 else f"each of {count(len(changes), 'swap')}"
    return Findings(
        title=f"What if: {what}",
        question=f"What does the change make of the decks' chances: {what}?",
        answer=_answers(decks, rows, changes),
        sections=[
            _deck_section(decks, rows),
            _row_section(rows),
            _games_section(tables["whatif_games"], traces),
        ],
        attachments=traces,
    )


def _answers(decks: pd.DataFrame, rows: pd.DataFrame, changes: Sequence[str]) -> list[str]:
    told = []
    for policy, of_policy in decks.groupby("policy", sort=False):
        under = f"Under {policy}"
        if len(changes) > 1:
            told += _ranking(of_policy, under)
            continue
        told += [f"{under}, {_deck_sentence(row)}." for _, row in of_policy.head(MOST_TOLD).iterrows()]
        if len(of_policy) > MOST_TOLD:
            told.append(f"{len(of_policy) - MOST_TOLD} decks more are in the table.")
    if len(changes) == 1:
        told += [_rows_sentence(rows), _first_sentence(rows), *_flips(decks)]
    return [sentence for sentence in told if sentence]


def _deck_sentence(row: pd.Series) -> str:
    name = "score" if "score_base" in row else "win_rate"
    verb = "scores" if name == "score" else "wins"
    deck = f"deck {row['deck']}"
    if row["change_verdict"] == SAME:
        return f"{deck} {verb} {percent(row[f'{name}_base'])} as before: nothing about it changes"
    text = (
        f"{deck} {verb} {percent(row[f'{name}_changed'])} instead of {percent(row[f'{name}_base'])}: "
        f"{_difference_words(row)}"
    )
    if row["change_verdict"] in SURE:
        return text
    seen = _points(row["detectable"])
    return f"{text}, no measurable difference; one of {seen} would have been seen in four of five runs"


def _difference_words(row: pd.Series) -> str:
    low, high = 100 * row["diff_low"], 100 * row["diff_high"]
    return f"{100 * row['difference']:+z.1f} percentage points ({low:+z.1f} to {high:+z.1f})"


def _points(share: float) -> str:
    digits = 1 if share >= 0.0005 else 2
    return f"{100 * share:.{digits}f} points"


def _ranking(decks: pd.DataFrame, under: str) -> list[str]:
    """Name the best of several variants, and how many are surely better or worse than as it is."""
    verdicts = decks["change_verdict"].value_counts()
    best = decks.iloc[0]
    name = "best swap is" if best["difference"] > 0 else "swap that costs least is"
    sentence = f"{under}, the {name} {best['variant']}: {_difference_words(best)}"
    if best["change_verdict"] not in SURE:
        sentence += ", not surely any difference"
    counts = [f"{verdicts.get(verdict, 0)} surely {verdict}" for verdict in SURE]
    told = [
        f"{sentence}.",
        f"{under}, of {count(len(decks), 'swap')} {', '.join(counts)}; the others are undecided.",
    ]
    ties = decks[(decks["diff_high_all"] >= best["diff_low_all"]) & (decks.index != best.name)]
    if len(ties):
        told.append(f"{count(len(ties), 'other')} can not be told from the best.")
    return told


def _rows_sentence(rows: pd.DataFrame) -> str:
    """Say how many pairings or settings surely change, and name the one that changes most."""
    solo = "setting" if "points" in rows else "pairing"
    sure = rows[rows["change_verdict"].isin(SURE)]
    n = rows.groupby(
        [name for name in ("deck_a", "deck_b", "deck", *PRICES, "policy", "policy_a") if name in rows]
    ).ngroups
    if sure.empty:
        return f"None of {count(n, solo)} surely changes."
    most = sure.loc[sure["difference"].abs().idxmax()]
    where = (
        f"deck {most['deck_a']} against deck {most['deck_b']} ({most['policy_a']})"
        if "deck_a" in rows
        else f"deck {most['deck']} ({most['policy']})"
    )
    return (
        f"{len(sure)} of {count(len(rows), 'row')} in the table surely change{'s' if len(sure) == 1 else ''}; most: "
        f"{where}, {_difference_words(most)}. {percent(rows['other_winner'].mean())} of the games end otherwise."
    )


def _first_sentence(rows: pd.DataFrame) -> str:
    """Say what the change does to the side that starts, if that is sure."""
    if "first_difference" not in rows:
        return ""
    once = rows.drop_duplicates(["first_base", "first_changed", "policy_a"])
    sure = once[(once["first_difference_low"] > 0) | (once["first_difference_high"] < 0)]
    if sure.empty:
        return ""
    mean = once["first_difference"].mean()
    return (
        f"Going first: it is worth {100 * mean:+z.1f} points more on average over {count(len(once), 'pairing')}, from "
        f"{100 * once['first_difference'].min():+z.1f} to {100 * once['first_difference'].max():+z.1f}."
    )


def _flips(decks: pd.DataFrame) -> list[str]:
    """Name the decks that surely gain under one policy and surely lose under another."""
    told = []
    for deck, rows in decks.groupby("deck", sort=False):
        by = {verdict: rows.loc[rows["change_verdict"] == verdict, "policy"].tolist() for verdict in SURE}
        if all(by.values()):
            told.append(
                f"Deck {deck} gains under {', '.join(by[HIGHER])} and loses under {', '.join(by[LOWER])}."
            )
    return told


def _deck_section(decks: pd.DataFrame, rows: pd.DataFrame) -> Section:
    duels = "score_base" in decks
    name = "score" if duels else "win_rate"
    over = "its opponents, each counting alike" if duels else "the settings, each counting alike"
    columns: dict[str, Format] = {
        **({"variant": "text"} if decks["variant"].nunique() > 1 else {}),
        "deck": "text",
        "policy": "text",
        f"{name}_base": "percent",
        f"{name}_changed": "percent",
        "effect": "text",
        "detectable": "text",
        "change_verdict": "text",
    }
    shown = decks.head(MOST_SHOWN)
    words = {
        "effect": [_difference_words(row) for _, row in shown.iterrows()],
        "detectable": [_points(row["detectable"]) for _, row in shown.iterrows()],
    }
    return Section(
        heading="What it does to each deck",
        sentences=[
            f"Means over {over}. Difference: changed minus base, the same games in both, with its 95 % interval. "
            "The verdict is read off intervals that hold for all rows of a policy together (Bonferroni). Detectable: "
            "the difference that so many games tell from none in four of five runs."
        ],
        table=decks,
        name="whatif_decks",
        shown=shown.assign(**words),
        columns=columns,
        figure=_figure(decks),
        main=True,
    )


def _figure(decks: pd.DataFrame) -> FigureSpec:
    drawn = decks.head(MOST_DRAWN)
    several = {name: decks[name].nunique() > 1 for name in ("variant", "deck", "policy")}
    labels = [
        ", ".join(
            [f"deck {row['deck']}"] * several["deck"]
            + [row["variant"]] * several["variant"]
            + [row["policy"]] * several["policy"]
        )
        or f"deck {row['deck']}"
        for _, row in drawn.iterrows()
    ]
    data = {
        "labels": labels,
        "values": drawn["difference"].to_numpy(float),
        "lows": drawn["diff_low"].to_numpy(float),
        "highs": drawn["diff_high"].to_numpy(float),
        "x_label": "difference (percentage points, 95 % interval)",
        "reference": 0.0,
    }
    return FigureSpec("whiskers", "whatif_decks", "What the change does to each deck", data)


def _row_section(rows: pd.DataFrame) -> Section:
    duels = "deck_a" in rows
    columns: dict[str, Format] = {"variant": "text"} if rows["variant"].nunique() > 1 else {}
    if duels:
        columns |= {"deck_a": "text", "deck_b": "text"}
        columns |= {"policy_a": "text"} if rows["policy_a"].nunique() > 1 else {}
        columns |= {"score_base": "percent", "score_changed": "percent"}
    else:
        columns |= {
            "deck": "text",
            "policy": "text",
            **{option: "text" for option in PRICES},
            "points": "short",
        }
        columns |= {"win_rate_base": "percent", "win_rate_changed": "percent"}
    columns |= {
        "effect": "text",
        "change_verdict": "text",
        "other_winner": "percent",
        "other_course": "percent",
        "turns_difference": "number",
    }
    columns |= {"first_difference": "points"} if duels else {}
    first = " First difference: what the side that starts scores more." if duels else ""
    order = rows["difference"].abs().sort_values(ascending=False, kind="stable").index[:MOST_SHOWN]
    shown = rows.loc[sorted(order)]
    return Section(
        heading="Pairing by pairing" if duels else "Setting by setting",
        sentences=[
            "Other winner: share of the games that end otherwise; other course: those that go another way at all "
            f"(another winner, length or fall of a Bastion).{first}"
            + (f" Shown are the {MOST_SHOWN} that change most." if len(rows) > MOST_SHOWN else "")
        ],
        table=rows,
        name="whatif",
        shown=shown.assign(effect=[_difference_words(row) for _, row in shown.iterrows()]),
        columns=columns,
    )


def _games_section(games: pd.DataFrame, traces: Mapping[str, str]) -> Section:
    traced = [name for name, text in traces.items() if text]
    return Section(
        heading="Games that end otherwise",
        sentences=[
            f"The first {SHOWN_GAMES} of each pair of conditions, of its first {SEARCHED:,} games and of {SHOWN_TWINS} "
            "pairs at most."
            + (
                f" Those of the first pairs step by step, as they are and changed: {' and '.join(traced)}."
                if traced
                else ""
            )
        ],
        table=games,
        name="whatif_games",
        shown=games.head(MOST_SHOWN),
    )
