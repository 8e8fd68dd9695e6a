"""Diffs as this project stores them, from a clone that may be anybody's.

Every choice that git's configuration, version or a project's attributes could make differently is
pinned (field.md row 9); what is missing from a clone is told apart from what was never there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.errors import InputError
from jeto_bench.git.clones import run_git

__all__ = ["PINNED_DIFF", "ChangedPaths", "changed_between", "diff_between", "object_directory"]

PINNED_DIFF: Final = (
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-relative",
    "--full-index",
    "--binary",
    "--submodule=short",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--inter-hunk-context=0",
    "--unified=3",
    "-O/dev/null",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
"""``git diff`` and its options."""

_SETTINGS: Final = (
    *("-c", "core.attributesFile=/dev/null"),
    *("-c", "core.quotePath=true"),
    *("-c", "diff.suppressBlankEmpty=false"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedPaths:
    """Paths that differ between two commits; each of the three is sorted.

    Attributes:
        added: Only in the newer one.
        removed: Only in the older one; a renamed file is in ``removed`` and ``added``.
        modified: In both.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    modified: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """All of them, sorted."""
        return tuple(sorted((*self.added, *self.removed, *self.modified)))


def object_directory(clone: Path) -> Path:
    """Return where a clone keeps its objects: ``.git`` below a work tree, else itself.

    Git that starts there does not read the attributes of a work tree, which may be at any commit.
    """
    inside = clone / ".git"
    return inside if inside.is_dir() else clone


def changed_between(clone: Path, base: str, fix: str) -> ChangedPaths:
    """Return the paths that differ between two commits; contents are not looked at.

    Raises:
        InputError: A commit or a folder of it is missing from the clone.
    """
    options = ["--no-renames", "--no-relative", "--name-status", "-z", "-O/dev/null"]
    arguments = [*_SETTINGS, "diff", *options, base, fix, "--"]
    words = _git(clone, arguments).split(b"\0")
    found: dict[str, list[str]] = {"A": [], "D": [], "M": []}
    for status, path in zip(words[::2], words[1::2], strict=False):
        kind = status.decode("ascii")[:1]
        found[kind if kind in found else "M"].append(path.decode("utf-8", "surrogateescape"))
    return ChangedPaths(
        added=tuple(sorted(found["A"])),
        removed=tuple(sorted(found["D"])),
        modified=tuple(sorted(found["M"])),
    )


def diff_between(clone: Path, base: str, fix: str) -> bytes:
    """Return the difference of two commits as a patch, prefixes ``a/`` and ``b/``.

    Raises:
        InputError: A commit or the content of a file is missing from the clone.
    """
    return _git(clone, [*_SETTINGS, *PINNED_DIFF, base, fix, "--"])


def _git(clone: Path, arguments: list[str]) -> bytes:
    try:
        return run_git(object_directory(clone), arguments)
    except InputError as error:
        raise InputError(
            error.message,
            advice="It may be partial: git fetch --refetch --no-filter completes it.",
        ) from error
