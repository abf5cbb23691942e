"""What abilities are worth to other players: the table of how their lifts change from policy to policy."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pandas as pd

from clashsim.analysis.intervals import bonferroni
from clashsim.analysis.precision import CONFIDENCE
from clashsim.experiments.ability_bodies import Body
from clashsim.experiments.ability_choice import Tried, judged
from clashsim.experiments.ability_tables import terms_of
from clashsim.experiments.matchup_tables import DIGITS, Row, estimate, rounded
from clashsim.experiments.price_tables import interval_of
from clashsim.experiments.skill_tables import HIGHER, LOWER, NOT_CERTAIN

COLUMNS = [
    *("policy_before", "policy", "kind", "body", "cost", "term", "games", "difference", "difference_low"),
    *("difference_high", "difference_low_all", "difference_high_all", "change"),
]


def skill_table(tried: Sequence[Tried]) -> pd.DataFrame:
    """Return one row per two policies named one after the other, body, and ability or aura; none of a single policy.

    Notes
    -----
    Both play the same shuffles: how far their lifts depend on each other is seen by blocks of games (jackknife).
    """
    policies = list(dict.fromkeys(each.policy for each in tried))
    rows = [row for before, after in pairwise(policies) for row in _rows(tried, before, after)]
    return pd.DataFrame(rows, columns=COLUMNS).round(DIGITS)


def _rows(tried: Sequence[Tried], before: str, after: str) -> Iterator[Row]:
    of_body: dict[Body, dict[str, Tried]] = {}
    for each in tried:
        of_body.setdefault(each.body, {})[each.policy] = each
    together = bonferroni(CONFIDENCE, sum(len(terms_of(body)) for body in of_body))
    for body, by_policy in of_body.items():
        for term in terms_of(body):
            games = min(by_policy[policy].games(term) for policy in (before, after))
            change = judged(by_policy[after].lift(term) - by_policy[before].lift(term), games, lifts=2)
            low, high = (rounded(limit) for limit in change.limits(together))
            yield {
                **{"policy_before": before, "policy": after, "kind": body.kind, "body": body.name},
                **{"cost": body.cost, "term": term, "games": games},
                **estimate(interval_of(change), "difference"),
                "difference_low_all": low,
                "difference_high_all": high,
                "change": HIGHER if low > 0 else LOWER if high < 0 else NOT_CERTAIN,
            }
