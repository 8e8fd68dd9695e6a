"""Reports as JSON text: every dataclass an object with its fields in order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import TypeAlias

__all__ = ["Json", "encode", "to_json"]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


def to_json(report: object) -> str:
    """Return a report as indented JSON, ending in a line feed.

    Raises:
        TypeError: A value has no JSON form here.
        ValueError: A number is not finite.
    """
    return json.dumps(encode(report), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def encode(value: object) -> Json:
    """Return ``value`` as plain JSON values.

    Dataclasses and mappings become objects, tuples arrays, enum members their values, fractions
    strings such as ``1/20``; lone surrogates in texts become the replacement character, which
    every JSON reader takes.

    Raises:
        TypeError: ``value`` has no JSON form here.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
    match value:
        case str():
            return str(value).encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        case None | bool() | int() | float():
            return value
        case Fraction():
            return str(value)
        case tuple():
            return [encode(item) for item in value]
        case Mapping():
            return {str(key): encode(item) for key, item in value.items()}
        case _:
            raise TypeError(f"{type(value).__name__} has no JSON form in a report")
