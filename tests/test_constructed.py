"""Two constructed decks against each other (R41): who removes what, and what the tables say."""

import numpy as np
import pytest
from constructedkit import KIT, NAMES, few_cards, planted, ten, worth_file
from scipy.stats import chisquare

import clashsim as cs
from clashsim.analysis.contrasts import difference_of_intervals
from clashsim.analysis.intervals import bonferroni, mean_of_intervals, rate_interval, score_interval
from clashsim.clash.core.drafting import BANNERS
from clashsim.clash.core.rng import FIRST_CHOOSER, condition_key, subkey, uniform
from clashsim.clash.drafting import DRAFTERS, JUDGES, Worths
from clashsim.clash.policies import POLICIES
from clashsim.clash.tens import TensDuel
from clashsim.clash.trace import Tracer
from clashsim.clash.worth_files import load_worths
from clashsim.experiments.columns import dictionary
from clashsim.experiments.constructed_play import plan_constructed
from clashsim.experiments.constructed_tables import HELPS, HURTS, UNDECIDED

jit = pytest.mark.jit

CHANCE = DRAFTERS["random"]
WORTHS = Worths(tuple(float(np.sin(place)) / 10 for place in range(32)))
BY_VALUE = JUDGES["value"].by(WORTHS)


def tens_duel(policy="random", banners=(CHANCE, CHANCE), **options):
    return TensDuel(
        KIT, (POLICIES[policy],) * 2, tens=(ten("one"), ten("other", 6)), banners=banners, **options
    )


def play(one=None, other=None, policy="greedy", games=2000, value_games=2000, **options):
    one, other = one or ten("one"), other or ten("other", 6)
    return cs.constructed_play(one, other, policy=policy, games=games, value_games=value_games, **options)


# ---- bans


def test_b_bans_first_and_last_and_a_twice_between():
    assert BANNERS == (1, 0, 0, 1)


def banned_by_hand(duel, game):
    """Remove cards step by step, as R41 has it: the places in the kit that are gone."""
    gone = set()
    key = np.uint64(subkey(condition_key(duel.seed, duel.random_group), game))
    for number, side in enumerate((1, 0, 0, 1)):  # B, A, A, B
        left = [slot for slot in range(10 * (1 - side), 10 * (2 - side)) if slot not in gone]
        if duel.banners[side].worths is None:
            stream = np.uint64(subkey(key, FIRST_CHOOSER + side))
            gone.add(left[uniform(stream, number, len(left))])
        else:
            worth = [duel.banners[side].worths.cards[NAMES.index(duel.kit[slot].name)] for slot in left]
            gone.add(left[int(np.argmax(worth))])
    return gone


@pytest.mark.parametrize(
    "banners",
    [(CHANCE, CHANCE), (BY_VALUE, BY_VALUE), (CHANCE, BY_VALUE), (BY_VALUE, CHANCE)],
    ids=lambda pair: "-".join(banner.name for banner in pair),
)
def test_each_side_loses_two_cards_step_by_step(banners):
    duel = tens_duel(banners=banners)
    slots = duel.decks_of(0, 30)
    for game in range(30):
        with np.errstate(over="ignore"):
            gone = banned_by_hand(duel, game)
        assert {*range(20)} - {*slots[game].ravel().tolist()} == gone
        assert len(gone & {*range(10)}) == 2


def test_value_bans_take_the_highest_and_then_the_next():
    slots = tens_duel(banners=(BY_VALUE, BY_VALUE)).decks_of(0, 1)[0]
    for side, deck in enumerate(tens_duel().tens):
        worths = [WORTHS.cards[NAMES.index(card.name)] for card in deck.cards]
        left = {slot - 10 * side for slot in slots[side].tolist()}
        assert {*range(10)} - left == {*np.argsort(worths)[-2:].tolist()}


def test_of_cards_of_the_same_worth_the_first_of_the_set_is_banned_whatever_the_order_of_the_ten():
    """Two different worths only, closer than the core counts, and all alike."""
    names = [card.name for card in KIT.cards[:10]]
    for worths in (Worths((0.05,) * 32), Worths((0.05, 0.0500000001, *(0.05,) * 30))):
        banner = JUDGES["value"].by(worths)
        for order in (names, names[::-1], names[5:] + names[:5]):
            deck = cs.load_deck(order, KIT, size=10)
            one = TensDuel(
                KIT, (POLICIES["random"],) * 2, tens=(deck, ten("other", 6)), banners=(banner, banner)
            )
            left = {one.kit[slot].name for slot in one.decks_of(0, 1)[0, 0]}
            assert set(names) - left == set(names[:2])


