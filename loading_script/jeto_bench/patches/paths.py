"""Names of files in a patch: git's quoting, and names that are refused."""

from __future__ import annotations

import re

from jeto_bench.patches.model import PatchError, PatchProblem

__all__ = ["DEV_NULL", "check_path", "decode_path", "read_name", "read_name_pair"]

DEV_NULL = "/dev/null"

_SPACE = ord(" ")
_MAX_SPLITS = 64  # the two names differ in length by their prefixes only
_MAX_NAMES = 16 * 1024  # bytes; four times the longest path that Linux opens

_ESCAPES = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
    b'"': b'"',
    b"\\": b"\\",
}
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)


def decode_path(raw: bytes) -> str:
    """Return a path as text; bytes that are not UTF-8 are escaped (PEP 383)."""
    return raw.decode("utf-8", "surrogateescape")


def read_name(raw: bytes, *, line: int, ends_at_tab: bool) -> str:
    """Return the name that follows ``---``, ``rename from`` or the like.

    Args:
        raw: The rest of the line, without its line feed.
        line: 1-based line of the patch, for errors.
        ends_at_tab: A tab ends an unquoted name, as after ``---`` and ``+++``.
    """
    if raw.startswith(b'"'):
        return decode_path(_unquote(raw, line)[0])
    if ends_at_tab:
        raw = raw.split(b"\t", 1)[0]
    return decode_path(raw)


def read_name_pair(raw: bytes, *, line: int) -> tuple[str, str] | None:
    """Split the rest of a ``diff --git`` line into its two names.

    The line is ambiguous where names hold spaces; as in ``git apply`` both names must be the same
    path, whole or after their first component. ``None`` if no split does that, as for renames.
    """
    if len(raw) > _MAX_NAMES:
        raise PatchError(PatchProblem.MISSING_NAME, "the names are too long", line=line)
    if raw.startswith(b'"'):
        first, rest = _unquote(raw, line)
        if not rest.startswith(b" "):
            raise PatchError(PatchProblem.BAD_QUOTING, "quoted name without an end", line=line)
        return decode_path(first), read_name(rest[1:], line=line, ends_at_tab=False)
    if raw.endswith(b'"') and b' "' in raw:
        head, tail = raw.split(b' "', 1)
        return decode_path(head), read_name(b'"' + tail, line=line, ends_at_tab=False)
    spaces = [at for at, byte in enumerate(raw) if byte == _SPACE]
    by_balance = sorted(spaces, key=lambda at: abs(2 * at + 1 - len(raw)))
    for at in by_balance[:_MAX_SPLITS]:
        left, right = raw[:at], raw[at + 1 :]
        if left == right or _same_below_first(left, right):
            return decode_path(left), decode_path(right)
    if len(spaces) == 1:
        return decode_path(raw[: spaces[0]]), decode_path(raw[spaces[0] + 1 :])
    return None


def check_path(path: str, *, line: int) -> None:
    """Refuse a path that leaves the tree or reaches into git's own files.

    Raises:
        PatchError: The path is absolute, has ``..``, an empty component, NUL, or ``.git``.
    """
    problem: PatchProblem | None = None
    parts = path.split("/")
    if not path:
        problem = PatchProblem.MISSING_NAME
    elif "\0" in path:
        problem = PatchProblem.NUL_IN_PATH
    elif "" in parts:
        problem = PatchProblem.ABSOLUTE_PATH
    elif ".." in parts or "." in parts:
        problem = PatchProblem.PARENT_PATH
    elif any(part.lower() == ".git" for part in parts):
        problem = PatchProblem.GIT_DIRECTORY
    if problem is not None:
        raise PatchError(problem, f"path {path!r} is refused", line=line)


def _same_below_first(left: bytes, right: bytes) -> bool:
    _, slash_left, below_left = left.partition(b"/")
    _, slash_right, below_right = right.partition(b"/")
    return bool(slash_left and slash_right and below_left) and below_left == below_right


def _unquote(raw: bytes, line: int) -> tuple[bytes, bytes]:
    """Undo git's C-style quoting; return the name and what follows its closing quote."""
    match = _QUOTED.match(raw)
    if match is None:
        raise PatchError(PatchProblem.BAD_QUOTING, "quoted name without an end", line=line)

    def replace(escape: re.Match[bytes]) -> bytes:
        code = escape.group(1)
        if len(code) > 1:
            return bytes([int(code, 8)])
        if code not in _ESCAPES:
            raise PatchError(
                PatchProblem.BAD_QUOTING, f"unknown escape {escape.group(0)!r}", line=line
            )
        return _ESCAPES[code]

    return _ESCAPE.sub(replace, match.group(1)), raw[match.end() :]
