"""What changes with skill, in sentences and a figure: conclusions that flip from policy to policy first."""

from collections.abc import Callable, Sequence, Sized
from itertools import pairwise

import numpy as np
import pandas as pd

from clashsim.clash.policies import LADDER
from clashsim.experiments.matchup_tables import ALL, STALLED
from clashsim.experiments.result import FigureSpec, Format, Section
from clashsim.experiments.rungs import Rung, Tables
from clashsim.experiments.series_figures import series_figure
from clashsim.experiments.skill_tables import (
    ABOVE,
    BELOW,
    DRAWS,
    FIRST,
    HIGHER,
    LOWER,
    OPEN,
    POOL,
    SCORE,
    SKILL,
    TURNS,
)
from clashsim.experiments.words import interval, percent, points

MOST_NAMED = 6
"""Pairings that a sentence names; the table has them all."""

MOST_DRAWN = 40
"""Pairings in the figure: those whose score moves most."""

FEW = 10
"""Pairings below which only flips are counted; from here on the rank correlation is told as well."""

INDEPENDENT = (
    "Every policy played its own games, on the same shuffles. Intervals of differences treat them as independent: "
    "measured game by game, the correlation between policies was -0.01 to 0.01 in pairings and up to 0.09 in mirrors, "
    "so they are right or up to 5 % too wide."
)

WORDS = {
    SCORE: "score of deck A",
    POOL: "mean score",
    FIRST: "going first is worth",
    DRAWS: "draws",
    TURNS: "mean number of turns",
}


def skill_answers(tables: Tables, rungs: Sequence[Rung]) -> list[str]:
    """Say which conclusions flip from rung to rung, what holds on all of them, and which rung to believe."""
    skill = tables[SKILL]
    answers = [
        *_flips_of_scores(skill),
        _favourites(skill, rungs),
        _best(tables["pool"], rungs),
        _flips_of_going_first(skill),
        _held(skill),
        _stalls(skill),
        _to_believe(skill, rungs),
    ]
    return [answer for answer in answers if answer]


def skill_section(tables: Tables, rungs: Sequence[Rung]) -> Section:
    """Return the section of what changes with skill."""
    skill = tables[SKILL]
    return Section(
        heading="What changes with skill?",
        sentences=[
            "Policies stand in the order in which they were named.",
            "A conclusion (above or below 50 %; whether going first helps; whether more than "
            f"{100 * STALLED:.0f} % of the games are draws) is sure if its interval, widened to hold for all numbers "
            "of that kind under one policy (Bonferroni), lies on one side; it flips where the opposite was sure under "
            "a policy before.",
            "Change: from each policy to the next, up or down if that is sure for all steps and numbers of the kind at "
            "once.",
            INDEPENDENT,
        ],
        table=skill,
        name=SKILL,
        shown=_shown(skill, rungs),
        columns=_columns(rungs),
        figure=_figure(skill, rungs),
    )


def _items(skill: pd.DataFrame, measure: str) -> list[pd.DataFrame]:
    """Return the rows of each number of a measure, rung by rung."""
    rows = skill[skill["measure"] == measure]
    return [item for _, item in rows.groupby(["deck_a", "deck_b"], sort=False)]


def _flipping(skill: pd.DataFrame, measure: str) -> list[pd.DataFrame]:
    """Return the numbers whose conclusion flips, those that move most first."""
    found = [item for item in _items(skill, measure) if (item["flips_from"] != "").any()]
    return sorted(found, key=lambda item: -np.ptp(item["estimate"]))


def _told(items: Sequence[pd.DataFrame], words: Callable[[pd.DataFrame], str]) -> str:
    return "; ".join([*map(words, items[:MOST_NAMED]), *_more(items)])


def _more(items: Sized) -> list[str]:
    return [f"and {len(items) - MOST_NAMED} more"] if len(items) > MOST_NAMED else []


def _flips_of_scores(skill: pd.DataFrame) -> list[str]:
    """Name the pairings whose favourite flips, a sentence each."""
    found, n = _flipping(skill, SCORE), len(_items(skill, SCORE))
    if not n:
        return []
    if not found:
        none = "is surely won under one policy and surely lost under another"
        return [f"No pairing of {n} {none}." if n > 1 else f"It is not so that the pairing {none}."]
    have = "pairing has" if n == 1 else "pairings has" if len(found) == 1 else "pairings have"
    sure = "with 95 % confidence" + (" for all pairings of a policy at once" if n > 1 else "")
    head = f"{len(found)} of {n} {have} another favourite when the policy changes ({sure})"
    more = f", the {MOST_NAMED} that move most" if len(found) > MOST_NAMED else ""
    return [f"{head}{more}:", *(f"{_by_policy(item)}." for item in found[:MOST_NAMED])]


