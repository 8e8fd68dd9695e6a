"""Which test classes are left out, why, and whether enough are left. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from jeto_bench.records import EtipRecord, QuarantinedTest
from jeto_evaluate.surefire import CaseStatus, ClassReport, RoundReport
from jeto_mine.executable.modules import changed_packages
from jeto_mine.executable.reasons import Dropped, DropReason

__all__ = [
    "QuarantineReason",
    "own_tests_that_count",
    "quarantine",
    "reason_of",
    "why_too_few",
    "without_flaky",
]


class QuarantineReason(StrEnum):
    """Why a test class does not count, the first that fits."""

    NEEDS_DOCKER = "needs_docker"
    NEEDS_NETWORK = "needs_network"
    NEEDS_TIME_ZONE = "needs_time_zone"
    NEEDS_ROOT = "needs_root"
    MISSING_RESOURCE = "missing_resource"
    UNSTABLE_CASES = "unstable_cases"
    """Their number, or which of them are skipped, differs from round to round."""
    SKIPS_CASES = "skips_cases"
    """It came with the fix, and a case of it is skipped."""
    FLAKY = "flaky"
    """It passes in some rounds and fails in others."""
    MISSING = "missing"
    """It left no report: its JVM ended, or it ran in one version only."""
    FAILS_IN_BASE = "fails_in_base"
    """And passes with the fix every time."""
    FAILS_IN_REFERENCE = "fails_in_reference"
    FAILS = "fails"


_SIGNS: Final = {
    QuarantineReason.NEEDS_DOCKER: (
        "testcontainers",
        "valid Docker environment",
        "DockerClient",
        r"docker\.sock",
    ),
    QuarantineReason.NEEDS_NETWORK: (
        "UnknownHost",
        "ConnectException",
        "NoRouteToHost",
        "SocketTimeout",
        "Connection refused",
        "Network is unreachable",
        "name resolution",
        "HttpHostConnect",
        "ConnectTimeout",
        "UnresolvedAddress",
        "SSLHandshake",
        "PKIX path building",
        "Could not transfer artifact",
    ),
    QuarantineReason.NEEDS_TIME_ZONE: ("time[- ]?zone", "ZoneRules", "ZoneId"),
    QuarantineReason.NEEDS_ROOT: (
        "Permission denied",
        "AccessDenied",
        "Operation not permitted",
    ),
    QuarantineReason.MISSING_RESOURCE: (
        "FileNotFound",
        "NoSuchFile",
        "No such file",
        "MissingResource",
    ),
}
_PATTERNS: Final = {
    reason: re.compile("|".join(signs), re.IGNORECASE) for reason, signs in _SIGNS.items()
}


def reason_of(report: ClassReport) -> QuarantineReason:
    """Return why a class fails, by what its failing cases say."""
    texts = [case.message or "" for case in report.cases if case.broken]
    for reason, pattern in _PATTERNS.items():
        if any(pattern.search(text) for text in texts):
            return reason
    return QuarantineReason.FAILS


def quarantine(
    base: Sequence[RoundReport], reference: Sequence[RoundReport]
) -> tuple[QuarantinedTest, ...]:
    """Return the classes that do not pass in every round of both versions, sorted by name.

    Args:
        base: Rounds of base, offline.
        reference: Rounds of the reference, likewise.
    """
    versions = [[{item.test_class: item for item in one.classes} for one in base]]
    versions.append([{item.test_class: item for item in one.classes} for one in reference])
    rounds = [one for version in versions for one in version]
    found: dict[str, QuarantineReason] = {}
    for name in sorted(set().union(*rounds)):
        reports = [one[name] for one in rounds if name in one]
        broken = [report for report in reports if _fails(report)]
        if len(reports) < len(rounds):
            found[name] = QuarantineReason.MISSING
        elif broken:
            reason = reason_of(broken[0])
            if reason is QuarantineReason.FAILS:
                reason = _which(*([_fails(one[name]) for one in version] for version in versions))
            found[name] = reason
        elif len({_cases(report) for report in reports}) > 1:
            found[name] = QuarantineReason.UNSTABLE_CASES
    return tuple(
        QuarantinedTest(test_class=name, reason=reason.value) for name, reason in found.items()
    )


def _which(base: Sequence[bool], reference: Sequence[bool]) -> QuarantineReason:
    """Return the reason of failures that say nothing of their own, by where they happen."""
    if len(set(base)) > 1 or len(set(reference)) > 1:
        return QuarantineReason.FLAKY
    if reference and not any(reference):
        return QuarantineReason.FAILS_IN_BASE
    if base and not any(base):
        return QuarantineReason.FAILS_IN_REFERENCE
    return QuarantineReason.FAILS


def own_tests_that_count(
    added: Collection[str], rounds: Sequence[RoundReport]
) -> tuple[tuple[str, ...], tuple[QuarantinedTest, ...]]:
    """Tell the classes that came with a fix and pass with it every time from those that do not.

    A file without a report is no class of tests. One with a skipped case does not count: code
    under test could make a case look skipped, and nothing on base would contradict it.

    Args:
        added: Classes by the files that came with the fix.
        rounds: Of the fix with its own tests, offline.
    """
    seen = [{item.test_class: item for item in one.classes} for one in rounds]
    named = sorted(set().union(*seen).intersection(added)) if seen else []
    left_out = [item for item in quarantine(rounds, ()) if item.test_class in named]
    names = {item.test_class for item in left_out}
    skipping = [
        name
        for name in named
        if name not in names
        and any(case.status is CaseStatus.SKIPPED for one in seen for case in one[name].cases)
    ]
    left_out += [
        QuarantinedTest(test_class=name, reason=QuarantineReason.SKIPS_CASES.value)
        for name in skipping
    ]
    counted = tuple(name for name in named if name not in names.union(skipping))
    return counted, tuple(left_out)


def why_too_few(
    classes: Collection[str],
    quarantined: Collection[str],
    changed_packages: Collection[str],
) -> str:
    """Return why an ETIP cannot be executed with what is left; empty if it can.

    Args:
        classes: All test classes that ran.
        quarantined: Those left out.
        changed_packages: Packages of the changed files.
    """
    left = set(classes) - set(quarantined)
    if not classes:
        return "no test class ran"
    if 2 * len(left) < len(set(classes)):
        return f"{len(set(classes)) - len(left)} of {len(set(classes))} test classes do not count"
    near = [name for name in classes if name.rpartition(".")[0] in changed_packages]
    if near and not left.intersection(near):
        return f"no test class of {', '.join(sorted(changed_packages))} counts"
    return ""


def without_flaky(record: EtipRecord, test_class: str) -> EtipRecord:
    """Return a record without a class that failed in some round of many.

    Raises:
        Dropped: Too few are left.
    """
    flaky = QuarantinedTest(test_class=test_class, reason=QuarantineReason.FLAKY.value)
    left_out = sorted((*record.quarantined_tests, flaky), key=lambda item: item.test_class)
    names = {item.test_class for item in left_out}
    left = tuple(name for name in record.test_classes if name not in names)
    why = why_too_few(names.union(left), names, changed_packages(record.changed_files))
    if why:
        raise Dropped(DropReason.TOO_FEW_TESTS, f"{why}; {test_class} is flaky")
    return replace(record, test_classes=left, quarantined_tests=tuple(left_out))


def _fails(report: ClassReport) -> bool:
    return not report.cases or any(case.broken for case in report.cases)


def _cases(report: ClassReport) -> tuple[str, ...]:
    return tuple(sorted(case.status.value for case in report.cases))
