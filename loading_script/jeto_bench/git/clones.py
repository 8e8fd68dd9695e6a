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
    "fetch_contents",
    "fetch_objects",
    "find_clone",
    "run_fetch",
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

_PINNED_WHILE_FETCHING: Final = (
    ("core.sshCommand", "ssh"),
    ("core.gitProxy", ""),
    ("core.askPass", ""),
    ("credential.helper", ""),
    ("core.alternateRefsCommand", ""),
    ("maintenance.auto", "false"),
)
_PROTOCOLS: Final = "https:http:ssh:git:file"
_FETCH_OPTIONS: Final = (
    *("--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no"),
    "--upload-pack=git-upload-pack",
)


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


def run_fetch(
    clone: Path,
    arguments: Sequence[str],
    *,
    stdin: bytes = b"",
    settings: Sequence[tuple[str, str]] = (),
    timeout: float,
) -> None:
    """Run ``git fetch`` in a clone that may be anybody's.

    Of the clone's settings only the remotes' addresses have a say, and they name no program.

    Args:
        clone: Where git starts.
        arguments: What follows ``fetch`` on its command line.
        stdin: What it reads.
        settings: Further settings that the clone's own do not replace.
        timeout: Seconds.

    Raises:
        InputError: The remote does not answer, or not in time.
    """
    run_git(
        clone,
        ["fetch", *_FETCH_OPTIONS, *arguments],
        stdin=stdin,
        timeout=timeout,
        settings=[*_PINNED_WHILE_FETCHING, *settings],
        protocols=_PROTOCOLS,
    )


def fetch_objects(clone: Path, objects: Sequence[str], *, timeout: float) -> bool:
    """Fetch what a blobless clone lacks from where it was cloned, everything in one request.

    Args:
        clone: The clone.
        objects: 40 hex digits each.
        timeout: Seconds.

    Returns:
        False if the clone has no such remote: then nothing can be had.

    Raises:
        InputError: The remote does not answer, or not in time.
    """
    remote = _promisor(clone)
    if not remote:
        return False
    # As git's own lazy fetch; without negotiation, which would send all our commits.
    run_fetch(
        clone,
        ["--filter=blob:none", "--stdin", "--", remote],
        stdin="".join(f"{one}\n" for one in objects).encode(),
        settings=[("fetch.negotiationAlgorithm", "noop")],
        timeout=timeout,
    )
    return True


def fetch_contents(clone: Path, commit: str, *, timeout: float) -> None:
    """Fetch what a blobless clone lacks of a commit's tree, in one request; of others nothing.

    Raises:
        InputError: The commit is not there, or the remote does not answer in ``timeout`` seconds.
    """
    if not _promisor(clone):
        return
    asked = ["rev-list", "--objects", "--no-object-names", "--missing=print", f"{commit}^{{tree}}"]
    listed = run_git(clone, asked).decode("ascii").splitlines()
    if lacking := [line[1:] for line in listed if line.startswith("?")]:
        fetch_objects(clone, lacking, timeout=timeout)


def _promisor(clone: Path) -> str:
    """The remote that a clone without contents gets them from; empty for other clones."""
    try:
        names = run_git(clone, ["config", "--name-only", "--get-regexp", r"^remote\..*\.promisor$"])
    except InputError:
        return ""
    return names.decode().splitlines()[0].removeprefix("remote.").removesuffix(".promisor")
