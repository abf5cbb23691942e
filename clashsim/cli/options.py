"""The options that several commands share: one name, one meaning, one check each."""

import re
import sys
from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer

from clashsim.clash.policies import POLICIES, WEIGHING
from clashsim.errors import InputError

MOST_GAMES = 10**12
MOST_SEED = 2**63 - 1
MOST_JOBS = 1024
_MULTIPLIERS = {"": 1, "k": 10**3, "M": 10**6}

POLICY_NAMES = (
    f"{', '.join(POLICIES)}, one with weights of your own ({', '.join(f'{name}:my.toml' for name in WEIGHING)}), "
    "or a function of a Python file (my_policy.py:choose)"
)

Format = Literal["table", "csv", "json"]


def examples(*commands: str) -> str:
    """Return the epilog of a help page: commands to try, one a line."""
    return "\b\n" + "\n".join(["Examples:", *(f"  {command}" for command in commands)])  # \b: keep the lines


def whole_number(text: str, option: str, least: int, most: int, *, multipliers: bool = False) -> int:
    """Read a whole number from `least` to `most`, with "_" between digits and, if wanted, a final k or M."""
    found = re.fullmatch(r"([0-9]+(?:_[0-9]+)*)([kM]?)", text.strip())
    expected = f"expected a whole number from {least} to {most}"
    if multipliers:
        expected += ", such as 20000, 100k or 2M"
    if not found or (found[2] and not multipliers) or len(found[1]) > 30:
        raise InputError(f"{option} is {text[:40]!r}; {expected}")
    number = int(found[1]) * _MULTIPLIERS[found[2]]
    if not least <= number <= most:
        raise InputError(f"{option} is {text[:40]}; {expected}")
    return number


def tell_rounding(option: str, given: int | None, played: int, why: str) -> None:
    """Say on standard error that an option's number was rounded up, if it was."""
    if given is not None and played != given:
        print(f"{option} {given:,} rounded up to {played:,}{why}", file=sys.stderr)


def parse_games(value: str | int) -> int:
    """Read a number of games: 20000, 1_000_000, 100k, 2M."""
    return whole_number(str(value), "--games", 1, MOST_GAMES, multipliers=True)


def parse_games_at_most(value: str | int | None) -> int | None:
    """Read a number of games that has a default of its own."""
    return None if value is None else parse_games(value)


def games_reader(option: str) -> Callable[[str | int | None], int | None]:
    """Return the reader of another option that is a number of games with a default of its own."""

    def parse(value: str | int | None) -> int | None:
        return None if value is None else whole_number(str(value), option, 1, MOST_GAMES, multipliers=True)

    return parse


def parse_precision(value: str | float | None) -> float | None:
    """Read a precision in percentage points."""
    if value is None:
        return None
    expected = "expected percentage points of score above 0 and up to 50, such as 0.5"
    try:
        points = float(value) if re.fullmatch(r"[0-9.eE+-]+", str(value).strip()) else 0.0
    except ValueError:
        points = 0.0
    if not 0 < points <= 50:
        raise InputError(f"--precision is {str(value)[:40]!r}; {expected}")
    return points


def parse_seed(value: str | int) -> int:
    """Read a seed."""
    return whole_number(str(value), "--seed", 0, MOST_SEED)


def parse_jobs(value: str | int | None) -> int | None:
    """Read a number of threads; None stands for all cores."""
    return None if value is None else whole_number(str(value), "--jobs", 1, MOST_JOBS)


def parse_decks(value: list[str] | None) -> list[str] | None:
    """Split the values of --decks at their commas; None stands for every deck of the card set."""
    if not value:
        return None
    decks = [deck.strip() for text in value for deck in text.split(",")]
    if "" in decks:
        raise InputError(
            "--decks has an empty entry; expected labels or .toml files, such as 1,2,my-deck.toml"
        )
    return decks


def parse_policies(value: str | list[str]) -> list[str]:
    """Split --policy at its commas."""
    policies = [policy.strip() for policy in (value.split(",") if isinstance(value, str) else value)]
    if "" in policies:
        raise InputError(
            f"--policy has an empty entry; expected policies separated by commas, such as {', '.join(POLICIES)}"
        )
    return policies


def parse_one_policy(value: str | None) -> str | None:
    """Read a single policy."""
    if value is not None and "," in value:
        raise InputError(
            f"--vs-policy {value[:40]}: names several; expected one policy, which all others meet"
        )
    return value


