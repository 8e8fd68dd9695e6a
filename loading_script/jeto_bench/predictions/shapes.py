"""Takes JSONL, a JSON list or a JSON map apart into entries with their line numbers.

JSONL is split on LF bytes only, one CR before it is dropped, and a byte order mark and a last line
without LF are accepted (field.md row 20). A key given twice is an error, because a plain JSON
reader would let the later one win in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from jeto_bench.errors import DecodeError
from jeto_bench.json_text import (
    BOM,
    Cursor,
    JsonValue,
    decode_line,
    decode_text,
    raw_decode,
    skip_space,
    split_lines,
)

__all__ = ["Entry", "Shape", "read_entries"]

INSTANCE_ID = re.compile(r"[A-Za-z0-9._-]+__[A-Za-z0-9._-]+-[A-Za-z0-9]+")

_RECORD_KEYS = frozenset({"instance_id", "model_patch", "model_name_or_path"})


class Shape(StrEnum):
    """How a predictions file is laid out."""

    JSONL = "jsonl"
    LIST = "list"
    MAP = "map"


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One prediction before it is looked at.

    Attributes:
        key: Its key in a map, ``None`` otherwise.
        value: Decoded JSON.
        line: 1-based line where it begins.
    """

    key: str | None
    value: JsonValue
    line: int


def read_entries(data: bytes, *, source: str) -> tuple[Shape, list[Entry | DecodeError]]:
    """Return the shape of a file and its entries; a bad JSONL line becomes an error in its place.

    Raises:
        DecodeError: A JSON list or map that is not JSON, or a file that is none of the shapes.
    """
    start = data.removeprefix(BOM).lstrip()[:1]
    if start == b"[":
        return Shape.LIST, list(_read_document(data, source))
    if start == b"{":
        first = next(line for line in split_lines(data) if line.strip())
        if not _is_record_line(first, data, source):
            return Shape.MAP, list(_read_document(data, source))
    elif start:
        raise DecodeError(
            "this is neither JSON nor JSONL",
            source=source,
            line=1,
            advice='One prediction a line: {"instance_id": "...", "model_name_or_path": "...", '
            '"model_patch": "diff --git ..."}',
        )
    return Shape.JSONL, list(_read_jsonl(data, source))


def _read_jsonl(data: bytes, source: str) -> Iterator[Entry | DecodeError]:
    for number, line in enumerate(split_lines(data), start=1):
        if not line.strip():
            continue
        try:
            value = decode_line(line, source=source, line=number)
        except DecodeError as error:
            yield error
        else:
            yield Entry(key=None, value=value, line=number)


def _is_record_line(line: bytes, data: bytes, source: str) -> bool:
    """Tell a JSONL line from the beginning of a map that is keyed by id."""
    try:
        text = decode_text(line, source, 1)
        value, end = raw_decode(text, skip_space(text, 0), source, 1)
    except DecodeError:
        return _is_broken_record(line, data, source)
    if not isinstance(value, dict) or not value:
        return False
    if _RECORD_KEYS & value.keys() or skip_space(text, end) != len(text):
        return True
    return not any(INSTANCE_ID.fullmatch(key) or isinstance(v, dict) for key, v in value.items())


def _is_broken_record(line: bytes, data: bytes, source: str) -> bool:
    """Tell JSONL with a fault in its first line from a document over several lines."""
    try:
        text = decode_text(data.removeprefix(BOM), source, None)
        value, _ = raw_decode(text, skip_space(text, 0), source, 1)
    except DecodeError:
        return any(b'"%s"' % key.encode() in line for key in _RECORD_KEYS)
    if isinstance(value, dict) and _RECORD_KEYS & value.keys():
        raise DecodeError(
            "a prediction is spread over several lines",
            source=source,
            line=1,
            advice="JSONL holds one object a line: jq -c . FILE > preds.jsonl",
        )
    return False


def _read_document(data: bytes, source: str) -> Iterator[Entry]:
    """Yield the entries of a JSON list or map in order, duplicates of a map's keys included."""
    text = decode_text(data.removeprefix(BOM), source, None)
    cursor = Cursor(text=text, source=source)
    is_map = cursor.take("[{") == "{"
    closing = "}" if is_map else "]"
    if cursor.peek() == closing:
        cursor.take(closing)
    else:
        while True:
            key = None
            line = cursor.line()
            if is_map:
                name = cursor.value()
                if not isinstance(name, str):
                    raise DecodeError("a key must be a string", source=source, line=line)
                key = name
                cursor.take(":")
            yield Entry(key=key, value=cursor.value(), line=line)
            if cursor.take("," + closing) == closing:
                break
    if cursor.peek():
        raise DecodeError(
            "more text after the end of the JSON document",
            source=source,
            line=cursor.line(),
            advice="A file is one JSON list, one JSON map, or JSONL with one object a line.",
        )
