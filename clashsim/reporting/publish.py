"""Write a complete report into a folder."""

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from clashsim.experiments.result import Findings
from clashsim.reporting.files import write_csv, write_parquet
from clashsim.reporting.manifest import NAME
from clashsim.reporting.page import render_page
from clashsim.running.files import write_json, write_text

PAGE = "report.md"


def write_report(findings: Findings, folder: Path, manifest: MutableMapping[str, Any]) -> None:
    """Write `report.md`, the sections' tables and figures, and `manifest.json` into a folder.

    Attachments are written as they are, tables as CSV and as Parquet, figures as PNG and SVG; the manifest's entry
    `files` gets their names, and what it named before is removed. The page comes last: where there is a `report.md`,
    everything it links to is there.
    """
    from clashsim.reporting.plots import draw, save  # drawing is slow to import

    (folder / PAGE).unlink(missing_ok=True)
    names: list[str] = []
    for section in findings.sections:
        if section.table is not None and section.name:
            write_csv(section.table, folder / f"{section.name}.csv")
            write_parquet(section.table, folder / f"{section.name}.parquet")
            names += [f"{section.name}.csv", f"{section.name}.parquet"]
        if section.figure:
            save(draw(section.figure), folder, section.figure.name)
            names += [f"{section.figure.name}.png", f"{section.figure.name}.svg"]
    for name, text in findings.attachments().items():
        if text:
            write_text(text, folder / name)
            names.append(name)
    for name in set(manifest.get("files", ())) - set(names):
        (folder / name).unlink(missing_ok=True)
    manifest["files"] = [*names, PAGE]
    write_json(folder / NAME, manifest)
    write_text(render_page(findings, manifest), folder / PAGE)
