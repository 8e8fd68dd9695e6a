"""The one boundary where outside data becomes records: Parquet, JSONL, rows of ``datasets``.

Whatever is unknown, missing, of the wrong type or out of its domain raises a ``DecodeError`` that
names the file, the line or row, the field (``detector_tests[2].rounds``) and the fix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa
import pyarrow.parquet as pq

from jeto_bench.convert import Where, convert
from jeto_bench.errors import DecodeError
from jeto_bench.json_text import object_lines
from jeto_bench.records import EtipRecord
from jeto_bench.schema import SCHEMA_VERSION, VERSION_KEY
from jeto_bench.validate import check_record

__all__ = ["decode_jsonl", "decode_parquet", "decode_record", "decode_rows", "parquet_rows"]


def decode_record(
    data: Mapping[str, object], *, source: str = "", line: int | None = None
) -> EtipRecord:
    """Return one record from JSON-like values, such as a row of ``datasets``.

    Args:
        data: Field names and values; unknown names are refused.
        source: File or dataset, for errors.
        line: 1-based line or row, for errors.

    Raises:
        DecodeError: Some field does not follow the schema.
    """
    where = Where(source=source, line=line)
    record: EtipRecord = convert(data, EtipRecord, where, "")
    problem = check_record(record)
    if problem is not None:
        where.fail(problem.message, problem.field, advice=problem.advice)
    return record


def decode_rows(
    rows: Iterable[Mapping[str, object]], *, source: str = ""
) -> tuple[EtipRecord, ...]:
    """Return the records of a table, refusing an instance that is there twice."""
    return _unique(
        ((n, decode_record(row, source=source, line=n)) for n, row in enumerate(rows, start=1)),
        source,
    )


def decode_jsonl(data: bytes, *, source: str = "") -> tuple[EtipRecord, ...]:
    """Return the records of a JSONL file; lines end at LF bytes only."""
    return _unique(
        (
            (line, decode_record(value, source=source, line=line))
            for line, value in object_lines(data, source=source)
        ),
        source,
    )


def decode_parquet(data: bytes, *, source: str = "") -> tuple[EtipRecord, ...]:
    """Return the records of a Parquet file; ``line`` of an error is the 1-based row."""
    return decode_rows(parquet_rows(data, source=source), source=source)


def parquet_rows(data: bytes, *, source: str = "") -> list[dict[str, object]]:
    """Return the rows of a Parquet file of ours.

    Raises:
        DecodeError: No Parquet file, or of a newer format.
    """
    try:
        table = pq.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError) as error:
        raise DecodeError(
            f"not a readable Parquet file: {error}",
            source=source,
            advice="Is it complete? A Git LFS pointer has 3 lines of text; run `git lfs pull`.",
        ) from error
    version = (table.schema.metadata or {}).get(VERSION_KEY, b"")
    if version.isdigit() and int(version) > SCHEMA_VERSION:
        raise DecodeError(
            f"format {int(version)} is newer than {SCHEMA_VERSION}, the newest that is known here",
            source=source,
            advice="Upgrade: pip install --upgrade jeto-bench",
        )
    return table.to_pylist()


def _unique(found: Iterable[tuple[int, EtipRecord]], source: str) -> tuple[EtipRecord, ...]:
    lines: dict[str, int] = {}
    records: list[EtipRecord] = []
    for number, record in found:
        earlier = lines.setdefault(record.instance_id, number)
        if earlier != number:
            raise DecodeError(
                f"{record.instance_id} is already in line {earlier}",
                source=source,
                line=number,
                field="instance_id",
                advice="Remove one of the two.",
            )
        records.append(record)
    return tuple(records)
