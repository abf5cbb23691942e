"""Sweeps over solo settings drawn from a known truth: win rates from logits that options add to, cards from means."""

from collections.abc import Mapping
from itertools import product

import numpy as np
import pandas as pd
from scipy.special import expit, ndtr

PRICES = {
    "variable": {1: 0, 2: 2},
    "fixed": {6: 0, 7: 1, 8: 2, 9: 3, 10: 4},
    "first": {"player": 0, "ai": 1},
    "bastion": {True: 0, False: -1},
    "resistance": {False: 0, True: 2},
    "ability": {"none": 0} | dict.fromkeys(["splash", "perforation", "rage", "protection", "berserk"], 1),
}
"""The price list (R38), written down again."""

UNEQUAL = PRICES | {
    "variable": {1: 0, 2: 4},
    "first": {"player": 0, "ai": -1},
    "bastion": {True: 0, False: -3},
}
FLAT = {option: dict.fromkeys(levels, 0) for option, levels in PRICES.items()}

BLOCKS = 40


def settings(prices=PRICES, **only):
    """All settings with their points; `only` restricts an option to some levels."""
    choices = [only.get(option, tuple(levels)) for option, levels in PRICES.items()]
    frame = pd.DataFrame(list(product(*choices)), columns=list(PRICES))
    return frame.assign(points=sum(frame[option].map(price) for option, price in prices.items()))


def sweep(
    games: int,
    seed: int,
    truth: Mapping[str, Mapping] = PRICES,
    per_point: float = -0.5,
    start: float | Mapping[tuple[str, str], float] = 1.0,
    together: Mapping[tuple, float] | None = None,
    correlation: float = 0.4,
    policies=("greedy",),
    decks=("1",),
    frame: pd.DataFrame | None = None,
):
    """Draw a sweep: its cells and their counts by block.

    `truth` is what each level is worth in points, `per_point` what a point is worth in logits, `start` the logit at 0
    points, of a (policy, deck) if it is a mapping, and `together` what two levels (option, level, option, level) are
    worth in points beyond their sum. Game i of all cells shares a part of its luck: `correlation`.
    """
    rng = np.random.default_rng(seed)
    base = settings() if frame is None else frame
    cells = pd.concat(
        [base.assign(policy=policy, deck=deck) for policy in policies for deck in decks], ignore_index=True
    )
    worth = true_points(cells, truth, together)
    starts = [
        start[key] if isinstance(start, Mapping) else start
        for key in zip(cells.policy, cells.deck, strict=True)
    ]
    chance = expit(np.array(starts) + per_point * worth)
    counts = {
        name: np.zeros((len(cells), BLOCKS), np.int64)
        for name in ("games", "wins", "draws", "ai_cards_left", "ai_cards_to_go", "turns")
    }
    for game in range(games):
        shared, own = rng.standard_normal(), rng.standard_normal(len(cells))
        luck = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
        to_go = np.floor(10 + 0.8 * worth - 2 * luck + rng.random(len(cells)))
        block = game % BLOCKS
        counts["games"][:, block] += 1
        counts["wins"][:, block] += ndtr(-luck) < chance
        counts["ai_cards_to_go"][:, block] += to_go.astype(np.int64)
        counts["ai_cards_left"][:, block] += to_go.astype(np.int64) // 2
        counts["turns"][:, block] += 12
    return cells, counts


def true_points(cells, truth, together=None):
    """What the options of each cell are truly worth, in points."""
    worth = np.array(sum(cells[option].map(points) for option, points in truth.items()), float)
    for (one, level, other, other_level), points in (together or {}).items():
        worth += points * ((cells[one] == level) & (cells[other] == other_level)).to_numpy()
    return worth


def truth_of(row, truth):
    """What a row's level is truly worth over its base, in points."""
    by_word = {
        {True: "yes", False: "no"}.get(level, level) if isinstance(level, bool) else str(level): points
        for level, points in truth[row["option"]].items()
    }
    return by_word[row["level"]] - by_word[row["base"]]


def options_of(tables, outcome="win", deck="1"):
    rows = tables[(tables["outcome"] == outcome) & (tables["deck"] == deck)]
    return rows.assign(key=rows["option"] + " " + rows["base"] + " " + rows["level"]).set_index("key")
