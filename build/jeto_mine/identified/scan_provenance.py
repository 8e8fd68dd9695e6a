"""How a scan was made; kept apart from its results, which do not depend on when."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jeto_bench._version import __version__
from jeto_bench.git.clones import run_git
from jeto_evaluate.run.host import harness_commit
from jeto_mine.identified.scan import ScanOptions
from jeto_mine.identified.work import Sources, opened_classifier

__all__ = ["ScanProvenance", "scan_provenance"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ScanProvenance:
    """How a scan was made.

    Attributes:
        version: Version of this program, with its commit where it runs from a checkout.
        git: git's version.
        python: Python's version.
        finished_at: ISO 8601, UTC.
        since: First day.
        max_files: Files that a change may touch.
        with_tests: Changes that touch tests were taken too.
        linking: What counted as a link.
        without_wrapper: Trees without a Maven wrapper were taken too.
        oldest_java: Oldest Java.
        branch: Branch; empty for the default branch.
        source: ``none``, ``api``, or ``export`` with a hash of its files.
        classifier: Its name; empty if none was asked.
    """

    version: str
    git: str
    python: str
    finished_at: str
    since: str
    max_files: int
    with_tests: bool
    linking: str
    without_wrapper: bool
    oldest_java: int
    branch: str
    source: str
    classifier: str


def scan_provenance(options: ScanOptions, sources: Sources, *, at: datetime) -> ScanProvenance:
    """Return how a scan that ended ``at`` some time was made."""
    classifier = opened_classifier(sources)
    return ScanProvenance(
        version=" ".join(part for part in (__version__, harness_commit()) if part),
        git=run_git(Path(), ["--version"]).decode().strip(),
        python=platform.python_version(),
        finished_at=at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        since=options.criteria.since.isoformat(),
        max_files=options.criteria.max_files,
        with_tests=options.criteria.with_tests,
        linking=options.linking.value,
        without_wrapper=options.build.without_wrapper,
        oldest_java=options.build.oldest_java,
        branch=options.branch,
        source=sources.identity,
        classifier=classifier.name if classifier is not None else "",
    )
