"""The output of a hydration: one file per row, so that an interrupted run goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench._version import __version__
from jeto_bench.convert import Where, convert
from jeto_bench.encode import record_to_dict, records_to_jsonl, records_to_parquet, row_to_dict
from jeto_bench.errors import DecodeError
from jeto_bench.files import write_atomically
from jeto_bench.index.rows import IndexRow
from jeto_bench.json_text import decode_line
from jeto_bench.records import EtipRecord

__all__ = ["HydratedRow", "HydrationFolder", "row_hash"]

_FORMAT: Final = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class HydratedRow:
    """What became of one row of the index.

    Attributes:
        instance_id: The row.
        input_sha256: Hash of the row and of the options, see ``row_hash``.
        reason: Why there is no record; empty if there is one.
        detail: What happened in this case.
        unlisted: Paths that the diff adds or removes and that the index leaves out.
        record: The record.
        schema_version: Version of this format.
    """

    instance_id: str
    input_sha256: str
    reason: str = ""
    detail: str = ""
    unlisted: tuple[str, ...] = ()
    record: EtipRecord | None = None
    schema_version: int = _FORMAT


def row_hash(row: IndexRow, options: Sequence[str]) -> str:
    """Return what a result depends on, this project's version included; 64 hex digits."""
    text = json.dumps([row_to_dict(row), list(options), __version__], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class HydrationFolder:
    """A folder with results.

    Attributes:
        path: ``rows/ID.json`` of every row, and of the last run ``identified.jsonl`` and
            ``identified.parquet`` with the records, ``failures.jsonl`` with what could not be had.
    """

    path: Path

    def done(self, instance_id: str, input_sha256: str) -> HydratedRow | None:
        """Return a row's result if it has a record and is of the same input.

        A file that is cut off, or of another input, or that tells a failure is not a result: the
        row is tried again (field.md row 106).
        """
        file = self._file(instance_id)
        if not file.is_file():
            return None
        source = str(file)
        try:
            value = decode_line(file.read_bytes().rstrip(b"\n"), source=source, line=1)
            row: HydratedRow = convert(value, HydratedRow, Where(source=source, line=1), "")
        except DecodeError:
            return None
        same = row.input_sha256 == input_sha256 and row.schema_version == _FORMAT
        return row if same and row.record is not None else None

    def keep(self, row: HydratedRow) -> None:
        """Write a row's result, whole or not at all."""
        data = json.dumps(_plain(row), ensure_ascii=False).encode() + b"\n"
        write_atomically(self._file(row.instance_id), data)

    def finish(self, rows: Sequence[HydratedRow]) -> None:
        """Write the records, and what could not be had, sorted by id."""
        ordered = sorted(rows, key=lambda row: row.instance_id)
        records = [row.record for row in ordered if row.record is not None]
        write_atomically(self.path / "identified.jsonl", records_to_jsonl(records))
        write_atomically(self.path / "identified.parquet", records_to_parquet(records))
        failures = [
            {"instance_id": row.instance_id, "reason": row.reason, "detail": row.detail}
            for row in ordered
            if row.record is None
        ]
        lines = b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in failures)
        write_atomically(self.path / "failures.jsonl", lines)

    def _file(self, instance_id: str) -> Path:
        return self.path / "rows" / f"{instance_id}.json"


def _plain(row: HydratedRow) -> dict[str, object]:
    values = row_to_dict(row)
    values["record"] = None if row.record is None else record_to_dict(row.record)
    return values
