"""Files with stable bytes, honest errors, readable figures, a page whose links all lead somewhere."""

import io
import json
import re
from datetime import datetime, timedelta
from itertools import product

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from rich.console import Console

from clashsim.errors import InputError, OutputError
from clashsim.experiments.result import FigureSpec, Findings, Section
from clashsim.reporting.console import show
from clashsim.reporting.files import write_csv, write_parquet
from clashsim.reporting.manifest import build_manifest
from clashsim.reporting.page import render_page
from clashsim.reporting.plots import draw, heatmap, save, whiskers
from clashsim.reporting.publish import write_report
from clashsim.reporting.tables import format_table
from clashsim.running import files
from clashsim.running.files import open_folder, write_json, write_text


def make_findings():
    table = pd.DataFrame(
        {
            "side": ["red|green", "blue"],
            "score": [0.57142857, 0.42857143],
            "score_low": [0.55, 0.41],
            "score_high": [0.59, 0.45],
            "gain": [0.0712, -0.00001],
            "games": [12000, 12000],
            "mirror": [False, True],
        }
    )
    columns = {"side": "text", "score": "interval", "gain": "points", "games": "count", "mirror": "text"}
    matrix = {
        "matrix": [[np.nan, 0.57], [0.43, np.nan]],
        "half_widths": [[np.nan, 0.01], [0.01, np.nan]],
        "row_labels": ["red", "blue"],
        "column_labels": ["red", "blue"],
        "colour_label": "score",
    }
    sections = [
        Section("First impressions", ["Nothing to see."]),
        Section(
            "Scores",
            ["Red leads.", "Blue follows."],
            table,
            "scores",
            columns,
            FigureSpec("heatmap", "scores_map", "Scores", matrix),
        ),
    ]
    return Findings("Red and blue", "Who is better?", ["Red scores 57.1 %.", "Blue does not."], sections)


def make_manifest(seconds=3.0):
    plan = pd.DataFrame({"side": ["red", "blue"], "bonus": [np.nan, 2], "games": [12000, 12000]})
    details = {"rules": {"limit": 200, "mode": "on"}, "policies": ["greedy", "random"], "method": "Wilson"}
    details = {"seed": 7} | details
    manifest = build_manifest("colours", ["clashsim", "matchups", "--seed", "7"], {}, plan, details)
    return manifest | {"seconds": seconds, "games_per_second": round(24000 / seconds)}


