"""Identified records, the tier before anything is built."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from jeto_bench.decode import decode_record
from jeto_bench.encode import record_to_dict
from jeto_bench.github.model import Issue, Repository
from jeto_bench.instance_ids import EtipName, instance_id, short_sha_id
from jeto_bench.records import EtipRecord, Tier, Verification
from jeto_mine.identified.assembled import Assembled, iso_time

__all__ = ["identified_records"]

DATASET_VERSION: Final = "0.1.0"
_SHORT: Final = 12


def identified_records(
    items: Sequence[Assembled], repo: str, facts: Repository | None, *, by_commit: bool = False
) -> tuple[EtipRecord, ...]:
    """Return a record for each, in the order given.

    An id ends in the number of the pull request, else of the issue. Where several changes would
    share it, as those that close one issue do, each of them ends in its commit instead; so do all
    with ``by_commit``.

    Raises:
        DecodeError: A record does not follow the schema.
    """
    names = [instance_id(_name(item, repo)) for item in items]
    counts = Counter(names)
    return tuple(
        _record(
            item,
            repo,
            facts,
            name
            if counts[name] == 1 and not by_commit
            else short_sha_id(repo, item.unit.head, digits=_SHORT),
        )
        for item, name in zip(items, names, strict=True)
    )


def _name(item: Assembled, repo: str) -> EtipName:
    unit = item.unit
    return EtipName(
        repo=repo,
        fix_commit=unit.head,
        pull_number=unit.pull_number,
        issue_number=unit.issue_number,
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
        problem_statement=_statement(unit.issue),
        hints_text=_hints(unit.issue, before=_begun(item)),
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
        dataset_version=DATASET_VERSION,
    )
    return decode_record(record_to_dict(record), source=unit.head)


def _statement(issue: Issue | None) -> str:
    if issue is None:
        return ""
    return f"{issue.title}\n\n{issue.body}" if issue.body else issue.title


def _begun(item: Assembled) -> str:
    """When the fix was first seen: later comments may tell how it was done."""
    pull = item.unit.pull
    return pull.created_at if pull is not None else iso_time(item.unit.committed)


def _hints(issue: Issue | None, *, before: str) -> str:
    comments = issue.comments if issue is not None else ()
    return "\n\n".join(text for time, text in comments if time < before)
