"""Records in parts and in one file: the same bytes however the games were cut; what is damaged is named."""

import resource
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clashsim.errors import OutputError
from clashsim.running.records import RecordStore

RECORD = np.dtype([("winner", np.int8), ("turns", np.uint16)])
SCHEMA = pa.schema(
    [
        pa.field("game", pa.int64(), nullable=False),
        pa.field("name", pa.dictionary(pa.int32(), pa.string()), nullable=False),
        pa.field("turns", pa.int16()),
    ]
)


def records_of(row, first, stop):
    """Records that tell which game they belong to."""
    games = np.arange(first, stop)
    records = np.empty(stop - first, RECORD)
    records["winner"], records["turns"] = games % 3 - 1, games * 7 % 1000 + row
    return records


def to_arrow(row, first_game, records):
    games = pa.array(np.arange(first_game, first_game + len(records)))
    codes = pa.array(np.zeros(len(records), np.int32))
    turns = pa.array(records["turns"].astype(np.int16), mask=records["winner"] < 0)
    names = pa.DictionaryArray.from_arrays(codes, pa.array([f"condition {row}"]))
    return pa.RecordBatch.from_arrays([games, names, turns], schema=SCHEMA)


def expected(rows_games):
    batches = [to_arrow(row, 0, records_of(row, 0, games)) for row, games in enumerate(rows_games)]
    return pa.Table.from_batches(batches, SCHEMA).to_pylist()


def fill(store, rows_games, length=10**9):
    for row, games in enumerate(rows_games):
        for first in range(0, games, length):
            store.put(row, first, records_of(row, first, min(first + length, games)))


def assemble(store, path, rows_games, **options):
    store.assemble(path, rows_games, to_arrow, SCHEMA, **options)
    return path.read_bytes()


def read(path):
    return pq.read_table(path).to_pylist()


@st.composite
def cuttings(draw):
    """Numbers of games per row, and parts (row, first, stop) that cover them, some twice, in any order."""
    rows_games = draw(st.lists(st.integers(0, 60), min_size=1, max_size=4))
    parts = []
    for row, games in enumerate(rows_games):
        cuts = sorted({0, games, *draw(st.lists(st.integers(0, games), max_size=8))})
        parts += [(row, first, stop) for first, stop in pairwise(cuts)]
        spans = st.tuples(st.integers(0, games + 5), st.integers(0, games + 5))
        parts += [(row, min(span), max(span)) for span in draw(st.lists(spans, max_size=3))]
    return rows_games, draw(st.permutations(parts))


@settings(max_examples=60)
@given(cuttings(), st.integers(1, 50))
def test_the_file_is_the_same_for_any_parts(tmp_path_factory, cutting, group_size):
    rows_games, parts = cutting
    folder = tmp_path_factory.mktemp("store")
    whole, cut = RecordStore(folder / "whole"), RecordStore(folder / "cut")
    fill(whole, rows_games)
    for row, first, stop in parts:
        cut.put(row, first, records_of(row, first, stop))
    files = [
        assemble(store, folder / f"{number}.parquet", rows_games, ascending=["game"], group_size=group_size)
        for number, store in enumerate((whole, cut))
    ]
    assert files[0] == files[1]
    assert read(folder / "1.parquet") == expected(rows_games)


def test_row_groups_have_a_fixed_size(tmp_path):
    store = RecordStore(tmp_path / "store")
    fill(store, [70, 0, 50], length=9)
    assemble(store, tmp_path / "games.parquet", [70, 0, 50], group_size=32)
    file = pq.ParquetFile(tmp_path / "games.parquet")
    assert [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)] == [
        32,
        32,
        32,
        24,
    ]
    assert file.schema_arrow.equals(SCHEMA)


def test_few_records_are_in_memory_at_a_time(tmp_path):
    sizes = []

    def watched(row, first_game, records):
        sizes.append(len(records))
        return to_arrow(row, first_game, records)

    store = RecordStore(tmp_path / "store")
    fill(store, [1000, 1000], length=300)
    store.assemble(tmp_path / "games.parquet", [1000, 1000], watched, SCHEMA, group_size=64)
    assert max(sizes) <= 64
    assert sum(sizes) == 2000


def test_ranges_tell_which_games_are_there(tmp_path):
    store = RecordStore(tmp_path / "store")
    assert store.ranges(0) == []
    for first, stop in ((16, 40), (0, 2), (2, 16), (50, 60), (52, 54), (55, 66), (70, 70)):
        store.put(3, first, records_of(3, first, stop))
    assert store.ranges(3) == [(0, 40), (50, 66)]
    assert store.ranges(0) == []


def test_no_games_make_a_file_without_rows(tmp_path):
    assemble(RecordStore(tmp_path / "store"), tmp_path / "games.parquet", [])
    assert pq.read_table(tmp_path / "games.parquet").equals(SCHEMA.empty_table())


def test_games_beyond_the_last_one_are_left_out(tmp_path):
    store = RecordStore(tmp_path / "store")
    fill(store, [40], length=16)
    assemble(store, tmp_path / "games.parquet", [21])
    assert read(tmp_path / "games.parquet") == expected([21])


def test_what_else_lies_in_the_folder_is_no_part(tmp_path):
    store = RecordStore(tmp_path / "store")
    fill(store, [20])
    for name in (".0-20.npy.77.part", "notes.txt", "0-30.npy.bak"):
        (store.folder / "0" / name).write_bytes(b"half a part")
    assert store.ranges(0) == [(0, 20)]
    assemble(store, tmp_path / "games.parquet", [20])


