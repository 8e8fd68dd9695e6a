"""Which repository a clone is of."""

from __future__ import annotations

from pathlib import Path

from jeto_bench.errors import InputError, UsageError
from jeto_bench.git.clones import run_git
from jeto_bench.github.check import REPOSITORY_NAME
from jeto_mine.repositories.listing import name_of_address

__all__ = ["repository_of_clone"]


def repository_of_clone(clone: Path) -> str:
    """``owner/name`` of a clone: of its folder if that is ``owner__name``, else of its origin.

    Raises:
        UsageError: It is no clone, or neither tells.
    """
    if not (clone / ".git").exists() and not (clone / "objects").is_dir():
        raise UsageError(f"{clone} is no clone", advice="A folder with .git, or a bare repository.")
    # A link's own name comes first; "." and what ends in ".." have none before they are resolved.
    for place in (clone.absolute(), clone.resolve()):
        owner, found, name = place.name.removesuffix(".git").partition("__")
        if found and REPOSITORY_NAME.fullmatch(f"{owner}/{name}"):
            return f"{owner}/{name}"
    try:
        url = run_git(clone, ["config", "--get", "remote.origin.url"]).decode("utf-8", "replace")
    except InputError:
        url = ""
    told = name_of_address(url.strip())
    if told is None or not REPOSITORY_NAME.fullmatch(told):
        raise UsageError(
            f"{clone} does not tell which repository it is of",
            advice="Call its folder OWNER__NAME, or set its origin.",
        )
    return told
