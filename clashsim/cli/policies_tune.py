"""`clashsim policies tune`: better weights, by self-play or in solo games."""

import re
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from clashsim.clash.policies import WEIGHING
from clashsim.cli.options import (
    CardsOption,
    DecksOption,
    DryRunOption,
    FormatOption,
    JobsOption,
    RuleOption,
    SeedOption,
    examples,
    parse_games,
    tell_rounding,
    whole_number,
)
from clashsim.errors import InputError

if TYPE_CHECKING:
    from clashsim.experiments.tuning import Standing

EXAMPLES = examples(
    "clashsim policies tune tactician --evaluations 2000 --out my.toml",
    "clashsim policies tune tactician --evaluations 4000 --out my.toml --resume",
    "clashsim policies tune planner --evaluations 720 --out my-planner.toml",
    "clashsim policies tune tactician:my.toml --decks 1,3 --out mine-for-two.toml",
    "clashsim matchups --policy tactician:my.toml",
    "clashsim policies tune tactician --solo --evaluations 720 --out my-solo.toml",
)

MOST_STEP = 10.0
INTERVAL = 10.0  # seconds between two lines of progress

_PER_PAIR = "an even number for each ordered pair of decks"
_EVENLY = {
    False: (f"{_PER_PAIR} and each of two opponents", _PER_PAIR),
    True: ("as many for each deck and setting", "a multiple of 40 for each deck and setting"),
}
"""Why numbers of games, and of those of the check, are rounded up: duels, solo games."""


def parse_evaluations(value: str | int) -> int:
    """Read a number of evaluations."""
    return whole_number(str(value), "--evaluations", 1, 10**9, multipliers=True)


def parse_population(value: str | int) -> int:
    """Read the size of a generation."""
    return whole_number(str(value), "--population", 4, 1000)


def parse_check_games(value: str | int) -> int:
    """Read the number of games of the check."""
    return whole_number(str(value), "--check-games", 1, 10**12, multipliers=True)


def parse_step(value: str | float) -> float:
    """Read the first standard deviation of a weight."""
    text = str(value).strip()
    step = float(text) if re.fullmatch(r"[0-9]{0,9}\.?[0-9]{0,9}", text) and re.search("[0-9]", text) else 0.0
    if not 0 < step <= MOST_STEP:
        raise InputError(
            f"--step is {text[:40]!r}; expected a share above 0 and up to {MOST_STEP:g}, such as 0.1"
        )
    return step


PolicyArgument = Annotated[
    str,
    typer.Argument(
        metavar="POLICY",
        show_default=False,
        help=f"A policy with weights: {' or '.join(WEIGHING)}; with a file of yours, such as {WEIGHING[0]}:my.toml, "
        "the search starts from the weights in it.",
    ),
]
WeightsOutOption = Annotated[
    str,
    typer.Option(
        "--out",
        metavar="FILE",
        show_default=False,
        help="Write the weights into this TOML file; beside it, FILE.log keeps every evaluation.",
    ),
]
SoloOption = Annotated[
    bool,
    typer.Option(
        "--solo",
        help="Search for weights for solo games: the share of games won, less 0.01 per card that the AI still has to "
        "lose, against the AI under eight settings of 0 to 5 points.",
    ),
]
EvaluationsOption = Annotated[
    int,
    typer.Option(
        "--evaluations",
        metavar="N",
        parser=str,
        callback=parse_evaluations,
        help="Sets of weights to try, rounded up to whole generations.",
    ),
]
EvaluationGamesOption = Annotated[
    int,
    typer.Option(
        "--games",
        metavar="N",
        parser=str,
        callback=parse_games,
        help="Games of each set of weights, spread evenly over the ordered pairs of decks: half against the old "
        "weights, half against the mean of the search; rounded up to an even number for each opponent and pair. With "
        "--solo: spread evenly over decks and settings, and rounded up.",
    ),
]
PopulationOption = Annotated[
    int,
    typer.Option(
        "--population",
        metavar="N",
        parser=str,
        callback=parse_population,
        help="Sets of weights of a generation, which all play the same games.",
    ),
]
StepOption = Annotated[
    float,
    typer.Option(
        "--step",
        metavar="SHARE",
        parser=str,
        callback=parse_step,
        help="First standard deviation of a weight, as a share of its size: small to refine good weights.",
    ),
]
CheckGamesOption = Annotated[
    int,
    typer.Option(
        "--check-games",
        metavar="N",
        parser=str,
        callback=parse_check_games,
        help="Games of new against old weights in the end, and of both against greedy; rounded up to an even number "
        "for each ordered pair of decks. With --solo: games of new and of old weights, the same ones; rounded up to a "
        "multiple of 40 for each deck and setting.",
    ),
]
ResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with the search in FILE.log, if there is one. More --evaluations than it had are added.",
    ),
]
YesOption = Annotated[
    bool,
    typer.Option("--yes", help="Replace what is there already; start without asking, however long it takes."),
]


