"""Drafts of solo games: the tables, made from the tallies."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from clashsim.analysis.blocks import Jackknifed, benjamini_hochberg, jackknife, leave_one_out, with_prior
from clashsim.analysis.intervals import bonferroni, rate_interval
from clashsim.analysis.precision import CONFIDENCE
from clashsim.clash.drafting import Drafter, Worths
from clashsim.clash.drafts import DraftSolo
from clashsim.experiments.card_tables import AVERAGE, FALSE_FINDS, STRONG, WEAK
from clashsim.experiments.draft_tables import iterations_table as worths_by_iteration
from clashsim.experiments.draft_tables import over_rows
from clashsim.experiments.draft_worths import measured_worths
from clashsim.experiments.matchup_tables import Row, estimate, rounded
from clashsim.experiments.refining_plan import Refining
from clashsim.running import Tally

MORE, LESS, ALIKE = "worth more", "worth less", "undecided"


def cards_table(
    conditions: Sequence[DraftSolo],
    tallies: Sequence[Tally],
    worths: Sequence[Worths | None],
    values: Sequence[Jackknifed],
) -> pd.DataFrame:
    """Return one row per condition and card, the most worth first.

    `worths` are the tables that the conditions draft by, `values` what cards are worth under their settings.
    """
    rows: list[Row] = []
    for condition, tally, table, value in zip(conditions, tallies, worths, values, strict=True):
        found = list(_card_rows(condition, tally, table, value))
        found.sort(key=lambda row: -np.nan_to_num(row["value"], nan=-1))
        rows += [row | {"rank": rank} for rank, row in enumerate(found, start=1)]
    return pd.DataFrame(rows)


def _card_rows(
    condition: DraftSolo, tally: Tally, worths: Worths | None, values: Jackknifed
) -> Iterator[Row]:
    cards = condition.solo.cards.cards
    alone, together = values.limits(), values.limits(bonferroni(CONFIDENCE, len(cards)))
    by_card = tally["by_card"].sum(axis=1)
    for slot, card in enumerate(cards):
        low, high = rounded(together[0][slot]), rounded(together[1][slot])
        seen, picked = int(tally["seen"][slot]), int(tally["taken"][slot])
        rate = rate_interval(picked, seen)
        won = rate_interval(by_card[slot, 0], by_card[slot].sum())
        missing = dict.fromkeys(("win_rate", "win_rate_low", "win_rate_high"), np.nan)
        yield {
            **names_of(condition),
            "card": card.name,
            "cost": card.cost,
            "worth": np.nan if worths is None else rounded(worths.cards[slot]),
            "value": rounded(values.value[slot]),
            "value_low": rounded(alone[0][slot]),
            "value_high": rounded(alone[1][slot]),
            "value_low_all": low,
            "value_high_all": high,
            "value_verdict": STRONG if low > 0 else WEAK if high < 0 else AVERAGE,
            "seen": seen,
            "picked": picked,
            **estimate(rate, "pick_rate"),
            "games": int(by_card[slot].sum()),
            **(estimate(won, "win_rate") if picked else missing),
        }


def settings_table(conditions: Sequence[DraftSolo], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per policy, setting but the first, and card, the surest first: how its value differs from that in
    the first setting. All have random drafts of the same cards, with the same shuffles.
    """
    columns = ["policy", "setting", "points", "card", "value_first_setting", "value", "gain", "gain_low"]
    columns += ["gain_high", "p", "p_adjusted", "setting_verdict"]
    tables = []
    for policy in dict.fromkeys(condition.solo.policy.name for condition in conditions):
        places = [place for place, condition in enumerate(conditions) if condition.solo.policy.name == policy]
        values = [measured_worths(tallies[place], solo=True) for place in places]
        for place, value in list(zip(places, values, strict=True))[1:]:
            tables.append(_setting_rows(conditions[place], values[0], value))
    if not tables:
        return pd.DataFrame(columns=columns)
    table = pd.concat(tables, ignore_index=True)
    table["p_adjusted"] = table.groupby("policy", sort=False)["p"].transform(benjamini_hochberg)
    sure = table["p_adjusted"] < FALSE_FINDS
    table["setting_verdict"] = np.select([sure & (table["gain"] > 0), sure], [MORE, LESS], ALIKE)
    order = table.sort_values(["policy", "p"], kind="stable", key=lambda column: _in_order(column))
    return order[columns].round(6)


