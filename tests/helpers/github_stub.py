"""A GitHub that tests talk to: by ``httpx.MockTransport`` or through a real socket."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from jeto_bench.github.api import Api
from jeto_bench.github.cache import Cache
from jeto_bench.github.retrying import Clock
from jeto_bench.github.token import Token

SECRET = "ghs_dontTellAnybody0123456789"  # noqa: S105  # no token, but it must not show either
HOME = "Acme/lib"
CAP = 1000
SHORT = 599
"""A status of the stub's own: send half of what the length promises, then hang up."""

Reply = tuple[int, dict[str, str], bytes]

_THING = re.compile(
    r'(t\d+):(?:object\(oid:"(?P<commit>\w+)"\)|pullRequest\(number:(?P<pull>\d+)\)'
    r"|issueOrPullRequest\(number:(?P<issue>\d+)\))"
)
_HEADS = re.compile(r'(r\d+):repository\(owner:"([^"]+)",name:"([^"]+)"\)\{((?:t\d+:[^}]+\} ?)+)\}')


@dataclass(kw_only=True)
class FakeClock:
    """Sleeps by moving on."""

    at: float = 1_700_000_000.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds

    def clock(self, draw: float = 0.0) -> Clock:
        return Clock(now=lambda: self.at, sleep=self.sleep, draw=lambda: draw)


