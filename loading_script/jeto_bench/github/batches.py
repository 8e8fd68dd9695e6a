"""Many things of one repository by GraphQL: in batches, each asked for once, its lists complete."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jeto_bench.errors import ForgeError
from jeto_bench.github.api import Api, ServerTroubleError
from jeto_bench.github.check import checked_name
from jeto_bench.github.nodes import thing_of, understood
from jeto_bench.github.queries import BATCH, Connection, Thing, alias, batch_query, page_query
from jeto_bench.json_text import JsonValue, decode_line

__all__ = ["Batches"]

_LOG: Final = logging.getLogger(__name__)
_PARTIAL_ATTEMPTS: Final = 4
"""Times that a part which failed inside an answer is asked for."""
_DEPTH: Final = 2
"""Length of the path of a thing in an answer: repository, alias."""
_MOST_PAGES: Final = 1000
"""Of one list; a server that always has one more would be asked for ever."""


class Batches:
    """Asks for things by the hundred, and keeps each one's answer by itself."""

    def __init__(self, api: Api) -> None:
        """Ask through ``api``."""
        self._api = api

    def nodes(self, thing: Thing, repo: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """What there is of some things, in the order asked for, each with its lists complete."""
        checked_name(repo)
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
            # Inside a thing, what the token may not see is null, and left out.
            if error.get("type") == "NOT_FOUND" or (
                error.get("type") == "FORBIDDEN" and len(path) > _DEPTH
            ):
                continue
            if len(path) < _DEPTH:
                return _whole(wanted, errors)
            failed[str(path[1])] = str(error.get("message", ""))
        again: list[str] = []
        for number, item in enumerate(wanted):
            if alias(number) in failed:
                again.append(item)
                continue
            node = top.get(alias(number))
            if isinstance(node, dict):
                source = f"GitHub: {repo} {item}"
                with understood(source):
                    self._complete(thing, repo, item, node)
                    _keep_own(node, top.get("nameWithOwner"))
                # What is not understood is not kept, so that another day it is asked for again.
                thing_of(thing, node, source=source)
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
            seen: set[str] = set()
            while page["pageInfo"]["hasNextPage"]:
                cursor = page["pageInfo"]["endCursor"]
                if cursor in seen or len(seen) > _MOST_PAGES:
                    raise ForgeError(
                        f"GitHub: {repo} {item}: the pages of {connection.value} have no end",
                        advice="Try later; what was had is kept.",
                    )
                seen.add(cursor)
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
