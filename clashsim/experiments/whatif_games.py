"""The first games of a what-if that end otherwise."""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import pandas as pd

from clashsim.analysis.paired import other_results
from clashsim.clash.duels import results_of
from clashsim.experiments.twins import Twin
from clashsim.experiments.whatif_tables import judged, names_of
from clashsim.running import Tally

SHOWN_GAMES = 3  # that a pair of conditions shows, of those that end otherwise
SHOWN_TWINS = 20
SEARCHED = 2_000  # games of a pair of conditions at most
_STRETCH = 100

WINNERS = ("a", "draw", "b")
SOLO_WINNERS = ("player", "draw", "ai")


def games_table(twins: Sequence[Twin], tallies: Sequence[Tally]) -> pd.DataFrame:
    """Return the first games of each pair of conditions that end otherwise when changed."""
    rows = []
    with_others = [
        (twin, int(tally["joint"].sum()))
        for twin, tally in zip(twins, tallies, strict=True)
        if other_results(judged(twin, tally)) > 0
    ]
    for twin, games in with_others[:SHOWN_TWINS]:
        winners = SOLO_WINNERS if twin.is_solo else WINNERS
        names = names_of(twin)
        for game, base, changed in islice(_other_games(twin, min(games, SEARCHED)), SHOWN_GAMES):
            rows.append(
                names
                | {"game": game}
                | {"winner_base": winners[results_of(base["winner"])], "turns_base": int(base["turns"])}
                | {
                    "winner_changed": winners[results_of(changed["winner"])],
                    "turns_changed": int(changed["turns"]),
                }
            )
    columns = [*names_of(twins[0]), "game", "winner_base", "turns_base", "winner_changed", "turns_changed"]
    return pd.DataFrame(rows, columns=columns)


def _other_games(twin: Twin, games: int) -> Iterator[tuple[int, np.void, np.void]]:
    """Yield the games that end otherwise, with how they end as they are and changed."""
    for first in range(0, games, _STRETCH):
        base, changed = twin.ends(first, min(_STRETCH, games - first))
        ends = [results_of(end["winner"]) for end in (base, changed)]
        if twin.is_solo:  # where a draw is as good as a loss (R31)
            ends = [np.minimum(end, 1) for end in ends]
        for place in np.flatnonzero(ends[0] != ends[1]):
            yield first + int(place), base[place], changed[place]
