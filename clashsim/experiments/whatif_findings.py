"""What a what-if says, in sentences, tables and figures."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from clashsim.clash.solo_settings import PRICES
from clashsim.experiments.result import FigureSpec, Findings, Format, Section
from clashsim.experiments.whatif_games import SEARCHED, SHOWN_GAMES, SHOWN_TWINS
from clashsim.experiments.whatif_tables import HIGHER, LOWER, SAME
from clashsim.experiments.words import count, difference, percent, small_percent

Tables = Mapping[str, pd.DataFrame]

TRACES = {"base": "whatif_base.jsonl", "changed": "whatif_changed.jsonl"}
"""Files of traces, of games as they are and changed."""

MOST_TOLD = 6  # decks or variants in sentences
MOST_DRAWN = 30
MOST_SHOWN = 40
SURE = (HIGHER, LOWER)


def findings(tables: Tables, traces: Callable[[], Mapping[str, str]]) -> Findings:
    """Return the report of a what-if: the difference for each deck, then for each pairing or setting.

    `traces` makes the traces of games that end otherwise, as files by their names (`TRACES`).
    """
    decks, rows = tables["whatif_decks"], tables["whatif"]
    changes = list(dict.fromkeys(decks["variant"]))
    what = changes[0] if len(changes) == 1 else f"each of {count(len(changes), 'swap')}"
    return Findings(
        title=f"What if: {what}",
        question=f"What does the change make of the decks' chances: {what}?",
        answer=_answers(decks, rows, changes),
        sections=[
            _deck_section(decks, rows),
            _row_section(rows),
            _games_section(tables["whatif_games"]),
        ],
        attachments=traces,
    )


def _answers(decks: pd.DataFrame, rows: pd.DataFrame, changes: Sequence[str]) -> list[str]:
    told = []
    for policy, of_policy in decks.groupby("policy", sort=False):
        under = f"Under {policy}"
        if len(changes) > 1:
            told += _ranking(of_policy, under)
            continue
        told += [f"{under}, {_deck_sentence(row)}." for _, row in of_policy.head(MOST_TOLD).iterrows()]
        if len(of_policy) > MOST_TOLD:
            told.append(f"{count(len(of_policy) - MOST_TOLD, 'deck')} more in the table.")
    if len(changes) == 1:
        told += [*_rows_sentences(rows), *_first_sentences(rows), *_flips(decks)]
    return [sentence for sentence in told if sentence]


def _deck_sentence(row: pd.Series) -> str:
    name = "score" if "score_base" in row else "win_rate"
    verb = "scores" if name == "score" else "wins"
    deck = f"deck {row['deck']}"
    if row["change_verdict"] == SAME:
        return f"{deck} {verb} {percent(row[f'{name}_base'])} as before: nothing about it changes"
    text = (
        f"{deck} {verb} {percent(row[f'{name}_changed'])} instead of {percent(row[f'{name}_base'])}: "
        f"{_words(row)} percentage points"
    )
    if row["change_verdict"] in SURE:
        return text
    seen = f"{100 * row['detectable']:.{1 if row['detectable'] >= 0.002 else 2}f} points"
    return f"{text}, no measurable difference; one of {seen} would have been seen in four of five runs"


def _words(row: pd.Series) -> str:
    """Write the difference of a row with the limits that its verdict is read off."""
    return difference(row, "difference", "diff", "_all")


def _ranking(decks: pd.DataFrame, under: str) -> list[str]:
    """Name the best of several variants, and how many are surely better or worse than as it is."""
    about = [
        name for name in decks["deck"] if decks["variant"].str.contains(f"deck {name} ", regex=False).all()
    ]
    decks = decks[decks["deck"] == about[0]] if about else decks  # the deck that the swaps are of
    verdicts = decks["change_verdict"].value_counts()
    best = decks.iloc[0]
    name = "best swap is" if best["difference"] > 0 else "swap that costs least is"
    sentence = f"{under}, the {name} {best['variant']}: {_words(best)} percentage points"
    if best["change_verdict"] not in SURE:
        sentence += ", not surely any difference"
    counts = [f"{verdicts.get(verdict, 0)} are surely {verdict}" for verdict in SURE]
    told = [
        f"{sentence}.",
        f"{under}, of {count(len(decks), 'swap')} {' and '.join(counts)}; the others are undecided.",
    ]
    ties = decks[(decks["diff_high_all"] >= best["diff_low_all"]) & (decks.index != best.name)]
    if len(ties):
        told.append(
            f"The intervals of {count(len(ties), 'other')} overlap with that of the best. The best of many looks "
            "better than it is: measure it again, alone and with another seed."
        )
    return told


def _once(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows without those that show the same games from the other side."""
    if "deck_a" not in rows:
        return rows
    pairs = [tuple(sorted(pair)) for pair in rows[["deck_a", "deck_b"]].itertuples(index=False, name=None)]
    named = rows.assign(_pair=pairs)
    same = named["policy_a"] == named["policy_b"]
    again = named.duplicated(["variant", "_pair", "policy_a", "policy_b"])
    return rows[~(same & again)]


