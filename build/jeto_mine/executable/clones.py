"""The clone of a record's repository, made if it is missing."""

from __future__ import annotations

from pathlib import Path

from jeto_bench.git.making import ORIGIN, ensure_clone_of
from jeto_bench.records import EtipRecord

__all__ = ["ORIGIN", "ensure_clone"]


def ensure_clone(clones: Path, record: EtipRecord, *, origin: str = ORIGIN) -> Path:
    """Return the clone of a record's repository; see ``ensure_clone_of``.

    Raises:
        UsageError: It is not there and cannot be cloned.
    """
    return ensure_clone_of(clones, record.repo, origin=origin, asked_by=f"{record.instance_id}: ")
