"""Which rows to take: small expressions such as ``repo=apache/*`` or ``java_version>=17``. Pure.

``FIELD OP VALUE`` with ``=``, ``!=``, ``<``, ``<=``, ``>``, ``>=``. Nothing is evaluated as code.

- Text: ``=`` and ``!=`` take a pattern with ``*``, ``?`` and ``[...]``, or several with commas
  between them, of which one must match; the others compare as text, so dates can be compared.
- Numbers compare as numbers; ``none`` stands for no value, which is neither larger nor smaller.
- Of a list, ``=`` asks whether some item matches and ``!=`` whether none does; the others compare
  its length.
- Fields of a field are written with a dot: ``verification.decision=...``.
"""

from __future__ import annotations

import difflib
import operator
import re
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any, Final, TypeVar

from jeto_bench.errors import UsageError

__all__ = ["Filter", "filtered", "parse_filter"]

_EXPRESSION: Final = re.compile(r"\s*([a-z_]+(?:\.[a-z_]+)*)\s*(!=|<=|>=|=|<|>)\s*(.*?)\s*")
_ORDER: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """One expression, checked against a class of rows.

    Attributes:
        text: As it was given.
        path: Names of fields, outermost first.
        symbol: The operator.
        values: What is compared with; several only for ``=`` and ``!=``.
    """

    text: str
    path: tuple[str, ...]
    symbol: str
    values: tuple[str | float | None, ...]

    def matches(self, row: object) -> bool:
        """Return whether a row of the class is to be taken."""
        value = row
        for name in self.path:
            value = getattr(value, name)
        if self.symbol == "=":
            return self._is_one(value)
        if self.symbol == "!=":
            return not self._is_one(value)
        compared = len(value) if isinstance(value, tuple) else value
        if compared is None or self.values[0] is None:
            return False
        return _ORDER[self.symbol](compared, self.values[0])

    def _is_one(self, value: object) -> bool:
        items = value if isinstance(value, tuple) else (value,)
        return any(_equal(item, wanted) for item in items for wanted in self.values)


def parse_filter(text: str, row: type) -> Filter:
    """Return an expression that is known to make sense for a class of rows.

    Raises:
        UsageError: It is no expression, names no field, or its value is not of the field's type.
    """
    match = _EXPRESSION.fullmatch(text)
    if match is None:
        raise UsageError(
            f"--filter {text!r} is not FIELD OP VALUE",
            advice="For example 'repo=apache/*' or 'java_version>=17'.",
        )
    name, symbol, value = match.groups()
    path = tuple(name.split("."))
    kind, is_list = _kind(row, path, text)
    if is_list and symbol in _ORDER:
        kind = int
    parts = value.split(",") if symbol in {"=", "!="} else [value]
    if is_dataclass(kind):
        raise UsageError(
            f"--filter {text!r}: {name} holds objects, so only its length can be compared",
            advice=f"For example '{name}>=1'.",
        )
    values = tuple(_value(part.strip(), kind, text) for part in parts)
    return Filter(text=text, path=path, symbol=symbol, values=values)


def filtered(rows: Iterable[T], filters: Sequence[Filter]) -> tuple[T, ...]:
    """Return the rows that satisfy every expression, in their order."""
    return tuple(row for row in rows if all(item.matches(row) for item in filters))


def _equal(item: object, wanted: str | float | None) -> bool:
    if isinstance(item, str) and isinstance(wanted, str):
        return fnmatchcase(item, wanted)
    return item == wanted


def _kind(row: type, path: tuple[str, ...], text: str) -> tuple[Any, bool]:
    """Return the type of a field, or of the items of a list, and whether it is a list."""
    hint: Any = row
    for name in path:
        known = [item.name for item in fields(hint)] if is_dataclass(hint) else []
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise UsageError(
                f"--filter {text!r}: there is no field {name!r}",
                advice=f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}.",
            )
        hint = typing.get_type_hints(hint)[name]
        if isinstance(hint, types.UnionType):
            hint = next(item for item in typing.get_args(hint) if item is not type(None))
    if typing.get_origin(hint) is tuple:
        return typing.get_args(hint)[0], True
    return hint, False


def _value(part: str, kind: Any, text: str) -> str | float | None:
    if kind is str or (isinstance(kind, type) and issubclass(kind, StrEnum)):
        return part
    if part == "none":
        return None
    if kind is bool and part in {"true", "false"}:
        return part == "true"
    if kind in {int, float}:
        try:
            return float(part)
        except ValueError:
            pass
    wanted = "true or false" if kind is bool else "a number"
    raise UsageError(f"--filter {text!r}: {part!r} is not {wanted}")
