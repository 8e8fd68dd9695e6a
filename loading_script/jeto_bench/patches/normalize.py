r"""Repairs of damage that transport and models do to a patch, and nothing beyond.

All work is on bytes, and only LF ends a line: U+2028, form feed, a lone CR and the like are
content. The three repairs, in the order they are tried:

* ``final_newline``: text that does not end in LF gets exactly one;
* ``transport_crlf``: where every structural line ends in CR, one CR is taken from each line that
  has one. A file that really has CRLF line ends shows CR on content lines only and is left alone;
* ``blank_context``: a line in a hunk that lost the one space of an empty context line gets it
  back, provided the hunk's counts then match.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["HUNK_HEADER", "NormalizedPatch", "Repair", "hunk_lengths", "normalize_patch"]

HUNK_HEADER = re.compile(rb"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")


class Repair(StrEnum):
    """A repair that was made."""

    FINAL_NEWLINE = "final_newline"
    TRANSPORT_CRLF = "transport_crlf"
    BLANK_CONTEXT = "blank_context"


@dataclass(frozen=True, kw_only=True, slots=True)
class NormalizedPatch:
    """A patch after repair, and which repairs were made, in order."""

    patch: bytes
    repairs: tuple[Repair, ...]


def normalize_patch(raw: bytes) -> NormalizedPatch:
    """Repair a patch. Doing it twice changes nothing more; whitespace is never stripped."""
    if not raw:
        return NormalizedPatch(patch=raw, repairs=())
    repairs: list[Repair] = []
    patch = raw
    if not patch.endswith(b"\n"):
        patch += b"\n"
        repairs.append(Repair.FINAL_NEWLINE)
    lines = patch.split(b"\n")
    while _has_transport_crlf(lines):
        lines = [line.removesuffix(b"\r") for line in lines]
        if Repair.TRANSPORT_CRLF not in repairs:
            repairs.append(Repair.TRANSPORT_CRLF)
    repaired = _restore_blank_context(lines)
    if repaired != lines:
        repairs.append(Repair.BLANK_CONTEXT)
    return NormalizedPatch(patch=b"\n".join(repaired), repairs=tuple(repairs))


def hunk_lengths(line: bytes) -> tuple[int, int] | None:
    """Return the numbers of old and new lines that a hunk header announces, or ``None``."""
    match = HUNK_HEADER.match(line)
    if match is None:
        return None
    old, new = match.groups()
    return (1 if old is None else int(old)), (1 if new is None else int(new))


def _has_transport_crlf(lines: list[bytes]) -> bool:
    structural = [
        line
        for at, line in enumerate(lines)
        if line.startswith(b"diff --git ") or HUNK_HEADER.match(line) or _is_name_line(lines, at)
    ]
    return bool(structural) and all(line.endswith(b"\r") for line in structural)


def _is_name_line(lines: list[bytes], at: int) -> bool:
    if lines[at].startswith(b"--- "):
        return at + 1 < len(lines) and lines[at + 1].startswith(b"+++ ")
    return lines[at].startswith(b"+++ ") and at > 0 and lines[at - 1].startswith(b"--- ")


def _restore_blank_context(lines: list[bytes]) -> list[bytes]:
    result = list(lines)
    at = 0
    while at < len(lines):
        lengths = hunk_lengths(lines[at])
        end = None if lengths is None else _hunk_end(lines, at + 1, *lengths)
        if end is None:
            at += 1
            continue
        for inside in range(at + 1, end):
            if lines[inside] in (b"", b"\r"):
                result[inside] = b" " + lines[inside]
        at = end
    return result


def _hunk_end(lines: list[bytes], at: int, old: int, new: int) -> int | None:
    """Return where a hunk of the given lengths ends if blank lines are context, else ``None``."""
    last = len(lines) - 1  # what follows the final line feed is not a line
    while old > 0 or new > 0:
        if at >= last:
            return None
        mark = lines[at][:1]
        if mark in (b"", b"\r", b" "):
            if mark == b"\r" and lines[at] != b"\r":
                return None
            old, new = old - 1, new - 1
        elif mark == b"-":
            old -= 1
        elif mark == b"+":
            new -= 1
        elif mark != b"\\":
            return None
        if old < 0 or new < 0:
            return None
        at += 1
    return at
