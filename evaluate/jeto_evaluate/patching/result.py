"""What became of a patch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["ApplyReason", "PatchResult", "Strategy"]


class Strategy(StrEnum):
    """How the patch got into the tree."""

    NONE = ""
    STRICT = "strict"
    """Every context line matches; only line numbers may be off."""
    TOLERANT = "tolerant"
    """One line of context on either side suffices; white space in context is not compared."""


class ApplyReason(StrEnum):
    """Why nothing was applied, or why what was applied changes nothing."""

    NONE = ""
    MALFORMED = "malformed"
    """No patch at all, corrupt, or a path that leaves the tree; the log names it."""
    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    DOES_NOT_APPLY = "does_not_apply"
    PATCH_NOT_APPLIED = "patch_not_applied"
    """The tool succeeded, yet paths of the diff are unchanged (field.md row 4)."""
    UNEXPECTED_CHANGE = "unexpected_change"
    """A path changed that the diff does not name."""
    TIMED_OUT = "timed_out"
    NOTHING_LEFT = "nothing_left"
    """Applied; after tests, build files and junk were left out, nothing differs from base."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PatchResult:
    """What became of one patch. All paths are sorted and relative to the repository.

    Attributes:
        applied: The tree is base plus ``changed``; otherwise it is byte-identical to base.
        strategy: The one that won.
        changed: Paths that differ from base now.
        junk_paths: Left out: build output, ignored files, files that base has already.
        ignored_test_edits: Left out: tests.
        protected_path_edits: Left out: build files and test configuration.
        prefix_depth: Leading directories taken off the diff's paths.
        tree: Hash of the whole resulting tree, for comparing arms and for tests.
        reason: Empty if the patch changed something.
        detail: One line for people.
        log: What the tools said, raw.
    """

    applied: bool
    strategy: Strategy = Strategy.NONE
    changed: tuple[str, ...] = ()
    junk_paths: tuple[str, ...] = ()
    ignored_test_edits: tuple[str, ...] = ()
    protected_path_edits: tuple[str, ...] = ()
    prefix_depth: int = 0
    tree: str = ""
    reason: ApplyReason = ApplyReason.NONE
    detail: str = ""
    log: bytes = b""
