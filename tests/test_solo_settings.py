"""The settings of a solo game, what they cost, and their levels (R38)."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clashsim.clash.solo_settings import (
    LEVELS,
    NO_BASTION_POINTS,
    PRESETS,
    PRICES,
    SoloSettings,
    all_settings,
    level_of,
    options_that_differ,
    points_of_level,
    settings_at,
    settings_from,
)
from clashsim.errors import InputError

EVERY = list(all_settings())
SETTINGS = st.sampled_from(EVERY)
ARABIC = NO_BASTION_POINTS["1"]

PRINTED = {
    "variable": [(1, 0), (2, 2)],
    "fixed": [(6, 0), (7, 1), (8, 2), (9, 3), (10, 4)],
    "first": [("player", 0), ("ai", 1)],
    "bastion": [(True, 0), (False, -1)],
    "resistance": [(False, 0), (True, 2)],
    "ability": [
        ("none", 0),
        *((name, 1) for name in ("splash", "perforation", "rage", "protection", "berserk")),
    ],
}
"""R38, written down a second time."""


def distribution(prices):
    """How many settings have each price: the product of the options' own distributions."""
    found = Counter({0: 1})
    for options in prices:
        further = Counter()
        for total, count in found.items():
            for price in options:
                further[total + price] += count
        found = further
    return found


@pytest.mark.parametrize("name", PRINTED)
def test_r38_each_option_at_its_price(name):
    for value, price in PRINTED[name]:
        assert replace(SoloSettings(), **{name: value}).points() == price
    assert [*PRICES[name]] == [value for value, _ in PRINTED[name]]


def test_r38_there_are_480_settings_of_minus_1_to_10_points():
    assert len(EVERY) == len(set(EVERY)) == 480
    assert {settings.points() for settings in EVERY} == set(range(-1, 11))


@given(SETTINGS)
def test_r38_the_prices_of_the_options_add_up(settings):
    parts = [dict(PRINTED[name])[value] for name, value in settings.as_dict().items()]
    assert settings.points() == sum(parts)
    assert settings.points(ARABIC) == settings.points() + 2 * (not settings.bastion)


@pytest.mark.parametrize("no_bastion", NO_BASTION_POINTS.values())
def test_r38_how_many_settings_have_each_price(no_bastion):
    own = [[price for _, price in options] for name, options in PRINTED.items() if name != "bastion"]
    expected = distribution([*own, [0, no_bastion]])
    assert Counter(settings.points(no_bastion) for settings in EVERY) == expected
    for points, count in expected.items():
        found = settings_at(points, no_bastion)
        assert len(set(found)) == len(found) == count
        assert {settings.points(no_bastion) for settings in found} == {points}


def test_r38_the_cheapest_and_the_dearest():
    assert settings_at(-1) == [SoloSettings(bastion=False)]
    dearest = SoloSettings(2, 10, "ai", resistance=True)
    abilities = list(PRICES["ability"])[1:]
    assert settings_at(10) == [replace(dearest, ability=ability) for ability in abilities]
    arabic = settings_at(11, ARABIC)
    assert arabic == [replace(dearest, bastion=False, ability=ability) for ability in abilities]


@pytest.mark.parametrize(
    ("points", "no_bastion", "expected"), [(-2, -1, "-1 to 10"), (11, -1, "-1 to 10"), (-1, 1, "0 to 11")]
)
def test_r38_a_price_that_no_setting_has(points, no_bastion, expected):
    with pytest.raises(
        InputError, match=rf"points is {points}; expected a whole number from {expected} \(R38\)"
    ):
        settings_at(points, no_bastion)


def test_r38_levels():
    assert LEVELS == {"Easy": 1, "Medium": 2, "Hard": 3, "Heroic": 4, "Mythic": 5}
    for name, points in LEVELS.items():
        assert level_of(points) == name
        assert points_of_level(name) == points_of_level(name.upper()) == points
    assert {level_of(points) for points in (-1, 0, *range(6, 12))} == {""}


