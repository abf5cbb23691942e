"""What a run of abilities says, in sentences; its tables and figures are `ability_sections`."""

from collections.abc import Iterator, Mapping

import pandas as pd

from clashsim.experiments.ability_bodies import NONE
from clashsim.experiments.ability_figures import played_again
from clashsim.experiments.ability_layout import ALL
from clashsim.experiments.ability_sections import SKILL, mana_words, sections
from clashsim.experiments.ability_tables import HELPS, HURTS
from clashsim.experiments.card_tables import APART, FALSE_FINDS, TOGETHER
from clashsim.experiments.price_tables import CHEAP, DEAR, FAIR, NOT_CONVERTIBLE, UNDECIDED
from clashsim.experiments.result import Findings
from clashsim.experiments.skill_tables import NOT_CERTAIN
from clashsim.experiments.words import count, difference

Tables = Mapping[str, pd.DataFrame]

MOST_NAMED = 3


def findings(tables: Tables) -> Findings:
    """Return the report of a run of abilities."""
    effects = tables["ability_effects"]
    policies = list(dict.fromkeys(effects["policy"]))
    bodies = dict.fromkeys(map(body_words, effects["kind"], effects["body"], effects["cost"]))
    return Findings(
        title=f"What abilities are worth on {', '.join(bodies)}, played by {', '.join(policies)}",
        question="What is an ability worth, alone and together with others, and is it worth its price?",
        answer=[
            *(sentence for policy in policies for sentence in _answers(tables, policy)),
            *_change_sentences(tables),
            *_flips(effects),
        ],
        sections=sections(tables, policies),
    )


def body_words(kind: str, body: str, cost: int) -> str:
    """Name a body: "a 3/3 for 4 mana", "an Incantation of 3 damage for 4 mana"."""
    name = f"a {body}" if kind == "creature" else f"an Incantation of {body}"
    return f"{name} for {cost} mana"


def _answers(tables: Tables, policy: str) -> Iterator[str]:
    effects, subsets, pairs, cards, solo = (
        tables[f"ability_{name}"][tables[f"ability_{name}"]["policy"] == policy]
        for name in ("effects", "subsets", "interactions", "cards", "solo")
    )
    for _, rows in effects.groupby("body", sort=False):
        yield _effect_sentence(rows, policy)
    for body, rows in subsets.groupby("body", sort=False):
        yield _price_sentence(rows[rows["subset"] != NONE], f"Under {policy}, on {_body_of(rows)}")
        yield _interaction_sentence(pairs[pairs["body"] == body], f"Under {policy}, on {_body_of(rows)}")
    yield from _card_sentences(cards[cards["without"] == ALL], policy)
    if len(solo):
        named = [
            f"{row['ability']} {difference(row, 'loss', end='_all')}"
            for _, row in solo.sort_values("loss", ascending=False, kind="stable").iterrows()
        ]
        yield (
            f"Under {policy}, in the quick solo game an ability of all creatures of the AI, each for 1 point of "
            f"difficulty, takes from the player, in percentage points of games won: {', '.join(named)}."
        )


def _body_of(rows: pd.DataFrame) -> str:
    row = rows.iloc[0]
    return body_words(row["kind"], row["body"], row["cost"])


def _effect_sentence(rows: pd.DataFrame, policy: str) -> str:
    ranked = rows.sort_values("lift", ascending=False, kind="stable")
    named = _named_ends(ranked, "term", "lift", "_all")
    verdicts = rows["lift_verdict"].value_counts()
    return (
        f"Under {policy}, on {_body_of(rows)}, {verdicts.get(HELPS, 0)} of {len(rows)} abilities and auras alone "
        f"surely help the deck, {verdicts.get(HURTS, 0)} surely hurt it; in percentage points of score, from most to "
        f"least: {named}. One mana less is worth {difference(rows.iloc[0], 'mana_effect')}."
    )


def _price_sentence(rows: pd.DataFrame, where: str) -> str:
    verdicts = rows["price_verdict"].value_counts()
    order = (FAIR, CHEAP, DEAR, UNDECIDED, NOT_CONVERTIBLE)
    counts = ", ".join(f"{verdicts[name]} {name}" for name in order if name in verdicts)
    again = played_again(rows)
    head = f"{where}, of {count(len(rows), 'set')} of abilities and auras: {counts}. "
    rate = f"{100 * rows['price_rate'].iloc[0]:z.1f} points per mana of price"
    if len(again) <= 2 * MOST_NAMED:
        return f"{head}At a mean rate of {rate}: {'; '.join(map(_worth, _rows(again)))}."
    most, least = (
        "; ".join(map(_worth, _rows(end)))
        for end in (again.head(MOST_NAMED), again.tail(MOST_NAMED).iloc[::-1])
    )
    return f"{head}Against the mean rate of {rate} most is got from {most}; least from {least}."


