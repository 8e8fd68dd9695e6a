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
    """The lines of one file's hunks, without white space and without empty ones.

    ``lines`` keep their first column, and an empty entry begins each hunk.
    """

    name: bytes
    binary: bool = False
    lines: list[bytes] = field(default_factory=list)

    @property
    def marked(self) -> list[bytes]:
        """Lines that are taken out or put in."""
        return [line for line in self.lines if line[:1] in {b"+", b"-"}]

    def side(self, mark: bytes) -> list[bytes]:
        """The file before (``-``) or after (``+``) as far as it is shown, without comment lines."""
        shown = (line for line in self.lines if not line or line[:1] in {mark, b" "})
        return [line[1:] for line in shown if not _COMMENT.match(line[1:])]


def patch_identity(patch: bytes) -> str:
    """Return a hash that is the same for the same change in other surroundings; 40 hex digits.

    Empty lines do not count, nor does the order of the files. A patch that only changes white
    space or modes has the identity of nothing but its files' names.
    """
    files = sorted(b"\n".join([change.name, *change.marked]) for change in _files(patch))
    return hashlib.sha256(b"\0".join(files)).hexdigest()[:_ID_DIGITS]


def changes_code(patch: bytes) -> bool:
    """Return whether a patch changes more than white space, comment lines and modes.

    Cautious: a comment that stands behind code counts as code, and so does a line that moves into
    or out of a block, though it is itself the same.
    """
    return any(change.binary or change.side(b"+") != change.side(b"-") for change in _files(patch))


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
            current.lines.append(b"")
        elif line.startswith((b"GIT binary patch", b"Binary files ")):
            current.binary = True
        elif not in_header and line[:1] in {b"+", b"-", b" "}:
            bare = _SPACE.sub(b"", line[1:])
            if bare:
                current.lines.append(line[:1] + bare)
    if current is not None:
        yield current
