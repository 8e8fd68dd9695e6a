"""Rows that a new version still has: retired ones leave, their validation records stay. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from jeto_bench.lifecycle.status import LifeStatus, RowLife
from jeto_bench.records import EtipRecord

__all__ = ["in_use", "lives_of", "retired_ids"]

_UNTRIED: Final = "identified"
"""The config whose rows do not promise that their reference can be run."""


def retired_ids(lives: Iterable[RowLife]) -> frozenset[str]:
    """Return the rows that are retired."""
    return frozenset(life.instance_id for life in lives if life.status is LifeStatus.RETIRED)


def in_use(
    configs: Mapping[str, Sequence[EtipRecord]], lives: Iterable[RowLife]
) -> dict[str, tuple[EtipRecord, ...]]:
    """Return the configs without retired rows, which remain in ``identified`` only."""
    retired = retired_ids(lives)
    return {
        name: tuple(row for row in rows if name == _UNTRIED or row.instance_id not in retired)
        for name, rows in configs.items()
    }


def lives_of(
    configs: Mapping[str, Sequence[EtipRecord]], lives: Iterable[RowLife]
) -> tuple[RowLife, ...]:
    """Return the validation records of a dataset's rows, and of those that were retired from it."""
    there = {row.instance_id for rows in configs.values() for row in rows}
    return tuple(
        life for life in lives if life.instance_id in there or life.status is LifeStatus.RETIRED
    )