def _rows(table: pd.DataFrame) -> list[pd.Series]:
    return [row for _, row in table.iterrows()]


def _worth(row: pd.Series) -> str:
    """Name a set with its price, and what it is worth: in mana where that can be told."""
    worth = mana_words(row, "measured")
    if worth == NOT_CONVERTIBLE:
        return (
            f"{row['subset']} (price {row['printed_price']:g}) {difference(row, 'lift', end='_all')} points"
        )
    return f"{row['subset']} (price {row['printed_price']:g}) worth {worth} mana"


def _ends(ranked: pd.DataFrame) -> pd.DataFrame:
    """Return the first and the last rows."""
    few = len(ranked) <= 2 * MOST_NAMED
    return ranked if few else pd.concat([ranked.head(MOST_NAMED), ranked.tail(MOST_NAMED)])


def _named_ends(ranked: pd.DataFrame, name: str, value: str, end: str = "") -> str:
    """Name the first and the last rows, each with its value; between them stands … for those left out."""
    named = [f"{row[name]} {difference(row, value, end=end)}" for row in _rows(_ends(ranked))]
    if len(named) == len(ranked):
        return ", ".join(named)
    return f"{', '.join(named[:MOST_NAMED])}, …, {', '.join(named[MOST_NAMED:])}"


def _interaction_sentence(rows: pd.DataFrame, where: str) -> str:
    pairs = rows[rows["size"] == 2]
    triples = rows[rows["size"] == 3]
    sure = rows[rows["interaction_verdict"].isin((TOGETHER, APART))].sort_values(
        "interaction", ascending=False, kind="stable"
    )
    of_three = (
        f" and {int((sure['size'] == 3).sum())} of {count(len(triples), 'three')}" if len(triples) else ""
    )
    found = f"{where}, {int((sure['size'] == 2).sum())} of {count(len(pairs), 'pair')}{of_three} surely"
    told = f"{found} {'does' if len(rows) == 1 else 'do'} more or less together than the sum of the parts"
    if sure.empty:
        return f"{told}."
    named = _named_ends(sure, "subset", "interaction")
    return f"{told} (at most {100 * FALSE_FINDS:.0f} % of such finds are false), in points beyond, most first: {named}."


def _card_sentences(rows: pd.DataFrame, policy: str) -> Iterator[str]:
    if rows.empty:
        return
    named = _named_ends(rows, "card", "lift", "_all")
    yield (
        f"Under {policy}, what the abilities of {count(len(rows), 'card')} as printed are worth to their decks, from "
        f"most to least, in percentage points: {named}."
    )
    for verdict in (CHEAP, DEAR):
        found = rows[rows["price_verdict"] == verdict]
        if len(found):
            listed = "; ".join(
                f"{row['card']} priced {row['printed_price']:g}, worth {mana_words(row, 'measured')}"
                for _, row in found.iterrows()
            )
            cards = count(len(found), "card")
            yield f"Under {policy}, the abilities of {cards} are {verdict}, in mana: {listed}."


def _change_sentences(tables: Tables) -> Iterator[str]:
    """Name what is surely worth more, and less, to the better player."""
    if SKILL not in tables:
        return
    for (before, after), rows in tables[SKILL].groupby(["policy_before", "policy"], sort=False):
        sure = rows[rows["change"] != NOT_CERTAIN].sort_values("difference", ascending=False, kind="stable")
        head = f"From {before} to {after}, {len(sure)} of {len(rows)} lifts surely change"
        named = [
            f"{row['term']} on {row['body']} {difference(row, 'difference', end='_all')}"
            for row in _rows(_ends(sure))
        ]
        yield f"{head}{', in points: ' if named else ''}{', '.join(named)}."


def _flips(effects: pd.DataFrame) -> list[str]:
    """Name abilities of which contrary things are sure under different policies."""
    told = []
    for column, one, other, words in (
        ("lift_verdict", HELPS, HURTS, "{} helps on {} under {} and hurts under {}"),
        ("price_verdict", CHEAP, DEAR, "{} on {} is too cheap under {} and too dear under {}"),
    ):
        for (body, term), rows in effects.groupby(["body", "term"], sort=False):
            by = [rows.loc[rows[column] == verdict, "policy"].tolist() for verdict in (one, other)]
            if all(by):
                text = words.format(term, body, ", ".join(by[0]), ", ".join(by[1]))
                told.append(f"{text[0].upper()}{text[1:]}.")
    return told or _no_flips(effects)


def _no_flips(effects: pd.DataFrame) -> list[str]:
    if effects["policy"].nunique() < 2:
        return []
    return [
        "No ability or aura surely helps under one policy and hurts, or is too cheap and too dear, under another."
    ]