def test_random_bans_are_uniform_over_the_pairs_of_a_ten():
    slots = tens_duel().decks_of(0, 9000)
    for side in range(2):
        kept = np.zeros((9000, 10), bool)
        np.put_along_axis(kept, slots[:, side] - 10 * side, True, axis=1)
        pairs = np.array([np.flatnonzero(~one) for one in kept])
        counts = np.bincount(pairs[:, 0] * 10 + pairs[:, 1], minlength=100)
        counts = counts[[one * 10 + other for one in range(10) for other in range(one + 1, 10)]]
        assert counts.sum() == 9000
        assert chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize("policy", ["greedy", pytest.param("tactician", marks=pytest.mark.jit)])
@pytest.mark.parametrize("banners", [(CHANCE, CHANCE), (BY_VALUE, CHANCE)], ids=["random", "value"])
def test_a_game_is_the_duel_of_the_eights_that_are_left(policy, banners):
    one = tens_duel(policy, banners)
    outcomes, slots = one.outcomes(5, 4), one.decks_of(5, 4)
    for place in range(4):
        duel = one.duel(5 + place)
        assert [[card.name for card in deck.cards] for deck in duel.decks] == [
            [one.kit[slot].name for slot in deck] for deck in slots[place]
        ]
        trace = Tracer(duel).game(5 + place)
        assert trace["result"]["turns"] == outcomes["turns"][place]
        assert duel.outcomes(5 + place, 1)[0][0] == outcomes[place]


# ---- tables


@pytest.fixture(scope="module")
def found():
    return play(bans="random", games=4000, policy=["random", "greedy"])


@pytest.fixture(scope="module")
def tallies():
    plan = plan_constructed(
        ten("one"), ten("other", 6), bans="random", games=4000, policy=["random", "greedy"]
    )
    return [duel.tally(0, 4000) for duel in plan.conditions]


@jit
def test_scores_are_those_of_the_games(found, tallies):
    for (_, row), tally in zip(found.constructed.iterrows(), tallies, strict=True):
        won, drew, lost = tally["results"].T
        score = score_interval(won, drew, lost)
        together = score_interval(won, drew, lost, bonferroni(0.95, 2))
        assert row["games"] == 4000
        assert (row["wins_a"], row["draws"], row["wins_b"]) == (won.sum(), drew.sum(), lost.sum())
        assert row["score_a"] == pytest.approx(score.value, abs=1e-6)
        assert (row["score_low"], row["score_high"]) == pytest.approx((score.low, score.high), abs=1e-6)
        assert row["score_low_all"] == pytest.approx(together.low, abs=1e-6)
        assert row["score_a_first"] == pytest.approx((won[0] + drew[0] / 2) / 2000, abs=1e-6)
        first = (won[0] + drew.sum() / 2 + lost[1]) / 4000
        assert row["advantage"] == pytest.approx(first - 0.5, abs=1e-6)


@jit
def test_bans_are_those_of_the_games(found, tallies):
    rows = found.constructed_bans.set_index(["policy", "side", "card"])
    assert len(rows) == 40
    for policy, tally in zip(("random", "greedy"), tallies, strict=True):
        for side, deck in enumerate((ten("one"), ten("other", 6))):
            for place, card in enumerate(deck.cards):
                row = rows.loc[policy, "AB"[side], card.name]
                banned = tally["banned"][side, place]
                assert row["games_banned"] == banned.sum()
                share = rate_interval(banned.sum(axis=1), [2000, 2000])
                assert (row["banned"], row["banned_low"]) == pytest.approx((share.value, share.low), abs=1e-6)
                mine = [counts[:, :: 1 - 2 * side] for counts in (banned, tally["results"] - banned)]
                gone, kept = (  # who starts counts the same, whatever the bans
                    mean_of_intervals(score_interval(*counts[:, np.newaxis].transpose(2, 0, 1)))
                    for counts in mine
                )
                effect = difference_of_intervals(kept, gone)
                assert row["ban_effect"] == pytest.approx(effect.value, abs=1e-6)
                assert row["ban_effect_high"] == pytest.approx(effect.high, abs=1e-6)


