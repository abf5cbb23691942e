"""The frame of the command line, and the commands `cards` and `card`."""

import csv
import io
import json
import os
import subprocess
import sys

import pandas as pd
import pytest

from clashsim import __version__
from clashsim.clash.cards import load_cards
from clashsim.cli import main as program
from clashsim.cli.main import main
from clashsim.cli.options import parse_decks, parse_games, parse_jobs, parse_seed
from clashsim.cli.output import show
from clashsim.errors import CheckFailed, InputError, OutputError


def run_process(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "clashsim.cli.main", *arguments], text=True, timeout=60, check=False, **options
    )


@pytest.fixture
def run(capsys):
    """Run the program; return its exit code, standard output and standard error."""

    def run(*arguments):
        code = main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return run


# The frame


def test_help_names_every_command(run):
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    assert "cards" in out
    assert "clashsim card TROLL" in out
    assert run() == (code, out, err)


def test_version(run):
    assert run("--version") == (0, f"clashsim {__version__}\n", "")


def test_help_imports_nothing_heavy():
    script = (
        "import sys\nfrom clashsim.cli.main import main\nmain(['--help'])\n"
        "heavy = {'numba', 'numpy', 'pandas', 'scipy', 'matplotlib', 'statsmodels', 'pyarrow'}\n"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["crads"], "No such command 'crads'. Did you mean 'cards'"),
        (["cards", "--chek"], "No such option: --chek (Possible options: --check"),
        (["cards", "--format", "xml"], "'xml' is not one of 'table', 'csv', 'json', 'toml'"),
        (["cards", "more"], "unexpected extra argument"),
        (["cards", "--cards"], "requires an argument"),
        (["card"], "Missing argument 'NAME'"),
        (["card", "trol"], "Did you mean TROLL?"),
        (["cards", "--cards", "starter"], "Did you mean starter-kit?"),
        (["cards", "--cards", "none.toml"], "no card set file none.toml"),
    ],
)
def test_wrong_input_is_one_line_on_stderr_and_exit_code_2(run, arguments, message):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("clashsim: error: ")
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (InputError("bad\nvalue"), 2, "clashsim: error: bad value\n"),
        (CheckFailed("not so"), 1, "clashsim: error: not so\n"),
        (OutputError("not written"), 3, "clashsim: error: not written\n"),
        (
            OSError(28, "No space left on device", "a.csv"),
            3,
            "clashsim: error: No space left on device: a.csv\n",
        ),
        (KeyboardInterrupt(), 130, "clashsim: stopped\n"),
    ],
)
def test_errors_become_exit_codes(run, monkeypatch, error, code, message):
    def fail(*_arguments, **_options):
        raise error

    monkeypatch.setattr("clashsim.cli.cards.load_cards", fail)
    assert run("cards") == (code, "", message)


