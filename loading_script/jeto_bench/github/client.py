"""GitHub's API as a ``GitHubSource``: many things per question, each asked for once.

Pull requests and issues come by GraphQL, 100 per query; repositories by REST, whose answers have
ETags. Each thing's answer is kept in the cache by itself, so that another grouping of the same
questions costs nothing.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jeto_bench.errors import ForgeError, UsageError
from jeto_bench.github.api import Api, ServerTroubleError
from jeto_bench.github.check import COMMIT, REPOSITORY_NAME
from jeto_bench.github.model import Issue, PullRequest, Repository
from jeto_bench.github.nodes import issue_of, pull_of, repository_of
from jeto_bench.github.queries import BATCH, Connection, Thing, alias, batch_query, page_query
from jeto_bench.json_text import JsonValue, decode_line

__all__ = ["GitHubClient"]

_LOG: Final = logging.getLogger(__name__)
_PARTIAL_ATTEMPTS: Final = 4
"""Times that a part which failed inside an answer is asked for."""
_UNSEEN: Final = frozenset({"NOT_FOUND", "FORBIDDEN"})


class GitHubClient:
    """Answers of GitHub's API; a ``GitHubSource``."""

    def __init__(self, api: Api) -> None:
        """Ask through ``api``."""
        self._api = api

    @property
    def api(self) -> Api:
        """What carries the questions, and counts them."""
        return self._api

    def repository(self, repo: str) -> Repository | None:
        """Facts of a repository; None if it has vanished. One that was moved tells its new name."""
        value = self._api.get(f"/repos/{_checked(repo)}")
        return None if value is None else repository_of(value, source=f"GitHub: {repo}")

    def pulls_of_commits(
        self, repo: str, commits: Sequence[str]
    ) -> Mapping[str, tuple[PullRequest, ...]]:
        """For each commit that belongs to some, the merged pull requests, by number."""
        wrong = [commit for commit in commits if not COMMIT.fullmatch(commit)]
        if wrong:
            raise UsageError(f"{wrong[0]!r} is no commit", advice="40 hex digits, in lower case.")
        found: dict[str, tuple[PullRequest, ...]] = {}
        for commit, node in self._nodes(Thing.COMMIT, repo, commits).items():
            source = f"GitHub: {repo} {commit}"
            nodes = node.get(Connection.ASSOCIATED, {"nodes": []})["nodes"]
            pulls = (pull_of(item, source=source) for item in nodes)
            merged = sorted((pull for pull in pulls if pull.merged_at), key=lambda pull: pull.ref)
            if merged:
                found[commit] = tuple(merged)
        return found

    def pulls(self, repo: str, numbers: Sequence[int]) -> Mapping[int, PullRequest]:
        """Pull requests by number; numbers of issues are missing from the answer."""
        nodes = self._nodes(Thing.PULL, repo, [str(number) for number in numbers])
        return {
            int(number): pull_of(node, source=f"GitHub: {repo}#{number}")
            for number, node in nodes.items()
        }

    def issues(
        self, repo: str, numbers: Sequence[int], *, comments: bool = False
    ) -> Mapping[int, Issue]:
        """Issues by number, pull requests included and marked as such."""
        thing = Thing.DISCUSSION if comments else Thing.ISSUE
        nodes = self._nodes(thing, repo, [str(number) for number in numbers])
        return {
            int(number): issue_of(node, source=f"GitHub: {repo}#{number}")
            for number, node in nodes.items()
        }

    def files_at_head(self, repo: str, paths: Sequence[str]) -> frozenset[str]:
        """Those of some paths that the default branch has; all are missing from a vanished one."""
        odd = [path for path in paths if not path.isascii() or {'"', "\\"} & set(path)]
        if odd:
            raise UsageError(f"{odd[0]!r} cannot be asked for", advice="Plain ASCII paths only.")
        return frozenset(self._nodes(Thing.WRAPPER, repo, paths))

    def _nodes(self, thing: Thing, repo: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """What there is of some things, in the order asked for, each with its lists complete."""
        _checked(repo)
        known: dict[str, JsonValue] = {}
        missing: list[str] = []
        for item in dict.fromkeys(ids):
            kept = self._api.remember(_question(thing, repo, item))
            if kept is None:
                missing.append(item)
            else:
                known[item] = decode_line(kept, source=_question(thing, repo, item), line=1)
        for start in range(0, len(missing), BATCH):
            known |= self._ask(thing, repo, missing[start : start + BATCH])
        asked = ((item, known[item]) for item in dict.fromkeys(ids))
        return {item: node for item, node in asked if isinstance(node, dict)}

    def _ask(self, thing: Thing, repo: str, ids: Sequence[str]) -> dict[str, JsonValue]:
        """Ask for some things and keep what came; what the answer lacks is asked for again."""
        found: dict[str, JsonValue] = {}
        wanted = list(ids)
        told = ""
        for _ in range(_PARTIAL_ATTEMPTS):
            try:
                value = self._api.graphql(batch_query(thing, repo, wanted))
            except ServerTroubleError:
                if len(wanted) == 1:
                    raise
                _LOG.warning("GitHub: %s: halving a query of %d things", repo, len(wanted))
                half = len(wanted) // 2
                return (
                    found
                    | self._ask(thing, repo, wanted[:half])
                    | self._ask(thing, repo, wanted[half:])
                )
            failed, told = self._take(thing, repo, wanted, value, found)
            if not failed:
                return found
            wanted = failed
        raise ForgeError(
            f"GitHub: {repo}: {thing.value} {', '.join(wanted[:5])}: {told}",
            advice=f"Asked {_PARTIAL_ATTEMPTS} times; what else was had is kept. Try later.",
        )

    def _take(
        self,
        thing: Thing,
        repo: str,
        wanted: Sequence[str],
        value: dict[str, JsonValue],
        found: dict[str, JsonValue],
    ) -> tuple[list[str], str]:
        """Add what an answer has to ``found``; return what failed inside it, and how."""
        errors = [item for item in _list(value.get("errors")) if isinstance(item, dict)]
        data = value.get("data")
        top = data.get("repository") if isinstance(data, dict) else None
        if not isinstance(top, dict):
            gone = [e for e in errors if e.get("type") == "NOT_FOUND"]
            if not gone:
                return _whole(wanted, errors)
            top = {}
        failed: dict[str, str] = {}
        for error in errors:
            path = _list(error.get("path"))
            if error.get("type") in _UNSEEN:
                continue
            if len(path) < 2:  # noqa: PLR2004  # repository, alias, ...
                return _whole(wanted, errors)
            failed[str(path[1])] = str(error.get("message", ""))
        again: list[str] = []
        for number, item in enumerate(wanted):
            if alias(number) in failed:
                again.append(item)
                continue
            node = top.get(alias(number))
            if isinstance(node, dict):
                self._complete(thing, repo, item, node)
                _keep_own(node, top.get("nameWithOwner"))
            found[item] = node or None
            body = json.dumps(found[item], ensure_ascii=True).encode()
            self._api.keep(_question(thing, repo, item), body)
        return again, next(iter(failed.values()), "")

    def _complete(self, thing: Thing, repo: str, item: str, node: dict[str, Any]) -> None:
        """Fetch the further pages of every list of a thing, pull requests of a commit included."""
        for connection in Connection:
            page = node.get(connection)
            if not isinstance(page, dict):
                continue
            while page["pageInfo"]["hasNextPage"]:
                cursor = page["pageInfo"]["endCursor"]
                value = self._api.graphql(page_query(thing, repo, item, connection, cursor))
                more = _page(value, connection, f"{repo} {item}")
                page["nodes"] += more["nodes"]
                page["pageInfo"] = more["pageInfo"]
            if connection is Connection.ASSOCIATED:
                for pull in page["nodes"]:
                    if pull is not None:
                        home = pull["repository"]["nameWithOwner"]
                        self._complete(Thing.PULL, home, str(pull["number"]), pull)


def _keep_own(node: dict[str, Any], home: object) -> None:
    """Leave out pull requests of other repositories: a fork's may have the same commit."""
    page = node.get(Connection.ASSOCIATED)
    if isinstance(page, dict):
        page["nodes"] = [
            pull for pull in page["nodes"] if pull and pull["repository"]["nameWithOwner"] == home
        ]


def _checked(repo: str) -> str:
    if not REPOSITORY_NAME.fullmatch(repo):
        raise UsageError(f"{repo!r} is no name of a repository", advice="owner/name")
    return repo


def _question(thing: Thing, repo: str, item: str) -> str:
    return f"graphql {thing.value} {repo} {item}"


def _list(value: JsonValue) -> list[Any]:
    return value if isinstance(value, list) else []


def _whole(wanted: Sequence[str], errors: Sequence[Mapping[str, Any]]) -> tuple[list[str], str]:
    """All of an answer failed: worth another attempt if the server says that it is its fault."""
    told = "; ".join(str(error.get("message", "")) for error in errors) or "an empty answer"
    if not errors or "something went wrong" in told.casefold():
        return list(wanted), told
    raise ForgeError(f"GitHub refuses a query: {told}")


def _page(value: dict[str, JsonValue], connection: Connection, what: str) -> dict[str, Any]:
    data: Any = value.get("data")
    try:
        page: dict[str, Any] = data["repository"][alias(0)][connection.value]
        _ = page["nodes"], page["pageInfo"]["hasNextPage"]
    except (KeyError, TypeError) as error:
        raise ForgeError(
            f"GitHub: {what}: no further page of {connection.value}: {value.get('errors')}",
            advice="Try later; what was had is kept.",
        ) from error
    return page