def _rows_sentences(rows: pd.DataFrame) -> list[str]:
    """Say, policy by policy, how many pairings or settings surely change, and name the one that changes most."""
    once = _once(rows)
    policy_column, what = ("policy_a", "pairing") if "deck_a" in rows else ("policy", "setting")
    told = []
    for policy, of_policy in once.groupby(policy_column, sort=False):
        sure = of_policy[of_policy["change_verdict"].isin(SURE)]
        share = (of_policy["other_winner"] * of_policy["games"]).sum() / of_policy["games"].sum()
        games = f"{small_percent(share)} of the games end otherwise"
        n = count(len(of_policy), what)
        if sure.empty:
            none = (
                f"the {what} does not surely change" if len(of_policy) == 1 else f"none of {n} surely changes"
            )
            told.append(f"Under {policy}, {none}; {games}.")
            continue
        most = sure.loc[sure["difference"].abs().idxmax()]
        where = (
            f"deck {most['deck_a']} against deck {most['deck_b']}"
            if "deck_a" in rows
            else f"deck {most['deck']}"
        )
        surely = (
            f"{len(sure)} of {n} surely change{'s' if len(sure) == 1 else ''}; most: {where}, {_words(most)}"
        )
        told.append(f"Under {policy}, {surely} percentage points; {games}.")
    return told


def _first_sentences(rows: pd.DataFrame) -> list[str]:
    """Say, policy by policy, what the change does to the side that starts, if that is sure for a pairing."""
    if "first_difference" not in rows:
        return []
    told = []
    for policy, once in _once(rows).groupby("policy_a", sort=False):
        more, less = (once["first_difference_low"] > 0).sum(), (once["first_difference_high"] < 0).sum()
        if more + less:
            base, changed = percent(once["first_base"].mean()), percent(once["first_changed"].mean())
            told.append(
                f"Under {policy}, the side that goes first scores {changed} instead of {base} on average over "
                f"{count(len(once), 'pairing')}: surely more in {more}, surely less in {less} (each by itself)."
            )
    return told


def _flips(decks: pd.DataFrame) -> list[str]:
    """Name the decks that surely gain under one policy and surely lose under another."""
    told = []
    for deck, rows in decks.groupby("deck", sort=False):
        by = {verdict: rows.loc[rows["change_verdict"] == verdict, "policy"].tolist() for verdict in SURE}
        if all(by.values()):
            told.append(
                f"Deck {deck} gains under {', '.join(by[HIGHER])} and loses under {', '.join(by[LOWER])}."
            )
    return told


