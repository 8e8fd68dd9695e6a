"""What a JVM claims against what was seen from outside of it: savings must show there too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from jeto_evaluate.samples import Arm, ClassTime, RoundResult, Samples

__all__ = ["Saving", "contradictions", "savings"]

_TOLERANCE_MS = 150
_TOLERANCE_SHARE = 0.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Saving:
    """What a candidate saves per round, median over pairs, in milliseconds.

    Attributes:
        by: Who claims it.
        claimed: From inside the test JVM, summed over classes.
        against: What else would have seen it.
        observed: From outside, of the whole round.
    """

    by: str
    claimed: float
    against: str
    observed: float

    @property
    def unexplained(self) -> bool:
        """Whether a saving is claimed that the whole round does not show.

        Work that a candidate moves out of the timed windows or into another process, and times
        that it forges, leave the round as long, or as costly, as before. A tolerance covers what
        legitimately lies outside the windows: JVM start, class loading, compilation, discovery.
        """
        allowed = max(_TOLERANCE_MS, _TOLERANCE_SHARE * self.claimed)
        return self.claimed - self.observed > allowed

    def describe(self) -> str:
        """Return the contradiction as one line for a report."""
        return (
            f"{self.by} a saving of {self.claimed:.0f} ms per round, "
            f"{self.against} saw {self.observed:.0f} ms"
        )


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
    claimed = _differences(pairs, claim[1])
    observed = _differences(pairs, seen[1])
    if not claimed or not observed:
        return None
    return Saving(by=claim[0], claimed=median(claimed), against=seen[0], observed=median(observed))


def _differences(pairs: Pairs, figure: Figure) -> list[float]:
    both = [(figure(base), figure(changed)) for base, changed in pairs]
    return [base - changed for base, changed in both if base is not None and changed is not None]


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
