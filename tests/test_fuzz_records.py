"""Parts of a record store, damaged, renamed and mixed up: the file made from them is right, or a part is named."""

import shutil

import numpy as np
import pyarrow as pa
from fuzzing import THOROUGHLY, damaged_bytes, fuzz
from hypothesis import strategies as st

from clashsim.errors import OutputError
from clashsim.running import RecordStore


@THOROUGHLY
def test_records_are_those_that_were_put_or_are_named(scale, tmp_path):
    store = RecordStore(tmp_path / "parts")
    schema = pa.schema([("row", pa.int64()), ("game", pa.int64()), ("value", pa.int64())])
    values = {row: np.arange(6, dtype=np.int64) + 10 * row for row in (0, 1)}

    def put():
        store.clear()
        for row in values:
            for first in (0, 2, 4):
                store.put(row, first, values[row][first : first + 2])

    def to_arrow(row, first, records):
        games = np.arange(first, first + len(records))
        return pa.record_batch([np.full(len(records), row), games, records], schema=schema)

    def assembled():
        store.assemble(tmp_path / "games.parquet", [6, 6], to_arrow, schema)
        return (tmp_path / "games.parquet").read_bytes()

    put()
    whole = assembled()
    places = ["0-2", "2-2", "4-2", "0-4", "2-4", "0-6", "6-2", "0-0"]
    names = [f"{place}.npy" for place in (*places, f"0-{9**99}")]
    parts = st.tuples(st.sampled_from(["0", "1"]), st.sampled_from(names))
    content = damaged_bytes((store.folder / "0" / "0-2.npy").read_bytes())

    def check_content(content, part):
        put()
        (store.folder / part[0] / part[1]).write_bytes(content)
        check_whole()

    def check_places(part, other, move):
        put()
        (row, name), (other_row, other_name) = part, other
        source, target = store.folder / row / name, store.folder / other_row / other_name
        if source.exists() and source != target:
            (shutil.move if move else shutil.copyfile)(source, target)
        check_whole()

    def check_whole():
        try:
            games = assembled()
        except OutputError as error:
            games, message = whole, str(error)
        else:
            message = str(store.folder)
        assert games == whole
        assert str(store.folder) in message

    fuzz(check_content, 60 * scale, content, parts)
    fuzz(check_places, 60 * scale, parts, parts, st.booleans())
