"""The ladder as shipped: what a run of `policies ladder` found, recorded in the package, and the list that shows it."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

import clashsim
from clashsim.clash.cards import load_cards
from clashsim.clash.core.jit import source_digest
from clashsim.clash.policies import LADDER, POLICIES, WEIGHING
from clashsim.errors import InputError
from clashsim.experiments.ladder_findings import plain_speed
from clashsim.experiments.result import Findings, Section
from clashsim.experiments.words import interval

RECORD = Path(clashsim.__file__).parent / "clash" / "data" / "ladder.json"
YARDSTICK = "greedy"  # speeds are told as ratios to its own

_RECORDED = (
    *("elo", "elo_low", "elo_high", "below"),
    *("score_below", "score_below_low", "score_below_high"),
)
POLICY_COLUMNS = ("policy", *_RECORDED, "games", "games_per_second", "times_slower", "summary")


def record_of(manifest: Mapping[str, Any], ladder: pd.DataFrame) -> dict[str, Any]:
    """Return what is recorded of a finished run of the shipped ladder.

    Parameters
    ----------
    manifest : mapping
        Of the run.
    ladder : DataFrame
        Its table `ladder`.

    Raises
    ------
    InputError
        The run is no ladder of exactly the shipped policies with the shipped decks and rules.
    """
    options = manifest["options"]
    if manifest["experiment"] != "ladder" or not manifest["measured"]:
        raise InputError(f"it is a run of {manifest['experiment']}; expected one of policies ladder")
    if sorted(ladder["policy"]) != sorted(LADDER):
        raise InputError(f"its policies are {', '.join(ladder['policy'])}; expected {', '.join(LADDER)}")
    if options["decks"] or options["rule"] or options["cards"] != "starter-kit":
        raise InputError("it has decks, cards or rules of its own; expected those that are shipped")
    rows = ladder.astype(object).where(ladder.notna(), None).to_dict("records")
    return {
        "version": manifest["version"],
        "sources": manifest["core"],
        "seed": manifest["seed"],
        "games": options["games"],
        "policies": {row["policy"]: {name: row[name] for name in _RECORDED} for row in rows},
        "speed": manifest["measured"]["speed"],
    }


@cache
def recorded() -> dict[str, Any]:
    """Return the record in the package."""
    return json.loads(RECORD.read_text("utf-8"))


def policies_table(record: Mapping[str, Any] | None = None) -> pd.DataFrame:
    """Return one row per policy that has a name: the ladder, the strongest first, then those without a record.

    `record` is the one in the package by default.
    """
    record = recorded() if record is None else record
    known, speeds = record["policies"], record["speed"]
    order = [*(name for name in known if name in POLICIES), *(name for name in POLICIES if name not in known)]
    yardstick = speeds[YARDSTICK]["games_per_second"]
    rows = []
    for name in order:
        row: dict[str, Any] = {"policy": name, **dict.fromkeys(_RECORDED), **known.get(name, {})}
        row["games"] = record["games"] if name in known else None
        speed = speeds[name]["games_per_second"] if name in known else None
        row["games_per_second"] = speed
        row["times_slower"] = None if speed is None else float(f"{yardstick / speed:.3g}")
        rows.append(row | {"summary": POLICIES[name].summary})
    table = pd.DataFrame(rows, columns=POLICY_COLUMNS).astype({"games": "Int64", "below": object})
    numbers = [name for name in (*_RECORDED, "games_per_second", "times_slower") if name != "below"]
    return table.astype(dict.fromkeys(numbers, float)).assign(below=table["below"].fillna(""))


def policies_findings(record: Mapping[str, Any] | None = None) -> Findings:
    """Return the list of policies for people."""
    record = recorded() if record is None else record
    table = policies_table(record)
    origin = (
        f"Recorded by version {record['version']} with {record['games']:,} games per pair of policies over all decks "
        f"of {load_cards().name}, seed {record['seed']}; speeds on one thread of the machine that recorded them."
    )
    weighing = f"These are duels; in solo games {' and '.join(WEIGHING)} play with weights of their own."
    return Findings(
        title="The ladder of policies, the strongest first",
        question="Which policies are there, how strong and how fast is each?",
        answer=[f"{row['policy']}: {row['summary']}" for _, row in table.iterrows()],
        sections=[Section("", [origin, weighing, *is_outdated(record)], shown=_in_words(table), table=table)],
    )


def is_outdated(record: Mapping[str, Any]) -> list[str]:
    """Say it if the sources of game and policies are no longer those that were recorded."""
    if record["sources"] == source_digest():
        return []
    return [
        "Game or policies have changed since: the figures may no longer hold (clashsim policies ladder measures anew)."
    ]


def _in_words(table: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "policy": row["policy"],
            "elo": ""
            if pd.isna(row["elo"])
            else f"{row['elo']:+.0f} ({row['elo_low']:+.0f} to {row['elo_high']:+.0f})",
            "score_against_the_rung_below": f"{interval(row, 'score_below')} against {row['below']}"
            if row["below"]
            else "",
            "games_per_second": _speed(row["games_per_second"]),
            f"times_slower_than_{YARDSTICK}": _speed(row["times_slower"]),
        }
        for _, row in table.iterrows()
    )


def _speed(value: float) -> str:
    return "" if pd.isna(value) else plain_speed(value)