def test_csv_bytes(tmp_path):
    frame = pd.DataFrame(
        {
            "name": ["a,b", "c"],
            "games": np.array([1, 2]),
            "rate": [2 / 3, -1e-9],
            "mirror": [True, False],
            "note": [None, "x"],
            "mean": [np.nan, 1.5],
        },
        index=[5, 6],
    )
    write_csv(frame, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == (
        b'name,games,rate,mirror,note,mean\n"a,b",1,0.666667,true,,\nc,2,0.000000,false,x,1.500000\n'
    )


def test_csv_of_no_rows_has_a_header(tmp_path):
    write_csv(pd.DataFrame({"a": [], "b": []}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b"a,b\n"


def test_nullable_integers_stay_integers(tmp_path):
    write_csv(pd.DataFrame({"n": pd.array([1, None], "Int64")}), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_bytes() == b'n\n1\n""\n'


def test_parquet_holds_what_csv_holds(tmp_path):
    frame = pd.DataFrame({"name": ["a", "b"], "rate": [2 / 3, -1e-9], "games": [1, 2]})
    write_parquet(frame, tmp_path / "t.parquet")
    back = pd.read_parquet(tmp_path / "t.parquet")
    assert back["rate"].tolist() == [0.666667, 0.0]
    assert not np.signbit(back["rate"]).any()
    assert back["games"].dtype == np.int64


def test_open_folder_creates_and_leaves_nothing_in_it(tmp_path):
    folder = open_folder(tmp_path / "new" / "deep")
    assert folder.is_dir()
    assert open_folder(folder) == folder
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("below", ["taken", "taken/inside/deep"])
def test_open_folder_names_the_file_in_the_way(tmp_path, below):
    (tmp_path / "taken").write_text("x")
    with pytest.raises(InputError, match=r"output folder .*taken is not a folder"):
        open_folder(tmp_path / below)


@pytest.mark.parametrize("name", ["", "n" * 300, "nul\0byte"])
def test_open_folder_refuses_impossible_names(tmp_path, name):
    path = f"{tmp_path}/{name}" if name else ""
    with pytest.raises(InputError, match="output folder"):
        open_folder(path)


def test_open_folder_tries_to_write(tmp_path, monkeypatch):
    def full(self, content):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(files.Path, "write_bytes", full)
    with pytest.raises(InputError, match="read-only file system"):
        open_folder(tmp_path)


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "report.md"
    write_text("old", path)

    def full(self, content):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files.Path, "write_bytes", full)
        with pytest.raises(OutputError, match=r"report\.md: no space left on device") as caught:
            write_text("new", path)
    assert caught.value.exit_code == 3
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.md"]


def test_a_vanished_folder_is_an_output_error(tmp_path):
    with pytest.raises(OutputError, match="can not write"):
        write_text("x", tmp_path / "gone" / "t.txt")


def test_manifest_is_plain_json_in_its_own_order(tmp_path):
    manifest = make_manifest()
    write_json(tmp_path / "manifest.json", manifest | {"counts": np.array([1, 2]), "n": np.int64(3)})
    back = json.loads((tmp_path / "manifest.json").read_text())
    assert list(back)[:6] == ["program", "version", "experiment", "command", "seed", "rules"]
    assert back["games"] == 24000
    assert back["games_per_second"] == 8000
    assert datetime.fromisoformat(back["started"]).utcoffset() == timedelta(0)
    assert back["plan"][0] == {"side": "red", "bonus": None, "games": 12000}
    assert (back["counts"], back["n"]) == ([1, 2], 3)


def test_table_cells():
    headings, rows, numeric = format_table(make_findings().sections[1])
    assert headings == ["Side", "Score", "Gain", "Games", "Mirror"]
    assert rows == [
        ["red|green", "57.1 % (55.0 to 59.0)", "+7.1", "12,000", "no"],
        ["blue", "42.9 % (41.0 to 45.0)", "+0.0", "12,000", "yes"],
    ]
    assert numeric == [False, True, True, True, False]


def test_missing_values_are_dashes():
    table = pd.DataFrame({"share": [np.nan], "share_low": [np.nan], "share_high": [np.nan], "turns": [None]})
    _, rows, _ = format_table(Section("", (), table, "", {"share": "interval", "turns": "number"}))
    assert rows == [["–", "–"]]


def test_all_columns_are_shown_when_none_is_named():
    table = pd.DataFrame({"name": ["a"], "games": [1234], "turns": [12.345]})
    _, rows, _ = format_table(Section("", (), table))
    assert rows == [["a", "1,234", "12.35"]] or rows == [["a", "1,234", "12.34"]]


def test_a_wrong_column_or_format_is_named():
    table = pd.DataFrame({"score": [0.5]})
    with pytest.raises(ValueError, match=r"no column 'scores'.*Did you mean score"):
        format_table(Section("", (), table, "", {"scores": "percent"}))
    with pytest.raises(ValueError, match=r"no format 'percents'.*Did you mean percent"):
        format_table(Section("", (), table, "", {"score": "percents"}))


def test_the_page_tells_answer_tables_and_origin():
    page = render_page(make_findings(), make_manifest())
    assert page.startswith(
        "# Red and blue\n\n**Question.** Who is better?\n\n**Answer.**\n\n- Red scores 57.1 %.\n- Blue"
    )
    assert "| red\\|green | 57.1 % (55.0 to 59.0) | +7.1 | 12,000 | no |" in page
    assert "- Command: `clashsim matchups --seed 7`" in page
    assert "- Rules: limit 200, mode on" in page
    assert "- Policies: greedy, random" in page
    assert "- Games: 24,000" in page


def test_the_page_does_not_depend_on_the_time_it_took():
    assert render_page(make_findings(), make_manifest(1.0)) == render_page(
        make_findings(), make_manifest(2.0)
    )


def test_a_report_contains_everything_that_its_page_links_to(tmp_path):
    write_report(make_findings(), tmp_path, make_manifest())
    links = re.findall(r"\]\(([^)]+)\)", (tmp_path / "report.md").read_text())
    assert sorted(links) == ["manifest.json", "scores.csv", "scores.parquet", "scores_map.png"]
    assert all((tmp_path / link).stat().st_size for link in links)
    assert (tmp_path / "scores_map.svg").exists()


def test_the_console_shows_answer_and_main_table():
    stream = io.StringIO()
    show(make_findings(), Console(file=stream, width=100))
    shown = stream.getvalue()
    assert "Red scores 57.1 %.\nBlue does not.\n" in shown
    assert re.search(r"red\|green +57.1 % \(55.0 to 59.0\) +\+7.1 +12,000 +no", shown)
    assert "\x1b" not in shown


def luminance(colour):
    """WCAG 2.1 relative luminance."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return np.dot(linear, [0.2126, 0.7152, 0.0722])


def test_heatmap_writes_readable_cells_and_greys_the_rest():
    rates = np.linspace(0, 1, 121).reshape(11, 11)
    rates[3, 3] = np.nan
    names = [f"number {k} with a long name" for k in range(11)]
    axes = heatmap(rates, np.full_like(rates, 0.0123), names, names, "title", "score").axes[0]
    cells = {text.get_position(): text for text in axes.texts}
    image = axes.images[0]
    assert len(cells) == 121
    assert cells[3, 3].get_text() == "–"
    for row, column in product(range(11), repeat=2):
        if (row, column) == (3, 3):
            continue
        text, rate = cells[column, row], rates[row, column]
        assert text.get_text() == f"{100 * rate:.1f}\n±1.2"
        light, dark = sorted([luminance(text.get_color()), luminance(image.cmap(image.norm(rate))[:3])])[::-1]
        assert (light + 0.05) / (dark + 0.05) > 4.5  # the WCAG's minimum for text


def test_heatmap_colours_are_centred():
    image = heatmap([[0.2, 0.6]], [[0.01, 0.01]], ["a"], ["b", "c"], "t", "score").axes[0].images[0]
    assert (image.norm.vmin, image.norm.vcenter, image.norm.vmax) == pytest.approx((0, 0.5, 1))


@pytest.mark.parametrize("size", [1, 2, 12])
def test_figures_have_labels_and_fit(size):
    names = [f"{k} with quite a long name, longer than any" for k in range(size)]
    rates = np.full((size, size), 0.5)
    np.fill_diagonal(rates, np.nan)
    plots = [
        heatmap(
            rates, rates / 100, names, names, "A title that is rather long " * 3, "score", 0.5, "one", "other"
        ),
        whiskers(names, rates[0], rates[0] - 0.1, rates[0] + 0.1, "title", "score", 0.5),
    ]
    for figure in plots:
        figure.draw_without_rendering()
        axes = figure.axes[0]
        assert axes.get_xlabel()
        drawn, paper = figure.get_tightbbox(), figure.bbox_inches.padded(0.01)
        assert paper.contains(drawn.x0, drawn.y0)
        assert paper.contains(drawn.x1, drawn.y1)


def test_whiskers_put_the_first_label_on_top():
    axes = whiskers(["first", "second"], [1, 2], [0, 1], [2, 3], "t", "turns", percent=False).axes[0]
    first, second = (axes.transData.transform((0, place))[1] for place in axes.get_yticks())
    assert first > second
    assert axes.get_xlabel() == "turns"


def test_saved_figures_are_the_same_bytes_every_time(tmp_path):
    spec = make_findings().sections[1].figure
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        save(draw(spec), tmp_path / name, "figure")
    for kind in ("png", "svg"):
        assert (tmp_path / f"one/figure.{kind}").read_bytes() == (
            tmp_path / f"two/figure.{kind}"
        ).read_bytes()
    assert "date" not in (tmp_path / "one/figure.svg").read_text().lower()
    assert matplotlib.rcParams["svg.hashsalt"] != "clashsim"
