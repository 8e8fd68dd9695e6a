"""Texts of GraphQL queries: many things of one repository in one question. Pure.

Names and numbers are put into the text; whoever calls has checked them (``check.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

__all__ = ["BATCH", "Connection", "Thing", "alias", "batch_query", "files_query", "page_query"]

BATCH: Final = 100
"""Things per query. Larger ones time out; one that does is halved by whoever asks."""


class Thing(StrEnum):
    """What is asked for."""

    COMMIT = "commit"
    PULL = "pull"
    ISSUE = "issue"
    DISCUSSION = "discussion"
    """An issue with its comments."""


class Connection(StrEnum):
    """Lists that come in pages."""

    ASSOCIATED = "associatedPullRequests"
    COMMITS = "commits"
    CLOSING = "closingIssuesReferences"
    LABELS = "labels"
    COMMENTS = "comments"


_PAGE: Final = "pageInfo{hasNextPage endCursor}"
_PULL: Final = (
    "number repository{nameWithOwner} title body createdAt mergedAt baseRefName baseRefOid "
    f"headRefOid mergeCommit{{oid}} commits(first:100){{{_PAGE} nodes{{commit{{oid}}}}}} "
    f"closingIssuesReferences(first:20){{{_PAGE} nodes{{number repository{{nameWithOwner}}}}}}"
)
_ISSUE: Final = (
    "__typename number repository{nameWithOwner} title body createdAt "
    f"labels(first:50){{{_PAGE} nodes{{name}}}}"
)
_COMMENTS: Final = f"comments(first:50){{{_PAGE} nodes{{createdAt body}}}}"
_NODES: Final = {
    Connection.ASSOCIATED: _PULL,
    Connection.COMMITS: "commit{oid}",
    Connection.CLOSING: "number repository{nameWithOwner}",
    Connection.LABELS: "name",
    Connection.COMMENTS: "createdAt body",
}


def alias(index: int) -> str:
    """Name in the answer of the thing at a place of the question."""
    return f"t{index}"


def batch_query(thing: Thing, repo: str, ids: Sequence[str]) -> str:
    """The query for several things of one kind, of one repository."""
    fields = " ".join(f"{alias(n)}:{_field(thing, item)}" for n, item in enumerate(ids))
    return f"query{{{_repository(repo)}{{nameWithOwner {fields}}}}}"


def files_query(repos: Sequence[str], paths: Sequence[str]) -> str:
    """The query for which of some paths the default branches of several repositories have."""
    files = " ".join(
        f'{alias(n)}:object(expression:"HEAD:{path}"){{__typename}}' for n, path in enumerate(paths)
    )
    fields = " ".join(f"r{n}:{_repository(repo)}{{{files}}}" for n, repo in enumerate(repos))
    return f"query{{{fields}}}"


def page_query(thing: Thing, repo: str, item: str, connection: Connection, cursor: str) -> str:
    """The query for the next page of a list of one thing."""
    holder = _holder(thing, item)
    kinds = {Thing.COMMIT: ("Commit",), Thing.PULL: ("PullRequest",)}
    page = (
        f'{connection.value}(first:100,after:"{cursor}"){{{_PAGE} nodes{{{_NODES[connection]}}}}}'
    )
    if connection is Connection.ASSOCIATED:
        page = page.replace("first:100", "first:10", 1)
    inner = " ".join(
        f"... on {kind}{{{page}}}" for kind in kinds.get(thing, ("Issue", "PullRequest"))
    )
    return f"query{{{_repository(repo)}{{nameWithOwner {alias(0)}:{holder}{{{inner}}}}}}}"


def _repository(repo: str) -> str:
    owner, _, name = repo.partition("/")
    return f'repository(owner:"{owner}",name:"{name}")'


def _holder(thing: Thing, item: str) -> str:
    if thing is Thing.COMMIT:
        return f'object(oid:"{item}")'
    if thing is Thing.PULL:
        return f"pullRequest(number:{item})"
    return f"issueOrPullRequest(number:{item})"


def _field(thing: Thing, item: str) -> str:
    inner = {
        Thing.COMMIT: (
            f"... on Commit{{oid associatedPullRequests(first:10){{{_PAGE} nodes{{{_PULL}}}}}}}"
        ),
        Thing.PULL: _PULL,
        Thing.ISSUE: f"... on Issue{{{_ISSUE}}} ... on PullRequest{{{_ISSUE}}}",
        Thing.DISCUSSION: (
            f"... on Issue{{{_ISSUE} {_COMMENTS}}} ... on PullRequest{{{_ISSUE} {_COMMENTS}}}"
        ),
    }[thing]
    return f"{_holder(thing, item)}{{{inner}}}"
