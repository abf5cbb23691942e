"""`clashsim whatif` end to end."""

import csv
import io
import json
import shutil

import pytest

from clashsim.clash.trace_files import read_trace
from clashsim.cli.main import main

pytestmark = pytest.mark.jit

WHATIF = ["whatif", "--policy=greedy", "--games", "400"]


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def tables(folder):
    return {path.name: path.read_bytes() for kind in ("*.csv", "*.parquet") for path in folder.glob(kind)}


def test_csv_when_piped_and_rows_of_pairings(capsys):
    assert main([*WHATIF, "--set", "CYCLONE.cost=6", "--set", "GNOME.health=2"]) == 0
    found = rows(capsys.readouterr().out)
    assert [(row["deck_a"], row["deck_b"]) for row in found] == [
        *[("3", "1"), ("4", "1"), ("3", "2"), ("4", "2"), ("3", "4"), ("4", "3")]
    ]
    for row in found:
        assert float(row["diff_low"]) <= float(row["difference"]) <= float(row["diff_high"])
        assert row["variant"] == "GNOME health 1 -> 2; CYCLONE cost 5 -> 6"


def test_a_table_says_what_each_deck_gains(capsys):
    assert main([*WHATIF, "--set", "TROLL.attack=9", "--format", "table"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Under greedy, deck 1 scores" in text
    assert "percentage points." in text


def test_no_difference_is_an_answer_and_says_what_could_have_been_seen(capsys):
    assert (
        main([*WHATIF, "--set", "GRRR.abilities+=Indestructible", "--decks", "2,3", "--format", "table"]) == 0
    )
    text = " ".join(capsys.readouterr().out.split())
    assert "no measurable difference; one of" in text
    assert main([*WHATIF, "--set", "TROLL.cost=6", "--format", "table"]) == 0
    assert "nothing about it changes" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "words",
    [
        ("--patch", "patch.toml"),
        ("--rule", "first_mana=7"),
        ("--swap", "1:TROLL=OGRE"),
        ("--in", "solo", "--set", "TROLL.cost=5", "--deck", "1", "--fixed", "8"),
        ("--in", "solo", "--patch", "patch.toml", "--level", "easy", "--deck", "draft,2", "--first", "ai"),
    ],
)
def test_a_report_with_its_folder_and_again(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patch.toml").write_text('[card.TROLL]\nabilities = ["Splash"]\n[swap.2]\nOGRE = "GRRR"\n')
    assert main([*WHATIF, *words, "--out", "out"]) == 0
    folder = tmp_path / "out"
    page = (folder / "report.md").read_text()
    assert page.startswith("# What if: ")
    assert {"whatif.csv", "whatif_decks.csv", "whatif_games.csv", "whatif_decks.png"} <= {
        path.name for path in folder.iterdir()
    }
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["changes"]
    assert manifest["experiment"] == "whatif"
    capsys.readouterr()
    (tmp_path / "patch.toml").unlink()  # a rerun uses the copy
    assert main(["rerun", "out", "--out", "again"]) == 0
    assert tables(folder) == tables(tmp_path / "again")


def test_games_that_end_otherwise_can_be_replayed(tmp_path, capsys):
    assert main([*WHATIF, "--set", "TROLL.cost=3", "--out", str(tmp_path / "out")]) == 0
    shown = rows((tmp_path / "out" / "whatif_games.csv").read_text())
    for kind in ("base", "changed"):
        path = tmp_path / "out" / f"whatif_{kind}.jsonl"
        for row in shown:
            trace = read_trace(path, int(row["game"]), [row["deck_a"], row["deck_b"]])
            winner = {0: "a", 1: "b", None: "draw"}[trace["result"]["winner"]]
            assert (winner, trace["result"]["turns"]) == (row[f"winner_{kind}"], int(row[f"turns_{kind}"]))
            assert trace["cards"]["TROLL"]["cost"] == {"base": 6, "changed": 3}[kind]


def test_games_are_added_and_another_change_is_refused(tmp_path, capsys):
    out = str(tmp_path / "out")
    change = ["--set", "TROLL.cost=3", "--decks", "1,2"]
    assert main([*WHATIF, *change, "--out", out]) == 0
    assert main(["whatif", "--policy=greedy", "--games", "1000", *change, "--out", out, "--resume"]) == 0
    added = tables(tmp_path / "out")
    shutil.rmtree(out)
    assert main(["whatif", "--policy=greedy", "--games", "1000", *change, "--out", out]) == 0
    assert tables(tmp_path / "out") == added
    capsys.readouterr()
    assert main([*WHATIF, "--set", "TROLL.cost=4", "--decks", "1,2", "--out", out, "--resume"]) == 2
    assert "it holds another run" in capsys.readouterr().err


def test_the_best_swap_is_named(capsys):
    command = ["whatif", "--policy=greedy", "--games", "40", "--swap", "1:TROLL=*", "--decks", "1,2"]
    assert main([*command, "--format", "table"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "the best swap is deck 1 TROLL -> " in text
    assert "of 24 swaps" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nothing is changed; expected a change of a card, a deck or a rule"),
        (("--set", "CYCLON.cost=6"), "Did you mean CYCLONE?"),
        (("--set", "CYCLONE.cots=6"), "Did you mean cost?"),
        (("--set", "CYCLONE.cost=99"), "cost is 99; expected a whole number from"),
        (("--patch", "none.toml"), "no patch file none.toml"),
        (("--swap", "1:TROLL=BARON"), "BARON is in deck 1 already"),
        (("--rule", "windo=5"), "Did you mean window?"),
        (("--set", "TROLL.cost=3", "--in", "duel"), "--in is 'duel'; expected matchups or solo"),
        (("--set", "TROLL.cost=3", "--deck", "1"), "--deck is for --in solo only"),
        (
            ("--set", "TROLL.cost=3", "--in", "solo", "--vs-policy", "greedy"),
            "--vs-policy is for --in matchups",
        ),
        (("--set", "TROLL.cost=3", "--decks", "2,3"), "TROLL is in none of the decks 2 and 3"),
    ],
)
def test_bad_input_is_told_in_one_line(capsys, words, message):
    assert main([*WHATIF, *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
