"""Write the weights of a policy's evaluation into a file of one's own; reading them: policies/lookahead/features.py."""

from collections.abc import Sequence

from clashsim.clash.policies.lookahead.features import AI_FEATURES, FEATURES, SIDES

DIGITS = 4
"""Significant digits of a weight: more could not be told apart in any number of games."""


def round_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """Return the weights as they will be written."""
    return tuple(float(f"{weight:.{DIGITS}g}") + 0.0 for weight in weights)  # + 0.0 turns -0.0 into 0.0


def weights_text(weights: Sequence[float], comments: Sequence[str] = (), *, solo: bool = False) -> str:
    """Return a TOML file of weights, those of the own features first, each with what it is about.

    Parameters
    ----------
    weights : sequence of float
        In the order of `Policy.weights`.
    comments : sequence of str
        Lines to begin with.
    solo : bool
        Whether they are for solo games, where the enemy's features are the AI's.
    """
    lines = [f"# {comment}".rstrip() for comment in comments]
    values = iter(round_weights(weights))
    for side, features in zip(SIDES, (FEATURES, AI_FEATURES if solo else FEATURES), strict=True):
        lines += ["", f"[{side}]"]
        for name, meaning in features.items():
            lines.append(f"{f'{name} = {next(values)!r}':<24}  # {meaning}")
    return "\n".join(lines).lstrip("\n") + "\n"
