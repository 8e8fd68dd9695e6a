"""What scans found, on disk: a repository is there whole, its report last, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.encode import write_parquet
from jeto_bench.files import write_atomically
from jeto_evaluate.reports.decode import versioned
from jeto_evaluate.reports.encode import to_json
from jeto_mine.identified.dedup import Group
from jeto_mine.identified.reasons import KEPT
from jeto_mine.identified.repository_provenance import RepositoryProvenance
from jeto_mine.identified.scan import Scanned

__all__ = ["REPORT_VERSION", "RepositoryReport", "ScanFolder", "Yield", "report_of"]

REPORT_VERSION: Final = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class RepositoryReport:
    """What came of one repository; facts only.

    Attributes:
        repo: ``owner/name``.
        tip: Commit that its history was read from.
        key: Hash of everything that decides the result; see ``work.key_of``.
        commits: Commits read.
        outcomes: Commits by outcome, ``identified`` first; they add up to ``commits``.
        marks: Records by mark.
        groups: Changes that are one.
        left_out: Reason by commit, of those that passed the criteria and had a link.
        schema_version: Version of this format.
    """

    repo: str
    tip: str
    key: str
    commits: int
    outcomes: Mapping[str, int]
    marks: Mapping[str, int]
    groups: tuple[Group, ...]
    left_out: Mapping[str, str]
    schema_version: int = REPORT_VERSION


@dataclass(frozen=True, kw_only=True, slots=True)
class Yield:
    """The yield table.

    Attributes:
        commits: Commits of all repositories.
        outcomes: Commits by outcome, of all repositories.
        marks: Records by mark, of all repositories.
        repositories: Commits by outcome, by repository.
        failed: Repositories that could not be scanned, with the error.
        schema_version: Version of this format.
    """

    commits: int
    outcomes: Mapping[str, int]
    marks: Mapping[str, int]
    repositories: Mapping[str, Mapping[str, int]]
    failed: Mapping[str, str]
    schema_version: int = REPORT_VERSION


def report_of(scanned: Scanned, *, repo: str, key: str) -> RepositoryReport:
    """Return the report of a scan."""
    reasons = {reason.value: count for reason, count in scanned.reasons.items()}
    return RepositoryReport(
        repo=repo,
        tip=scanned.tip,
        key=key,
        commits=scanned.commits,
        outcomes={KEPT: len(scanned.records), **reasons},
        marks={mark.value: count for mark, count in scanned.marks.items()},
        groups=scanned.groups,
        left_out={commit: reason.value for commit, reason in scanned.left_out.items()},
    )


@dataclass(frozen=True, slots=True)
class ScanFolder:
    """The output of ``jeto-mine scan``.

    Attributes:
        path: The folder: ``identified/OWNER__NAME.parquet`` with the records of a repository,
            ``duplicates/`` likewise, ``repositories/OWNER__NAME.json`` with its report, and
            ``yield.json``. Nothing in them depends on when or in how many attempts it was made;
            that is in ``provenance.json`` and ``provenance/OWNER__NAME.json``.
    """

    path: Path

    def report(self, repo: str) -> RepositoryReport | None:
        """Return a repository's report, if it has been scanned.

        Raises:
            DecodeError: The file is no report, or of another version.
        """
        file = self._file("repositories", repo, "json")
        if not file.exists():
            return None
        return versioned(
            RepositoryReport, file.read_bytes(), source=str(file), version=REPORT_VERSION
        )

    def keep(
        self, scanned: Scanned, report: RepositoryReport, provenance: RepositoryProvenance
    ) -> None:
        """Write a repository's records, then its report: without it, nothing counts as done."""
        file = self._file("repositories", report.repo, "json")
        file.unlink(missing_ok=True)
        write_parquet(scanned.records, self._file("identified", report.repo, "parquet"))
        duplicates = self._file("duplicates", report.repo, "parquet")
        if scanned.duplicates:
            write_parquet(scanned.duplicates, duplicates)
        else:
            duplicates.unlink(missing_ok=True)
        made = self._file("provenance", report.repo, "json")
        write_atomically(made, to_json(provenance).encode())
        write_atomically(file, to_json(report).encode())

    def gather(self, repos: tuple[str, ...], failed: Mapping[str, str]) -> Yield:
        """Write ``yield.json`` from the reports of some repositories."""
        reports = [report for repo in sorted(repos) if (report := self.report(repo)) is not None]
        found = Yield(
            commits=sum(report.commits for report in reports),
            outcomes=_sum([report.outcomes for report in reports]),
            marks=_sum([report.marks for report in reports]),
            repositories={report.repo: report.outcomes for report in reports},
            failed=dict(sorted(failed.items())),
        )
        write_atomically(self.path / "yield.json", to_json(found).encode())
        return found

    def _file(self, kind: str, repo: str, ending: str) -> Path:
        return self.path / kind / f"{repo.replace('/', '__')}.{ending}"


def _sum(counts: list[Mapping[str, int]]) -> Mapping[str, int]:
    total: dict[str, int] = {KEPT: 0} if any(KEPT in item for item in counts) else {}
    for item in counts:
        for name, count in item.items():
            total[name] = total.get(name, 0) + count
    kept = {name: count for name, count in total.items() if name == KEPT}
    rest = {name: count for name, count in total.items() if name != KEPT}
    return {**kept, **dict(sorted(rest.items(), key=lambda item: (-item[1], item[0])))}
