"""Drafts of duels, in sentences, tables and figures."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from clashsim.clash.core.draft_counts import FIRST_PICK
from clashsim.experiments.card_tables import STRONG, WEAK
from clashsim.experiments.draft_tables import BETTER, PICK_NAMES, SEATS, WORSE
from clashsim.experiments.draft_worths import STABLE
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.experiments.words import count, difference, interval, points, slug

Tables = Mapping[str, pd.DataFrame]

MOST_NAMED = 3
KEY = ["policy", "drafter", "vs_drafter"]
BIAS = (
    "Observed figures are biased: score is that of decks that have the card (17Lands: GP WR), which also have what "
    "went with it; score played is of games in which the deck played it, so cards that are played late or when ahead "
    "look better than they are. In this game all eight cards are in the first hand, so 17Lands' opening-hand and drawn "
    "figures (OH WR, GD WR, GIH WR, IWD) say nothing here."
)


def findings(tables: Tables) -> Findings:
    """Return the report of a run of drafts."""
    cards = tables["draft_cards"]
    policies = list(dict.fromkeys(cards["policy"]))
    return Findings(
        title=f"Drafting, played by {', '.join(policies)}",
        question="Which cards should be taken first, and what do drafting first and starting decide?",
        answer=[sentence for policy in policies for sentence in _answers(tables, policy)],
        sections=[
            _cards_section(cards),
            *_order_sections(cards),
            _drafters_section(tables["draft_drafters"]),
            _picks_section(tables["draft_picks"]),
            _seats_section(tables["draft_seats"]),
            _over_section(tables["draft_over"]),
            *_over_figures(tables["draft_over"], cards),
            _iterations_section(tables["draft_iterations"]),
        ],
    )


def shown_view(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first pair of drafters of each policy: what the page shows of a long table."""
    first = table.groupby("policy", sort=False)[KEY[1:]].transform("first")
    return table[(table[KEY[1:]] == first).all(axis=1)]


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
    if rows.empty:
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


def _cards_section(cards: pd.DataFrame) -> Section:
    shown = shown_view(cards)
    return Section(
        heading="Cards",
        sentences=[
            "Value: what the card adds to the score of a side that has it, against the mean of the others, in "
            "percentage points: least squares over all cards at once of games whose cards turned up by chance, so it "
            "does not matter what else a drafter takes with it. The interval holds for all cards together (Bonferroni, "
            "95 %); the verdict is read off it.",
            f"Taken at: the mean place in a round (1 first of four, 2.5 one of the pair, 4 leftover). {BIAS}",
        ],
        table=cards,
        name="draft_cards",
        shown=shown.assign(value=[difference(row, "value", end="_all") for _, row in shown.iterrows()]),
        columns={
            **_key_columns(cards),
            "rank": "count",
            "card": "text",
            "cost": "count",
            "value": "text",
            "value_verdict": "text",
            "ata": "number",
            "score": "interval",
            "played": "percent",
            "score_played": "percent",
            "games": "count",
        },
        main=True,
    )


def _key_columns(table: pd.DataFrame) -> dict:
    varied = [name for name in KEY if table[name].nunique() > 1]
    return dict.fromkeys(varied, "text")


def _order_sections(cards: pd.DataFrame) -> list[Section]:
    made = []
    for policy, rows in shown_view(cards).groupby("policy", sort=False):
        names = rows.iloc[0]
        in_order = rows.sort_values(["ata", "rank"], kind="stable") if rows["ata"].nunique() > 3 else rows
        data = {
            "labels": [f"{row['card']} (taken at {row['ata']:.2f})" for _, row in in_order.iterrows()],
            "values": 100 * in_order["value"].to_numpy(float),
            "lows": 100 * in_order["value_low_all"].to_numpy(float),
            "highs": 100 * in_order["value_high_all"].to_numpy(float),
            "x_label": "value: percentage points against the mean card (intervals that hold together, 95 %)",
            "reference": 0.0,
            "percent": False,
        }
        title = f"Pick order of {names['drafter']} against {names['vs_drafter']}: {policy}"
        made.append(
            Section(
                f"Pick order, {policy}",
                [
                    "The cards in the order in which they are taken, by the mean place in a round, with their values."
                ],
                figure=FigureSpec("whiskers", f"draft_order_{slug(str(policy))}", title, data),
            )
        )
    return made


def _drafters_section(drafters: pd.DataFrame) -> Section:
    figure = None
    if len(drafters):
        data = {
            "labels": [
                f"{row['drafter']} against {row['vs_drafter']}"
                + (f" ({row['policy']})" if drafters["policy"].nunique() > 1 else "")
                for _, row in drafters.iterrows()
            ],
            **{
                end: drafters[f"score{limit}"].to_numpy(float)
                for end, limit in {"values": "", "lows": "_low_all", "highs": "_high_all"}.items()
            },
            "x_label": "score (intervals that hold together, 95 %)",
            "reference": 0.5,
        }
        figure = FigureSpec("whiskers", "draft_drafters", "Drafters against each other", data)
    return Section(
        heading="Drafters against each other",
        sentences=["Both sides played by the same policy, all with the same cards turned up."],
        table=drafters,
        name="draft_drafters",
        columns={
            "policy": "text",
            "drafter": "text",
            "vs_drafter": "text",
            "score": "interval",
            "drafter_verdict": "text",
            "games": "count",
        },
        figure=figure,
    )


