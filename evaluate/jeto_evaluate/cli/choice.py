"""The records that a command line names."""

from __future__ import annotations

from collections.abc import Sequence

from jeto_bench.errors import UsageError
from jeto_bench.records import EtipRecord

__all__ = ["chosen_records"]

_SHOWN = 10


def chosen_records(
    records: Sequence[EtipRecord], wanted: Sequence[str] | None
) -> tuple[EtipRecord, ...]:
    """Return the records that are named, in that order; all if none is.

    Raises:
        UsageError: A named one is not there.
    """
    if not wanted:
        return tuple(records)
    by_id = {record.instance_id: record for record in records}
    unknown = [name for name in wanted if name not in by_id]
    if unknown:
        raise UsageError(
            f"not in the dataset: {', '.join(unknown)}",
            advice=f"It has {', '.join(sorted(by_id)[:_SHOWN])}.",
        )
    return tuple(by_id[name] for name in dict.fromkeys(wanted))
