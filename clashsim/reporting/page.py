"""The report as a page of Markdown."""

import re
import shlex
from collections.abc import Mapping
from typing import Any

from clashsim.experiments.result import Findings, Section
from clashsim.reporting.tables import format_table, heading

LEFT_OUT = frozenset(
    {"started", "seconds", "games_per_second", "measured", "python", "platform", "libraries", "plan"}
    | {"options", "inputs", "files", "status", "games_file", "program"}
)
"""Entries that the page leaves out: times and machines, so that a rerun gives the same page."""

NOTHING = "None."
"""Instead of a table without rows."""


def render_page(findings: Findings, manifest: Mapping[str, Any]) -> str:
    """Return `report.md`: question, answer, sections with tables and figures, and how all of it was made."""
    parts = [
        f"# {_escape(findings.title)}",
        f"**Question.** {findings.question}",
        "**Answer.**",
        "\n".join(f"- {_escape(sentence)}" for sentence in findings.answer),
    ]
    for section in findings.sections:
        parts += _section(section)
    parts += ["## How this was made", _provenance(manifest)]
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> list[str]:
    parts = [f"## {section.heading}"]
    if section.sentences:
        parts.append(_escape(" ".join(section.sentences)))
    if section.table is not None:
        parts.append(_table(section) or NOTHING)
        if section.name:
            files = " and ".join(
                f"[{section.name}.{kind}]({section.name}.{kind})" for kind in ("csv", "parquet")
            )
            cut = section.shown is not None and len(section.shown) < len(section.table)
            rows = f"All {len(section.table):,} rows and columns" if cut else "All columns"
            parts.append(f"{rows}: {files}")
    if section.figure:
        parts.append(f"![{section.figure.title}]({section.figure.name}.png)")
    return parts


def _table(section: Section) -> str:
    headings, rows, numeric = format_table(section)
    if not rows:
        return ""
    lines = [headings, ["---:" if right else ":---" for right in numeric], *rows]
    return "\n".join(f"| {' | '.join(map(_escape, cells))} |" for cells in lines)


def _escape(text: str) -> str:
    """Write a text so that no name in it is taken for markup."""
    return re.sub(r"([\\`*_<>\[\]|$])", r"\\\1", text.replace("\n", " "))


def _provenance(manifest: Mapping[str, Any]) -> str:
    entries = [
        f"- {heading(name)}: {_words(name, value)}"
        for name, value in manifest.items()
        if name not in LEFT_OUT and value not in ([], {}, None)
    ]
    return "\n".join(
        [*entries, "- Everything else (times, libraries, conditions): [manifest.json](manifest.json)"]
    )


def _words(name: str, value: Any) -> str:
    if name == "command":
        return f"`{shlex.join(value).replace('`', '?')}`"
    if isinstance(value, Mapping) and any(isinstance(entry, list) for entry in value.values()):
        return "; ".join(f"{key}: {_words('', entry)}" for key, entry in value.items())
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_words('', entry)}" for key, entry in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_words("", entry) for entry in value)
    return f"{value:,}" if name == "games" else str(value)
