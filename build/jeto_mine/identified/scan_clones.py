"""Clones for reading histories: bare, and without contents until some are chosen."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

from jeto_bench.clones import find_clone, run_git
from jeto_bench.errors import UsageError

__all__ = ["blobless_clone"]

_TIMEOUT_S: Final = 3600


def blobless_clone(clones: Path, repo: str, *, origin: str, update: bool) -> Path:
    """Return the clone of a repository below a folder, made or brought up to date if wanted.

    Args:
        clones: The folder; a new clone is called ``OWNER__NAME``.
        repo: ``owner/name``.
        origin: URL with ``{repo}``; empty: none is made.
        update: Fetch what is new; what was rewritten there is rewritten here.

    Raises:
        UsageError: It is not there and cannot be made.
        InputError: It cannot be brought up to date.
    """
    try:
        place = find_clone(clones, repo)
    except UsageError:
        if not origin:
            raise
        return _make(clones / repo.replace("/", "__"), origin.format(repo=repo))
    if update:
        arguments = ["fetch", "--quiet", "--no-tags", "origin", "+refs/heads/*:refs/heads/*"]
        run_git(place, arguments, timeout=_TIMEOUT_S)
    return place


def _make(place: Path, url: str) -> Path:
    unfinished = place.with_name(f".{place.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    command = ["git", "clone", "--quiet", "--bare", "--filter=blob:none", "--", url]
    try:
        subprocess.run(  # noqa: S603  # a fixed program
            [*command, str(unfinished)], check=True, capture_output=True, timeout=_TIMEOUT_S
        )
    except (subprocess.SubprocessError, FileNotFoundError) as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        said = (getattr(error, "stderr", None) or str(error).encode()).decode("utf-8", "replace")
        last = said.strip().splitlines()[-1:] or [""]
        raise UsageError(
            f"{url} cannot be cloned: {last[0]}",
            advice=f"Put a clone at {place}, or name another place with --clone-from.",
        ) from error
    unfinished.rename(place)
    return place
