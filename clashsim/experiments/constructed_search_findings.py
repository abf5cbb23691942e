"""What a search for strong tens says, in sentences, tables and figures."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from clashsim.experiments.constructed_search_tables import BEST, BETTER, NOT_WORSE
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.experiments.words import count, difference, interval, percent

Tables = Mapping[str, pd.DataFrame]

MOST_SHOWN = 15  # swaps on the page
IN_THE_MIX = 0.001


def findings(tables: Tables, details: Mapping[str, Any]) -> Findings:
    """Return the report of a search."""
    policy, bans = details["policies"][0], details["bans"]
    return Findings(
        title=f"Constructed decks found under {policy}, {bans} bans",
        question="Which ten cards should one bring, of which the opponent removes two (R41)? Could one card be better?",
        answer=[
            _best_sentence(tables, policy, bans),
            *_bans_sentences(details["tens"], bans),
            _rivals_sentence(tables["constructed_tens"]),
            _mix_sentence(tables["constructed_tens"]),
            _audit_sentence(tables["constructed_swaps"], details["least_gain"]),
            _course_sentence(tables["constructed_generations"], tables["constructed_tens"]),
        ],
        sections=[
            _tens_section(tables["constructed_tens"]),
            _pairings_section(tables),
            _cards_section(tables["constructed_cards"], bans),
            _swaps_section(tables["constructed_swaps"]),
            _generations_section(tables["constructed_generations"]),
        ],
        attachments=lambda: attachments(details["tens"], tables["constructed_swaps"]),
    )


def attachments(tens: Mapping[str, Sequence[str]], swaps: pd.DataFrame) -> dict[str, str]:
    """Return the tens of the final as files for `constructed play`, and the best one with a swap that is surely "
    "better."""
    found = dict(tens)
    if (swaps["swap_verdict"] == BETTER).any():
        swap = swaps[swaps["swap_verdict"] == BETTER].iloc[0]
        cards = [swap["into"] if card == swap["out"] else card for card in found[swap["ten"]]]
        found[f"{swap['ten']}-swapped"] = cards
    return {
        f"{name}.toml": f"name = {json.dumps(name)}\ncards = {json.dumps(cards, ensure_ascii=False)}\n"
        for name, cards in found.items()
    }


def _best_sentence(tables: Tables, policy: str, bans: str) -> str:
    tens = tables["constructed_tens"]
    best = tens.iloc[0]
    way = "the cards of the highest values are banned" if bans == "value" else "chance bans"
    low, high = 100 * best["score_low_all"], 100 * best["score_high_all"]
    return (
        f"Under {policy}, where {way}, the best ten that was found is {best['ten_cards']}. It scores "
        f"{percent(best['score'])} on average against {count(len(tens) - 1, 'other')} of the final ({low:z.1f} to "
        f"{high:z.1f}, for all tens at once, as the best is picked by these games)."
    )


def _bans_sentences(tens: Mapping[str, Sequence[str]], bans: str) -> list[str]:
    """Tell which cards of the best ten its opponents remove, where that is no chance."""
    if bans != "value":
        return []
    best = next(iter(tens.values()))  # those of the highest value first
    return [f"Its opponents remove {best[0]} and {best[1]}, so it plays the other eight."]


def _rivals_sentence(tens: pd.DataFrame) -> str:
    rivals = tens[tens["standing"] == NOT_WORSE]
    if rivals.empty:
        return "All other tens of the final are surely worse."
    names = ", ".join(rivals["ten"])
    return (
        f"{count(len(rivals), 'ten')} of the final {'is' if len(rivals) == 1 else 'are'} not surely worse, with 95 % "
        f"confidence for all pairs at once: {names}."
    )


