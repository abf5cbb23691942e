"""Drafts of duels: the sections of the report, with their figures."""

import numpy as np
import pandas as pd

from clashsim.clash.core.draft_counts import FIRST_PICK
from clashsim.experiments.draft_tables import PICK_NAMES
from clashsim.experiments.draft_worths import STABLE
from clashsim.experiments.result import FigureSpec, Section
from clashsim.experiments.words import difference, points, slug

KEY = ["policy", "drafter", "vs_drafter"]
MOST_SHOWN = 20  # close calls
BIAS = (
    "Observed figures are biased: score is that of decks that have the card (17Lands: GP WR), which also have what "
    "went with it; score played is of games in which the deck played it, so cards that are played late or when ahead "
    "look better than they are. In this game all eight cards are in the first hand, so 17Lands' opening-hand and drawn "
    "figures (OH WR, GD WR, GIH WR, IWD) say nothing here."
)


def shown_view(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first pair of drafters of each policy: what the page shows of a long table."""
    first = table.groupby("policy", sort=False)[KEY[1:]].transform("first")
    return table[(table[KEY[1:]] == first).all(axis=1)]


def worths_file(cards: pd.DataFrame) -> str:
    """Return the worths that were drafted by as a file that --values takes; empty if nobody went by any."""
    worths = cards[["policy", "card", "worth"]].dropna().drop_duplicates(["policy", "card"])
    return (
        ""
        if worths.empty
        else worths.rename(columns={"worth": "value"}).to_csv(index=False, float_format="%.6f")
    )


def cards_section(cards: pd.DataFrame) -> Section:
    """Return the section on what cards are worth."""
    shown = shown_view(cards)
    return Section(
        heading="Cards",
        sentences=[
            "Value: what the card adds to the score of a side that has it, against the mean card, in "
            "percentage points: least squares over all cards at once of games whose cards turned up by chance, so it "
            "does not matter what else a drafter takes with it. The interval holds for all cards together (Bonferroni, "
            "95 %); the verdict is read off it.",
            f"Ata: where it is taken on average, the mean place in a round (1 first of four, 2.5 one of the pair, 4 "
            f"leftover). {BIAS}",
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


def order_sections(cards: pd.DataFrame) -> list[Section]:
    """Return the charts of the order in which cards are taken."""
    made = []
    for policy, rows in shown_view(cards).groupby("policy", sort=False):
        names = rows.iloc[0]
        in_order = rows.sort_values(["ata", "rank"], kind="stable") if rows["ata"].nunique() > 3 else rows
        data = {
            "labels": [f"{row['card']} (taken at {row['ata']:.2f})" for _, row in in_order.iterrows()],
            "values": 100 * in_order["value"].to_numpy(float),
            "lows": 100 * in_order["value_low_all"].to_numpy(float),
            "highs": 100 * in_order["value_high_all"].to_numpy(float),
            "x_label": "percentage points against the mean card\n(limits hold together, 95 %)",
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


def drafters_section(drafters: pd.DataFrame) -> Section:
    """Return the section on drafters against each other."""
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


def picks_section(picks: pd.DataFrame) -> Section:
    """Return the section on kinds of picks."""
    shown = shown_view(picks)
    first = shown[shown["pick"] == PICK_NAMES[FIRST_PICK]]
    first = first.sort_values(["policy", "pick_rate", "card"], ascending=[True, False, True], kind="stable")
    return Section(
        heading="Picks",
        sentences=[
            "How often the card is taken by the one who goes first in a round (of four), as one of the pair (of "
            "three), and as the leftover, and how decks score that took it then: observed, as a card that is left over "
            "comes with the best of its four."
        ],
        table=picks,
        name="draft_picks",
        shown=first,
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


def seats_section(seats: pd.DataFrame) -> Section:
    """Return the section on drafting first and starting."""
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
        shown=seats.assign(advantage=[difference(row, "advantage") for _, row in seats.iterrows()]),
        columns={
            **({"policy": "text"} if seats["policy"].nunique() > 1 else {}),
            "drafter": "text",
            "vs_drafter": "text",
            "seat": "text",
            "score": "interval",
            "advantage": "text",
            "games": "count",
        },
        figure=FigureSpec("whiskers", "draft_seats", "What drafting first and starting are worth", data),
    )


def over_section(over: pd.DataFrame) -> Section:
    """Return the section on which card is taken over which."""
    return Section(
        heading="Which card is taken over which",
        sentences=["Of choices in which one of the two was taken and the other left.", *close_calls(over)[1]],
        table=over,
        name="draft_over",
        shown=close_calls(over)[0],
        columns={
            **_key_columns(over),
            "card": "text",
            "other_card": "text",
            "taken_over": "interval",
            "choices": "count",
        },
    )


def close_calls(over: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return the pairs of cards between which a drafter who goes by something chooses now so, now so, and a word on "
    "them."""
    open_ = over[(over["drafter"] != "random") & (over["taken_over"] < 1)]
    off = (open_["taken_over"] - 0.5).abs()
    shown = open_.assign(_off=off).sort_values("_off", kind="stable").drop(columns="_off").head(MOST_SHOWN)
    if shown.empty:
        return shown, [
            "A drafter who goes by what single cards are worth has a fixed order and never hesitates: that of the "
            "table of cards."
        ]
    return shown, [
        "Shown are the closest calls of those who weigh more than single cards, and of equal costs."
    ]


def over_figures(over: pd.DataFrame, cards: pd.DataFrame) -> list[Section]:
    """Return figures of it, for drafters who do not go by a fixed order."""
    made = []
    for policy, rows in over.groupby("policy", sort=False):
        varied = rows[(rows["drafter"] != "random") & (rows["taken_over"] < 1)]
        if varied.empty:
            continue
        view = varied.iloc[0][KEY]
        rows = rows[(rows[KEY] == view).all(axis=1)]
        order = shown_view(cards[cards["policy"] == policy])["card"].tolist()
        places = {card: place for place, card in enumerate(order)}
        matrix = np.full((len(order), len(order)), np.nan)
        one, other = (rows[name].map(places).to_numpy() for name in ("card", "other_card"))
        matrix[one, other] = rows["taken_over"]
        matrix[other, one] = 1 - rows["taken_over"]
        title = f"How often {view['drafter']} takes the card of the row over that of the column: {policy}"
        data = {
            "matrix": matrix,
            "half_widths": np.full(matrix.shape, np.nan),
            "row_labels": order,
            "column_labels": order,
            "colour_label": "share of the choices, taken over",
            "numbers": False,
        }
        figure = FigureSpec("heatmap", f"draft_over_{slug(str(policy))}", title, data)
        made.append(Section(f"Taken over, {policy}", figure=figure))
    return made


def iterations_section(iterations: pd.DataFrame) -> Section:
    """Return the section on how the table of worths came about."""
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
