"""Folders of runs, damaged in every way: what they say is taken as it is said, or refused in one line that names it."""

import json
import math
import shutil

import numpy as np
import pytest
from fuzzing import THOROUGHLY, changed, damaged, damaged_bytes, fuzz, run, same_json, spots
from hypothesis import strategies as st
from killing import contents

from clashsim.running import Checkpoint

pytestmark = pytest.mark.jit

DECK = 'name = "own"\ncards = ["ASSASSIN", "GNOME", "GRRR", "PARTISAN", "REPTILE", "SHAMAN", "VORTEX", "ZOMBIE"]\n'


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with the run `out` of a deck file, its games one by one, and the command that made it."""
    home = tmp_path_factory.mktemp("home")
    (home / "own.toml").write_text(DECK)
    command = [
        "matchups",
        "--policy=greedy",
        "--decks",
        home / "own.toml",
        "--games",
        "4",
        "--seed",
        "5",
        "--out",
        home / "out",
    ]
    command += ["--games-out", home / "out" / "games.parquet"]
    assert run(*command).code == 0
    return home, command


@pytest.fixture
def folder(home):
    """The run's folder; whatever a test does to it, the next one finds it whole."""
    place = home[0]
    shutil.copytree(place / "out", place / "whole")
    yield place / "out"
    restore(place / "out", ends=True)


def restore(folder, ends=False):
    whole = folder.with_name("whole")
    shutil.rmtree(folder)
    if ends:
        whole.rename(folder)
    else:
        shutil.copytree(whole, folder)


# ---- manifests


def is_texts(value):
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def is_count(value, least=0):
    return type(value) is int and value >= least


def is_seconds(value):
    return value is None or (type(value) in (int, float) and 0 <= value < math.inf)


def is_text_by_name(value):
    return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())


def is_options(value):
    types = {
        "decks": (list, type(None)),
        "games": (int, type(None)),
        "policy": (str, list),
        "vs_policy": (str, type(None)),
        "seed": (int,),
        "rule": (list,),
        "cards": (str,),
        "precision": (int, float, type(None)),
        "until_decided": (bool,),
    }
    return (
        isinstance(value, dict)
        and value.keys() == types.keys()
        and all(type(value[name]) in types[name] for name in types)
        and all(is_texts(one) for one in value.values() if isinstance(one, list))
    )


def is_inputs(value):
    entries = value if isinstance(value, list) else [None]
    return all(is_text_by_name(entry) and {"given", "copy", "sha256"} <= entry.keys() for entry in entries)


def is_plan(value):
    return (
        isinstance(value, list)
        and value
        and all(isinstance(row, dict) and is_count(row.get("games"), 1) for row in value)
    )


MANIFEST = {
    "program": lambda value: value == "clashsim",
    "version": lambda value: isinstance(value, str),
    "core": lambda value: isinstance(value, str),
    "experiment": lambda value: value == "matchups",
    "command": is_texts,
    "seed": is_count,
    "rules": lambda value: isinstance(value, dict),
    "cards": is_text_by_name,
    "changed_cards": is_texts,
    "decks": lambda value: isinstance(value, dict) and all(is_texts(one) for one in value.values()),
    "policies": is_texts,
    "vs_policy": lambda value: value is None or isinstance(value, str),
    "policy_files": is_text_by_name,
    "method": lambda value: isinstance(value, str),
    "options": is_options,
    "stopping": lambda value: isinstance(value, dict),
    "games_file": lambda value: value is None or isinstance(value, str),
    "inputs": is_inputs,
    "files": is_texts,
    "status": lambda value: value in ("finished", "unfinished"),
    "games": lambda value: is_count(value, 1),
    "started": lambda value: isinstance(value, str),
    "seconds": is_seconds,
    "games_per_second": lambda value: value is None or is_count(value),
    "python": lambda value: isinstance(value, str),
    "platform": lambda value: isinstance(value, str),
    "libraries": is_text_by_name,
    "plan": is_plan,
}
"""What each entry of a manifest must be, as its description has it."""

DECISIVE = MANIFEST.keys() - {
    *("version", "command", "options", "inputs", "files", "games_file", "status", "started", "seconds"),
    *("games_per_second", "python", "platform", "libraries", "games", "stopping", "method"),
}
"""Entries of a manifest that decide the games, or name what does."""


def is_manifest(value):
    return isinstance(value, dict) and all(
        name in value and fits(value[name]) for name, fits in MANIFEST.items()
    )


@pytest.fixture
def commands(home, folder, tmp_path):
    """Every command that reads a manifest."""
    again = tmp_path / "again"
    return {
        "rerun": ["rerun", folder, "--out", again],
        "compare": ["compare", folder.with_name("whole"), folder],
        "trace": ["trace", "--run", folder],
        "resume": [*home[1], "--resume"],
    }


PLAYING = ("rerun", "resume")  # commands that go on to play and draw, once they are content with a manifest


