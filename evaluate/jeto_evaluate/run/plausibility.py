"""What a JVM claims against what was seen from outside of it: savings must show there too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Final

from jeto_evaluate.samples import Arm, ClassTime, RoundResult, Samples
from jeto_evaluate.statistics.jeto import binomial_tail

__all__ = ["Saving", "contradictions", "savings"]

_TOLERANCE_MS: Final = 150
_TOLERANCE_SHARE: Final = 0.5
_ALPHA: Final = Fraction(1, 64)
"""Six pairs that agree are enough."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Saving:
    """What a candidate saves per round, in milliseconds.

    Attributes:
        by: Who claims it.
        against: What else would have seen it.
        pairs: Of each pair what is claimed, from inside the test JVM, summed over classes; and what
            was observed, from outside, of the whole round.
    """

    by: str
    against: str
    pairs: tuple[tuple[float, float], ...]

    @property
    def notable(self) -> tuple[tuple[float, float], ...]:
        """The pairs that claim more than is tolerated."""
        return tuple(pair for pair in self.pairs if pair[0] > _TOLERANCE_MS)

    @property
    def unexplained(self) -> bool:
        """Whether savings are claimed that whole rounds do not show.

        Work that a candidate moves out of the timed windows or into another process, and times
        that it forges, leave the round as long, or as costly, as before. A tolerance covers what
        legitimately lies outside the windows: JVM start, class loading, compilation, discovery.

        On a busy machine a round may take half a second more or less, and that is nobody's fault:
        then no more than half of the pairs with a notable claim lack it by chance, and a sign test
        on those pairs tells. Who forges only some rounds is found by these.
        """
        notable = self.notable
        lacking = sum(_is_lacking(claimed, observed) for claimed, observed in notable)
        return bool(notable) and binomial_tail(lacking, len(notable)) <= _ALPHA

    def describe(self) -> str:
        """Return the contradiction as one line for a report."""
        claimed, observed = (median(values) for values in zip(*self.notable, strict=True))
        return (
            f"{self.by} a saving of {claimed:.0f} ms per round, "
            f"{self.against} saw {observed:.0f} ms ({len(self.notable)} of {len(self.pairs)} pairs)"
        )


def _is_lacking(claimed: float, observed: float) -> bool:
    return claimed - observed > max(_TOLERANCE_MS, _TOLERANCE_SHARE * claimed)


def contradictions(samples: Samples, other: Arm = Arm.CANDIDATE) -> list[str]:
    """Return what is claimed and was not seen, one line each; errors as for ``savings``."""
    return [item.describe() for item in savings(samples, other) if item.unexplained]


def savings(samples: Samples, other: Arm = Arm.CANDIDATE) -> list[Saving]:
    """Return every saving that can be looked at from outside.

    Args:
        samples: Any stage; pairs in which a figure is missing are left out of its comparison.
        other: The arm compared with base.

    Raises:
        ValueError: There is no measured pair.
    """
    pairs = _pairs(samples, other)
    if not pairs:
        raise ValueError("no measured pair")
    clock = "the harness's clock"
    found = [
        _saving(pairs, ("the reports claim", _reported), (clock, _wall)),
        _saving(pairs, ("the agent claims", _agent_wall), (clock, _wall)),
        _saving(
            pairs,
            ("the agent claims in processor time", _agent_cpu),
            ("the kernel's account of the container", lambda item: item.cpu_ms),
        ),
    ]
    return [item for item in found if item is not None]


Figure = Callable[[RoundResult], float | None]
Pairs = list[tuple[RoundResult, RoundResult]]


def _saving(pairs: Pairs, claim: tuple[str, Figure], seen: tuple[str, Figure]) -> Saving | None:
    both = tuple(
        (said, looked)
        for pair in pairs
        if (said := _difference(pair, claim[1])) is not None
        and (looked := _difference(pair, seen[1])) is not None
    )
    return Saving(by=claim[0], against=seen[0], pairs=both) if both else None


def _difference(pair: tuple[RoundResult, RoundResult], figure: Figure) -> float | None:
    base, changed = map(figure, pair)
    return None if base is None or changed is None else base - changed


def _pairs(samples: Samples, other: Arm) -> Pairs:
    by_key = {(item.arm, item.round): item for item in samples.rounds if item.round > 0}
    return [
        (item, by_key[other, number])
        for (arm, number), item in sorted(by_key.items())
        if arm is Arm.BASE and (other, number) in by_key
    ]


def _wall(item: RoundResult) -> float:
    return item.wall_ms


def _reported(item: RoundResult) -> float:
    return sum(entry.milliseconds for entry in item.classes)


def _agent_wall(item: RoundResult) -> float | None:
    return _sum(item, lambda entry: entry.agent.wall_ns if entry.agent else None)


def _agent_cpu(item: RoundResult) -> float | None:
    return _sum(item, lambda entry: entry.agent.java_cpu_ns if entry.agent else None)


def _sum(item: RoundResult, nanoseconds: Callable[[ClassTime], int | None]) -> float | None:
    values = [nanoseconds(entry) for entry in item.classes]
    return None if None in values else sum(value for value in values if value is not None) / 1e6
