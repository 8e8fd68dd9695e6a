"""Rules that facts of a forge must follow, beyond the types of their fields. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from jeto_bench.errors import UsageError
from jeto_bench.github.exported import CommitPulls, Exported, Moved
from jeto_bench.github.model import Issue, IssueRef, PullRequest, Repository

__all__ = ["COMMIT", "REPOSITORY_NAME", "checked_name", "problems"]

REPOSITORY_NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*)/(?!\.{1,2}$)[A-Za-z0-9._-]+")
"""``owner/name``."""

COMMIT: Final = re.compile(r"[0-9a-f]{40}")
"""A commit's id, whole and in lower case."""

Problem = tuple[str, str, str]

_NAME_ADVICE: Final = "owner/name, as GitHub spells it."
_TIME_ADVICE: Final = "ISO 8601 with its offset, such as 2024-05-01T12:00:00Z."
_COMMIT_ADVICE: Final = "40 hex digits, in lower case."


def checked_name(repo: str) -> str:
    """Return a repository's name if it is one.

    Raises:
        UsageError: It is none.
    """
    if not REPOSITORY_NAME.fullmatch(repo):
        raise UsageError(f"{repo!r} is no name of a repository", advice="owner/name")
    return repo


def problems(value: Exported) -> Iterator[Problem]:
    """Yield what is wrong as (message, field, advice)."""
    if isinstance(value, Repository):
        yield from _name(value.full_name, "full_name")
        yield from _time(value.pushed_at, "pushed_at")
    elif isinstance(value, Moved):
        yield from _name(value.asked, "asked")
        yield from _name(value.full_name, "full_name")
    elif isinstance(value, CommitPulls):
        yield from _name(value.repo, "repo")
        yield from _commit(value.commit, "commit")
    else:
        yield from _ref(value.ref, "ref")
        yield from _time(value.created_at, "created_at")
        yield from _comments(value) if isinstance(value, Issue) else _pull(value)


def _comments(issue: Issue) -> Iterator[Problem]:
    # Their type says that they are pairs; ``convert`` reads lists of any length.
    for number, comment in enumerate(issue.comments):
        parts: tuple[str, ...] = comment
        if len(parts) != 2:  # noqa: PLR2004  # (time, text)
            yield (
                f"expected a time and a text, found {len(parts)} values",
                f"comments[{number}]",
                'For example: ["2024-05-01T12:00:00Z", "It is slow."]',
            )
        else:
            yield from _time(parts[0], f"comments[{number}][0]")


def _pull(pull: PullRequest) -> Iterator[Problem]:
    if pull.merged_at:
        yield from _time(pull.merged_at, "merged_at")
    if pull.merge_commit:  # of some old ones GitHub does not know it
        yield from _commit(pull.merge_commit, "merge_commit")
    for field in ("base_commit", "head_commit"):
        yield from _commit(getattr(pull, field), field)
    for number, commit in enumerate(pull.commits):
        yield from _commit(commit, f"commits[{number}]")
    for number, ref in enumerate(pull.closing):
        yield from _ref(ref, f"closing[{number}]")


def _ref(ref: IssueRef, field: str) -> Iterator[Problem]:
    yield from _name(ref.repo, f"{field}.repo")
    if ref.number < 1:
        yield f"{ref.number} is no number of an issue", f"{field}.number", "Numbers begin at 1."


def _name(text: str, field: str) -> Iterator[Problem]:
    if not REPOSITORY_NAME.fullmatch(text):
        yield f"{text!r} is no name of a repository", field, _NAME_ADVICE


def _commit(text: str, field: str) -> Iterator[Problem]:
    if not COMMIT.fullmatch(text):
        yield f"{text!r} is no commit", field, _COMMIT_ADVICE


def _time(text: str, field: str) -> Iterator[Problem]:
    try:
        aware = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        aware = False
    if not aware:
        yield f"{text!r} is no time", field, _TIME_ADVICE
