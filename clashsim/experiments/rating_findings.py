"""What ratings say, in sentences and figures: whether one number per deck will do, dominance, cycles, what to bring."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from clashsim.analysis.dominance import shortest_cycles
from clashsim.analysis.equilibrium import IN_THE_MIX, REPLICATES
from clashsim.experiments.rating_tables import BOTH
from clashsim.experiments.result import FigureSpec, Section
from clashsim.experiments.rungs import Tables
from clashsim.experiments.words import count, deck_and_player, interval, percent, player

SIGNIFICANT = 0.05
SMALL_MISS = 0.02  # of score: what one would hardly notice
NAMED = 6  # decks of a mix, and cycles, that a sentence names; the tables have them all


def ratings_sentence(tables: Tables) -> str:
    """Say whether one number per deck describes the pairings; nothing where too few pairings could tell."""
    ratings = tables["ratings"]
    if ratings.empty or not ratings["fit_df"].iloc[0]:
        return ""
    p, miss = ratings["fit_p"].iloc[0], f"{100 * ratings['fit_miss'].iloc[0]:.1f} points"
    chance = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    if p < SIGNIFICANT and ratings["fit_miss"].iloc[0] < SMALL_MISS:
        return (
            f"One Elo rating per deck describes these matchups within {miss} (root mean square), though not exactly "
            f"(lack of fit, {chance})."
        )
    if p < SIGNIFICANT:
        return (
            "One number per deck does not describe these matchups: the scores that Elo ratings imply are off by "
            f"{miss} (root mean square; lack of fit, {chance})."
        )
    best, last = (ratings.loc[ratings["elo"].agg(kind)] for kind in ("idxmax", "idxmin"))
    return (
        f"Nothing in these games contradicts one Elo rating per deck (misfit {miss}, root mean square; lack of fit, "
        f"{chance}): "
        f"from {best['elo']:+z.0f} for {deck_and_player(best, ratings)} to {last['elo']:+z.0f} for "
        f"{deck_and_player(last, ratings)}."
    )


def standing_sentence(tables: Tables) -> str:
    """Name a dominant deck, dominated decks and cycles, where there are at least three decks."""
    ratings = tables["ratings"]
    if ratings["deck"].nunique() < 3:
        return ""
    sentences = [_dominant(ratings), _dominated(ratings), _cycles(tables)]
    return " ".join(sentence for sentence in sentences if sentence)


def equilibrium_sentence(tables: Tables) -> str:
    """Say which mix of decks to bring, where there are at least three decks."""
    table = tables["equilibrium"]
    if table["deck"].nunique() < 3:
        return ""
    if table["side"].iloc[0] == BOTH:
        return f"If both players choose their deck unseen, the equilibrium is {_mix(table)}."
    side_a, side_b = (table[table["side"] == side] for side in "AB")
    policy_a, policy_b = (side["policy"].iloc[0] for side in (side_a, side_b))
    return (
        f"If both players choose their deck unseen, the equilibrium for {policy_a} is {_mix(side_a)}; "
        f"for {policy_b}, {_mix(side_b)}. It is worth {interval(side_a.iloc[0], 'value')} to {policy_a}."
    )


def ratings_section(tables: Tables, answers: Sequence[str] = ()) -> Section:
    """Return the section of the ratings; `answers` come first."""
    ratings = tables["ratings"]
    sentences = [
        *answers,
        "Elo ratings from one fit to all pairings (Bradley–Terry), relative to the mean of the pool: 100 points more "
        "mean a score of 64 %.",
        "Their intervals are what chance leaves open about a deck's best fitting number against these opponents, "
        "not how well a number fits.",
        "A deck beats another if its score is above 50 % with 95 % confidence for all pairings at once; "
        "it is dominated if another one surely scores more against every opponent.",
    ]
    if ratings.empty:
        sentences = ["A single deck has no rating."]
    return Section(
        heading="Ratings",
        sentences=[sentence for sentence in sentences if sentence],
        table=ratings,
        name="ratings",
        columns={
            "deck": "text",
            "policy": "text",
            "score": "interval",
            "elo": "signed",
            "elo_low": "signed",
            "elo_high": "signed",
            "beats": "text",
            "loses_to": "text",
            "dominant": "text",
            "dominated_by": "text",
        },
        figure=None
        if ratings.empty
        else ratings_figure(
            ratings,
            [player(row, ratings) for _, row in ratings.iterrows()],
            "ratings",
            "Elo ratings",
            "the pool",
        ),
    )


def equilibrium_section(tables: Tables, answers: Sequence[str] = ()) -> Section:
    """Return the section of the equilibrium mix; `answers` come first."""
    table = tables["equilibrium"]
    sides = (table["side"] != BOTH).any()
    sentences = [
        *answers,
        "The mix that does best when the opponent knows it and answers with the best deck against it.",
        f"Support: the share of {REPLICATES:,} resampled runs in which the deck is in the mix; "
        "the intervals are from the same runs.",
        *_doubts(table),
    ]
    if table.empty:
        sentences = ["A single deck leaves nothing to choose."]
    elif not sides:
        sentences.append("The mix is worth 50 %, as both players choose from the same decks.")
    return Section(
        heading="Which deck to bring",
        sentences=sentences,
        table=table,
        name="equilibrium",
        columns={
            **({"side": "text"} if sides else {}),
            "deck": "text",
            "policy": "text",
            "weight": "interval",
            "support": "percent",
            **({"value": "interval"} if sides else {}),
        },
    )


def ratings_figure(
    ratings: pd.DataFrame, labels: Sequence[str], name: str, title: str, pool: str
) -> FigureSpec:
    """Return the figure of Elo ratings (columns elo, elo_low, elo_high), relative to what `pool` says."""
    data = {
        "labels": labels,
        "values": ratings["elo"].to_numpy(float),
        "lows": ratings["elo_low"].to_numpy(float),
        "highs": ratings["elo_high"].to_numpy(float),
        "x_label": f"Elo relative to {pool}, with its 95 % interval",
        "reference": 0.0,
        "percent": False,
    }
    return FigureSpec("whiskers", name, title, data)


def _dominant(ratings: pd.DataFrame) -> str:
    found = ratings[ratings["dominant"].astype(bool)]
    if ratings["policy"].nunique() == 1:
        reason = "it surely beats every other deck"
    else:
        reason = "whatever the opponent brings, it surely scores more than every other deck of its policy"
    return " ".join(
        f"D{deck_and_player(row, ratings)[1:]} is dominant: {reason}." for _, row in found.iterrows()
    )


def _dominated(ratings: pd.DataFrame) -> str:
    found = ratings[ratings["dominated_by"] != ""]
    if found.empty:
        return ""
    names = "; ".join(
        f"{deck_and_player(row, ratings)} by {row['dominated_by']}" for _, row in found.iterrows()
    )
    return f"Dominated, whatever the opponent brings: {names}."


def _cycles(tables: Tables) -> str:
    """Name the shortest cycles among the decks, the best decks first; between two policies there is no such thing."""
    ratings, matchups = tables["ratings"], tables["matchups"]
    if ratings["policy"].nunique() > 1:
        return ""
    decks = ratings["deck"].tolist()
    sure = matchups[matchups["score_low_all"] > 0.5]
    beats = np.zeros((len(decks), len(decks)), bool)
    for winner, loser in zip(sure["deck_a"], sure["deck_b"], strict=True):
        beats[decks.index(winner), decks.index(loser)] = True
    cycles = shortest_cycles(beats)
    if not cycles:
        return ""
    circle = [decks[item] for item in cycles[0]]
    steps = zip(circle, circle[1:] + circle[:1], strict=True)
    others = f" ({count(len(cycles) - 1, 'more such cycle')})" if len(cycles) > 1 else ""
    return f"There is a cycle: {', '.join(f'{winner} beats {loser}' for winner, loser in steps)}{others}."


def _mix(side: pd.DataFrame) -> str:
    """Name the decks of a mix with their weights."""
    mix = side[side["weight"] > IN_THE_MIX]
    if len(mix) == 1:
        only = mix.iloc[0]
        doubt = (
            "" if only["weight_low"] == 1 else f", in a mix perhaps only {percent(only['weight_low'])} of it"
        )
        return f"deck {only['deck']} alone{doubt}"
    shares = [f"deck {row['deck']} with {interval(row, 'weight')}" for _, row in mix.iterrows()]
    more = [f"{count(len(shares) - NAMED, 'more deck')}"] if len(shares) > NAMED else []
    *first, last = shares[:NAMED] + more
    return f"a mix of {', '.join(first)} and {last}"


def _doubts(table: pd.DataFrame) -> Sequence[str]:
    """Name the decks outside the mix that chance may have kept out."""
    outside = table[(table["weight"] <= IN_THE_MIX) & (table["support"] >= 1 - 0.95)]
    return [
        f"D{deck_and_player(row, table)[1:]} may belong in it: {percent(row['support'])} of the resampled mixes "
        "have it."
        for _, row in outside.iterrows()
    ]
