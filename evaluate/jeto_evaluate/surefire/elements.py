"""The elements of one report file, before their times are decided.

Text content has no handler, so captured output of any size streams past and is never held. A
document type is refused, so that there are no entities to expand and nothing to fetch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from jeto_evaluate.surefire.classes import CaseStatus
from jeto_evaluate.surefire.clean import clean_chunks
from jeto_evaluate.surefire.times import Time, read_time

__all__ = ["RawCase", "RawSuite", "ReportError", "ReportReader", "read_elements"]

_MAX_CASES = 200_000
_MAX_NAME = 10_000
_MAX_MESSAGE = 500
_STATUS = {
    "failure": CaseStatus.FAILED,
    "error": CaseStatus.ERROR,
    "skipped": CaseStatus.SKIPPED,
}


class ReportError(Exception):
    """This one file cannot be used; the text is the reason, a short word and detail."""


@dataclass(kw_only=True, slots=True)
class RawCase:
    """One ``<testcase>``."""

    name: str
    class_name: str
    time: Time | None
    status: CaseStatus = CaseStatus.PASSED
    message: str = ""
    broken: bool = False


@dataclass(kw_only=True, slots=True)
class RawSuite:
    """One ``<testsuite>``."""

    name: str
    time: Time | None
    declared_broken: int
    cases: list[RawCase] = field(default_factory=list)


class ReportReader:
    """Handlers of the parser, and what they collected."""

    def __init__(self) -> None:
        self.path: list[str] = []
        self.suites: list[RawSuite] = []
        self.open_suites: list[RawSuite] = []
        self.case: RawCase | None = None
        self.cases = 0
        self.properties: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        parent = self.path[-1] if self.path else ""
        self.path.append(tag)
        if not parent and tag not in {"testsuite", "testsuites"}:
            raise ReportError(f"not_a_report: root element {tag[:40]!r}")
        if tag == "testsuite" and parent in {"", "testsuite", "testsuites"}:
            self._open_suite(attributes)
        elif tag == "testcase" and parent == "testsuite":
            self._open_case(attributes)
        elif tag == "property" and parent == "properties":
            name = attributes.get("name", "")
            if name in {"surefire.version", "user.language"}:
                self.properties.setdefault(name, attributes.get("value", "")[:40])
        elif tag in _STATUS and parent == "testcase" and self.case and not self.case.broken:
            self.case.status = _STATUS[tag]
            self.case.broken = tag != "skipped"
            lines = attributes.get("message", "").splitlines()[:1]
            said = [attributes.get("type", ""), *lines]
            self.case.message = ": ".join(part for part in said if part)[:_MAX_MESSAGE]

    def end(self, tag: str) -> None:
        """Close an element."""
        self.path.pop()
        if tag == "testsuite" and self.open_suites:
            self.open_suites.pop()
        elif tag == "testcase":
            self.case = None

    def refuse_doctype(self, *_: object) -> None:
        """Give the file up."""
        raise ReportError("doctype: a report has no document type")

    def _open_suite(self, attributes: dict[str, str]) -> None:
        suite = RawSuite(
            name=_name(attributes, "name"),
            time=_time(attributes),
            declared_broken=sum(_count(attributes, key) for key in ("failures", "errors")),
        )
        self.suites.append(suite)
        self.open_suites.append(suite)

    def _open_case(self, attributes: dict[str, str]) -> None:
        self.cases += 1
        if self.cases > _MAX_CASES:
            raise ReportError(f"too_many_cases: more than {_MAX_CASES}")
        self.case = RawCase(
            name=_name(attributes, "name"),
            class_name=_name(attributes, "classname"),
            time=_time(attributes),
        )
        self.open_suites[-1].cases.append(self.case)


def _name(attributes: dict[str, str], key: str) -> str:
    value = attributes.get(key, "")
    if len(value) > _MAX_NAME:
        raise ReportError(f"name_too_long: {key} of {len(value)} characters")
    return value


def _count(attributes: dict[str, str], key: str) -> int:
    text = attributes.get(key, "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < len("1000000000") else 0


def _time(attributes: dict[str, str]) -> Time | None:
    text = attributes.get("time")
    if text is None:
        return None
    time = read_time(text)
    if not time.readable:
        raise ReportError(f"time_unreadable: {text[:40]!r}")
    return time


def read_elements(data: bytes) -> ReportReader:
    """Parse one file.

    Raises:
        ReportError: The file is not a sound report.
    """
    reader = ReportReader()
    parser = expat.ParserCreate(encoding="utf-8")
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.StartDoctypeDeclHandler = reader.refuse_doctype
    parser.EntityDeclHandler = reader.refuse_doctype
    parser.ExternalEntityRefHandler = None
    try:
        for chunk in clean_chunks(data):
            parser.Parse(chunk, False)  # noqa: FBT003  # the C function takes no keywords
        parser.Parse(b"", True)  # noqa: FBT003  # as above
    except expat.ExpatError as error:
        raise ReportError(f"xml: {error}") from error
    return reader
