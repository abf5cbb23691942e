"""What a price audit says, in sentences: is each level harder than the one below, is each option worth its price?"""

from collections.abc import Iterator, Mapping

import pandas as pd

from clashsim.clash.policies import LADDER
from clashsim.experiments.audit_cells import ALL, LEAST_CELLS, MARGIN, OPTIONS
from clashsim.experiments.audit_interactions import FALSE_FINDS, HARDER
from clashsim.experiments.audit_levels import EASIER, UNDECIDED
from clashsim.experiments.audit_levels import HARDER as HARDER_THAN_BELOW
from clashsim.experiments.audit_options import CHEAP, DEAR, FAIR, NOT_CONVERTIBLE, TOO_FEW
from clashsim.experiments.audit_options import UNDECIDED as PRICE_UNDECIDED
from clashsim.experiments.audit_sections import sections
from clashsim.experiments.audit_skill import LEVEL, NEIGHBOURS, PRICE, headline
from clashsim.experiments.audit_words import (
    decks_words,
    effect_words,
    level_words,
    listed,
    price_words,
    printed_words,
    setting_words,
    verdict_words,
)
from clashsim.experiments.result import Findings
from clashsim.experiments.words import count, interval, percent

Tables = Mapping[str, pd.DataFrame]

QUESTION = "Is each level harder than the one below, and is each option of a setting worth its price?"
MOST_NAMED = 5
ADVISED = "tactician"
"""Wins often enough to judge most settings by; the policies below it on the ladder do not."""
SURE = (FAIR, CHEAP, DEAR)


def findings(tables: Tables) -> Findings:
    """Return the report of a price audit, from its tables by name (solo_audit.audit)."""
    policies = list(dict.fromkeys(tables["solo_levels"]["policy"]))
    policy = strongest(policies)
    return Findings(
        title=f"Prices of solo settings, played by {listed(policies)}",
        question=QUESTION,
        answer=answers(tables, policy),
        sections=sections(tables, policies),
    )


def strongest(policies: list[str]) -> str:
    """Return the policy that the sentences are about: the highest on the ladder, else the last."""
    known = [policy for policy in policies if policy.partition(":")[0] in LADDER]
    return max(known, key=lambda policy: LADDER.index(policy.partition(":")[0]), default=policies[-1])


def answers(tables: Tables, policy: str) -> list[str]:
    """Return the answers, of one policy, and what flips between policies."""
    of_policy = {name: table[table["policy"] == policy] for name, table in tables.items()}
    levels, options = of_policy["solo_levels"], headline(of_policy["solo_options"])
    decks = levels.loc[levels["deck"] != ALL, "deck"].nunique()
    scope = ALL if decks > 1 else levels["deck"].iloc[0]
    where = f"Under {policy}, {'over' if scope == ALL else 'with'} {decks_words(scope, decks)}"
    told = [
        f"{where}: {_levels(levels[levels['deck'] == scope])} {_options(options[options['deck'] == scope])}".strip(),
        _named_levels(levels[levels["deck"] == scope]),
        *_option_sentences(options, scope),
        _spread(levels[levels["deck"] == scope]),
        _inversions(of_policy),
        _interactions(of_policy["solo_interactions"], scope),
        _ends(of_policy["solo_ends"], policy),
        *_flips(tables.get("solo_skill", pd.DataFrame())),
    ]
    return [sentence for sentence in told if sentence]


def _levels(levels: pd.DataFrame) -> str:
    """Say whether each price is harder than the one below."""
    compared = levels[levels["than_below"] != ""]
    if compared.empty:
        return "all settings have the same price."
    harder = compared["than_below"] == HARDER_THAN_BELOW
    if harder.all():
        ends = f"{compared['points'].iloc[0]} to {compared['points'].iloc[-1]}"
        return f"each price from {ends} points is surely harder than the one below."
    text = f"{harder.sum()} of {len(compared)} prices are surely harder than the one below"
    for verdict, words in ((EASIER, "surely easier"), (UNDECIDED, "undecided")):
        points = compared.loc[compared["than_below"] == verdict, "points"]
        prices = listed([str(price) for price in points])
        text += (
            f"; {words}: {'that' if len(points) == 1 else 'those'} of {prices} points" if len(points) else ""
        )
    return f"{text}."


def _options(options: pd.DataFrame) -> str:
    """Count the verdicts on the options' prices."""
    whole = options[options["base"] == options["option"].map(lambda option: OPTIONS[option][0])]
    if whole.empty:
        return ""
    verdicts = whole["price_verdict"].value_counts()
    order = (FAIR, CHEAP, DEAR, PRICE_UNDECIDED, NOT_CONVERTIBLE, TOO_FEW)
    counts = [f"{verdicts[verdict]} {verdict}" for verdict in order if verdict in verdicts]
    return f"Of the prices of {count(len(whole), 'option')}: {', '.join(counts)}."


