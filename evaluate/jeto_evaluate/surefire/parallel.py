"""Signs of parallel or renamed tests in build files, read from their bytes (field.md row 72).

With parallel execution cases land in the wrong class and times are summed over threads. This only
detects what is readable in the text. A round switches off what it can reach; what it cannot is
refused when the image is built (``images/serial.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from xml.parsers import expat

from jeto_evaluate.surefire.clean import clean_chunks

__all__ = ["ParallelFinding", "ParallelKind", "find_parallel"]

_JUPITER = re.compile(r"junit\.jupiter\.execution\.parallel\.enabled\s*[=:\s]\s*(true|\$\{[^}]*\})")
_MAX_VALUE = 200
_TESTNG_SERIAL = {"", "none", "false"}
_PHRASED = re.compile(r"usePhrased(?:FileName|TestSuiteClassName|TestCaseClassName)\Z")


class _DoctypeError(Exception):
    """A build file with a document type; its entities are not expanded."""


class ParallelKind(StrEnum):
    """Which mechanism a setting belongs to."""

    THREADS = "threads"
    """Surefire's ``parallel`` for JUnit 4.7 and TestNG."""
    FORKS = "forks"
    """More than one forked JVM at a time."""
    JUNIT_PLATFORM = "junit_platform"
    TESTNG_SUITE = "testng_suite"
    PHRASED_NAMES = "phrased_names"
    """Display names instead of class names: classes cannot be told by name (row 71)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ParallelFinding:
    """One setting found.

    Attributes:
        path: The file.
        kind: Mechanism.
        setting: Name of the element or property.
        value: As written, at most 200 characters; may be an unresolved ``${...}``.
    """

    path: str
    kind: ParallelKind
    setting: str
    value: str


def _elements(data: bytes) -> list[tuple[tuple[str, ...], str, dict[str, str]]]:
    """Every element as (path, own text, attributes); empty if the file is no sound XML."""
    found: list[tuple[tuple[str, ...], str, dict[str, str]]] = []
    path: list[str] = []
    texts: list[list[str]] = []
    attributes: list[dict[str, str]] = []

    def start(tag: str, attrs: dict[str, str]) -> None:
        path.append(tag)
        texts.append([])
        attributes.append(attrs)

    def end(_: str) -> None:
        found.append((tuple(path), "".join(texts.pop()).strip(), attributes.pop()))
        path.pop()

    def text(content: str) -> None:
        if texts:
            texts[-1].append(content)

    def doctype(*_: object) -> None:
        raise _DoctypeError

    parser = expat.ParserCreate(encoding="utf-8")
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = doctype
    try:
        for chunk in clean_chunks(data):
            parser.Parse(chunk, False)  # noqa: FBT003  # the C function takes no keywords
        parser.Parse(b"", True)  # noqa: FBT003  # as above
    except (expat.ExpatError, _DoctypeError):
        return []
    return found


def _several(value: str) -> bool:
    """Whether a fork count means more than one JVM at a time; unresolved counts as yes."""
    return value not in {"", "0", "1"}


def _element_kind(name: str, value: str) -> ParallelKind | None:
    """The mechanism that an element of this name, or a property, switches on."""
    if name == "parallel" and value.lower() not in _TESTNG_SERIAL:
        return ParallelKind.THREADS
    if name in {"forkCount", "surefire.forkCount"} and _several(value):
        return ParallelKind.FORKS
    if name == "forkMode" and value == "perthread":
        return ParallelKind.FORKS
    if name == "junit.jupiter.execution.parallel.enabled" and value.lower() != "false":
        return ParallelKind.JUNIT_PLATFORM
    if _PHRASED.fullmatch(name) and value.lower() != "false":
        return ParallelKind.PHRASED_NAMES
    return None


def _in_pom(path: str, data: bytes) -> Iterator[ParallelFinding]:
    elements = _elements(data)
    for number, (trail, text, _) in enumerate(elements):
        name, value = trail[-1], text
        if name == "value" and number and elements[number - 1][0][-1] == "name":
            # <property><name>parallel</name><value>methods</value></property> of TestNG.
            name = elements[number - 1][1]
        kind = _element_kind(name, value)
        setting = name
        if kind is None and (match := _JUPITER.search(value)):
            kind, setting, value = ParallelKind.JUNIT_PLATFORM, "parallel.enabled", match[1]
        if kind is not None:
            yield ParallelFinding(path=path, kind=kind, setting=setting, value=value[:_MAX_VALUE])


def _in_properties(path: str, data: bytes) -> Iterator[ParallelFinding]:
    for line in data.decode("latin-1").splitlines():
        if line.lstrip().startswith(("#", "!")):
            continue
        if match := _JUPITER.search(line):
            yield ParallelFinding(
                path=path,
                kind=ParallelKind.JUNIT_PLATFORM,
                setting="junit.jupiter.execution.parallel.enabled",
                value=match[1][:_MAX_VALUE],
            )


def _in_testng(path: str, data: bytes) -> Iterator[ParallelFinding]:
    for trail, _, attributes in _elements(data):
        value = attributes.get("parallel", "")
        if trail[-1] in {"suite", "test"} and value.lower() not in _TESTNG_SERIAL:
            yield ParallelFinding(
                path=path,
                kind=ParallelKind.TESTNG_SUITE,
                setting=f"{trail[-1]} parallel",
                value=value[:_MAX_VALUE],
            )


def find_parallel(files: Mapping[str, bytes]) -> tuple[ParallelFinding, ...]:
    """Look through build files for settings that make tests run at the same time.

    Args:
        files: Content by path: POMs, ``junit-platform.properties``, TestNG suite files. Others
            are ignored. Parent POMs from a repository are not followed.

    Returns:
        Findings in order of path and place. Files that are no sound XML give none.
    """
    found: list[ParallelFinding] = []
    for path in sorted(files):
        name = path.rpartition("/")[2].lower()
        if name == "junit-platform.properties" or path.endswith(".mvn/maven.config"):
            found += _in_properties(path, files[path])
        elif name.endswith(".xml") and "testng" in name:
            found += _in_testng(path, files[path])
        elif name == "pom.xml" or name.endswith(".pom"):
            found += _in_pom(path, files[path])
    return tuple(found)
