"""A git history for a mini ETIP that is the same, SHA for SHA, on every machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from jeto_bench.errors import InfrastructureError, InputError
from jeto_bench.git.diffs import PINNED_DIFF
from jeto_mine.mini.sources import MiniSource

__all__ = ["History", "make_history"]

_DEADLINE = 60.0  # seconds; each command takes milliseconds
_CONFIG = {
    "core.autocrlf": "false",
    "core.eol": "lf",
    "core.fileMode": "false",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "core.quotePath": "true",
    "commit.gpgSign": "false",
    "gc.auto": "0",
    "init.defaultBranch": "main",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """Two commits: the base, and the fix on top of it.

    Attributes:
        folder: The work tree, at the fix.
        base_commit: 40 hex digits.
        fix_commit: 40 hex digits.
        patch: The difference as git writes it, prefixes ``a/`` and ``b/``.
    """

    folder: Path
    base_commit: str
    fix_commit: str
    patch: bytes


def make_history(source: MiniSource, folder: Path) -> History:
    """Create a repository with the base commit and the fix commit.

    Args:
        source: The mini ETIP.
        folder: Where the repository goes; it must not exist or be empty.

    Raises:
        InputError: The folder is not empty, or the reference does not apply to the project.
        InfrastructureError: There is no git, or it failed otherwise.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise InputError(f"{folder} is not empty", advice="Give a new folder for the history.")
    git = _Git(folder=folder)
    git.run("init", "--quiet", "--object-format=sha1", "--template=")
    for name, content in source.tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    git.run("add", "--all", "--force")
    fixed_at = source.facts.fixed_at
    number = source.facts.issue_number
    base = git.commit(
        f"State before #{number}\n", source.facts.author, fixed_at - timedelta(days=1)
    )
    check = git.call("apply", "--check", "--index", "-", stdin=source.reference)
    if check.returncode != 0:
        raise InputError(
            f"the reference patch of {source.slug} does not apply: {_text(check.stderr)}"
        )
    git.run("apply", "--index", "--whitespace=nowarn", "-", stdin=source.reference)
    fix = git.commit(source.facts.commit_message, source.facts.author, fixed_at)
    return History(
        folder=folder, base_commit=base, fix_commit=fix, patch=git.run(*PINNED_DIFF, base, fix)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Git:
    folder: Path

    def commit(self, message: str, author: str, when: datetime) -> str:
        name, _, address = author.partition(" <")
        date = f"{int(when.timestamp())} +0000"
        people = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in (("NAME", name), ("EMAIL", address[:-1]), ("DATE", date))
        }
        self.run(
            "commit", "--quiet", "--no-verify", "--file=-", stdin=message.encode(), extra=people
        )
        return _text(self.run("rev-parse", "HEAD"))

    def run(
        self, *arguments: str, stdin: bytes = b"", extra: Mapping[str, str] | None = None
    ) -> bytes:
        """Run git and return its output; any failure is one of the surroundings."""
        done = self.call(*arguments, stdin=stdin, extra=extra)
        if done.returncode != 0:
            raise InfrastructureError(f"git {arguments[0]} failed: {_text(done.stderr)}")
        return done.stdout

    def call(
        self, *arguments: str, stdin: bytes = b"", extra: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git without the user's configuration and environment."""
        git = shutil.which("git")
        if git is None:
            raise InfrastructureError("git is not installed", advice="Install git and try again.")
        settings = [word for key, value in _CONFIG.items() for word in ("-c", f"{key}={value}")]
        return subprocess.run(  # noqa: S603  # fixed program, arguments from this module
            [git, *settings, *arguments],
            cwd=self.folder,
            env={
                "PATH": os.environ.get("PATH", os.defpath),
                "HOME": os.devnull,
                "LC_ALL": "C",
                "TZ": "UTC",
                "GIT_CONFIG_GLOBAL": os.devnull,
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_ATTR_NOSYSTEM": "1",
                "GIT_CEILING_DIRECTORIES": str(self.folder.resolve().parent),
                **(extra or {}),
            },
            input=stdin,
            capture_output=True,
            timeout=_DEADLINE,
            check=False,
        )


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace").strip()
