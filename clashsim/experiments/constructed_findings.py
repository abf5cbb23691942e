"""What games of two constructed decks say, in sentences, tables and figures."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from clashsim.experiments.constructed_tables import HELPS, HURTS
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.experiments.words import count, difference, interval, percent, points, slug

Tables = Mapping[str, pd.DataFrame]

WAYS = {"random": "bans by chance", "value": "bans of the highest card values"}


def findings(tables: Tables) -> Findings:
    """Return the report of two constructed decks."""
    scores, bans = tables["constructed"], tables["constructed_bans"]
    first = scores.iloc[0]
    return Findings(
        title=f"Constructed: {first['deck_a']} against {first['deck_b']}, played by {', '.join(scores['policy'])}",
        question="Which of the two tens wins, each after the other side has removed two of its cards (R41)?",
        answer=[
            *(_score_sentence(row) for _, row in scores.iterrows()),
            *_skill_sentence(scores),
            *(sentence for _, row in scores.iterrows() for sentence in _ban_sentences(bans, row["policy"])),
        ],
        sections=[_scores_section(scores), *_bans_sections(bans)],
    )


def _score_sentence(row: pd.Series) -> str:
    first = f"going first is worth {points(row['advantage'])}"
    if row["advantage_low"] <= 0 <= row["advantage_high"]:
        first = "going first makes no measurable difference"
    draws = f"{percent(row['draw_rate'])} of the games are draws" if row["draws"] else "no game is a draw"
    return (
        f"Under {row['policy']}, {row['deck_a']} scores {interval(row, 'score_a', 'score')} against {row['deck_b']}: "
        f"{row['verdict']}; {first}, {draws}."
    )


def _skill_sentence(scores: pd.DataFrame) -> list[str]:
    """Tell whether another ten is surely the better one when the policy changes."""
    if len(scores) < 2:
        return []
    sure = scores[(scores["score_low_all"] > 0.5) | (scores["score_high_all"] < 0.5)]
    ahead = sure["score_low_all"] > 0.5
    if len(set(ahead)) < 2:
        return ["The favourite does not change for sure from policy to policy."]
    named = [
        f"{row['deck_a'] if row['score_a'] > 0.5 else row['deck_b']} under {row['policy']}"
        for _, row in sure.iterrows()
    ]
    return [f"Who is surely the favourite depends on the policy: {', '.join(named)}."]


def _ban_sentences(bans: pd.DataFrame, policy: str) -> list[str]:
    told = []
    for (side, deck), rows in bans[bans["policy"] == policy].groupby(["side", "deck"], sort=False):
        other = "B" if side == "A" else "A"
        way = rows["banned_by"].iloc[0]
        if way == "value":
            gone = ", ".join(rows.loc[rows["games_banned"] > 0, "card"])
            told.append(
                f"Under {policy}, side {other} removes {gone} from {deck}, the cards of the highest worth."
            )
        elif rows["ban_effect"].notna().any():
            told.append(_chance_sentence(rows, deck, policy))
    return told


def _chance_sentence(rows: pd.DataFrame, deck: str, policy: str) -> str:
    worst = rows.loc[rows["ban_effect"].idxmin()]
    sure = int(rows["ban_verdict"].isin([HURTS, HELPS]).sum())
    effect = f"{difference(worst, 'ban_effect', end='_all')} points"
    if not sure:
        return (
            f"Under {policy}, no ban surely hurts {deck} more or less than that of another of its cards; the most that "
            f"was seen is {worst['card']}, {effect}."
        )
    if worst["ban_verdict"] != HURTS:
        return f"Under {policy}, no card of {deck} is surely missed more than the others; {sure} surely less."
    return (
        f"Under {policy}, {deck} misses {worst['card']} most: its ban is worth {effect} to {deck}, against the ban of "
        f"another of its cards; {count(sure, 'card')} of {len(rows)} surely differ{'s' * (sure == 1)} from the others."
    )


def _scores_section(scores: pd.DataFrame) -> Section:
    data = {
        "labels": scores["policy"].tolist(),
        "values": scores["score_a"].to_numpy(float),
        "lows": scores["score_low"].to_numpy(float),
        "highs": scores["score_high"].to_numpy(float),
        "x_label": f"score of {scores['deck_a'].iloc[0]}",
        "reference": 0.5,
    }
    together = " and hold for all policies together (Bonferroni)" if len(scores) > 1 else ""
    return Section(
        heading="Score",
        sentences=[
            "A score counts a win as 1 and a draw as ½. Before the game side B removes one of A's cards, A one and "
            f"then another of B's, and B another of A's (R41). Verdicts are read off intervals of 95 %{together}. "
            "All of it holds for these players and bans."
        ],
        table=scores,
        name="constructed",
        columns={
            "policy": "text",
            "deck_a": "text",
            "deck_b": "text",
            "bans": "text",
            "vs_bans": "text",
            "score_a": "interval",
            "games": "count",
            "verdict": "text",
            "draw_rate": "percent",
            "score_a_first": "percent",
            "score_a_second": "percent",
        },
        figure=FigureSpec(
            "whiskers",
            "constructed",
            f"{scores['deck_a'].iloc[0]} against {scores['deck_b'].iloc[0]} by policy (95 % intervals)",
            data,
        ),
        main=True,
    )


def _bans_sections(bans: pd.DataFrame) -> list[Section]:
    shown = bans.assign(ban_effect=[difference(row, "ban_effect", end="_all") for _, row in bans.iterrows()])
    by_chance = bans["ban_effect"].notna().any()
    ways = " and ".join(WAYS[way] for way in dict.fromkeys(bans["banned_by"]))
    sentences = [f"Banned: share of the games in which the other side removed the card ({ways})."]
    if by_chance:
        sentences.append(
            "Ban effect: what the owner scores more, in percentage points, when this card is banned than when it is "
            "not: chance bans, so this is what the ban does, against that of another of the ten. The intervals hold "
            "for all cards of both tens together (Bonferroni, 95 %)."
        )
    section = Section(
        heading="Bans",
        sentences=sentences,
        table=bans,
        name="constructed_bans",
        shown=shown,
        columns={
            **({"policy": "text"} if bans["policy"].nunique() > 1 else {}),
            "side": "text",
            "deck": "text",
            "card": "text",
            "banned": "percent",
            "games_banned": "count",
            **({"ban_effect": "text", "ban_verdict": "text"} if by_chance else {"worth": "points"}),
        },
    )
    policies = list(dict.fromkeys(bans["policy"]))
    return [
        section,
        *(_bans_figure(bans[bans["policy"] == policy], policy) for policy in policies * bool(by_chance)),
    ]


def _bans_figure(bans: pd.DataFrame, policy: str) -> Section:
    rows = bans[bans["ban_effect"].notna()]
    data = {
        "labels": [f"{row['deck']}: {row['card']}" for _, row in rows.iterrows()],
        **_ends(rows, "ban_effect", "_all"),
        "x_label": "percentage points of its owner's score (intervals that hold together, 95 %)",
        "reference": 0.0,
        "percent": False,
    }
    title = f"What it does to its owner that a card is banned: {policy}"
    return Section(title, figure=FigureSpec("whiskers", f"constructed_bans_{slug(policy)}", title, data))


def _ends(rows: pd.DataFrame, name: str, end: str) -> dict[str, np.ndarray]:
    limits: Sequence[tuple[str, str]] = (("values", ""), ("lows", f"_low{end}"), ("highs", f"_high{end}"))
    return {key: 100 * rows[f"{name}{limit}"].to_numpy(float) for key, limit in limits}
