"""Clones that a user has: finding them, and git on them. Only objects are read."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from jeto_bench.errors import InputError, UsageError

__all__ = [
    "GIT_TIMEOUT_S",
    "find_clone",
    "run_git",
]

GIT_TIMEOUT_S: Final = 300
"""Longest that reading takes, where no other limit is given."""

_PINNED: Final = (
    ("safe.directory", "*"),
    ("protocol.allow", "never"),
    ("log.showSignature", "false"),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
)
"""Settings above those of a clone, which may be anybody's and belong to another user.

Without them git runs what the clone names: ``gpg.program`` for signed commits, ``core.sshCommand``
and remote helpers for what a partial clone lacks, ``core.fsmonitor`` and hooks for an index.
"""


def find_clone(clones: Path, repo: str) -> Path:
    """The clone of a repository (``owner/name``) below ``clones``.

    Tried: ``owner__name``, ``owner/name``, ``name``, each also with ``.git``; bare or not; then
    ``clones`` itself if it is a clone of a repository of that name.

    Raises:
        UsageError: None is there; the message lists the places.
    """
    owner, _, name = repo.partition("/")
    stems = (f"{owner}__{name}", f"{owner}/{name}", name)
    places = [clones / (stem + suffix) for stem in stems for suffix in ("", ".git")]
    if clones.name in {name, f"{name}.git", f"{owner}__{name}"}:
        places.append(clones)
    for place in places:
        if (place / ".git").exists() or (place / "objects").is_dir():
            return place
    listed = ", ".join(str(place) for place in places)
    raise UsageError(
        f"no clone of {repo} (looked at {listed})",
        advice=f"Clone {repo} below {clones}, or give another folder with --clones.",
    )


def run_git(
    clone: Path,
    arguments: list[str],
    *,
    stdin: bytes = b"",
    timeout: float = GIT_TIMEOUT_S,
    environment: Mapping[str, str] | None = None,
    settings: Sequence[tuple[str, str]] = (),
    protocols: str = "",
) -> bytes:
    """Run git in a clone that may be anybody's; return what it prints.

    Args:
        clone: Where git starts.
        arguments: Its command line.
        stdin: What it reads.
        timeout: Seconds.
        environment: Variables beside those that are there.
        settings: Further settings that the clone's own do not replace.
        protocols: What git may fetch by, separated by colons; it may not fetch if it is empty.

    Raises:
        InputError: git is not there, fails, or takes longer than ``timeout`` seconds.
    """
    command = ["git", "-C", str(clone), *arguments]
    pinned = (*_PINNED, *settings)
    variables = {**os.environ, **(environment or {}), "GIT_CONFIG_COUNT": str(len(pinned))}
    variables |= {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    variables |= {"GIT_ALLOW_PROTOCOL": protocols}
    for number, (key, value) in enumerate(pinned):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    try:
        done = subprocess.run(  # noqa: S603  # a fixed program, arguments from the record
            command,
            input=stdin,
            capture_output=True,
            check=True,
            timeout=timeout,
            env=variables,
        )
    except FileNotFoundError as error:
        raise InputError("git is needed to read a clone", advice="Install git.") from error
    except subprocess.SubprocessError as error:
        detail = getattr(error, "stderr", None) or b""
        raise InputError(
            f"{clone}: git {arguments[0]} failed: {detail.decode('utf-8', 'replace').strip()}",
            advice="Does the clone have the base commit? A shallow one may not: git fetch it.",
        ) from error
    return done.stdout
