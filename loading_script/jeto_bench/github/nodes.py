"""Answers of GitHub's API as repositories, pull requests and issues. Pure.

What an answer lacks, or has of the wrong type, is an error that names the place, not a default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from jeto_bench.convert import Where, convert
from jeto_bench.errors import DecodeError, ForgeError
from jeto_bench.github.check import problems
from jeto_bench.github.model import Issue, PullRequest, Repository
from jeto_bench.github.queries import Connection, Thing
from jeto_bench.json_text import JsonValue

__all__ = ["issue_of", "pull_of", "pulls_of", "repository_of", "thing_of", "understood"]

Node = dict[str, Any]

T = TypeVar("T", Repository, PullRequest, Issue)


def thing_of(thing: Thing, value: JsonValue, *, source: str) -> object:
    """What a question for one thing was answered, whatever it is; to know that it is one."""
    if thing is Thing.COMMIT:
        return pulls_of(value, source=source)
    return (pull_of if thing is Thing.PULL else issue_of)(value, source=source)


def pulls_of(value: JsonValue, *, source: str) -> tuple[PullRequest, ...]:
    """The pull requests that a commit belongs to, as GraphQL tells them."""
    with understood(source):
        node: Any = value
        nodes = list(node.get(Connection.ASSOCIATED, {"nodes": []})["nodes"])
    return tuple(pull_of(item, source=source) for item in nodes)


def repository_of(value: JsonValue, *, source: str) -> Repository:
    """A repository as REST tells it."""
    return _made(
        Repository,
        lambda node: {
            "full_name": node["full_name"],
            "database_id": node["id"],
            "stars": node["stargazers_count"],
            "archived": node["archived"],
            "fork": node["fork"],
            # GitHub writes NOASSERTION for a licence that it does not know.
            "license": _license((node["license"] or {}).get("spdx_id")),
            "language": node["language"] or "",
            "default_branch": node["default_branch"],
            # Empty repositories were never pushed to.
            "pushed_at": node["pushed_at"] or node["created_at"],
        },
        value,
        source,
    )


def pull_of(value: JsonValue, *, source: str) -> PullRequest:
    """A pull request as GraphQL tells it, its lists complete."""
    return _made(
        PullRequest,
        lambda node: {
            "ref": _ref(node),
            "title": node["title"],
            "body": node["body"] or "",
            "created_at": node["createdAt"],
            "merged_at": node["mergedAt"] or "",
            "base_branch": node["baseRefName"],
            "base_commit": node["baseRefOid"],
            "head_commit": node["headRefOid"],
            "merge_commit": (node["mergeCommit"] or {}).get("oid", ""),
            "commits": [item["commit"]["oid"] for item in _listed(node["commits"])],
            "closing": [_ref(item) for item in _listed(node["closingIssuesReferences"])],
        },
        value,
        source,
    )


def issue_of(value: JsonValue, *, source: str) -> Issue:
    """An issue, or a pull request as one, as GraphQL tells it, its lists complete."""
    return _made(
        Issue,
        lambda node: {
            "ref": _ref(node),
            "title": node["title"],
            "body": node["body"] or "",
            "created_at": node["createdAt"],
            "labels": [item["name"] for item in _listed(node["labels"])],
            "is_pull_request": node["__typename"] == "PullRequest",
            "comments": [
                [item["createdAt"], item["body"]]
                for item in _listed(node.get("comments") or {"nodes": []})
            ],
        },
        value,
        source,
    )


@contextmanager
def understood(source: str) -> Iterator[None]:
    """Read an answer; whatever of it is lacking or of the wrong type is told with its source.

    Raises:
        ForgeError: Something is.
    """
    try:
        yield
    except (KeyError, TypeError, AttributeError, DecodeError) as error:
        raise ForgeError(
            f"{source}: an answer that is not understood: {type(error).__name__}: {error}",
            advice="Is the base URL that of GitHub's API? If so, please report it.",
        ) from error


def _made(kind: type[T], fields: Callable[[Any], Node], value: JsonValue, source: str) -> T:
    with understood(source):
        made: T = convert(fields(value), kind, Where(source=source, line=None), "")
        for message, field, advice in problems(made):
            raise DecodeError(message, source=source, line=None, field=field, advice=advice)
    return made


def _ref(node: Node) -> dict[str, object]:
    return {"repo": node["repository"]["nameWithOwner"], "number": node["number"]}


def _listed(connection: Node) -> Iterable[Node]:
    # A node that the token may not see is null.
    return (item for item in connection["nodes"] if item is not None)


def _license(spdx: str | None) -> str:
    return "" if spdx in {None, "NOASSERTION"} else str(spdx)