def test_unforeseen_errors_are_not_hidden(monkeypatch):
    monkeypatch.setattr("clashsim.cli.cards.load_cards", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        program.main(["cards"])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk_is_exit_code_3():
    with open("/dev/full", "w") as full:
        done = run_process("cards", stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (
        3,
        "clashsim: error: No space left on device: standard output\n",
    )


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
@pytest.mark.parametrize("output_format", ["csv", "table", "toml"])
def test_reader_that_goes_away_is_no_error(output_format):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run_process("cards", "--format", output_format, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


# Shared options


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("1", 1),
        ("20000", 20_000),
        ("1_000_000", 10**6),
        ("100k", 10**5),
        ("2M", 2 * 10**6),
        (" 7 ", 7),
        (5, 5),
    ],
)
def test_games_are_read(text, games):
    assert parse_games(text) == games


@pytest.mark.parametrize(
    "text", ["0", "-5", "1.5", "1e6", "", "many", "2G", "1__0", "1000001M", "9" * 5000, "\u0663", "0k"]
)
def test_bad_games_are_refused(text):
    with pytest.raises(
        InputError, match=r"^--games is .*expected a whole number from 1 to 10+, such as 20000"
    ):
        parse_games(text)


def test_seed_jobs_and_decks():
    assert parse_seed("0") == 0
    assert parse_seed(str(2**63 - 1)) == 2**63 - 1
    assert parse_jobs(None) is None
    assert parse_jobs("2") == 2
    assert parse_decks([]) is None
    assert parse_decks(["1,2", "my deck.toml"]) == ["1", "2", "my deck.toml"]
    for wrong in (lambda: parse_seed(str(2**63)), lambda: parse_seed("1k"), lambda: parse_jobs("0")):
        with pytest.raises(InputError, match="expected a whole number from"):
            wrong()
    with pytest.raises(InputError, match="empty entry"):
        parse_decks(["1,,2"])


# Printing tables


def test_show_prints_frames_and_rows_alike(capsys):
    rows = [{"deck": "1", "rate": 1 / 3, "games": 10, "none": None, "sure": True}]
    show(pd.DataFrame(rows), "csv")
    assert capsys.readouterr().out == "deck,rate,games,none,sure\n1,0.333333,10,,true\n"
    show(rows, "csv")
    assert capsys.readouterr().out == "deck,rate,games,none,sure\n1,0.333333,10,,true\n"
    show(pd.DataFrame(rows), "json")
    expected = [{"deck": "1", "rate": 0.333333, "games": 10, "none": None, "sure": True}]
    assert json.loads(capsys.readouterr().out) == expected


def test_show_writes_no_nan_and_no_negative_zero(capsys):
    frame = pd.DataFrame({"rate": [float("nan"), -1e-9]})
    show(frame, "csv")
    assert capsys.readouterr().out == 'rate\n""\n0.000000\n'
    show(frame, "json")
    assert json.loads(capsys.readouterr().out) == [{"rate": None}, {"rate": 0.0}]


def test_table_cuts_nothing_and_reads_no_markup(capsys):
    show([{"name": "[bold]X" + "y" * 300, "number": 3}], "table")
    out = capsys.readouterr().out
    assert "[bold]X" + "y" * 300 in out
    assert "\x1b" not in out


def test_empty_table(capsys):
    show([], "json")
    assert json.loads(capsys.readouterr().out) == []


# cards and card


def test_cards_are_listed_as_csv_into_a_pipe(run):
    code, out, _ = run("cards")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert list(rows[0]) == ["name", "deck", "kind", "cost", "attack", "health", "abilities", "auras"]
    assert len(rows) == 32
    troll = next(row for row in rows if row["name"] == "TROLL")
    assert list(troll.values()) == ["TROLL", "1", "creature", "6", "3", "6", "Rage|Berserk", ""]


@pytest.mark.parametrize("output_format", ["csv", "toml"])
def test_printed_set_can_be_given_back(run, tmp_path, output_format):
    path = tmp_path / f"my-set.{output_format}"
    path.write_text(run("cards", "--format", output_format)[1], encoding="utf-8")
    assert load_cards(path).hash == load_cards("starter-kit").hash
    assert load_cards(path).decks.keys() == load_cards("starter-kit").decks.keys()


def test_table_shows_every_card(run):
    code, out, _ = run("cards", "--format", "table")
    assert code == 0
    assert all(card.name in out for card in load_cards("starter-kit").cards)
    assert "Sprint, Rage, Berserk, Perforation, Indestructible" in out


def test_json_has_lists_of_abilities(run):
    cards = {card["name"]: card for card in json.loads(run("cards", "--format", "json")[1])}
    assert cards["MACHINE"]["auras"] == ["Protection"]
    assert cards["BOOM!"]["health"] is None


def test_check_says_what_is_in_the_set(run, tmp_path):
    digest = load_cards("starter-kit").hash
    assert run("cards", "--check") == (0, f"OK: 32 cards, 4 decks (1, 2, 3, 4), hash {digest}\n", "")
    path = tmp_path / "one.csv"
    path.write_text("name,kind,cost,attack,health\nTROLL,creature,6,3,6\n")
    code, out, _ = run("cards", "--check", "--cards", str(path))
    assert code == 0
    assert out.startswith("OK: 1 card, 0 decks, hash ")


def test_card_in_full(run):
    code, out, _ = run("card", "aberration")
    lines = out.splitlines()
    assert code == 0
    assert lines[:2] == ["ABERRATION: creature, deck 4 of starter-kit", "cost 7, attack 2, health 4"]
    assert [line.split(":")[0] for line in lines[2:-1]] == [
        "Sprint (R27)",
        "Rage (R23)",
        "Berserk (R26)",
        "Perforation (R21)",
        "Indestructible (R25)",
    ]
    assert lines[-1] == "Source: printed face"


def test_incantation_and_aura_in_full(run):
    assert (
        "cost 6, damage 3\nPerforation (R22): "
        in run("card", "CYCLONE", "--cards", "starter-kit-community")[1]
    )
    assert "Aura of Protection (R29): " in run("card", "MACHINE")[1]


def test_rules_are_listed_with_their_values(run):
    code, out, _ = run("rules", "--format", "table")
    assert code == 0
    assert "window" in out
    assert "1-8" in out
    assert "sources or attacks" in out
