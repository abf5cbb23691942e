"""`clashsim constructed play` and `clashsim constructed search` end to end."""

import csv
import io
import json

import pytest
from constructedkit import NAMES, few_cards, ten_file, worth_file
from killing import contents

from clashsim.clash.cards import to_toml
from clashsim.cli.main import main
from clashsim.running import Checkpoint, chunks, executor

pytestmark = pytest.mark.jit


@pytest.fixture
def play(tmp_path):
    """A command that plays two tens."""
    one = ten_file(tmp_path / "one.toml", "one", NAMES[:10])
    other = ten_file(tmp_path / "other.toml", "other", NAMES[6:16])
    words = ["--policy=greedy", "--games", "2000", "--value-games", "2000"]
    return ["constructed", "play", str(one), str(other), *words]


@pytest.fixture
def search(tmp_path):
    """A command that searches among thirteen cards."""
    cards = tmp_path / "few.toml"
    cards.write_text(to_toml(few_cards(13)))
    values = worth_file(tmp_path / "values.csv", {name: place / 100 for place, name in enumerate(NAMES[:13])})
    words = ["--policy=greedy", "--generations", "2", "--population", "6", "--games", "100"]
    return ["constructed", "search", "--cards", str(cards), "--values", str(values), *words]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_when_piped(capsys, play, search):
    capsys.readouterr()
    assert main(play) == 0
    (row,) = rows(capsys.readouterr().out)
    assert (row["deck_a"], row["deck_b"], row["bans"], row["vs_bans"]) == ("one", "other", "value", "value")
    assert main(search) == 0
    found = rows(capsys.readouterr().out)
    assert [row["ten"] for row in found] == [f"ten-{rank}" for rank in range(1, 7)]


def test_tables_with_the_answer_first(capsys, play):
    capsys.readouterr()
    assert main([*play, "--bans", "random", "--format", "table"]) == 0
    assert "Under greedy, one misses" in " ".join(capsys.readouterr().out.split())


def test_a_report_of_two_tens_and_again(tmp_path, capsys, play):
    folder = tmp_path / "out"
    command = [*play, "--bans", "random", "--vs-bans", "value", "--policy", "random,greedy"]
    assert main([*command, "--out", str(folder)]) == 0
    names = {path.name for path in folder.iterdir()}
    assert {"constructed.csv", "constructed_bans.parquet", "constructed.png"} <= names
    assert {"constructed_bans_greedy.svg", "constructed_bans_random.png"} <= names
    assert {path.name for path in (folder / "inputs").iterdir()} == {
        "one.toml",
        "other.toml",
        "starter-kit.toml",
    }
    assert "nan" not in (folder / "report.md").read_text()
    (tmp_path / "one.toml").unlink()
    assert main(["rerun", str(folder), "--out", str(tmp_path / "again")]) == 0
    assert contents(folder) == contents(tmp_path / "again")


def test_a_report_of_a_search_and_again(tmp_path, capsys, search):
    folder = tmp_path / "out"
    assert main([*search, "--out", str(folder)]) == 0
    names = {path.name for path in folder.iterdir()}
    assert {
        "constructed_tens.csv",
        "constructed_generations.png",
        "constructed_pairings.svg",
        "ten-1.toml",
    } <= names
    page = (folder / "report.md").read_text()
    assert page.startswith("# Constructed decks found under greedy, value bans")
    assert "nan" not in page
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["status"] == "finished"
    assert {"ten-1.toml", "ten-6.toml"} <= set(manifest["files"])
    capsys.readouterr()
    assert main(["rerun", str(folder), "--out", str(tmp_path / "again")]) == 0
    assert contents(folder) == contents(tmp_path / "again")
    assert (
        main([*search, "--games", "200", "--resume", "--out", str(folder)]) == 2
    )  # others would have been bred
    assert "it holds another run" in capsys.readouterr().err
    tens = [str(folder / f"ten-{rank}.toml") for rank in (1, 2)]
    assert main(["constructed", "play", *tens, *search[2:6], "--policy=greedy", "--games", "100"]) == 0
    assert main([*search, "--start", tens[0], "--start", tens[1], "--dry-run"]) == 0


