"""Which conclusions on prices flip from policy to policy: the table `solo_skill`."""

from collections.abc import Iterator

import pandas as pd

from clashsim.experiments.audit_cells import OPTIONS, TO_GO, WIN
from clashsim.experiments.audit_fits import Row
from clashsim.experiments.audit_levels import EASIER, HARDER
from clashsim.experiments.audit_neighbours import IN_ORDER, INVERTED
from clashsim.experiments.audit_options import CHEAP, DEAR, FAIR, NOT_CONVERTIBLE, TOO_FEW

PRICE, LEVEL, NEIGHBOURS = "price of an option", "price against the one below", "neighbours"
COLUMNS = ["what", "deck", "item", "policy", "conclusion", "flips_from", "judged_by"]
_CHANGE = ["option", "base", "level"]


def skill_table(options: pd.DataFrame, levels: pd.DataFrame, neighbours: pd.DataFrame) -> pd.DataFrame:
    """Return the conclusions policy by policy, from the tables of options, levels and all neighbours.

    Notes
    -----
    `flips_from` names the last policy before under which the contrary is sure: of an option's price another verdict,
    with a suggested price whose interval does not overlap; of a price and the one below harder for easier;
    of neighbours inverted for in order. Only what is judged by the same outcome is compared: prices by cards to go
    are on another scale than those by wins, and an AI with more mana empties its own deck sooner. Only neighbours
    that flip have rows. Empty with one policy.
    """
    if levels["policy"].nunique() < 2:
        return pd.DataFrame(columns=COLUMNS)
    rows = [*_of_options(headline(options)), *_of_levels(levels), *_of_neighbours(neighbours)]
    return pd.DataFrame(rows, columns=COLUMNS)


def headline(options: pd.DataFrame) -> pd.DataFrame:
    """Return one row per policy, deck and comparison of levels: of win rates, or of cards to go if those can't tell."""
    keys = ["policy", "deck", *_CHANGE]
    by = {
        outcome: options[options["outcome"] == outcome].set_index(keys, drop=False)
        for outcome in (WIN, TO_GO)
    }
    cannot = by[WIN]["price_verdict"].isin([TOO_FEW, NOT_CONVERTIBLE]).to_numpy()
    rows = by[WIN].copy()
    rows.loc[cannot] = by[TO_GO].loc[rows.index[cannot]]
    return rows.reset_index(drop=True)


def _of_options(options: pd.DataFrame) -> Iterator[Row]:
    for (deck, option, base, level), item in options.groupby(["deck", *_CHANGE], sort=False):
        before: list[Row] = []
        for row in item.to_dict("records"):
            sure = row["price_verdict"] in (FAIR, CHEAP, DEAR)
            contrary = [other for other in before if sure and _differ(row, other)]
            yield {
                "what": PRICE,
                "deck": deck,
                "item": f"{option} {base} to {level}",
                "policy": row["policy"],
                "conclusion": row["price_verdict"],
                "flips_from": contrary[-1]["policy"] if contrary else "",
                "judged_by": row["outcome"],
            }
            before += [row] if sure else []


def _differ(row: Row, other: Row) -> bool:
    apart = (
        row["suggested_low_all"] > other["suggested_high_all"]
        or row["suggested_high_all"] < other["suggested_low_all"]
    )
    return (
        row["outcome"] == other["outcome"] and row["price_verdict"] != other["price_verdict"] and bool(apart)
    )


def _of_levels(levels: pd.DataFrame) -> Iterator[Row]:
    compared = levels[levels["than_below"] != ""]
    for (deck, points), item in compared.groupby(["deck", "points"], sort=False):
        names = {"what": LEVEL, "deck": deck, "item": f"{points} points"}
        flips = _flips(item, "than_below", "judged_by", {HARDER, EASIER})
        for flip, row in zip(flips, item.to_dict("records"), strict=True):
            conclusion = {"conclusion": row["than_below"], "flips_from": flip, "judged_by": row["judged_by"]}
            yield names | {"policy": row["policy"]} | conclusion


def _of_neighbours(neighbours: pd.DataFrame) -> Iterator[Row]:
    keys = ["deck", "option", "cheaper", "dearer", *OPTIONS, "outcome"]
    sure = neighbours[neighbours["order"].isin([INVERTED, IN_ORDER])]
    orders = sure.groupby(keys, sort=False)["order"].transform("nunique")
    for key, item in sure[orders > 1].groupby(keys, sort=False):
        deck, option, cheaper, dearer, *setting, _ = key
        others = [f"{name} {level}" for name, level in zip(OPTIONS, setting, strict=True) if name != option]
        names = {
            "what": NEIGHBOURS,
            "deck": deck,
            "item": f"{option} {cheaper} to {dearer}; {', '.join(others)}",
        }
        flips = _flips(item, "order", "outcome", {INVERTED, IN_ORDER})
        for flip, row in zip(flips, item.to_dict("records"), strict=True):
            conclusion = {"conclusion": row["order"], "flips_from": flip, "judged_by": row["outcome"]}
            yield names | {"policy": row["policy"]} | conclusion


def _flips(item: pd.DataFrame, verdict: str, judged_by: str, contrary: set[str]) -> list[str]:
    """Return of each row the last policy before with the contrary verdict by the same outcome, or ""."""
    flips = []
    rows = item.to_dict("records")
    for number, row in enumerate(rows):
        others = contrary - {row[verdict]} if row[verdict] in contrary else set()
        before = [
            other["policy"]
            for other in rows[:number]
            if other[verdict] in others and other[judged_by] == row[judged_by]
        ]
        flips.append(before[-1] if before else "")
    return flips
