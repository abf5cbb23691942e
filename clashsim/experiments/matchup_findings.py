"""What a run of matchups says, in sentences and figures: the best deck, unfair pairings, going first, stalls."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from clashsim.analysis.intervals import BAND
from clashsim.experiments.matchup_tables import ALL, MIRROR, STALLED
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.experiments.words import count, interval, pairing, percent, points, signed_limits

BAND_WORDS = f"{100 * BAND[0]:.1f}–{100 * BAND[1]:.1f} %"


Tables = Mapping[str, pd.DataFrame]


def findings(tables: Tables, details: Mapping[str, Any]) -> Findings:
    """Return the report of a run of matchups, from its tables by name and its details (matchups.Matchups)."""
    policies = details["policies"]
    players = (
        f"{policies[0]} players" if len(policies) == 1 else f"{policies[0]} against {policies[1]} players"
    )
    answers = [_best(tables["pool"]), _unfair(tables["matchups"]), _going_first(tables["first_player"])]
    return Findings(
        title=f"Matchups of {len(details['decks'])} decks, {players}",
        question="Which deck is best? Is any matchup unfair, and by how much? What is going first worth? "
        "Does anything stall?",
        answer=[sentence for sentence in [*answers, _stalls(tables["health"])] if sentence],
        sections=[
            _matchup_section(tables, list(details["decks"])),
            _pool_section(tables),
            _first_player_section(tables),
            _health_section(tables),
            _plays_section(tables),
        ],
    )


def _best(pool: pd.DataFrame) -> str:
    """Say which deck has the highest mean score, and whether the next one is really behind it."""
    if len(pool) < 2:
        return ""
    sentences = []
    for policy, decks in pool.groupby("policy", sort=False):
        best, last = decks.iloc[0], decks.iloc[-1]
        level = [deck for _, deck in decks.iloc[1:].iterrows() if deck["score_high"] >= best["score_low"]]
        names = " and ".join(f"deck {deck['deck']}" for deck in [best, *level])
        scores = f"{interval(best, 'score')} on average against its opponents"
        if level:
            sentences.append(
                f"Under {policy}, {names} lead too close together to tell apart (deck {best['deck']} scores {scores})."
            )
        else:
            sentences.append(f"Under {policy}, {names} is the best: it scores {scores}.")
        if len(decks) > 1 and last["deck"] not in {deck["deck"] for deck in [best, *level]}:
            sentences.append(f"Deck {last['deck']} is the worst with {percent(last['score'])}.")
    return " ".join(sentences)


def _unfair(matchups: pd.DataFrame) -> str:
    """Count the verdicts and name the most one-sided pairing."""
    played = matchups[~matchups["derived"] & (matchups["verdict"] != MIRROR)]
    if played.empty:
        return ""
    counts = played["verdict"].value_counts()
    words = ", ".join(
        f"{counts[name]} {'is' if counts[name] == 1 else 'are'} {name}"
        for name in ("unbalanced", "balanced", "undecided")
        if name in counts
    )
    sentence = (
        f"Of {count(len(played), 'pairing')}, {words} (band {BAND_WORDS}, all intervals holding together)."
    )
    unbalanced = played[played["verdict"] == "unbalanced"]
    if unbalanced.empty:
        return sentence
    worst = unbalanced.loc[unbalanced["distance"].abs().idxmax()]
    if worst["distance"] < 0 and worst["policy_a"] == worst["policy_b"]:
        worst = matchups[
            (matchups["deck_a"] == worst["deck_b"])
            & (matchups["deck_b"] == worst["deck_a"])
            & matchups["derived"]
        ].iloc[0]
    return (
        f"{sentence} The most one-sided is {pairing(worst)}: {interval(worst, 'score_a', 'score')}, "
        f"{abs(100 * worst['distance']):.1f} points outside the band."
    )


def _going_first(first_player: pd.DataFrame) -> str:
    """Say what the first turn is worth, on average and at most."""
    pairings, mean = first_player.iloc[:-1], first_player.iloc[-1]
    average = f"{points(mean['advantage'])} ({signed_limits(mean, 'advantage')})"
    if len(pairings) == 1:
        return f"Going first is worth {average} of score."
    least, most = (pairings.loc[pairings["advantage"].agg(kind)] for kind in ("idxmin", "idxmax"))
    return (
        f"Going first is worth {average} of score on average over the pairings and mirrors, "
        f"from {points(least['advantage'])} ({pairing(least)}) to {points(most['advantage'])} ({pairing(most)})."
    )


def _stalls(health: pd.DataFrame) -> str:
    """Name the pairings with many draws."""
    stalled = health[health["stalled"]].sort_values("draw_rate", ascending=False)
    if stalled.empty:
        most = health["draw_rate"].max()
        return f"Nothing stalls: no pairing has more than {percent(most)} draws at the turn limit."
    words = ", ".join(f"{pairing(row)} ({percent(row['draw_rate'])})" for _, row in stalled.iterrows())
    return (
        f"{count(len(stalled), 'pairing')} {'stalls' if len(stalled) == 1 else 'stall'}, "
        f"with more than {100 * STALLED:.0f} % draws at the turn limit: {words}."
    )


def _matchup_section(tables: Tables, decks: Sequence[str]) -> Section:
    table = tables["matchups"]
    scores = table.pivot(index="deck_a", columns="deck_b", values="score_a").loc[decks, decks]
    half = table.assign(half=(table["score_high"] - table["score_low"]) / 2)
    half_widths = half.pivot(index="deck_a", columns="deck_b", values="half").loc[decks, decks]
    mirrors = table.pivot(index="deck_a", columns="deck_b", values="verdict").loc[decks, decks] == MIRROR
    policy_a, policy_b = table.iloc[0][["policy_a", "policy_b"]]
    figure = FigureSpec(
        "heatmap",
        "matchups",
        _heatmap_title(policy_a, policy_b),
        {
            "matrix": scores.mask(mirrors).to_numpy(float),
            "half_widths": half_widths.to_numpy(float),
            "row_labels": [f"deck {deck}" for deck in decks],
            "column_labels": [f"deck {deck}" for deck in decks],
            "colour_label": "score",
            "row_title": "deck A",
            "column_title": "deck B",
        },
    )
    comparisons = int(table["comparisons"].max())
    return Section(
        heading="Deck against deck",
        sentences=[
            "A score counts a win as 1 and a draw as ½; in brackets the 95 % interval of each pairing by itself.",
            f"Verdicts are read off wider intervals that hold for all {comparisons} comparisons together (Bonferroni).",
            "Mirrors are even by definition and get no verdict.",
            "All of it holds for these players: other policies can turn a matchup round.",
        ],
        table=table,
        name="matchups",
        shown=table[~table["derived"]],
        columns={
            "deck_a": "text",
            "deck_b": "text",
            "score_a": "interval",
            "verdict": "text",
            "distance": "points",
            "draw_rate": "percent",
            "score_a_first": "percent",
            "score_a_second": "percent",
            "turns_median": "count",
            "games": "count",
        },
        figure=figure,
    )


def _heatmap_title(policy_a: str, policy_b: str) -> str:
    if policy_a == policy_b:
        return f"Score of the row's deck against the column's, {policy_a} players"
    return f"Score of the row's deck, played by {policy_a}, against the column's, played by {policy_b}"


def _pool_section(tables: Tables) -> Section:
    pool = tables["pool"]
    figure = None
    if len(pool):
        labels = [f"deck {row['deck']} ({row['policy']})" for _, row in pool.iterrows()]
        figure = _whiskers(
            pool, "score", labels, "pool", "Mean score against the other decks", "mean score", 0.5
        )
    return Section(
        heading="Mean score against the pool",
        sentences=["The mean over a deck's opponents, each counting the same; mirrors are left out."],
        table=pool,
        name="pool",
        columns={
            "deck": "text",
            "policy": "text",
            "score": "interval",
            "opponents": "count",
            "games": "count",
        },
        figure=figure,
    )


def _first_player_section(tables: Tables) -> Section:
    table = tables["first_player"]
    labels = [
        "mean of the pairings" if row["deck_a"] == ALL else f"{row['deck_a']} against {row['deck_b']}"
        for _, row in table.iterrows()
    ]
    title = "Score of the player who takes the first turn"
    return Section(
        heading="Going first",
        sentences=["The advantage is the first player's score minus 50 %, in points."],
        table=table,
        name="first_player",
        columns={
            "deck_a": "text",
            "deck_b": "text",
            "score_first": "interval",
            "advantage": "points",
            "draws": "count",
            "games": "count",
        },
        figure=_whiskers(
            table, "score_first", labels, "first_player", title, "score of the first player", 0.5
        ),
    )


def _health_section(tables: Tables) -> Section:
    turns = tables["health"]["turns_median"]
    return Section(
        heading="How the games go",
        sentences=[
            f"The median length of a game is {turns.min():.0f} to {turns.max():.0f} turns, both players counted.",
            "The turn in which a Bastion falls is the mean over the games in which it falls; unspent mana is per turn.",
        ],
        table=tables["health"],
        name="health",
        columns={
            "deck_a": "text",
            "deck_b": "text",
            "draw_rate": "interval",
            "turns_mean": "number",
            "turns_median": "count",
            "turns_p90": "count",
            "bastion_a_fell": "percent",
            "bastion_a_turn": "number",
            "bastion_b_fell": "percent",
            "bastion_b_turn": "number",
            "unspent_mana_a": "number",
            "unspent_mana_b": "number",
        },
    )


def _plays_section(tables: Tables) -> Section:
    return Section(
        heading="Cards played",
        sentences=[
            "How often a card is played in a game: observed, and higher in longer games.",
            "So it does not tell what a card is worth.",
        ],
        table=tables["plays"],
        name="plays",
        columns={
            "deck": "text",
            "policy": "text",
            "card": "text",
            "plays_per_game": "number",
            "games": "count",
        },
    )


def _whiskers(
    table: pd.DataFrame,
    value: str,
    labels: Sequence[str],
    name: str,
    title: str,
    x_label: str,
    reference: float,
) -> FigureSpec:
    data = {
        "labels": labels,
        "values": table[value].to_numpy(float),
        "lows": table[f"{value}_low"].to_numpy(float),
        "highs": table[f"{value}_high"].to_numpy(float),
        "x_label": f"{x_label}, with its 95 % interval",
        "reference": reference,
    }
    return FigureSpec("whiskers", name, title, data)
