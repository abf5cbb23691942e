"""Drafts of solo games (R42): which cards to take against the AI, and which against which setting."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd

from clashsim.analysis.blocks import Jackknifed
from clashsim.clash.cards import CardSet, differences, load_cards
from clashsim.clash.core.jit import source_digest
from clashsim.clash.drafting import ALL_DRAFTERS, DRAFTERS, JUDGES, Drafter, Worths, check_draft_kit
from clashsim.clash.drafts import DraftSolo
from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.solo_settings import PRICES, SoloSettings
from clashsim.clash.solos import BLOCKS, Solo
from clashsim.errors import InputError, nearest
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments import solo_arguments
from clashsim.experiments import solo_draft_tables as draft_tables
from clashsim.experiments.draft_arguments import load_given, worths_digest
from clashsim.experiments.draft_worths import ITERATIONS, measured_worths
from clashsim.experiments.refining_plan import MAIN, RefiningPlan
from clashsim.experiments.solo_draft_result import TABLES, SoloDraft
from clashsim.running import Progress, Tally
from clashsim.running.chunks import even

DEFAULT_POLICY = "tactician"
ALLOWED = (*DRAFTERS, "value")
GAMES = 10_000

OPTIONS: dict[str, tuple[type, ...]] = {
    "drafter": (list,),
    **{name: solo_arguments.OPTIONS[name] for name in (*PRICES, "level", "points")},
    "games": (int, type(None)),
    "table_games": (int, type(None)),
    "values": (str, type(None)),
    "policy": (str, list),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""

METHOD = (
    "the same cards turned up under all settings and for all drafters; win rates: Wilson; values: least squares of "
    "games won on the cards of the deck, 95 % intervals: delete-a-block jackknife over 40 blocks of games; verdicts: "
    "intervals made simultaneous over the cards (Bonferroni); settings: Benjamini-Hochberg"
)


@dataclass(frozen=True)
class SoloDraftPlan(RefiningPlan[DraftSolo, SoloDraft]):
    """A run of solo drafts that is checked and ready to start; see `plan_solo_draft` and `result.Plan`."""

    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "games of solo drafts"

    def _table_of(self, row: int) -> Hashable:
        solo = self.conditions[row].solo
        return solo.policy.name, solo.settings

    def _values(self, row: int, tallies: Sequence[Tally]) -> Jackknifed:
        """Return what cards are worth under the policy and setting of a row, from all their drafts."""
        alike = [other for other in range(len(tallies)) if self._table_of(other) == self._table_of(row)]
        return measured_worths(*(tallies[other] for other in alike if tallies[other]), solo=True)

    def _result(self, tallies: Sequence[Tally]) -> SoloDraft:
        rows, by_chance = self.rows_of(MAIN), self.rows_of(0)
        conditions, found = [self.conditions[row] for row in rows], [tallies[row] for row in rows]
        worths = [
            self.refining(row, tallies).worths if _drafter_of(self.conditions[row]).needs_worths else None
            for row in rows
        ]
        firsts = [self.conditions[row] for row in by_chance]
        refining = [self.refining(row, tallies) for row in by_chance]
        return SoloDraft(
            draft_tables.cards_table(conditions, found, worths, [self._values(row, tallies) for row in rows]),
            draft_tables.settings_table(firsts, [tallies[row] for row in by_chance]),
            draft_tables.drafters_table(conditions, found),
            draft_tables.over_table(conditions, found),
            draft_tables.iterations_table(firsts, refining),
            self.plan.assign(games=[int(tally["results"].sum()) if tally else 0 for tally in tallies]),
            self.details,
        )


def solo_draft(
    settings: SoloSettings | Iterable[SoloSettings] | None = None,
    *,
    drafter: str | Sequence[str] = ("value", "random"),
    games: int | None = None,
    table_games: int | None = None,
    values: str | PathLike[str] | None = None,
    policy: str | Sequence[str] = DEFAULT_POLICY,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> SoloDraft:
    """Draft decks for solo games and play them: which cards to take, and which against which setting.

    Parameters
    ----------
    settings : SoloSettings or several, optional
        By default the quick game and each other option alone.
    drafter : str or list of str
        Who drafts: "value", "random", "dearest". What "fit" and "denial" weigh besides is for duels.
    games : int, optional
        Games per policy, setting and drafter, by default 10,000; at least 40, one per block.
    table_games : int, optional
        Games of each iteration of the table of worths of a setting, by default 10,000.
    values : str or path, optional
        A CSV file with a table of worths to draft by under all settings, as in `draft`.
    policy : str or list of str
        Who plays, the weakest first.
    seed, rules, cards, jobs, progress
        As in `solo`.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.

    Examples
    --------
    >>> import clashsim as cs
    >>> found = cs.solo_draft(cs.SoloSettings(), drafter="random", games=40, table_games=40, policy="random")
    >>> len(found.draft_cards)
    32
    """
    plan = plan_solo_draft(
        settings,
        drafter=drafter,
        games=games,
        table_games=table_games,
        values=values,
        policy=policy,
        seed=seed,
        rules=rules,
        cards=cards,
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_solo_draft(
    settings: SoloSettings | Iterable[SoloSettings] | None = None,
    *,
    drafter: str | Sequence[str] = ("value", "random"),
    games: int | None = None,
    table_games: int | None = None,
    values: str | PathLike[str] | None = None,
    policy: str | Sequence[str] = DEFAULT_POLICY,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
) -> SoloDraftPlan:
    """Check the arguments of `solo_draft` and lay out its conditions, without playing."""
    card_set = arguments.check_card_set(cards)
    check_draft_kit(card_set)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    drafters = _load_drafters(drafter)
    chosen = single_options() if settings is None else solo_arguments.check_settings(settings)
    policies, specs = solo_arguments.load_players(policy), arguments.specs_of(policy)
    games, table_games = (
        even(arguments.check_whole(name, GAMES if count is None else count, BLOCKS, arguments.MOST_GAMES))
        for name, count in (("games", games), ("table_games", table_games))
    )
    given = {} if values is None else load_given(values, card_set, [each.name for each in policies])
    iterations = ITERATIONS if any(one.needs_worths for one in drafters) and not given else 1
    conditions: list[DraftSolo] = []
    rows: list[tuple[int, int]] = []
    for each in policies:
        for setting in chosen:
            for iteration in range(iterations):
                by = JUDGES["value"] if iteration else DRAFTERS["random"]
                group = f'["solo draft table", {iteration}]'
                conditions.append(DraftSolo(Solo(card_set, by, each, setting, rules, seed, group)))
                rows.append((iteration, table_games))
    stages = [range(row, row + 1) for row in range(len(rows))]
    for each in policies:
        for setting in chosen:
            for by in drafters:
                conditions.append(DraftSolo(Solo(card_set, by, each, setting, rules, seed)))
                rows.append((MAIN, games))
    stages.append(range(len(stages), len(rows)))
    plan = {
        "condition": range(len(rows)),
        "deck": [condition.solo.deck_name for condition in conditions],
        "policy": [condition.solo.policy.name for condition in conditions],
        **{name: [getattr(condition.solo.settings, name) for condition in conditions] for name in PRICES},
        "iteration": [iteration for iteration, _ in rows],
        "group": [condition.solo.random_group for condition in conditions],
        "games": [count for _, count in rows],
    }
    details = {
        "core": source_digest(),
        "seed": seed,
        "rules": dict(rules.as_dict()),
        "cards": {"name": card_set.name, "hash": card_set.hash},
        "changed_cards": differences(card_set, load_cards()),
        "decks": {f"draft:{one.name}": [f"drafted in each game, {one.summary}"] for one in drafters},
        "policies": [each.name for each in policies],
        "policy_files": arguments.digests(specs),
        "method": METHOD,
    }
    files = arguments.input_files(None, cards, card_set, specs)
    if values is not None:
        files[str(values)] = Path(values)
        details["values"] = worths_digest(given)
    costs = Worths(tuple(card.cost / 100 for card in card_set.cards))
    for_timing = [condition.by(costs) for condition in conditions]
    return SoloDraftPlan(for_timing, pd.DataFrame(plan), details, files=files, stages=stages, given=given)


def single_options() -> list[SoloSettings]:
    """Return the quick game, and every other value of an option alone."""
    others = [SoloSettings(**{name: value}) for name, prices in PRICES.items() for value in list(prices)[1:]]
    return [SoloSettings(), *others]


def plan_from_options(options: Mapping[str, Any]) -> SoloDraftPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    solo_arguments.check_options(options, OPTIONS)
    rules = parse_rules(options["rule"], solo=True)
    changes = {name: options[name] for name in PRICES}
    level, points = options["level"], options["points"]
    named = level is not None or points is not None or any(value is not None for value in changes.values())
    settings = solo_arguments.choose_settings("quick", changes, level, points, rules) if named else None
    names = ("drafter", "games", "table_games", "values", "policy", "seed", "cards")
    shared = {name: options[name] for name in names}
    return plan_solo_draft(settings, rules=rules, **shared)


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Make sure that a manifest of solo drafts has the form that `plan_solo_draft` gives it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    solo_arguments.check_manifest(manifest, OPTIONS)


def _load_drafters(drafter: str | Sequence[str]) -> list[Drafter]:
    names = [drafter] if isinstance(drafter, str) else drafter
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names) or not names:
        raise InputError(
            f"drafter is {drafter!r}; expected a name or a list of them, such as ['value', 'random']"
        )
    for name in names:
        if name in JUDGES and name not in ALLOWED:
            raise InputError(
                f"drafter {name}: what it weighs besides is for duels; in a solo draft the AI gets whatever the player "
                "leaves (R42), so a card's worth holds what it takes from the AI; expected value, random or dearest"
            )
        if name not in ALLOWED:
            raise InputError(
                f"unknown drafter {name!r}; expected {', '.join(ALLOWED)}.{nearest(name, ALLOWED)}"
            )
        if list(names).count(name) > 1:
            raise InputError(f"drafter {name} is given twice; expected different ones")
    return [ALL_DRAFTERS[name] for name in names]


def _drafter_of(condition: DraftSolo) -> Drafter:
    drafter = condition.solo.deck
    assert isinstance(drafter, Drafter)
    return drafter
