"""Rules that facts of a forge must follow, beyond the types of their fields. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from jeto_bench.github.model import Issue, IssueRef, PullRequest, Repository

__all__ = ["COMMIT", "REPOSITORY_NAME", "problems"]

REPOSITORY_NAME: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*)/[A-Za-z0-9._-]+")
"""``owner/name``."""

COMMIT: Final = re.compile(r"[0-9a-f]{40}")
"""A commit's id, whole and in lower case."""

_NAME_ADVICE: Final = "owner/name, as GitHub spells it."
_TIME_ADVICE: Final = "ISO 8601 with its offset, such as 2024-05-01T12:00:00Z."
_COMMIT_ADVICE: Final = "40 hex digits, in lower case."


def problems(value: Repository | PullRequest | Issue) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong as (message, field, advice)."""
    if isinstance(value, Repository):
        yield from _name(value.full_name, "full_name")
        yield from _time(value.pushed_at, "pushed_at")
        return
    yield from _ref(value.ref, "ref")
    yield from _time(value.created_at, "created_at")
    if isinstance(value, Issue):
        for number, comment in enumerate(value.comments):
            if len(comment) != 2:  # noqa: PLR2004  # (time, text)
                yield (
                    f"expected a time and a text, found {len(comment)} values",
                    f"comments[{number}]",
                    'For example: ["2024-05-01T12:00:00Z", "It is slow."]',
                )
            else:
                yield from _time(comment[0], f"comments[{number}][0]")
        return
    if value.merged_at:
        yield from _time(value.merged_at, "merged_at")
    for field in ("base_commit", "head_commit", "merge_commit"):
        if getattr(value, field) or (field == "merge_commit" and value.merged_at):
            yield from _commit(getattr(value, field), field)
    for number, commit in enumerate(value.commits):
        yield from _commit(commit, f"commits[{number}]")
    for number, ref in enumerate(value.closing):
        yield from _ref(ref, f"closing[{number}]")


def _ref(ref: IssueRef, field: str) -> Iterator[tuple[str, str, str]]:
    yield from _name(ref.repo, f"{field}.repo")
    if ref.number < 1:
        yield f"{ref.number} is no number of an issue", f"{field}.number", "Numbers begin at 1."


def _name(text: str, field: str) -> Iterator[tuple[str, str, str]]:
    if not REPOSITORY_NAME.fullmatch(text):
        yield f"{text!r} is no name of a repository", field, _NAME_ADVICE


def _commit(text: str, field: str) -> Iterator[tuple[str, str, str]]:
    if not COMMIT.fullmatch(text):
        yield f"{text!r} is no commit", field, _COMMIT_ADVICE


def _time(text: str, field: str) -> Iterator[tuple[str, str, str]]:
    try:
        aware = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        aware = False
    if not aware:
        yield f"{text!r} is no time", field, _TIME_ADVICE
