"""Who is to label what, and what was decided. Pure.

Two annotators label each record, neither seeing the other's label. Where they disagree, a third
labels it the same way, and the majority decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from jeto_bench.records import EtipRecord
from jeto_mine.verification.model import Decision, LabelEntry, patch_hash

__all__ = ["PAIR", "Standing", "open_for", "standing", "standings"]

PAIR: Final = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """Where one record stands.

    Attributes:
        instance_id: The record.
        labels: Those that count: the first two, and the tie-break where there is one.
        decision: What was decided; ``None`` while labels are missing.
    """

    instance_id: str
    labels: tuple[LabelEntry, ...]
    decision: Decision | None

    @property
    def tied(self) -> bool:
        """The first two disagree, whether or not it was settled since."""
        return len({item.decision for item in self.labels[:PAIR]}) > 1

    def visible_to(self, annotator: str) -> tuple[LabelEntry, ...]:
        """Labels that an annotator may see: others' only after having given their own."""
        if any(item.annotator == annotator for item in self.labels):
            return self.labels
        return ()


def standing(instance_id: str, labels: Sequence[LabelEntry]) -> Standing:
    """Return where a record stands after labels of one patch of it, in the order given."""
    pair = tuple(labels[:PAIR])
    if len(pair) < PAIR:
        return Standing(instance_id=instance_id, labels=pair, decision=None)
    if pair[0].decision is pair[1].decision:
        return Standing(instance_id=instance_id, labels=pair, decision=pair[0].decision)
    third = tuple(labels[PAIR : PAIR + 1])
    decision = third[0].decision if third else None
    return Standing(instance_id=instance_id, labels=pair + third, decision=decision)


def standings(
    records: Iterable[EtipRecord], labels: Iterable[LabelEntry]
) -> Mapping[str, Standing]:
    """Return where each record stands; labels of other records and other patches do not count."""
    all_labels = tuple(labels)
    found = {}
    for record in records:
        wanted = (record.instance_id, patch_hash(record))
        own = [item for item in all_labels if (item.instance_id, item.patch_sha256) == wanted]
        found[record.instance_id] = standing(record.instance_id, own)
    return found


def open_for(
    annotator: str, records: Iterable[EtipRecord], labels: Iterable[LabelEntry]
) -> tuple[EtipRecord, ...]:
    """Return the records that an annotator can label now, in their order."""
    chosen = tuple(records)
    where = standings(chosen, labels)
    return tuple(
        record
        for record in chosen
        if where[record.instance_id].decision is None
        and all(item.annotator != annotator for item in where[record.instance_id].labels)
    )