@dataclass(kw_only=True)
class Stub:
    """What the forge knows, what it answers next whatever is asked, and what it was asked."""

    repositories: dict[str, dict[str, Any]] = field(default_factory=dict)
    pulls: dict[int, dict[str, Any]] = field(default_factory=dict)
    issues: dict[int, dict[str, Any]] = field(default_factory=dict)
    commits: dict[str, list[int]] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    next: deque[Reply] = field(default_factory=deque)
    partial: dict[str, dict[str, Any]] = field(default_factory=dict)
    largest: int = 1000
    asked: list[str] = field(default_factory=list)
    things: Counter[str] = field(default_factory=Counter)
    tokens: set[str] = field(default_factory=set)

    def reply(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Reply:
        self.asked.append(f"{method} {url}")
        self.tokens.add(headers.get("authorization", ""))
        if self.next:
            return self.next.popleft()
        parsed = httpx.URL(url)
        if parsed.path.endswith("/graphql"):
            return 200, {}, json.dumps(self._graphql(json.loads(body)["query"])).encode()
        if parsed.path.endswith("/search/repositories"):
            value: Any = self._search(parsed.params)
        else:
            value = self.repositories.get(parsed.path.removeprefix("/repos/").casefold())
        if value is None:
            return 404, {}, b'{"message":"Not Found"}'
        data = json.dumps(value).encode()
        etag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        if headers.get("if-none-match") == etag:
            return 304, {"etag": etag}, b""
        return 200, {"etag": etag}, data

    def transport(self) -> httpx.MockTransport:
        def handle(request: httpx.Request) -> httpx.Response:
            status, headers, body = self.reply(
                request.method, str(request.url), request.headers, request.content
            )
            return httpx.Response(status, headers=headers, content=body)

        return httpx.MockTransport(handle)

    def _heads(self, query: str) -> dict[str, Any]:
        data: dict[str, Any] = {}
        errors: list[dict[str, Any]] = []
        for name, owner, repo, files in _HEADS.findall(query):
            full = f"{owner}/{repo}"
            self.things[f"files {full}"] += 1
            if full in self.partial:
                data[name] = None
                errors.append({"path": [name], **self.partial.pop(full)})
            elif full.casefold() not in self.repositories:
                data[name] = None
                errors.append({"type": "NOT_FOUND", "path": [name], "message": "none"})
            else:
                asked = re.findall(r'(t\d+):object\(expression:"HEAD:([^"]+)"\)', files)
                data[name] = {
                    key: {"__typename": "Blob"} if f"{full}:{path}" in self.files else None
                    for key, path in asked
                }
        return {"data": data, **({"errors": errors} if errors else {})}

    def _graphql(self, query: str) -> dict[str, Any]:
        if query.startswith("query{r0:"):
            return self._heads(query)
        owner, name = re.findall(r'repository\(owner:"([^"]+)",name:"([^"]+)"\)', query)[0]
        if f"{owner}/{name}".casefold() != HOME.casefold():
            error = {"type": "NOT_FOUND", "path": ["repository"], "message": "no such repository"}
            return {"data": {"repository": None}, "errors": [error]}
        top: dict[str, Any] = {"nameWithOwner": HOME}
        errors: list[dict[str, Any]] = []
        found = list(_THING.finditer(query))
        if len(found) > self.largest:
            return {"data": None, "errors": [{"message": "Something went wrong: timeout"}]}
        after = re.search(r'after:"(\d+)"', query)
        for match in found:
            kind, text = next((k, v) for k, v in match.groupdict().items() if v is not None)
            self.things[f"{kind} {text}"] += 1
            if text in self.partial:
                top[match[1]] = None
                errors.append({"path": ["repository", match[1]], **self.partial.pop(text)})
                continue
            thing = self._thing(kind, text, int(after[1]) if after else 0)
            if thing is not None and " comments(" not in query and not after:
                thing.pop("comments", None)
            top[match[1]] = thing
            if top[match[1]] is None and kind in {"pull", "issue"}:
                path = ["repository", match[1]]
                errors.append({"type": "NOT_FOUND", "path": path, "message": "none"})
        return {"data": {"repository": top}, **({"errors": errors} if errors else {})}

    def _thing(self, kind: str, text: str, after: int) -> dict[str, Any] | None:
        if kind == "commit":
            if text not in self.commits:
                return None
            nodes = [_paged(self.pulls[number], 0) for number in self.commits[text]]
            return {"oid": text, "associatedPullRequests": page(nodes, after, 10)}
        known = self.pulls if kind == "pull" else self.issues
        value = known.get(int(text))
        return None if value is None else _paged(value, after)

    def _search(self, parameters: httpx.QueryParams) -> dict[str, Any]:
        match = re.search(r"created:(\S+)\.\.(\S+)", parameters["q"])
        assert match is not None
        start, end = (datetime.fromisoformat(text) for text in match.groups())
        hits = [
            item
            for item in self.repositories.values()
            if start <= datetime.fromisoformat(item["created_at"]) <= end
        ]
        number, size = int(parameters["page"]), int(parameters["per_page"])
        first = (number - 1) * size
        assert first < CAP, "GitHub answers 422 beyond its cap"
        return {
            "total_count": len(hits),
            "incomplete_results": False,
            "items": hits[:CAP][first : first + size],
        }


def page(nodes: list[Any], after: int, size: int) -> dict[str, Any]:
    end = after + size
    info = {"hasNextPage": end < len(nodes), "endCursor": str(end)}
    return {"pageInfo": info, "nodes": nodes[after:end]}


def _paged(value: dict[str, Any], after: int) -> dict[str, Any]:
    """Give lists as GitHub does: a page with its cursor."""
    return {
        key: page(inner, after, 100) if isinstance(inner, list) else inner
        for key, inner in value.items()
    }


def repository(name: str, number: int = 7, created: str = "2020-01-01T00:00:00Z") -> dict[str, Any]:
    return {
        "full_name": name,
        "id": number,
        "stargazers_count": 21,
        "archived": False,
        "fork": False,
        "license": {"spdx_id": "MIT"},
        "language": "Java",
        "default_branch": "main",
        "pushed_at": "2024-05-01T12:00:00Z",
        "created_at": created,
    }


def pull(number: int, *, commits: int = 1, merged: bool = True, home: str = HOME) -> dict[str, Any]:
    return {
        "number": number,
        "repository": {"nameWithOwner": home},
        "title": f"Change {number}",
        "body": None,
        "createdAt": "2024-04-01T12:00:00Z",
        "mergedAt": "2024-04-02T12:00:00Z" if merged else None,
        "baseRefName": "main",
        "baseRefOid": "1" * 40,
        "headRefOid": "2" * 40,
        "mergeCommit": {"oid": "3" * 40} if merged else None,
        "commits": [{"commit": {"oid": f"{n:040x}"}} for n in range(commits)],
        "closingIssuesReferences": [{"number": 2, "repository": {"nameWithOwner": home}}],
    }


def issue(number: int, *, comments: int = 0, kind: str = "Issue") -> dict[str, Any]:
    return {
        "__typename": kind,
        "number": number,
        "repository": {"nameWithOwner": HOME},
        "title": f"Slow {number}",
        "body": "It takes minutes.",
        "createdAt": "2024-03-01T12:00:00Z",
        "labels": [{"name": "performance"}],
        "comments": [
            {"createdAt": "2024-03-02T12:00:00Z", "body": str(n)} for n in range(comments)
        ],
    }


def api(stub: Stub, cache: Any, clock: FakeClock | None = None, **options: Any) -> Api:
    return Api(
        cache=Cache(cache),
        token=Token(SECRET),
        clock=(clock or FakeClock()).clock(),
        transport=stub.transport(),
        **options,
    )


@contextmanager
def served(stub: Stub) -> Iterator[str]:
    """Let a stub answer at a real address, which is given."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            url = f"http://{self.headers['host']}{self.path}"
            with lock:
                status, extra, data = stub.reply(self.command, url, headers, body)
            self.send_response(200 if status == SHORT else status)
            for name, value in extra.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if status == SHORT else data)
            if status == SHORT:
                self.close_connection = True

        do_GET = _answer  # noqa: N815  # the name that http.server looks for
        do_POST = _answer  # noqa: N815

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
