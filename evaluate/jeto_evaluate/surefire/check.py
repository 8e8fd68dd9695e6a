"""Hold one round against what base ran: missing, failed, skipped, added, forged.

Nothing here reads console output; a round is graded from its reports alone (field.md row 15).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from jeto_evaluate.surefire.classes import CaseStatus, ClassReport
from jeto_evaluate.surefire.expected import ExpectedClass, ExpectedTests, stable_id
from jeto_evaluate.surefire.rounds import RoundReport

__all__ = ["RoundProblem", "RoundProblemKind", "check_round", "round_problems"]

_MAX_NAMED = 3


class RoundProblemKind(StrEnum):
    """What is wrong with a round, gravest first: the order in which one is chosen."""

    UNSCHEDULED_CLASS = "unscheduled_class"
    """A report for a class nobody asked for: a forged file, or a wrong selection."""
    CLASS_FAILED = "class_failed"
    CASE_FAILED = "case_failed"
    UNREADABLE_REPORT = "unreadable_report"
    NO_TESTS = "no_tests"
    MISSING_CLASS = "missing_class"
    EXTRA_CASE = "extra_case"
    MISSING_CASE = "missing_case"
    SKIPPED_CASE = "skipped_case"
    """A case that base ran was skipped: time saved by not doing the work."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundProblem:
    """One reason why a round does not count.

    Attributes:
        kind: What is wrong.
        test_class: The class, empty if it concerns the whole round.
        detail: For people: cases, messages, files.
    """

    kind: RoundProblemKind
    test_class: str = ""
    detail: str = ""


def _named(ids: Counter[str]) -> str:
    names = sorted(ids.elements())
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(names[:_MAX_NAMED]) + more


def _failures(report: ClassReport) -> Iterator[RoundProblem]:
    broken = [case for case in report.cases if case.broken]
    for case in broken:
        kind = RoundProblemKind.CLASS_FAILED if case.class_level else RoundProblemKind.CASE_FAILED
        name = case.name or "setting up the class"
        yield RoundProblem(
            kind=kind, test_class=report.test_class, detail=f"{name}: {case.message}"
        )
    if not broken and report.declared_broken:
        yield RoundProblem(
            kind=RoundProblemKind.CLASS_FAILED,
            test_class=report.test_class,
            detail=f"the suite declares {report.declared_broken} failures, no case shows one",
        )


def _differences(report: ClassReport, expected: ExpectedClass) -> Iterator[RoundProblem]:
    found = Counter(stable_id(case) for case in report.cases)
    wanted = Counter(expected.case_ids)
    skipped = Counter(stable_id(case) for case in report.cases if case.status is CaseStatus.SKIPPED)
    allowed = Counter(expected.may_skip)
    if expected.by_count:
        found, wanted, skipped, allowed = (
            Counter({expected.test_class: counts.total()})
            for counts in (found, wanted, skipped, allowed)
        )
    for kind, ids in (
        (RoundProblemKind.EXTRA_CASE, found - wanted),
        (RoundProblemKind.MISSING_CASE, wanted - found),
        (RoundProblemKind.SKIPPED_CASE, skipped - allowed),
    ):
        if ids:
            yield RoundProblem(kind=kind, test_class=report.test_class, detail=_named(ids))


def round_problems(report: RoundReport, expected: ExpectedTests) -> tuple[RoundProblem, ...]:
    """Find everything wrong with a round, gravest first.

    Args:
        report: The round.
        expected: What base ran (``expected_tests``).
    """
    wanted = {item.test_class: item for item in expected.classes}
    found = {item.test_class: item for item in report.classes}
    problems: list[RoundProblem] = [
        RoundProblem(kind=RoundProblemKind.UNSCHEDULED_CLASS, test_class=name)
        for name in found
        if name not in wanted
    ]
    problems += [
        RoundProblem(kind=RoundProblemKind.UNREADABLE_REPORT, detail=f"{path}: {why}")
        for path, why in report.degraded
    ]
    if wanted and not found:
        problems.append(
            RoundProblem(kind=RoundProblemKind.NO_TESTS, detail="no case in any report")
        )
    for name, item in wanted.items():
        if name not in found:
            problems.append(RoundProblem(kind=RoundProblemKind.MISSING_CLASS, test_class=name))
            continue
        failures = tuple(_failures(found[name]))
        problems += failures or _differences(found[name], item)
    order = list(RoundProblemKind)
    return tuple(sorted(problems, key=lambda problem: order.index(problem.kind)))


def check_round(report: RoundReport, expected: ExpectedTests) -> RoundProblem | None:
    """Return the gravest problem of a round, or ``None`` if it counts."""
    problems = round_problems(report, expected)
    return problems[0] if problems else None