def _by_policy(item: pd.DataFrame) -> str:
    """Tell how a pairing goes under every policy, those in a row that agree together."""
    verbs = {ABOVE: "beats", BELOW: "loses to", OPEN: "is level with"}
    first, parts = item.iloc[0], []
    alike = (item["conclusion"] != item["conclusion"].shift()).cumsum()
    for number, rows in item.groupby(alike):
        scores = [f"{_rung(row)}, {interval(row, 'estimate')}" for _, row in rows.iterrows()]
        opponent = _opponent(first) if number == 1 else "it"
        parts.append(f"{verbs[rows['conclusion'].iloc[0]]} {opponent} under {' and '.join(scores)}")
    *others, last = parts
    return f"Deck {first['deck_a']} {', '.join(others)}, {'but' if len(parts) == 2 else 'and'} {last}"


def _favourites(skill: pd.DataFrame, rungs: Sequence[Rung]) -> str:
    """Count the favourites that flip from each rung to the next; with many pairings also correlate their ranks."""
    rows = skill[skill["measure"] == SCORE]
    if rows.empty:
        return ""
    steps = []
    for before, after in pairwise(rungs):
        one, other = (
            rows[rows["policy"] == rung.policy].set_index(["deck_a", "deck_b"]) for rung in (before, after)
        )
        both = one.index.intersection(other.index)
        one, other = one.loc[both], other.loc[both]
        opposite = {(ABOVE, BELOW), (BELOW, ABOVE)}
        flips = sum(pair in opposite for pair in zip(one["conclusion"], other["conclusion"], strict=True))
        text = f"{flips} of {len(both)} from {before.policy} to {after.policy}"
        if len(both) >= FEW:
            rank = _rank_correlation(one["estimate"], other["estimate"], after.is_one_policy)
            text += f" (rank correlation of the scores {rank:.2f})"
        steps.append(text)
    return f"Favourites that surely flip in one step: {', '.join(steps)}."


def _rank_correlation(one: pd.Series, other: pd.Series, one_policy: bool) -> float:
    """Return Spearman's coefficient of the scores of pairings.

    Between equal policies each pairing counts from both sides, as it is chance which of its decks comes first.
    """
    from scipy.stats import spearmanr  # slow to import

    scores = [np.concatenate([each, 1 - each]) if one_policy else each.to_numpy() for each in (one, other)]
    if any(np.ptp(each) == 0 for each in scores):
        return 0.0
    return float(spearmanr(*scores).statistic)


def _best(pool: pd.DataFrame, rungs: Sequence[Rung]) -> str:
    """Say which deck has the highest mean score under each policy, and whether that changes."""
    best = []
    for rung in rungs:
        decks = pool[(pool["policy"] == rung.policy) & (pool["vs_policy"] == rung.vs_policy)]
        if len(decks) < 2:
            return ""
        sure = decks["score_low"].iloc[0] > decks["score_high"].iloc[1:].max()
        best.append((decks.iloc[0], sure))
    names = [row["deck"] for row, _ in best]
    told = ", ".join(
        f"{'' if sure else 'perhaps '}deck {row['deck']} under {_rung(row)} ({percent(row['score'])})"
        for row, sure in best
    )
    if len(set(names)) == 1 and all(sure for _, sure in best):
        return f"Deck {names[0]} has the best mean score under every policy: {told}."
    surely = len({row["deck"] for row, sure in best if sure}) > 1
    return f"{'Another deck is best when the policy changes' if surely else 'The best mean score'}: {told}."


def _flips_of_going_first(skill: pd.DataFrame) -> str:
    found = sorted(_flipping(skill, FIRST), key=lambda item: item["deck_a"].iloc[0] != ALL)
    if not found:
        return ""
    return f"Whether going first helps depends on the policy: {_told(found, _going_first)}."


def _going_first(item: pd.DataFrame) -> str:
    worth = ", ".join(f"{points(row['estimate'])} under {_rung(row)}" for _, row in item.iterrows())
    return f"{_name(item.iloc[0])}: {worth}"


def _held(skill: pd.DataFrame) -> str:
    """Say what is sure, and the same, on every rung."""
    rungs = skill["policy"].nunique()
    held = [item for item in _items(skill, SCORE) if len(item) == rungs and _is_held(item)]
    if not held:
        return (
            "No pairing has the same sure favourite under all of these policies."
            if len(_items(skill, SCORE))
            else ""
        )
    n = len(_items(skill, SCORE))
    return f"Under every policy alike, {len(held)} of {n}: {_told(held, _range)}."


def _is_held(item: pd.DataFrame) -> bool:
    return item["conclusion"].nunique() == 1 and item["conclusion"].iloc[0] != OPEN


def _range(item: pd.DataFrame) -> str:
    first = item.iloc[0]
    low, high = item["estimate"].min(), item["estimate"].max()
    verb = "beats" if first["conclusion"] == ABOVE else "loses to"
    return f"deck {first['deck_a']} {verb} {_opponent(first)} ({100 * low:.1f} to {percent(high)})"


