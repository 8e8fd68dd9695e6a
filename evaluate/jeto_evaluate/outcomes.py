"""The one class an instance ends in, and what it says about the prediction."""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "GRADED",
    "LEFT_OUT",
    "MEASURED",
    "PREDICTION_FAULTS",
    "Outcome",
]


class Outcome(StrEnum):
    """Exactly one per submitted instance; the order is the order of the tables.

    ``GRADED`` outcomes (measured ones and faults of the prediction) are the denominator of the
    primary rate; ``infra_error`` leaves it.
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


MEASURED = frozenset(
    {Outcome.REGRESSED, Outcome.NO_IMPROVEMENT, Outcome.NOT_MEASURABLE, Outcome.IMPROVED}
)
"""Decided by times under the chosen criteria, or the candidate is base to the byte."""

LEFT_OUT = frozenset({Outcome.INFRA_ERROR})
"""The harness or its surroundings failed; says nothing about the prediction."""

PREDICTION_FAULTS = frozenset(Outcome) - MEASURED - LEFT_OUT
"""The prediction, or the lack of one, is why there is nothing to time."""

GRADED = MEASURED | PREDICTION_FAULTS
"""The harness reached a verdict on the prediction."""
