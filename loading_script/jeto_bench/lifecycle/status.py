"""Whether a row is of use, told by what its validations found (field.md row 48). Pure.

Every release publishes, for each row, where its reference was measured, when, over how many pairs,
and what came of it. A row whose reference cannot be seen is not taken away silently: it is *weak*,
or *retired* with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["LifeStatus", "RetiredReason", "RowLife", "Validation", "life_of"]


class LifeStatus(StrEnum):
    """Whether a row is of use."""

    ACTIVE = "active"
    WEAK = "weak"
    RETIRED = "retired"


class RetiredReason(StrEnum):
    """Why a row is weak or retired."""

    NO_EFFECT = "no_effect"
    """The reference passes, but is not measurably faster anywhere it was validated."""

    SLOWER = "slower"
    """The reference is slower in its newest validation everywhere."""

    REFERENCE_FAILS = "reference_fails"
    """The reference does not apply, build or pass its tests."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Validation:
    """One measurement of a row's reference against its base.

    Attributes:
        host: CPU, number of CPUs, memory, kernel, engine; in words.
        measured_at: ISO 8601, UTC.
        harness: Version that measured, with its commit.
        rounds: Pairs.
        outcome: The harness's outcome for the reference, such as ``improved``.
        test_classes: Classes that passed in every round.
        improved: Classes that were faster.
        regressed: Classes that were slower.
        effect: Base's time over the reference's, of the class with the largest effect; None if
            nothing was measured.
    """

    host: str
    measured_at: str
    harness: str
    rounds: int
    outcome: str
    test_classes: int
    improved: tuple[str, ...]
    regressed: tuple[str, ...]
    effect: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RowLife:
    """The validation record of one row.

    Attributes:
        instance_id: The row.
        status: Whether it is of use.
        reason: Why not; empty if it is active.
        validations: What the status rests on, oldest first.
    """

    instance_id: str
    status: LifeStatus
    reason: str
    validations: tuple[Validation, ...]

    @property
    def portable(self) -> bool:
        """Whether it is faster on CPUs of at least two makers, and slower or failing nowhere.

        A change can be faster on one machine and slower on another (field.md row 68).
        """
        makers = {_maker(item.host) for item in self.in_outcome("improved")} - {""}
        return len(makers) > 1 and not self.in_outcome("regressed", *_FAILED)

    @property
    def opposite(self) -> bool:
        """Whether it is faster on one host and slower on another."""
        return bool(self.in_outcome("improved") and self.in_outcome("regressed"))

    def in_outcome(self, *outcomes: str) -> tuple[Validation, ...]:
        """Return the newest validation of each host where it has one of some outcomes."""
        newest = _newest(self.validations)
        return tuple(item for item in newest if item.outcome in outcomes)


_UNKNOWN = "unknown"
_FAILED = frozenset({"apply_failed", "build_failed", "tests_failed", "timed_out", "tampered"})
_WITHOUT_WEIGHT = frozenset({"infra_error", "missing"})


def life_of(instance_id: str, validations: Iterable[Validation]) -> RowLife:
    """Return a row's status after all its validations.

    The newest validation of each host counts. A failing reference retires the row, wherever it
    fails: somebody would meet it there. Else one host that shows the improvement is enough.
    Trouble of a host says nothing of a row.
    """
    ordered = tuple(sorted(validations, key=lambda item: item.measured_at))
    outcomes = {item.outcome for item in _newest(ordered)}
    status, reason = LifeStatus.ACTIVE, ""
    if outcomes & _FAILED:
        status, reason = LifeStatus.RETIRED, RetiredReason.REFERENCE_FAILS.value
    elif outcomes == {"regressed"}:
        status, reason = LifeStatus.WEAK, RetiredReason.SLOWER.value
    elif outcomes and "improved" not in outcomes:
        status, reason = LifeStatus.WEAK, RetiredReason.NO_EFFECT.value
    return RowLife(instance_id=instance_id, status=status, reason=reason, validations=ordered)


def _newest(validations: Iterable[Validation]) -> tuple[Validation, ...]:
    """Of each host the newest that has weight."""
    ordered = sorted(validations, key=lambda item: item.measured_at)
    found = {item.host: item for item in ordered if item.outcome not in _WITHOUT_WEIGHT}
    return tuple(found.values())


def _maker(host: str) -> str:
    """The maker of a host's CPU, by which its model's name begins; empty if it is unknown."""
    words = host.partition(",")[0].casefold().replace("(r)", "").split()
    return words[0] if words and words[0] != _UNKNOWN else ""
