"""GitHub's API as a ``GitHubSource``: many things per question, each asked for once.

Pull requests and issues come by GraphQL, 100 per query; repositories by REST, whose answers have
ETags. Each thing's answer is kept in the cache by itself, so that another grouping of the same
questions costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jeto_bench.errors import UsageError
from jeto_bench.github.api import Api
from jeto_bench.github.batches import Batches
from jeto_bench.github.check import COMMIT, checked_name
from jeto_bench.github.model import Issue, PullRequest, Repository
from jeto_bench.github.nodes import issue_of, pull_of, pulls_of, repository_of
from jeto_bench.github.queries import Thing
from jeto_bench.json_text import JsonValue

__all__ = ["GitHubClient"]


class GitHubClient:
    """Answers of GitHub's API; a ``GitHubSource``."""

    def __init__(self, api: Api) -> None:
        """Ask through ``api``."""
        self._api = api
        self._batches = Batches(api)

    @property
    def api(self) -> Api:
        """What carries the questions, and counts them."""
        return self._api

    @property
    def answered(self) -> Sequence[float]:
        """When each answer so far was GitHub's, seconds since 1970."""
        return self._api.answered

    def repository(self, repo: str) -> Repository | None:
        """Facts of a repository; None if it has vanished. One that was moved tells its new name."""

        def read(value: JsonValue) -> Repository:
            return repository_of(value, source=f"GitHub: {repo}")

        value = self._api.get(f"/repos/{checked_name(repo)}", check=read)
        return None if value is None else read(value)

    def pulls_of_commits(
        self, repo: str, commits: Sequence[str]
    ) -> Mapping[str, tuple[PullRequest, ...]]:
        """For each commit that belongs to some, the merged pull requests, by number."""
        wrong = [commit for commit in commits if not COMMIT.fullmatch(commit)]
        if wrong:
            raise UsageError(f"{wrong[0]!r} is no commit", advice="40 hex digits, in lower case.")
        found: dict[str, tuple[PullRequest, ...]] = {}
        for commit, node in self._batches.nodes(Thing.COMMIT, repo, commits).items():
            pulls = pulls_of(node, source=f"GitHub: {repo} {commit}")
            merged = sorted((pull for pull in pulls if pull.merged_at), key=lambda pull: pull.ref)
            if merged:
                found[commit] = tuple(merged)
        return found

    def pulls(self, repo: str, numbers: Sequence[int]) -> Mapping[int, PullRequest]:
        """Pull requests by number; numbers of issues are missing from the answer."""
        nodes = self._batches.nodes(Thing.PULL, repo, [str(number) for number in numbers])
        return {
            int(number): pull_of(node, source=f"GitHub: {repo}#{number}")
            for number, node in nodes.items()
        }

    def issues(
        self, repo: str, numbers: Sequence[int], *, comments: bool = False
    ) -> Mapping[int, Issue]:
        """Issues by number, pull requests included and marked as such."""
        thing = Thing.DISCUSSION if comments else Thing.ISSUE
        nodes = self._batches.nodes(thing, repo, [str(number) for number in numbers])
        return {
            int(number): issue_of(node, source=f"GitHub: {repo}#{number}")
            for number, node in nodes.items()
        }
