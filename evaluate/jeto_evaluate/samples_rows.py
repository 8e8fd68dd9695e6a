"""Samples as rows of a table, one per class and round in the order they ran, and back. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields
from itertools import groupby
from typing import Any, NamedTuple

import pyarrow as pa

from jeto_bench.errors import DecodeError
from jeto_evaluate.samples import AgentTimes, Arm, ClassTime, RoundResult, Samples

__all__ = ["COLUMNS", "COLUMNS_OF_VERSION_1", "Row", "rounds_of", "rows_of"]

_AGENT = tuple(item.name for item in fields(AgentTimes))
_REPORTED: list[pa.Field[Any]] = [
    pa.field("instance_id", pa.string(), nullable=False),
    pa.field("arm", pa.string(), nullable=False),
    pa.field("round", pa.int32(), nullable=False),
    pa.field("position", pa.int32(), nullable=False),
    pa.field("started_at", pa.float64(), nullable=False),
    pa.field("wall_ms", pa.int64(), nullable=False),
    pa.field("test_class", pa.string(), nullable=False),
    pa.field("milliseconds", pa.int64(), nullable=False),
    pa.field("suite_ms", pa.int64()),
    pa.field("cases_ms", pa.int64(), nullable=False),
    pa.field("cases", pa.int32(), nullable=False),
]
COLUMNS_OF_VERSION_1 = pa.schema(_REPORTED)
COLUMNS = pa.schema(
    [
        *_REPORTED,
        pa.field("cpu_ms", pa.int64()),
        *(pa.field(f"agent_{name}", pa.int64()) for name in _AGENT),
    ]
)


class Row(NamedTuple):
    """One class in one round; the fields are the columns, in their order."""

    instance_id: str
    arm: str
    round: int
    position: int
    started_at: float
    wall_ms: int
    test_class: str
    milliseconds: int
    suite_ms: int | None
    cases_ms: int
    cases: int
    cpu_ms: int | None = None
    agent_order: int | None = None
    agent_wall_ns: int | None = None
    agent_thread_cpu_ns: int | None = None
    agent_java_cpu_ns: int | None = None
    agent_wait_ns: int | None = None
    agent_jit_cpu_ns: int | None = None
    agent_gc_cpu_ns: int | None = None
    agent_vm_cpu_ns: int | None = None
    agent_thread_alloc: int | None = None
    agent_java_alloc: int | None = None
    agent_loaded: int | None = None

    @property
    def round_key(self) -> tuple[str, int, int, float, int, int | None]:
        """What all rows of one round share."""
        return self.arm, self.round, self.position, self.started_at, self.wall_ms, self.cpu_ms

    @property
    def agent(self) -> AgentTimes | None:
        """What the agent measured, if it did."""
        if self.agent_order is None or self.agent_wall_ns is None:
            return None
        values: dict[str, Any] = dict(zip(_AGENT, self[-len(_AGENT) :], strict=True))
        return AgentTimes(**values)

    @property
    def negative(self) -> bool:
        """Whether a number that counts something is below zero."""
        counts = (self.round, self.wall_ms, *self[7:])
        return any(isinstance(value, int) and value < 0 for value in counts)


def rows_of(samples: Samples) -> list[Row]:
    """Return one row per class and round.

    Raises:
        ValueError: A round has no class; it would be lost.
    """
    rows: list[Row] = []
    for item in samples.rounds:
        if not item.classes:
            raise ValueError(f"round {item.round} of {item.arm} has no class")
        rows += [
            Row(
                samples.instance_id,
                item.arm.value,
                item.round,
                item.position,
                item.started_at,
                item.wall_ms,
                entry.test_class,
                entry.milliseconds,
                entry.suite_ms,
                entry.cases_ms,
                entry.cases,
                item.cpu_ms,
                *(astuple(entry.agent) if entry.agent else ()),
            )
            for entry in item.classes
        ]
    return rows


def rounds_of(rows: Sequence[Row], instance_id: str, *, source: str) -> tuple[RoundResult, ...]:
    """Put rows together to rounds.

    Raises:
        DecodeError: A round is there twice, or a row is another instance's or makes no sense.
    """
    rounds: list[RoundResult] = []
    seen: set[tuple[str, int]] = set()
    for _, group in groupby(rows, key=lambda row: row.round_key):
        members = list(group)
        first = members[0]
        key = (first.arm, first.round)
        if key in seen:
            raise DecodeError(f"round {first.round} of {first.arm} is there twice", source=source)
        seen.add(key)
        rounds.append(_round(members, instance_id, source=source))
    return tuple(rounds)


def _round(members: Sequence[Row], instance_id: str, *, source: str) -> RoundResult:
    first = members[0]
    if first.arm not in list(Arm):
        raise DecodeError(f"{first.arm!r} is none of {[*Arm]}", source=source, field="arm")
    for row in members:
        if row.instance_id != instance_id:
            raise DecodeError(
                f"{row.instance_id!r} in the samples of {instance_id!r}",
                source=source,
                field="instance_id",
            )
        if row.negative:
            raise DecodeError(
                f"a negative number in round {row.round} of {row.test_class}", source=source
            )
    return RoundResult(
        arm=Arm(first.arm),
        round=first.round,
        position=first.position,
        started_at=first.started_at,
        wall_ms=first.wall_ms,
        cpu_ms=first.cpu_ms,
        classes=tuple(
            ClassTime(
                test_class=row.test_class,
                milliseconds=row.milliseconds,
                suite_ms=row.suite_ms,
                cases_ms=row.cases_ms,
                cases=row.cases,
                agent=row.agent,
            )
            for row in members
        ),
    )
