"""Where facts of a forge come from: one protocol, whatever is behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from jeto_bench.github.model import Issue, PullRequest, Repository

__all__ = ["GitHubSource"]


class GitHubSource(Protocol):
    """Answers about repositories, pull requests and issues, many at a time.

    What does not exist, or exists no longer, is None or missing from the answer; an answer that
    cannot be had raises a ``JetoError``. The same question asked twice costs one request.
    """

    @property
    def answered(self) -> Sequence[float]:
        """When each answer so far was the forge's, seconds since 1970; an export does not say."""
        ...

    def repository(self, repo: str) -> Repository | None:
        """Facts of a repository; None if it has vanished."""
        ...

    def pulls_of_commits(
        self, repo: str, commits: Sequence[str]
    ) -> Mapping[str, tuple[PullRequest, ...]]:
        """For each commit (40 hex digits) the merged pull requests that it belongs to."""
        ...

    def pulls(self, repo: str, numbers: Sequence[int]) -> Mapping[int, PullRequest]:
        """Pull requests by number; numbers of issues are missing from the answer."""
        ...

    def issues(
        self, repo: str, numbers: Sequence[int], *, comments: bool = False
    ) -> Mapping[int, Issue]:
        """Issues by number, pull requests included and marked as such."""
        ...
