"""Reported times against the harness's own clock: a saving must be seen from outside too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from jeto_evaluate.samples import Arm, RoundResult, Samples

__all__ = ["Saving", "saving", "unexplained"]

_TOLERANCE_MS = 150
_TOLERANCE_SHARE = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Saving:
    """What a candidate saves per round, median over pairs, in milliseconds.

    Attributes:
        reported: By the sum of the classes' reported times.
        observed: By the harness's clock around the whole round.
    """

    reported: float
    observed: float

    def describe(self) -> str:
        """Return the contradiction as one line for a report."""
        return (
            f"the reports claim a saving of {self.reported:.0f} ms per round, "
            f"the harness's clock saw {self.observed:.0f} ms"
        )


def saving(samples: Samples, other: Arm = Arm.CANDIDATE) -> Saving:
    """Compare what the reports say with what the harness saw.

    Raises:
        ValueError: There is no measured pair.
    """
    pairs = _pairs(samples.rounds, other)
    if not pairs:
        raise ValueError("no measured pair")
    return Saving(
        reported=median(_sum(base) - _sum(cand) for base, cand in pairs),
        observed=median(base.wall_ms - cand.wall_ms for base, cand in pairs),
    )


def unexplained(found: Saving) -> bool:
    """Whether the reports claim a saving that the whole round does not show.

    Work that a candidate moves out of the timed windows, and times that it forges, leave the
    round as long as before. A tolerance covers what legitimately lies outside the windows: JVM
    start, class loading, discovery.
    """
    allowed = max(_TOLERANCE_MS, _TOLERANCE_SHARE * found.reported)
    return found.reported - found.observed > allowed


def _pairs(rounds: Sequence[RoundResult], other: Arm) -> list[tuple[RoundResult, RoundResult]]:
    by_key = {(item.arm, item.round): item for item in rounds if item.round > 0}
    return [
        (item, by_key[other, number])
        for (arm, number), item in sorted(by_key.items())
        if arm is Arm.BASE and (other, number) in by_key
    ]


def _sum(item: RoundResult) -> int:
    return sum(time.milliseconds for time in item.classes)
