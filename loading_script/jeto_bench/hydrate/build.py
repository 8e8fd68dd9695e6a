"""A record from what the index, a clone and a forge say of an ETIP. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jeto_bench.github.discussion import first_seen, hints_text, problem_statement
from jeto_bench.github.model import Issue, PullRequest, Repository
from jeto_bench.hydrate.from_clone import FixFacts
from jeto_bench.hydrate.reasons import HydrationError, Missing
from jeto_bench.index.rows import IndexRow
from jeto_bench.records import UNRELEASED, EtipRecord, Tier, Verification
from jeto_bench.validate import check_record

__all__ = ["ForgeFacts", "build_record"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ForgeFacts:
    """What a forge says of one repository.

    Attributes:
        repository: The repository; None if the forge does not know it (any more).
        issues: Issues by number, with their discussion.
        pulls: Pull requests by number.
    """

    repository: Repository | None = None
    issues: Mapping[int, Issue] = field(default_factory=dict)
    pulls: Mapping[int, PullRequest] = field(default_factory=dict)


def build_record(
    row: IndexRow,
    fix: FixFacts,
    forge: ForgeFacts | None,
    *,
    dataset_version: str = UNRELEASED,
) -> EtipRecord:
    """Return the identified record of a row.

    Args:
        row: Row of the index.
        fix: What the clone says.
        forge: What the forge says; None to make a record without texts, stars and licence.
        dataset_version: Put into the record.

    Raises:
        HydrationError: A text is missing, or the result is no record.
    """
    known = [item.java_version for item in row.measurements if item.java_version]
    repository = forge.repository if forge is not None else None
    record = EtipRecord(
        instance_id=row.instance_id,
        repo=row.repo,
        base_commit=fix.base_commit,
        fix_commits=fix.fix_commits,
        pull_number=row.pull_number,
        issue_number=row.issue_number,
        created_at=fix.created_at,
        problem_statement="" if forge is None else _statement(row, forge),
        hints_text="" if forge is None else _hints(row, fix, forge),
        commit_message=fix.message,
        patch=fix.patch,
        test_patch="",
        changed_files=fix.paths.all,
        modules=row.modules,
        java_version=known[-1] if known else 0,
        maven_version="",
        image="",
        image_digest="",
        test_command="",
        test_classes=(),
        quarantined_tests=(),
        detector_tests=(),
        tier=Tier.IDENTIFIED,
        verification=_verification(row),
        repo_stars=repository.stars if repository is not None else None,
        repo_license=repository.license if repository is not None else "",
        dataset_version=dataset_version,
    )
    problem = check_record(record)
    if problem is not None:
        raise HydrationError(Missing.RECORD, f"{problem.field}: {problem.message}")
    return record


def _verification(row: IndexRow) -> Verification:
    """The newest label that a source tells, so that the row is verified once it is executable."""
    labelled = [item for item in row.measurements if item.about_execution_time is not None]
    if not labelled:
        return Verification()
    newest = labelled[-1]
    label = "improvement" if newest.about_execution_time else "no_improvement"
    return Verification(labels=(label,), annotators=(newest.source,), decision=label)


def _statement(row: IndexRow, forge: ForgeFacts) -> str:
    """Text of the issue, or of the pull request where the index names no issue."""
    found: Issue | PullRequest | None
    if row.issue_number is not None:
        found, what = forge.issues.get(row.issue_number), f"issue {row.issue_number}"
    elif row.pull_number is not None:
        found, what = forge.pulls.get(row.pull_number), f"pull request {row.pull_number}"
    else:
        raise HydrationError(Missing.ISSUE, "the index names neither issue nor pull request")
    if found is None:
        raise HydrationError(Missing.ISSUE, f"the source of texts has no {what} of {row.repo}")
    return problem_statement(found)


def _hints(row: IndexRow, fix: FixFacts, forge: ForgeFacts) -> str:
    issue = None if row.issue_number is None else forge.issues.get(row.issue_number)
    if issue is None:
        return ""
    pull = None if row.pull_number is None else forge.pulls.get(row.pull_number)
    return hints_text(issue, before=first_seen(fix.started_at, pull))
