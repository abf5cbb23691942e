"""The shape of the project: who imports whom, which room knows the game, how long a file may be, what help costs."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import clashsim

PACKAGE = Path(clashsim.__file__).parent
ROOMS = (
    "clash",
    "analysis",
    "running",
    "experiments",
    "reporting",
    "cli",
)  # each imports only from earlier ones
ANYWHERE = ("errors", "__version__")
GAMELESS = ("analysis", "running", "reporting")
GAME_WORDS = re.compile(
    r"\b(clash of decks|bastions?|forts?|fortress(es)?|decks?|cards?|creatures?|incantations?|lanes?|mana"
    r"|summon\w*|splash|perforation|berserk|indestructible|sprint)\b",
    re.IGNORECASE,
)
MOST_LINES = 350
HEAVY = ("numba", "numpy", "pandas", "matplotlib", "scipy", "statsmodels", "pyarrow")
LIGHT_MODULES = (
    "clashsim",
    "clashsim.cli.main",
    "clashsim.errors",
    "clashsim.clash.cards",
    "clashsim.clash.rules",
)

MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(source: str) -> Iterator[str]:
    """Full names of what a module imports, at its top or within a function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import hides which room it reaches into"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(name: str) -> str | None:
    """The room of a module of ours, "" for the package itself, None for others' modules."""
    package, *rest = name.split(".")
    if package != "clashsim":
        return None
    return rest[0] if rest else ""


def import_faults(room: str, source: str) -> list[str]:
    """What a module in a room imports from the wrong place."""
    allowed = {"", *ANYWHERE, *ROOMS[: ROOMS.index(room) + 1]}
    if room in GAMELESS:
        allowed -= {"clash"}
    return [name for name in imported(source) if room_of(name) not in (None, *allowed)]


def core_faults(source: str) -> list[str]:
    """What a compiled source imports besides numpy, numba, the standard library and its own game."""
    strangers = ("pandas", "scipy", "statsmodels", "matplotlib", "typer", "rich")
    return [name for name in imported(source) if name.split(".")[0] in strangers]


def game_words(source: str) -> list[str]:
    return [match.group() for match in GAME_WORDS.finditer(source.replace("_", " "))]


def modules_of(*rooms: str) -> list[Path]:
    return [path for path in MODULES if path.relative_to(PACKAGE).parts[0] in rooms]


def in_rooms(paths):
    return pytest.mark.parametrize("path", paths, ids=lambda path: str(path.relative_to(PACKAGE)))


def test_every_module_is_in_a_room_or_at_the_top():
    places = {path.relative_to(PACKAGE).parts[0] for path in MODULES}
    assert places <= {*ROOMS, "__init__.py", "__main__.py", "errors.py"}


@in_rooms(modules_of(*ROOMS))
def test_a_room_imports_only_from_earlier_rooms(path):
    assert import_faults(path.relative_to(PACKAGE).parts[0], path.read_text("utf-8")) == []


def test_errors_import_from_no_room():
    assert [name for name in imported((PACKAGE / "errors.py").read_text("utf-8")) if room_of(name)] == []


def test_the_package_itself_loads_no_room():
    assert loaded_after("import clashsim", [f"clashsim.{room}" for room in ROOMS]) == []


@in_rooms(modules_of(*GAMELESS))
def test_these_rooms_know_no_game(path):
    assert game_words(path.read_text("utf-8")) == []


@in_rooms([*(PACKAGE / "clash" / "core").glob("*.py"), *(PACKAGE / "clash" / "policies").glob("*.py")])
def test_the_core_imports_nothing_for_tables_plots_or_the_command_line(path):
    assert core_faults(path.read_text("utf-8")) == []


@in_rooms(MODULES)
def test_files_are_short(path):
    assert len(path.read_text("utf-8").splitlines()) < MOST_LINES


# ---- the checks can fail


@pytest.mark.parametrize(
    ("room", "source", "faults"),
    [
        (
            "clash",
            "from clashsim.running.chunks import cut",
            ["clashsim.running.chunks", "clashsim.running.chunks.cut"],
        ),
        ("clash", "from clashsim import cli", ["clashsim.cli"]),
        ("running", "import clashsim.reporting", ["clashsim.reporting"]),
        (
            "analysis",
            "def f():\n    from clashsim.clash import cards",
            ["clashsim.clash", "clashsim.clash.cards"],
        ),
        ("reporting", "import clashsim.clash.cards", ["clashsim.clash.cards"]),
        ("reporting", "import numpy\nfrom clashsim.experiments.result import Result", []),
        ("cli", "from clashsim.reporting import files\nfrom clashsim.errors import InputError", []),
        ("clash", "from clashsim import __version__", []),
    ],
)
def test_a_bad_import_is_found(room, source, faults):
    assert import_faults(room, source) == faults


def test_a_relative_import_is_refused():
    with pytest.raises(AssertionError, match="relative import"):
        import_faults("clash", "from ..cli import main")


def test_a_game_word_is_found():
    assert game_words('def deck_table(): "Bastion" # the lanes of Clash of Decks') == [
        "deck",
        "Bastion",
        "lanes",
        "Clash of Decks",
    ]
    assert game_words("import clashsim  # comfortable discards") == []


def test_a_strange_import_in_the_core_is_found():
    assert core_faults("import numpy as np\nfrom pandas import DataFrame") == ["pandas", "pandas.DataFrame"]


# ---- help answers at once


@pytest.mark.parametrize("module", LIGHT_MODULES)
def test_a_light_module_imports_nothing_heavy(module):
    assert loaded_after(f"import {module}", HEAVY) == []


def test_a_heavy_import_is_found():
    assert loaded_after("import numpy", HEAVY) == ["numpy"]


def loaded_after(statement: str, modules: Sequence[str]) -> list[str]:
    """Which of some modules a fresh process has loaded after a statement."""
    program = f"import sys\n{statement}\nprint(*(name for name in {list(modules)} if name in sys.modules))"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=True)
    return done.stdout.split()
