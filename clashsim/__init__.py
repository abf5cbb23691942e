"""Monte Carlo balance analysis of the card game Clash of Decks.

>>> import clashsim as cs
>>> result = cs.matchups(games=1000, policy="greedy", seed=1)
>>> result.matchups[["deck_a", "deck_b", "score_a", "score_low", "score_high"]]  # doctest: +SKIP
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clashsim.clash.cards import Card, CardSet, Deck, load_cards, load_deck
    from clashsim.clash.rules import Rules, parse_rules
    from clashsim.clash.solo_settings import SoloSettings
    from clashsim.errors import InputError
    from clashsim.experiments.abilities import abilities
    from clashsim.experiments.ability_result import Abilities
    from clashsim.experiments.card_values import CardValues, card_values
    from clashsim.experiments.constructed_play import ConstructedPlay, constructed_play
    from clashsim.experiments.constructed_search import constructed_search
    from clashsim.experiments.constructed_search_plan import ConstructedSearch
    from clashsim.experiments.draft import draft
    from clashsim.experiments.draft_result import Draft
    from clashsim.experiments.ladder import Ladder, ladder
    from clashsim.experiments.matchups import Matchups, matchups
    from clashsim.experiments.prices import Prices, prices
    from clashsim.experiments.solo import SoloResult, solo, solo_sweep
    from clashsim.experiments.solo_draft import solo_draft
    from clashsim.experiments.solo_draft_result import SoloDraft
    from clashsim.experiments.whatif import whatif
    from clashsim.experiments.whatif_result import WhatIf

__version__ = "0.1.0"

# Where the public names live: imported when they are first used, so that `import clashsim` costs nothing.
_HOMES = {
    "Abilities": "experiments.ability_result",
    "Card": "clash.cards",
    "CardSet": "clash.cards",
    "CardValues": "experiments.card_values",
    "ConstructedPlay": "experiments.constructed_play",
    "ConstructedSearch": "experiments.constructed_search_plan",
    "Deck": "clash.cards",
    "Draft": "experiments.draft_result",
    "InputError": "errors",
    "Ladder": "experiments.ladder",
    "Matchups": "experiments.matchups",
    "Prices": "experiments.prices",
    "Rules": "clash.rules",
    "abilities": "experiments.abilities",
    "card_values": "experiments.card_values",
    "constructed_play": "experiments.constructed_play",
    "constructed_search": "experiments.constructed_search",
    "draft": "experiments.draft",
    "ladder": "experiments.ladder",
    "load_cards": "clash.cards",
    "load_deck": "clash.cards",
    "matchups": "experiments.matchups",
    "parse_rules": "clash.rules",
    "prices": "experiments.prices",
    "solo": "experiments.solo",
    "SoloDraft": "experiments.solo_draft_result",
    "SoloResult": "experiments.solo",
    "SoloSettings": "clash.solo_settings",
    "solo_draft": "experiments.solo_draft",
    "solo_sweep": "experiments.solo",
    "whatif": "experiments.whatif",
    "WhatIf": "experiments.whatif_result",
}

__all__ = [
    "Abilities",
    "Card",
    "CardSet",
    "CardValues",
    "ConstructedPlay",
    "ConstructedSearch",
    "Deck",
    "Draft",
    "InputError",
    "Ladder",
    "Matchups",
    "Prices",
    "Rules",
    "SoloDraft",
    "SoloResult",
    "SoloSettings",
    "WhatIf",
    "abilities",
    "card_values",
    "constructed_play",
    "constructed_search",
    "draft",
    "ladder",
    "load_cards",
    "load_deck",
    "matchups",
    "parse_rules",
    "prices",
    "solo",
    "solo_draft",
    "solo_sweep",
    "whatif",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
