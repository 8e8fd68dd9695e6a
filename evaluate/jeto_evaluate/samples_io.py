"""``samples.parquet``: the raw times of one instance on disk, enough to judge them again."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from jeto_bench import __version__
from jeto_bench.errors import DecodeError
from jeto_bench.files import write_atomically
from jeto_evaluate.samples import Arm, ClassTime, RoundResult, Samples

__all__ = ["SCHEMA_VERSION", "read_samples", "samples_bytes", "write_samples"]

SCHEMA_VERSION = 1
"""Raised whenever a column or its meaning changes; history: 1, the first."""

_FIELDS: list[pa.Field[Any]] = [
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
_COLUMNS = pa.schema(_FIELDS)


class _Row(NamedTuple):
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

    @property
    def round_key(self) -> tuple[str, int, int, float, int]:
        """What all rows of one round share."""
        return self.arm, self.round, self.position, self.started_at, self.wall_ms


def write_samples(path: Path, samples: Samples) -> None:
    """Write ``samples`` to ``path``, whole or not at all.

    Raises:
        ValueError: A round has no class; it would be lost.
        OSError: The file cannot be written.
    """
    write_atomically(path, samples_bytes(samples))


def samples_bytes(samples: Samples) -> bytes:
    """Return ``samples`` as a Parquet file, one row per class and round in the order they ran.

    Raises:
        ValueError: A round has no class; it would be lost.
    """
    rows: list[_Row] = []
    for item in samples.rounds:
        if not item.classes:
            raise ValueError(f"round {item.round} of {item.arm} has no class")
        rows += [
            _Row(
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
            )
            for entry in item.classes
        ]
    metadata = {
        "schema_version": str(SCHEMA_VERSION),
        "instance_id": samples.instance_id,
        "order_seed": str(samples.order_seed),
        "harness_version": __version__,
    }
    table = pa.Table.from_pylist(
        [row._asdict() for row in rows], schema=_COLUMNS.with_metadata(metadata)
    )
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def read_samples(path: Path) -> Samples:
    """Read what ``write_samples`` wrote.

    Raises:
        DecodeError: Not such a file, or of another schema version; the message names the file.
    """
    try:
        # Given a path, pyarrow would also read columns out of directories named key=value.
        table = pq.read_table(io.BytesIO(path.read_bytes()))
    except FileNotFoundError:
        raise DecodeError("no such file", source=str(path)) from None
    except (pa.ArrowException, OSError) as error:
        raise DecodeError(f"not readable as Parquet: {error}", source=str(path)) from error
    metadata = {
        key.decode(errors="replace"): value.decode(errors="replace")
        for key, value in (table.schema.metadata or {}).items()
    }
    version = metadata.get("schema_version", "none")
    if version != str(SCHEMA_VERSION):
        raise DecodeError(
            f"schema_version is {version}, this program reads {SCHEMA_VERSION}",
            source=str(path),
            advice=f"It was written by version {metadata.get('harness_version', 'unknown')}.",
        )
    if not table.schema.equals(_COLUMNS):
        raise DecodeError(f"columns are not {_COLUMNS.names}", source=str(path))
    seed = metadata.get("order_seed", "")
    if not seed.removeprefix("-").isdecimal():
        raise DecodeError(f"not a whole number: {seed!r}", source=str(path), field="order_seed")
    rows = [_Row(**row) for row in table.to_pylist()]
    instance_id = metadata.get("instance_id", "")
    return Samples(
        instance_id=instance_id,
        order_seed=int(seed),
        rounds=_rounds(rows, instance_id, source=str(path)),
    )


def _rounds(rows: Sequence[_Row], instance_id: str, *, source: str) -> tuple[RoundResult, ...]:
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


def _round(members: Sequence[_Row], instance_id: str, *, source: str) -> RoundResult:
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
        if min(row.milliseconds, row.cases_ms, row.cases, row.wall_ms, row.round) < 0:
            raise DecodeError(
                f"a negative number in round {row.round} of {row.test_class}", source=source
            )
    return RoundResult(
        arm=Arm(first.arm),
        round=first.round,
        position=first.position,
        started_at=first.started_at,
        wall_ms=first.wall_ms,
        classes=tuple(
            ClassTime(
                test_class=row.test_class,
                milliseconds=row.milliseconds,
                suite_ms=row.suite_ms,
                cases_ms=row.cases_ms,
                cases=row.cases,
            )
            for row in members
        ),
    )