def _mix_sentence(tens: pd.DataFrame) -> str:
    mix = tens[tens["weight"] > IN_THE_MIX].sort_values("weight", ascending=False, kind="stable")
    if len(mix) == 1:
        row = mix.iloc[0]
        low, high = 100 * row["weight_low"], 100 * row["weight_high"]
        return (
            f"If both players choose among these tens unseen, the equilibrium of these scores is {row['ten']} alone; "
            f"as far as they are sure, with a weight of {low:z.0f} to {high:z.0f} %."
        )
    named = ", ".join(f"{row['ten']} {interval(row, 'weight')}" for _, row in mix.iterrows())
    return f"If both players choose among these tens unseen, the equilibrium is {named}."


def _audit_sentence(swaps: pd.DataFrame, least: float) -> str:
    tried = count(len(swaps), "single swap")
    better = swaps[swaps["swap_verdict"] == BETTER]
    if better.empty:
        return (
            f"None of {tried} of the best ten is surely better against the tens of the final; one that gains "
            f"{100 * least:.1f} points would have been found in four of five audits."
        )
    row = better.iloc[0]
    more = f" ({len(better)} swaps are surely better)" if len(better) > 1 else ""
    return (
        f"Yet the best ten can be improved: of {tried}, {row['into']} for {row['out']} gains "
        f"{difference(row, 'swap_gain', end='_all')} points against the tens of the final{more}: search on with "
        f"--start and the file {row['ten']}-swapped.toml of the output folder."
    )


def _course_sentence(generations: pd.DataFrame, tens: pd.DataFrame) -> str:
    first, last = generations.iloc[0], generations.iloc[-1]
    return (
        f"Against the tens that the search started from, the winner of the first generation scores "
        f"{interval(first, 'first_field_score')}, that of the last, number {last['generation']}, "
        f"{interval(last, 'first_field_score')}; the best ten came up in generation {tens['generation'].iloc[0]}."
    )


def _tens_section(tens: pd.DataFrame) -> Section:
    data = {
        "labels": tens["ten"].tolist(),
        "values": tens["score"].to_numpy(float),
        "lows": tens["score_low_all"].to_numpy(float),
        "highs": tens["score_high_all"].to_numpy(float),
        "x_label": "mean score against the other tens of the final",
        "reference": 0.5,
    }
    shown = tens.assign(
        behind=[difference(row, "behind") if row["standing"] != BEST else "–" for _, row in tens.iterrows()]
    )
    return Section(
        heading="Tens",
        sentences=[
            "Every pair of tens of the final played fresh games, which no choice of the search rests on but that of "
            "the best among these tens: the intervals hold for all of them together (Bonferroni, 95 %). Behind: "
            "what a ten scores less than the best one, in percentage points; its interval holds for all pairs of "
            "tens together, so that it holds whichever is the best. Weight: share in the equilibrium mix of these "
            "tens, which no other of them can exploit; where the mix is nearly arbitrary its intervals are too "
            "narrow."
        ],
        table=tens,
        name="constructed_tens",
        shown=shown,
        columns={
            "ten": "text",
            "score": "interval",
            "behind": "text",
            "standing": "text",
            "weight": "interval",
            "support": "percent",
            "generation": "count",
            "ten_cards": "text",
        },
        figure=FigureSpec(
            "whiskers", "constructed_tens", "Tens of the final (intervals that hold together, 95 %)", data
        ),
        main=True,
    )


def _pairings_section(tables: Tables) -> Section:
    pairings, tens = tables["constructed_pairings"], tables["constructed_tens"]["ten"].tolist()
    places = {ten: place for place, ten in enumerate(tens)}
    one, other = (pairings[name].map(places).to_numpy() for name in ("ten_a", "ten_b"))
    matrix, widths = (np.full((len(tens), len(tens)), np.nan) for _ in range(2))
    matrix[one, other], matrix[other, one] = pairings["score_a"], 1 - pairings["score_a"]
    widths[one, other] = widths[other, one] = (pairings["score_high"] - pairings["score_low"]) / 2
    data = {
        "matrix": matrix,
        "half_widths": widths,
        "row_labels": tens,
        "column_labels": tens,
        "colour_label": "score of the row",
    }
    return Section(
        heading="Ten against ten",
        sentences=["Verdicts are read off intervals that hold for all pairs together (Bonferroni, 95 %)."],
        table=pairings,
        name="constructed_pairings",
        columns={
            "ten_a": "text",
            "ten_b": "text",
            "score_a": "interval",
            "games": "count",
            "verdict": "text",
        },
        figure=FigureSpec("heatmap", "constructed_pairings", "Tens of the final against each other", data),
    )


