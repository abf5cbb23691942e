"""Drafts of duels, in sentences, tables and figures."""

from collections.abc import Mapping

import pandas as pd

from clashsim.experiments.card_tables import STRONG, WEAK
from clashsim.experiments.draft_sections import (
    cards_section,
    drafters_section,
    iterations_section,
    order_sections,
    over_figures,
    over_section,
    picks_section,
    seats_section,
    shown_view,
    worths_file,
)
from clashsim.experiments.draft_tables import BETTER, SEATS, WORSE
from clashsim.experiments.draft_worths import STABLE
from clashsim.experiments.result import Findings
from clashsim.experiments.words import count, difference, interval

Tables = Mapping[str, pd.DataFrame]

MOST_NAMED = 3


def findings(tables: Tables) -> Findings:
    """Return the report of a run of drafts."""
    cards = tables["draft_cards"]
    policies = list(dict.fromkeys(cards["policy"]))
    return Findings(
        title=f"Drafting, played by {', '.join(policies)}",
        question="Which cards should be taken first, and what do drafting first and starting decide?",
        answer=[sentence for policy in policies for sentence in _answers(tables, policy)],
        sections=[
            cards_section(cards),
            *order_sections(cards),
            drafters_section(tables["draft_drafters"]),
            picks_section(tables["draft_picks"]),
            seats_section(tables["draft_seats"]),
            over_section(tables["draft_over"]),
            *over_figures(tables["draft_over"], cards),
            iterations_section(tables["draft_iterations"]),
        ],
        attachments=lambda: {"worths.csv": worths_file(cards)},
    )


def _answers(tables: Tables, policy: str) -> list[str]:
    cards = shown_view(tables["draft_cards"][tables["draft_cards"]["policy"] == policy])
    drafters, seats = (
        tables[name][tables[name]["policy"] == policy] for name in ("draft_drafters", "draft_seats")
    )
    ends = [
        ", ".join(f"{row['card']} {difference(row, 'value', end='_all')}" for _, row in rows.iterrows())
        for rows in (cards.head(MOST_NAMED), cards.tail(MOST_NAMED).iloc[::-1])
    ]
    names = cards.iloc[0]
    sure = cards["value_verdict"].value_counts()
    return [
        f"Under {policy}, in decks drafted by {names['drafter']} against {names['vs_drafter']}, in percentage points "
        f"that a side scores more with the card than with a mean one: most worth are {ends[0]}; least {ends[1]}. "
        f"{sure.get(STRONG, 0)} of {count(len(cards), 'card')} are surely above the mean, {sure.get(WEAK, 0)} below.",
        *_drafter_sentences(drafters, policy),
        _seat_sentence(shown_view(seats), policy),
        *agreement_sentences(tables["draft_iterations"], policy),
    ]


def _drafter_sentences(drafters: pd.DataFrame, policy: str) -> list[str]:
    told = []
    for place, row in drafters.iterrows():
        mirrored = (drafters["drafter"] == row["vs_drafter"]) & (drafters["vs_drafter"] == row["drafter"])
        if mirrored.any() and drafters.index[mirrored][0] < place:
            continue  # told from the other side
        verb = {BETTER: "surely beats", WORSE: "surely loses to"}.get(
            row["drafter_verdict"], "neither surely beats nor surely loses to"
        )
        told.append(f"{row['drafter']} {verb} {row['vs_drafter']}, with {interval(row, 'score')}")
    return [f"Under {policy}, {'; '.join(told)}."] if told else []


def _seat_sentence(seats: pd.DataFrame, policy: str) -> str:
    by_seat = seats.set_index("seat")
    first, starts, both, second = (by_seat.loc[seat] for seat in SEATS)
    names = seats.iloc[0]
    return (
        f"Under {policy}, after a draft by {names['drafter']} against {names['vs_drafter']}, drafting first is worth "
        f"{difference(first, 'advantage')} percentage points of score and starting {difference(starts, 'advantage')}; "
        f"who drafts first and starts scores {interval(both, 'score')}, who drafts first and goes second "
        f"{interval(second, 'score')}."
    )


def agreement_sentences(iterations: pd.DataFrame, policy: str) -> list[str]:
    """Say whether the table of worths of a policy has settled."""
    rows = iterations[iterations["policy"] == policy]
    if rows["agreement"].isna().all():  # no table, or one that was given
        return []
    last = rows[rows["iteration"] == rows["iteration"].max()].iloc[0]
    stable = last["agreement"] >= STABLE
    unstable = (
        "; it is not stable: either the worths are too close together for this number of games (--table-games), or "
        "they depend on how others draft"
    )
    why = "" if stable else unstable
    drafts = count(int(last["iteration"]), "iteration")
    return [
        f"Under {policy}, the table of worths that drafters go by and the worths measured from their drafts have a "
        f"rank correlation of {last['agreement']:z.3f} after {drafts}{why}."
    ]