def test_r38_an_unknown_level():
    expected = r"unknown level 'herioc'; expected Easy, Medium, Hard, Heroic, Mythic\. Did you mean Heroic\?"
    with pytest.raises(InputError, match=expected):
        points_of_level("herioc")


def test_the_order_of_all_settings_changes_the_last_option_first():
    places = [[list(PRICES[name]).index(value) for name, value in one.as_dict().items()] for one in EVERY]
    assert all(one < other for one, other in pairwise(places))
    assert EVERY[0] == SoloSettings() == PRESETS["quick"]


def test_r33_the_quick_game():
    assert (SoloSettings().variable, SoloSettings().fixed, SoloSettings().points()) == (1, 6, 0)


# ---- what is refused


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"variable": 3}, r"variable is 3; expected 1 or 2 \(R38\)\.$"),
        ({"variable": 0}, "variable is 0"),
        ({"fixed": 5}, r"fixed is 5; expected 6, 7, 8, 9 or 10 \(R38\)\.$"),
        ({"fixed": 11}, "fixed is 11"),
        ({"fixed": "7"}, "fixed is '7'"),
        ({"fixed": 7.0}, "fixed is 7.0"),
        ({"variable": True}, "variable is True"),
        ({"first": "Ai"}, r"first is 'Ai'; expected player or ai \(R38\)\. Did you mean ai\?"),
        ({"first": "plyer"}, r"Did you mean player\?"),
        ({"bastion": 1}, r"bastion is 1; expected true or false \(R38\)\.$"),
        ({"bastion": None}, "bastion is None"),
        ({"resistance": 0}, r"resistance is 0; expected false or true"),
        ({"resistance": "true"}, "resistance is 'true'"),
        (
            {"ability": "perforate"},
            "ability is 'perforate'; expected none, splash, perforation, rage, protection or berserk "
            r"\(R38\)\. Did you mean perforation\?",
        ),
        ({"ability": "sprint"}, "ability is 'sprint'"),  # no such option, though there is the ability
        ({"ability": ""}, "ability is ''"),
        ({"ability": ["rage"]}, "ability is "),
    ],
)
def test_a_value_outside_the_rulebook_is_refused(values, message):
    with pytest.raises(InputError, match=message):
        SoloSettings(**values)
    with pytest.raises(InputError, match=message):
        settings_from(values)


@pytest.mark.parametrize(
    ("values", "preset", "message"),
    [
        (
            {"fixd": 7},
            "quick",
            r"unknown solo setting 'fixd'; expected one of variable, .*Did you mean fixed\?",
        ),
        ({}, "quik", r"unknown preset 'quik'; expected quick\. Did you mean quick\?"),
    ],
)
def test_an_unknown_name_is_refused(values, preset, message):
    with pytest.raises(InputError, match=message):
        settings_from(values, preset)


# ---- told and taken apart


@given(SETTINGS)
def test_settings_are_made_from_what_they_say(settings):
    assert settings_from(settings.as_dict()) == settings
    changed = {name: settings.as_dict()[name] for name in options_that_differ(settings, SoloSettings())}
    assert settings_from(changed) == settings


@given(SETTINGS, SETTINGS)
def test_options_that_differ(one, other):
    names = options_that_differ(one, other)
    assert names == [name for name in PRICES if one.as_dict()[name] != other.as_dict()[name]]
    assert names == options_that_differ(other, one)


def test_each_setting_has_words_of_its_own():
    assert len({str(settings) for settings in EVERY}) == len(EVERY)
    assert str(SoloSettings()) == "mana 6 + 1 per creature"
    hard = SoloSettings(2, 8, "ai", bastion=False, resistance=True, ability="rage")
    assert str(hard) == "mana 8 + 2 per creature, AI first, no Bastion, resistance, rage"


def test_the_ability_as_cards_name_it():
    assert SoloSettings(ability="berserk").given == ("Berserk",)
    assert SoloSettings().given == ()
