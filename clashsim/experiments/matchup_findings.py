"""What a run of matchups says, in sentences and figures: the best deck, unfair pairings, going first, stalls."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from clashsim.analysis.intervals import Interval, mean_of_intervals
from clashsim.experiments.matchup_sections import (
    BAND_WORDS,
    first_player_section,
    health_section,
    matchup_section,
    matchup_sections,
    players,
    plays_section,
    pool_section,
)
from clashsim.experiments.matchup_tables import MIRROR, STALLED, estimate
from clashsim.experiments.rating_findings import (
    equilibrium_section,
    equilibrium_sentence,
    ratings_section,
    ratings_sentence,
    standing_sentence,
)
from clashsim.experiments.result import Findings
from clashsim.experiments.rungs import Rung, Tables, rungs_of, tables_of
from clashsim.experiments.skill_findings import skill_answers, skill_section
from clashsim.experiments.words import count, interval, pairing, percent, points

QUESTION = (
    "Which deck is best? Is any matchup unfair, and by how much? Which deck should one bring? "
    "What is going first worth? Does anything stall?"
)


def findings(tables: Tables, details: Mapping[str, Any]) -> Findings:
    """Return the report of a run of matchups, from its tables by name and its details (matchups.Matchups)."""
    rungs, decks = rungs_of(details), list(details["decks"])
    if len(rungs) > 1:
        return _findings_by_skill(tables, rungs, decks)
    answers = [
        _overall(tables["matchups"], rungs[0]),
        _best(tables["pool"]),
        _unfair(tables["matchups"]),
        standing_sentence(tables),
        ratings_sentence(tables),
        equilibrium_sentence(tables),
        _going_first(tables["first_player"]),
        _stalls(tables["health"]),
    ]
    sections = [
        matchup_section(tables, decks),
        pool_section(tables),
        ratings_section(tables),
        equilibrium_section(tables),
        first_player_section(tables),
        health_section(tables),
        plays_section(tables),
    ]
    return Findings(
        title=f"Matchups of {count(len(decks), 'deck')}, {players(rungs[0])}",
        question=QUESTION,
        answer=[sentence for sentence in answers if sentence],
        sections=sections,
    )


def _findings_by_skill(tables: Tables, rungs: list[Rung], decks: list[str]) -> Findings:
    """Return the report of several rungs: first what changes with skill, then each rung's own answers."""
    by_rung = [(rung, tables_of(tables, rung)) for rung in rungs]

    def said(sentence: Callable[[Tables], str], introduced: bool = True) -> list[str]:
        """Say something of each rung, and of which one."""
        words = [(rung, sentence(of_rung)) for rung, of_rung in by_rung]
        return [f"{rung}: {text}" if introduced else text for rung, text in words if text]

    sections = [
        skill_section(tables, rungs),
        *matchup_sections(tables, by_rung, decks, [_unfair(of_rung["matchups"]) for _, of_rung in by_rung]),
        pool_section(tables, said(lambda rung: _best(rung["pool"]), introduced=False)),
        ratings_section(tables, said(standing_sentence) + said(ratings_sentence)),
        equilibrium_section(tables, said(equilibrium_sentence)),
        first_player_section(tables, said(lambda rung: _going_first(rung["first_player"]))),
        health_section(tables, said(lambda rung: _stalls(rung["health"]))),
        plays_section(tables),
    ]
    return Findings(
        title=f"Matchups of {count(len(decks), 'deck')} by skill: {', '.join(map(str, rungs))}",
        question=f"What changes with skill? {QUESTION}",
        answer=[
            *filter(None, (_overall(of_rung["matchups"], rung) for rung, of_rung in by_rung)),
            *skill_answers(tables, rungs),
        ],
        sections=sections,
    )


def _overall(matchups: pd.DataFrame, rung: Rung) -> str:
    """Say how one policy fares against another over all decks: the mean of its scores, each pair counting the same."""
    if rung.is_one_policy:
        return ""
    limits = (matchups[column].to_numpy(float) for column in ("score_a", "score_low", "score_high", "games"))
    mean = pd.Series(estimate(mean_of_intervals(Interval(*limits)), "score"))
    pairs = len(matchups)
    where = f"over all {pairs} ordered pairs of decks, mirrors included"
    if pairs == 1:
        where = f"where both play deck {matchups['deck_a'].iloc[0]}"
    return f"{rung.policy} scores {interval(mean, 'score')} against {rung.vs_policy}, {where}."