@jit
def test_verdicts_on_bans_are_read_off_the_limits_that_hold_together(found):
    rows = found.constructed_bans
    expected = np.select(
        [rows["ban_effect_high_all"] < 0, rows["ban_effect_low_all"] > 0], [HURTS, HELPS], UNDECIDED
    )
    assert (rows["ban_verdict"] == expected).all()
    assert (rows["ban_effect_low_all"] < rows["ban_effect_low"]).all()
    assert rows["banned_low"].lt(0.2).mean() > 0.9


@jit
def test_under_value_bans_a_card_is_always_banned_or_never():
    rows = play(vs_bans="random").constructed_bans
    by_value = rows[rows["banned_by"] == "value"]
    assert set(by_value["side"]) == {"B"}
    assert sorted(by_value["banned"]) == [0] * 8 + [1] * 2
    assert set(by_value.loc[by_value["banned"] == 1, "card"]) == set(by_value.nlargest(2, "worth")["card"])
    assert by_value["ban_effect"].isna().all()
    assert (by_value["banned_low"] == by_value["banned_high"]).all()
    assert rows.loc[rows["side"] == "A", "ban_effect"].notna().all()


@jit
def test_the_only_strong_card_is_the_one_whose_ban_hurts():
    cards = planted(1, 15)
    strong = cs.Deck("strong", cards.cards[6:])
    rows = play(strong, ten("weak", 0, cards), bans="random", cards=cards, games=4000).constructed_bans
    row = rows[rows["side"] == "A"].set_index("card").loc["STRONG0"]
    assert row["ban_verdict"] == HURTS


@jit
def test_intervals_of_bans_cover_where_going_first_decides():
    """Cards that are all alike: it is nothing to lose one and not another. Chance decides who starts with a ban."""
    cards = planted(1, 15)
    strong = cs.Deck("strong", cards.cards[6:])
    covered, first = [], []
    for seed in range(30):
        found = play(strong, ten("weak", 0, cards), bans="random", cards=cards, games=1000, seed=seed)
        rows = found.constructed_bans[found.constructed_bans["side"] == "B"]
        covered += [*((rows["ban_effect_low"] <= 0) & (rows["ban_effect_high"] >= 0))]
        first.append(found.constructed["advantage"].iloc[0])
    assert np.mean(first) > 0.2
    assert 0.92 < np.mean(covered) <= 1


@jit
@pytest.mark.parametrize("bans", ["random", "value"])
def test_a_ten_scores_one_half_against_itself(bans):
    covered = []
    for seed in range(20):
        row = play(
            ten("one"), ten("twin"), bans=bans, games=200, value_games=400, seed=seed
        ).constructed.iloc[0]
        covered.append(row["score_low"] <= 0.5 <= row["score_high"])
    assert np.mean(covered) > 0.85


@jit
def test_threads_chunks_and_policies_change_nothing():
    one, two = (play(policy=["random", "greedy"], jobs=jobs) for jobs in (1, 2))
    for name in one.tables:
        assert one.tables[name].equals(two.tables[name])
    alone = play(policy="greedy").constructed_bans
    of_both = one.constructed_bans[one.constructed_bans["policy"] == "greedy"].reset_index(drop=True)
    columns = ["card", "games_banned", "banned"]
    assert of_both[columns].equals(alone[columns])


@jit
def test_precision_ends_when_the_score_is_precise_enough():
    row = play(games=200_000, precision=2).constructed.iloc[0]
    assert (row["score_high"] - row["score_low"]) / 2 <= 0.02
    assert row["games"] < 5000
    assert row["stopped"] == "precise"


@jit
def test_measured_values_and_the_same_from_a_file_ban_alike(tmp_path):
    values = cs.card_values(games=2000, policy="greedy").card_values
    path = tmp_path / "card_values.csv"
    values.to_csv(path, index=False)
    measured, read = play(), play(values=path)
    columns = ["card", "banned", "banned_by", "games_banned"]
    assert measured.constructed_bans[columns].equals(read.constructed_bans[columns])
    assert measured.constructed.equals(read.constructed)
    assert len(measured.plan) == 2
    assert len(read.plan) == 1