def _in_order(column: pd.Series) -> pd.Series:
    return (
        column if column.dtype != object else column.map({name: n for n, name in enumerate(column.unique())})
    )


def _setting_rows(condition: DraftSolo, first: Jackknifed, value: Jackknifed) -> pd.DataFrame:
    gain = _less(value, first)
    low, high = gain.limits()
    return pd.DataFrame(
        {
            "policy": condition.solo.policy.name,
            "setting": str(condition.solo.settings),
            "points": condition.solo.settings.points(),
            "card": [card.name for card in condition.solo.cards.cards],
            "value_first_setting": first.value,
            "value": value.value,
            "gain": gain.value,
            "gain_low": low,
            "gain_high": high,
            "p": gain.p_other(),
        }
    )


def drafters_table(conditions: Sequence[DraftSolo], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per condition: how often its decks win, and how much more than those of the last drafter."""
    rows = []
    for number, (condition, tally) in enumerate(zip(conditions, tallies, strict=True)):
        won, drew, lost = tally["results"].sum(axis=0).tolist()
        last = _last_of_setting(conditions, number)
        more = _win_rate(tally) if last == number else _difference(tally, tallies[last])
        low, high = more.limits()
        rows.append(
            {
                **names_of(condition),
                "games": won + drew + lost,
                "wins": won,
                "draws": drew,
                "losses": lost,
                **estimate(rate_interval(won, won + drew + lost), "win_rate"),
                "vs_drafter": conditions[last].solo.deck.name,
                "difference": 0.0 if last == number else rounded(more.value),
                "difference_low": 0.0 if last == number else rounded(low),
                "difference_high": 0.0 if last == number else rounded(high),
            }
        )
    return pd.DataFrame(rows)


def _last_of_setting(conditions: Sequence[DraftSolo], number: int) -> int:
    solo = conditions[number].solo
    return max(
        place
        for place, other in enumerate(conditions)
        if other.solo.policy == solo.policy and other.solo.settings == solo.settings
    )


def _win_rate(tally: Tally) -> Jackknifed:
    replicates = leave_one_out(tally["results"].T)
    games = replicates.sum(axis=-1)
    return with_prior(jackknife(replicates[:, 0] / games), 1 / (games[0] + 2) ** 2)


def _difference(tally: Tally, other: Tally) -> Jackknifed:
    return _less(_win_rate(tally), _win_rate(other))


def _less(one: Jackknifed, other: Jackknifed) -> Jackknifed:
    """Return a difference of two estimates of the same blocks; what either leaves open besides is its own."""
    (first, own), (second, others) = (
        np.split(each.deviations, [len(each.deviations) - each.priors]) for each in (one, other)
    )
    deviations = np.concatenate([first - second, own, others])
    return Jackknifed(one.value - other.value, deviations, one.priors + other.priors)


def over_table(conditions: Sequence[DraftSolo], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return one row per condition and pair of cards of which one was taken and the other left, the surest first."""
    tables = [
        over_rows(tally["over"], names_of(condition), condition.solo.cards, 1)
        for condition, tally in zip(conditions, tallies, strict=True)
    ]
    return pd.concat(tables, ignore_index=True)


def iterations_table(conditions: Sequence[DraftSolo], refining: Sequence[Refining]) -> pd.DataFrame:
    """Return one row per policy, setting, iteration and card, of how the tables of some conditions came about."""
    tables = [
        worths_by_iteration(
            [condition.solo.policy.name], condition.solo.cards, [each.tables], [each.tallies], solo=True
        ).assign(setting=str(condition.solo.settings))
        for condition, each in zip(conditions, refining, strict=True)
    ]
    table = pd.concat(tables, ignore_index=True)
    return table[["policy", "setting", *[name for name in table if name not in ("policy", "setting")]]]


def names_of(condition: DraftSolo) -> Row:
    """Return the columns that name a condition."""
    solo = condition.solo
    assert isinstance(solo.deck, Drafter)
    return {
        "policy": solo.policy.name,
        "setting": str(solo.settings),
        "points": solo.settings.points(),
        "drafter": solo.deck.name,
    }