@THOROUGHLY
@pytest.mark.parametrize("name", ["rerun", "compare", "trace", "resume"])
def test_a_manifest_is_taken_at_its_word_or_refused(scale, name, folder, commands, tmp_path):
    path = folder / "manifest.json"
    whole = json.loads(path.read_text())

    def check(change):
        restore(folder)
        shutil.rmtree(tmp_path / "again", ignore_errors=True)
        path.write_text(json.dumps(change.value))
        outcome = run(*commands[name])
        if not is_manifest(change.value):
            assert outcome.code == 2, (change.spot, change.kind, outcome.err)
            assert str(folder) in outcome.err or name == "compare"
        entry = change.spot[0]
        if entry in DECISIVE and change.value.get(entry) != whole[entry]:
            assert outcome.code or entry in outcome.err or "plan" in outcome.err, (change.spot, outcome.err)

    entries = [spot for spot in spots(whole) if len(spot) == 1]
    fuzz(check, (12 if name in PLAYING else 40) * scale, changed(whole, st.sampled_from(entries)))
    fuzz(check, (6 if name in PLAYING else 30) * scale, changed(whole))


@THOROUGHLY
@pytest.mark.parametrize("name", ["rerun", "compare", "trace", "resume"])
def test_a_damaged_manifest_is_named(scale, name, folder, commands, tmp_path):
    path = folder / "manifest.json"
    whole = path.read_bytes()

    def check(content):
        restore(folder)
        shutil.rmtree(tmp_path / "again", ignore_errors=True)
        path.write_bytes(content)
        outcome = run(*commands[name])
        try:
            manifest = json.loads(content)
        except (ValueError, RecursionError):
            manifest = None
        if not is_manifest(manifest):
            assert outcome.code == 2
            assert str(folder) in outcome.err
        if same_json(content, whole):
            assert outcome.code == 0

    fuzz(check, (5 if name in PLAYING else 15) * scale, damaged(whole))


# ---- checkpoints and records


@THOROUGHLY
def test_a_checkpoint_holds_what_was_written_or_is_told_to_be_damaged(scale, folder):
    path = next((folder / "checkpoint").glob("*.json"))
    whole = path.read_bytes()
    run_of_it = json.loads(whole)["content"]["run"]
    told = []
    checkpoint = Checkpoint(path.parent, run_of_it, tell=told.append)
    expected = checkpoint.load(0, 10**6)
    assert expected.games.total == 4

    def check(content):
        path.write_bytes(content)
        told.clear()
        played = checkpoint.load(0, 10**6)
        if told:
            assert told == [f"{path} is damaged: its games are played again"]
            assert played.games.total == 0
            assert not same_json(content, whole)
        else:
            assert played.games == expected.games
            assert all(np.array_equal(played.tally[name], expected.tally[name]) for name in expected.tally)

    fuzz(check, 150 * scale, damaged(whole))
    fuzz(check, 100 * scale, changed(json.loads(whole)).map(lambda change: json.dumps(change.value).encode()))


@THOROUGHLY
def test_a_run_with_a_damaged_checkpoint_ends_as_without(scale, home, folder):
    path = next((folder / "checkpoint").glob("*.json"))
    whole, before = path.read_bytes(), contents(folder)

    def check(content):
        restore(folder)
        path.write_bytes(content)
        outcome = run(*home[1], "--resume")
        assert outcome.code == 0
        assert (f"{path} is damaged" in outcome.err) != same_json(content, whole)
        assert contents(folder) == before

    fuzz(check, 4 * scale, damaged(whole))


@THOROUGHLY
def test_damaged_records_are_named_and_played_again_when_removed(scale, home, folder):
    path = next((folder / "checkpoint" / "games" / "0").iterdir())
    whole, before = path.read_bytes(), contents(folder)

    def check(content):
        restore(folder)
        path.write_bytes(content)
        outcome = run(*home[1], "--resume")
        if content == whole:
            assert outcome.code == 0
            return
        assert outcome.code == 3
        assert f"{path} is damaged" in outcome.err
        path.unlink()
        assert run(*home[1], "--resume").code == 0
        assert contents(folder) == before

    fuzz(check, 3 * scale, damaged_bytes(whole))


# ---- copies of inputs and the file of the games


@THOROUGHLY
@pytest.mark.parametrize("copy", ["own.toml", "starter-kit.toml"])
def test_a_changed_copy_of_an_input_is_named(scale, copy, folder, tmp_path):
    path = folder / "inputs" / copy
    whole = path.read_bytes()

    def check(content):
        path.write_bytes(content)
        if content == whole:
            return
        for command in (["rerun", folder, "--out", tmp_path / "again"], ["trace", "--run", folder]):
            outcome = run(*command)
            assert outcome.code == 2
            assert f"{path} was changed" in outcome.err

    fuzz(check, 15 * scale, damaged(whole))


@THOROUGHLY
def test_a_damaged_file_of_games_is_not_overwritten_unasked(scale, home, folder):
    path = folder / "games.parquet"
    whole = path.read_bytes()

    def check(content):
        path.write_bytes(content)
        outcome = run(*home[1], "--resume", "--dry-run")
        assert outcome.code in ({0} if content == whole else {0, 2})
        assert path.read_bytes() == content
        if outcome.code:
            assert str(path) in outcome.err

    fuzz(check, 25 * scale, damaged_bytes(whole))
