"""How an ETIP is called: ``owner__name-NUMBER``. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["SHORT_SHA", "EtipName", "instance_id", "short_sha_id", "unique_ids"]

SHORT_SHA = 7
"""Hex digits of a short SHA, as git shows it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EtipName:
    """What an id is made of.

    Attributes:
        repo: ``owner/name``.
        fix_commit: 40 hex digits; the last commit of the fix.
        pull_number: Pull request, if any.
        issue_number: Issue, if any.
    """

    repo: str
    fix_commit: str
    pull_number: int | None
    issue_number: int | None


def instance_id(name: EtipName) -> str:
    """Return the id by the pull request, else the issue, else the short SHA of the fix."""
    number = name.pull_number if name.pull_number is not None else name.issue_number
    if number is None:
        return short_sha_id(name.repo, name.fix_commit)
    return f"{name.repo.replace('/', '__')}-{number}"


def short_sha_id(repo: str, fix_commit: str, *, digits: int = SHORT_SHA) -> str:
    """Return the id by the short SHA of the fix."""
    return f"{repo.replace('/', '__')}-{fix_commit[:digits]}"


def unique_ids(names: Sequence[EtipName]) -> tuple[str, ...]:
    """Return an id for each ETIP, no two alike, whatever their order.

    Where several ETIPs would be called the same (one issue, several fixes), each of them is called
    by its short SHA, which is as long as it takes to tell them apart.

    Raises:
        ValueError: One ETIP is there twice.
    """
    if len({(name.repo, name.fix_commit) for name in names}) != len(names):
        raise ValueError("one fix commit is there twice")
    ids = [instance_id(name) for name in names]
    digits = SHORT_SHA
    while len(set(ids)) != len(ids):
        counts = Counter(ids)
        ids = [
            short_sha_id(name.repo, name.fix_commit, digits=digits) if counts[known] > 1 else known
            for name, known in zip(names, ids, strict=True)
        ]
        digits += 1
    return tuple(ids)
