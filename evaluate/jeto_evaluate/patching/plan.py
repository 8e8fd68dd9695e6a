"""Decide, before anything is tried, which files of a patch are applied. Pure.

Sections that touch only tests, build files or junk are cut out of the patch rather than undone
later: a test edit that does not fit never costs a good source change (field.md row 12).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise

from jeto_bench.patches import ChangeKind, FilePatch, changed_paths
from jeto_evaluate.patching.protected import PathClass, ProtectedPolicy, classify
from jeto_evaluate.patching.result import ApplyReason

__all__ = ["LINK", "SUBMODULE", "PatchPlan", "PlanRefused", "TreeEntry", "plan_patch"]

LINK = "120000"
SUBMODULE = "160000"


class PlanRefused(Exception):  # noqa: N818  # a decision about the patch, not a fault of the harness
    """The whole patch is refused; the tree was not touched."""

    def __init__(self, reason: ApplyReason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, kw_only=True, slots=True)
class TreeEntry:
    """A file of base: git mode and blob hash."""

    mode: str
    blob: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PatchPlan:
    """What of a patch is to be applied.

    Attributes:
        patch: The sections that are kept, byte for byte.
        depth: Leading directories to take off.
        expected: Paths that must differ from base after applying.
        tolerated: Paths that may differ or not (their hunks cancel out, or they come back).
        dropped: Paths left out, by class.
    """

    patch: bytes
    depth: int
    expected: frozenset[str]
    tolerated: frozenset[str]
    dropped: Mapping[str, PathClass]


def _sections(patch: bytes, files: tuple[FilePatch, ...]) -> list[bytes]:
    """Bytes of every file's section; prose before a section goes with the one above."""
    lines = patch.split(b"\n")
    starts = [item.line - 1 for item in files] + [len(lines)]
    texts = [b"\n".join(lines[a:b]) for a, b in pairwise(starts)]
    return [text + b"\n" if text and not text.endswith(b"\n") else text for text in texts]


def _sides(section: bytes) -> tuple[list[bytes], list[bytes]]:
    """Old and new lines of a section's hunks, each with its line feed where it has one."""
    sides: tuple[list[bytes], list[bytes]] = ([], [])
    last: tuple[int, ...] = ()
    inside = False
    for line in section.split(b"\n"):
        if line.startswith(b"@@ "):
            inside = True
            for side in sides:
                side.append(line.split(b" @@")[0].split(b"+")[0])
        elif inside and line.startswith(b"\\"):
            for number in last:
                sides[number][-1] = sides[number][-1].removesuffix(b"\n")
        elif inside and line[:1] in {b" ", b"-", b"+"}:
            last = {b" ": (0, 1), b"-": (0,), b"+": (1,)}[line[:1]]
            for number in last:
                sides[number].append(line[1:] + b"\n")
    return sides


def _adds_what_exists(
    item: FilePatch, path: str, section: bytes, base: Mapping[str, TreeEntry]
) -> bool:
    """Whether a new file is the very file that base has (field.md row 5)."""
    if item.kind is not ChangeKind.ADD or item.binary or path not in base:
        return False
    content = b"".join(line for line in _sides(section)[1] if not line.startswith(b"@@ "))
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
    return blob.hexdigest() == base[path].blob


def _refuse_links(item: FilePatch, path: str, base: Mapping[str, TreeEntry]) -> None:
    """Refuse links: they can lay a source path over a test or lead out of the tree."""
    above = path.rpartition("/")[0]
    while above:
        if above in base and base[above].mode == LINK:
            raise PlanRefused(ApplyReason.SYMLINK, f"{path!r} lies beyond the link {above!r}")
        above = above.rpartition("/")[0]
    base_mode = base[path].mode if path in base else ""
    modes = {item.new_mode, item.old_mode if item.kind is not ChangeKind.DELETE else "", base_mode}
    if item.kind is ChangeKind.DELETE:
        modes.discard(base_mode)
    if LINK in modes:
        raise PlanRefused(ApplyReason.SYMLINK, f"{path!r} is a symbolic link")
    if SUBMODULE in modes:
        raise PlanRefused(ApplyReason.SUBMODULE, f"{path!r} is a submodule")


def plan_patch(
    patch: bytes,
    files: tuple[FilePatch, ...],
    base: Mapping[str, TreeEntry],
    *,
    depth: int,
    policy: ProtectedPolicy,
    ignored: Collection[str] = frozenset(),
) -> PatchPlan:
    """Sort a patch's files into kept and dropped.

    Args:
        patch: Normalised bytes.
        files: Its files, as ``parse_patch`` names them.
        base: All files of the base tree by path.
        depth: Leading directories to take off.
        policy: What the record adds to the rules.
        ignored: New paths of the patch that base's ignore rules name.

    Raises:
        PatchError: A path is refused once its prefix is gone.
        PlanRefused: It holds a link or a submodule.
    """
    kept: list[bytes] = []
    expected: set[str] = set()
    tolerated: set[str] = set()
    dropped: dict[str, PathClass] = {}
    for item, section in zip(files, _sections(patch, files), strict=True):
        paths = changed_paths((item,), depth)
        for path in paths:
            _refuse_links(item, path, base)
        classes = {path: _class_of(path, policy, base, ignored) for path in paths}
        if len(paths) == 1 and _adds_what_exists(item, paths[0], section, base):
            classes = {paths[0]: PathClass.JUNK}
        guarded = {path: kind for path, kind in classes.items() if kind is not PathClass.SOURCE}
        dropped |= guarded
        if len(guarded) == len(paths):
            continue
        kept.append(section)
        old, new = _sides(section)
        cancels = item.kind is ChangeKind.MODIFY and old == new
        # A move between a protected and a free path is applied whole; the protected half of it
        # is undone afterwards.
        tolerated |= set(guarded)
        (tolerated if cancels else expected).update(set(paths) - set(guarded))
    return PatchPlan(
        patch=b"".join(kept),
        depth=depth,
        expected=frozenset(expected),
        tolerated=frozenset(tolerated),
        dropped=dropped,
    )


def _class_of(
    path: str,
    policy: ProtectedPolicy,
    base: Mapping[str, TreeEntry],
    ignored: Collection[str],
) -> PathClass:
    kind = classify(path, policy)
    if kind is PathClass.SOURCE and path in ignored and path not in base:
        return PathClass.JUNK
    return kind
