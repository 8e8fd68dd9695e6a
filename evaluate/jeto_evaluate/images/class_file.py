"""Class files (JVM specification, chapter 4), as far as a method's flags go. Pure."""

from __future__ import annotations

import struct
from typing import Final

__all__ = ["ACC_VARARGS", "add_method_flag"]

ACC_VARARGS: Final = 0x0080

_UTF8: Final = 1
# Bytes behind the tag of each other kind of constant (4.4); long and double take two places.
_SIZES: Final = {
    **dict.fromkeys((3, 4, 9, 10, 11, 12, 17, 18), 4),
    **dict.fromkeys((5, 6), 8),
    **dict.fromkeys((7, 8, 16, 19, 20), 2),
    15: 3,
}
_WIDE: Final = frozenset({5, 6})


def add_method_flag(class_file: bytes, method: str, flag: int) -> bytes:
    """Return a class file in which the methods of a name have an access flag more.

    Raises:
        ValueError: There is no such method.
    """
    changed = bytearray(class_file)
    texts, at = _constants(class_file)
    at += 6  # flags, this class, its super class
    at += 2 + 2 * _u2(class_file, at)  # interfaces
    at = _members(class_file, at)[1]  # fields
    found = [
        start
        for start in _members(class_file, at)[0]
        if texts[_u2(class_file, start + 2)] == method.encode()
    ]
    if not found:
        raise ValueError(f"no method {method}")
    for start in found:
        struct.pack_into(">H", changed, start, _u2(class_file, start) | flag)
    return bytes(changed)


def _u2(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "big")


def _constants(data: bytes) -> tuple[dict[int, bytes], int]:
    """The texts of the constant pool by index, and where it ends."""
    texts: dict[int, bytes] = {}
    index, at = 1, 10
    while index < _u2(data, 8):
        tag = data[at]
        if tag == _UTF8:
            size = 2 + _u2(data, at + 1)
            texts[index] = data[at + 3 : at + 1 + size]
        else:
            size = _SIZES[tag]
        at += 1 + size
        index += 2 if tag in _WIDE else 1
    return texts, at


def _members(data: bytes, at: int) -> tuple[list[int], int]:
    """Where each field or method begins, and where the last ends."""
    starts: list[int] = []
    count, at = _u2(data, at), at + 2
    for _ in range(count):
        starts.append(at)
        attributes, at = _u2(data, at + 6), at + 8
        for _ in range(attributes):
            at += 6 + int.from_bytes(data[at + 2 : at + 6], "big")
    return starts, at
