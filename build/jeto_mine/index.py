"""Results of a run as rows of the index. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jeto_bench.index.rows import IndexMeasurement, IndexRow
from jeto_bench.records import EtipRecord, Tier
from jeto_mine.executable.results import EXECUTABLE, EtipResult

__all__ = ["index_rows"]

SOURCE: Final = "jeto-mine execute"


def index_rows(
    results: Iterable[EtipResult], records: Iterable[EtipRecord]
) -> tuple[IndexRow, ...]:
    """Return a row for each result whose record is given.

    What Maven or a test printed stays out: it is not ours, and names hosts.
    """
    known = {record.instance_id: record for record in records}
    return tuple(
        _row(known[result.instance_id], result) for result in results if result.instance_id in known
    )


def _row(record: EtipRecord, result: EtipResult) -> IndexRow:
    return IndexRow(
        instance_id=record.instance_id,
        repo=record.repo,
        base_commit=record.base_commit,
        fix_commits=record.fix_commits,
        pull_number=record.pull_number,
        issue_number=record.issue_number,
        changed_files=record.changed_files,
        modules=record.modules or result.modules,
        tier=Tier.EXECUTABLE if result.outcome == EXECUTABLE else Tier.IDENTIFIED,
        sources=(SOURCE,),
        measurements=(_measurement(result),),
    )


def _measurement(result: EtipResult) -> IndexMeasurement:
    return IndexMeasurement(
        source=SOURCE,
        measured_at=result.measured_at,
        machine=result.machine,
        harness=result.harness,
        rounds=result.rounds,
        outcome=result.outcome,
        modules=result.modules,
        java_version=result.java_version,
        java_evidence=result.evidence,
        maven_version=result.maven_version,
        wrapper=result.wrapper,
        test_classes=result.test_classes,
        quarantined_tests=result.quarantined,
        strict=result.strict,
        verdict=result.outcome_of_reference,
        improved=result.improved,
        regressed=result.regressed,
        jeto_improved=result.paper_improved,
        jeto_regressed=result.paper_regressed,
        overall_speedup=result.overall_speedup,
        round_seconds=result.round_seconds,
        total_seconds=result.seconds,
        image_bytes=result.image_bytes,
    )