def _named_levels(levels: pd.DataFrame) -> str:
    named = levels[levels["level"] != ""]
    told = [f"{row['level']} {interval(row, 'win_rate')}" for _, row in named.iterrows()]
    return f"Mean win rates of the levels: {', '.join(told)}." if told else ""


def _option_sentences(options: pd.DataFrame, scope: str) -> Iterator[str]:
    """Say of each option what it does, what it is worth, and whether its price is right."""
    here = options[options["deck"] == scope]
    for option, rows in here.groupby("option", sort=False):
        whole = rows[rows["base"] == OPTIONS[str(option)][0]]
        told = [_worth(row) + _elsewhere(options, row) for _, row in whole.iterrows()]
        if len(whole) == 1:
            row = whole.iloc[0]
            words = level_words(row["option"], row["level"])
            name = f"{words[0].upper()}{words[1:]} ({printed_words(row['printed'])})"
            yield f"{name}: {_does(row)}{told[0]}{_arabic(row)}."
            continue
        names = [
            f"{level_words(row['option'], row['level'])} ({printed_words(row['printed'])}) {text}"
            for (_, row), text in zip(whole.iterrows(), told, strict=True)
        ]
        steps = rows[rows["base"] != OPTIONS[str(option)][0]]
        each = [f"{row['base']} to {row['level']} {price_words(row)}" for _, row in steps.iterrows()]
        words = "Fixed mana" if option == "fixed" else "An ability for all of the AI's creatures"
        more = f"; step by step: {', '.join(each)}" if each else ""
        yield f"{words}: {'; '.join(names)}{more}."


def _does(row: pd.Series) -> str:
    return f"{effect_words(row)}, " if pd.notna(row["effect"]) else ""


def _worth(row: pd.Series) -> str:
    if row["price_verdict"] in (TOO_FEW, NOT_CONVERTIBLE):
        return str(row["price_verdict"])
    return f"worth {price_words(row)} points, {verdict_words(row['price_verdict'], row['printed'])}"


def _arabic(row: pd.Series) -> str:
    if row["printed"] == row["printed_arabic"]:
        return ""
    printed, verdict = row["printed_arabic"], row["price_verdict_arabic"]
    return f"; at the Arabic price list's {printed_words(printed)} {verdict_words(verdict, printed)}"


def _elsewhere(options: pd.DataFrame, row: pd.Series) -> str:
    """Name the decks with which another verdict is sure, and the price surely another, by the same outcome."""
    named = ["outcome", "option", "base", "level"]
    same = (options[named] == row[named]).all(axis=1)
    apart = (options["suggested_low_all"] > row["suggested_high_all"]) | (
        options["suggested_high_all"] < row["suggested_low_all"]
    )
    sure = options["price_verdict"].isin(SURE) & (options["price_verdict"] != row["price_verdict"])
    others = options[same & apart & sure & (options["deck"] != row["deck"])]
    told = [f"{other['price_verdict']} with deck {other['deck']}" for _, other in others.iterrows()]
    return f" (but {listed(told)})" if told else ""


def _spread(levels: pd.DataFrame) -> str:
    """Name the price whose settings differ most."""
    known = levels[levels["spread"] > 0]
    if known.empty:
        return ""
    row = known.loc[known["spread"].idxmax()]
    limits = f"{100 * row['win_rate_lowest']:.1f} to {percent(row['win_rate_highest'])}"
    return (
        f"Settings of the same price differ most at {count(row['points'], 'point')}: measured win rates from {limits}, "
        f"with a standard deviation of {100 * row['spread']:.1f} percentage points beyond chance."
    )


def _inversions(tables: Tables) -> str:
    """Count the neighbours of which the dearer one is surely the easier one, and name the surest."""
    counts = tables["solo_neighbours"]
    if counts.empty:
        return ""
    neighbours, at_the_end, inverted = (
        counts[name].sum() for name in ("neighbours", "at_the_end", "inverted")
    )
    out = f" ({at_the_end:,} more are both hardly ever, or nearly always, won)" if at_the_end else ""
    head = f"Of {neighbours - at_the_end:,} pairs of settings that differ in one option only{out} "
    sure = f"(at most {100 * FALSE_FINDS:.0f} % of such finds are false)"
    if not inverted:
        easier = counts["measured_easier"].sum()
        return f"{head}the dearer one is surely the easier one in none {sure}; measured so in {easier:,}."
    by_option = counts.groupby("option", sort=False)["inverted"].sum().sort_values(ascending=False)
    options = [
        f"{level_words(str(option), OPTIONS[str(option)][-1]) if len(OPTIONS[str(option)]) == 2 else option} {n:,}"
        for option, n in by_option.items()
        if n
    ]
    first = tables["solo_inversions"].iloc[0]
    example = (
        f"{level_words(first['option'], first['dearer'])} instead of "
        f"{level_words(first['option'], first['cheaper'])} with deck {first['deck']} at "
        f"{setting_words(first, first['option'])}"
    )
    return (
        f"{head}the dearer one is surely the easier one in {inverted:,} {sure}: {', '.join(options)}. "
        f"The surest: {example}."
    )


