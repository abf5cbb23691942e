"""Drafts of duels: the tables, made from the tallies."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import jackknife, leave_one_out, share_limits
from clashsim.analysis.intervals import Interval, bonferroni, wilson
from clashsim.analysis.precision import CONFIDENCE
from clashsim.clash.cards import CardSet
from clashsim.clash.core.draft_counts import FIRST_PICK, LAST_PICK, PAIR_PICK
from clashsim.clash.core.drafting import GAMES_OF_A_DRAFT
from clashsim.clash.drafting import Worths
from clashsim.clash.drafts import DraftDuel
from clashsim.experiments.card_tables import AVERAGE, STRONG, WEAK
from clashsim.experiments.draft_worths import agreement, measured_worths
from clashsim.experiments.matchup_tables import LOST, Row, estimate, rounded
from clashsim.running import Tally

PICK_NAMES = {FIRST_PICK: "first of four", PAIR_PICK: "pair of three", LAST_PICK: "leftover"}
PLACES = {FIRST_PICK: 1.0, PAIR_PICK: 2.5, LAST_PICK: 4.0}
"""When in a round a card is taken, of 1 to 4; the two of a pair are taken at once."""

BETTER, WORSE, OPEN = "surely better", "surely worse", "undecided"
SEATS = ("drafts first", "starts", "drafts first and starts", "drafts first, goes second")


class View(NamedTuple):
    """What a drafter did in a condition, and how it fared; where both sides have the same one, both together."""

    policy: str
    drafter: str
    vs_drafter: str
    sides: tuple[int, ...]
    condition: int
    tally: Tally

    @property
    def names(self) -> Row:
        """The columns that name it."""
        return {"policy": self.policy, "drafter": self.drafter, "vs_drafter": self.vs_drafter}

    def counts(self, name: str) -> np.ndarray:
        """Return a count of the tally that has an axis for the sides, added up over those of the view."""
        return self.tally[name][list(self.sides)].sum(axis=0)


def views_of(duels: Sequence[DraftDuel], tallies: Sequence[Tally]) -> Iterator[View]:
    """Yield the views of all drafters: of a condition with two different ones, one after the other."""
    for number, (duel, tally) in enumerate(zip(duels, tallies, strict=True)):
        one, other = (drafter.name for drafter in duel.drafters)
        policy = duel.policies[0].name
        if one == other:
            yield View(policy, one, other, (0, 1), number, tally)
        else:
            yield View(policy, one, other, (0,), number, tally)
            yield View(policy, other, one, (1,), number, tally)


def drafters_table(duels: Sequence[DraftDuel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy and ordered pair of different drafters."""
    comparisons = sum(duel.drafters[0].name != duel.drafters[1].name for duel in duels)
    rows = []
    for view in views_of(duels, tallies):
        if view.drafter == view.vs_drafter:
            continue
        results = _of_side(view.tally["results"].sum(axis=(0, 1)), view.sides[0])
        alone = block_score(results)
        together = block_score(results, bonferroni(CONFIDENCE, comparisons))
        low, high = rounded(together.low), rounded(together.high)
        won, drew, lost = results.sum(axis=0).tolist()
        rows.append(
            {
                **view.names,
                "games": won + drew + lost,
                "wins": won,
                "draws": drew,
                "losses": lost,
                **estimate(alone, "score"),
                "score_low_all": low,
                "score_high_all": high,
                "drafter_verdict": BETTER if low > 0.5 else WORSE if high < 0.5 else OPEN,
            }
        )
    columns = ["policy", "drafter", "vs_drafter", "games", "wins", "draws", "losses", "score", "score_low"]
    columns += ["score_high", "score_low_all", "score_high_all", "drafter_verdict"]
    return pd.DataFrame(rows, columns=columns)