def _cards_section(cards: pd.DataFrame, bans: str) -> Section:
    used = cards[cards["finalists_share"] > 0]
    chance = (
        "chance bans, two of ten"
        if bans == "random"
        else "of a ten, the two cards of the highest values are banned"
    )
    return Section(
        heading="Cards",
        sentences=[
            "How many tens of the final have a card, each counting the same, and weighted by the equilibrium mix. "
            f"Banned: share of the games of these tens in which it was removed ({chance}). Value: in random decks."
        ],
        table=cards,
        name="constructed_cards",
        shown=used,
        columns={
            "card": "text",
            "cost": "count",
            "value": "points",
            "finalists_share": "percent",
            "weighted_share": "percent",
            "banned": "percent",
            "games": "count",
        },
    )


def _swaps_section(swaps: pd.DataFrame) -> Section:
    last = swaps[swaps["swap_heat"] == swaps["swap_heat"].max()]
    shown = swaps.head(MOST_SHOWN)
    data = {
        "labels": [f"{row['into']} for {row['out']}" for _, row in last.iterrows()],
        "values": 100 * last["swap_gain"].to_numpy(float),
        "lows": 100 * last["swap_gain_low_all"].to_numpy(float),
        "highs": 100 * last["swap_gain_high_all"].to_numpy(float),
        "x_label": "gain in percentage points (intervals that hold together, 95 %)",
        "reference": 0.0,
        "percent": False,
    }
    return Section(
        heading="Could one card be better?",
        sentences=[
            "Every swap of one card of the best ten played the same games as the ten itself, against all tens of "
            "the final, with the same shuffles. The better quarter played more of them, and the best few a last "
            "heat of fresh games, by which alone they are judged (for all of them together, Bonferroni). Those that "
            "dropped out before are shown with the games that they dropped out by, so they look a little worse than "
            "they are."
        ],
        table=swaps,
        name="constructed_swaps",
        shown=shown.assign(
            swap_gain=[difference(row, "swap_gain", end="_all") for _, row in shown.iterrows()]
        ),
        columns={
            "out": "text",
            "into": "text",
            "swap_heat": "count",
            "swap_gain": "text",
            "swap_verdict": "text",
            "games": "count",
        },
        figure=FigureSpec("whiskers", "constructed_swaps", "Single swaps of the best ten, last heat", data),
    )


def _generations_section(generations: pd.DataFrame) -> Section:
    data = {
        "labels": ["" for _ in generations["generation"]],
        "across": generations["generation"].to_numpy(float),
        "values": generations["first_field_score"].to_numpy(float),
        "lows": generations["first_field_score_low"].to_numpy(float),
        "highs": generations["first_field_score_high"].to_numpy(float),
        "x_label": "generation",
        "y_label": "score against the tens of the start (%)",
        "percent": True,
        "logarithmic": False,
    }
    mean = percent(float(generations["mean_field_score"].iloc[-1]))
    return Section(
        heading="How the search went",
        sentences=[
            "Every generation meets a field of earlier winners, which gets stronger, so its scores against that do "
            f"not rise: the mean of the last generation is {mean}. What can be compared is the last column: all "
            "winners in the same fresh games against the tens that the search started from."
        ],
        table=generations,
        name="constructed_generations",
        columns={
            "generation": "count",
            "candidates": "count",
            "games": "count",
            "mean_field_score": "percent",
            "field_score": "percent",
            "first_field_score": "interval",
        },
        figure=FigureSpec(
            "scatter",
            "constructed_generations",
            "Winners of the generations against the tens of the start",
            data,
        ),
    )
