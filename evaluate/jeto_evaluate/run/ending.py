"""How a step ends an instance early: one exception, and the reason for every trouble."""

from __future__ import annotations

from jeto_evaluate.patching.result import ApplyReason
from jeto_evaluate.reasons import Reason
from jeto_evaluate.samples import Arm
from jeto_evaluate.surefire import RoundProblemKind

__all__ = ["APPLY_REASONS", "InstanceEnded", "TestFailed", "blame", "ours"]


class InstanceEnded(Exception):  # noqa: N818  # an outcome, not a fault
    """The instance has its outcome; later steps are not run.

    Attributes:
        reason: Why.
        detail: What happened in this case.
        test_class: The class over which it ended; empty if over none.
    """

    def __init__(self, reason: Reason, detail: str = "", *, test_class: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.test_class = test_class


class TestFailed(InstanceEnded):
    """A test failed in a measured round of an arm, after all had passed in the warm-up.

    Attributes:
        arm: The arm.
    """

    __test__ = False

    def __init__(self, arm: Arm, reason: Reason, detail: str, *, test_class: str) -> None:
        super().__init__(reason, detail, test_class=test_class)
        self.arm = arm


APPLY_REASONS = {
    ApplyReason.MALFORMED: Reason.PATCH_MALFORMED,
    ApplyReason.SYMLINK: Reason.PATCH_UNSAFE_PATH,
    ApplyReason.SUBMODULE: Reason.PATCH_UNSAFE_PATH,
    ApplyReason.DOES_NOT_APPLY: Reason.PATCH_NOT_APPLIED,
    ApplyReason.PATCH_NOT_APPLIED: Reason.PATCH_NOT_APPLIED,
    ApplyReason.UNEXPECTED_CHANGE: Reason.PATCH_NOT_APPLIED,
    ApplyReason.TIMED_OUT: Reason.DEADLINE_APPLY,
    ApplyReason.NOTHING_LEFT: Reason.PATCH_IGNORED,
}

_PROBLEMS = {
    RoundProblemKind.UNSCHEDULED_CLASS: Reason.UNSCHEDULED_REPORT,
    RoundProblemKind.EXTRA_CASE: Reason.UNSCHEDULED_REPORT,
    RoundProblemKind.CLASS_FAILED: Reason.TEST_FAILURE,
    RoundProblemKind.CASE_FAILED: Reason.TEST_FAILURE,
    RoundProblemKind.UNREADABLE_REPORT: Reason.REPORT_UNREADABLE,
    RoundProblemKind.NO_TESTS: Reason.MISSING_CLASS,
    RoundProblemKind.MISSING_CLASS: Reason.MISSING_CLASS,
    RoundProblemKind.MISSING_CASE: Reason.MISSING_CASE,
    RoundProblemKind.SKIPPED_CASE: Reason.SKIPPED_CASE,
}


def blame(arm: Arm, kind: RoundProblemKind) -> Reason:
    """Return the reason for a problem of a round: a candidate's is the prediction's fault."""
    return ours(arm, Reason.BASE_FAILED) or _PROBLEMS[kind]


def ours(arm: Arm, base: Reason) -> Reason | None:
    """Return the reason for trouble of an arm that is not the prediction's; else ``None``.

    Args:
        arm: Where the trouble is.
        base: Its reason if that is base.
    """
    if arm is Arm.CANDIDATE:
        return None
    return base if arm is Arm.BASE else Reason.REFERENCE_FAILED
