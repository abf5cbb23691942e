"""The rule switches: defaults, values, and what is refused."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.clash.abilities import ABILITIES, ABILITY_RULES, INCANTATION_ABILITIES, ability_text, aura_text
from clashsim.clash.rules import SWITCHES, Rules, parse_rules, rules_table
from clashsim.errors import InputError

DEFAULTS = {
    "first_mana": 6,
    "window": 4,
    "turn_limit": 200,
    "self_breach": "on",
    "ignored_uses_protection": "off",
    "protection_against": "sources",
    "ai_last_turn": "next",
    "resistance_reading": "minus_one",
    "no_bastion_points": "-1",
}


def test_defaults_are_the_rulings():
    assert parse_rules([]) == Rules()
    assert Rules().as_dict() == DEFAULTS
    assert Rules().changed() == {}


def test_every_switch_is_in_the_table():
    assert list(SWITCHES) == [field.name for field in fields(Rules)]
    solo = {"ai_last_turn", "resistance_reading", "no_bastion_points"}
    assert {name for name, switch in SWITCHES.items() if switch.solo} == solo
    assert {row["rule"]: row["default"] for row in rules_table()} == DEFAULTS
    assert {row["rule"] for row in rules_table() if row["games"] == "solo"} == solo


@given(st.fixed_dictionaries({}, optional={n: st.sampled_from(s.values) for n, s in SWITCHES.items()}))
def test_every_allowed_value_is_read(values):
    rules = parse_rules([f"{name}={value}" for name, value in values.items()], solo=True)
    assert rules.as_dict() == DEFAULTS | values
    assert rules.changed() == {n: v for n, v in values.items() if v != DEFAULTS[n]}
    assert Rules(**rules.changed()) == rules


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["windwo=5"], r"unknown rule 'windwo'; expected one of first_mana, .*Did you mean window\?"),
        (["window"], r"rule 'window': expected NAME=VALUE"),
        (["=5"], "unknown rule ''"),
        (["window=0"], r"rule window is 0; expected a whole number from 1 to 8 \(R4\)"),
        (["window=9"], "rule window is 9"),
        (["window=2.5"], "rule window is '2.5'"),
        (["window="], "rule window is ''"),
        (["first_mana=31"], "from 0 to 30"),
        (["turn_limit=0"], "from 1 to 10000"),
        (["turn_limit=99999999999999999999"], "from 1 to 10000"),
        (["self_breach=of"], r"rule self_breach is 'of'; expected on or off \(R19\)\. Did you mean off\?"),
        (["window=5", "window=5"], "rule window is given twice"),
        (["ai_last_turn=current"], r"ai_last_turn is for solo games only \(R36\)"),
        (["resistance_reading=minus_one"], r"resistance_reading is for solo games only \(R38\)"),
        (["no_bastion_points=1"], r"no_bastion_points is for solo games only \(R38\)"),
    ],
)
def test_bad_setting_is_refused(settings, message):
    with pytest.raises(InputError, match=message):
        parse_rules(settings)


@pytest.mark.parametrize(
    "values", [{"window": 9}, {"window": "4"}, {"window": 4.0}, {"window": True}, {"self_breach": 1}]
)
def test_rules_check_themselves(values):
    with pytest.raises(InputError, match=f"rule {next(iter(values))} is"):
        Rules(**values)


def test_abilities_are_the_seven_of_the_rulebook():
    assert ABILITIES == (
        "Splash",
        "Perforation",
        "Rage",
        "Protection",
        "Indestructible",
        "Berserk",
        "Sprint",
    )
    assert INCANTATION_ABILITIES == ("Splash", "Perforation")
    assert sorted(rule for rule, _ in ABILITY_RULES.values()) == [
        "R20",
        "R21",
        *(f"R{n}" for n in range(23, 28)),
    ]


def test_ability_texts_cite_their_rules():
    assert ability_text("Splash").startswith("Splash (R20): ")
    assert ability_text("Splash", "incantation").startswith("Splash (R22): ")
    assert aura_text("Sprint").startswith("Aura of Sprint (R29): ")