def _stalls(skill: pd.DataFrame) -> str:
    """Tell how many games are draws on each rung, as far as there are any."""
    mean = skill[(skill["measure"] == DRAWS) & (skill["deck_a"] == ALL)]
    if mean.empty or not mean["estimate"].any():
        return ""
    told = ", ".join(f"{percent(row['estimate'])} under {_rung(row)}" for _, row in mean.iterrows())
    return f"Games that end as draws at the turn limit, on average over all pairings and mirrors: {told}."


def _to_believe(skill: pd.DataFrame, rungs: Sequence[Rung]) -> str:
    """Point at the last rung, if it is the strongest, and say whether it stalls."""
    places = [_place(rung.policy) for rung in rungs]
    if -1 in places or places[-1] != max(places) or places.count(places[-1]) > 1:
        return ""
    draws = skill[
        (skill["measure"] == DRAWS) & (skill["policy"] == rungs[-1].policy) & (skill["deck_a"] != ALL)
    ]
    stalled = draws[draws["estimate"] > STALLED].sort_values("estimate", ascending=False)
    said = f"{rungs[-1].policy} is the strongest of these policies: its numbers are the ones to believe"
    if stalled.empty:
        return f"{said}; nothing stalls under it (at most {percent(draws['estimate'].max())} draws in a pairing)."
    told = [
        f"{_name(row)} with {interval(row, 'estimate')} draws"
        for _, row in stalled.head(MOST_NAMED).iterrows()
    ]
    return f"{said}, with a doubt where games stall under it: {'; '.join([*told, *_more(stalled)])}."


def _place(policy: str) -> int:
    """Return a policy's place on the ladder, that of its namesake if it has weights of its own; -1 for none."""
    name = policy.partition(":")[0]
    return LADDER.index(name) if name in LADDER else -1


def _rung(row: pd.Series) -> str:
    return str(Rung(row["policy"], row["vs_policy"]))


def _opponent(row: pd.Series) -> str:
    return "the others" if row["deck_b"] == ALL else f"deck {row['deck_b']}"


def _name(row: pd.Series) -> str:
    if row["deck_a"] == ALL:
        return "mean of all pairings"
    return f"deck {row['deck_a']} against {_opponent(row)}"


def _shown(skill: pd.DataFrame, rungs: Sequence[Rung]) -> pd.DataFrame:
    """Return the table for people: a row for each number, a column for each policy."""
    rows = []
    for measure, words in WORDS.items():
        for item in _items(skill, measure):
            if measure in (DRAWS, TURNS) and item["deck_a"].iloc[0] != ALL:
                continue  # of each pairing: in the file
            rows.append({"number": words, "of": _name(item.iloc[0])} | _cells(item, rungs))
    return pd.DataFrame(rows, columns=list(_columns(rungs)))


def _cells(item: pd.DataFrame, rungs: Sequence[Rung]) -> dict[str, str]:
    by_policy = {row["policy"]: row for _, row in item.iterrows()}
    cells = {rung.policy: _cell(by_policy[rung.policy]) for rung in rungs if rung.policy in by_policy}
    changes = item["change"].tolist()[1:]
    surely = [{HIGHER: "up", LOWER: "down"}.get(change, "–") for change in changes]
    flips = any(item["flips_from"] != "")
    return cells | {"change": ", ".join(surely), "flips": "flips" if flips else ""}


def _cell(row: pd.Series) -> str:
    value, low, high = (row[f"estimate{limit}"] for limit in ("", "_low", "_high"))
    if row["measure"] == TURNS:
        return f"{value:.1f} ({low:.1f} to {high:.1f})"
    sign = "+" if row["measure"] == FIRST else ""
    value, low, high = (f"{100 * number:{sign}z.1f}" for number in (value, low, high))
    return value if low == high else f"{value} ({low} to {high})"


def _columns(rungs: Sequence[Rung]) -> dict[str, Format]:
    names = ["number", "of", *(rung.policy for rung in rungs), "change", "flips"]
    return dict.fromkeys(names, "text")


def _figure(skill: pd.DataFrame, rungs: Sequence[Rung]) -> FigureSpec | None:
    """Draw the score of each pairing, a dot for each policy."""
    items = _items(skill, SCORE)
    if not items:
        return None
    title = "Score of each pairing by policy"
    if len(items) > MOST_DRAWN:
        items = sorted(items, key=lambda item: -np.ptp(item["estimate"]))[:MOST_DRAWN]
        title += f": the {MOST_DRAWN} that move most"
    rows = pd.concat(items)
    rows = rows.assign(label=rows.apply(_name, axis=1), players=rows.apply(_rung, axis=1))
    names = [str(rung) for rung in rungs]
    return series_figure(rows, "estimate", names, SKILL, title, "score of the first deck")