def test_games_are_added_to_two_tens(tmp_path, capsys, play):
    out = ["--out", str(tmp_path / "out")]
    assert main([*play, *out]) == 0
    assert main([*play, "--games", "4000", *out, "--resume"]) == 0
    assert main([*play, "--games", "4000", "--out", str(tmp_path / "whole")]) == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    capsys.readouterr()
    assert main([*play, "--value-games", "3000", *out, "--resume"]) == 2
    assert "it holds another run" in capsys.readouterr().err


def test_a_search_that_is_interrupted_ends_with_the_same_tables(tmp_path, capsys, monkeypatch, search):
    """Whatever the stage, the chunks and the threads."""
    assert main([*search, "--out", str(tmp_path / "whole")]) == 0
    monkeypatch.setattr(executor, "UNSAVED_SECONDS", 0)
    save = Checkpoint.save
    left = 0

    def save_and_stop(self, row, played):
        nonlocal left
        save(self, row, played)
        left -= 1
        if left == 0:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoint, "save", save_and_stop)
    out = ["--out", str(tmp_path / "broken"), "--resume"]
    for seconds, jobs, left in ((0.003, 1, 9), (0.02, 2, 25), (0.2, 2, 12)):  # noqa: B007
        monkeypatch.setattr(chunks, "TARGET_SECONDS", seconds)
        assert main([*search, *out, "--jobs", str(jobs)]) == 130
    left = 0
    assert main([*search, *out]) == 0
    assert "of them played" in capsys.readouterr().err
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")


def test_a_dry_run_tells_all_games(capsys, search, play):
    for command, conditions in ((search, 31), (play, 2)):
        capsys.readouterr()
        assert main([*command, "--dry-run", "--format", "json"]) == 0
        told = json.loads(capsys.readouterr().out)[0]
        assert told["conditions"] == conditions
        assert told["games_at_most"] == told["games_to_play"] > 1000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--bans", "valu"), "Did you mean value?"),
        (("--vs-bans", "all"), "vs_bans is 'all'; expected random or value"),
        (("--values", "none.csv"), "no card values file none.csv"),
        (("--value-games", "0"), "--value-games is 0; expected a whole number from 1"),
        (("--cards", "few.toml"), "no card set file few.toml"),
        (("--policy", "greed"), "Did you mean greedy?"),
        (("--precision", "0"), "--precision is '0'"),
    ],
)
def test_bad_input_of_two_tens_is_told_in_one_line(capsys, play, words, message):
    capsys.readouterr()
    assert main([*play, *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (NAMES[:9], "9 cards; expected exactly 10 distinct ones (R41)"),
        ([*NAMES[:9], NAMES[0]], "2 times; expected 10 distinct cards (R41)"),
        ([*NAMES[:9], "TROL"], "Did you mean TROLL?"),
    ],
)
def test_a_bad_ten_is_told_in_one_line(tmp_path, capsys, play, cards, message):
    ten_file(tmp_path / "one.toml", "one", cards)
    assert main(play) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "one.toml" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--generations", "0"), "--generations is 0; expected a whole number from 1 to 1000"),
        (("--population", "3"), "--population is 3; expected a whole number from 4 to 1000"),
        (("--games", "2M"), "--games is 2M; expected a whole number from 1 to 1000000"),
        (("--policy", "greedy,random"), "names several; expected one policy"),
        (("--start", "none.toml"), "no deck file none.toml"),
        (("--resume",), "expected --out FOLDER"),
    ],
)
def test_bad_input_of_a_search_is_told_in_one_line(capsys, search, words, message):
    capsys.readouterr()
    assert main([*search, *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
