"""The arguments of runs of drafts: who drafts, how many games, and tables of worths from files."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from os import PathLike

from clashsim.clash.cards import CardSet
from clashsim.clash.core.drafting import GAMES_OF_A_DRAFT
from clashsim.clash.drafting import ALL_DRAFTERS, Drafter, Worths
from clashsim.clash.solos import BLOCKS
from clashsim.clash.worth_files import load_worths
from clashsim.errors import InputError, nearest
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.draft_worths import ITERATIONS

LEAST_GAMES = GAMES_OF_A_DRAFT * BLOCKS  # a draft in every block


def pairs_of(drafter: str | Sequence[str], vs_drafter: str | None) -> list[tuple[Drafter, Drafter]]:
    """Return who drafts against whom.

    Raises
    ------
    InputError
        A drafter is unknown, or given twice.
    """
    names = [drafter] if isinstance(drafter, str) else drafter
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names) or not names:
        raise InputError(
            f"drafter is {drafter!r}; expected a name or a list of them, such as ['value', 'random']"
        )
    drafters = [_find(name) for name in names]
    for one in drafters:
        if drafters.count(one) > 1:
            raise InputError(f"drafter {one.name} is given twice; expected different ones")
    if vs_drafter is None:
        return list(combinations_with_replacement(drafters, 2))
    return [(one, _find(vs_drafter)) for one in drafters]


def load_given(values: str | PathLike[str], cards: CardSet, policies: Sequence[str]) -> dict[str, Worths]:
    """Load the worths that a file has for each policy."""
    if not isinstance(values, str | PathLike):
        raise InputError(
            f"values is {values!r}; expected the path of a CSV file with the columns card and value"
        )
    return {policy: load_worths(values, cards, policy) for policy in policies}


def worths_digest(given: Mapping[str, Worths]) -> str:
    """Return 16 hexadecimal digits of the worths that a file has."""
    content = json.dumps({policy: worths.cards for policy, worths in given.items()})
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def iterations_of(pairs: Sequence[tuple[Drafter, Drafter]], *, measured: bool) -> int:
    """Return the number of iterations of the table of worths: of one that is given, what pairs do is measured."""
    judges = {each.name for pair in pairs for each in pair if each.needs_worths}
    if measured:
        return ITERATIONS if judges else 0
    return 1 if judges - {"value"} else 0


def check_draft_games(name: str, games: int) -> int:
    """Return a number of games that plays every draft four times, rounded up."""
    games = arguments.check_whole(name, games, LEAST_GAMES, arguments.MOST_GAMES)
    return -(-games // GAMES_OF_A_DRAFT) * GAMES_OF_A_DRAFT


def _find(name: str) -> Drafter:
    if not isinstance(name, str) or name not in ALL_DRAFTERS:
        expected = ", ".join(ALL_DRAFTERS)
        raise InputError(f"unknown drafter {name!r}; expected {expected}.{nearest(str(name), ALL_DRAFTERS)}")
    return ALL_DRAFTERS[name]
