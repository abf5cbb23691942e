"""The sections of the report of a run of matchups: tables and figures, with what is needed to read them."""

from collections.abc import Sequence

import pandas as pd

from clashsim.analysis.intervals import BAND
from clashsim.experiments.matchup_tables import ALL, ALL_GAMES, MIRROR
from clashsim.experiments.result import FigureSpec, Format, Section
from clashsim.experiments.rungs import Rung, Tables
from clashsim.experiments.series_figures import series_figure
from clashsim.experiments.words import count, player

BAND_WORDS = f"{100 * BAND[0]:.1f}–{100 * BAND[1]:.1f} %"


def matchup_section(tables: Tables, decks: Sequence[str]) -> Section:
    """Return the section of the scores of a run of one rung."""
    table = tables["matchups"]
    return Section(
        heading="Deck against deck",
        sentences=_how_to_read(table, int(table["comparisons"].max())),
        table=table,
        name="matchups",
        shown=table[~table["derived"]],
        columns=_columns(table),
        figure=_heatmap(table, decks, "matchups") if table["comparisons"].max() else None,
    )


def matchup_sections(
    tables: Tables, by_rung: Sequence[tuple[Rung, Tables]], decks: Sequence[str], verdicts: Sequence[str]
) -> list[Section]:
    """Return a section of scores for each rung, each with a sentence of `verdicts`; the first has the file of all."""
    everything = tables["matchups"]
    sections = []
    for number, ((rung, of_rung), verdict) in enumerate(zip(by_rung, verdicts, strict=True), start=1):
        table = of_rung["matchups"]
        comparisons = int(table["comparisons"].max())
        reading = _how_to_read(everything, comparisons, len(by_rung)) if number == 1 else []
        section = Section(
            heading=f"Deck against deck, {players(rung)}",
            sentences=[sentence for sentence in (verdict, *reading) if sentence],
            table=everything if number == 1 else table,
            name="matchups" if number == 1 else "",
            shown=table[~table["derived"]],
            columns=_columns(everything),
            figure=_heatmap(table, decks, f"matchups-{number}") if comparisons else None,
            main=True,
        )
        sections.append(section)
    return sections


def players(rung: Rung) -> str:
    """Name who plays a rung: "greedy players", "greedy against random"."""
    return f"{rung} players" if rung.is_one_policy else str(rung)


def _how_to_read(table: pd.DataFrame, comparisons: int, rungs: int = 1) -> list[str]:
    sentences = [
        "A score counts a win as 1 and a draw as ½; in brackets the 95 % interval of each pairing by itself."
    ]
    if comparisons > 1:
        sentences.append(
            f"Verdicts are read off wider intervals that hold for all {comparisons} comparisons together (Bonferroni)"
            + (", policy by policy." if rungs > 1 else ".")
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
    ]
    if rungs == 1:
        sentences.append("All of it holds for these players: other policies can turn a matchup round.")
    return sentences


def _columns(table: pd.DataFrame) -> dict[str, Format]:
    stopped = ~table["derived"] & (table["stopped"] != ALL_GAMES)
    return {
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
        **({"stopped": "text"} if stopped.any() else {}),
    }


def _heatmap(table: pd.DataFrame, decks: Sequence[str], name: str) -> FigureSpec:
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
    return FigureSpec("heatmap", name, _heatmap_title(policy_a, policy_b), data)


def _heatmap_title(policy_a: str, policy_b: str) -> str:
    if policy_a == policy_b:
        return f"Score of the row's deck against the column's, {policy_a} players"
    return f"Score of the row's deck, played by {policy_a}, against the column's, played by {policy_b}"


def pool_section(tables: Tables, sentences: Sequence[str] = ()) -> Section:
    """Return the section of the mean scores; `sentences` come first."""
    pool = tables["pool"]
    figure = None
    if len(pool):
        labels = [player(row, pool) for _, row in pool.iterrows()]
        figure = _whiskers(pool, "score", labels, "pool", "Mean score over the opponents", "mean score", 0.5)
    return Section(
        heading="Mean score against the pool",
        sentences=[
            *sentences,
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


def first_player_section(tables: Tables, sentences: Sequence[str] = ()) -> Section:
    """Return the section of what going first is worth; `sentences` come first."""
    table = tables["first_player"]
    labels = [
        "mean of all pairings" if row["deck_a"] == ALL else f"{row['deck_a']} against {row['deck_b']}"
        for _, row in table.iterrows()
    ]
    names = [str(Rung(*pair)) for pair in zip(table["policy_a"], table["policy_b"], strict=True)]
    title, x_label = "Score of the player who takes the first turn", "score of the first player"
    if len(set(names)) > 1:
        rows = table.assign(label=labels, players=names)
        figure = series_figure(
            rows, "score_first", list(dict.fromkeys(names)), "first_player", title, x_label
        )
    else:
        figure = _whiskers(table, "score_first", labels, "first_player", title, x_label, 0.5)
    return Section(
        heading="Going first",
        sentences=[*sentences, "The advantage is the first player's score minus 50 %, in points."],
        table=table,
        name="first_player",
        columns={
            "deck_a": "text",
            "deck_b": "text",
            **_policies(table),
            "score_first": "interval",
            "advantage": "points",
            "draws": "count",
            "games": "count",
        },
        figure=figure,
    )


def _policies(table: pd.DataFrame) -> dict[str, Format]:
    """Return the columns of the policies, as far as rows differ in them."""
    return {name: "text" for name in ("policy_a", "policy_b") if table[name].nunique() > 1}


def health_section(tables: Tables, sentences: Sequence[str] = ()) -> Section:
    """Return the section of draws, lengths and Bastions; `sentences` come first."""
    turns = tables["health"]["turns_median"]
    return Section(
        heading="How the games go",
        sentences=[
            *sentences,
            f"The median length of a game is {turns.min():.0f} to {turns.max():.0f} turns, both players counted.",
            "The turn in which a Bastion falls is the mean over the games in which it falls; unspent mana is per turn.",
        ],
        table=tables["health"],
        name="health",
        columns={
            "deck_a": "text",
            "deck_b": "text",
            **_policies(tables["health"]),
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


def plays_section(tables: Tables, sentences: Sequence[str] = ()) -> Section:
    """Return the section of the cards played; `sentences` come first."""
    return Section(
        heading="Cards played",
        sentences=[
            *sentences,
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
