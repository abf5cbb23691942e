"""What abilities are worth, alone and together: a body with every set of them in the place of cards."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, ClassVar

from clashsim.clash.card_checks import MOST
from clashsim.clash.cards import CardSet, differences, load_cards
from clashsim.clash.core.jit import source_digest
from clashsim.clash.duels import compile_core
from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.solos import BLOCKS, compile_solo_core
from clashsim.errors import InputError
from clashsim.experiments import card_values
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.ability_bodies import BODIES, DAMAGE, Body, creature_of, incantation_of
from clashsim.experiments.ability_card_tables import printed_table, solo_table
from clashsim.experiments.ability_choice import choose, screened_of, tried_of, variants_like_a_choice
from clashsim.experiments.ability_games import GivenAbilities, StandIns
from clashsim.experiments.ability_layout import PROBE, SCREENING, Layout
from clashsim.experiments.ability_result import TABLES, Abilities, table_names
from clashsim.experiments.ability_skill import skill_table
from clashsim.experiments.ability_tables import effects_table, interactions_table, subsets_table
from clashsim.experiments.matchup_arguments import DeckSpec
from clashsim.experiments.matchup_manifest import check_options
from clashsim.experiments.staged_plan import StagedPlan
from clashsim.running import Progress, Tally

GAMES, SCREENING_GAMES = 40_000, 4_000
GAMES_OF_SEARCHERS, SCREENING_OF_SEARCHERS = 10_000, 1_000
"""Good for about a point, in half an hour on two cores."""
POLICY = "tactician"
"""Plays where nobody is named: it can use abilities, and planner takes eight times as long."""

OPTIONS: dict[str, tuple[type, ...]] = {
    "body": (list, type(None)),
    "incantation": (int, type(None)),
    "cost": (int, type(None)),
    "card": (str, type(None)),
    "decks": (list, type(None)),
    "games": (int, type(None)),
    "screening": (int, type(None)),
    "policy": (str, list),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""

METHOD = (
    "a body with every set of abilities in the place of cards, in the same games; 95 % intervals of lifts: from joint "
    "counts game by game, adjusted (Agresti and Min); of main effects, interactions, means and ratios: delete-a-block "
    "jackknife over 40 blocks of games (Fieller); verdicts: intervals made simultaneous over the sets or terms of a "
    "body, the cards of a policy, the abilities of the AI (Bonferroni); interactions: Benjamini-Hochberg over those of "
    "one size on a body; sets chosen by what the screening found of them rest on later games only"
)


@dataclass(frozen=True)
class AbilitiesPlan(StagedPlan[StandIns | GivenAbilities, Abilities]):
    """A run of abilities that is checked and ready to start; see `plan_abilities` and `result.Plan`."""

    layout: Layout | None = None
    games: int = 0
    screening: int = 0
    """As they were asked for, before they were rounded up to whole rounds."""
    table_names: Sequence[str] = TABLES

    games_name: ClassVar[str] = "games of abilities"

    @property
    def games_in_all(self) -> int:
        """Number of games that are played, each with everything that is tried in it counted by itself."""
        games = self.plan["games"].tolist()
        return sum(
            count * condition.games_at_once for count, condition in zip(games, self.conditions, strict=True)
        )

    @property
    def has_solo(self) -> bool:
        """Whether solo games are among them: they have a core of their own."""
        return self._layout.has_solo

    def _compile(self) -> None:
        compile_core()
        if self.has_solo:
            compile_solo_core(self.policies)

    def _kind(self, condition: StandIns | GivenAbilities) -> Hashable:
        return str(condition.policies), type(condition), condition.games_at_once

    def _prepare(self, rows: range, tallies: Sequence[Tally]) -> Sequence[StandIns | GivenAbilities] | None:
        layout = self._layout
        made = []
        for number in rows:
            row = layout.rows[number]
            if row.part != PROBE or row.body is None:
                made.append(layout.condition(row))
                continue
            screening = layout.rows.index(row._replace(part=SCREENING))
            choice = choose(row.body, layout.cards, screened_of(row.body, tallies[screening]))
            variants = [row.body.variant(name) for name in choice.names]
            made.append(layout.condition(row, variants, int(self.plan["games"].iloc[screening])))
        return made

    def _result(self, tallies: Sequence[Tally]) -> Abilities:
        tried = tried_of(self._layout, tallies)
        return Abilities(
            effects_table(tried),
            subsets_table(tried),
            interactions_table(tried),
            printed_table(self._layout, tallies),
            solo_table(self._layout, tallies, tried),
            skill_table(tried),
            self.plan.assign(games=[int(tally["joint"][0].sum()) for tally in tallies]),
            self.details,
        )

    @property
    def _layout(self) -> Layout:
        assert self.layout is not None
        return self.layout


def abilities(
    body: str | Sequence[str] | None = None,
    *,
    incantation: int | None = None,
    cost: int | None = None,
    card: str | None = None,
    decks: Sequence[DeckSpec] | None = None,
    games: int | None = None,
    screening: int | None = None,
    policy: str | Sequence[str] = POLICY,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Abilities:
    """Put a body with every set of abilities in the place of cards, and tell what they are worth, alone and together.

    Parameters
    ----------
    body : str or list of str, optional
        Attack and health of creatures, such as "3/3"; by default a small, a middle and a large one and an Incantation.
    incantation : int, optional
        Damage of an Incantation; with it alone only that is tried.
    cost : int, optional
        Of all bodies; by default what the formula says of each with abilities of a typical price.
    card : str, optional
        The card that is replaced; by default each of a deck in turn.
    decks : list, optional
        Decks that the bodies are tried in, against all others of the set; by default all of the set.
    games : int, optional
        Games of the second stage for each body and card, each played with everything that is tried; at least 40, and
        rounded up so that every place and opponent gets as many. By default 40,000, and 10,000 where a policy searches.
    screening : int, optional
        Games of the first stage with all sets, likewise; by default 4,000, and 1,000 where a policy searches.
    policy : str or list of str
        Who plays both sides, the weakest first.
    seed, rules, cards, jobs, progress
        As in `matchups`.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.

    Examples
    --------
    >>> import clashsim as cs
    >>> found = cs.abilities("3/3", card="TROLL", games=40, screening=40, policy="random")
    >>> len(found.ability_effects), len(found.ability_subsets)
    (14, 135)
    """
    plan = plan_abilities(
        body,
        incantation=incantation,
        cost=cost,
        card=card,
        decks=decks,
        games=games,
        screening=screening,
        policy=policy,
        seed=seed,
        rules=rules,
        cards=cards,
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_abilities(
    body: str | Sequence[str] | None = None,
    *,
    incantation: int | None = None,
    cost: int | None = None,
    card: str | None = None,
    decks: Sequence[DeckSpec] | None = None,
    games: int | None = None,
    screening: int | None = None,
    policy: str | Sequence[str] = POLICY,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
) -> AbilitiesPlan:
    """Check the arguments of `abilities` and lay out its conditions, without playing."""
    card_set = arguments.check_card_set(cards)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    rungs, specs = arguments.load_rungs(policy, None), arguments.specs_of(policy)
    searches = any(players[0].searches for players in rungs)
    most = arguments.MOST_GAMES
    games = _default(games, GAMES_OF_SEARCHERS if searches else GAMES)
    screening = _default(screening, SCREENING_OF_SEARCHERS if searches else SCREENING_GAMES)
    games = arguments.check_whole("games", games, BLOCKS, most)
    screening = arguments.check_whole("screening", screening, BLOCKS, most)
    layout = Layout(
        card_set,
        arguments.load_decks(decks, card_set),
        [players[0] for players in rungs],
        _bodies(body, incantation, cost),
        "" if card is None else _found(card, card_set),
        rules,
        seed,
    )
    details = {
        "core": source_digest(),
        "seed": seed,
        "rules": dict(rules.as_dict()),
        "cards": {"name": card_set.name, "hash": card_set.hash},
        "changed_cards": differences(card_set, load_cards()),
        "decks": {deck.name: [one.name for one in deck.cards] for deck in layout.decks},
        "bodies": {each.name: f"cost {each.cost}" for each in layout.bodies},
        "replaced": layout.replaced or "each card in turn",
        "screening": screening,
        "policies": [policy.name for policy in layout.policies],
        "policy_files": arguments.digests(specs),
        "method": METHOD,
    }
    stand_ins = [
        layout.condition(row, variants_like_a_choice(row.body, card_set))
        if row.body and row.part == PROBE
        else layout.condition(row)
        for row in layout.rows
    ]
    return AbilitiesPlan(
        stand_ins,
        layout.plan(games, screening),
        details,
        files=arguments.input_files(decks, cards, card_set, specs),
        stages=layout.stages,
        table_names=table_names(len(layout.policies)),
        layout=layout,
        games=games,
        screening=screening,
    )


def plan_from_options(options: Mapping[str, Any]) -> AbilitiesPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, OPTIONS)
    named = {name: value for name, value in options.items() if name != "rule"}
    return plan_abilities(rules=parse_rules(options["rule"], solo=True), **named)


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Make sure that a manifest of a run of abilities has the form that `plan_abilities` gives it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    card_values.check_manifest(manifest, OPTIONS)


def _default(games: int | None, default: int) -> int:
    return default if games is None else games


def _found(card: str, cards: CardSet) -> str:
    if not isinstance(card, str):
        raise InputError(f"card is {card!r}; expected the name of a card, such as 'TROLL'")
    return cards.find(card).name


def _bodies(body: str | Sequence[str] | None, incantation: int | None, cost: int | None) -> list[Body]:
    """Return the bodies that the arguments name: by default some creatures and an Incantation."""
    if cost is not None:
        cost = arguments.check_whole("cost", cost, 0, MOST)
    if incantation is not None:
        incantation = arguments.check_whole("incantation", incantation, 0, MOST)
    elif body is None:
        incantation = DAMAGE
        body = BODIES
    specs: list[Any] = list(body or ()) if isinstance(body, list | tuple | None) else [body]
    bodies = [creature_of(spec, cost) for spec in specs]
    for one in bodies:
        if bodies.count(one) > 1:
            raise InputError(f"body {one.name} is given twice; expected different ones")
    return bodies + ([] if incantation is None else [incantation_of(incantation, cost)])
