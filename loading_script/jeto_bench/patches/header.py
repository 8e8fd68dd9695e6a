"""The lines above the hunks: git's extended header, or the two name lines of plain diff."""

from __future__ import annotations

from dataclasses import dataclass, field

from jeto_bench.patches.model import PatchError, PatchProblem
from jeto_bench.patches.normalize import hunk_lengths
from jeto_bench.patches.paths import read_name, read_name_pair

__all__ = ["BINARY_MARKS", "Draft", "read_header"]

BINARY_MARKS = (b"GIT binary patch", b"Binary files ")
_EXTENDED = (
    b"old mode ",
    b"new mode ",
    b"deleted file mode ",
    b"new file mode ",
    b"copy from ",
    b"copy to ",
    b"rename from ",
    b"rename to ",
    b"rename old ",
    b"rename new ",
    b"similarity index ",
    b"dissimilarity index ",
    b"index ",
    b"--- ",
    b"+++ ",
)


@dataclass(kw_only=True, slots=True)
class Draft:
    """A file while it is being read: header values by their git keyword."""

    line: int
    header: tuple[str, str] | None = None
    traditional: bool = False
    values: dict[str, bytes] = field(default_factory=dict)
    value_lines: dict[str, int] = field(default_factory=dict)
    binary: bool = False
    hunks: int = 0
    added: int = 0
    removed: int = 0

    def name(self, *keys: str) -> str | None:
        """Return the first of these names that the header holds."""
        for key in keys:
            if key in self.values:
                at_tab = key in ("---", "+++")
                return read_name(self.values[key], line=self.value_lines[key], ends_at_tab=at_tab)
        return None

    def mode(self, *keys: str) -> str:
        """Return the first of these modes, empty if there is none."""
        return next((self.values[k].decode("latin-1") for k in keys if k in self.values), "")


def read_header(lines: list[bytes], at: int) -> tuple[Draft | None, int]:
    """Return the file that begins at a line, if one does, and where its hunks begin."""
    line = lines[at]
    if line.startswith(b"diff --git "):
        draft = Draft(line=at + 1, header=read_name_pair(line[11:], line=at + 1))
        body = at + 1
        while body < len(lines) and lines[body].startswith(_EXTENDED):
            _take(draft, lines[body], body + 1)
            body += 1
        is_binary = body < len(lines) and lines[body].startswith(BINARY_MARKS)
        if body == at + 1 and not is_binary:
            # git skips such a line but keeps its names for the next file: a way to hide a path
            raise PatchError(PatchProblem.NO_CHANGE, "a header without a change", line=at + 1)
        return draft, body
    if (
        line.startswith(b"--- ")
        and len(lines) > at + 2
        and lines[at + 1].startswith(b"+++ ")
        and hunk_lengths(lines[at + 2]) is not None
    ):
        draft = Draft(line=at + 1, traditional=True)
        _take(draft, line, at + 1)
        _take(draft, lines[at + 1], at + 2)
        return draft, at + 2
    return None, at


def _take(draft: Draft, line: bytes, number: int) -> None:
    key = next(key for key in _EXTENDED if line.startswith(key))
    name = key.decode().rstrip()
    late = name not in ("---", "+++") and draft.values.keys() & {"---", "+++"}
    if late or name in draft.values:
        # git accepts this and then reads names by the order of the lines: a way to hide a path
        raise PatchError(PatchProblem.INCONSISTENT_HEADER, f"{name!r} is out of place", line=number)
    draft.values[name] = line[len(key) :]
    draft.value_lines[name] = number
