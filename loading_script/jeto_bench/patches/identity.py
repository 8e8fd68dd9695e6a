"""What a patch does, apart from where: to tell copies of one change, and changes of nothing.

``git patch-id`` hashes the lines around a change too, so that a back-port into other surroundings
gets another id. Here only what is changed counts: per file its name (folders move between
branches), and the lines taken out and put in, without white space, in order (field.md row 52).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

__all__ = ["changes_code", "patch_identity"]

_SPACE: Final = re.compile(rb"\s+")
_COMMENT: Final = re.compile(rb"//|/?\*")
_ID_DIGITS: Final = 40


@dataclass(kw_only=True, slots=True)
class _FileChange:
    """The lines of one file, without white space and without empty ones; ``marked`` has +/-."""

    name: bytes
    binary: bool = False
    marked: list[bytes] = field(default_factory=list)

    def lines(self, mark: bytes) -> list[bytes]:
        """Lines with a mark that are not comments as a whole."""
        found = (line[1:] for line in self.marked if line[:1] == mark)
        return [line for line in found if not _COMMENT.match(line)]


def patch_identity(patch: bytes) -> str:
    """Return a hash that is the same for the same change in other surroundings; 40 hex digits.

    Empty lines do not count, nor does the order of the files. A patch that only changes white
    space or modes has the identity of nothing but its files' names.
    """
    files = sorted(b"\n".join([change.name, *change.marked]) for change in _files(patch))
    return hashlib.sha256(b"\0".join(files)).hexdigest()[:_ID_DIGITS]


def changes_code(patch: bytes) -> bool:
    """Return whether a patch changes more than white space, comment lines and modes.

    Cautious: a comment that stands behind code, or text that only looks like one, counts as code.
    """
    return any(
        change.binary or change.lines(b"+") != change.lines(b"-") for change in _files(patch)
    )


def _files(patch: bytes) -> Iterator[_FileChange]:
    current: _FileChange | None = None
    in_header = True
    for line in patch.split(b"\n"):
        if line.startswith(b"diff --git "):
            if current is not None:
                yield current
            current, in_header = _FileChange(name=line.rstrip(b"\r").rpartition(b"/")[2]), True
        elif current is None:
            continue
        elif line.startswith(b"@@"):
            in_header = False
        elif line.startswith((b"GIT binary patch", b"Binary files ")):
            current.binary = True
        elif not in_header and line[:1] in {b"+", b"-"}:
            bare = _SPACE.sub(b"", line[1:])
            if bare:
                current.marked.append(line[:1] + bare)
    if current is not None:
        yield current
