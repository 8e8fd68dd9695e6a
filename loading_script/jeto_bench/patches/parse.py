"""Reads a patch as ``git apply`` does: which files, what happens to them, is it well formed.

The rules are those of git's ``apply.c`` (``find_header``, ``parse_git_diff_header``,
``parse_fragment``): text between files is skipped, a hunk without a file is an error, and the
counts of a hunk header are binding. Where git would touch a file, this reader names it.
"""

from __future__ import annotations

from jeto_bench.patches.header import BINARY_MARKS, Draft, read_header
from jeto_bench.patches.model import ChangeKind, FilePatch, PatchError, PatchProblem
from jeto_bench.patches.normalize import hunk_lengths
from jeto_bench.patches.paths import DEV_NULL, check_path

__all__ = ["parse_patch"]

_NO_NEWLINE_LENGTH = 11  # "\ No newline" in any language; git asks for 12 bytes with the LF
_CHANGES = (
    ("new file mode",),
    ("deleted file mode",),
    ("rename from", "rename to"),
    ("rename old", "rename new"),
    ("copy from", "copy to"),
)


def parse_patch(patch: bytes) -> tuple[FilePatch, ...]:
    """Return the files of a patch in their order.

    Args:
        patch: Normalised bytes (see ``normalize_patch``).

    Raises:
        PatchError: It is no patch, is corrupt, or names a path that is refused.
    """
    lines = patch.split(b"\n")
    if not lines[-1]:
        lines.pop()
    files: list[FilePatch] = []
    at = 0
    while at < len(lines):
        draft, body = read_header(lines, at)
        if draft is None:
            if hunk_lengths(lines[at]) is not None:
                raise PatchError(
                    PatchProblem.ORPHAN_HUNK, "a hunk without a file above it", line=at + 1
                )
            at += 1
            continue
        at = _read_body(lines, body, draft)
        files.append(_finish(draft))
    if not files:
        raise PatchError(PatchProblem.NOT_A_PATCH, "no file to change was found")
    return tuple(files)


def _read_body(lines: list[bytes], at: int, draft: Draft) -> int:
    if at < len(lines) and lines[at].startswith(BINARY_MARKS):
        draft.binary = True
        while at < len(lines) and not lines[at].startswith(b"diff --git "):
            at += 1
        return at
    while at < len(lines):
        lengths = hunk_lengths(lines[at])
        if lengths is None:
            break
        at = _read_hunk(lines, at, lengths, draft)
        draft.hunks += 1
    return at


def _read_hunk(lines: list[bytes], at: int, lengths: tuple[int, int], draft: Draft) -> int:
    start = at + 1
    old, new = lengths
    at += 1
    while old > 0 or new > 0:
        mark = lines[at][:1] if at < len(lines) else None
        if mark in (b" ", b""):
            old, new = old - 1, new - 1
        elif mark == b"-":
            old -= 1
            draft.removed += 1
        elif mark == b"+":
            new -= 1
            draft.added += 1
        elif mark != b"\\" or not _is_no_newline_mark(lines[at]):
            raise PatchError(
                PatchProblem.CORRUPT_HUNK,
                "the hunk is shorter than its header says"
                if mark is None
                else "not a line of a hunk, though the header announces more",
                line=min(at + 1, len(lines)),
            )
        if old < 0 or new < 0:
            raise PatchError(
                PatchProblem.CORRUPT_HUNK,
                "the hunk's lines do not add up to its header",
                line=start,
            )
        at += 1
    if at < len(lines) and _is_no_newline_mark(lines[at]):
        at += 1
    return at


def _is_no_newline_mark(line: bytes) -> bool:
    return line.startswith(b"\\ ") and len(line) >= _NO_NEWLINE_LENGTH


def _finish(draft: Draft) -> FilePatch:
    _check_consistency(draft)
    bare = any(key in draft.values for key in ("rename from", "rename old", "copy from"))
    old, new = _names(draft)
    kind = _kind(draft, old, new)
    for path in (old, new):
        if path is not None:
            check_path(path, line=draft.line)
    if old is None and new is None:
        raise PatchError(PatchProblem.MISSING_NAME, "a file without a name", line=draft.line)
    index_mode = draft.values.get("index", b"").partition(b" ")[2].decode("latin-1")
    return FilePatch(
        old_path=old,
        new_path=new,
        kind=kind,
        bare_names=bare,
        header=draft.header,
        old_mode=draft.mode("old mode", "deleted file mode") or index_mode,
        new_mode=draft.mode("new mode", "new file mode") or index_mode,
        binary=draft.binary,
        hunks=draft.hunks,
        added=draft.added,
        removed=draft.removed,
        line=draft.line,
    )


def _check_consistency(draft: Draft) -> None:
    """Refuse headers whose reading depends on the order of their lines, also within git."""
    made = [keys for keys in _CHANGES if draft.values.keys() & set(keys)]
    clash = len(made) > 1
    for pair in (*_CHANGES, ("---", "+++")):
        clash = clash or 0 < len(draft.values.keys() & set(pair)) < len(pair)
    if made and len(made[0]) == 1 and draft.header is not None:
        for key, wanted in zip(("---", "+++"), draft.header, strict=True):
            clash = clash or draft.name(key) not in (None, DEV_NULL, wanted)
    if clash:
        raise PatchError(
            PatchProblem.INCONSISTENT_HEADER, "header lines contradict each other", line=draft.line
        )


def _names(draft: Draft) -> tuple[str | None, str | None]:
    left, right = draft.header or (None, None)
    old = draft.name("rename from", "rename old", "copy from", "---") or left
    new = draft.name("rename to", "rename new", "copy to", "+++") or right
    if "new file mode" in draft.values or old == DEV_NULL:
        old = None
    if "deleted file mode" in draft.values or new == DEV_NULL:
        new = None
    if draft.traditional and old is not None and new is not None:
        # without git's header both name one file; "X.orig" and the like give way (apply.c)
        same = old == new or old.partition("/")[2] == new.partition("/")[2]
        if not same:
            old = new = old if new.startswith(old) else new
    return old, new


def _kind(draft: Draft, old: str | None, new: str | None) -> ChangeKind:
    changes = draft.hunks > 0 or draft.binary
    if old is None:
        kind = ChangeKind.ADD
    elif new is None:
        kind = ChangeKind.DELETE
    elif "rename from" in draft.values or "rename old" in draft.values:
        kind = ChangeKind.RENAME
    elif "copy from" in draft.values:
        kind = ChangeKind.COPY
    elif draft.binary:
        kind = ChangeKind.BINARY
    elif changes:
        kind = ChangeKind.MODIFY
    elif "new mode" in draft.values:
        kind = ChangeKind.MODE
    else:
        raise PatchError(PatchProblem.NO_CHANGE, "a file without a change", line=draft.line)
    return kind
