"""Policies in Python files: loading and its errors, games, and what stops them."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from coregames import duel_of
from naive.referee import Referee, check_trace

import clashsim as cs
from clashsim.clash.faults import PolicyFault
from clashsim.clash.policy_files import load_policies, load_policy, policy_files
from clashsim.clash.templates import POLICY, write_policy
from clashsim.clash.trace import Tracer
from clashsim.clash.trace_files import read_trace
from clashsim.cli.main import main
from clashsim.errors import InputError
from clashsim.experiments.matchups import plan_matchups

pytestmark = pytest.mark.jit

IMPORTS = "from numba import njit\nfrom clashsim.clash.player import *\n"
TEMPLATE = f"{POLICY}:choose"


@pytest.fixture
def write(tmp_path):
    """Write a policy's file, the import of the player's names before it; return how it is named."""

    def write(text, name="mine.py"):
        (tmp_path / name).write_text(IMPORTS + text, encoding="utf-8")
        return f"{tmp_path / name}:choose"

    return write


def duel_between(one, other, decks="12"):
    return replace(duel_of(*decks), policies=(load_policy(one), load_policy(other)))


def returning(expression):
    return f"def choose(view):\n    return {expression}\n"


def test_an_opponent_of_the_same_name_is_refused_with_the_remedy(write, tmp_path):
    (tmp_path / "other").mkdir()
    one, other = write(returning("STOP")), write(returning("view.actions[0]"), "other/mine.py")
    with pytest.raises(
        InputError, match=r"different ones are named mine.py:choose; .* rename one of the files"
    ):
        plan_matchups(["1"], policy=one, vs_policy=other)


# ---- the template, and games


def test_the_template_plays_by_the_rules():
    duel = duel_between(TEMPLATE, "wild")
    for game in range(8):
        check_trace(Tracer(duel).game(game))


def test_both_phases_ask(write):
    spec = write(
        """
def choose(view):
    if view.phase == SUMMON_PHASE:
        return view.actions[1] if kind_of(view.actions[1]) == SUMMON else STOP
    lane = view.mine.lanes[UPPER]
    for position in range(lane.length):
        if lane.creatures[position].activated:
            return view.actions[view.n_actions - 1]
    return STOP
"""
    )
    duel, pairs = duel_between(spec, "greedy"), set()
    for game in range(5):
        trace = Tracer(duel).game(game)
        check_trace(trace)
        pairs.update(pairwise(step["do"] for step in trace["steps"]))
    assert {("summon", "summon"), ("attack", "cast")} <= pairs


def test_the_template_beats_random():
    won = sum(
        duel_between(TEMPLATE, "random", (deck, deck)).tally(0, 500)["results"].sum(0) for deck in "1234"
    )
    assert won[0] > 0.75 * 2000


def test_the_template_is_written_and_not_overwritten(tmp_path):
    path = tmp_path / "my policy.py"
    assert write_policy(path) == f"'{path}:choose'"
    assert f"--policy '{path}:choose'" in path.read_text("utf-8")
    assert load_policy(f"{path}:choose").name == "my policy.py:choose"
    with pytest.raises(InputError, match="exists; expected a new name, or --yes"):
        write_policy(path)
    write_policy(path, overwrite=True)
    with pytest.raises(InputError, match="no name of a Python file"):
        write_policy(tmp_path / "policy.txt")
    with pytest.raises(InputError, match="can not write"):
        write_policy(tmp_path / "absent" / "policy.py")


def test_a_file_without_a_function_means_choose(write):
    spec = write(returning("STOP"))
    assert load_policy(spec.removesuffix(":choose")) == load_policy(spec)


def test_random_numbers_are_the_same_whatever_the_threads(write):
    spec = write("def choose(view):\n    return view.actions[int(view.random * view.n_actions)]\n")
    tables = [
        cs.matchups(["1", "2"], games=1000, policy=spec, vs_policy="random", jobs=jobs).matchups
        for jobs in (1, 2)
    ]
    assert tables[0].equals(tables[1])
    games = [json.dumps(Tracer(duel_between(spec, "random")).game(game)["steps"]) for game in (0, 2, 0)]
    assert games[0] == games[2] != games[1]


def test_without_the_compiler_the_same_games_are_played(write):
    spec = write("def choose(view):\n    return view.actions[int(view.random * view.n_actions)]\n")
    code = (
        "import sys; from test_user_policies import duel_between\n"
        "print(duel_between(sys.argv[1], 'greedy').tally(0, 3)['turns'].tolist())"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, spec]
    slow = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(slow.stdout) == duel_between(spec, "greedy").tally(0, 3)["turns"].tolist()


def test_writing_into_the_view_makes_nothing_legal(write):
    spec = write(
        """
def choose(view):
    view.actions[:] = summon(0, 0)
    view.mana = 99
    view.n_actions = 64
    return summon(0, 0)
