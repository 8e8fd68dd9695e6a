"""JSON text with line numbers, and without keys that silently replace each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from jeto_bench.errors import DecodeError

__all__ = [
    "BOM",
    "Cursor",
    "JsonValue",
    "decode_line",
    "decode_text",
    "object_lines",
    "raw_decode",
    "skip_space",
    "split_lines",
]

JsonValue = object

BOM = b"\xef\xbb\xbf"

_SPACE = re.compile(r"[ \t\r\n]*")


def split_lines(data: bytes) -> list[bytes]:
    """Split on LF bytes only; one trailing CR and a leading byte order mark are dropped."""
    lines = data.removeprefix(BOM).split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix(b"\r") for line in lines]


def decode_line(data: bytes, *, source: str, line: int) -> JsonValue:
    """Return the one JSON value of a line.

    Raises:
        DecodeError: The line is not UTF-8, not JSON, or holds more than one value.
    """
    text = decode_text(data, source, line)
    value, end = raw_decode(text, skip_space(text, 0), source, line)
    if skip_space(text, end) != len(text):
        raise DecodeError(
            f"more text after the JSON value at column {end + 1}",
            source=source,
            line=line,
            advice="JSONL holds one object a line.",
        )
    return value


def object_lines(data: bytes, *, source: str) -> Iterator[tuple[int, dict[str, JsonValue]]]:
    """Yield the objects of a JSONL file with their 1-based lines; empty lines are passed over.

    Raises:
        DecodeError: A line is not one JSON object.
    """
    for number, text in enumerate(split_lines(data), start=1):
        if not text.strip():
            continue
        value = decode_line(text, source=source, line=number)
        if not isinstance(value, dict):
            raise DecodeError("a record is a JSON object", source=source, line=number)
        yield number, value


@dataclass(kw_only=True, slots=True)
class Cursor:
    """A place in a JSON document, read token by token."""

    text: str
    source: str
    at: int = 0
    counted: int = 0
    lines: int = 1

    def peek(self) -> str:
        """Return the next character that is not white space, empty at the end."""
        self.at = skip_space(self.text, self.at)
        return self.text[self.at : self.at + 1]

    def line(self) -> int:
        """Return the 1-based line of the next token."""
        self.peek()
        self.lines += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        return self.lines

    def take(self, wanted: str) -> str:
        """Consume one of the wanted characters and return it."""
        found = self.peek()
        if not found or found not in wanted:
            what = repr(found) if found else "the end of the file"
            raise DecodeError(
                f"expected one of {' '.join(wanted)} but found {what}",
                source=self.source,
                line=self.line(),
            )
        self.at += 1
        return found

    def value(self) -> JsonValue:
        """Consume and return one JSON value."""
        line = self.line()
        value, self.at = raw_decode(self.text, self.at, self.source, line)
        return value


def skip_space(text: str, at: int) -> int:
    """Return where the next token begins."""
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def decode_text(data: bytes, source: str, line: int | None) -> str:
    """Return UTF-8 bytes as text; errors name the line and the byte."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1 if line is None else line
        raise DecodeError(
            f"byte {error.start} (0x{data[error.start]:02x}) is not UTF-8",
            source=source,
            line=number,
            advice="JSON is UTF-8; write the file with encoding='utf-8'.",
        ) from error


def raw_decode(text: str, at: int, source: str, line: int) -> tuple[JsonValue, int]:
    """Return the JSON value that begins at an index, and where it ends."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        where = line + text.count("\n", at, error.pos)
        raise DecodeError(
            f"not JSON: {error.msg}",
            source=source,
            line=where,
            advice="Let a JSON library write it, such as Python's json.dumps.",
        ) from error
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"not usable JSON: {error}", source=source, line=line) from error
    return value, end


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} is given twice")
    return result


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)