@jit
def test_small_card_sets_will_do():
    cards = few_cards(10)
    row = play(ten("one"), ten("twin"), cards=cards, games=400).constructed.iloc[0]
    assert row["games"] == 400


@jit
def test_the_answers_are_told_and_every_column_explained(found):
    answer = " ".join(found.findings().answer)
    assert "Under greedy, one scores" in answer
    assert "misses" in answer
    for table in (*found.tables.values(), *play().tables.values()):
        assert set(table.columns) <= set(dictionary())
    assert "the cards of the highest worth" in " ".join(play().findings().answer)


# ---- tables of card values


def test_values_are_read_by_card_and_policy(tmp_path):
    path = tmp_path / "values.csv"
    lines = [f"{policy},{name},{number / 100},x" for policy in "ab" for number, name in enumerate(NAMES)]
    path.write_text("policy,card,value,note\n" + "\n".join(lines).replace("b,TROLL,", "b,TROLL,-"))
    assert load_worths(path, KIT, "a").cards == tuple(number / 100 for number in range(32))
    assert load_worths(path, KIT, "b").cards[NAMES.index("TROLL")] < 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; expected a card values file"),
        ("card;value\nTROLL;0.1\n", "separated by semicolons"),
        ("card\nTROLL\n", "no column 'value'"),
        ("card,value\nTROL,0.1\n", "line 2: no card 'TROL'.*Did you mean TROLL"),
        ("card,value\nTROLL,0.1\nTROLL,0.1\n", "line 3: TROLL has a row already"),
        (
            "card,value\nTROLL,strong\n",
            "line 2: value is 'strong'; expected a fraction of score from -1 to 1",
        ),
        ("card,value\nTROLL,nan\n", "value is 'nan'"),
        ("card,value\nTROLL,5.5\n", "value is '5.5'"),
        ("card,value\nTROLL,0.1\n", "no row for ANNIHILATION; expected one for each of the 32 cards"),
        ("card,value,policy\nTROLL,0.1,greed\n", "no values for the policy greedy; it has those for 'greed'"),
        ('card,value\n"TROLL,0.1\n', "not valid CSV"),
    ],
)
def test_bad_tables_of_values_are_told_in_one_line(tmp_path, text, message):
    path = tmp_path / "values.csv"
    path.write_text(text)
    with pytest.raises(cs.InputError, match=message):
        load_worths(path, KIT, "greedy")


def test_a_table_of_values_need_not_be_there(tmp_path):
    worth_file(tmp_path / "values.csv", dict.fromkeys(NAMES, 0.0))
    with pytest.raises(cs.InputError, match=r"no card values file .*Did you mean values.csv\?"):
        load_worths(tmp_path / "value.csv", KIT, "greedy")


# ---- what is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"one": cs.Deck("one", KIT.cards[:9])}, r"9 cards; expected exactly 10 distinct ones \(R41\)"),
        ({"one": cs.Deck("one", KIT.cards[:11])}, r"11 cards; expected exactly 10 distinct ones \(R41\)"),
        (
            {"one": cs.Deck("one", KIT.cards[:9] + KIT.cards[:1])},
            r"2 times; expected 10 distinct cards \(R41\)",
        ),
        ({"one": [*NAMES[:9], "TROL"]}, "no card 'TROL'.*Did you mean TROLL"),
        ({"one": "1"}, r"deck 1: 8 cards; expected exactly 10 distinct ones \(R41\)"),
        ({"other": ten("one", 8)}, "both named one; expected different names"),
        ({"bans": "valu"}, "bans is 'valu'; expected random or value. Did you mean value"),
        ({"vs_bans": 5}, "vs_bans is '5'; expected random or value"),
        ({"values": 5}, "values is 5; expected the path of a .csv file"),
        ({"games": 0}, "games is 0; expected a whole number"),
        ({"value_games": 0}, "value_games is 0; expected a whole number"),
        ({"policy": "greed"}, "Did you mean greedy"),
        ({"precision": 60}, "precision 60: expected percentage points"),
        ({"cards": few_cards(9)}, r"few has 9 cards; expected at least 10 .*\(R41\)"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(cs.InputError, match=message):
        play(**arguments)


def test_tens_given_by_their_cards_are_called_after_their_sides():
    plan = plan_constructed(NAMES[:10], NAMES[5:15], policy="greedy")
    assert list(plan.details["tens"]) == ["A", "B"]
