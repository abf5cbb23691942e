"""The games of a finished run: its conditions once more, and which games of each it played."""

from collections.abc import Mapping, Sequence
from typing import Any

from clashsim.clash.duels import Duel
from clashsim.errors import InputError, nearest
from clashsim.experiments.game_search import Stretch
from clashsim.experiments.matchups import MatchupPlan
from clashsim.experiments.result import Plan


def stretches_of_run(
    plan: Plan, manifest: Mapping[str, Any], pair: Sequence[str] | None = None, policy: str | None = None
) -> list[Stretch]:
    """Return the conditions of a run of matchups with the games that it played.

    Parameters
    ----------
    plan : Plan
        Made again from the options of the run.
    manifest : mapping
        Of the run: its `options` as given, and its `plan` with the games that each condition got.
    pair : sequence of two str, optional
        Names of the decks of side A and B, or what the run was given for them: their conditions only.
    policy : str, optional
        Name of the policy of side A, or what the run was given for it: its conditions only.

    Raises
    ------
    InputError
        If the run has no such condition, is of another kind, or its options no longer give its plan.
    """
    if not isinstance(plan, MatchupPlan):
        raise InputError(f"--run: it is a run of {manifest['experiment']}; expected one of matchups")
    played = [(row.get("deck_a"), row.get("deck_b")) for row in manifest["plan"]]
    if played != [_decks(duel) for duel in plan.conditions]:
        raise InputError(
            "--run: its options do not give the conditions of its plan; expected an unchanged folder"
        )
    stretches = [
        Stretch(duel, 0, row["games"]) for duel, row in zip(plan.conditions, manifest["plan"], strict=True)
    ]
    if policy is not None:
        stretches = _of_policy(stretches, policy, manifest)
    if pair is None:
        return stretches
    given = map(str, manifest["options"]["decks"] or [])
    names = dict(zip(given, dict.fromkeys(deck_b for _, deck_b in played), strict=False))
    wanted = tuple(names.get(deck, deck) for deck in pair)
    if wanted not in map(_decks, (stretch.duel for stretch in stretches)):
        texts = list(dict.fromkeys(",".join(_decks(stretch.duel)) for stretch in stretches))
        turned = ",".join(map(str, reversed(wanted)))
        near = f" Did you mean {turned}?" if turned in texts else ""
        raise InputError(
            f"--decks {','.join(pair)}: the run did not play this pair; expected one of {' '.join(texts)}.{near}"
        )
    return [stretch for stretch in stretches if _decks(stretch.duel) == wanted]


def _of_policy(stretches: Sequence[Stretch], policy: str, manifest: Mapping[str, Any]) -> list[Stretch]:
    """Return the conditions in which a policy plays side A, by its name or as the run was given it."""
    there = list(dict.fromkeys(stretch.duel.policies[0].name for stretch in stretches))
    given = manifest["options"]["policy"]
    names = dict(zip([given] if isinstance(given, str) else given, there, strict=False))
    name = names.get(policy, policy)
    if name not in there:
        raise InputError(
            f"--policy {policy}: the run did not play it; expected one of {', '.join(there)}.{nearest(policy, there)}"
        )
    return [stretch for stretch in stretches if stretch.duel.policies[0].name == name]


def restricted(stretches: Sequence[Stretch], first_game: int, games: int | None) -> list[Stretch]:
    """Return the games from number `first_game` on, at most `games` of them, of each condition of a run.

    Raises
    ------
    InputError
        If the run did not play them.
    """
    for stretch in stretches:
        last = first_game + (games or 1) - 1
        if last >= stretch.games:
            raise InputError(
                f"--run: of decks {','.join(_decks(stretch.duel))} it played games 0 to {stretch.games - 1}, "
                f"not game {last}; expected other --first-game or --games"
            )
    return [
        Stretch(stretch.duel, first_game, stretch.games - first_game if games is None else games)
        for stretch in stretches
    ]


def _decks(duel: Duel) -> tuple[str, str]:
    return duel.decks[0].name, duel.decks[1].name
