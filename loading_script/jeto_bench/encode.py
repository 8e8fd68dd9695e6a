"""Records to plain dicts, JSONL, Arrow and Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from jeto_bench.files import write_atomically
from jeto_bench.records import EtipRecord
from jeto_bench.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = [
    "record_to_dict",
    "records_to_jsonl",
    "records_to_parquet",
    "records_to_table",
    "row_to_dict",
    "table_to_parquet",
    "write_parquet",
]


def record_to_dict(record: EtipRecord) -> dict[str, object]:
    """Return a record as JSON-like values, fields in the order of the schema."""
    return row_to_dict(record)


def row_to_dict(row: DataclassInstance) -> dict[str, object]:
    """Return any row of ours as JSON-like values, fields in their order."""
    return {item.name: _plain(getattr(row, item.name)) for item in fields(row)}


def records_to_jsonl(records: Iterable[EtipRecord]) -> bytes:
    """Return records as JSONL, one a line, each line ended by LF."""
    return b"".join(
        json.dumps(record_to_dict(record), ensure_ascii=False, allow_nan=False).encode() + b"\n"
        for record in records
    )


def records_to_table(records: Iterable[EtipRecord]) -> pa.Table:
    """Return records as an Arrow table with ``RECORD_SCHEMA``."""
    return pa.Table.from_pylist([record_to_dict(item) for item in records], schema=RECORD_SCHEMA)


def records_to_parquet(records: Iterable[EtipRecord]) -> bytes:
    """Return records as one Parquet file; see ``table_to_parquet``."""
    return table_to_parquet(records_to_table(records))


def table_to_parquet(table: pa.Table) -> bytes:
    """Return a table as one Parquet file with one row group.

    Written in the form that ``datasets`` 2 to 5, pandas and pyarrow all read: format 2.4, data
    pages 1.0, Snappy, no metadata of the ``datasets`` library (field.md row 99).
    """
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink, table.schema, version="2.4", data_page_version="1.0", compression="snappy"
    ) as writer:
        writer.write_table(table, row_group_size=max(table.num_rows, 1))
    return sink.getvalue().to_pybytes()


def write_parquet(records: Iterable[EtipRecord], path: Path) -> None:
    """Write records as one Parquet file, whole or not at all."""
    write_atomically(path, records_to_parquet(records))


def _plain(value: object) -> object:
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    return value
