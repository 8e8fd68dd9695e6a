"""Measured times and what surrounds them: the hand-over from measuring to judging."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Arm", "ClassTime", "Pair", "RoundResult", "Samples"]


class Arm(StrEnum):
    """A version being measured."""

    BASE = "base"
    REFERENCE = "reference"
    CANDIDATE = "candidate"


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassTime:
    """One test class in one round of one arm.

    Attributes:
        test_class: Fully qualified name of the outermost class.
        milliseconds: The one number that is judged (field.md 81), as Surefire printed it.
        suite_ms: Suite time, if the class had a suite of its own.
        cases_ms: Sum of the times of its cases.
        cases: Number of cases, skipped ones included.
    """

    test_class: str
    milliseconds: int
    suite_ms: int | None
    cases_ms: int
    cases: int


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
    """

    arm: Arm
    round: int
    position: int
    started_at: float
    wall_ms: int
    classes: tuple[ClassTime, ...]


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