def _picks_section(picks: pd.DataFrame) -> Section:
    shown = shown_view(picks)
    first = shown["pick_rate"].where(shown["pick"] == PICK_NAMES[FIRST_PICK])
    shown = shown.assign(_first=first.groupby([shown["policy"], shown["card"]]).transform("max"))
    shown = shown.sort_values(["policy", "_first", "card"], ascending=[True, False, True], kind="stable")
    return Section(
        heading="Picks",
        sentences=[
            "How often the card is taken by the one who goes first in a round (of four), as one of the pair (of "
            "three), and as the leftover, and how decks score that took it then: observed, as a card that is left over "
            "comes with the best of its four."
        ],
        table=picks,
        name="draft_picks",
        shown=shown.drop(columns="_first"),
        columns={
            **_key_columns(picks),
            "card": "text",
            "pick": "text",
            "seen": "count",
            "pick_rate": "interval",
            "score": "interval",
            "games": "count",
        },
    )


def _seats_section(seats: pd.DataFrame) -> Section:
    data = {
        "labels": [
            f"{row['seat']}: {row['drafter']} against {row['vs_drafter']}" for _, row in seats.iterrows()
        ],
        **{
            end: 100 * seats[f"advantage{limit}"].to_numpy(float)
            for end, limit in {"values": "", "lows": "_low", "highs": "_high"}.items()
        },
        "x_label": "percentage points above 50 %",
        "reference": 0.0,
        "percent": False,
    }
    return Section(
        heading="Drafting first and starting",
        sentences=[
            "Every draft is played four times: either side drafts first, and either starts. Scores are those of the "
            "side that the row names, whichever it is."
        ],
        table=seats,
        name="draft_seats",
        columns={
            **({"policy": "text"} if seats["policy"].nunique() > 1 else {}),
            "drafter": "text",
            "vs_drafter": "text",
            "seat": "text",
            "score": "interval",
            "advantage": "points",
            "games": "count",
        },
        figure=FigureSpec("whiskers", "draft_seats", "What drafting first and starting are worth", data),
    )


def _over_section(over: pd.DataFrame) -> Section:
    shown = shown_view(over)
    close = shown.assign(_off=(shown["taken_over"] - 0.5).abs()).sort_values("_off", kind="stable")
    return Section(
        heading="Which card is taken over which",
        sentences=[
            "Of choices in which both were there and just one was taken. Shown are the closest calls.",
        ],
        table=over,
        name="draft_over",
        shown=close.drop(columns="_off").head(20),
        columns={
            **_key_columns(over),
            "card": "text",
            "other_card": "text",
            "taken_over": "interval",
            "choices": "count",
        },
    )


def _over_figures(over: pd.DataFrame, cards: pd.DataFrame) -> list[Section]:
    made = []
    for policy, rows in shown_view(over).groupby("policy", sort=False):
        order = shown_view(cards[cards["policy"] == policy])["card"].tolist()
        places = {card: place for place, card in enumerate(order)}
        matrix = np.full((len(order), len(order)), np.nan)
        one, other = (rows[name].map(places).to_numpy() for name in ("card", "other_card"))
        matrix[one, other] = rows["taken_over"]
        matrix[other, one] = 1 - rows["taken_over"]
        title = f"How often the card of the row is taken over that of the column: {policy}"
        data = {
            "matrix": matrix,
            "half_widths": np.full(matrix.shape, np.nan),
            "row_labels": order,
            "column_labels": order,
            "colour_label": "taken over",
            "numbers": False,
        }
        figure = FigureSpec("heatmap", f"draft_over_{slug(str(policy))}", title, data)
        made.append(Section(f"Taken over, {policy}", figure=figure))
    return made


def _iterations_section(iterations: pd.DataFrame) -> Section:
    steps = iterations.groupby(["policy", "iteration"], sort=False, as_index=False).first()
    spread = iterations.groupby(["policy", "iteration"], sort=False, as_index=False)["value"].std()
    shown = steps[["policy", "iteration", "agreement"]].assign(value=spread["value"])
    shown = shown.assign(
        agreement=["–" if pd.isna(value) else f"{value:z.3f}" for value in shown["agreement"]],
        spread=[points(value).lstrip("+") for value in shown["value"]],
    )
    return Section(
        heading="The table of worths",
        sentences=[
            "Iteration 0 lets chance draft and measures what cards are worth. Each further one drafts by the mean of "
            "the last table and what was measured from its drafts, in fresh games, until the two agree (rank "
            f"correlation of at least {STABLE}). The file has all cards."
        ],
        table=iterations,
        name="draft_iterations",
        shown=shown,
        columns={"policy": "text", "iteration": "count", "agreement": "text", "spread": "text"},
    )
