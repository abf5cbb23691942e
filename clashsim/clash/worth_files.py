"""Tables of what cards are worth, as drafters and banners go by them: read from CSV files."""

import csv
import math
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

from clashsim.clash.card_checks import shown
from clashsim.clash.card_files import read_csv, read_text
from clashsim.clash.cards import CardSet
from clashsim.clash.drafting import Worths
from clashsim.errors import InputError, nearest

CARD, VALUE, POLICY = "card", "value", "policy"
WHAT = "card values"

Record = tuple[str, Mapping[str, str]]


def load_worths(path: str | PathLike[str], cards: CardSet, policy: str) -> Worths:
    """Read what the cards of a set are worth under a policy.

    Parameters
    ----------
    path : str or path
        A CSV file with the columns card and value (a fraction of score: 0.05 is 5 points), such as the
        card_values.csv of a run. Other columns are not looked at, but for policy: where there is one, only the rows of
        this policy count.
    cards : CardSet
        Every card needs one row.
    policy : str
        The name of the policy.

    Raises
    ------
    InputError
        In one line, what is wrong with the file.
    """
    path = Path(path)
    records = _of_policy(_records(path), policy, path)
    names = [card.name for card in cards.cards]
    worths: dict[str, float] = {}
    for where, record in records:
        name = record[CARD]
        if name not in names:
            raise InputError(
                f"{path}: {where}: no card {shown(name)} in the card set {cards.name}.{nearest(name, names)}"
            )
        if name in worths:
            raise InputError(f"{path}: {where}: {name} has a row already; expected one row per card")
        worths[name] = _worth(record[VALUE], f"{path}: {where}")
    missing = [name for name in names if name not in worths]
    if missing:
        raise InputError(
            f"{path}: no row for {missing[0]}; expected one for each of the {len(names)} cards of {cards.name}"
        )
    return Worths(tuple(worths[name] for name in names))


def _records(path: Path) -> Sequence[Record]:
    """Return the rows of a file that may have any columns besides those that are needed."""
    first = next((line for line in read_text(path, WHAT).splitlines() if line.strip(" ,")), "")
    try:
        header = [cell.strip() for cell in next(csv.reader([first]))]
    except (csv.Error, StopIteration):
        header = []
    return read_csv(path, WHAT, (CARD, VALUE), [cell for cell in header if cell not in (CARD, VALUE)])


def _of_policy(records: Sequence[Record], policy: str, path: Path) -> Sequence[Record]:
    """Return the rows of a policy, or all where the file names none."""
    if not records or POLICY not in records[0][1]:
        return records
    there = list(dict.fromkeys(record[POLICY] for _, record in records))
    if policy not in there:
        raise InputError(
            f"{path}: no values for the policy {policy}; it has those for {', '.join(map(shown, there))}."
            f"{nearest(policy, there)}"
        )
    return [(where, record) for where, record in records if record[POLICY] == policy]


def _worth(text: str, where: str) -> float:
    try:
        worth = float(text)
    except ValueError:
        worth = math.nan
    if not -1 <= worth <= 1:
        raise InputError(
            f"{where}: value is {shown(text)}; expected a fraction of score from -1 to 1, such as 0.05"
        )
    return worth
