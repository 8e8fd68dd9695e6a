"""What the lines of an export tell, beside ``model.py``. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from jeto_bench.github.model import Issue, PullRequest, Repository

__all__ = ["CommitPulls", "Exported", "Key", "Moved", "export_key"]

Key = tuple[str, int, str]
"""Repository in lower case, number, commit; 0 and empty where there is none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CommitPulls:
    """What the forge said of one commit.

    Attributes:
        repo: ``owner/name``.
        commit: 40 hex digits.
        pulls: Numbers of the merged pull requests that it belongs to.
    """

    repo: str
    commit: str
    pulls: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """A repository that was asked for by another name than its own.

    Attributes:
        asked: The name asked for.
        full_name: Its name today.
    """

    asked: str
    full_name: str


Exported = Repository | PullRequest | Issue | CommitPulls | Moved


def export_key(item: Exported) -> Key:
    """What no two lines of one file of an export may share."""
    if isinstance(item, Repository):
        return (item.full_name.casefold(), 0, "")
    if isinstance(item, Moved):
        return (item.asked.casefold(), 0, "")
    if isinstance(item, CommitPulls):
        return (item.repo.casefold(), 0, item.commit)
    return (item.ref.repo.casefold(), item.ref.number, "")