def games_option(default: str, what: str) -> Any:
    """Return --games of an experiment that has a default of its own, and the most that --precision may take."""
    return typer.Option(
        "--games", metavar="N", parser=str, callback=parse_games_at_most, show_default=default, help=what
    )


def precision_option(what: str) -> Any:
    """Return --precision of an experiment that stops by something else than scores of pairings."""
    return typer.Option(
        "--precision", metavar="POINTS", parser=str, callback=parse_precision, show_default=False, help=what
    )


def values_option(default: str) -> Any:
    """Return --values of an experiment in which somebody goes by what cards are worth."""
    return typer.Option(
        "--values",
        metavar="FILE",
        show_default=default,
        help="CSV file of card values with the columns card and value, such as the card_values.csv or worths.csv of a "
        "run.",
    )


# Numbers are read as text (parser=str), so that the checks above word every error themselves.
CardsOption = Annotated[
    str,
    typer.Option(
        "--cards",
        metavar="SET",
        help="Card set: starter-kit, starter-kit-community, or the path of a .toml or .csv file.",
    ),
]
DecksOption = Annotated[
    list[str] | None,
    typer.Option(
        "--decks",
        metavar="DECK,DECK",
        callback=parse_decks,
        show_default="all decks of the card set",
        help="Decks: labels of the card set or paths of .toml files, separated by commas.",
    ),
]
DeckOption = Annotated[
    str,
    typer.Option("--deck", metavar="DECK", help="Deck: a label of the card set or the path of a .toml file."),
]
GamesOption = Annotated[
    int,
    typer.Option(
        "--games",
        metavar="N",
        parser=str,
        callback=parse_games,
        help="Games per condition, 1 to 10^12; 100k and 2M work too. Half are started by each side.",
    ),
]
GamesAtMostOption = Annotated[
    int | None,
    typer.Option(
        "--games",
        metavar="N",
        parser=str,
        callback=parse_games_at_most,
        show_default="20000; 2000 where a policy searches; with --precision or --until-decided 10M",
        help="Games per condition, 1 to 10^12; 100k and 2M work too. Half are started by each side. "
        "With --precision or --until-decided it is the most that a condition gets.",
    ),
]
PrecisionOption = Annotated[
    float | None,
    typer.Option(
        "--precision",
        metavar="POINTS",
        parser=str,
        callback=parse_precision,
        show_default=False,
        help="Play each condition until the half-width of its score's 95% interval is at most this many "
        "percentage points, such as 0.5.",
    ),
]
UntilDecidedOption = Annotated[
    bool,
    typer.Option(
        "--until-decided",
        help="Play each pairing until it is sure that it is balanced or that it is not (or precise enough, with "
        "--precision); a mirror until going first is known to a point.",
    ),
]
ResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with the run in the folder --out, if there is one: play only the games that are missing. "
        "More --games than it had are added.",
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Only tell how many games and how much time it will take.")
]
GamesOutOption = Annotated[
    str | None,
    typer.Option(
        "--games-out",
        metavar="FILE",
        show_default=False,
        help="Write a table of all single games into this Parquet file, such as games.parquet.",
    ),
]
SeedOption = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="N",
        parser=str,
        callback=parse_seed,
        help="Seed of the random numbers, 0 to 2^63-1. The same seed gives the same games.",
    ),
]
PoliciesOption = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="NAME,NAME",
        help=f"Policy that plays the decks: {POLICY_NAMES}. Several, "
        "separated by commas and the weakest first, show what changes with skill.",
    ),
]
VsPolicyOption = Annotated[
    str | None,
    typer.Option(
        "--vs-policy",
        metavar="NAME",
        callback=parse_one_policy,
        show_default="as --policy",
        help="Policy that plays the other side.",
    ),
]
RuleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        show_default=False,
        help="Another reading of a rule, such as window=5; may be given several times. "
        "'clashsim rules' lists them.",
    ),
]
OutOption = Annotated[
    str | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        show_default=False,
        help="Write tables, plots and a report into this folder, made if missing.",
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        parser=str,
        callback=parse_jobs,
        show_default="all cores",
        help="Threads to use. The results do not depend on it.",
    ),
]
FormatOption = Annotated[
    Format | None,
    typer.Option(
        "--format",
        show_default="table on a terminal, csv into a pipe or file",
        help="How to print the table.",
    ),
]
YesOption = Annotated[
    bool,
    typer.Option(
        "--yes", help="Overwrite what is there already; start without asking, however long it takes."
    ),
]