def picks_table(duels: Sequence[DraftDuel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per view, card and kind of pick."""
    rows = []
    for view in views_of(duels, tallies):
        seen, taken = view.counts("seen"), view.counts("taken")
        scores = block_score(np.moveaxis(view.counts("by_pick"), 2, -2))
        limits = wilson(taken / np.maximum(seen, 1), seen / len(view.sides))
        for slot, card in enumerate(duels[0].kit):
            for pick, name in PICK_NAMES.items():
                cell = slot, pick
                rows.append(
                    {
                        **view.names,
                        "card": card.name,
                        "pick": name,
                        "seen": int(seen[cell]),
                        "picked": int(taken[cell]),
                        "pick_rate": rounded(taken[cell] / seen[cell]) if seen[cell] else np.nan,
                        "pick_rate_low": rounded(limits[0][cell]),
                        "pick_rate_high": rounded(limits[1][cell]),
                        "games": int(scores.games[cell]),
                        **_estimate_at(scores, cell, "score"),
                    }
                )
    return pd.DataFrame(rows)


def cards_table(
    duels: Sequence[DraftDuel], tallies: Sequence[Tally], worths: Sequence[Worths | None]
) -> pd.DataFrame:
    """Return one row per view and card, the most worth first; `worths` are the tables that the conditions draft by."""
    rows: list[Row] = []
    for view in views_of(duels, tallies):
        found = list(_card_rows(view, duels[0].cards, worths[view.condition]))
        found.sort(key=lambda row: -row["value"])
        rows += [row | {"rank": rank} for rank, row in enumerate(found, start=1)]
    return pd.DataFrame(rows)


def _card_rows(view: View, cards: CardSet, worths: Worths | None) -> Iterator[Row]:
    seen, taken = view.counts("seen"), view.counts("taken")
    by_card = view.counts("by_pick").sum(axis=1)
    scores, playing = block_score(by_card), view.counts("playing")
    values = measured_worths(view.tally, solo=False)
    alone = values.limits()
    together = values.limits(bonferroni(CONFIDENCE, len(cards.cards)))
    observed = independent_score(playing)
    for slot, card in enumerate(cards.cards):
        low, high = rounded(together[0][slot]), rounded(together[1][slot])
        picked, games, played = int(taken[slot].sum()), int(by_card[slot].sum()), int(playing[slot].sum())
        places = sum(place * taken[slot, pick] for pick, place in PLACES.items())
        yield {
            **view.names,
            "card": card.name,
            "cost": card.cost,
            "worth": np.nan if worths is None else rounded(worths.cards[slot]),
            "value": rounded(values.value[slot]),
            "value_low": rounded(alone[0][slot]),
            "value_high": rounded(alone[1][slot]),
            "value_low_all": low,
            "value_high_all": high,
            "value_verdict": STRONG if low > 0 else WEAK if high < 0 else AVERAGE,
            "seen": int(seen[slot, [FIRST_PICK, PAIR_PICK]].sum()),
            "picked": picked,
            "ata": rounded(places / picked) if picked else np.nan,
            "games": games,
            **_estimate_at(scores, slot, "score"),
            "played": rounded(played / games) if games else np.nan,
            **_estimate_at(observed, slot, "score_played"),
        }


def seats_table(duels: Sequence[DraftDuel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return four rows per condition: what it is worth to draft first, to start, and both together."""
    rows = []
    for duel, tally in zip(duels, tallies, strict=True):
        names = {"policy": duel.policies[0].name} | dict(
            zip(("drafter", "vs_drafter"), (drafter.name for drafter in duel.drafters), strict=True)
        )
        for seat, results in zip(SEATS, _by_seat(tally["results"]), strict=True):
            score = block_score(results)
            rows.append(
                {
                    **names,
                    "seat": seat,
                    "games": int(score.games),
                    **estimate(score, "score"),
                    **estimate(
                        score._replace(value=score.value - 0.5, low=score.low - 0.5, high=score.high - 0.5),
                        "advantage",
                    ),
                }
            )
    return pd.DataFrame(rows)


def over_table(duels: Sequence[DraftDuel], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per view and pair of cards of which one was taken and the other left, the surest first."""
    tables = [
        over_rows(view.counts("over"), view.names, duels[0].cards, len(view.sides))
        for view in views_of(duels, tallies)
    ]
    return pd.concat(tables, ignore_index=True)


def over_rows(over: np.ndarray, named: Row, cards: CardSet, counted: int) -> pd.DataFrame:
    """Return one row per pair of cards of which one was taken and the other left, the surest first.

    `over` has the choices in which the card of the row was taken over that of the column, and `counted` tells how often
    one and the same draft may have been counted.
    """
    one, other = np.nonzero((over + over.T > 0) & (over >= over.T) & ((over > over.T) | _above(len(over))))
    choices = over[one, other] + over[other, one]
    share = over[one, other] / choices
    low, high = wilson(share, choices / counted)
    names = np.array([card.name for card in cards.cards])
    table = pd.DataFrame(
        {
            **named,
            "card": names[one],
            "other_card": names[other],
            "choices": choices,
            "taken_over": share,
            "taken_over_low": low,
            "taken_over_high": high,
        }
    )
    return table.sort_values(["taken_over_low", "card"], ascending=[False, True], kind="stable").round(6)


def _above(size: int) -> np.ndarray:
    return np.triu(np.ones((size, size), np.bool_), k=1)


def iterations_table(
    policies: Sequence[str],
    cards: CardSet,
    tables: Sequence[Sequence[Worths | None]],
    tallies: Sequence[Sequence[Tally]],
    *,
    solo: bool = False,
) -> pd.DataFrame:
    """Return one row per policy, iteration and card: the worth drafted by, and the one measured from these drafts."""
    rows = []
    for policy, policy_tables, policy_tallies in zip(policies, tables, tallies, strict=True):
        for iteration, (worths, tally) in enumerate(zip(policy_tables, policy_tallies, strict=True)):
            values = measured_worths(tally, solo=solo)
            low, high = values.limits()
            agreed = np.nan if worths is None else agreement(worths, tally, solo=solo)
            for slot, card in enumerate(cards.cards):
                rows.append(
                    {
                        "policy": policy,
                        "iteration": iteration,
                        "card": card.name,
                        "worth": np.nan if worths is None else rounded(worths.cards[slot]),
                        "value": rounded(values.value[slot]),
                        "value_low": rounded(low[slot]),
                        "value_high": rounded(high[slot]),
                        "agreement": rounded(agreed),
                    }
                )
    columns = ["policy", "iteration", "card", "worth", "value", "value_low", "value_high", "agreement"]
    return pd.DataFrame(rows, columns=columns)


def block_score(
    results: np.ndarray, confidence: float = CONFIDENCE, games_each: int = GAMES_OF_A_DRAFT
) -> Interval:
    """Return scores with intervals from games in blocks, (..., blocks, results): games of a draft are not independent.

    `games_each` tells how many games may be one and the same draft.
    """
    replicates = leave_one_out(np.moveaxis(results, -2, -1))
    games = replicates.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = (replicates[..., 0] + replicates[..., 1] / 2) / games
    total = games[0]
    filled = np.where(
        np.isfinite(scores), scores, scores[:1]
    )  # without the only block that has games: as with it
    share = jackknife(np.nan_to_num(filled, nan=0.5))
    low, high = share_limits(share, total, np.maximum(total / games_each, 1), confidence)
    return Interval(share.value, low, high, total)


def independent_score(results: np.ndarray) -> Interval:
    """Return observed scores with Wilson's intervals on a quarter of the games, of which four may be of one draft."""
    games = results.sum(axis=-1)
    score = (results[..., 0] + results[..., 1] / 2) / np.maximum(games, 1)
    low, high = wilson(score, games / GAMES_OF_A_DRAFT)
    return Interval(score, low, high, games)


def judged(tally: Tally) -> Interval:
    """Return the score of side 0: what a target of precision looks at."""
    return block_score(tally["results"].sum(axis=(0, 1)))


def _of_side(results: np.ndarray, side: int) -> np.ndarray:
    """Return results of side 0, on the last axis, as those of a side."""
    return results if side == 0 else results[..., ::-1]


def _by_seat(results: np.ndarray) -> Iterator[np.ndarray]:
    """Yield, for each of the SEATS, the results (blocks, 3) of whoever has it."""
    own = np.stack([results[0], results[1, :, :, LOST::-1]])  # of the side that drafts first, by who starts
    first_starts, first_second = own[0, 0] + own[1, 1], own[0, 1] + own[1, 0]
    starters = results[:, 0].sum(axis=0) + results[:, 1, :, LOST::-1].sum(axis=0)
    yield from (first_starts + first_second, starters, first_starts, first_second)


def _estimate_at(interval: Interval, cell: int | tuple[int, ...], name: str) -> Row:
    """Return an estimate out of many; empty where there are no games."""
    if interval.games[cell] == 0:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"), np.nan)
    return estimate(Interval(*(np.asarray(numbers)[cell] for numbers in interval)), name)
