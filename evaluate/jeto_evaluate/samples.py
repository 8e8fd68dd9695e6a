"""Measured times and what surrounds them: the hand-over from measuring to judging."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["AgentTimes", "Arm", "ClassTime", "Pair", "RoundResult", "Samples"]


class Arm(StrEnum):
    """A version being measured."""

    BASE = "base"
    REFERENCE = "reference"
    CANDIDATE = "candidate"


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentTimes:
    """What the agent inside the test JVM measured of one class in one round.

    Attributes:
        order: Place of the class among those of the round, from 0.
        wall_ns: By the JVM's monotonic clock.
        thread_cpu_ns: CPU time of the test's thread.
        java_cpu_ns: CPU time of all Java threads, those that have ended included.
        wait_ns: What the test's thread waited for a processor while it could have run.
        jit_cpu_ns: CPU time of the compilers' threads.
        gc_cpu_ns: CPU time of the collector's threads.
        vm_cpu_ns: CPU time of the JVM's other threads.
        thread_alloc: Bytes allocated by the test's thread.
        java_alloc: Bytes allocated by all Java threads.
        loaded: Classes loaded.

    ``None`` where the JVM or the kernel does not say.
    """

    order: int
    wall_ns: int
    thread_cpu_ns: int | None = None
    java_cpu_ns: int | None = None
    wait_ns: int | None = None
    jit_cpu_ns: int | None = None
    gc_cpu_ns: int | None = None
    vm_cpu_ns: int | None = None
    thread_alloc: int | None = None
    java_alloc: int | None = None
    loaded: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassTime:
    """One test class in one round of one arm.

    Attributes:
        test_class: Fully qualified name of the outermost class.
        milliseconds: The one number that is judged (field.md 81), as Surefire printed it.
        suite_ms: Suite time, if the class had a suite of its own.
        cases_ms: Sum of the times of its cases.
        cases: Number of cases, skipped ones included.
        agent: What the agent measured; ``None`` where it did not run or cannot be believed.
    """

    test_class: str
    milliseconds: int
    suite_ms: int | None
    cases_ms: int
    cases: int
    agent: AgentTimes | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundResult:
    """One run of the selected tests of one arm.

    Attributes:
        arm: The version.
        round: 0 for warm-up, then 1..N; equal numbers make a pair.
        position: 0 if it ran first in its pair, 1 if second.
        started_at: Seconds since the epoch, UTC, by the harness's clock.
        wall_ms: Whole round by the harness's clock, launch included.
        classes: Per-class times, sorted by name.
        cpu_ms: CPU time of the whole container in the round, by the kernel; ``None`` if unknown.
    """

    arm: Arm
    round: int
    position: int
    started_at: float
    wall_ms: int
    classes: tuple[ClassTime, ...]
    cpu_ms: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """One class in round j of two arms, in integer milliseconds."""

    base_ms: int
    other_ms: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Samples:
    """All rounds of one instance, warm-up included, in the order they ran.

    Attributes:
        instance_id: The record.
        order_seed: Seed of the order inside the pairs.
        rounds: Every finished round.
    """

    instance_id: str
    order_seed: int
    rounds: tuple[RoundResult, ...]