def _best(pool: pd.DataFrame) -> str:
    """Say which deck has the highest mean score, and whether the next one is really behind it."""
    sentences = []
    two_policies = pool["policy"].nunique() > 1
    for policy, decks in pool.groupby("policy", sort=False):
        opponent = decks["vs_policy"].iloc[0]
        players = f"Played by {policy} against {opponent}" if two_policies else f"Under {policy}"
        best, last = decks.iloc[0], decks.iloc[-1]
        level = [deck for _, deck in decks.iloc[1:].iterrows() if deck["score_high"] >= best["score_low"]]
        behind = [deck for _, deck in decks.iloc[1:-1].iterrows() if deck["score_low"] <= last["score_high"]]
        if len(decks) == 1:
            sentences.append(f"{players}, deck {best['deck']} scores {interval(best, 'score')}.")
            continue
        if level:
            names = " and ".join(f"deck {deck['deck']}" for deck in [best, *level])
            score = interval(best, "score")
            sentences.append(
                f"{players}, {names} have the best mean scores, too close together to tell apart: {score} for deck "
                f"{best['deck']}."
            )
        else:
            score = interval(best, "score")
            sentences.append(f"{players}, deck {best['deck']} is the best: it scores {score} on average.")
        if len(decks) > 2 and not behind and last["deck"] not in {deck["deck"] for deck in level}:
            sentences.append(f"Deck {last['deck']} is the worst with {percent(last['score'])}.")
    return " ".join(sentences)


def _unfair(matchups: pd.DataFrame) -> str:
    """Count the verdicts and name the most one-sided pairing."""
    played = matchups[~matchups["derived"] & (matchups["verdict"] != MIRROR)]
    if played.empty:
        return ""
    counts = played["verdict"].value_counts()
    if len(played) == 1:
        sentence = f"The pairing is {counts.index[0]}"
    elif len(counts) == 1:
        sentence = f"All {len(played)} pairings are {counts.index[0]}"
    else:
        words = ", ".join(
            f"{counts[name]} {'is' if counts[name] == 1 else 'are'} {name}"
            for name in ("unbalanced", "balanced", "undecided")
            if name in counts
        )
        sentence = f"Of {len(played)} pairings, {words}"
    sure = "with 95 % confidence" + (" for all of them at once" if len(played) > 1 else "")
    sentence += f" (fair is a score of {BAND_WORDS}; {sure})."
    unbalanced = played[played["verdict"] == "unbalanced"]
    if unbalanced.empty:
        return sentence
    worst = unbalanced.loc[unbalanced["distance"].abs().idxmax()]
    if worst["distance"] < 0 and worst["policy_a"] == worst["policy_b"]:
        mirrored = (matchups["deck_a"] == worst["deck_b"]) & (matchups["deck_b"] == worst["deck_a"])
        worst = matchups[mirrored].iloc[0]
    return (
        f"{sentence} The most one-sided is {_players(worst)}: {interval(worst, 'score_a', 'score')}, "
        f"{abs(100 * worst['distance']):.1f} points beyond what is fair."
    )


def _players(row: pd.Series) -> str:
    """Name the decks of a row, and who plays them where that differs."""
    if row["policy_a"] == row["policy_b"]:
        return pairing(row)
    return f"deck {row['deck_a']} played by {row['policy_a']} against deck {row['deck_b']} played by {row['policy_b']}"


def _going_first(first_player: pd.DataFrame) -> str:
    """Say what the first turn is worth, on average and at most."""
    pairings, mean = first_player.iloc[:-1], first_player.iloc[-1]
    score = f"The player who goes first scores {interval(mean, 'score_first')}"
    measurable = mean["advantage_low"] > 0 or mean["advantage_high"] < 0
    worth = (
        f": going first is worth {points(mean['advantage'])}" if measurable else ": no measurable difference"
    )
    if len(pairings) == 1:
        return f"{score}{worth}."
    least, most = (pairings.loc[pairings["advantage"].agg(kind)] for kind in ("idxmin", "idxmax"))
    ends = [f"{points(row['advantage'])} ({_limits(row)}; {pairing(row)})" for row in (least, most)]
    return f"{score} on average over all pairings, mirrors included{worth}, from {ends[0]} to {ends[1]}."


def _limits(row: pd.Series) -> str:
    return f"{100 * row['advantage_low']:+z.1f} to {100 * row['advantage_high']:+z.1f}"


def _stalls(health: pd.DataFrame) -> str:
    """Name the pairings with many draws."""
    stalled = health[health["stalled"]].sort_values("draw_rate", ascending=False)
    if not stalled.empty:
        words = ", ".join(f"{pairing(row)} in {interval(row, 'draw_rate')}" for _, row in stalled.iterrows())
        return (
            f"{count(len(stalled), 'pairing')} {'stalls' if len(stalled) == 1 else 'stall'} with these players: "
            f"more than {100 * STALLED:.0f} % of the games are draws at the turn limit: {words}."
        )
    if not health["draws"].any():
        return "Nothing stalls: no game reached the turn limit."
    most = health["draw_rate"].max()
    share = "less than 0.1 %" if most < 0.001 else f"at most {percent(most)}"
    return f"Nothing stalls: {share} of the games of a pairing are draws at the turn limit."
