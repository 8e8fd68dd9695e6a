"""Which number of a test class is compared, decided before anything is compared.

CPU time is what code costs, and other jobs on the machine hardly move it; but it does not see a
class that sleeps or waits for a lock. Wall time less run-queue delay does. Which of them a class
gets depends on base rounds alone, so that no arm can choose the one that flatters it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from statistics import median

__all__ = [
    "BLOCKED_SHARE",
    "AgentCost",
    "ClassCost",
    "Metric",
    "PairedMetric",
    "choose_metric",
    "module_sums",
    "paired_metric",
]

BLOCKED_SHARE = Fraction(1, 5)
"""A class that is blocked for more than this share of its time is not judged by CPU time."""

_NS_PER_MS = 1_000_000


class Metric(StrEnum):
    """What is measured of a test class."""

    JAVA_CPU = "java_cpu"
    WALL_LESS_WAIT = "wall_less_wait"
    SUREFIRE_WALL = "surefire_wall"
    ALLOCATED = "allocated"


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentCost:
    """What the agent saw of one class in one round.

    Attributes:
        wall_ns: Nanoseconds from start to end of the class.
        thread_cpu_ns: CPU of the test thread.
        java_cpu_ns: CPU of all Java threads, ended ones included; without JIT and GC threads.
        wait_ns: Time the test thread was ready to run and had no CPU (run-queue delay).
        allocated_bytes: Bytes allocated by all Java threads.
    """

    wall_ns: int
    thread_cpu_ns: int
    java_cpu_ns: int
    wait_ns: int
    allocated_bytes: int

    @property
    def blocked_share(self) -> Fraction:
        """Share of the time not spent queueing in which the test thread had nothing to run."""
        awake = self.wall_ns - self.wait_ns
        return Fraction(max(0, awake - self.thread_cpu_ns), awake) if awake > 0 else Fraction(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassCost:
    """One class in one round of one arm.

    Attributes:
        surefire_ms: Its time as Surefire printed it, whole milliseconds.
        agent: What the agent saw; ``None`` if it did not run or was not believed.
    """

    surefire_ms: int
    agent: AgentCost | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedMetric:
    """One metric of one class, or of all, pair by pair.

    Attributes:
        metric: What was measured.
        base: Base's values, nanoseconds or bytes, one per pair in the order they ran, (pairs,).
        other: The other arm's, same unit and order, (pairs,).
        resolution: Smallest step of the clock or counter, same unit, at least 1.
    """

    metric: Metric
    base: tuple[int, ...]
    other: tuple[int, ...]
    resolution: int = 1

    def __post_init__(self) -> None:
        """Refuse what are no paired measurements.

        Raises:
            ValueError: No pairs, arms of unequal length, a negative value, or no resolution.
        """
        if not self.base or len(self.base) != len(self.other):
            raise ValueError(f"{len(self.base)} and {len(self.other)} values are no pairs")
        if min(*self.base, *self.other) < 0 or self.resolution < 1:
            raise ValueError("values must be at least 0, and resolution at least 1")

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return len(self.base)

    @property
    def resolved(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Base's and the other arm's values, those below one step of the clock taken as one step.

        A time of 0 has no ratio. The same floor in both arms leaves identical arms exchangeable,
        and can only make a ratio less extreme.
        """
        step = self.resolution
        return tuple(max(step, x) for x in self.base), tuple(max(step, x) for x in self.other)

    @property
    def typical(self) -> float:
        """Median over pairs of the pair's larger value.

        It does not change when the arms of any pair are swapped, so what is decided by it says
        nothing about which arm is faster.
        """
        return float(median(map(max, *self.resolved)))

    def first(self, pairs: int) -> PairedMetric:
        """Return the first ``pairs`` pairs."""
        return PairedMetric(
            metric=self.metric,
            base=self.base[:pairs],
            other=self.other[:pairs],
            resolution=self.resolution,
        )


def choose_metric(base: Sequence[ClassCost]) -> Metric:
    """Choose the metric of a class from its rounds of base.

    Args:
        base: One per round, shape (rounds,).

    Returns:
        Surefire's wall time if the agent is missing in any round; wall less run-queue delay if
        the median over rounds of the blocked share is above ``BLOCKED_SHARE``; else CPU time.

    Raises:
        ValueError: No rounds.
    """
    if not base:
        raise ValueError("no rounds of base to choose a metric from")
    seen = [cost.agent for cost in base if cost.agent is not None]
    if len(seen) < len(base):
        return Metric.SUREFIRE_WALL
    if median(agent.blocked_share for agent in seen) > BLOCKED_SHARE:
        return Metric.WALL_LESS_WAIT
    return Metric.JAVA_CPU


def paired_metric(
    base: Sequence[ClassCost], other: Sequence[ClassCost], *, metric: Metric, resolution_ns: int = 1
) -> PairedMetric:
    """Return one metric of both arms, pair by pair.

    Args:
        base: Base's rounds, shape (pairs,).
        other: The other arm's, same pairs in the same order, shape (pairs,).
        metric: What ``choose_metric`` chose, or ``ALLOCATED``.
        resolution_ns: Smallest step of the agent's clock; Surefire's is a millisecond, and bytes
            are counted one by one.

    Raises:
        ValueError: The metric needs the agent in a round that it did not see, or no pairs.
    """
    resolution = {Metric.SUREFIRE_WALL: _NS_PER_MS, Metric.ALLOCATED: 1}.get(metric, resolution_ns)
    return PairedMetric(
        metric=metric,
        base=tuple(_value(cost, metric) for cost in base),
        other=tuple(_value(cost, metric) for cost in other),
        resolution=resolution,
    )


def module_sums(classes: Sequence[PairedMetric]) -> PairedMetric:
    """Return the sums over classes, round by round; of each class its own metric.

    Args:
        classes: Times of the same pairs, shape (classes,).

    Raises:
        ValueError: No classes, unlike numbers of pairs, or bytes among times.
    """
    metrics = {item.metric for item in classes}
    if len({item.pairs for item in classes}) != 1:
        raise ValueError("sums need at least one class, and the same pairs of every class")
    if len(metrics) > 1 and Metric.ALLOCATED in metrics:
        raise ValueError("bytes cannot be added to times")
    return PairedMetric(
        metric=max(metrics, key=lambda metric: sum(item.metric is metric for item in classes)),
        base=tuple(map(sum, zip(*(item.base for item in classes), strict=True))),
        other=tuple(map(sum, zip(*(item.other for item in classes), strict=True))),
        resolution=max(item.resolution for item in classes),
    )


def _value(cost: ClassCost, metric: Metric) -> int:
    if metric is Metric.SUREFIRE_WALL:
        return cost.surefire_ms * _NS_PER_MS
    if cost.agent is None:
        raise ValueError(f"{metric} needs the agent in every round")
    if metric is Metric.ALLOCATED:
        return cost.agent.allocated_bytes
    if metric is Metric.JAVA_CPU:
        return cost.agent.java_cpu_ns
    return max(0, cost.agent.wall_ns - cost.agent.wait_ns)
