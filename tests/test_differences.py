"""Where two run folders differ, and two manifests."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clashsim.errors import InputError
from clashsim.reporting.differences import MOST_LISTED, manifest_differences, table_differences
from clashsim.reporting.files import write_csv, write_parquet
from clashsim.reporting.read_tables import read_table

TABLE = pd.DataFrame(
    {
        "a": ["1", "1", "2", "2"],
        "b": ["1", "2", "1", "2"],
        "n": [10, 20, 30, 40],
        "rate": [0.5, 0.25, 0.75, 0.5],
        "sure": [True, False, False, True],
        "gap": [None, 1.5, None, 2.5],
    }
)


@pytest.fixture
def folders(tmp_path):
    """Two folders with the same tables."""
    pair = tmp_path / "one", tmp_path / "two"
    for folder in pair:
        folder.mkdir()
        write(TABLE, folder)
        (folder / "plot.png").write_bytes(bytes([len(folder.name), *folder.name.encode()]))
    (pair[1] / "plot.png").write_bytes(b"another picture")
    return pair


def write(table, folder):
    write_csv(table, folder / "scores.csv")
    write_parquet(table, folder / "scores.parquet")


def lines(folders):
    return [line for difference in table_differences(*folders) for line in difference.lines()]


def test_the_same_tables_do_not_differ_whatever_else_is_in_the_folders(folders):
    assert table_differences(*folders) == []


def test_a_cell_is_named_by_row_keys_and_column(folders):
    write(TABLE.assign(rate=[0.5, 0.25, 0.76, 0.5]), folders[1])
    csv, parquet = table_differences(*folders)
    assert (csv.file, csv.n_cells, csv.n_compared, csv.remarks) == ("scores.csv", 1, 24, [])
    assert csv.lines() == [
        "scores.csv: 1 of 24 cells differ",
        "  row 3 (a 2, b 1), rate: 0.750000 -> 0.760000",
    ]
    assert parquet.lines()[1] == "  row 3 (a 2, b 1), rate: 0.75 -> 0.76"


def test_a_missing_value_is_called_empty(folders):
    write(TABLE.assign(gap=[3.5, 1.5, None, 2.5]), folders[1])
    assert "  row 1 (a 1, b 1), gap: empty -> 3.500000" in lines(folders)


@settings(max_examples=20)
@given(changed=st.sets(st.tuples(st.integers(0, 39), st.integers(1, 3))))
def test_every_changed_cell_is_counted_and_the_first_are_listed(tmp_path_factory, changed):
    table = pd.DataFrame({"key": range(40)} | {f"column_{i}": range(40) for i in range(1, 4)}).astype(str)
    other = table.copy()
    for row, column in changed:
        other.iloc[row, column] += "!"
    folders = tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("two")
    for folder, frame in zip(folders, (table, other), strict=True):
        write_csv(frame, folder / "t.csv")
    found = table_differences(*folders)
    assert sum(difference.n_cells for difference in found) == len(changed)
    listed = [(cell.row - 1, cell.column) for difference in found for cell in difference.cells]
    assert listed == [(row, f"column_{column}") for row, column in sorted(changed)][:MOST_LISTED]
    text = lines(folders)
    assert bool(text) == bool(changed)
    assert any(line.strip().endswith("more") for line in text) == (len(changed) > MOST_LISTED)


def test_rows_are_matched_by_their_keys(folders):
    write_csv(TABLE.drop(index=1), folders[1] / "scores.csv")
    assert lines(folders) == [f"scores.csv: 1 row only in {folders[0]}: (a 1, b 2)"]


def test_rows_without_keys_are_matched_by_their_place(folders):
    table = pd.DataFrame({"x": ["1", "1"], "y": ["2", "2"]})
    write_csv(table, folders[0] / "scores.csv")
    write_csv(pd.concat([table, table]), folders[1] / "scores.csv")
    assert lines(folders) == [f"scores.csv: 2 rows in {folders[0]}, 4 in {folders[1]}"]


def test_another_order_and_another_column_are_said(folders):
    write_csv(TABLE.iloc[::-1], folders[1] / "scores.csv")
    assert lines(folders) == ["scores.csv: the rows are in another order"]
    write_csv(TABLE[["a", "b", "rate", "n", "sure", "gap"]], folders[1] / "scores.csv")
    assert lines(folders) == ["scores.csv: the columns are in another order"]
    write_csv(TABLE.drop(columns="n").assign(new=1), folders[1] / "scores.csv")
    assert lines(folders) == [
        f"scores.csv: 1 column only in {folders[0]}: n",
        f"scores.csv: 1 column only in {folders[1]}: new",
    ]


def test_other_bytes_for_the_same_cells_are_a_difference(folders):
    path = folders[1] / "scores.csv"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert lines(folders) == ["scores.csv: the same cells, but not the same bytes"]


def test_parquet_cells_keep_their_types(folders):
    names = TABLE.assign(a=pd.Categorical(TABLE["a"]), n=TABLE["n"].astype("int16"))
    write_parquet(names, folders[0] / "scores.parquet")
    write_parquet(
        names.assign(n=[10, 20, 31, 40], b=names["b"].astype("category")), folders[1] / "scores.parquet"
    )
    assert lines(folders) == ["scores.parquet: 1 of 24 cells differ", "  row 3 (a 2, b 1), n: 30 -> 31"]


def test_a_table_in_one_folder_only(folders):
    (folders[0] / "scores.parquet").unlink()
    write_csv(TABLE, folders[0] / "more.csv")
    assert lines(folders) == [f"more.csv: only in {folders[0]}", f"scores.parquet: only in {folders[1]}"]


DAMAGES = {
    "breaks off": lambda content: content[:-3],
    "empty": lambda content: b"",
    "row 2 has 7 cells": lambda content: content.replace(b"1,2,20", b"1,2,20,5"),
    "two columns 'a'": lambda content: content.replace(b"a,b,", b"a,a,"),
    "decode": lambda content: content.replace(b"true", b"\xff\xfe"),
}


@pytest.mark.parametrize(("reason", "damage"), DAMAGES.items(), ids=DAMAGES)
def test_a_damaged_table_is_named(folders, reason, damage):
    path = folders[1] / "scores.csv"
    path.write_bytes(damage(path.read_bytes()))
    (found,) = lines(folders)
    assert found.startswith(f"scores.csv: can not be compared: table {path}: ")
    assert reason in found


def test_a_damaged_parquet_file_or_a_folder_in_its_place_is_named(folders):
    path = folders[1] / "scores.parquet"
    path.write_bytes(b"PAR1 and nothing else")
    assert f"table {path}: " in lines(folders)[0]
    path.unlink()
    path.mkdir()
    assert f"table {path}: " in lines(folders)[0]


def test_no_folder_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="nowhere"):
        table_differences(tmp_path, tmp_path / "nowhere")


def test_a_table_is_read_as_it_was_written(folders):
    csv = read_table(folders[0] / "scores.csv")
    assert csv.iloc[0].tolist() == ["1", "1", "10", "0.500000", "true", ""]
    pd.testing.assert_frame_equal(read_table(folders[0] / "scores.parquet"), TABLE, check_dtype=False)


# ---- manifests

MANIFEST = {
    "program": "clashsim",
    "version": "1.0",
    "core": "abc",
    "command": ["clashsim", "x"],
    "seed": 1,
    "rules": {"window": 4, "limit": 200},
    "sets": {"one": ["A", "B", "C", "D"], "two": ["E", "F", "G", "H"]},
    "started": "2026-01-01",
    "seconds": 1.0,
    "libraries": {"numpy": "2.1", "scipy": "1.14"},
    "plan": [{"condition": 0, "games": 10}],
}


def test_the_same_settings_do_not_differ_whatever_the_circumstances():
    other = MANIFEST | {"command": ["clashsim", "y"], "started": "2027-01-01", "seconds": 9.0}
    assert manifest_differences(MANIFEST, other) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 2}, ["seed: 1 -> 2"]),
        ({"rules": {"window": 5, "limit": 200}}, ["rules.window: 4 -> 5"]),
        ({"rules": {"limit": 200}}, ["rules.window: 4 -> not given"]),
        (
            {"sets": {"one": ["A", "B", "X", "D"], "two": ["E", "F", "G", "H"]}},
            ["sets.one: without C; with X"],
        ),
        (
            {"sets": {"one": ["B", "A", "C", "D"], "two": ["E", "F", "G", "H"]}},
            ["sets.one: in another order: A, B, C, D -> B, A, C, D"],
        ),
        ({"sets": {"one": ["A", "B", "C", "D"]}}, ["sets.two: E, F, G, H -> not given"]),
        ({"plan": [{"condition": 1, "games": 10}]}, ["plan: other conditions, or in another order"]),
        ({"plan": [{"condition": 0, "games": 20}]}, []),
        (
            {"seed": 2, "version": "1.1", "core": "def", "libraries": {"numpy": "2.2", "scipy": "1.14"}},
            [
                "seed: 1 -> 2",
                "version: 1.0 -> 1.1",
                "core: abc -> def (the sources that decide the results are not the same)",
                "libraries.numpy: 2.1 -> 2.2",
            ],
        ),
    ],
)
def test_a_change_of_settings_in_words(change, words):
    assert manifest_differences(MANIFEST, MANIFEST | change) == words
