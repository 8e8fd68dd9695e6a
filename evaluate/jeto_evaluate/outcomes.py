"""The one class an instance ends in, and the closed list of reasons behind it."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Outcome"]


class Outcome(StrEnum):
    """Exactly one per submitted instance; the order is the order of the tables.

    ``GRADED`` outcomes enter the primary rate's denominator together with the faults of the
    prediction; ``infra_error`` leaves it.
    """

    INFRA_ERROR = "infra_error"
    MISSING = "missing"
    EMPTY_PATCH = "empty_patch"
    APPLY_FAILED = "apply_failed"
    BUILD_FAILED = "build_failed"
    TESTS_FAILED = "tests_failed"
    TIMED_OUT = "timed_out"
    TAMPERED = "tampered"
    REGRESSED = "regressed"
    NO_IMPROVEMENT = "no_improvement"
    NOT_MEASURABLE = "not_measurable"
    IMPROVED = "improved"
