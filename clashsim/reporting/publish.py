"""Write a complete report into a folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clashsim.experiments.result import Findings
from clashsim.reporting.files import write_csv, write_manifest, write_text
from clashsim.reporting.page import render_page


def write_report(findings: Findings, folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write `report.md`, the sections' tables and figures, and `manifest.json` into a folder.

    The page comes last: where there is a `report.md`, everything it links to is there.
    """
    from clashsim.reporting.plots import draw, save  # drawing is slow to import

    (folder / "report.md").unlink(missing_ok=True)
    for section in findings.sections:
        for kind in ("csv", "png", "svg"):  # of an earlier run, which may have had more
            (folder / f"{section.name}.{kind}").unlink(missing_ok=True)
        if section.table is not None and section.name:
            write_csv(section.table, folder / f"{section.name}.csv")
        if section.figure:
            save(draw(section.figure), folder, section.figure.name)
    write_manifest(folder / "manifest.json", manifest)
    write_text(render_page(findings, manifest), folder / "report.md")
