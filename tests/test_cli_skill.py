"""Several policies on the command line: folders, files of weights, resuming, rerunning, comparing, tracing."""

import hashlib
import json
import re
from pathlib import Path

import pandas as pd
import pytest
from killing import contents

import clashsim.clash.policies as policies
from clashsim.cli.main import main

pytestmark = pytest.mark.jit

WEIGHTS = Path(policies.__file__).parent / "weights" / "tactician.toml"
THREE = ["matchups", "--decks", "2,3", "--policy", "random,greedy,tactician", "--games", "40"]


@pytest.fixture
def weights(tmp_path):
    """A weights file of one's own."""
    path = tmp_path / "my.toml"
    path.write_bytes(WEIGHTS.read_bytes())
    return path


def out(folder):
    return ["--out", str(folder)]


def test_three_policies_end_to_end(tmp_path, capsys):
    assert main([*THREE, *out(tmp_path / "run"), "--format", "table"]) == 0
    shown = capsys.readouterr().out
    headings = [f"Deck against deck, {name} players" for name in ("random", "greedy", "tactician")]
    places = [shown.index(heading) for heading in headings]
    assert places == sorted(places)
    page = (tmp_path / "run" / "report.md").read_text()
    assert page.index("## What changes with skill?") < page.index(headings[0])
    for name in re.findall(r"\]\(([^)]+)\)", page):
        assert (tmp_path / "run" / name).is_file()
    table = pd.read_csv(tmp_path / "run" / "matchups.csv")
    assert list(dict.fromkeys(table["policy_a"])) == ["random", "greedy", "tactician"]
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["policies"] == ["random", "greedy", "tactician"]
    assert (tmp_path / "run" / "skill.csv").is_file()
    assert main(["rerun", str(tmp_path / "run")]) == 0
    assert "Identical: all 16 table files" in capsys.readouterr().out


def test_an_interrupted_run_goes_on(tmp_path, monkeypatch, capsys):
    from clashsim.clash.duels import Duel

    command = ["matchups", "--decks", "2,3", "--policy", "random,greedy", "--games", "4000", "--jobs", "1"]
    tally = Duel.tally

    def interrupted(self, first_game, n_games):
        if self.policies[0].name == "greedy" and first_game > 100:
            raise KeyboardInterrupt
        return tally(self, first_game, n_games)

    with monkeypatch.context() as patch:
        patch.setattr(Duel, "tally", interrupted)
        assert main([*command, *out(tmp_path / "broken")]) == 130
    assert main([*command, *out(tmp_path / "broken"), "--resume"]) == 0
    assert re.search(r"24,000 games, 12,\d\d\d of them played", capsys.readouterr().err)
    assert main([*command, *out(tmp_path / "whole")]) == 0
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")


def test_a_weights_file_is_kept_and_a_changed_one_is_refused(weights, tmp_path, capsys):
    command = ["matchups", "--decks", "2", "--policy", f"greedy,tactician:{weights}", "--games", "4"]
    folder = tmp_path / "run"
    assert main([*command, *out(folder)]) == 0
    assert (folder / "inputs" / "my.toml").read_bytes() == weights.read_bytes()
    before = (folder / "manifest.json").read_bytes()
    assert list(json.loads(before)["policy_files"]) == ["tactician:my.toml"]
    capsys.readouterr()
    weights.write_text(f"{weights.read_text()}\n# mine\n")
    assert main([*command, *out(folder), "--resume", "--games", "8"]) == 2
    error = capsys.readouterr().err
    assert "holds another run" in error
    assert "policy_files.tactician:my.toml: " in error
    assert (folder / "manifest.json").read_bytes() == before
    assert main(["rerun", str(folder)]) == 0  # from the copy
    captured = capsys.readouterr()
    assert f"{weights} has changed since" in captured.err
    assert "Identical" in captured.out
    assert main([*command, *out(tmp_path / "other")]) == 0
    capsys.readouterr()
    assert (
        main(["compare", str(folder), str(tmp_path / "other"), "--table", "first_player", "--format", "csv"])
        == 0
    )
    captured = capsys.readouterr()
    assert "policy_files.tactician:my.toml" in captured.err + captured.out
    rows = pd.read_csv(tmp_path / "other" / "first_player.csv")
    assert len(rows) == 4


