"""Bytes of a history to text, late, with the encoding that was used (field.md row 107). Pure."""

from __future__ import annotations

import codecs
from typing import Final, NamedTuple

__all__ = ["UTF_8", "Text", "decode_message"]

UTF_8: Final = "utf-8"
_FALLBACK: Final = "iso8859-1"


class Text(NamedTuple):
    """A text, and how it was written.

    Attributes:
        text: The text.
        encoding: Python's name of the commit's encoding.
    """

    text: str
    encoding: str


def decode_message(data: bytes, declared: bytes) -> Text:
    """Return a message as text; never fails, since Latin-1 has a meaning for every byte.

    git itself turns a message whose commit declares an encoding into UTF-8, where it can; so UTF-8
    is tried first, then what the commit declares, then Latin-1.

    Args:
        data: As git tells it.
        declared: The commit's ``encoding`` header; empty if it has none.
    """
    own = _known(declared)
    for name in (UTF_8, own or UTF_8):
        try:
            return Text(data.decode(name), own or name)
        except UnicodeError:
            continue
    return Text(data.decode(_FALLBACK), _FALLBACK)


def _known(declared: bytes) -> str:
    """Python's name of an encoding; empty if it is none for texts."""
    try:
        found = codecs.lookup(declared.decode("ascii")) if declared else None
        b"    ".decode(found.name if found is not None else UTF_8)  # not every codec makes text
    except (LookupError, UnicodeError, ValueError):
        return ""
    return found.name if found is not None else ""
