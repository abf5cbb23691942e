"""Searching games: the descriptions that are understood, and that exactly the games that fit are found."""

import operator

import numpy as np
import pytest
from coregames import duel_of, random_duel
from hypothesis import given, settings
from hypothesis import strategies as st

from clashsim.clash.core.duel import OUTCOME
from clashsim.clash.core.state import NO_WINNER
from clashsim.clash.trace import Tracer
from clashsim.errors import InputError
from clashsim.experiments.game_records import WORDS, pack, to_arrow
from clashsim.experiments.game_search import NAMES, GameSearch, Stretch, Where, find_games

EQUALITY = {"=": operator.eq, "!=": operator.ne}
ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
BASTIONS = ("bastion_a_turn", "bastion_b_turn")


def fits(row, name, sign, value):
    """Whether a row of the table of games fits one comparison."""
    if sign in ORDER:
        return row[name] is not None and ORDER[sign](row[name], value)
    return EQUALITY[sign](row[name], value)


@st.composite
def comparisons(draw):
    name = draw(st.sampled_from(NAMES))
    if name in WORDS:
        value = draw(st.sampled_from(WORDS[name]))
    else:
        value = draw(st.integers(0, 40) | st.sampled_from([10**6, 10**12]))
        value = draw(st.sampled_from([value, value, None])) if name in BASTIONS else value
    with_order = name not in WORDS and value is not None
    return name, draw(st.sampled_from([*EQUALITY, *(ORDER if with_order else ())])), value


games = st.tuples(
    st.sampled_from([0, 1, NO_WINNER]), st.integers(1, 40), st.integers(0, 40), st.integers(0, 40)
)
spaces = st.sampled_from(["", " ", "  "])


@settings(max_examples=300)
@given(
    st.lists(comparisons(), min_size=1, max_size=3),
    st.lists(games, min_size=1, max_size=30),
    st.integers(0, 40),
    spaces,
)
def test_matches_are_the_rows_that_fit_every_comparison(wanted, rows, first_game, space):
    outcomes = np.zeros(len(rows), OUTCOME)
    for place, (winner, turns, *fell) in enumerate(rows):
        outcomes[place]["winner"], outcomes[place]["turns"] = winner, turns
        outcomes[place]["bastion_fell"] = fell
    text = ",".join(
        space.join(["", name, sign, "none" if value is None else str(value), ""])
        for name, sign, value in wanted
    )
    table = to_arrow(duel_of("1", "2"), first_game, pack(outcomes)).to_pylist()
    expected = [all(fits(row, *comparison) for comparison in wanted) for row in table]
    assert Where.parse(text).matches(outcomes, first_game).tolist() == expected


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", ["--where is empty", "winner=b,turns>60"]),
        ("  ", ["--where is empty"]),
        ("winner=a,", ["--where 'winner=a,': a comma too many"]),
        ("winer=a", ["name is 'winer'", "starter, winner, reason", "Did you mean winner?"]),
        ("=a", ["name is ''"]),
        ("turns", ["no operator", "= != < <= > >="]),
        ("turns==3", ["operator is '=='", "Did you mean =?"]),
        ("turns=>3", ["operator is '=>'"]),
        ("turns<>3", ["operator is '<>'"]),
        ("winner=c", ["winner is 'c'; expected one of a, b, draw."]),
        ("winner=drawn", ["winner is 'drawn'", "Did you mean draw?"]),
        ("winner=", ["winner is ''"]),
        ("reason=limit", ["Did you mean turn_limit?"]),
        ("starter=draw", ["starter is 'draw'; expected one of a, b."]),
        ("winner<b", ["'b' is a word, and words have no order; expected = or !="]),
        ("bastion_a_turn>none", ["'none' is a word"]),
        ("turns=none", ["turns is 'none'; expected a whole number"]),
        ("bastion_b_turn=non", ["bastion_b_turn is 'non'", "or none"]),
        ("turns>-1", ["turns is '-1'"]),
        ("turns>1.5", ["turns is '1.5'"]),
        ("turns>٣", ["turns is '٣'"]),
        ("turns>" + "9" * 30, ["at most 13 digits"]),
        ("turns>6 0", ["turns is '6 0'"]),
        ("turns>6;winner=a", ["turns is '6;winner=a'"]),
        ("turns>3,winner=x", ["--where 'winner=x'"]),
    ],
)
def test_what_is_wrong_is_named(text, messages):
    with pytest.raises(InputError) as raised:
        Where.parse(text)
    for message in messages:
        assert message in str(raised.value)


@settings(max_examples=100)
@given(
    st.text(max_size=12)
    | st.lists(st.sampled_from([*NAMES, "=", "<", ">=", ",", " ", "a", "7"])).map("".join)
)
def test_any_text_is_understood_or_refused(text):
    try:
        where = Where.parse(text)
    except InputError:
        return
    assert where.matches(np.zeros(3, OUTCOME), 0).shape == (3,)


def traced(duel, numbers):
    """Games as their traces tell of them."""
    for number in numbers:
        result = Tracer(duel).game(number)["result"]
        yield number, result["winner"], result["turns"]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_found_are_the_games_whose_traces_fit(seed, jobs):
    duel = random_duel(seed)
    games = list(traced(duel, range(3, 24)))
    median = sorted(turns for _, _, turns in games)[len(games) // 2]
    expected = [number for number, winner, turns in games if winner != 1 and turns <= median]
    where = Where.parse(f"winner!=b,turns<={median}")
    assert expected
    assert list(find_games(duel, where, 3, 21, 1000, jobs=jobs)) == expected
    assert list(find_games(duel, where, 3, 21, 2, jobs=jobs)) == expected[:2]


def test_only_the_games_asked_for_are_looked_at():
    everything = Where.parse("turns>0")
    for first, count in ((0, 1), (5, 7), (10**12 - 3, 3)):
        found = list(find_games(duel_of("1", "2"), everything, first, count, 100))
        assert found == list(range(first, first + count))


def test_a_search_goes_through_its_stretches_in_order_and_counts():
    one, other = duel_of("1", "2"), duel_of("3", "4")
    search = GameSearch([Stretch(one, 10, 5), Stretch(other, 2, 20)], Where.parse("starter=a"), 6, jobs=2)
    assert list(search.run()) == [(one, 10), (one, 12), (one, 14), (other, 2), (other, 4), (other, 6)]
    assert (search.searched, search.found) == (5 + 5, 6)
    assert search.summary() == "Searched 10 games for starter=a: 6 found."


def test_a_search_without_finds_has_looked_at_all():
    search = GameSearch(
        [Stretch(duel_of("1", "2"), 0, 9), Stretch(duel_of("1", "3"), 4, 3)], Where.parse("turns=0"), 1
    )
    assert list(search.run()) == []
    assert search.summary() == "Searched 12 games for turns=0: none found."


class Counter:
    """Stands in for Progress."""

    games = 0

    def advance(self, games):
        self.games += games


def test_progress_is_told_of_every_game():
    progress = Counter()
    list(find_games(duel_of("1", "2"), Where.parse("turns=0"), 1, 41, 5, progress=progress))
    assert progress.games == 41
