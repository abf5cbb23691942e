"""Which conclusions on prices flip from policy to policy: the table `solo_skill`."""

from collections.abc import Iterator

import pandas as pd

from clashsim.experiments.audit_cells import OPTIONS, WIN
from clashsim.experiments.audit_fits import Row
from clashsim.experiments.audit_levels import EASIER, HARDER
from clashsim.experiments.audit_neighbours import IN_ORDER, INVERTED
from clashsim.experiments.audit_options import CHEAP, DEAR, FAIR

PRICE, LEVEL, NEIGHBOURS = "price of an option", "price against the one below", "neighbours"
COLUMNS = ["what", "deck", "item", "policy", "conclusion", "flips_from"]
_CHANGE = ["option", "base", "level"]


def skill_table(options: pd.DataFrame, levels: pd.DataFrame, neighbours: pd.DataFrame) -> pd.DataFrame:
    """Return the conclusions policy by policy, from the tables of options, levels and all neighbours.

    Notes
    -----
    `flips_from` names the last policy before under which the contrary is sure: of an option's price another verdict,
    with a suggested price whose interval does not overlap; of a price and the one below harder for easier;
    of neighbours inverted for in order. Only neighbours that flip have rows. Empty with one policy.
    """
    if levels["policy"].nunique() < 2:
        return pd.DataFrame(columns=COLUMNS)
    rows = [*_of_options(headline(options)), *_of_levels(levels), *_of_neighbours(neighbours)]
    return pd.DataFrame(rows, columns=COLUMNS)


def headline(options: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that prices are judged by: those of win rates."""
    return options[options["outcome"] == WIN].reset_index(drop=True)


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
            }
            before += [row] if sure else []


def _differ(row: Row, other: Row) -> bool:
    apart = (
        row["suggested_low_all"] > other["suggested_high_all"]
        or row["suggested_high_all"] < other["suggested_low_all"]
    )
    return row["price_verdict"] != other["price_verdict"] and bool(apart)


def _of_levels(levels: pd.DataFrame) -> Iterator[Row]:
    compared = levels[levels["than_below"] != ""]
    for (deck, points), item in compared.groupby(["deck", "points"], sort=False):
        names = {"what": LEVEL, "deck": deck, "item": f"{points} points"}
        for policy, verdict, flip in _flips(item, "than_below", {HARDER, EASIER}):
            yield names | {"policy": policy, "conclusion": verdict, "flips_from": flip}


def _of_neighbours(neighbours: pd.DataFrame) -> Iterator[Row]:
    keys = ["deck", "option", "cheaper", "dearer", *OPTIONS]
    sure = neighbours[neighbours["order"].isin([INVERTED, IN_ORDER])]
    orders = sure.groupby(keys, sort=False)["order"].transform("nunique")
    for key, item in sure[orders > 1].groupby(keys, sort=False):
        deck, option, cheaper, dearer, *setting = key
        others = [f"{name} {level}" for name, level in zip(OPTIONS, setting, strict=True) if name != option]
        names = {
            "what": NEIGHBOURS,
            "deck": deck,
            "item": f"{option} {cheaper} to {dearer}; {', '.join(others)}",
        }
        for policy, verdict, flip in _flips(item, "order", {INVERTED, IN_ORDER}):
            yield names | {"policy": policy, "conclusion": verdict, "flips_from": flip}


def _flips(item: pd.DataFrame, column: str, contrary: set[str]) -> Iterator[tuple[str, str, str]]:
    """Yield policy and verdict of each row, with the last policy before that has the contrary verdict, or ""."""
    before: list[tuple[str, str]] = []
    for policy, verdict in zip(item["policy"], item[column], strict=True):
        others = contrary - {verdict} if verdict in contrary else set()
        flips = [name for name, other in before if other in others]
        yield policy, verdict, flips[-1] if flips else ""
        before.append((policy, verdict))