def _deck_section(decks: pd.DataFrame, rows: pd.DataFrame) -> Section:
    duels = "score_base" in decks
    name = "score" if duels else "win_rate"
    over = "its opponents, each counting alike" if duels else "the settings, each counting alike"
    columns: dict[str, Format] = {
        **({"variant": "text"} if decks["variant"].nunique() > 1 else {}),
        "deck": "text",
        "policy": "text",
        f"{name}_base": "percent",
        f"{name}_changed": "percent",
        "difference": "text",
        "change_verdict": "text",
        "detectable": "text",
    }
    shown = decks.groupby("policy", sort=False).head(MOST_SHOWN)
    words = {
        "difference": [_words(row) for _, row in shown.iterrows()],
        "detectable": [f"{100 * row['detectable']:.2f}" for _, row in shown.iterrows()],
    }
    return Section(
        heading="What it does to each deck",
        sentences=[
            f"Means over {over}. Difference: changed minus base, the same games in both, in percentage points, with "
            "the interval that holds for all rows of a policy together (Bonferroni, 95 %): the verdict is read off it. "
            "Detectable: the difference that so many games tell from none in four of five runs."
            + (f" Shown are the {MOST_SHOWN} best of each policy." if len(shown) < len(decks) else "")
        ],
        table=decks,
        name="whatif_decks",
        shown=shown.assign(**words),
        columns=columns,
        figure=_figure(decks),
        main=True,
    )


def _figure(decks: pd.DataFrame) -> FigureSpec:
    drawn = decks.groupby("policy", sort=False).head(MOST_DRAWN)
    several = {name: decks[name].nunique() > 1 for name in ("variant", "deck", "policy")}
    labels = [
        ", ".join(
            [f"deck {row['deck']}"] * several["deck"]
            + [row["variant"]] * several["variant"]
            + [row["policy"]] * several["policy"]
        )
        or f"deck {row['deck']}"
        for _, row in drawn.iterrows()
    ]
    data = {
        "labels": labels,
        "values": 100 * drawn["difference"].to_numpy(float),
        "lows": 100 * drawn["diff_low_all"].to_numpy(float),
        "highs": 100 * drawn["diff_high_all"].to_numpy(float),
        "x_label": "difference in percentage points (intervals that hold together, 95 %)",
        "reference": 0.0,
        "percent": False,
    }
    what = decks["variant"].iloc[0] if decks["variant"].nunique() == 1 else "each swap"
    return FigureSpec("whiskers", "whatif_decks", f"What it does to each deck: {what}", data)


def _row_section(rows: pd.DataFrame) -> Section:
    duels = "deck_a" in rows
    columns: dict[str, Format] = {"variant": "text"} if rows["variant"].nunique() > 1 else {}
    if duels:
        columns |= {"deck_a": "text", "deck_b": "text"}
        columns |= {"policy_a": "text"} if rows["policy_a"].nunique() > 1 else {}
        columns |= {"score_base": "percent", "score_changed": "percent"}
    else:
        columns |= {
            "deck": "text",
            "policy": "text",
            **{option: "text" for option in PRICES},
            "points": "short",
        }
        columns |= {"win_rate_base": "percent", "win_rate_changed": "percent"}
    columns |= {
        "difference": "text",
        "change_verdict": "text",
        "other_winner": "percent",
        "other_course": "percent",
        "turns_difference": "number",
    }
    columns |= {"first_difference": "points"} if duels else {}
    first = " First difference: what the side that starts scores more." if duels else ""
    order = rows["difference"].abs().sort_values(ascending=False, kind="stable").index[:MOST_SHOWN]
    shown = rows.loc[sorted(order)]
    return Section(
        heading="Pairing by pairing" if duels else "Setting by setting",
        sentences=[
            "Other winner: share of the games that end otherwise; other course: those that go another way at all "
            f"(another winner, length or fall of a Bastion).{first}"
            + (f" Shown are the {MOST_SHOWN} that change most." if len(rows) > MOST_SHOWN else "")
        ],
        table=rows,
        name="whatif",
        shown=shown.assign(difference=[_words(row) for _, row in shown.iterrows()]),
        columns=columns,
    )


def _games_section(games: pd.DataFrame) -> Section:
    sentence = (
        f"The first {SHOWN_GAMES} of each pair of conditions, of its first {SEARCHED:,} games and of {SHOWN_TWINS} "
        "pairs at most."
    )
    if len(games):
        files = " and ".join(TRACES.values())
        sentence += (
            f" Those of the first pairs step by step, as they are and changed, for clashsim replay: {files}."
        )
    return Section(
        heading="Games that end otherwise",
        sentences=[sentence],
        table=games,
        name="whatif_games",
        shown=games.head(MOST_SHOWN),
    )
