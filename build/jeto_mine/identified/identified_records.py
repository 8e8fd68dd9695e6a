"""Identified records, the tier before anything is built."""

from __future__ import annotations

from collections.abc import Sequence

from jeto_bench.decode import decode_record
from jeto_bench.encode import record_to_dict
from jeto_bench.github.discussion import first_seen, hints_text, problem_statement
from jeto_bench.github.model import Repository
from jeto_bench.instance_ids import EtipName, unique_ids
from jeto_bench.records import UNRELEASED, EtipRecord, Tier, Verification
from jeto_mine.identified.assembled import Assembled, iso_time

__all__ = ["identified_records"]


def identified_records(
    items: Sequence[Assembled], repo: str, facts: Repository | None, *, by_commit: bool = False
) -> tuple[EtipRecord, ...]:
    """Return a record for each, in the order given.

    Ids are those of ``unique_ids``; with ``by_commit`` all of them end in the commit, as those of
    duplicates do, whose number is the representative's.

    Raises:
        DecodeError: A record does not follow the schema.
    """
    names = [_name(item, repo, by_commit=by_commit) for item in items]
    return tuple(
        _record(item, repo, facts, name)
        for item, name in zip(items, unique_ids(names), strict=True)
    )


def _name(item: Assembled, repo: str, *, by_commit: bool) -> EtipName:
    unit = item.unit
    return EtipName(
        repo=repo,
        fix_commit=unit.head,
        pull_number=None if by_commit else unit.pull_number,
        issue_number=None if by_commit else unit.issue_number,
    )


def _record(item: Assembled, repo: str, facts: Repository | None, name: str) -> EtipRecord:
    unit = item.unit
    record = EtipRecord(
        instance_id=name,
        repo=repo,
        base_commit=unit.base,
        fix_commits=unit.fix_commits,
        pull_number=unit.pull_number,
        issue_number=unit.issue_number,
        created_at=iso_time(unit.committed),
        problem_statement="" if unit.issue is None else problem_statement(unit.issue),
        hints_text=_hints(item),
        commit_message=unit.message.text,
        patch=item.patch.decode(),
        test_patch=item.test_patch.decode(),
        changed_files=item.changed_files,
        modules=(),
        java_version=item.level.java_version,
        maven_version=item.level.maven_version,
        image="",
        image_digest="",
        test_command="",
        test_classes=(),
        quarantined_tests=(),
        detector_tests=(),
        tier=Tier.IDENTIFIED,
        verification=Verification(),
        repo_stars=facts.stars if facts is not None else None,
        repo_license=facts.license if facts is not None else "",
        dataset_version=UNRELEASED,
    )
    return decode_record(record_to_dict(record), source=unit.head)


def _hints(item: Assembled) -> str:
    issue = item.unit.issue
    if issue is None:
        return ""
    return hints_text(issue, before=first_seen(iso_time(item.started), item.unit.pull))
