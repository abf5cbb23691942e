"""What a price audit of the cards says, in sentences, tables and figures."""

from collections.abc import Mapping, Sequence

import pandas as pd

from clashsim.experiments.price_tables import CHEAP, DEAR, FAIR, NEAR, NOT_CONVERTIBLE, UNDECIDED
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.experiments.words import count, difference, slug

Tables = Mapping[str, pd.DataFrame]

MOST_NAMED = 4
MOST_SHOWN = 30
HALF = 0.5  # mana: what rounding can do


def findings(tables: Tables) -> Findings:
    """Return the report of a price audit of cards."""
    policies = list(dict.fromkeys(tables["price_cards"]["policy"]))
    return Findings(
        title=f"The cost formula behind the cards, played by {', '.join(policies)}",
        question="Is each term of the cost formula (attack, health, abilities, auras) worth what it costs?",
        answer=[
            *(sentence for policy in policies for sentence in _answers(tables, policy)),
            *_flips(tables["price_terms"]),
        ],
        sections=[
            *_term_sections(tables["price_terms"], policies),
            _card_section(tables["price_cards"]),
            _step_section(tables["price_steps"]),
        ],
    )


def term_words(kind: str, term: str) -> str:
    """Name a term of the formula."""
    return "damage" if (kind, term) == ("incantation", "attack") else term


def _answers(tables: Tables, policy: str) -> list[str]:
    terms, cards = (tables[name][tables[name]["policy"] == policy] for name in ("price_terms", "price_cards"))
    told = []
    for kind, rows in terms.groupby("kind", sort=False):
        verdicts = rows["price_verdict"].value_counts()
        order = (FAIR, CHEAP, DEAR, UNDECIDED, NOT_CONVERTIBLE)
        counts = ", ".join(f"{verdicts[name]} {name}" for name in order if name in verdicts)
        named = [
            f"{term_words(str(kind), row['term'])} (printed {row['printed_price']:g}) {_mana(row, 'measured', '_all')}"
            for _, row in rows.iterrows()
            if row["price_verdict"] != NOT_CONVERTIBLE
        ]
        told.append(
            f"Under {policy}, of {count(len(rows), 'term')} of {kind}s: {counts}. In mana per point, or for having it: "
            f"{'; '.join(named) if named else 'none can be told'}."
        )
    rounded = cards[(cards["rounding"] != 0) & (cards["rounding"].abs() <= HALF)]
    if len(rounded):
        named = [f"{row['card']} {difference(row, 'rounding_effect')}" for _, row in rounded.iterrows()]
        told.append(
            f"Under {policy}, rounding to whole mana gave the cards, in percentage points of score: {', '.join(named)}."
        )
    sure = cards[
        (cards["suggested_cost_low"] > cards["cost"] + 0.5)
        | (cards["suggested_cost_high"] < cards["cost"] - 0.5)
    ]
    if len(sure):
        farthest = (
            (sure["suggested_cost"] - sure["cost"]).abs().sort_values(ascending=False, kind="stable").index
        )
        named = [
            f"{row['card']} {row['cost']} for {_mana(row, 'suggested_cost', '_all')}"
            for _, row in sure.loc[farthest[:MOST_NAMED]].iterrows()
        ]
        told.append(
            f"Under {policy}, by the formula with the measured prices {count(len(sure), 'card')} surely cost"
            f"{'s' if len(sure) == 1 else ''} over half a mana too much or too little; most: {'; '.join(named)}."
        )
    return told


def _flips(terms: pd.DataFrame) -> list[str]:
    """Name the terms with contrary sure verdicts under different policies."""
    told = []
    for (kind, term), rows in terms.groupby(["kind", "term"], sort=False):
        by = {
            verdict: rows.loc[rows["price_verdict"] == verdict, "policy"].tolist()
            for verdict in (CHEAP, DEAR)
        }
        if all(by.values()):
            words = term_words(str(kind), str(term))
            told.append(
                f"{words[0].upper()}{words[1:]} of {kind}s is too cheap under {', '.join(by[CHEAP])} and too dear "
                f"under {', '.join(by[DEAR])}."
            )
    return told


def _mana(row: pd.Series, name: str, end: str = "") -> str:
    """Write a number of mana with its limits, for measured prices those that verdicts are read off."""
    low, high = row[f"{name}_low{end}"], row[f"{name}_high{end}"]
    return NOT_CONVERTIBLE if pd.isna(low) else f"{row[name]:z.2f} ({low:z.2f} to {high:z.2f})"


