"""How many leading directories of a patch's paths are the producer's prefix (field.md row 9)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from jeto_bench.patches.model import FilePatch
from jeto_bench.patches.paths import check_path

__all__ = ["changed_paths", "detect_prefix_depth"]

_GIT_PREFIXES = frozenset("abciow12")


def detect_prefix_depth(patch: Sequence[FilePatch], tree_paths: Collection[str]) -> int:
    """Return 1 if the paths of a patch carry a prefix, else 0.

    What the patch itself shows is binding: ``a/X`` beside ``b/X`` is a prefix, a path without a
    directory has none. Where it shows nothing, the depth that explains more of the base tree wins,
    and where neither does, the usual letters of git decide.

    Args:
        patch: Files of one patch.
        tree_paths: Paths of all files of the base tree, ``/`` between directories.
    """
    votes = {vote for item in patch if (vote := _own_evidence(item)) is not None}
    if len(votes) == 1:
        return votes.pop()
    files = frozenset(tree_paths)
    folders = frozenset(_folders(files))
    bare, stripped = (sum(_fit(item, depth, files, folders) for item in patch) for depth in (0, 1))
    if bare != stripped:
        return 0 if bare > stripped else 1
    return 1 if all(_looks_prefixed(item) for item in patch) else 0


def changed_paths(patch: Sequence[FilePatch], depth: int) -> tuple[str, ...]:
    """Return every path of the tree that a patch creates, changes or removes, sorted.

    Raises:
        PatchError: A path is refused once its prefix is gone.
    """
    paths: set[str] = set()
    for item in patch:
        old, new = item.paths(depth)
        touched = {new} if item.kind == "copy" else {old, new}
        for path in touched - {None}:
            assert path is not None  # noqa: S101  # for the type checker; None was taken out above
            check_path(path, line=item.line)
            paths.add(path)
    return tuple(sorted(paths))


def _own_evidence(item: FilePatch) -> int | None:
    """Return the depth that one file proves, or ``None``."""
    if item.bare_names:
        if item.header is None or item.old_path is None:
            return None
        return 0 if item.header[0] == item.old_path else 1
    pairs = [item.header, (item.old_path, item.new_path)]
    for pair in pairs:
        if pair is None or pair[0] is None or pair[1] is None:
            continue
        if "/" not in pair[0] or "/" not in pair[1]:
            return 0
        if pair[0] != pair[1]:
            return 1
    only = item.new_path if item.old_path is None else item.old_path
    return 0 if only is not None and "/" not in only else None


def _fit(item: FilePatch, depth: int, files: frozenset[str], folders: frozenset[str]) -> int:
    """Return how well a file fits the tree at a depth: 2 exists, 1 could be created there."""
    path = item.old_path if item.old_path is not None else item.new_path
    if path is None or item.bare_names:
        return 0
    path = path.split("/", depth)[-1]
    if path in files:
        return 2 if item.old_path is not None else 0
    folder = path.rpartition("/")[0]
    return 1 if item.old_path is None and folder in folders else 0


def _folders(paths: Iterable[str]) -> Iterable[str]:
    seen: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in seen:
            seen.add(folder)
            folder = folder.rpartition("/")[0]
    return seen


def _looks_prefixed(item: FilePatch) -> bool:
    if item.old_path is not None and item.old_path == item.new_path and not item.bare_names:
        return False  # git's own prefixes differ between the two sides
    path = item.new_path if item.new_path is not None else item.old_path
    return item.bare_names or (path is not None and path.partition("/")[0] in _GIT_PREFIXES)
