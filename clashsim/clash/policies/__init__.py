"""Scripted players, one file each, and the table that names them.

The compiled core knows a policy by its number. Nothing compiled is imported here, so that the names are at
hand at once. How a policy is named on the command line, files included: clashsim/clash/policy_files.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from clashsim.clash.policies.lookahead.features import read_weights

RANDOM, GREEDY, WILD, PLANNING = range(4)  # PLANNING: compiled by itself and called by its address (units.py)

_PLAN_TURN = "clashsim.clash.policies.lookahead.planner:plan_turn"


class Foresight(NamedTuple):
    """How far a policy that searches looks beyond its own turn; see policies/lookahead/planner.py."""

    lines: int = 1  # ways to play the turn that are looked at closely
    samples: int = 0  # orders of the enemy's unseen cards that are imagined for each
    turns: int = (
        0  # turns played out in each of them; even, so that the last is one that was searched in solo games
    )


_OWN_TURN_ONLY = Foresight()


@dataclass(frozen=True)
class Policy:
    """A scripted player.

    Attributes
    ----------
    name : str
        As tables show it.
    number : int
        By which the core knows it.
    summary : str
        What it does, in one line.
    unit : str
        The function that plans a turn, "module:function", of a policy that is compiled by itself.
    weights : tuple of float
        Of its evaluation of positions: its own features, then its enemy's; none if it has no evaluation.
    weights_file : Path, optional
        Where they are from.
    solo_weights : tuple of float
        Weights of its own for solo games, where the AI's features mean something else; none if it has none.
    foresight : Foresight
    solo_foresight : Foresight, optional
        That of solo games, if it is another one: there the order of the AI's cards decides more than its play.
    python_files : tuple of Path
        Of a policy of a user: its file, and those next to it that it imports (policies/users/loading.py).
    chooser : int
        Of a policy of a user: the address of its compiled function.
    """

    name: str
    number: int
    summary: str
    unit: str = ""
    weights: tuple[float, ...] = ()
    weights_file: Path | None = None
    solo_weights: tuple[float, ...] = ()
    foresight: Foresight = _OWN_TURN_ONLY
    solo_foresight: Foresight | None = None
    python_files: tuple[Path, ...] = ()
    chooser: int = 0

    @property
    def searches(self) -> bool:
        """Whether it looks ahead, which takes some hundred to some thousand times as long."""
        return bool(self.weights)

    def weights_in(self, solo: bool) -> tuple[float, ...]:
        """Return the weights it plays duels, or solo games, with: weights of a user's own are for both."""
        return self.solo_weights or self.weights if solo else self.weights

    def foresight_in(self, solo: bool) -> Foresight:
        """Return how far it looks in duels, or in solo games."""
        return self.solo_foresight or self.foresight if solo else self.foresight

    def with_weights(self, name: str, weights: Iterable[float], file: Path | None = None) -> "Policy":
        """Return the policy with other weights, for duels and solo games alike, and a name that tells them apart."""
        return replace(
            self, name=name, weights=tuple(map(float, weights)), weights_file=file, solo_weights=()
        )


def _weights_of(name: str) -> tuple[tuple[float, ...], Path, tuple[float, ...]]:
    """Return the weights that are shipped for a policy, their file, and those for solo games."""
    folder = Path(__file__).parent / "weights"
    path = folder / f"{name}.toml"
    return read_weights(path), path, read_weights(folder / f"{name}-solo.toml")


POLICIES = {
    policy.name: policy
    for policy in (
        Policy(
            "random",
            RANDOM,
            "any legal play with equal chances, stopping among them; no casts in the assault",
        ),
        Policy(
            "greedy",
            GREEDY,
            "the Incantation that destroys most, else the dearest creature into the weaker lane",
        ),
        Policy(
            "tactician",
            PLANNING,
            "searches all it can do in its turn, and plays what looks best after the enemy's next attack",
            _PLAN_TURN,
            *_weights_of("tactician"),
        ),
        Policy(
            "planner",
            PLANNING,
            "plays its best turns on in its mind, the enemy's reply and its own next turn, and takes what ends best",
            _PLAN_TURN,
            *_weights_of("planner"),
            Foresight(lines=8, samples=1, turns=2),
            Foresight(lines=4, samples=4, turns=2),
        ),
        Policy(
            "wild", WILD, "random over every freedom of the rules, own breaches included: a driver for tests"
        ),
    )
}
"""The policies that have a name of their own, from the weakest to the strongest; then the driver of tests."""

DRIVER = "wild"
"""Plays for tests only: no rung of the ladder."""

DEFAULT = "planner"
"""Plays where nobody is named: what weaker rungs are off by is more than the games save that they could play."""

WEIGHING = tuple(policy.name for policy in POLICIES.values() if policy.weights)
"""The policies that take weights of one's own."""

LADDER = tuple(name for name in POLICIES if name != DRIVER)
"""The policies to draw conclusions from, from the weakest to the strongest."""