def tune_policy(
    policy: PolicyArgument,
    out: WeightsOutOption,
    solo: SoloOption = False,
    evaluations: EvaluationsOption = 2000,
    games: EvaluationGamesOption = 128,
    population: PopulationOption = 24,
    step: StepOption = 0.3,
    check_games: CheckGamesOption = 10_000,
    decks: DecksOption = None,
    seed: SeedOption = 1,
    rule: RuleOption = None,
    cards: CardsOption = "starter-kit",
    resume: ResumeOption = False,
    jobs: JobsOption = None,
    output_format: FormatOption = None,
    dry_run: DryRunOption = False,
    yes: YesOption = False,
) -> None:
    """Search for weights with which a policy wins more, by self-play or in solo games, and check that they do.

    The same seed gives the same weights, whatever the threads and interruptions. The check plays games that the
    search has not seen; if the new weights are not surely better, they are written all the same and the exit code is 1.
    """
    from clashsim.clash.rules import parse_rules
    from clashsim.cli.compiling import announce_compiling
    from clashsim.cli.conduct import ask, show_result
    from clashsim.errors import CheckFailed
    from clashsim.experiments.tuning import plan_tuning
    from clashsim.experiments.tuning_files import journal_of, open_journal, write_tuned
    from clashsim.experiments.words import count
    from clashsim.running import Progress
    from clashsim.running.progress import spell_duration

    plan = plan_tuning(
        policy,
        solo=solo,
        evaluations=evaluations,
        games=games,
        population=population,
        step=step,
        check_games=check_games,
        decks=decks,
        seed=seed,
        rules=parse_rules(rule or [], solo=solo),
        cards=cards,
    )
    contest = plan.contest
    tell_rounding("--evaluations", evaluations, plan.evaluations, ": whole generations.")
    tell_rounding("--games", games, contest.games_per_evaluation, f": {_EVENLY[solo][0]}.")
    tell_rounding("--check-games", check_games, contest.check_games, f": {_EVENLY[solo][1]}.")
    path = Path(out)
    journal = journal_of(plan, path, resume=resume, replace=yes)
    announce_compiling([plan.policy], solo)
    expectation = plan.expect(jobs, len(journal.found))
    _say(
        f"{count(plan.evaluations, 'evaluation')} ({count(plan.generations, 'generation')} of {plan.population}) of "
        f"{count(contest.games_per_evaluation, 'game')}, {len(journal.found):,} of them done, and a check: "
        f"about {spell_duration(expectation.seconds)}"
    )
    if dry_run:
        return
    ask(expectation, yes)
    with open_journal(journal, resume=resume):
        try:
            tuned = plan.run(journal, jobs=jobs, report=_Reporter(contest.measure), progress=Progress())
        except KeyboardInterrupt:
            _say(
                f"clashsim: what has been tried is kept in {journal.path}; "
                "go on with the same command and --resume"
            )
            raise
        write_tuned(plan, tuned, path)
    show_result(tuned, output_format)
    if tuned.beside:
        _say(tuned.beside)
    _say(f"Weights: {path}")
    if not tuned.is_better:
        raise CheckFailed(tuned.verdict)
    _say(tuned.verdict)


class _Reporter:
    """Tells on standard error how far a search is, not too often."""

    def __init__(self, measure: str) -> None:
        self._measure = measure
        self._shown = monotonic()

    def __call__(self, standing: "Standing") -> None:
        from clashsim.running.progress import duration

        if monotonic() - self._shown < INTERVAL:
            return
        self._shown = monotonic()
        _say(
            f"generation {standing.generation:,}: {standing.evaluations:,} of {standing.of:,} evaluations, "
            f"{self._measure} {standing.mean:.1%} on average, {standing.best:.1%} at best, "
            f"time left {duration(standing.seconds_left)}"
        )


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