"""
    )
    with pytest.raises(PolicyFault, match="illegal action"):
        duel_between(spec, "greedy").tally(0, 20)


# ---- files


def test_modules_next_to_it_can_be_imported_and_belong_to_it(tmp_path, write):
    spec = write("from aside import better\ndef choose(view):\n    return better(view)\n")
    for end, summons in (("view.n_actions - 1", True), ("0", False)):
        (tmp_path / "aside.py").write_text(
            f"{IMPORTS}@njit\ndef better(view):\n    return view.actions[{end}]\n"
        )
        last = Tracer(duel_between(spec, "greedy")).game(0)["steps"][4]
        assert (last["state"]["sides"][0]["lanes"] != [[], []]) == summons
    assert sorted(path.name for path in policy_files([spec, "greedy"]).values()) == ["aside.py", "mine.py"]
    assert "aside" not in sys.modules
    assert sorted(path.name for path in tmp_path.iterdir()) == ["aside.py", "mine.py"]  # no __pycache__


def test_a_changed_file_is_another_policy(write):
    first = load_policy(write(returning("STOP")))
    assert load_policy(write(returning("STOP"))) == first
    assert load_policy(write(returning("view.actions[0]"))) != first


def test_two_of_one_name_are_refused(write):
    spec = write(returning("STOP"))
    with pytest.raises(InputError, match=r"mine\.py:choose is given twice"):
        load_policies(["greedy", spec, spec])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (returning("view.manna"), r"line 4: nothing in the view has a field 'manna'\. Did you mean mana\?"),
        (returning("view.mine.lanes[0].lenght"), r"field 'lenght'\. Did you mean length\?"),
        (returning("stopp"), r"line 4: 'stopp' is not defined\. Did you mean STOP\?"),
        (returning("view.hand + 'a'"), r"line 4: No implementation of .*add"),
        (returning("view.random"), r"it returns float64; expected an action: an integer"),
        ("def choose(view):\n    if view.mana > 3:\n        return 1\n", "it returns nothing in some cases"),
        ("def choose(view):\n    yield 1\n", "choose is a generator or a coroutine"),
        ("def choose(view, more):\n    return 1\n", r"choose\(view, more\) has other parameters; expected"),
        ("def chose(view):\n    return 1\n", r"no function 'choose' .* Did you mean chose\?"),
        ("choose = 3\n", "choose is a int; expected a function"),
        ("def choose(view:\n    return 1\n", r"line 3: .*expected a Python file"),
        ("\n1 / 0\n", "line 4: importing it fails: ZeroDivisionError"),
        ("import sys\nsys.exit(3)\n", "line 4: importing it fails: SystemExit"),
        ("import no_such_module\n", "line 3: importing it fails: ModuleNotFoundError"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_a_line(write, text, message):
    spec = write(text)
    with pytest.raises(InputError, match=message) as error:
        load_policy(spec)
    assert str(error.value).startswith(f"policy {spec}: ")
    assert len(str(error.value)) < len(spec) + 400
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named_with_the_nearest(write):
    spec = write(returning("STOP"))
    with pytest.raises(InputError, match=r"no file .*mien\.py; .* Did you mean mine\.py\?"):
        load_policy(spec.replace("mine.py", "mien.py"))
    folder = Path(spec).parent / "folder.py"
    folder.mkdir()
    with pytest.raises(InputError, match="is a directory"):
        load_policy(str(folder))


# ---- what stops a game


def fault_of(spec, game=0, other="greedy"):
    with pytest.raises(PolicyFault) as fault:
        duel_between(spec, other).tally(game, 10)
    return fault.value


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("12345", "12345 is no action: expected STOP"),
        ("-1", "-1 is no action"),
        ("256", "256 is no action"),
        ("summon(-1, 0)", "summon of a slot out of bounds: there is no such slot"),
        ("summon(9, 0)", r"slot 9: there is no such slot: 8 cards are in hand"),
        ("summon(7, 0)", r"slot 7 \(\w+, cost \d\) .*only the 4 leftmost cards can be reached \(R4\)"),
        ("summon(0, 2)", r"into the lane 2 .*expected the lane UPPER or LOWER|it is an Incantation"),
        ("cast(0, MINE, 0, 0)", r"it is a creature; expected summon|there is no creature"),
        ("summon(0, -1)", "into the lane out of bounds|Incantation"),
    ],
)
def test_an_illegal_action_is_told_with_its_reason(write, answer, reason):
    fault = fault_of(write(returning(answer)))
    assert fault.exit_code == 1
    assert "illegal action in game 0 of decks 1,2 (seed 1), turn 1, summon phase, playing A: " in str(fault)
    assert re.search(reason, str(fault))


def test_too_little_mana_is_told(write):
    spec = write(
        """
def choose(view):
    for slot in range(4):
        if view.hand[slot].cost > view.mana and not view.hand[slot].is_incantation:
            return summon(slot, 1)
    return view.actions[1]
