"""Indexes put together: one row per ETIP, whoever told of it. Nothing is read or written here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jeto_bench.errors import DecodeError
from jeto_bench.index.rows import IndexMeasurement, IndexRow
from jeto_bench.instance_ids import short_sha_id
from jeto_bench.lifecycle.status import LifeStatus, RetiredReason, Validation, life_of
from jeto_bench.records import Tier

__all__ = ["merge_rows"]


def merge_rows(known: Iterable[IndexRow], new: Iterable[IndexRow]) -> tuple[IndexRow, ...]:
    """Add what was newly found; a measurement that is there already is not added again.

    What is known of an ETIP stays, id included; what is not known yet is taken from the new row. A
    new ETIP whose id is another's is called by its short SHA instead. Status and reason follow from
    all verdicts on the reference together (see ``life_of``), unless somebody gave another reason.

    Raises:
        DecodeError: The id by the short SHA is another ETIP's too.
    """
    merged = {row.instance_id: row for row in known}
    names = {_identity(row): row.instance_id for row in merged.values()}
    for row in new:
        name = names.get(_identity(row))
        if name is not None:
            merged[name] = _joined(merged[name], row)
            continue
        fresh = row
        if row.instance_id in merged:
            fresh = replace(row, instance_id=short_sha_id(row.repo, row.fix_commits[-1]))
        if fresh.instance_id in merged:
            raise DecodeError(
                f"{fresh.instance_id} names two ETIPs, of fixes"
                f" {merged[fresh.instance_id].fix_commits[-1]} and {fresh.fix_commits[-1]}",
                field="instance_id",
            )
        merged[fresh.instance_id] = replace(fresh, measurements=_by_time(fresh.measurements))
        names[_identity(fresh)] = fresh.instance_id
    return tuple(_with_status(merged[name]) for name in sorted(merged))


def _with_status(row: IndexRow) -> IndexRow:
    """A row with the status that its verdicts give it; without any it keeps its own."""
    by_hand = row.status_reason and row.status_reason not in set(RetiredReason)
    verdicts = [item for item in row.measurements if item.verdict]
    if by_hand or not verdicts:
        return row
    life = life_of(row.instance_id, [_validation(item) for item in verdicts])
    return replace(row, status=life.status, status_reason=life.reason)


def _validation(found: IndexMeasurement) -> Validation:
    return Validation(
        host=found.machine,
        measured_at=found.measured_at,
        harness=found.harness,
        rounds=found.rounds,
        outcome=found.verdict,
        test_classes=found.test_classes,
        improved=found.improved,
        regressed=found.regressed,
        effect=found.overall_speedup or None,
    )


def _identity(row: IndexRow) -> tuple[str, str]:
    return row.repo.lower(), row.fix_commits[-1] if row.fix_commits else row.instance_id


def _joined(known: IndexRow, new: IndexRow) -> IndexRow:
    tiers = list(Tier)
    added = tuple(item for item in new.measurements if item not in known.measurements)
    settled = known.status is not LifeStatus.ACTIVE
    return replace(
        known,
        base_commit=known.base_commit or new.base_commit,
        fix_commits=max(known.fix_commits, new.fix_commits, key=len),
        pull_number=known.pull_number if known.pull_number is not None else new.pull_number,
        issue_number=known.issue_number if known.issue_number is not None else new.issue_number,
        changed_files=known.changed_files or new.changed_files,
        modules=known.modules or new.modules,
        tier=max(known.tier, new.tier, key=tiers.index),
        sources=tuple(sorted({*known.sources, *new.sources})),
        status=known.status if settled else new.status,
        status_reason=known.status_reason if settled else new.status_reason,
        measurements=_by_time((*known.measurements, *added)),
    )


def _by_time(found: tuple[IndexMeasurement, ...]) -> tuple[IndexMeasurement, ...]:
    return tuple(sorted(found, key=lambda item: item.measured_at))
