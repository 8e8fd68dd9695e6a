"""Clones for reading histories: bare, and without contents until some are chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jeto_bench.git.fetching import run_fetch
from jeto_bench.git.making import ensure_clone_of

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
    place = ensure_clone_of(clones, repo, origin=origin, blobless=True)
    if update:
        run_fetch(place, ["origin", "+refs/heads/*:refs/heads/*"], timeout=_TIMEOUT_S)
    return place
