"""What a run of matchups says, in sentences and figures: the best deck, unfair pairings, going first, stalls."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from clashsim.analysis.intervals import BAND
from clashsim.experiments.matchup_tables import ALL, ALL_GAMES, MIRROR, STALLED
from clashsim.experiments.rating_findings import (
    equilibrium_section,
    equilibrium_sentence,
    ratings_section,
    ratings_sentence,
    standing_sentence,
)
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.experiments.words import count, interval, pairing, percent, points

BAND_WORDS = f"{100 * BAND[0]:.1f}–{100 * BAND[1]:.1f} %"


Tables = Mapping[str, pd.DataFrame]


def findings(tables: Tables, details: Mapping[str, Any]) -> Findings:
    """Return the report of a run of matchups, from its tables by name and its details (matchups.Matchups)."""
    policies = details["policies"]
    players = f"{policies[0]} players" if len(policies) == 1 else f"{policies[0]} against {policies[1]}"
    answers = [
        _best(tables["pool"], len(policies) > 1),
        _unfair(tables["matchups"]),
        standing_sentence(tables),
        ratings_sentence(tables),
        equilibrium_sentence(tables),
        _going_first(tables["first_player"]),
        _stalls(tables["health"]),
    ]
    sections = [
        _matchup_section(tables, list(details["decks"])),
        _pool_section(tables),
        ratings_section(tables, details),
        equilibrium_section(tables, details),
        _first_player_section(tables),
        _health_section(tables),
        _plays_section(tables),
    ]
    return Findings(
        title=f"Matchups of {count(len(details['decks']), 'deck')}, {players}",
        question="Which deck is best? Is any matchup unfair, and by how much? Which deck should one bring? "
        "What is going first worth? Does anything stall?",
        answer=[sentence for sentence in answers if sentence],
        sections=sections,
    )


def _best(pool: pd.DataFrame, two_policies: bool) -> str:
    """Say which deck has the highest mean score, and whether the next one is really behind it."""
    sentences = []
    for policy, decks in pool.groupby("policy", sort=False):
        players = f"Played by {policy} against the other policy" if two_policies else f"Under {policy}"
        best, last = decks.iloc[0], decks.iloc[-1]
        level = [deck for _, deck in decks.iloc[1:].iterrows() if deck["score_high"] >= best["score_low"]]
        behind = [deck for _, deck in decks.iloc[1:-1].iterrows() if deck["score_low"] <= last["score_high"]]
        if len(decks) == 1:
            sentences.append(f"{players}, deck {best['deck']} scores {interval(best, 'score')}.")
            continue
        if level:
            names = " and ".join(f"deck {deck['deck']}" for deck in [best, *level])
            score = interval(best, "score")
            sentences.append(
                f"{players}, {names} have the best mean scores, too close together to tell apart: {score} for deck "
                f"{best['deck']}."
            )
        else:
            score = interval(best, "score")
            sentences.append(f"{players}, deck {best['deck']} is the best: it scores {score} on average.")
        if len(decks) > 2 and not behind and last["deck"] not in {deck["deck"] for deck in level}:
            sentences.append(f"Deck {last['deck']} is the worst with {percent(last['score'])}.")
    return " ".join(sentences)


def _unfair(matchups: pd.DataFrame) -> str:
    """Count the verdicts and name the most one-sided pairing."""
    played = matchups[~matchups["derived"] & (matchups["verdict"] != MIRROR)]
    if played.empty:
        return ""
    counts = played["verdict"].value_counts()
    if len(played) == 1:
        sentence = f"The pairing is {counts.index[0]}"
    elif len(counts) == 1:
        sentence = f"All {len(played)} pairings are {counts.index[0]}"
    else:
        words = ", ".join(
            f"{counts[name]} {'is' if counts[name] == 1 else 'are'} {name}"
            for name in ("unbalanced", "balanced", "undecided")
            if name in counts
        )
        sentence = f"Of {len(played)} pairings, {words}"
    sure = "with 95 % confidence" + (" for all of them at once" if len(played) > 1 else "")
    sentence += f" (fair is a score of {BAND_WORDS}; {sure})."
    unbalanced = played[played["verdict"] == "unbalanced"]
    if unbalanced.empty:
        return sentence
    worst = unbalanced.loc[unbalanced["distance"].abs().idxmax()]
    if worst["distance"] < 0 and worst["policy_a"] == worst["policy_b"]:
        mirrored = (matchups["deck_a"] == worst["deck_b"]) & (matchups["deck_b"] == worst["deck_a"])
        worst = matchups[mirrored].iloc[0]
    return (
        f"{sentence} The most one-sided is {_players(worst)}: {interval(worst, 'score_a', 'score')}, "
        f"{abs(100 * worst['distance']):.1f} points beyond what is fair."
    )


def _players(row: pd.Series) -> str:
    """Name the decks of a row, and who plays them where that differs."""
    if row["policy_a"] == row["policy_b"]:
        return pairing(row)
    return f"deck {row['deck_a']} played by {row['policy_a']} against deck {row['deck_b']} played by {row['policy_b']}"


def _going_first(first_player: pd.DataFrame) -> str:
    """Say what the first turn is worth, on average and at most."""
    pairings, mean = first_player.iloc[:-1], first_player.iloc[-1]
    score = f"The player who goes first scores {interval(mean, 'score_first')}"
    measurable = mean["advantage_low"] > 0 or mean["advantage_high"] < 0
    worth = (
        f": going first is worth {points(mean['advantage'])}" if measurable else ": no measurable difference"
    )
    if len(pairings) == 1:
        return f"{score}{worth}."
    least, most = (pairings.loc[pairings["advantage"].agg(kind)] for kind in ("idxmin", "idxmax"))
    ends = [f"{points(row['advantage'])} ({_limits(row)}; {pairing(row)})" for row in (least, most)]
    return f"{score} on average over all pairings, mirrors included{worth}, from {ends[0]} to {ends[1]}."


def _limits(row: pd.Series) -> str:
    return f"{100 * row['advantage_low']:+z.1f} to {100 * row['advantage_high']:+z.1f}"


def _stalls(health: pd.DataFrame) -> str:
    """Name the pairings with many draws."""
    stalled = health[health["stalled"]].sort_values("draw_rate", ascending=False)
    if not stalled.empty:
        words = ", ".join(f"{pairing(row)} in {interval(row, 'draw_rate')}" for _, row in stalled.iterrows())
        return (
            f"{count(len(stalled), 'pairing')} {'stalls' if len(stalled) == 1 else 'stall'} with these players: "
            f"more than {100 * STALLED:.0f} % of the games are draws at the turn limit: {words}."
        )
    if not health["draws"].any():
        return "Nothing stalls: no game reached the turn limit."
    most = health["draw_rate"].max()
    share = "less than 0.1 %" if most < 0.001 else f"at most {percent(most)}"
    return f"Nothing stalls: {share} of the games of a pairing are draws at the turn limit."


def _matchup_section(tables: Tables, decks: Sequence[str]) -> Section:
    table = tables["matchups"]
    comparisons = int(table["comparisons"].max())
    sentences = [
        "A score counts a win as 1 and a draw as ½; in brackets the 95 % interval of each pairing by itself."
    ]
    if comparisons > 1:
        sentences.append(
            f"Verdicts are read off wider intervals that hold for all {comparisons} comparisons together (Bonferroni)."
        )
    stopped = table[~table["derived"] & (table["stopped"] != ALL_GAMES)]
    if len(stopped):
        sentences.append(
            f"{count(len(stopped), 'pairing')} of {(~table['derived']).sum()} stopped early (column stopped): "
            "the number of games depends on how they went."
        )
    wanting = table[~table["derived"] & (table["stopped"] == ALL_GAMES)]
    if len(stopped) and len(wanting):
        sentences.append(
            f"{count(len(wanting), 'pairing')} had all their games before what was asked for was reached."
        )
    sentences += [
        f"Distance: how many points the score lies outside the fair band, {BAND_WORDS}.",
        "Mirrors are even by definition and get no verdict."
        if (table["verdict"] == MIRROR).any()
        else "A deck against itself is a pairing like any other, since the policies differ.",
        "All of it holds for these players: other policies can turn a matchup round.",
    ]
    return Section(
        heading="Deck against deck",
        sentences=sentences,
        table=table,
        name="matchups",
        shown=table[~table["derived"]],
        columns={
            "deck_a": "text",
            "deck_b": "text",
            "score_a": "interval",
            "games": "count",
            "verdict": "text",
            "distance": "points",
            "draw_rate": "percent",
            "score_a_first": "percent",
            "score_a_second": "percent",
            "turns_median": "short",
            **({"stopped": "text"} if len(stopped) else {}),
        },
        figure=_heatmap(table, decks) if comparisons else None,
    )


def _heatmap(table: pd.DataFrame, decks: Sequence[str]) -> FigureSpec:
    def matrix(values: pd.Series) -> pd.DataFrame:
        wide = table.assign(values=values).pivot(index="deck_a", columns="deck_b", values="values")
        return wide.loc[list(decks), list(decks)]

    mirrors = matrix(table["verdict"]) == MIRROR
    policy_a, policy_b = table.iloc[0][["policy_a", "policy_b"]]
    data = {
        "matrix": matrix(table["score_a"]).mask(mirrors).to_numpy(float),
        "half_widths": matrix((table["score_high"] - table["score_low"]) / 2).to_numpy(float),
        "row_labels": [f"deck {deck}" for deck in decks],
        "column_labels": [f"deck {deck}" for deck in decks],
        "colour_label": "score of deck A",
        "row_title": "deck A",
        "column_title": "deck B",
    }
    return FigureSpec("heatmap", "matchups", _heatmap_title(policy_a, policy_b), data)


def _heatmap_title(policy_a: str, policy_b: str) -> str:
    if policy_a == policy_b:
        return f"Score of the row's deck against the column's, {policy_a} players"
    return f"Score of the row's deck, played by {policy_a}, against the column's, played by {policy_b}"


def _pool_section(tables: Tables) -> Section:
    pool = tables["pool"]
    figure = None
    if len(pool):
        labels = [f"deck {row['deck']} ({row['policy']})" for _, row in pool.iterrows()]
        figure = _whiskers(pool, "score", labels, "pool", "Mean score over the opponents", "mean score", 0.5)
    return Section(
        heading="Mean score against the pool",
        sentences=[
            "The mean over a deck's opponents, each counting the same.",
            "A deck against itself counts only where the two policies differ.",
        ],
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
        "mean of all pairings" if row["deck_a"] == ALL else f"{row['deck_a']} against {row['deck_b']}"
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
            "turns_median": "short",
            "turns_p90": "short",
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
            "So it does not tell what a card is worth. Games against the deck itself count twice, once for each side.",
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