def test_a_file_is_replaced_by_its_copy_wherever_an_option_names_it(tmp_path):
    from clashsim.reporting.run_folder import resolved_options

    (tmp_path / "inputs").mkdir()
    inputs, copies = [], {}
    for given in ("./mine.py", r"C:\my.toml"):
        copy = tmp_path / "inputs" / f"{len(inputs)}.copy"
        copy.write_text(given)
        digest = hashlib.sha256(given.encode()).hexdigest()
        inputs.append({"given": given, "copy": f"inputs/{copy.name}", "sha256": digest})
        copies[given] = str(copy)
    named = ["greedy", "./mine.py:choose", r"tactician:C:\my.toml", "./mine.py", "tactician:other./mine.py"]
    options = resolved_options(tmp_path, {"inputs": inputs, "options": {"policy": named, "seed": 1}})
    mine, weights = copies.values()
    assert options["policy"] == ["greedy", f"{mine}:choose", f"tactician:{weights}", mine, named[-1]]


def test_runs_of_several_policies_are_compared_policy_by_policy(tmp_path, capsys):
    common = ["matchups", "--policy=greedy", "--decks", "2,3", "--games", "200"]
    for name, policy in (("both", "random,greedy"), ("one", "greedy"), ("again", "greedy,random")):
        assert main([*common, "--policy", policy, *out(tmp_path / name)]) == 0
    capsys.readouterr()
    for table in ("matchups", "pool", "first_player", "ratings"):
        words = ["--table", table, "--format", "csv"]
        assert main(["compare", str(tmp_path / "both"), str(tmp_path / "one"), *words]) == 0
        rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
        changes = {
            policy: {row[rows[0].index("change")] for row in rows[1:] if policy in row}
            for policy in ("random", "greedy")
        }
        assert changes["random"] == {"first run only"}
        assert changes["greedy"] <= {"same games", "mirror"}
        assert "same games" in changes["greedy"]
        assert main(["compare", str(tmp_path / "both"), str(tmp_path / "again"), *words]) == 0
        text = capsys.readouterr().out
        assert "only" not in text
        assert "not certain" not in text


def test_games_of_one_policy_of_a_run_are_traced(tmp_path, capsys):
    folder = tmp_path / "run"
    games = ["--games-out", str(tmp_path / "games.parquet")]
    command = [
        "matchups",
        "--decks",
        "2,3",
        "--policy",
        "random,greedy",
        "--games",
        "100",
        *out(folder),
        *games,
    ]
    assert main(command) == 0
    table = pd.read_parquet(tmp_path / "games.parquet")
    assert table.groupby(["policy_a", "deck_a", "deck_b"], observed=True).size().tolist() == [100] * 6
    capsys.readouterr()
    assert (
        main(["trace", "--run", str(folder), "--decks", "2,3", "--policy", "greedy", "--first-game", "7"])
        == 0
    )
    (trace,) = map(json.loads, capsys.readouterr().out.splitlines())
    game = table[(table["policy_a"] == "greedy") & (table["deck_a"] == "2") & (table["deck_b"] == "3")].iloc[
        7
    ]
    assert (trace["policies"], trace["game"]) == (["greedy", "greedy"], 7)
    assert trace["result"]["turns"] == game["turns"]
    assert main(["trace", "--run", str(folder), "--decks", "2,3"]) == 0
    traces = list(map(json.loads, capsys.readouterr().out.splitlines()))
    assert [one["policies"][0] for one in traces] == ["random", "greedy"]
    assert main(["trace", "--run", str(folder), "--policy", "tactician"]) == 2
    assert (
        "--policy tactician: the run did not play it; expected one of random, greedy"
        in capsys.readouterr().err
    )
    assert main(["trace", "--run", str(folder), "--where", "turns>3", "--limit", "4", "--out", "-"]) == 0
    assert "(greedy)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--policy", "greedy,,random"], "--policy has an empty entry"),
        (["--policy", "greedy,greedy"], "greedy is given twice"),
        (["--policy", "greedy,randm"], "Did you mean random?"),
        (["--policy", "greedy", "--vs-policy", "random,greedy"], "--vs-policy random,greedy: names several"),
        (["--policy", "tactician:nowhere.toml"], "nowhere.toml"),
    ],
)
def test_bad_lists_get_one_line(arguments, words, capsys):
    assert main(["matchups", "--policy=greedy", "--decks", "2", "--games", "2", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert words in captured.err
