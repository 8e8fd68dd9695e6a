"""Surefire's ``time`` attributes as exact integer milliseconds, whatever the locale wrote.

Surefire prints seconds with up to three decimals. Up to 3.1.0 it grouped thousands
(``2,120.532``); old versions followed the machine's locale (``0,187``). With no minimum number of
decimals ``1,078`` is 1.078 s in one convention and 1078 s in the other (field.md row 69).
``commas`` decides which, once per file.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from enum import StrEnum

__all__ = ["Comma", "Time", "read_time"]

_MAX_LENGTH = 40
_SPACES = re.compile(r"[\s\u00a0\u2009\u202f'\u2019\u066c_]")
_SCIENTIFIC = re.compile(r"(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,2})")
_GROUPED = {
    mark: re.compile(rf"\d{{1,3}}(?:{re.escape(mark)}\d{{2,3}})*{re.escape(mark)}\d{{3}}")
    for mark in ",. "
}


class Comma(StrEnum):
    """What a comma means in one file."""

    DECIMAL = "decimal"
    GROUPING = "grouping"


@dataclass(frozen=True, kw_only=True, slots=True)
class Time:
    """What one attribute can mean.

    Attributes:
        as_decimal: Milliseconds if a comma is the decimal mark; ``None`` if it cannot be.
        as_grouping: Milliseconds if a comma groups thousands; ``None`` if it cannot be.
        ambiguous: A comma stands where either reading is possible.
    """

    as_decimal: int | None
    as_grouping: int | None
    ambiguous: bool = False

    @property
    def readable(self) -> bool:
        """Whether it is a number in at least one convention."""
        return self.as_decimal is not None or self.as_grouping is not None

    @property
    def evidence(self) -> Comma | None:
        """The convention this attribute proves, if it proves one."""
        if self.as_decimal is None and self.as_grouping is not None:
            return Comma.GROUPING
        if self.as_grouping is None and self.as_decimal is not None:
            return Comma.DECIMAL
        return None

    def under(self, comma: Comma) -> int | None:
        """Milliseconds under a convention; an attribute of the other kind keeps its own sense."""
        first, second = self.as_decimal, self.as_grouping
        if comma is Comma.GROUPING:
            first, second = second, first
        return second if first is None else first


_UNREADABLE = Time(as_decimal=None, as_grouping=None)


def _milliseconds(whole: str, decimals: str = "") -> int:
    seconds = Decimal(f"{whole}.{decimals}" if decimals else whole)
    # Not quantize, which refuses what does not fit into its precision.
    return int((seconds * 1000).to_integral_value(rounding=ROUND_HALF_EVEN))


def _ascii(text: str) -> str:
    """Digits of any script as ASCII; an Arabic decimal mark as a point."""
    plain = (
        str(unicodedata.decimal(char)) if char.isdecimal() else char
        for char in text.replace("\u066b", ".")
    )
    return "".join(plain)


def _both(milliseconds: int) -> Time:
    return Time(as_decimal=milliseconds, as_grouping=milliseconds)


def _two_marks(text: str, *, decimal: str) -> Time:
    """Both marks occur; the last one to occur is the decimal mark and must occur once."""
    whole, _, decimals = text.rpartition(decimal)
    mark = "," if decimal == "." else "."
    if not decimals.isdigit() or not _GROUPED[mark].fullmatch(whole):
        return _UNREADABLE
    value = _milliseconds(whole.replace(mark, ""), decimals)
    if decimal == ",":
        return Time(as_decimal=value, as_grouping=None)
    return Time(as_decimal=None, as_grouping=value)


def _one_mark(text: str, mark: str) -> Time:
    """Only points or only commas occur."""
    groups = bool(_GROUPED[mark].fullmatch(text)) and not text.startswith("0")
    whole, _, decimals = text.partition(mark)
    as_group = _milliseconds(text.replace(mark, "")) if groups else None
    as_fraction = None
    if decimals.isdigit() and (whole.isdigit() or not whole):
        as_fraction = _milliseconds(whole or "0", decimals)
    if mark == ",":
        # "0,187" and "12,5" cannot be grouped numbers; "1,078" can.
        ambiguous = as_fraction is not None and as_group is not None
        return Time(as_decimal=as_fraction, as_grouping=as_group, ambiguous=ambiguous)
    # In a file that proves a decimal comma "1.078" is grouped; everywhere else it is a decimal
    # point, as every Surefire since 3.1.0 prints it.
    return Time(as_decimal=as_group, as_grouping=as_fraction)


def _scientific(match: re.Match[str]) -> Time:
    scaled = Decimal(f"{match[1]}.{match[2] or 0}E{match[3]}") * 1000
    if scaled.adjusted() > _MAX_LENGTH:
        return _UNREADABLE
    return _both(int(scaled.to_integral_value(rounding=ROUND_HALF_EVEN)))


def read_time(text: str) -> Time:
    """Read one attribute, in seconds, as integer milliseconds.

    Args:
        text: For example ``0.012``, ``2,120.532``, ``0,187``, ``1.234.567,8``, ``1E-3``.

    Returns:
        One reading per convention of the comma, rounded half to even where more than three
        decimals are given. Negative numbers and anything else give two ``None``.
    """
    plain = _SPACES.sub("", _ascii(text)) if len(text) <= _MAX_LENGTH else ""
    if plain.isascii() and plain.isdigit():
        return _both(_milliseconds(plain))
    if match := _SCIENTIFIC.fullmatch(plain):
        return _scientific(match)
    if not plain or not set(plain) <= set("0123456789,."):
        return _UNREADABLE
    comma, point = plain.rfind(","), plain.rfind(".")
    if comma >= 0 and point >= 0:
        return _two_marks(plain, decimal="," if comma > point else ".")
    return _one_mark(plain, "," if comma >= 0 else ".")
