"""Clones that are missing are made, from wherever the repositories are."""

from __future__ import annotations

import shutil
import subprocess
import threading
from pathlib import Path
from typing import Final

from jeto_bench.errors import UsageError
from jeto_bench.git.clones import find_clone

__all__ = ["ORIGIN", "ensure_clone_of", "make_bare_clone"]

ORIGIN: Final = "https://github.com/{repo}.git"
"""Where repositories are cloned from."""

_TIMEOUT_S: Final = 3600
_LOCK: Final = threading.Lock()


def ensure_clone_of(
    clones: Path,
    repo: str,
    *,
    origin: str = ORIGIN,
    asked_by: str = "",
    blobless: bool = False,
) -> Path:
    """Return the clone of a repository, made if it is not there.

    Args:
        clones: Folder with clones; a new one is bare and called ``OWNER__NAME``.
        repo: ``owner/name``.
        origin: URL with ``{repo}`` in the place of ``OWNER/NAME``; empty: nothing is cloned.
        asked_by: Put before the message of an error, such as ``ID: ``.
        blobless: A new one has no contents yet; ``fetching`` gets those that are needed.

    Raises:
        UsageError: It is not there and cannot be cloned.
    """
    with _LOCK:  # two records may be of one repository
        try:
            return find_clone(clones, repo)
        except UsageError:
            if not origin:
                raise
        place = clones / repo.replace("/", "__")
        try:
            options = ("--filter=blob:none",) if blobless else ()
            return make_bare_clone(place, origin.replace("{repo}", repo), *options)
        except UsageError as error:
            said = f"{asked_by}no clone of {repo} below {clones}, and"
            raise UsageError(f"{said} {error.message}", advice=error.advice) from error


def make_bare_clone(place: Path, url: str, *options: str) -> Path:
    """Clone a repository, whole or not at all.

    Args:
        place: Where; its folder is made.
        url: From where.
        options: Further ones of ``git clone``.

    Raises:
        UsageError: It cannot be cloned.
    """
    unfinished = place.with_name(f".{place.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    command = ["git", "clone", "--quiet", "--bare", *options, "--", url, str(unfinished)]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=_TIMEOUT_S)  # noqa: S603  # a fixed program
    except (subprocess.SubprocessError, FileNotFoundError) as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        said = (getattr(error, "stderr", None) or str(error).encode()).decode("utf-8", "replace")
        last = said.strip().splitlines()[-1:] or [""]
        raise UsageError(
            f"{url} cannot be cloned: {last[0]}",
            advice="Put a clone there, or name another place with --clone-from.",
        ) from error
    unfinished.rename(place)
    return place
