"""What was decided, written into the records. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jeto_bench.records import EtipRecord, Tier, Verification
from jeto_mine.verification.model import Decision, LabelEntry
from jeto_mine.verification.progress import Standing, standings

__all__ = ["apply_decisions"]


def apply_decisions(
    records: Iterable[EtipRecord], labels: Iterable[LabelEntry]
) -> tuple[EtipRecord, ...]:
    """Return all records, those with a decision with it.

    An executable record that was found an improvement becomes verified; one that was found to be
    none keeps its label and falls back to executable. An identified one stays identified: nobody
    has run it. A record without a decision stays as it is.
    """
    chosen = tuple(records)
    where = standings(chosen, labels)
    return tuple(_apply(record, where[record.instance_id]) for record in chosen)


def _apply(record: EtipRecord, found: Standing) -> EtipRecord:
    if found.decision is None:
        return record
    tier = record.tier
    if tier is not Tier.IDENTIFIED:
        tier = Tier.VERIFIED if found.decision is Decision.IMPROVEMENT else Tier.EXECUTABLE
    said = Verification(
        labels=tuple(item.decision.value for item in found.labels),
        annotators=tuple(item.annotator for item in found.labels),
        decision=found.decision.value,
    )
    return replace(record, tier=tier, verification=said)
