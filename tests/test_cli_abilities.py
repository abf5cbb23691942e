"""`clashsim abilities` end to end."""

import csv
import io
import json
import re
import shutil

import pytest
from killing import contents

from clashsim.cli.main import main
from clashsim.experiments.ability_games import StandIns

pytestmark = pytest.mark.jit

SMALL = [
    "abilities",
    "--policy=greedy",
    "--body",
    "3/3",
    "--card",
    "TROLL",
    "--games",
    "60",
    "--screening",
    "60",
]
SPELLS = [
    "abilities",
    "--policy=greedy",
    "--incantation",
    "3",
    "--cost",
    "5",
    "--games",
    "60",
    "--screening=60",
]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def tables(folder):
    return {path.name: path.read_bytes() for kind in ("*.csv", "*.parquet") for path in folder.glob(kind)}


def test_csv_when_piped_and_games_told_first(capsys):
    assert main(SMALL) == 0
    told = capsys.readouterr()
    found = rows(told.out)
    assert len(found) == 14
    assert {"body", "term", "lift", "lift_low", "lift_high", "games", "policy", "price_verdict"} <= set(
        found[0]
    )
    assert re.search(
        r"About 1\d,\d\d\d games, each set of abilities counted by itself\n4 conditions, ", told.err
    )
    assert main([*SPELLS, "--format", "json"]) == 0
    assert [row["term"] for row in json.loads(capsys.readouterr().out)] == ["Splash", "Perforation"]


def test_tables_with_the_answer_first(capsys):
    assert main([*SMALL, "--policy", "random,greedy", "--format", "table"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Under random, on a 3/3 for 4 mana," in text
    assert "Under greedy, in the quick solo game" in text


def test_a_dry_run_plays_nothing(capsys):
    assert main([*SMALL, "--dry-run"]) == 0
    assert rows(capsys.readouterr().out)[0]["conditions"] == "4"


@pytest.mark.parametrize(
    ("command", "files"),
    [
        (
            [*SMALL, "--decks", "1,2"],
            {
                *(
                    "ability_subsets.csv",
                    "ability_effects.csv",
                    "ability_interactions.csv",
                    "ability_cards.csv",
                ),
                *("ability_solo.csv", "ability_effects_greedy.png", "ability_sizes_greedy.svg"),
                *(
                    "ability_interactions_3-3_greedy.png",
                    "ability_prices_3-3_greedy.png",
                    "ability_cards_greedy.png",
                ),
            },
        ),
        (SPELLS, {"ability_subsets.csv", "ability_effects_greedy.png", "ability_cards_greedy.png"}),
    ],
)
def test_a_report_with_its_folder_and_again(tmp_path, capsys, command, files):
    folder = tmp_path / "out"
    assert main([*command, "--out", str(folder)]) == 0
    assert files <= {path.name for path in folder.iterdir()}
    page = (folder / "report.md").read_text()
    assert page.startswith("# What abilities are worth on ")
    assert "nan" not in page
    assert json.loads((folder / "manifest.json").read_text())["status"] == "finished"
    capsys.readouterr()
    assert main(["rerun", str(folder), "--out", str(tmp_path / "again")]) == 0
    assert tables(folder) == tables(tmp_path / "again")


def test_games_are_added_and_the_screening_stays(tmp_path, capsys):
    out = str(tmp_path / "out")
    more = [*SPELLS, "--games", "180", "--out", out]
    assert main([*SPELLS, "--out", out]) == 0
    assert main([*more, "--resume"]) == 0
    added = tables(tmp_path / "out")
    shutil.rmtree(out)
    assert main(more) == 0
    assert tables(tmp_path / "out") == added
    capsys.readouterr()
    for words in (
        ["--screening", "400"],
        ["--incantation", "4"],
        ["--card", "BOOM!"],
        ["--seed", "2"],
        ["--cost", "6"],
    ):
        assert main([*more, *words, "--resume"]) == 2
        assert "it holds another run" in capsys.readouterr().err


@pytest.mark.parametrize(("command", "stage"), [(SPELLS, "screening"), (SMALL, "after it")])
def test_an_interrupted_run_goes_on(tmp_path, monkeypatch, capsys, command, stage):
    tally = StandIns.tally
    command = [*command, "--games", "600", "--screening", "400", "--jobs", "1"]

    def interrupted(self, first_game, n_games):
        if first_game > 100 and (stage == "screening" or self.before):
            raise KeyboardInterrupt
        return tally(self, first_game, n_games)

    with monkeypatch.context() as patch:
        patch.setattr(StandIns, "tally", interrupted)
        assert main([*command, "--out", str(tmp_path / "broken")]) == 130
    capsys.readouterr()
    assert main([*command, "--out", str(tmp_path / "broken"), "--resume"]) == 0
    assert re.search(r"games, [\d,]+ of them played", capsys.readouterr().err)
    assert main([*command, "--out", str(tmp_path / "whole"), "--jobs", "2"]) == 0
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--body", "3-3"), "body is '3-3'; expected ATTACK/HEALTH, such as 3/3"),
        (("--body", "3/3,"), "--body has an empty entry"),
        (("--body", "3/3,3/3"), "body 3/3 is given twice"),
        (("--cost", "16"), "--cost is 16; expected a whole number from 0 to 15"),
        (("--incantation", "x"), "--incantation is 'x'; expected a whole number from 0 to 15"),
        (("--card", "TROL"), "Did you mean TROLL?"),
        (("--decks", "2,3"), "TROLL is in none of the decks 2 and 3"),
        (("--games", "39"), "expected a whole number from 40"),
        (("--screening", "1.5"), "--screening is '1.5'; expected a whole number"),
        (("--policy", "greed"), "Did you mean greedy?"),
        (("--cards", "none.toml"), "no card set file none.toml"),
        (("--resume",), "expected --out FOLDER"),
    ],
)
def test_bad_input_is_told_in_one_line(capsys, words, message):
    assert main([*SMALL, *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert [line for line in error.splitlines() if not line.startswith("About ")] == [error.splitlines()[-1]]
