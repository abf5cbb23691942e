"""Tables of runs, damaged in every way: compared as what they say, or refused in one line that names them."""

import csv
import io
import json
import math

import pytest
from fuzzing import THOROUGHLY, changed, damaged, damaged_bytes, fuzz, run
from hypothesis import strategies as st

from clashsim.reporting.differences import table_differences

pytestmark = pytest.mark.jit

COMPARED = {
    "matchups": ("score_a", "score"),
    "pool": ("score", "score"),
    "first_player": ("score_first", "score_first"),
    "health": ("draw_rate", "draw_rate"),
    "ratings": ("elo", "elo"),
}
VERDICTS = {"balanced", "unbalanced", "undecided", "mirror"}


def number(text):
    try:
        value = float(text)
    except ValueError:
        return math.nan
    return value if text == text.strip() and "_" not in text and math.isfinite(value) else math.nan


def is_row(row, name):
    value, limits = COMPARED[name]
    needed = {value, f"{limits}_low", f"{limits}_high", "games", "deck_a" if "deck_a" in row else "deck"}
    if name == "matchups":
        needed |= {"verdict", "derived"}
    if not needed <= row.keys():
        return False
    low, middle, high = (number(row[key]) for key in (f"{limits}_low", value, f"{limits}_high"))
    games = number(row["games"])
    return (
        low <= middle <= high
        and (name == "ratings" or 0 <= low <= high <= 1)
        and games >= 0
        and games == int(games)
        and row.get("verdict", "mirror") in VERDICTS
        and row.get("derived", "true") in ("true", "false")
    )


def is_table(content, name):
    """Tell whether a table can be compared; its cells have the values and limits that they can have."""
    try:
        header, *rows = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
    except (ValueError, csv.Error):
        return False
    return (
        len(set(header)) == len(header)
        and all(len(row) == len(header) for row in rows)
        and all(is_row(dict(zip(header, row, strict=True)), name) for row in rows)
    )


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """Folders of two runs of three decks, of which the second is to be damaged."""
    place = tmp_path_factory.mktemp("pairs")
    for seed in (1, 2):
        out = place / str(seed)
        assert (
            run(
                "matchups",
                "--policy=greedy",
                "--decks",
                "1,2,3",
                "--games",
                "20",
                "--seed",
                seed,
                "--out",
                out,
            ).code
            == 0
        )
    return place


@THOROUGHLY
@pytest.mark.parametrize("name", COMPARED)
def test_a_table_has_the_numbers_it_can_have_or_is_refused(scale, name, pairs):
    path = pairs / "2" / f"{name}.csv"
    whole = path.read_bytes()

    def check(content):
        path.write_bytes(content)
        outcome = run("compare", pairs / "1", pairs / "2", "--table", name, "--format", "json")
        if not is_table(content, name):
            assert outcome.code == 2, content
            assert name in outcome.err
        if outcome.code == 0:
            assert all(math.isfinite(cell) for row in json.loads(outcome.out) for cell in numbers_of(row))

    def written(change):
        buffer = io.StringIO(newline="")
        rows = [row if isinstance(row, list) else [row] for row in change.value]
        csv.writer(buffer, lineterminator="\n").writerows(rows)
        return buffer.getvalue().encode("utf-8", "surrogatepass")

    rows = list(csv.reader(io.StringIO(whole.decode())))
    value, limits = COMPARED[name]
    used = {value, f"{limits}_low", f"{limits}_high", "games", "verdict", "derived", "deck", "deck_a"}
    columns = [place for place, column in enumerate(rows[0]) if column in used]
    cells = st.tuples(st.integers(0, len(rows) - 1), st.sampled_from(columns))
    try:
        assert is_table(whole, name)
        fuzz(check, 15 * scale, changed(rows, cells).map(written))
        fuzz(check, 4 * scale, changed(rows).map(written))
        fuzz(check, 4 * scale, damaged(whole))
    finally:
        path.write_bytes(whole)


def numbers_of(row):
    return [cell for cell in row.values() if isinstance(cell, int | float)]


@THOROUGHLY
@pytest.mark.parametrize("name", ["matchups.parquet", "matchups.csv", "plays.csv"])
def test_a_damaged_table_differs(scale, name, pairs, tmp_path):
    whole = (pairs / "1" / name).read_bytes()
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
    (tmp_path / "a" / name).write_bytes(whole)

    def check(content):
        (tmp_path / "b" / name).write_bytes(content)
        found = [line for one in table_differences(tmp_path / "a", tmp_path / "b") for line in one.lines()]
        assert bool(found) == (content != whole)
        assert all(line.startswith((name, "  ")) for line in found)

    fuzz(check, 40 * scale, damaged_bytes(whole))
    if name.endswith("csv"):
        fuzz(check, 20 * scale, damaged(whole))


def test_a_rerun_tells_a_damaged_table(pairs, tmp_path):
    path = pairs / "1" / "pool.csv"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"greedy", b"random", 1))
    try:
        outcome = run("rerun", pairs / "1", "--out", tmp_path / "again")
        assert outcome.code == 1
        assert "pool.csv" in outcome.out
    finally:
        path.write_bytes(whole)