def test_clear_removes_the_parts(tmp_path):
    store = RecordStore(tmp_path / "store")
    store.clear()
    fill(store, [20, 20])
    store.clear()
    assert not store.folder.exists()
    assert store.ranges(0) == []


@pytest.mark.parametrize(
    ("parts", "missing"),
    [
        ([], "games 0 to 99"),
        ([(0, 40)], "games 40 to 99"),
        ([(10, 100)], "games 0 to 9"),
        ([(0, 40), (60, 100)], "games 40 to 59"),
        ([(0, 40), (10, 30), (41, 100)], "games 40 to 40"),
        ([(0, 40), (200, 300)], "games 40 to 99"),
    ],
)
def test_missing_games_are_named(tmp_path, parts, missing):
    store = RecordStore(tmp_path / "store")
    fill(store, [100])
    for first, stop in parts:
        store.put(1, first, records_of(1, first, stop))
    (tmp_path / "games.parquet").write_bytes(b"mine")
    with pytest.raises(OutputError, match=f"{store.folder / '1'}: no records of {missing}; .* 0 to 99"):
        assemble(store, tmp_path / "games.parquet", [100, 100])
    assert (tmp_path / "games.parquet").read_bytes() == b"mine"


def damaged_contents(content):
    """Everything that can become of a part: cut off, empty, longer, or with one byte changed."""
    places = st.integers(0, len(content) - 1)
    return st.one_of(
        places.map(lambda length: content[:length]),
        st.binary(min_size=1, max_size=20).map(lambda more: content + more),
        st.tuples(places, st.integers(1, 255)).map(
            lambda change: (
                content[: change[0]] + bytes([content[change[0]] ^ change[1]]) + content[change[0] + 1 :]
            )
        ),
    )


@settings(max_examples=60)
@given(st.data())
def test_any_damage_to_a_part_is_named(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("Store")
    store = RecordStore(folder / "store")
    fill(store, [48], length=16)
    part = store.folder / "0" / "16-16.npy"
    part.write_bytes(data.draw(st.just(b"\0" * 4) | damaged_contents(part.read_bytes())))
    with pytest.raises(OutputError) as raised:
        assemble(store, folder / "games.parquet", [48])
    assert str(raised.value).startswith(f"{part} is damaged: ")
    assert [path.name for path in folder.iterdir()] == ["store"]


def test_a_part_under_another_name_is_named(tmp_path):
    store = RecordStore(tmp_path / "store")
    fill(store, [16])
    (store.folder / "0" / "0-16.npy").rename(store.folder / "0" / "0-20.npy")
    with pytest.raises(OutputError, match=r"0-20\.npy is damaged: .*expected \(20,\)"):
        assemble(store, tmp_path / "games.parquet", [16])


def test_a_part_is_an_array_that_numpy_reads(tmp_path):
    store = RecordStore(tmp_path / "store")
    store.put(0, 4, records_of(0, 4, 9))
    part = store.folder / "0" / "4-5.npy"
    np.testing.assert_array_equal(np.load(part), records_of(0, 4, 9))
    content = part.read_bytes()
    assert int.from_bytes(content[-4:], "little") == zlib.crc32(content[:-4] + b"0/4")


def test_objects_are_not_kept(tmp_path):
    with pytest.raises(ValueError, match="allow_pickle"):
        RecordStore(tmp_path / "store").put(0, 0, np.array([{}, {}], object))
    assert not (tmp_path / "store").exists()


@contextmanager
def small_disk() -> Iterator[None]:
    """Let no file grow beyond some kilobytes; as on a full disk, writing fails in the middle.

    Not a fixture: pytest writes its progress before fixtures end, maybe into a long file.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_loses_nothing(tmp_path):
    store = RecordStore(tmp_path / "store")
    fill(store, [60_000], length=4000)
    too_many = records_of(0, 0, 60_000)
    with (
        pytest.raises(OutputError, match=r"can not write .*0-60000\.npy: "),
        small_disk(),
    ):
        store.put(0, 0, too_many)
    assert store.ranges(0) == [(0, 60_000)]
    (tmp_path / "games.parquet").write_bytes(b"mine")
    with (
        pytest.raises(OutputError, match=r"can not write .*games\.parquet: file too large"),
        small_disk(),
    ):
        assemble(store, tmp_path / "games.parquet", [60_000], group_size=5000)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.parquet", "store"]
    assert (tmp_path / "games.parquet").read_bytes() == b"mine"
    assert store.ranges(0) == [(0, 60_000)]


def test_a_file_in_the_way_of_the_folder_is_named(tmp_path):
    (tmp_path / "store").write_text("")
    with pytest.raises(OutputError, match="store/2: not a directory"):
        RecordStore(tmp_path / "store").put(2, 0, records_of(2, 0, 4))


def test_an_impossible_path_is_named(tmp_path):
    store = RecordStore(tmp_path / "store")
    fill(store, [4])
    with pytest.raises(OutputError, match=r"none/games\.parquet: no such file"):
        assemble(store, tmp_path / "none" / "games.parquet", [4])


def test_a_link_stays_one(tmp_path):
    store = RecordStore(tmp_path / "store")
    fill(store, [4])
    (tmp_path / "link.parquet").symlink_to(tmp_path / "real.parquet")
    assemble(store, tmp_path / "link.parquet", [4])
    assert (tmp_path / "link.parquet").is_symlink()
    assert pq.read_table(tmp_path / "real.parquet").num_rows == 4
