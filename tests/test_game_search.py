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
from clashsim.experiments.game_search import FoundGame, GameSearch, Stretch, find_games
from clashsim.experiments.where import NAMES, Where

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


def found_in(duel, first, games, where, limit, **options):
    found = list(find_games(Stretch(duel, first, games), where, limit, **options))
    assert all(game.duel is duel for game in found)
    return [game.number for game in found]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_found_are_the_games_whose_traces_fit(seed, jobs):
    duel = random_duel(seed)
    games = list(traced(duel, range(3, 24)))
    median = sorted(turns for _, _, turns in games)[len(games) // 2]
    expected = [
        FoundGame(duel, number, NO_WINNER if winner is None else winner, turns)
        for number, winner, turns in games
        if winner != 1 and turns <= median
    ]
    where = Where.parse(f"winner!=b,turns<={median}")
    assert expected
    assert list(find_games(Stretch(duel, 3, 21), where, 1000, jobs=jobs)) == expected
    assert list(find_games(Stretch(duel, 3, 21), where, 2, jobs=jobs)) == expected[:2]


def test_only_the_games_asked_for_are_looked_at():
    everything = Where.parse("turns>0")
    for first, count in ((0, 1), (5, 7), (10**12 - 3, 3)):
        assert found_in(duel_of("1", "2"), first, count, everything, 100) == list(range(first, first + count))


STARTERS = Where.parse("starter=a")
ONE, OTHER, THIRD = duel_of("1", "2"), duel_of("3", "4"), duel_of("1", "4")


def searched(stretches, limit, jobs=2):
    """What a search finds, by stretch; and how many games it looked at."""
    search = GameSearch(stretches, STARTERS, limit, jobs=jobs)
    found = [(game.duel, game.number) for game in search.run()]
    assert search.found == len(found)
    return found, search.searched


def test_a_search_of_one_stretch_ends_with_the_limit():
    assert searched([Stretch(ONE, 10, 50)], 3) == ([(ONE, 10), (ONE, 12), (ONE, 14)], 5)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_search_is_spread_over_its_stretches(jobs):
    found, games = searched([Stretch(ONE, 10, 50), Stretch(OTHER, 1, 50)], 5, jobs)
    assert found == [(ONE, 10), (ONE, 12), (ONE, 14), (OTHER, 2), (OTHER, 4)]
    assert games == 5 + 4


def test_a_limit_below_the_number_of_stretches_ends_with_its_last_game():
    found, games = searched([Stretch(ONE, 1, 1), Stretch(OTHER, 0, 9), Stretch(THIRD, 0, 9)], 1)
    assert (found, games) == ([(OTHER, 0)], 1 + 1)


@pytest.mark.parametrize("jobs", [1, 3])
def test_what_a_stretch_lacks_comes_from_where_the_others_stopped(jobs):
    stretches = [Stretch(ONE, 0, 50), Stretch(OTHER, 0, 3), Stretch(THIRD, 1, 1)]
    found, games = searched(stretches, 9, jobs)
    assert found == [*((ONE, number) for number in range(0, 14, 2)), (OTHER, 0), (OTHER, 2)]
    assert games == 13 + 3 + 1


def test_a_search_takes_all_there_is():
    found, games = searched([Stretch(ONE, 0, 5), Stretch(OTHER, 0, 3)], 100)
    assert (len(found), games) == (3 + 2, 5 + 3)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 12)), min_size=1, max_size=4), st.integers(1, 20))
def test_games_found_are_the_first_of_each_stretch_and_evenly_many(spans, limit):
    duels = [duel_of("1", "2", seed=seed) for seed in range(len(spans))]
    stretches = [Stretch(duel, *span) for duel, span in zip(duels, spans, strict=True)]
    found, _ = searched(stretches, limit)
    there = [[n for n in range(first, first + games) if n % 2 == 0] for first, games in spans]
    got = [[number for duel, number in found if duel is wanted] for wanted in duels]
    assert sum(map(len, got)) == min(limit, sum(map(len, there)))
    assert got == [games[: len(part)] for games, part in zip(there, got, strict=True)]
    assert found == [(duel, number) for duel, part in zip(duels, got, strict=True) for number in part]
    most = max(map(len, got))
    assert all(len(part) >= min(most - 1, len(games)) for part, games in zip(got, there, strict=True))


def test_a_search_tells_what_it_found():
    search = GameSearch([Stretch(ONE, 10, 50)], STARTERS, 22, jobs=1)
    games = list(search.run())
    first, *told, last = search.summary()
    assert (first, last) == ("Searched 43 games for starter=a: 22 found.", "and 2 more")
    assert told == list(map(str, games[:20]))


@pytest.mark.parametrize(
    ("number", "winner", "text"),
    [
        (18, 1, "deck 1 against deck 4, game 18: A starts, B wins in turn 63"),
        (19, 0, "deck 1 against deck 4, game 19: B starts, A wins in turn 63"),
        (7, NO_WINNER, "deck 1 against deck 4, game 7: B starts, draw in turn 63"),
    ],
)
def test_what_is_told_of_a_game(number, winner, text):
    assert str(FoundGame(THIRD, number, winner, 63)) == text


def test_a_search_without_finds_has_looked_at_all():
    search = GameSearch(
        [Stretch(duel_of("1", "2"), 0, 9), Stretch(duel_of("1", "3"), 4, 3)], Where.parse("turns=0"), 1
    )
    assert list(search.run()) == []
    assert search.summary() == ["Searched 12 games for turns=0: none found."]


class Counter:
    """Stands in for Progress."""

    games = 0

    def advance(self, games):
        self.games += games


def test_progress_is_told_of_every_game():
    progress = Counter()
    assert found_in(ONE, 1, 41, Where.parse("turns=0"), 5, progress=progress) == []
    assert progress.games == 41


@pytest.mark.parametrize("limit", [1, 7, 30, 100])
def test_progress_is_told_of_no_game_twice(limit):
    progress = Counter()
    search = GameSearch([Stretch(ONE, 0, 41), Stretch(OTHER, 0, 3), Stretch(THIRD, 0, 30)], STARTERS, limit)
    list(search.run(progress))
    assert progress.games == search.searched
