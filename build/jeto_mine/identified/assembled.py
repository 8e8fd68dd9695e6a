"""A change with everything that a record says of its code. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from jeto_mine.identified.criteria import is_test_path
from jeto_mine.identified.java_level import Level
from jeto_mine.identified.units import Unit

__all__ = ["Assembled", "iso_time", "split_tests"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Assembled:
    """A unit with everything that a record says of its code.

    Attributes:
        unit: The unit.
        patch: The developers' diff, tests left out.
        test_patch: The tests' part; empty if it touches none.
        changed_files: Paths of ``patch``, sorted.
        level: What it is built with.
        started: Author's time of the first of its commits, seconds since 1970.
    """

    unit: Unit
    patch: bytes
    test_patch: bytes
    changed_files: tuple[str, ...]
    level: Level
    started: int


def split_tests(patch: bytes) -> tuple[bytes, bytes]:
    """Split a ``git diff`` into code and tests, file by file.

    Lines of contents begin with a blank, a sign or a backslash, and those of binary files hold no
    blank, so that ``diff --git`` at the beginning of a line begins a file.
    """
    parts: tuple[list[bytes], list[bytes]] = ([], [])
    at = 0
    for piece in _lines(patch):
        if piece.startswith(b"diff --git "):
            # Without renames both names are the same: half of what follows, less "b/".
            names = piece.removeprefix(b"diff --git ").rstrip(b"\n")
            at = int(is_test_path(names[(len(names) + 1) // 2 + 2 :].rstrip(b'"')))
        parts[at].append(piece)
    return b"".join(parts[0]), b"".join(parts[1])


def iso_time(seconds: int) -> str:
    """Return seconds since 1970 as ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _lines(patch: bytes) -> list[bytes]:
    *whole, rest = patch.split(b"\n")
    return [*(line + b"\n" for line in whole), *((rest,) if rest else ())]
