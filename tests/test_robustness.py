"""Faults once found by trying to break the program: each kind stays mended."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from processes import PATIENCE, running, wait_until

import clashsim as cs
from clashsim.clash.core import jit
from clashsim.cli.main import main
from clashsim.experiments.result import FigureSpec
from clashsim.reporting.plots import draw, save

COMMAND = [sys.executable, "-m", "clashsim.cli.main"]
DECK = ["ASSASSIN", "GNOME", "GRRR", "PARTISAN", "REPTILE", "SHAMAN", "VORTEX", "ZOMBIE"]


def deck_file(folder, name):
    path = folder / "deck.toml"
    path.write_text(f"name = {json.dumps(name, ensure_ascii=False)}\ncards = {DECK}", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["$\\frac$", "**bold** [x](y) <b> a|b", "🐉 日本", 'quo"te'])
def test_deck_names_are_only_names(tmp_path, capsys, name):
    out = tmp_path / "out"
    command = ["--decks", f"2,{deck_file(tmp_path, name)}", "--games", "2", "--out", str(out)]
    assert main(["matchups", "--policy=greedy", *command]) == 0
    assert capsys.readouterr().err.count("\n") <= 2
    written = pd.read_csv(out / "matchups.csv", dtype={"deck_a": str})
    assert name in set(written["deck_a"])
    page = (out / "report.md").read_text(encoding="utf-8")
    tables = [line for line in page.splitlines() if line.startswith("| ")]
    assert all("<b>" not in line.replace("\\<b\\>", "") for line in tables)


def test_a_deck_can_not_be_called_like_the_mean(tmp_path, capsys):
    assert (
        main(["matchups", "--policy=greedy", "--decks", f"1,{deck_file(tmp_path, 'all')}", "--games", "2"])
        == 2
    )
    assert "another name" in capsys.readouterr().err


def test_labels_of_a_figure_are_not_formulas(tmp_path):
    data = {"labels": ["$x"], "values": [0.5], "lows": [0.4], "highs": [0.6], "x_label": "$\\frac$"}
    save(draw(FigureSpec("whiskers", "figure", "a $ and a $", data)), tmp_path, "figure")
    assert (tmp_path / "figure.png").stat().st_size > 1000


def test_an_empty_output_folder_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["matchups", "--policy=greedy", "--games", "2", "--out", ""]) == 2
    assert "empty name" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="paths are bytes")
def test_a_path_need_not_be_text(tmp_path):
    out = os.fsencode(tmp_path) + b"/x\xff"
    done = subprocess.run(
        [*COMMAND, "matchups", "--policy=greedy", "--decks", "2", "--games", "2", "--out", out],
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    assert os.path.exists(out + b"/report.md")


def test_a_title_is_not_markup(tmp_path, capsys):
    assert main(["cards", "--format", "toml"]) == 0
    text = capsys.readouterr().out
    path = tmp_path / "set.toml"
    path.write_text("\n".join(['title = "[/x]"', *text.splitlines()[1:]]))
    assert main(["cards", "--cards", str(path), "--format", "table"]) == 0
    assert "[/x]" in capsys.readouterr().out


@pytest.mark.parametrize("number", ["0x" + "f" * 6000, "9" * 5000])
def test_numbers_of_thousands_of_digits_are_bad_input(tmp_path, capsys, number):
    path = tmp_path / "deck.toml"
    path.write_text(f"cards = {number}")
    assert main(["matchups", "--policy=greedy", "--decks", f"1,{path}", "--games", "2"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "set_int_max_str_digits" not in error


@pytest.mark.skipif(sys.platform != "linux", reason="needs a shell")
@pytest.mark.parametrize(
    ("closing", "code"),
    [
        ("matchups --decks 9 2>&-", 2),
        ("cards >&-", 0),
        ("matchups --decks 2 --games 3 --policy greedy 2>&-", 0),
    ],
)
def test_a_closed_stream_is_nowhere(closing, code):
    shell = f"exec {sys.executable} -m clashsim.cli.main {closing}"
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True)
    assert done.returncode == code
    assert "Traceback" not in done.stdout + done.stderr
    assert "error" not in done.stdout
    assert "rounded" not in done.stdout


def test_json_is_well_formed_whatever_the_encoding(tmp_path):
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    deck = deck_file(tmp_path, "é日")
    command = [
        *COMMAND,
        "matchups",
        "--policy=greedy",
        "--decks",
        str(deck),
        "--games",
        "2",
        "--format",
        "json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert json.loads(done.stdout)[0]["deck_a"] == "é日"


def test_the_table_is_printed_even_if_the_report_can_not_be_written(tmp_path, capsys):
    (tmp_path / "out" / "matchups.csv").mkdir(parents=True)
    assert (
        main(
            [
                "matchups",
                "--policy=greedy",
                "--decks",
                "2",
                "--games",
                "2",
                "--out",
                str(tmp_path / "out"),
                "--yes",
            ]
        )
        == 3
    )
    captured = capsys.readouterr()
    assert captured.out.startswith("deck_a,")
    assert "matchups.csv" in captured.err


@pytest.mark.parametrize("output_format", ["csv", "table"])
def test_the_report_is_written_even_if_nobody_reads_the_table(tmp_path, output_format):
    reading, writing = os.pipe()
    os.close(reading)
    options = ["--decks", "2", "--games", "2", "--format", output_format, "--out", str(tmp_path / "out")]
    try:
        done = subprocess.run(
            [*COMMAND, "matchups", "--policy=greedy", *options],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        os.close(writing)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert (tmp_path / "out" / "report.md").exists()


def test_nothing_of_an_earlier_run_is_left_in_the_report(tmp_path):
    command = ["--games", "2", "--out", str(tmp_path / "out")]
    assert main(["matchups", "--policy=greedy", "--decks", "1,2", *command]) == 0
    assert (tmp_path / "out" / "pool.png").exists()
    assert main(["matchups", "--policy=greedy", "--decks", "2", *command, "--yes"]) == 0
    assert not (tmp_path / "out" / "pool.png").exists()


@pytest.mark.jit
@pytest.mark.parametrize("content", [b"", b"garbage"])
def test_a_damaged_cache_is_made_anew(tmp_path, content):
    """The kernel in question is a small one of its own: the core itself takes a minute to compile."""
    script = tmp_path / "kernels.py"
    script.write_text(
        "from clashsim.clash.core.jit import kernel\n\n@kernel\ndef twice(x):\n    return 2 * x\n\nprint(twice(21))\n"
    )
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("NUMBA_CACHE_DIR", None)

    def run():
        return subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment)

    assert run().stdout == "42\n"
    kept = [path for path in (tmp_path / "cache").rglob("*.nb[ci]")]
    assert kept
    for path in kept:
        path.write_bytes(content)
    done = run()
    assert (done.returncode, done.stdout) == (0, "42\n")
    assert "damaged" in done.stderr
    assert run().stderr == ""


def test_without_a_home_nothing_is_cached(monkeypatch):
    monkeypatch.setattr(jit, "cache_folder", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    monkeypatch.setattr(jit._config, "DISABLE_JIT", 0)
    assert jit.is_cached() is False
    assert jit._make_cache_folder() is None


@pytest.mark.jit
@pytest.mark.skipif(sys.platform != "linux", reason="sends SIGTERM")
def test_sigterm_leaves_no_half_written_file(tmp_path):
    words = ["trace", "--policy=greedy", "--decks", "1,2", "--games", "1000000"]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with running(*COMMAND[1:], *words, "--out", str(tmp_path / "games.jsonl"), **silent) as process:
        wait_until(lambda: any(path.stat().st_size for path in tmp_path.iterdir()), process)
        process.terminate()
        assert process.wait(PATIENCE) == 143
    assert list(tmp_path.iterdir()) == []


def test_cards_made_in_python_are_checked_too():
    kit = cs.load_cards()
    absurd = replace(kit, cards=(replace(kit.cards[0], cost=99), *kit.cards[1:]))
    with pytest.raises(cs.InputError, match="cost is 99"):
        cs.matchups(games=2, cards=absurd, policy="greedy")
    unknown = replace(kit, cards=(replace(kit.cards[0], abilities=("Flying",)), *kit.cards[1:]))
    with pytest.raises(cs.InputError, match="Flying"):
        cs.matchups(games=2, cards=unknown, policy="greedy")


def test_decks_may_be_deck_objects_and_numbers_may_be_numpys():
    decks = list(cs.load_cards().decks.values())[:2]
    result = cs.matchups(decks, games=np.int64(4), seed=np.int64(2), policy="greedy")
    assert list(result.matchups["wins_a"]) == list(
        cs.matchups(["1", "2"], games=4, seed=2, policy="greedy").matchups["wins_a"]
    )


@pytest.mark.parametrize(
    "arguments",
    [{"decks": "12"}, {"decks": 1}, {"decks": {"1": DECK}}, {"policy": 5}, {"rules": {"window": 5}}],
)
def test_arguments_of_the_wrong_type_are_named(arguments):
    with pytest.raises(cs.InputError, match=next(iter(arguments))):
        cs.matchups(**({"games": 2, "policy": "greedy"} | arguments))


def test_a_link_in_the_way_is_named(tmp_path, capsys):
    if not hasattr(os, "symlink") or not shutil.which("ls"):
        pytest.skip("needs links")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert main(["matchups", "--policy=greedy", "--games", "2", "--out", str(tmp_path / "loop")]) == 2
    assert f"{tmp_path / 'loop'} is not a folder" in capsys.readouterr().err
