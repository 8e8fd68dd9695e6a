"""A clone's objects, and nothing else of it.

Git is run on an empty repository of its own that borrows the clone's objects. So no setting,
attribute, replacement or hook of the clone has a say in what is read, whoever it belongs to, and
git has no remote from which it could fetch missing objects one by one (field.md row 111).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

from jeto_bench.errors import InputError, UsageError
from jeto_bench.git.clones import run_git

__all__ = ["ObjectStore", "git_failed", "open_store", "tip_of"]

_SETTINGS: Final = (
    *("-c", "core.quotePath=true", "-c", "diff.suppressBlankEmpty=false"),
    *("-c", "core.commitGraph=true", "-c", "core.abbrev=40"),
)
_PIPE_BYTES: Final = 1 << 20
"""So that git goes on while its output is worked on; as much as Linux allows anybody."""
_KEPT: Final = ("GIT_TRACE", "GIT_EXEC_PATH")
"""Variables of git that do not change what it tells, by their beginning."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ObjectStore:
    """An open store.

    Attributes:
        clone: The clone whose objects are read.
        git_dir: The repository that borrows them.
        tip: Commit that histories begin at, 40 hex digits.
    """

    clone: Path
    git_dir: Path
    tip: str

    def start(
        self, *arguments: str, stdin: IO[bytes] | int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        """Start git on the objects; its output is read from ``stdout``."""
        return subprocess.Popen(  # noqa: S603  # a fixed program
            self._command(arguments),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pipesize=_PIPE_BYTES,
            env=_environment(),
        )

    def run(self, *arguments: str, stdin: bytes = b"", check: bool = True) -> bytes:
        """Run git on the objects; return what it prints.

        Raises:
            InputError: It fails.
        """
        done = subprocess.run(  # noqa: S603  # a fixed program
            self._command(arguments),
            input=stdin,
            capture_output=True,
            check=False,
            env=_environment(),
        )
        if check and done.returncode:
            raise git_failed(self.clone, arguments[0], done.stderr)
        return done.stdout

    def _command(self, arguments: Sequence[str]) -> list[str]:
        return ["git", f"--git-dir={self.git_dir}", *_SETTINGS, *arguments]


def git_failed(clone: Path, command: str, stderr: bytes) -> InputError:
    """Return the error for a git command that failed on a clone's objects."""
    detail = stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
    return InputError(
        f"{clone}: git {command} failed: {detail[0]}",
        advice="Is the clone whole? git fsck --connectivity-only tells.",
    )


@contextmanager
def open_store(clone: Path, *, branch: str = "") -> Iterator[ObjectStore]:
    """Open a clone's objects for reading.

    Args:
        clone: The clone, bare or not, blobless or not.
        branch: Branch to begin at; empty: the default branch.

    Raises:
        UsageError: No clone, or it has no such branch.
        InputError: git cannot read it.
    """
    tip = tip_of(clone, branch=branch)
    objects, shallow = _places(clone)
    with TemporaryDirectory(prefix="jeto-scan-") as folder:
        git_dir = Path(folder)
        for name in ("objects/info", "refs/heads"):
            (git_dir / name).mkdir(parents=True)
        (git_dir / "HEAD").write_text("ref: refs/heads/none\n")
        (git_dir / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
        borrowed = os.fsencode(objects.resolve())
        (git_dir / "objects/info/alternates").write_bytes(borrowed + b"\n")
        if shallow.is_file():
            (git_dir / "shallow").write_bytes(shallow.read_bytes())
        yield ObjectStore(clone=clone, git_dir=git_dir, tip=tip)


def tip_of(clone: Path, *, branch: str = "") -> str:
    """Return the tip of a branch of a clone, 40 hex digits.

    Without a name: of a bare clone its ``HEAD``, which is the remote's default branch; of another
    one, where ``HEAD`` is whatever its owner works on, what the remote calls its default branch.

    Raises:
        UsageError: There is no such branch, or no commit at all.
        InputError: git finds no clone there.
    """
    if not clone.is_dir():
        raise UsageError(f"{clone} is no clone", advice="Name a folder that git cloned into.")
    if branch:
        names = [f"refs/remotes/origin/{branch}", f"refs/heads/{branch}"]
    else:
        names = ["HEAD"]
        if (clone / ".git").exists():
            names.insert(0, "refs/remotes/origin/HEAD")
    asked = "".join(f"{name}^{{commit}}\n" for name in names).encode()
    for line in run_git(clone, ["cat-file", "--batch-check"], stdin=asked).splitlines():
        if b" commit " in line:
            return line.split()[0].decode()
    raise UsageError(
        f"{clone}: no commit at {branch or 'its default branch'}",
        advice="Is it a clone, and fetched? git -C CLONE log -1 tells.",
    )


def _places(clone: Path) -> tuple[Path, Path]:
    """Where a clone's objects are, and its list of commits whose parents it lacks."""
    for git_dir in (clone / ".git", clone):
        if (git_dir / "objects").is_dir():
            return git_dir / "objects", git_dir / "shallow"
    # A work tree whose repository is elsewhere.
    asked = ["rev-parse", "--git-path", "objects", "--git-path", "shallow"]
    objects, shallow = run_git(clone, asked).decode().splitlines()
    return clone / objects, clone / shallow


def _environment() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return kept | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
