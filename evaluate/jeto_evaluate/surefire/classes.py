"""Which test class a case belongs to, and the merging of files into one result per class.

The key is the outermost class from the case's own class name, else from the suite's; never the
file's name (field.md row 71). Surefire 2.22 puts nested classes into one file; 3.x writes an empty
outer file and one inner file with all cases; TestNG and old providers put all classes into one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "CaseResult",
    "CaseStatus",
    "ClassReport",
    "SuiteReport",
    "case_id",
    "class_milliseconds",
    "group_by_class",
    "outermost_class",
]

# Surefire appends a report name suffix in brackets: "toy.PlainTest(jdk17)".
_SUFFIX = re.compile(r"[(\[].*\Z", re.DOTALL)


class CaseStatus(StrEnum):
    """How a case ended."""

    PASSED = "passed"
    SKIPPED = "skipped"
    FAILED = "failed"
    ERROR = "error"


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseResult:
    """One test case.

    Attributes:
        test_class: Outermost class.
        nested: What follows the outermost class, such as ``$Level$Deeper``; else empty.
        name: As reported; empty when setting up the class failed (field.md row 77).
        milliseconds: Its time.
        status: How it ended.
        message: Type and first line of the failure, at most 500 characters; for people, never
            for grading.
    """

    test_class: str
    nested: str = ""
    name: str
    milliseconds: int
    status: CaseStatus
    message: str = ""

    @property
    def broken(self) -> bool:
        """Whether it failed or erred."""
        return self.status in {CaseStatus.FAILED, CaseStatus.ERROR}

    @property
    def class_level(self) -> bool:
        """Whether this is no case of its own but the failure of the whole class's set-up."""
        return self.broken and self.name in {"", self.test_class, self.test_class + self.nested}


@dataclass(frozen=True, kw_only=True, slots=True)
class SuiteReport:
    """One ``<testsuite>`` element, its times already read.

    Attributes:
        name: As reported.
        milliseconds: Its own time, if it states one.
        cases: (class name as reported, case without a class) in document order.
        declared_broken: Failures and errors that its attributes claim.
    """

    name: str
    milliseconds: int | None
    cases: tuple[tuple[str, CaseResult], ...]
    declared_broken: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class ClassReport:
    """One outermost class in one round, merged over files.

    Attributes:
        test_class: Fully qualified name.
        suite_ms: Time of the one suite that bears the class's name; ``None`` if there is none, or
            several, or it also holds cases of other classes.
        cases: Every case, sorted by nested class and name.
        declared_broken: Failures and errors that the suites claim in their attributes.
    """

    test_class: str
    suite_ms: int | None
    cases: tuple[CaseResult, ...]
    declared_broken: int = 0

    @property
    def cases_ms(self) -> int:
        """Sum of the times of the cases."""
        return sum(case.milliseconds for case in self.cases)


def _is_java_name(text: str) -> bool:
    return bool(text) and all(part.replace("$", "_").isidentifier() for part in text.split("."))


def _split_nested(name: str) -> tuple[str, str]:
    """``a.b.Outer$Inner`` as (``a.b.Outer``, ``$Inner``); a leading ``$`` belongs to the name."""
    at = name.find("$", name.rfind(".") + 2)
    return (name, "") if at < 0 else (name[:at], name[at:])


def outermost_class(class_name: str, suite_name: str) -> tuple[str, str]:
    """Name the class that a case belongs to.

    Args:
        class_name: The case's ``classname``: a class, a phrase (phrased names), or a method
            (dynamic tests of some versions).
        suite_name: The suite's ``name``.

    Returns:
        Outermost class and nested part. Where neither text is a Java name, the phrase itself.
    """
    own, suite = _SUFFIX.sub("", class_name), _SUFFIX.sub("", suite_name)
    if _is_java_name(own) and ("." in own or not (_is_java_name(suite) and "." in suite)):
        return _split_nested(own)
    if _is_java_name(suite):
        return _split_nested(suite)
    return class_name or suite_name, ""


def case_id(case: CaseResult) -> str:
    """Name of a case that tells it from all others of a round."""
    return f"{case.test_class}{case.nested}#{case.name}"


def group_by_class(suites: Iterable[SuiteReport]) -> tuple[ClassReport, ...]:
    """Merge suites of any number of files into one report per class, sorted by name.

    Raises nothing: a suite without cases counts for its class only when cases of that class occur
    elsewhere (Surefire 3 writes such a suite for the outer class of nested ones).
    """
    cases: dict[str, list[CaseResult]] = {}
    own_suites: dict[str, list[SuiteReport]] = {}
    impure: set[str] = set()
    broken: dict[str, int] = {}
    for suite in suites:
        suite_class, suite_nested = outermost_class("", suite.name)
        broken[suite_class] = broken.get(suite_class, 0) + suite.declared_broken
        if not suite_nested:
            own_suites.setdefault(suite_class, []).append(suite)
        for class_name, case in suite.cases:
            test_class, nested = outermost_class(class_name, suite.name)
            placed = CaseResult(
                test_class=test_class,
                nested=nested,
                name=case.name,
                milliseconds=case.milliseconds,
                status=case.status,
                message=case.message,
            )
            cases.setdefault(test_class, []).append(placed)
            if test_class != suite_class:
                impure |= {test_class, suite_class}
    return tuple(
        ClassReport(
            test_class=name,
            suite_ms=_suite_time(own_suites.get(name, []), impure=name in impure),
            cases=tuple(sorted(found, key=lambda case: (case.nested, case.name))),
            declared_broken=broken.get(name, 0),
        )
        for name, found in sorted(cases.items())
    )


def _suite_time(suites: list[SuiteReport], *, impure: bool) -> int | None:
    return suites[0].milliseconds if len(suites) == 1 and not impure else None


def class_milliseconds(report: ClassReport) -> int:
    """The one number of a class: its suite's time, else the sum of its cases (field.md row 81).

    The suite's time covers setting up the class; in Surefire 3 the outer class's suite also covers
    the nested ones. A provider that leaves them out shows a suite shorter than its cases, by more
    than rounding explains; there the sum is meant.
    """
    rounding = len(report.cases) + 1
    if report.suite_ms is None or report.suite_ms + rounding < report.cases_ms:
        return report.cases_ms
    return report.suite_ms