def _interactions(pairs: pd.DataFrame, scope: str) -> str:
    """Name the pairs that are worth much more or less than the sum of their prices."""
    if pairs.empty:
        return ""
    pairs = pairs[pairs["deck"] == scope]
    matter = pairs[pairs["matters"]].sort_values("in_points", key=abs, ascending=False)
    if matter.empty:
        return "No pair of options is surely worth half a point more or less than the sum of its prices."
    told = [
        f"{level_words(row['option'], row['level'])} with {level_words(row['other_option'], row['other_level'])} "
        f"{row['in_points']:+z.1f} ({row['in_points_low']:+z.1f} to {row['in_points_high']:+z.1f})"
        for _, row in matter.head(MOST_NAMED).iterrows()
    ]
    more = f", and {len(matter) - MOST_NAMED} more" if len(matter) > MOST_NAMED else ""
    harder = (matter["pair_verdict"] == HARDER).sum()
    return (
        f"Of {len(pairs)} option pairs {len(matter)} {'is' if len(matter) == 1 else 'are'} worth other than the sum "
        f"({harder} harder together), in points beyond it: {', '.join(told)}{more}."
    )


def _ends(ends: pd.DataFrame, policy: str) -> str:
    """Say how many settings are left out of what is said on win rates, and with which decks too few remain."""
    decks = ends[ends["deck"] != ALL]
    out = decks[decks["floor"] + decks["ceiling"] > 0]
    if out.empty:
        return ""
    told = [
        f"{row['floor']} on the floor and {row['ceiling']} on the ceiling of {row['cells']} with deck {row['deck']}"
        for _, row in out.iterrows()
    ]
    limits = f"below {100 * MARGIN:.0f} % or above {100 * (1 - MARGIN):.0f} %"
    text = f"Left out of the prices by win rate ({limits}): {'; '.join(told)}."
    few = decks.loc[decks["inside"] < LEAST_CELLS, "deck"].tolist()
    text += f" Too few are left with deck {listed(few)} to judge prices with it." if few else ""
    if 2 * decks["floor"].sum() > decks["cells"].sum() and policy in LADDER[: LADDER.index(ADVISED)]:
        text += f" {ADVISED} wins far more often than {policy}, so that fewer would be left out."
    return text


def _flips(skill: pd.DataFrame) -> list[str]:
    """Name the conclusions that flip from policy to policy."""
    if skill.empty:
        return []
    flips = skill[skill["flips_from"] != ""]
    sentences = []
    for what, words in ((PRICE, "prices of options"), (LEVEL, "prices against the one below")):
        rows = flips[(flips["what"] == what) & (flips["deck"] == _widest(skill))]
        told = [_flip(row, skill) for _, row in rows.iterrows()]
        sentences.append(
            f"Between policies the verdicts on {words} flip: {'; '.join(told)}."
            if told
            else f"No verdict on {words} flips between policies."
        )
    neighbours = flips[flips["what"] == NEIGHBOURS]
    n = neighbours.groupby(["deck", "item"]).ngroups
    if n:
        first = neighbours.iloc[0]
        sentences.append(
            f"{count(n, 'pair')} of settings that differ in one option {'changes' if n == 1 else 'change'} order "
            f"between policies, such as {first['item']} with deck {first['deck']}: {_flip(first, skill, named=False)}."
        )
    return sentences


def _widest(skill: pd.DataFrame) -> str:
    decks = skill["deck"].tolist()
    return ALL if ALL in decks else decks[0]


def _flip(row: pd.Series, skill: pd.DataFrame, named: bool = True) -> str:
    same = skill[(skill[["what", "deck", "item"]] == row[["what", "deck", "item"]]).all(axis=1)]
    before = same.loc[same["policy"] == row["flips_from"], "conclusion"].iloc[0]
    text = f"{before} under {row['flips_from']}, {row['conclusion']} under {row['policy']}"
    return f"{row['item']} {text}" if named else text
