"""What a clone lacks, from where it was cloned: everything in one request. Only objects come."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from jeto_bench.errors import InputError
from jeto_bench.git.clones import run_git

__all__ = ["fetch_contents", "fetch_difference", "fetch_objects", "run_fetch"]

_PINNED_WHILE_FETCHING: Final = (
    ("core.sshCommand", "ssh"),
    ("core.gitProxy", ""),
    ("core.askPass", ""),
    ("credential.helper", ""),
    ("core.alternateRefsCommand", ""),
    ("maintenance.auto", "false"),
)
_SUBMODULE: Final = b"160000"
_PROTOCOLS: Final = "https:http:ssh:git:file"
_FETCH_OPTIONS: Final = (
    *("--quiet", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no"),
    "--upload-pack=git-upload-pack",
)


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
    if lacking := _lacking(clone, commit):
        fetch_objects(clone, lacking, timeout=timeout)


def fetch_difference(clone: Path, base: str, fix: str, *, timeout: float) -> None:
    """Fetch the contents that differ between two commits and that a blobless clone lacks.

    Raises:
        InputError: A commit is not there, or the remote does not answer in ``timeout`` seconds.
    """
    if not _promisor(clone):
        return
    options = ["-r", "--raw", "-z", "--no-abbrev", "--no-renames"]
    facts = run_git(clone, ["diff-tree", *options, base, fix]).split(b"\0")[:-1:2]
    # ":MODE MODE BLOB BLOB STATUS"; what is not there is all zeros, a submodule is no object here.
    blobs = {
        blob.decode()
        for old_mode, new_mode, old, new, _ in (fact.removeprefix(b":").split() for fact in facts)
        for mode, blob in ((old_mode, old), (new_mode, new))
        if blob.strip(b"0") and mode != _SUBMODULE
    }
    if lacking := sorted(blobs.intersection(_lacking(clone, base, fix))):
        fetch_objects(clone, lacking, timeout=timeout)


def _lacking(clone: Path, *commits: str) -> list[str]:
    """What a clone lacks of some trees; asking for an object itself would begin to fetch it."""
    trees = [f"{commit}^{{tree}}" for commit in commits]
    asked = ["rev-list", "--objects", "--no-object-names", "--missing=print", *trees]
    listed = run_git(clone, asked).decode("ascii").splitlines()
    return [line[1:] for line in listed if line.startswith("?")]


def _promisor(clone: Path) -> str:
    """The remote that a clone without contents gets them from; empty for other clones."""
    try:
        names = run_git(clone, ["config", "--name-only", "--get-regexp", r"^remote\..*\.promisor$"])
    except InputError:
        return ""
    return names.decode().splitlines()[0].removeprefix("remote.").removesuffix(".promisor")
