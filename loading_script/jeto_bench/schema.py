"""The Arrow schema of a record, derived from the dataclasses so that there is one definition.

History of the format:

* 1: first version.
"""

from __future__ import annotations

import types
import typing
from dataclasses import fields, is_dataclass
from enum import StrEnum

import pyarrow as pa

from jeto_bench.records import EtipRecord

__all__ = ["RECORD_SCHEMA", "SCHEMA_VERSION", "VERSION_KEY", "arrow_schema"]

SCHEMA_VERSION = 1
VERSION_KEY = b"jeto_bench.schema_version"

_SCALARS: dict[object, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
}


def _arrow_type(hint: object) -> tuple[pa.DataType, bool]:
    """Return the Arrow type of an annotation and whether it may be null."""
    if hint in _SCALARS:
        return _SCALARS[hint], False
    if isinstance(hint, types.UnionType):
        inner = next(item for item in typing.get_args(hint) if item is not type(None))
        return _arrow_type(inner)[0], True
    if typing.get_origin(hint) is tuple:
        return pa.list_(_arrow_type(typing.get_args(hint)[0])[0]), False
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return pa.string(), False
    if isinstance(hint, type) and is_dataclass(hint):
        return pa.struct(_arrow_fields(hint)), False
    raise TypeError(f"no Arrow type for {hint!r}")


def _arrow_fields(record: type) -> list[pa.Field[pa.DataType]]:
    hints = typing.get_type_hints(record)
    return [pa.field(item.name, _arrow_type(hints[item.name])[0]) for item in fields(record)]


def arrow_schema(record: type) -> pa.Schema:
    """Return the Arrow schema of a class of rows.

    Only our own key is stored: metadata of the datasets library names list types that its older
    major versions cannot read (field.md row 99). Every field stays nullable in Arrow, because
    readers disagree on "not null" inside lists; the decoder is what refuses nulls.
    """
    return pa.schema(_arrow_fields(record), metadata={VERSION_KEY: str(SCHEMA_VERSION).encode()})


RECORD_SCHEMA = arrow_schema(EtipRecord)