def _term_sections(terms: pd.DataFrame, policies: Sequence[str]) -> list[Section]:
    shown = terms.assign(
        term=[term_words(row["kind"], row["term"]) for _, row in terms.iterrows()],
        effect=[difference(row, "effect") for _, row in terms.iterrows()],
        measured=[_mana(row, "measured", "_all") for _, row in terms.iterrows()],
    )
    figures = [figure for policy in policies if (figure := _figure(terms[terms["policy"] == policy], policy))]
    first = Section(
        heading="What each term of the formula is worth",
        sentences=[
            "Every card is varied one step at a time in a deck that is random otherwise, against random decks of the "
            "other cards, in the same games. Effect: what one more of the term adds to the score of the deck, in "
            "percentage points, on average over the cards that can have more or less of it (steps up, and steps down "
            "with the other sign).",
            "Measured: that effect over that of one mana less, over the same cards, with the interval that holds for "
            "all terms of a kind together (Fieller, Bonferroni; blocks of game numbers): the verdict is read off it. "
            "Mana is no currency by itself: what one is worth differs from card to card.",
            f"Fair: surely within {NEAR:g} mana of the printed price. "
            "Too cheap: surely worth more than that, too dear: surely less.",
        ],
        table=terms,
        name="price_terms",
        shown=shown,
        columns={
            **({"policy": "text"} if len(policies) > 1 else {}),
            "kind": "text",
            "term": "text",
            "printed_price": "short",
            "measured": "text",
            "price_verdict": "text",
            "effect": "text",
            "cards": "count",
        },
        figure=figures[0] if figures else None,
        main=True,
    )
    return [first, *(Section(figure.title, figure=figure) for figure in figures[1:])]


def _figure(terms: pd.DataFrame, policy: str) -> FigureSpec | None:
    rows = terms[terms["measured_low_all"].notna()]
    if rows.empty:
        return None
    data = {
        "labels": [f"{term_words(row['kind'], row['term'])}, {row['kind']}s" for _, row in rows.iterrows()],
        "values": rows["measured"].to_numpy(float),
        "lows": rows["measured_low_all"].to_numpy(float),
        "highs": rows["measured_high_all"].to_numpy(float),
        "x_label": "mana (intervals that hold together, 95 %)",
        "reference": 0.0,
        "percent": False,
        "marks": rows["printed_price"].to_numpy(float),
        "marks_label": "printed price",
    }
    return FigureSpec(
        "whiskers", f"price_terms_{slug(policy)}", f"What terms of the cost formula are worth: {policy}", data
    )


def _card_section(cards: pd.DataFrame) -> Section:
    return Section(
        heading="Card by card",
        sentences=[
            "Formula: what the card costs before rounding. Mana: what one mana less is worth to it, in percentage "
            "points. Rounding: what rounding gave it, its half mana at that rate. Suggested: cost by the formula with "
            "the measured prices; its base is set so that the cards of a kind cost the same on the whole."
        ],
        table=cards,
        name="price_cards",
        shown=cards.assign(
            suggested_cost=[
                "–" if pd.isna(row["suggested_cost"]) else _mana(row, "suggested_cost", "_all")
                for _, row in cards.iterrows()
            ],
            mana_effect=[difference(row, "mana_effect") for _, row in cards.iterrows()],
            rounding_effect=[
                difference(row, "rounding_effect") if row["rounding"] else "exact"
                for _, row in cards.iterrows()
            ],
        ),
        columns={
            **({"policy": "text"} if cards["policy"].nunique() > 1 else {}),
            "card": "text",
            "cost": "count",
            "formula": "short",
            "mana_effect": "text",
            "rounding_effect": "text",
            "suggested_cost": "text",
        },
    )


def _step_section(steps: pd.DataFrame) -> Section:
    order = steps["effect"].abs().sort_values(ascending=False, kind="stable").index[:MOST_SHOWN]
    shown = steps.loc[order]
    return Section(
        heading="Step by step",
        sentences=[
            f"The {min(MOST_SHOWN, len(steps))} steps that change the score most; the file has all. Mana: the step "
            "over the same card's own steps of cost, where one mana is surely worth something."
        ],
        table=steps,
        name="price_steps",
        shown=shown.assign(
            effect=[difference(row, "effect") for _, row in shown.iterrows()],
            mana=[_mana(row, "mana") for _, row in shown.iterrows()],
        ),
        columns={
            **({"policy": "text"} if steps["policy"].nunique() > 1 else {}),
            "card": "text",
            "term": "text",
            "step": "signed",
            "effect": "text",
            "mana": "text",
            "games": "count",
        },
    )
