"""Checks JSON-like values against the annotations of the record classes."""

from __future__ import annotations

import difflib
import json
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NoReturn

from jeto_bench.errors import DecodeError

__all__ = ["Where", "convert"]

_EXAMPLES: dict[object, object] = {str: "", int: 0, float: 0.0, bool: False}


@dataclass(frozen=True, kw_only=True, slots=True)
class Where:
    """The file and line that a value came from."""

    source: str
    line: int | None

    def fail(self, message: str, path: str, *, advice: str = "") -> NoReturn:
        """Raise a ``DecodeError`` for a field."""
        raise DecodeError(message, source=self.source, line=self.line, field=path, advice=advice)

    def refuse_unprintable(self, text: str, path: str) -> None:
        """Raise a ``DecodeError`` if a short text would drive a terminal or break a line."""
        if not text.isprintable():
            self.fail(
                f"{text!r} holds characters that cannot be shown", path, advice="Remove them."
            )


@cache
def _hints(record: type) -> dict[str, object]:
    hints = typing.get_type_hints(record)
    return {item.name: hints[item.name] for item in fields(record)}


def convert(value: object, hint: object, where: Where, path: str) -> Any:
    """Return a value as the annotated type, or fail naming the path."""
    if hint is str and type(value) is str and value.isascii():
        return value  # by far the most values; the way below says the same
    if isinstance(hint, types.UnionType):
        inner = next(item for item in typing.get_args(hint) if item is not type(None))
        return None if value is None else convert(value, inner, where, path)
    if typing.get_origin(hint) is tuple:
        return _convert_list(value, typing.get_args(hint)[0], where, path)
    if isinstance(hint, type) and is_dataclass(hint):
        return _convert_fields(value, hint, where, path)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        known = [item.value for item in hint]
        if value not in known:
            where.fail(f"{value!r} is not one of {', '.join(known)}", path)
        return hint(value)
    return _convert_scalar(value, hint, where, path)


def _convert_list(value: object, item: object, where: Where, path: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        where.fail(f"expected a list, found {_kind(value)}", path)
    if item is str and all(type(v) is str and v.isascii() for v in value):
        return tuple(value)
    return tuple(convert(v, item, where, f"{path}[{n}]") for n, v in enumerate(value))


def _convert_scalar(value: object, hint: object, where: Where, path: str) -> Any:
    if hint is str and isinstance(value, str):
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError as error:
                where.fail(f"character {error.start} is an unpaired surrogate", path)
        return value
    if hint is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if hint is bool and isinstance(value, bool):
        return value
    expected = {str: "a string", int: "an integer", bool: "true or false"}.get(
        typing.cast("type", hint), "a number"
    )
    return where.fail(f"expected {expected}, found {_kind(value)}", path)


def _convert_fields(value: object, record: type, where: Where, path: str) -> Any:
    if not isinstance(value, Mapping):
        where.fail(f"expected an object, found {_kind(value)}", path)
    hints = _hints(record)
    prefix = f"{path}." if path else ""
    for name in value:
        if name not in hints:
            near = difflib.get_close_matches(str(name), hints, n=1)
            advice = f"Did you mean {near[0]!r}?" if near else "Remove it, or upgrade jeto-bench."
            where.fail("unknown field", f"{prefix}{name}", advice=advice)
    missing = [name for name in hints if name not in value]
    if missing:
        example = ", ".join(f'"{name}": {json.dumps(_example(hints[name]))}' for name in missing)
        where.fail(
            f"missing field{'s' if len(missing) > 1 else ''} {', '.join(missing)}",
            f"{prefix}{missing[0]}",
            advice=f"Add: {example}",
        )
    return record(
        **{name: convert(value[name], hint, where, prefix + name) for name, hint in hints.items()}
    )


def _example(hint: object) -> object:
    """Return a neutral value of a type, as a start for whoever fills in a missing field."""
    if hint in _EXAMPLES:
        return _EXAMPLES[hint]
    if typing.get_origin(hint) is tuple:
        return []
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return next(iter(hint)).value
    if isinstance(hint, type) and is_dataclass(hint):
        return {name: _example(inner) for name, inner in _hints(hint).items()}
    return None


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", bool: "a boolean", str: "a string", int: "a number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
