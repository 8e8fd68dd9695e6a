"""One report file: bytes to suites with their times. Never fatal for other files.

Reports hold what tests printed and asserted: characters that XML forbids and bytes that are not
UTF-8 (field.md rows 27 and 73); ``clean`` mends them before ``elements`` parses the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

from jeto_evaluate.surefire.classes import CaseResult, CaseStatus, SuiteReport
from jeto_evaluate.surefire.commas import SuiteTimes, comma_of_file
from jeto_evaluate.surefire.elements import RawSuite, ReportError, read_elements
from jeto_evaluate.surefire.times import Comma

__all__ = ["FileReport", "ReportError", "parse_report"]


@dataclass(frozen=True, kw_only=True, slots=True)
class FileReport:
    """What one file says.

    Attributes:
        suites: In document order.
        surefire_version: Property ``surefire.version`` of the run, if stated.
        language: Property ``user.language``, if stated.
    """

    suites: tuple[SuiteReport, ...]
    surefire_version: str | None
    language: str | None


def _settle(suite: RawSuite, comma: Comma) -> SuiteReport:
    cases = tuple(
        (
            case.class_name,
            CaseResult(
                test_class="",
                name=case.name,
                milliseconds=(case.time.under(comma) or 0) if case.time else 0,
                status=case.status,
                message=case.message,
            ),
        )
        for case in suite.cases
    )
    return SuiteReport(
        name=suite.name,
        milliseconds=suite.time.under(comma) if suite.time else None,
        cases=cases,
        declared_broken=suite.declared_broken,
    )


def parse_report(data: bytes) -> FileReport:
    """Read one ``TEST-*.xml``.

    Args:
        data: The file, from a hostile place.

    Raises:
        ReportError: This file cannot be used: ``xml``, ``doctype``, ``not_a_report``,
            ``time_unreadable``, ``time_missing``, ``time_ambiguous``, ``name_too_long`` or
            ``too_many_cases``, with detail.
    """
    reader = read_elements(data)
    for suite in reader.suites:
        for case in suite.cases:
            if case.time is None and case.status is CaseStatus.PASSED:
                raise ReportError(f"time_missing: {case.name[:80]!r}")
    times = tuple(
        SuiteTimes(suite=suite.time, cases=tuple(case.time for case in suite.cases if case.time))
        for suite in reader.suites
    )
    language = reader.properties.get("user.language")
    comma = comma_of_file(times, language=language)
    if comma is None:
        raise ReportError("time_ambiguous: a comma may group thousands or mark decimals")
    return FileReport(
        suites=tuple(_settle(suite, comma) for suite in reader.suites),
        surefire_version=reader.properties.get("surefire.version"),
        language=language,
    )
