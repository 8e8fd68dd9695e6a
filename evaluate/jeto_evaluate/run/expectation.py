"""What every round must contain, as far as base's own rounds have shown it."""

from __future__ import annotations

from collections.abc import Sequence

from jeto_evaluate.reasons import Reason
from jeto_evaluate.run.ending import InstanceEnded
from jeto_evaluate.surefire import (
    RoundProblem,
    RoundProblemKind,
    RoundReport,
    check_round,
    expected_tests,
)

__all__ = ["Expectation"]

_NAMED = 3
_OTHER_NAMES = frozenset({RoundProblemKind.EXTRA_CASE, RoundProblemKind.MISSING_CASE})


class Expectation:
    """Learns from base; names of cases that differ between its rounds are compared by count.

    Args:
        test_classes: Classes that base must have; with none named, whatever base runs.
    """

    def __init__(self, test_classes: Sequence[str]) -> None:
        self._classes = frozenset(test_classes)
        self._reports: list[RoundReport] = []

    @property
    def empty(self) -> bool:
        """Base has not run yet."""
        return not self._reports

    @property
    def sure(self) -> bool:
        """Base has run often enough to blame a candidate for other names."""
        return len(self._reports) > 1

    def learn(self, report: RoundReport, where: str) -> None:
        """Take in a round of base.

        Raises:
            InstanceEnded: It lacks a class, or has more or fewer cases than the rounds before.
        """
        found = {item.test_class for item in report.classes}
        required = self._classes.union(
            item.test_class for before in self._reports for item in before.classes
        )
        missing = sorted(required - found)
        if missing or not found:
            raise InstanceEnded(Reason.BASE_FAILED, f"{where} lacks {_few(missing)}")
        self._reports.append(report)
        try:
            expected_tests(self._reports)
        except ValueError as error:
            raise InstanceEnded(Reason.BASE_FAILED, f"{where}: {error}") from error

    def problem(self, report: RoundReport) -> RoundProblem | None:
        """Return the gravest problem of a round of either arm, or ``None`` if it counts."""
        return check_round(report, expected_tests(self._reports))

    @staticmethod
    def may_be_names(problem: RoundProblem | None) -> bool:
        """Whether unstable names of cases would explain the problem."""
        return problem is not None and problem.kind in _OTHER_NAMES


def _few(missing: Sequence[str]) -> str:
    if not missing:
        return "every test class"
    more = len(missing) - _NAMED
    return ", ".join(missing[:_NAMED]) + (f" and {more} more" if more > 0 else "")
