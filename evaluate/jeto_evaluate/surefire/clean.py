"""Mend what XML forbids in a report, byte stream in, byte stream out (field.md rows 27 and 73).

Surefire copies messages and captured output into the file: NUL, U+FFFF, lone surrogates, bytes
that are no UTF-8. Each is replaced by U+FFFD; everything else passes unchanged.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator

__all__ = ["clean_chunks"]

_CHUNK = 1 << 16
_ENCODING = re.compile(rb"""\A<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_KNOWN_ENCODINGS = {"iso-8859-1", "iso8859-1", "iso-8859-15", "us-ascii", "windows-1252", "utf-8"}
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REFERENCE = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,10}));")
_OPEN_REFERENCE = re.compile(r"&[^;&]{0,14}\Z")
_REPLACEMENT = "\ufffd"


def _mend_reference(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else int(match[2])
    lawful = code <= sys.maxunicode and not _FORBIDDEN.match(chr(code))
    return match[0] if lawful else _REPLACEMENT


def clean_chunks(data: bytes) -> Iterator[bytes]:
    """Yield the file as UTF-8 that XML allows, in chunks; a reference is never cut in two.

    Args:
        data: The file. A byte order mark and a declared encoding of the known single-byte kinds
            are honoured; any other declaration is read as UTF-8.
    """
    declared = _ENCODING.match(data[:200])
    encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
    name = encoding if encoding in _KNOWN_ENCODINGS else "utf-8"
    decoder = codecs.getincrementaldecoder(name)(errors="replace")
    view = memoryview(data.removeprefix(codecs.BOM_UTF8))
    held = ""
    for start in range(0, len(view), _CHUNK):
        text = held + decoder.decode(view[start : start + _CHUNK].tobytes())
        held = ""
        if cut := _OPEN_REFERENCE.search(text):
            text, held = text[: cut.start()], cut[0]
        yield _REFERENCE.sub(_mend_reference, _FORBIDDEN.sub(_REPLACEMENT, text)).encode()
    text = held + decoder.decode(b"", final=True)
    yield _REFERENCE.sub(_mend_reference, _FORBIDDEN.sub(_REPLACEMENT, text)).encode()