"""
    )
    assert "mana left: it costs more (R4)" in str(fault_of(spec))


def test_a_summon_in_the_assault_is_illegal(write):
    spec = write(
        """
def choose(view):
    if view.phase == SUMMON_PHASE:
        return view.actions[1] if kind_of(view.actions[1]) == SUMMON and view.mana > 5 else STOP
    for slot in range(4):
        if view.hand[slot].cost <= view.mana and not view.hand[slot].is_incantation:
            return summon(slot, 0)
    return STOP
"""
    )
    fault = str(fault_of(spec))
    assert "assault phase" in fault
    assert fault.endswith("creatures are summoned in the summon phase only (R8)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "def choose(view):\n    if view.turn > 4:\n        raise ValueError('lost')\n    return STOP\n",
            "line 5: ValueError: lost",
        ),
        (returning("view.hand[99 + view.turn].cost"), "line 4: IndexError: index 100 is out of bounds"),
        (returning("10 // (view.turn - view.turn)"), "line 4: "),
        (
            "@njit\ndef cost(view, slot):\n    return view.hand[slot].cost\n\n"
            "@njit\ndef choose(view):\n    return cost(view, 8 + view.turn)\n",
            "line 5: IndexError",
        ),
        (
            "def cost(view):\n    assert view.turn < 1\n    return 0\n\n"
            "def choose(view):\n    return cost(view)\n",
            "line 4: AssertionError",
        ),
    ],
)
def test_an_error_in_the_function_stops_the_game(write, text, message):
    fault = fault_of(write(text))
    assert "it raises an error in game 0" in str(fault)
    assert message in str(fault)


LATE = """
def choose(view):
    if view.turn > 6:
        return summon(7, 0)
    return view.actions[view.n_actions - 1]
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_stops_and_keeps_the_game(write, tmp_path, monkeypatch, capsys, jobs):
    monkeypatch.chdir(tmp_path)
    spec = write(LATE)
    (tmp_path / "out").mkdir()
    options = ["--policy", spec, "--vs-policy", "random", "--games", "1000", "--jobs", jobs, "--out", "out"]
    assert main(["matchups", *options]) == 1
    error = capsys.readouterr().err
    assert "Stopped in turn" in error  # the board
    last = error.splitlines()[-1]
    assert last.startswith("clashsim: error: policy mine.py:choose: illegal action in game ")
    assert last.endswith("The game up to there: clashsim replay out/stopped-game-0.jsonl")
    trace = read_trace(tmp_path / "out" / "stopped-game-0.jsonl")
    assert trace["result"]["reason"] == "stopped"
    referee = Referee(trace)
    referee.check_header()
    referee.check_setup()
    for index, step in enumerate(trace["steps"]):
        referee.check_step(index, step)
    assert main(["replay", "out/stopped-game-0.jsonl"]) == 0
    assert "Stopped in turn" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["play"], ["trace", "--games", "30"], ["play", "--trace", "one.jsonl"]])
def test_single_games_stop_too(write, tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    spec = write(LATE)
    assert main([*command, "--decks", "1,2", "--policy", spec]) == 1
    assert "illegal action" in capsys.readouterr().err
    (kept,) = tmp_path.glob("stopped-game-*.jsonl")
    assert not (tmp_path / "one.jsonl").exists()
    assert read_trace(kept)["result"]["winner"] is None


def test_stopped_games_get_names_of_their_own(write, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    spec = write(LATE)
    for _ in range(2):
        main(["play", "--decks", "1,2", "--policy", spec])
    assert sorted(path.name for path in tmp_path.glob("*.jsonl")) == [
        "stopped-game-0-2.jsonl",
        "stopped-game-0.jsonl",
    ]
    capsys.readouterr()


def test_what_a_file_prints_stays_out_of_the_results(write, capsys):
    spec = write("print('hello')\n" + returning("view.actions[view.n_actions - 1]"))
    assert main(["matchups", "--decks", "1,2", "--policy", spec, "--games", "20", "--format", "csv"]) == 0
    output = capsys.readouterr()
    assert output.out.startswith("deck_a,")
    assert "mine.py:choose" in output.out
    assert "hello" in output.err


def test_the_command_writes_a_policy_that_plays(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["policies", "new", "my.py"]) == 0
    assert "clashsim play --decks 1,2 --policy my.py:choose" in capsys.readouterr().out
    assert main(["play", "--decks", "1,2", "--policy", "my.py:choose"]) == 0
    assert "played by my.py:choose" in capsys.readouterr().out
    assert main(["policies", "new", "my.py"]) == 2
    assert "--yes" in capsys.readouterr().err


def test_the_policy_in_the_readme_plays(tmp_path):
    text = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    path = tmp_path / "my_policy.py"
    path.write_text(text.split("### Your own policy")[1].split("```python\n")[1].split("```")[0], "utf-8")
    results = duel_between(f"{path}:choose", "greedy").tally(0, 20)["results"]
    assert results.sum() == 20
