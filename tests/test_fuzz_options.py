"""Options of every command, sensible and senseless: what is right is done, what is not is refused in one line."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
import typer
from fuzzing import ODD_VALUES, THOROUGHLY, fuzz, run
from hypothesis import strategies as st

from clashsim.clash.cards import load_cards
from clashsim.cli.main import app

pytestmark = pytest.mark.jit

DECK = 'cards = ["ASSASSIN", "GNOME", "GRRR", "PARTISAN", "REPTILE", "SHAMAN", "VORTEX", "ZOMBIE"]\n'

NOT_WHOLE = ["", "-1", "1.5", "1e3", "nan", "inf", "two", "٣", "0x10", "9" * 40, "1__0", "2G", "\0", "-"]
FORMATS = (["csv", "json", "table"], ["", "xml", "CSV ", "toml,csv"])
POLICIES = (
    ["random", "greedy", "wild"],
    ["", "greed", "greedy,random", "\x1b[2J", "é", "greedy:my.toml", "none.py"],
)
SOME_POLICIES = (
    ["random", "greedy", "wild, random", "random,greedy,wild"],
    ["", "greed", "random,", "greedy,greedy"],
)
RIVALS = (
    ["random,greedy", "wild,greedy"],
    ["", "greedy", "greed,random", "greedy,greedy", "notes.txt,random"],
)
GAMES = (["1", "2", "3", " 2", "0_2"], [*NOT_WHOLE, "0", str(10**12 + 1), "10M M"])
SEEDS = (["0", "7", str(2**63 - 1)], [*NOT_WHOLE, str(2**63), "1k"])
BAD_VALUES = ["=5", "self_breach=maybe", "ai_last_turn=current", "window=nan", "window=4.0", "first_mana=-1"]
RULES = (
    ["window=5", "first_mana=0", "turn_limit=1", "self_breach=off", " window = 8 "],
    [
        "",
        "window",
        "window=",
        "window=9",
        "window=0",
        "windows=5",
        "turn_limit=0",
        "turn_limit=10001",
        *BAD_VALUES,
    ],
)
CARDS = (
    ["starter-kit", "starter-kit-community"],
    ["", "starter", "none.toml", "none.csv", "deck.toml", "notes.txt", ".", "/", "x" * 5000 + ".toml"],
)
DECKS = (["1", "2", "deck.toml", " 3 "], ["", "9", "1,", ",", "none.toml", "notes.txt", "1,1", "1;2"])
PAIRS = (["1,2", "3,deck.toml", "4,4"], ["1", "1,2,3", "", ",", "1,9", "1,none.toml"])
FILES = (
    ["new.jsonl", "./new one.jsonl"],
    ["", ".", "notes.txt", "none/new.jsonl", "notes.txt/new", "x" * 5000],
)
GAME = (["0", "1", "12", str(10**12)], [*NOT_WHOLE, str(10**12 + 1)])
FOLDERS = (["out", "a/b"], ["", "notes.txt", "notes.txt/out", "x" * 5000])
CONDITIONS = (
    ["winner=a", "turns>2", "turns<=400,game!=0", "bastion_a_turn=none"],
    [
        "",
        ",",
        "winner",
        "winner=c",
        "turns>x",
        "turn>3",
        "turns>",
        "turns=>3",
        "winner>a",
        "turns>nan",
        "=",
        "a=b=c",
    ],
)
RUNS = (["run"], ["", "none", "notes.txt", "."])


class Command(NamedTuple):
    """A command: what must stand behind it, and for each option the values that are right and those that are not."""

    needed: dict[str, tuple[list[str], list[str]]]
    options: dict[str, tuple[list[str], list[str]]]
    flags: tuple[str, ...] = ()


SOLO_RULES = (
    [*RULES[0], "ai_last_turn=current", "resistance_reading=to_one"],
    [value for value in RULES[1] if value != "ai_last_turn=current"],
)
SETTINGS = {
    "--preset": (["quick"], ["", "quik", "quick,quick"]),
    "--variable": (["1", "2"], [*NOT_WHOLE, "0", "3"]),
    "--fixed": (["6", "10"], [*NOT_WHOLE, "5", "11"]),
    "--first": (["player", "ai"], ["", "me", "0"]),
    "--ability": (["none", "splash", "berserk"], ["", "sprint", "rage,rage"]),
}
SETTING_FLAGS = ("--bastion", "--no-bastion", "--resistance", "--no-resistance")
SOLO_DECKS = (
    ["1", "deck.toml", "draft", "draft:random"],
    ["", "9", "1,2", "draft:", "draft:best", "none.toml"],
)
SOME_SOLO_DECKS = (
    ["1", "1,deck.toml", "draft,draft:random", " 3 "],
    ["", "9", "1,", "1,1", "draft:best", "none.toml"],
)
PRECISIONS = (
    ["50", "20.5", "1e1"],
    ["", "0", "-1", "50.1", "nan", "inf", "half", "1e-400", "1,5"],
)
SOLO = SETTINGS | {"--policy": POLICIES, "--seed": SEEDS, "--rule": SOLO_RULES, "--cards": CARDS}
DUEL = {"--policy": POLICIES, "--vs-policy": POLICIES, "--seed": SEEDS, "--rule": RULES, "--cards": CARDS}
DRAFTERS = (
    ["random", "value", "denial, fit", "dearest,random"],
    ["", "best", "value,", "random,random", "value;random"],
)
JOBS = (["1", "3"], [*NOT_WHOLE, "0", "1025"])
VALUE_GAMES = (["20", "0_31"], [*NOT_WHOLE, "0", str(10**12 + 1)])
BANS = (["random", "value"], ["", "Value", "valu", "random,value"])
VALUES = (["values.csv"], ["", "none.csv", "notes.txt", "deck.toml", "."])
RUN = {"--seed": SEEDS, "--rule": RULES, "--cards": CARDS, "--jobs": JOBS, "--format": FORMATS}
COMMANDS = {
    "cards": Command(
        {}, {"--cards": CARDS, "--format": ([*FORMATS[0], "toml"], ["", "xml", "CSV "])}, ("--check",)
    ),
    "card": Command({"": (["TROLL", "troll"], ["", "TROL", "\0", "é"])}, {"--cards": CARDS}),
    "rules": Command({}, {"--format": FORMATS}),
    "columns": Command({}, {"--format": FORMATS}),
    "matchups": Command(
        {"--decks": DECKS, "--games": GAMES},
        DUEL
        | {
            "--policy": SOME_POLICIES,
            "--precision": PRECISIONS,
            "--out": FOLDERS,
            "--games-out": (["new.parquet"], ["", ".", "notes.txt", "new.csv", "none/new.parquet"]),
            "--jobs": JOBS,
            "--format": FORMATS,
        },
        ("--until-decided", "--dry-run", "--yes"),
    ),
    "solo": Command(
        {"--deck": SOME_SOLO_DECKS, "--games": GAMES},
        SOLO
        | {"--policy": SOME_POLICIES, "--precision": PRECISIONS, "--out": FOLDERS, "--jobs": JOBS}
        | {"--format": FORMATS},
        (*SETTING_FLAGS, "--dry-run", "--yes"),
    ),
    "solo-sweep": Command(
        {
            "--deck": (["1", "draft"], SOME_SOLO_DECKS[1]),
            "--games": (["40", "0_41"], GAMES[1]),
            "--policy": POLICIES,
        },
        {"--seed": SEEDS, "--rule": SOLO_RULES, "--cards": CARDS, "--precision": PRECISIONS, "--out": FOLDERS}
        | {"--jobs": JOBS, "--format": FORMATS},
        ("--dry-run", "--yes"),
    ),
    "whatif": Command(
        {
            "--set": (
                ["TROLL.cost=5", "troll.health+=1", "TROLL.abilities=none", "TROLL.attack = 6"],
                [
                    "",
                    "TROLL",
                    "TROL.cost=3",
                    "TROLL.cost=x",
                    "TROLL.cost=99",
                    "TROLL.size=3",
                    "TROLL.cost=",
                    "=",
                    ".",
                ],
            ),
            "--games": GAMES,
        },
        {"--policy": SOME_POLICIES, "--vs-policy": (["greedy", "random"], POLICIES[1]), "--seed": SEEDS}
        | {
            "--swap": (
                ["1:BARON=OGRE", "1:troll=ogre"],
                ["", "1", "9:TROLL=OGRE", "1:OGRE=TROLL", "1:TROLL=OGER"],
            )
        }
        | {"--patch": (["patch.toml"], ["", "none.toml", "notes.txt", ".", "deck.toml"])}
        | {"--decks": (["1,2", "1,deck.toml"], ["", "1,9", "1,none.toml", "1,1"])}
        | {
            "--cards": (["starter-kit", "starter-kit-community"], CARDS[1]),
            "--rule": RULES,
            "--in": (["matchups"], ["", "duels", "Solo"]),
            "--precision": PRECISIONS,
            "--out": FOLDERS,
        }
        | {"--jobs": JOBS, "--format": FORMATS},
        ("--dry-run", "--yes"),
    ),
    "whatif --in=solo": Command(
        {"--set": (["TROLL.cost=5"], ["", "TROL.cost=3"]), "--games": GAMES, "--deck": SOME_SOLO_DECKS},
        SETTINGS | {"--rule": SOLO_RULES, "--policy": SOME_POLICIES, "--jobs": JOBS, "--format": FORMATS},
        (*SETTING_FLAGS, "--dry-run", "--yes"),
    ),
    "card-values": Command(
        {"--games": GAMES},
        RUN | {"--policy": SOME_POLICIES, "--precision": PRECISIONS, "--out": FOLDERS},
        ("--two-kits", "--dry-run", "--yes"),
    ),
    "prices": Command(
        {
            "--games": (["40", "0_41"], GAMES[1]),
            "--policy": SOME_POLICIES,
            "--card": (["TROLL", "troll,BOOM!"], ["", "TROL", "TROLL,"]),
        },
        RUN | {"--precision": PRECISIONS, "--out": FOLDERS},
        ("--dry-run", "--yes"),
    ),
    "abilities": Command(
        {
            "--games": (["40", "0_41"], GAMES[1]),
            "--policy": SOME_POLICIES,
            "--card": (["TROLL", "troll"], ["", "TROL", "TROLL,GNOME"]),
            "--body": (
                ["3/3", "0/1", "15/15", "1/2, 3/3"],
                ["", "3", "3/0", "16/1", "3/3,", "3/3,3/3", "3/3/3", "a/b"],
            ),
        },
        RUN
        | {
            "--rule": SOLO_RULES,
            "--screening": (["40", "0_41"], GAMES[1]),
            "--cost": (["0", "15"], [*NOT_WHOLE, "16"]),
            "--incantation": (["0", "15"], [*NOT_WHOLE, "16"]),
            "--decks": (["1", "1,deck.toml"], ["", "1,9", "1,none.toml", "1,1"]),
            "--out": FOLDERS,
        },
        ("--dry-run", "--yes"),
    ),
    "draft": Command(
        {"--games": (["160", "1_61"], ["159", *GAMES[1]]), "--drafter": DRAFTERS, "--policy": SOME_POLICIES},
        RUN
        | {
            "--vs-drafter": (["dearest", "random", "value"], ["", "best", "value,random"]),
            "--table-games": (["160", "1_61"], ["159", *GAMES[1]]),
            "--values": VALUES,
            "--precision": PRECISIONS,
            "--out": FOLDERS,
        },
        ("--dry-run", "--yes"),
    ),
    "solo-draft": Command(
        {
            "--games": (["40", "4_1"], ["39", *GAMES[1]]),
            "--drafter": (["value", "dearest,random"], ["", "denial", "fit,value", "random,random"]),
            "--policy": (["random", "greedy"], POLICIES[1]),
            "--variable": SETTINGS["--variable"],
        },
        {name: values for name, values in SETTINGS.items() if name not in ("--preset", "--variable")}
        | RUN
        | {"--rule": SOLO_RULES, "--table-games": (["40"], ["39", *GAMES[1]]), "--out": FOLDERS}
        | {"--values": VALUES},
        (*SETTING_FLAGS, "--dry-run", "--yes"),
    ),
    "constructed play": Command(
        {
            "": (["one.toml"], ["", "1", "deck.toml", "none.toml", "notes.txt", "other.toml"]),
            " ": (["other.toml"], ["", "2", "deck.toml", "none.toml", "one.toml"]),
            "--games": GAMES,
            "--value-games": VALUE_GAMES,
            "--policy": SOME_POLICIES,
        },
        RUN
        | {"--precision": PRECISIONS, "--out": FOLDERS}
        | {"--bans": BANS, "--vs-bans": BANS, "--values": VALUES},
        ("--dry-run", "--yes"),
    ),
    "constructed search": Command(
        {
            "--generations": (["1", "2"], [*NOT_WHOLE, "0", "1001"]),
            "--population": (["4", "5"], [*NOT_WHOLE, "3", "1001"]),
            "--games": (["1", "2", "0_2"], [*NOT_WHOLE, "0", "2M"]),
            "--value-games": VALUE_GAMES,
            "--policy": (["random"], POLICIES[1]),
            "--cards": (["few.csv"], [*CARDS[1], "eight.csv"]),
        },
        {name: RUN[name] for name in ("--seed", "--rule", "--jobs", "--format")}
        | {"--bans": BANS, "--values": (["few-values.csv"], VALUES[1]), "--out": FOLDERS}
        | {"--start": (["one.toml"], ["", "1", "deck.toml", "none.toml", "notes.txt"])},
        ("--dry-run", "--yes"),
    ),
    "policies": Command({}, {"--format": FORMATS}),
    "policies ladder": Command(
        {"--policy": RIVALS, "--games": GAMES, "--decks": DECKS},
        RUN | {"--out": FOLDERS},
        ("--dry-run", "--yes"),
    ),
    "policies tune": Command(
        {
            "": (["tactician"], ["", "greedy", "tacticia", "tactician:none.toml", "tactician:notes.txt"]),
            "--out": (
                ["new.toml", "./new one.toml", "a/b/new.toml"],
                ["", ".", "notes.txt/new.toml", "x" * 5000],
            ),
            "--evaluations": (["1", "5"], [*NOT_WHOLE, "0"]),
            "--population": (["4"], [*NOT_WHOLE, "3", "1001"]),
            "--step": (["0.1", "1", ".5", "10"], ["", "0", "-1", "10.1", "nan", "inf", "half", "1e-1", "."]),
            "--games": GAMES,
            "--check-games": GAMES,
            "--decks": (["1"], ["", "9", "none.toml"]),
        },
        RUN,
        ("--dry-run", "--yes"),
    ),
    "policies new": Command(
        {"": (["new.py", "./new one.py"], ["", ".", "notes.txt", "none/new.py", "notes.txt/new.py"])},
        {},
        ("--yes",),
    ),
    "rerun": Command(
        {"": RUNS}, {"--out": (["out"], ["run", "", "notes.txt"]), "--jobs": (["1", "2"], ["0", "x"])}
    ),
    "compare": Command(
        {"": RUNS, " ": RUNS},
        {"--table": (["matchups", "health"], ["", "pools", "plays", "../run/matchups"]), "--format": FORMATS},
    ),
    "play": Command({"--decks": PAIRS}, DUEL | {"--game": GAME, "--trace": FILES}, ("--yes",)),
    "trace": Command(
        {"--decks": PAIRS, "--games": GAMES},
        DUEL
        | {
            "--first-game": (["0", "5"], [*NOT_WHOLE, str(10**12 + 1)]),
            "--where": CONDITIONS,
            "--out": (FILES[0], [name for name in FILES[1] if name]),
        },
        ("--yes",),
    ),
    "play --solo": Command(
        {"--deck": SOLO_DECKS}, SOLO | {"--game": GAME, "--trace": FILES}, (*SETTING_FLAGS, "--yes")
    ),
    "trace --solo": Command(
        {"--deck": SOLO_DECKS, "--games": GAMES},
        SOLO
        | {
            "--first-game": (["0", "5"], [*NOT_WHOLE, str(10**12 + 1)]),
            "--out": (FILES[0], [name for name in FILES[1] if name]),
        },
        (*SETTING_FLAGS, "--yes"),
    ),
    "replay": Command(
        {"": (["game.jsonl"], ["", "none.jsonl", "notes.txt", "."])},
        {"--game": (["0"], ["1", "x", "-1"]), "--decks": (["1,2"], ["2,1", "1", "", "1,2,3", "1,9"])},
    ),
}
MEASURING = {"--games": "0", "--policy": "greed", "--jobs": "0", "--out": ".", "--format": "xml"}
"""Options of `bench` that are wrong: with right ones it takes minutes."""


DONE = {"policies tune": {0, 1}}
"""Exit codes where all is right, if not 0 only: new weights need not be better."""

EXAMPLES = {
    "matchups": 20,
    "compare": 20,
    "rerun": 4,
    "play": 25,
    "play --solo": 25,
    "trace --solo": 25,
    "solo": 25,
    "solo-sweep": 4,
    "whatif": 20,
    "whatif --in=solo": 15,
    "card-values": 15,
    "prices": 8,
    "draft": 6,
    "solo-draft": 4,
    "abilities": 3,
    "constructed play": 10,
    "constructed search": 5,
    "policies": 4,
    "policies ladder": 8,
    "policies tune": 8,
}
"""Of the commands that take longer, so many command lines are tried."""


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """The folder of a run, to compare with and to play again."""
    folder = tmp_path_factory.mktemp("home") / "run"
    assert run("matchups", "--policy=greedy", "--decks", "2", "--games", "2", "--out", folder).code == 0
    return folder


@pytest.fixture
def place(tmp_path, monkeypatch, run_folder):
    """Make an empty folder with a few files the current one."""
    counter = iter(range(10**6))
    trace = run("trace", "--policy=greedy", "--decks", "1,2").out

    def make():
        folder = tmp_path / str(next(counter))
        folder.mkdir()
        (folder / "deck.toml").write_text(DECK)
        (folder / "patch.toml").write_text("[card.BARON]\nhealth = 4\n")
        (folder / "notes.txt").write_text("notes")
        write_tens(folder)
        (folder / "game.jsonl").write_text(trace)
        (folder / "run").symlink_to(run_folder)
        monkeypatch.chdir(folder)
        return folder

    return make


def write_tens(folder):
    """Write two tens of the first twelve cards, these as a set of their own, and tables of values of cards."""
    kit = load_cards().cards
    names = [card.name for card in kit]
    for name, first in (("one", 0), ("other", 2)):
        listed = json.dumps(names[first : first + 10], ensure_ascii=False)
        (folder / f"{name}.toml").write_text(f"cards = {listed}\n")
    columns = ("name", "kind", "cost", "attack", "health")
    for name, cards in (("few", kit[:12]), ("eight", kit[:8])):
        lines = [
            ",".join("" if (value := getattr(card, column)) is None else str(value) for column in columns)
            for card in cards
        ]
        (folder / f"{name}.csv").write_text("\n".join([",".join(columns), *lines]) + "\n")
    for name, cards in (("values", names), ("few-values", names[:12])):
        (folder / f"{name}.csv").write_text("card,value\n" + "".join(f"{card},0.01\n" for card in cards))


def words(option, value):
    return (
        [value] if not option.strip() else [f"{option}={value}"] if value.startswith("-") else [option, value]
    )


@st.composite
def command_lines(draw, name):
    """Words of a command line, and whether there is something wrong with it; at most one of its values is."""
    command = COMMANDS[name]
    known = command.needed | command.options
    chosen = [*command.needed]
    if command.options:
        chosen += draw(st.lists(st.sampled_from(sorted(command.options)), max_size=4, unique=True))
    wrong = draw(st.sampled_from(chosen)) if chosen and draw(st.booleans()) else None
    line = name.split()
    for option in chosen:
        line += words(option, draw(st.sampled_from(known[option][option == wrong])))
    if command.flags:
        line += draw(st.lists(st.sampled_from(command.flags), max_size=2, unique=True))
    return line, wrong is not None


def listing(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


@THOROUGHLY
@pytest.mark.parametrize("name", COMMANDS)
def test_right_options_are_done_and_wrong_ones_refused(scale, name, place):
    def check(example):
        line, wrong = example
        folder = place()
        before = listing(folder)
        outcome = run(*line)
        assert outcome.code in ({2} if wrong else DONE.get(name, {0})), (line, outcome.err)
        if wrong:
            assert listing(folder) == before
            assert outcome.out == ""
        elif "json" in line and "--check" not in line:
            assert json.loads(outcome.out)

    fuzz(
        check,
        EXAMPLES.get(name, 40) * scale,
        command_lines(name),
    )


@pytest.mark.parametrize("option", MEASURING)
def test_wrong_options_of_bench_are_refused(option, place):
    place()
    outcome = run("bench", "--quick", "--games", "2", option, MEASURING[option])
    assert outcome.code == 2
    assert option in outcome.err or "policy" in outcome.err


TOKENS = [
    *COMMANDS,
    *(
        "--decks",
        "--games",
        "--policy",
        "--out",
        "--format",
        "--where",
        "--limit",
        "--run",
        "--resume",
        "--dry-run",
    ),
    *(
        "--check",
        "--table",
        "--game",
        "--cards",
        "--rule",
        "--seed",
        "--help",
        "--version",
        "-h",
        "--",
        "-",
        "--x",
    ),
    *("1", "1,2", "2", "greedy", "json", "deck.toml", "run", "TROLL", "notes.txt", "game.jsonl", "turns>3"),
]
ODD_WORDS = [str(value) for value in ODD_VALUES if isinstance(value, str | int | float)]


@THOROUGHLY
def test_any_words_are_a_command_or_refused(scale, place):
    def check(words):
        place()
        if "matchups" in words or "ladder" in words:  # the last one counts
            words = [*words, "--games", "2", *(["--policy", "random,greedy"] if "ladder" in words else [])]
        if {"draft", "solo-draft"} & {*words}:
            words = [*words, "--drafter", "random", "--policy", "random", "--dry-run"]
        if {"abilities", "card-values", "prices"} & {*words}:  # the defaults take many minutes
            words = [*words, "--policy", "random", "--dry-run"]
        if {"solo", "solo-sweep"} & {*words}:
            words = [*words, "--games", "2", "--policy", "random", "--dry-run"]
        if "search" in words:
            words = [*words, "--games", "2", "--policy", "random", "--value-games", "20", "--dry-run"]
        run(*words)

    text = st.sampled_from(ODD_WORDS) | st.text(max_size=6)
    tokens = st.sampled_from(TOKENS)
    lines = st.lists(st.one_of(tokens, tokens, tokens, text), max_size=7)
    fuzz(check, 40 * scale, lines)
    fuzz(
        check,
        40 * scale,
        st.tuples(st.sampled_from(sorted(COMMANDS)), lines).map(lambda line: [*line[0].split(), *line[1]]),
    )


def commands_of(group, *names):
    """List the commands of a group, and of its groups, by the words that call them."""
    for name, command in group.commands.items():
        yield " ".join([*names, name]), command
        if hasattr(command, "commands"):
            yield from commands_of(command, *names, name)


def test_every_option_is_tried():
    """What is not in the tables above: options that need others, and the commands that they change."""
    solo = {"--solo", "--deck", *SETTINGS, *SETTING_FLAGS}
    others = {
        "solo": {"--resume", "--level", "--points"},
        "solo-sweep": {"--resume"},
        "matchups": {"--resume"},
        "whatif": {"--resume", "--deck", "--level", "--points", *SETTINGS, *SETTING_FLAGS},
        "card-values": {"--resume"},
        "prices": {"--resume"},
        "draft": {"--resume"},
        "solo-draft": {"--resume", "--level", "--points"},
        "abilities": {"--resume"},
        "constructed play": {"--resume"},
        "constructed search": {"--resume"},
        "policies ladder": {"--resume"},
        "policies tune": {"--resume", "--solo"},
        "rerun": {"--yes"},
        "play": solo,
        "trace": {"--run", "--limit", *solo},
        "bench": {"--quick", "--yes", *MEASURING},
    }
    for name, command in commands_of(typer.main.get_command(app)):
        known = COMMANDS.get(name, Command({}, {}))
        tried = {*known.needed, *known.options, *known.flags, *others.get(name, ())}
        options = {
            option
            for parameter in command.params
            for option in (*parameter.opts, *parameter.secondary_opts)
            if option.startswith("--")
        }
        assert options - {"--help"} == {option for option in tried if option.strip()}, name


@pytest.mark.parametrize(
    "line",
    [
        ["trace", "--run", "run", "--seed", "1"],
        ["trace", "--run", "run", "--decks", "1,2"],
        ["trace", "--run", "run", "--first-game", "2"],
        ["trace", "--run", "run", "--games", "3"],
        ["trace", "--policy=greedy", "--decks", "1,2", "--limit", "3"],
        ["trace"],
        ["trace", "--solo", "--deck", "1", "--run", "run"],
        ["trace", "--solo", "--deck", "1", "--decks", "1,2"],
        ["play", "--policy=greedy", "--decks", "1,2", "--no-resistance"],
        ["matchups", "--policy=greedy", "--resume"],
        ["matchups", "--policy=greedy", "--games", "2", "--out", "run"],
        ["matchups", "--policy=greedy", "--games", "2", "--seed", "3", "--out", "run", "--resume"],
        ["rerun", "run", "--out", "run", "--yes"],
        ["play", "--policy=greedy", "--decks", "1,2", "--trace", "game.jsonl"],
        ["trace", "--policy=greedy", "--decks", "1,2", "--out", "game.jsonl"],
    ],
    ids=" ".join,
)
def test_options_that_contradict_each_other_or_the_folder_are_refused(line, place, run_folder):
    folder = place()
    kept = {path: path.read_bytes() for path in run_folder.rglob("*") if path.is_file()}
    before = listing(folder)
    outcome = run(*line)
    assert outcome.code == 2
    assert listing(folder) == before
    assert {path: path.read_bytes() for path in kept} == kept
    assert Path("run").exists()
