"""Bytes of a history to text, late, with the encoding that was used (field.md row 107). Pure."""

from __future__ import annotations

import codecs
from typing import NamedTuple

__all__ = ["Text", "decode_message"]

_FALLBACK = "latin-1"


class Text(NamedTuple):
    """A text, and how it was read.

    Attributes:
        text: The text.
        encoding: Python's name of the encoding.
    """

    text: str
    encoding: str


def decode_message(data: bytes, declared: bytes) -> Text:
    """Return a message or name as text; never fails, since Latin-1 has a meaning for every byte.

    Tried in turn: what the commit itself declares, UTF-8 (git's default), Latin-1.

    Args:
        data: As the commit has it.
        declared: Its ``encoding`` header; empty if it has none.
    """
    for name in (declared.decode("ascii", "replace"), "utf-8"):
        try:
            known = codecs.lookup(name).name if name else ""
            if known:
                return Text(data.decode(known), known)
        except (LookupError, UnicodeError, ValueError):
            continue
    return Text(data.decode(_FALLBACK), _FALLBACK)
