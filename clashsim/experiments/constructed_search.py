"""Strong constructed decks, found by a search: generations of tens in races, a final, and an audit of the best."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from clashsim.clash.cards import CardSet
from clashsim.clash.drafting import CONSTRUCTED_SIZE
from clashsim.clash.rules import Rules, parse_rules
from clashsim.clash.tens import load_ten
from clashsim.errors import InputError
from clashsim.experiments import card_values
from clashsim.experiments import constructed_arguments as constructed
from clashsim.experiments import matchup_arguments as arguments
from clashsim.experiments.constructed_breeding import Course, Ten
from clashsim.experiments.constructed_evolution import FIELD, LEAST_POPULATION, heats_for, possible_tens
from clashsim.experiments.constructed_race import Arena
from clashsim.experiments.constructed_search_plan import ConstructedSearch, SearchPlan, lay_out
from clashsim.experiments.constructed_stages import sizes_for
from clashsim.experiments.matchup_manifest import check_options
from clashsim.running import Progress

DEFAULT = "tactician"
GENERATIONS, POPULATION, GAMES = 20, 24, 400
MOST_GENERATIONS, MOST_POPULATION, MOST_GAMES = 1_000, 1_000, 1_000_000

OPTIONS: dict[str, tuple[type, ...]] = {
    "generations": (int,),
    "population": (int,),
    "games": (int,),
    "bans": (str,),
    "values": (str, type(None)),
    "value_games": (int, type(None)),
    "policy": (str,),
    "seed": (int,),
    "rule": (list,),
    "cards": (str,),
    "start": (list, type(None)),
}
"""Names and types of the options of a run, as the command line takes and a manifest keeps them."""

METHOD = (
    "constructed decks (R41); generations raced in the same games (common random numbers) against earlier winners; "
    "the final and the last heat of the audit in fresh games; 95 % intervals: Wilson on the effective number of "
    "games, stratified by who starts; means and their differences: MOVER, simultaneous over the tens, or their "
    "pairs (Bonferroni); equilibrium: linear programming, Bayesian bootstrap; swaps: joint counts, adjusted "
    "(Agresti and Min), verdicts simultaneous over the swaps of a heat (Bonferroni)"
)


def constructed_search(
    *,
    generations: int = GENERATIONS,
    population: int = POPULATION,
    games: int = GAMES,
    bans: str = constructed.DEFAULT_BANS,
    values: str | PathLike[str] | None = None,
    value_games: int | None = None,
    policy: str = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    start: Sequence[arguments.DeckSpec] | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> ConstructedSearch:
    """Search for strong constructed decks: ten cards, of which the opponent removes two (R41).

    Parameters
    ----------
    generations, population : int
        How many generations of how many tens.
    games : int
        Games of the best tens of a generation; the others play fewer. A pair of tens of the final plays as many, a swap
        in the last heat of the audit eight times as many.
    bans : str
        How both sides remove cards: "value" the one of the highest worth, "random" any with equal chances.
    values : path, optional
        A CSV file of card values, by which "value" bans and the first tens are drawn; by default they are measured.
    value_games : int, optional
        Games that measure them; by default 200,000, and 20,000 if the policy searches.
    policy : str
        Who plays both sides.
    start : list of tens, optional
        TOML files with ten names of cards, or these themselves, to start from besides those that are drawn.
    seed, rules, cards, jobs, progress
        As in `matchups`.

    Raises
    ------
    InputError
        In one line, what is wrong with the arguments.

    Examples
    --------
    >>> import clashsim as cs
    >>> found = cs.constructed_search(
    ...     generations=2, population=8, games=48, value_games=2000, bans="random", policy="random"
    ... )
    >>> len(found.constructed_tens), len(found.constructed_swaps), len(found.constructed_generations)
    (8, 220, 2)
    """
    plan = plan_search(
        generations=generations,
        population=population,
        games=games,
        bans=bans,
        values=values,
        value_games=value_games,
        policy=policy,
        seed=seed,
        rules=rules,
        cards=cards,
        start=start,
    )
    return plan.run(jobs=jobs, progress=progress)


def plan_search(
    *,
    generations: int = GENERATIONS,
    population: int = POPULATION,
    games: int = GAMES,
    bans: str = constructed.DEFAULT_BANS,
    values: str | PathLike[str] | None = None,
    value_games: int | None = None,
    policy: str = DEFAULT,
    seed: int = 1,
    rules: Rules | None = None,
    cards: str | PathLike[str] | CardSet = "starter-kit",
    start: Sequence[arguments.DeckSpec] | None = None,
) -> SearchPlan:
    """Check the arguments of `constructed_search` and lay out its conditions, without playing."""
    card_set = constructed.check_ten_kit(arguments.check_card_set(cards), least=CONSTRUCTED_SIZE + 1)
    generations = arguments.check_whole("generations", generations, 1, MOST_GENERATIONS)
    population = arguments.check_whole("population", population, LEAST_POPULATION, MOST_POPULATION)
    games = arguments.check_whole("games", games, 1, MOST_GAMES)
    seed = arguments.check_whole("seed", seed, 0, arguments.MOST_SEED)
    rules = arguments.check_rules(rules)
    banner = constructed.check_bans("bans", bans)
    if not isinstance(policy, str):
        raise InputError(f"policy is {policy!r}; expected a single policy, such as {DEFAULT!r}")
    players = arguments.load_rungs(policy, None)[0]
    value_games = constructed.check_value_games(value_games, [players])
    given = constructed.load_values(values, card_set, players)
    tens = possible_tens(len(card_set.cards))
    field, population = min(FIELD, tens), min(population, tens)
    starts = _load_starts(start, card_set, population)
    worths = given or constructed.no_worths(card_set)
    course = Course(
        np.array(worths.cards), heats_for(population, games, field), generations, field, seed, starts
    )
    arena = Arena(card_set, players, rules, seed, banner.by(worths))
    sizes = sizes_for(len(card_set.cards), population, games, field)
    conditions, plan, stages = lay_out(arena, course, sizes, None if given else value_games)
    details = card_values.describe(card_set, [players], [policy], rules, seed, METHOD)
    details |= {
        "bans": banner.name,
        "values": constructed.digest_of(given),
        "search": {
            "generations": generations,
            "population": population,
            "games": games,
            "value_games": None if given else value_games,
        },
        "starts": [[card_set.cards[place].name for place in ten] for ten in starts],
    }
    files = arguments.input_files(start, cards, card_set, [policy]) | constructed.values_files(values)
    return SearchPlan(
        conditions,
        plan,
        details,
        files=files,
        stages=stages,
        arena=arena,
        course=course,
        sizes=sizes,
        measures=given is None,
    )


def plan_from_options(options: Mapping[str, Any]) -> SearchPlan:
    """Lay out the run that options name, as the command line takes them and a manifest keeps them."""
    check_options(options, OPTIONS)
    named = {name: value for name, value in options.items() if name != "rule"}
    return plan_search(rules=parse_rules(options["rule"]), **named)


def check_manifest(manifest: Mapping[str, Any]) -> None:
    """Make sure that a manifest of a search for strong tens has the form that `plan_search` gives it.

    Raises
    ------
    InputError
        Names the entry, and what was expected.
    """
    card_values.check_manifest(manifest, OPTIONS)


def _load_starts(start: Any, cards: CardSet, most: int) -> list[Ten]:
    """Return the tens to start from, as places of cards in the set."""
    if start is None:
        return []
    if isinstance(start, str) or not isinstance(start, Sequence):
        raise InputError(f"start is {start!r}; expected a list of tens, such as ['my-ten.toml']")
    if len(start) > most:
        raise InputError(f"start: {len(start)} tens; expected at most {most}, as many as a generation has")
    places = {card.name: place for place, card in enumerate(cards.cards)}
    return [tuple(places[card.name] for card in load_ten(spec, cards).cards) for spec in start]
