"""Which games of a condition have been played: sets of game numbers as a few spans."""

from collections.abc import Iterable
from dataclasses import dataclass, field

Span = tuple[int, int]
"""Game numbers from the first up to, but without, the second."""


@dataclass(slots=True)
class Ranges:
    """A set of game numbers: sorted spans that neither touch nor overlap."""

    spans: list[Span] = field(default_factory=list)

    @classmethod
    def of(cls, spans: Iterable[Span]) -> "Ranges":
        """Return the set of the numbers in some spans that do not overlap."""
        ranges = cls()
        for first, end in spans:
            ranges.add(first, end)
        return ranges

    @property
    def total(self) -> int:
        """How many numbers there are."""
        return sum(end - first for first, end in self.spans)

    @property
    def end(self) -> int:
        """One more than the last number; 0 when there is none."""
        return self.spans[-1][1] if self.spans else 0

    def add(self, first: int, end: int) -> None:
        """Put in the numbers from `first` up to `end`; ValueError if one of them is there already."""
        if not 0 <= first < end:
            raise ValueError(f"span {first} to {end}")
        place = sum(span[0] < first for span in self.spans)
        before = self.spans[place - 1] if place else (-1, -1)
        after = self.spans[place] if place < len(self.spans) else (end + 1, end + 1)
        if before[1] > first or after[0] < end:
            raise ValueError(f"games {first} to {end - 1} twice")
        joined = (before[0] if before[1] == first else first, after[1] if after[0] == end else end)
        self.spans[place - (before[1] == first) : place + (after[0] == end)] = [joined]

    def missing(self, end: int) -> list[Span]:
        """Return the spans of numbers below `end` that are not in the set."""
        gaps, reached = [], 0
        for first, last in self.spans:
            if reached < min(first, end):
                gaps.append((reached, min(first, end)))
            reached = last
        if reached < end:
            gaps.append((reached, end))
        return gaps
