"""What a round must contain, as base itself ran it (field.md rows 55, 75, 79)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from jeto_evaluate.surefire.classes import CaseResult, CaseStatus, ClassReport, case_id
from jeto_evaluate.surefire.rounds import RoundReport

__all__ = ["ExpectedClass", "ExpectedTests", "expected_tests", "stable_id"]

# What differs between two runs of unchanged code inside a name: an object's hash, a UUID, a
# temporary directory or a time stamp. Names that differ for any other reason are counted.
_UNSTABLE = re.compile(
    r"@[0-9a-f]{1,16}\b"
    r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    r"|\d{10,}"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedClass:
    """One class that every round must contain.

    Attributes:
        test_class: Fully qualified name.
        case_ids: Stable ids of all cases, sorted, repeated where they repeat.
        may_skip: Those of ``case_ids`` that base itself skipped, repeated likewise.
        by_count: Base's own runs disagree on the names, so only their number is compared.
    """

    test_class: str
    case_ids: tuple[str, ...]
    may_skip: tuple[str, ...] = ()
    by_count: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedTests:
    """Every class of a round, sorted by name."""

    classes: tuple[ExpectedClass, ...]

    def restricted_to(self, test_classes: Sequence[str]) -> ExpectedTests:
        """Keep only the named classes."""
        wanted = set(test_classes)
        return ExpectedTests(
            classes=tuple(item for item in self.classes if item.test_class in wanted)
        )


def stable_id(case: CaseResult) -> str:
    """Id of a case without the parts that change from run to run of the same code."""
    return _UNSTABLE.sub("*", case_id(case))


def _skipped(report: ClassReport) -> Counter[str]:
    return Counter(stable_id(case) for case in report.cases if case.status is CaseStatus.SKIPPED)


def _expected_class(name: str, reports: Sequence[ClassReport]) -> ExpectedClass:
    ids = [tuple(sorted(stable_id(case) for case in report.cases)) for report in reports]
    may_skip: Counter[str] = Counter()
    for report in reports:
        may_skip |= _skipped(report)
    return ExpectedClass(
        test_class=name,
        case_ids=ids[0],
        may_skip=tuple(sorted(may_skip.elements())),
        by_count=any(item != ids[0] for item in ids),
    )


def expected_tests(reports: Sequence[RoundReport]) -> ExpectedTests:
    """Derive the expectation from base's own rounds, one or more.

    More rounds show more instability: names that differ between them are compared by count. A
    class is expected if every round has it.

    Args:
        reports: Rounds of base, all passing; at least one.

    Raises:
        ValueError: No round, or the number of a class's cases differs between base's rounds, so
            that no round could be held against it.
    """
    if not reports:
        raise ValueError("no round of base to learn the expected tests from")
    by_class = [{report.test_class: report for report in item.classes} for item in reports]
    common = set(by_class[0]).intersection(*by_class[1:])
    classes = tuple(
        _expected_class(name, [item[name] for item in by_class]) for name in sorted(common)
    )
    for expected in classes:
        counts = {len(item[expected.test_class].cases) for item in by_class}
        if len(counts) > 1:
            raise ValueError(
                f"{expected.test_class}: base ran {min(counts)} to {max(counts)} cases"
            )
    return ExpectedTests(classes=classes)
