"""What a patch says about files, and the closed list of reasons to refuse it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from jeto_bench.errors import InputError

__all__ = ["ChangeKind", "FilePatch", "PatchError", "PatchProblem"]


class ChangeKind(StrEnum):
    """What happens to a file."""

    ADD = "add"
    MODIFY = "modify"
    DELETE = "delete"
    RENAME = "rename"
    COPY = "copy"
    MODE = "mode"
    BINARY = "binary"


class PatchProblem(StrEnum):
    """Why a patch is refused before anything is tried."""

    NOT_A_PATCH = "not_a_patch"
    CORRUPT_HUNK = "corrupt_hunk"
    ORPHAN_HUNK = "orphan_hunk"
    NO_CHANGE = "no_change"
    MISSING_NAME = "missing_name"
    INCONSISTENT_HEADER = "inconsistent_header"
    BAD_QUOTING = "bad_quoting"
    ABSOLUTE_PATH = "absolute_path"
    PARENT_PATH = "parent_path"
    NUL_IN_PATH = "nul_in_path"
    GIT_DIRECTORY = "git_directory"


class PatchError(InputError):
    """A patch that is refused as a whole.

    Attributes:
        problem: The reason, from the closed list.
        line: 1-based line of the patch, if there is one.
    """

    def __init__(self, problem: PatchProblem, detail: str, *, line: int | None = None) -> None:
        where = f"patch line {line}: " if line is not None else ""
        super().__init__(f"{where}{detail} ({problem.value})")
        self.problem = problem
        self.line = line


@dataclass(frozen=True, kw_only=True, slots=True)
class FilePatch:
    """One file of a patch.

    Paths are text with undecodable bytes escaped (PEP 383), as written in the patch, that is with
    whatever prefix the producer chose. ``bare_names`` marks names that came from ``rename from``
    and the like, which never carry the prefix.

    Attributes:
        old_path: Path in base, ``None`` for a new file.
        new_path: Path afterwards, ``None`` for a deletion.
        kind: What happens.
        bare_names: The paths have no prefix even if other files of the patch do.
        header: Both names of the ``diff --git`` line, evidence for the prefix.
        old_mode: Git mode such as ``100644``, empty if the patch does not say.
        new_mode: As ``old_mode``; ``120000`` is a symbolic link, ``160000`` a submodule.
        binary: The content is binary.
        hunks: Number of hunks.
        added: Lines added.
        removed: Lines removed.
        line: 1-based line of the patch where the file begins.
    """

    old_path: str | None
    new_path: str | None
    kind: ChangeKind
    bare_names: bool = False
    header: tuple[str, str] | None = None
    old_mode: str = ""
    new_mode: str = ""
    binary: bool = False
    hunks: int = 0
    added: int = 0
    removed: int = 0
    line: int = 1

    def paths(self, depth: int) -> tuple[str | None, str | None]:
        """Return the old and new path without the first ``depth`` components.

        Raises:
            PatchError: A path has no more than ``depth`` components.
        """
        return self._strip(self.old_path, depth), self._strip(self.new_path, depth)

    def _strip(self, path: str | None, depth: int) -> str | None:
        if path is None or self.bare_names or depth == 0:
            return path
        parts = path.split("/", depth)
        if len(parts) <= depth or not parts[depth]:
            raise PatchError(
                PatchProblem.MISSING_NAME,
                f"{path!r} has no {depth} leading directories to remove",
                line=self.line,
            )
        return parts[depth]
