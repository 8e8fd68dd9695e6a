"""One ETIP as the dataset stores it: frozen dataclasses, no input or output."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

__all__ = [
    "UNRELEASED",
    "CriteriaName",
    "DetectorTest",
    "EtipRecord",
    "Favours",
    "QuarantinedTest",
    "Tier",
    "Verification",
]

UNRELEASED: Final = "0.0.0"
"""Version of rows that no published dataset has."""


class Tier(StrEnum):
    """How far an ETIP has come."""

    IDENTIFIED = "identified"
    EXECUTABLE = "executable"
    VERIFIED = "verified"


class Favours(StrEnum):
    """Which version a detector shows to be faster."""

    REFERENCE = "reference"
    BASE = "base"


class CriteriaName(StrEnum):
    """The criteria set under which a detector was found."""

    DEFAULT = "default"
    CONSERVATIVE = "conservative"
    ROBUST = "robust"


@dataclass(frozen=True, kw_only=True, slots=True)
class QuarantinedTest:
    """A test class left out, and why."""

    test_class: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DetectorTest:
    """A test class whose time tells base and reference apart.

    Attributes:
        test_class: Fully qualified name of the outermost class.
        favours: The version that is faster.
        criteria: The criteria set under which the difference is significant.
        rounds: Number of pairs measured.
        wins: Pairs that count as success for ``favours``; under ``robust``, that are faster at all.
        p_value: One-sided and uncorrected p of the paired binomial test; under ``robust``, of the
            signed-rank test of the pairs that confirmed it.
        median_speedup: Median over pairs of slower time / faster time (> 1 means faster); under
            ``robust`` the Hodges-Lehmann estimate.
    """

    test_class: str
    favours: Favours
    criteria: CriteriaName
    rounds: int
    wins: int
    p_value: float
    median_speedup: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Verification:
    """What people said of the patch.

    Attributes:
        labels: One label per annotator, same order as ``annotators``.
        annotators: Ids of the annotators.
        decision: ``improvement`` or ``no_improvement`` after tie-break; empty if nobody looked yet.
    """

    labels: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    decision: str = ""

    @property
    def confirmed(self) -> bool:
        """People found an improvement, so that the row is verified once it is executable."""
        return self.decision == "improvement"


@dataclass(frozen=True, kw_only=True, slots=True)
class EtipRecord:
    """One execution time improvement patch, a row of the dataset.

    Attributes:
        instance_id: ``owner__name-NUMBER``; the pull request, else the issue, else the short SHA.
        repo: ``owner/name``.
        base_commit: 40 hex digits; the version before the fix.
        fix_commits: The developers' commits, oldest first.
        pull_number: Pull request, if any.
        issue_number: Issue, if any.
        created_at: ISO 8601 time of the fix, UTC.
        problem_statement: Issue title, blank line, body.
        hints_text: Discussion before the fix; may be empty.
        commit_message: Message of the fix.
        patch: The developers' diff (the reference), ``git diff`` with ``a/`` and ``b/``.
        test_patch: Tests that came with the fix; empty in paper-faithful configs.
        changed_files: Paths that ``patch`` touches, sorted.
        modules: Maven modules whose tests are measured, ``.`` for the root.
        java_version: Feature release: 8, 11, 17, 21, 25; 0 if not known yet (``identified`` only).
        maven_version: Version that the wrapper pins.
        image: ``repository:tag`` of the instance image; tag is the dataset version.
        image_digest: ``sha256:...`` in a registry; empty where the image is built from sources.
        test_command: What a developer would type to run the measured tests.
        test_classes: Classes that pass on base and reference in every round (PASS_TO_PASS).
        quarantined_tests: Classes left out.
        detector_tests: Classes whose time tells the versions apart.
        tier: identified, executable or verified.
        verification: What people said of the patch.
        repo_stars: Stars when mined, if known.
        repo_license: SPDX id, empty if unknown.
        dataset_version: Version of the dataset that holds this row.
    """

    instance_id: str
    repo: str
    base_commit: str
    fix_commits: tuple[str, ...]
    pull_number: int | None
    issue_number: int | None
    created_at: str
    problem_statement: str
    hints_text: str
    commit_message: str
    patch: str
    test_patch: str
    changed_files: tuple[str, ...]
    modules: tuple[str, ...]
    java_version: int
    maven_version: str
    image: str
    image_digest: str
    test_command: str
    test_classes: tuple[str, ...]
    quarantined_tests: tuple[QuarantinedTest, ...]
    detector_tests: tuple[DetectorTest, ...]
    tier: Tier
    verification: Verification
    repo_stars: int | None
    repo_license: str
    dataset_version: str
