"""All reports of one round as one result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jeto_evaluate.samples import ClassTime
from jeto_evaluate.surefire.classes import (
    ClassReport,
    SuiteReport,
    class_milliseconds,
    group_by_class,
)
from jeto_evaluate.surefire.report_file import ReportError, parse_report

__all__ = ["RoundReport", "class_times", "read_round"]


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundReport:
    """What the reports of one round say.

    Attributes:
        classes: One entry per outermost class, sorted by name, merged over files and modules.
        degraded: (file, reason) of files that could not be used; their cases are absent.
        surefire_version: As the reports state it; several versions are joined by commas; ``None``
            if none states it. Must be equal in both arms (field.md row 71).
    """

    classes: tuple[ClassReport, ...]
    degraded: tuple[tuple[str, str], ...] = ()
    surefire_version: str | None = None


def read_round(files: Mapping[str, bytes]) -> RoundReport:
    """Read all ``TEST-*.xml`` of one round. Never raises for what the files hold.

    Args:
        files: Content by relative path; the path is only quoted, never interpreted.
    """
    suites: list[SuiteReport] = []
    degraded: list[tuple[str, str]] = []
    versions: set[str] = set()
    for path in sorted(files):
        try:
            report = parse_report(files[path])
        except ReportError as error:
            degraded.append((path, str(error)))
            continue
        suites.extend(report.suites)
        if report.surefire_version:
            versions.add(report.surefire_version)
    return RoundReport(
        classes=group_by_class(suites),
        degraded=tuple(degraded),
        surefire_version=",".join(sorted(versions)) or None,
    )


def class_times(report: RoundReport) -> tuple[ClassTime, ...]:
    """Return the samples of a round, one per class, sorted by name, in integer milliseconds."""
    return tuple(
        ClassTime(
            test_class=item.test_class,
            milliseconds=class_milliseconds(item),
            suite_ms=item.suite_ms,
            cases_ms=item.cases_ms,
            cases=len(item.cases),
        )
        for item in report.classes
    )
