"""A Hub in memory that speaks the endpoints that publishing uses, on a loopback port.

Written from the requests that huggingface_hub makes; what it does not know it answers with 501, so
that a test cannot pass by a request that nobody looked at.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

TOKEN = "hf_stubStubStub"  # noqa: S105  # of the stub


@dataclass
class StubHub:
    """State of the stub; tests look at it and set traps in it.

    Attributes:
        commits: Files (path to content) by commit, in order.
        tags: Commit by tag.
        exists: Whether the dataset was created.
        busy: Times that a request whose path contains the key is answered 429.
        corrupt: Path whose content is given back wrong.
        requests: Method and path of everything that was asked.
    """

    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    exists: bool = False
    busy: dict[str, int] = field(default_factory=dict)
    corrupt: str = ""
    requests: list[str] = field(default_factory=list)
    objects: dict[str, bytes] = field(default_factory=dict)
    endpoint: str = ""

    @property
    def head(self) -> str:
        return next(reversed(self.commits), "")

    def resolve(self, revision: str) -> str:
        return self.head if revision == "main" else self.tags.get(revision, revision)

    def write(self, files: dict[str, bytes]) -> str:
        commit = hashlib.sha1(repr((len(self.commits), sorted(files))).encode()).hexdigest()  # noqa: S324
        self.commits[commit] = files
        return commit


def git_oid(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()  # noqa: S324  # git's own


def is_lfs(path: str) -> bool:
    return path.endswith(".parquet")


def entry(path: str, data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "file", "path": path, "size": len(data)}
    found["oid"] = git_oid(data)
    if is_lfs(path):
        sha256 = hashlib.sha256(data).hexdigest()
        found["lfs"] = {"oid": sha256, "size": len(data), "pointerSize": 134}
    return found


class Handler(BaseHTTPRequestHandler):
    hub: StubHub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        self.route("GET")

    def do_HEAD(self) -> None:
        self.route("HEAD")

    def do_POST(self) -> None:
        self.route("POST")

    def do_PUT(self) -> None:
        self.route("PUT")

    def route(self, method: str) -> None:
        path = unquote(urlsplit(self.path).path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.hub.requests.append(f"{method} {path}")
        for part, left in self.hub.busy.items():
            if part in path and left:
                self.hub.busy[part] = left - 1
                self.answer(429, {"error": "too many requests"}, {"Retry-After": "0"})
                return
        for wanted, pattern, run in ROUTES:
            match = re.fullmatch(pattern, path)
            if match and method in wanted:
                run(self, body, **{k: v for k, v in match.groupdict().items() if v})
                return
        self.answer(501, {"error": f"the stub does not know {method} {path}"})

    def answer(
        self, status: int, value: object = None, headers: dict[str, str] | None = None
    ) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        named = {"Content-Length": str(len(data)), "Content-Type": "application/json"}
        for key, text in (named | (headers or {})).items():
            self.send_header(key, text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def allowed(self) -> bool:
        if self.headers.get("Authorization") == f"Bearer {TOKEN}":
            return True
        self.answer(401, {"error": "Invalid credentials"})
        return False

    def found(self) -> bool:
        if self.hub.exists:
            return True
        self.answer(404, {"error": "Repository not found"}, {"X-Error-Code": "RepoNotFound"})
        return False

    def create(self, body: bytes) -> None:
        if not self.allowed():
            return
        said = json.loads(body)
        self.hub.exists = True
        if not self.hub.commits:
            self.hub.write({".gitattributes": b"*.parquet filter=lfs\n"})
        self.answer(200, {"url": f"{self.hub.endpoint}/datasets/org/{said['name']}", "id": "x"})

    def refs(self, _: bytes) -> None:
        if self.found():
            branches = [{"name": "main", "ref": "refs/heads/main", "targetCommit": self.hub.head}]
            tags = [
                {"name": name, "ref": f"refs/tags/{name}", "targetCommit": commit}
                for name, commit in self.hub.tags.items()
            ]
            self.answer(200, {"branches": branches, "converts": [], "tags": tags})

    def info(self, _: bytes, revision: str | None = None) -> None:
        if not self.found():
            return
        commit = self.hub.resolve(revision or "main")
        if commit not in self.hub.commits:
            self.answer(404, {"error": "no revision"}, {"X-Error-Code": "RevisionNotFound"})
            return
        siblings = [{"rfilename": path} for path in self.hub.commits[commit]]
        self.answer(200, {"id": "org/name", "sha": commit, "siblings": siblings})

    def tree(self, _: bytes, revision: str, folder: str = "") -> None:
        if not self.found():
            return
        start = f"{folder}/" if folder else ""
        deep = "recursive=true" in self.path.lower()
        entries: dict[str, dict[str, Any]] = {}
        for path, data in self.hub.commits[self.hub.resolve(revision)].items():
            if not path.startswith(start):
                continue
            first, *more = path.removeprefix(start).split("/")
            if more and not deep:
                entries[first] = {"type": "directory", "path": start + first, "oid": "0" * 40}
            else:
                entries[path] = entry(path, data)
        if not entries:
            self.answer(404, {"error": "no such folder"}, {"X-Error-Code": "EntryNotFound"})
            return
        self.answer(200, list(entries.values()))

    def paths(self, body: bytes, revision: str) -> None:
        if self.found():
            asked = parse_qs(body.decode())
            names = asked["paths"] if asked else json.loads(body)["paths"]
            files = self.hub.commits[self.hub.resolve(revision)]
            found = [entry(name, files[name]) for name in names if name in files]
            found += [
                {"type": "directory", "path": name, "oid": "0" * 40}
                for name in names
                if any(path.startswith(f"{name}/") for path in files)
            ]
            self.answer(200, found)

    def validate(self, _: bytes) -> None:
        self.answer(200, {"errors": [], "warnings": []})

    def preupload(self, body: bytes, revision: str) -> None:
        if not (self.allowed() and self.found()):
            return
        there = self.hub.commits.get(self.hub.resolve(revision), {})
        files = [
            {
                "path": item["path"],
                "uploadMode": "lfs" if is_lfs(item["path"]) else "regular",
                "shouldIgnore": False,
                **(
                    {"oid": git_oid(there[item["path"]])}
                    if item["path"] in there and not is_lfs(item["path"])
                    else {}
                ),
            }
            for item in json.loads(body)["files"]
        ]
        self.answer(200, {"files": files})

    def batch(self, body: bytes) -> None:
        if self.allowed():
            objects = [
                {
                    **item,
                    "actions": {"upload": {"href": f"{self.hub.endpoint}/lfs/{item['oid']}"}},
                }
                for item in json.loads(body)["objects"]
            ]
            self.answer(200, {"transfer": "basic", "objects": objects})

    def upload(self, body: bytes, oid: str) -> None:
        right = hashlib.sha256(body).hexdigest() == oid
        self.hub.objects[oid] = body
        self.answer(200 if right else 400, {})

    def commit(self, body: bytes, revision: str) -> None:
        if not (self.allowed() and self.found()):
            return
        files = dict(self.hub.commits[self.hub.resolve(revision)])
        for line in body.splitlines():
            item = json.loads(line)
            value = item["value"]
            if (
                item["key"] == "header"
                and value.get("parentCommit", self.hub.head) != self.hub.head
            ):
                self.answer(412, {"error": "A commit has happened since."})
                return
            if item["key"] == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif item["key"] == "lfsFile":
                files[value["path"]] = self.hub.objects[value["oid"]]
            elif item["key"] == "deletedFile":
                del files[value["path"]]
        made = self.hub.write(files)
        url = f"{self.hub.endpoint}/datasets/org/name/commit/{made}"
        self.answer(200, {"commitUrl": url, "commitOid": made, "success": True})

    def tag(self, body: bytes, revision: str) -> None:
        if self.allowed() and self.found():
            name = json.loads(body)["tag"]
            if name in self.hub.tags:
                self.answer(409, {"error": "Tag reference exists already"})
                return
            self.hub.tags[name] = self.hub.resolve(revision)
            self.answer(200, {})

    def file(self, _: bytes, revision: str, path: str) -> None:
        commit = self.hub.resolve(revision)
        data = self.hub.commits.get(commit, {}).get(path)
        if data is None:
            self.answer(404, {"error": "Entry not found"}, {"X-Error-Code": "EntryNotFound"})
            return
        etag = hashlib.sha256(data).hexdigest() if is_lfs(path) else git_oid(data)
        shown = data[::-1] if path == self.hub.corrupt else data
        status, asked = 200, re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        extra = {}
        if asked:
            first, last = int(asked[1]), int(asked[2] or len(data) - 1)
            status, shown = 206, shown[first : last + 1]
            extra = {"Content-Range": f"bytes {first}-{last}/{len(data)}"}
        headers = extra | {"ETag": f'"{etag}"', "X-Repo-Commit": commit, "Accept-Ranges": "bytes"}
        self.answer(status, shown, headers)


_REPO = r"/api/datasets/org/name"
ROUTES: tuple[tuple[str, str, Any], ...] = (
    ("POST", r"/api/repos/create", Handler.create),
    ("POST", r"/api/validate-yaml", Handler.validate),
    ("GET", rf"{_REPO}/refs", Handler.refs),
    ("GET", rf"{_REPO}(/revision/(?P<revision>[^/]+))?", Handler.info),
    ("GET", rf"{_REPO}/tree/(?P<revision>[^/]+)(/(?P<folder>.+))?", Handler.tree),
    ("POST", rf"{_REPO}/paths-info/(?P<revision>[^/]+)", Handler.paths),
    ("POST", rf"{_REPO}/preupload/(?P<revision>[^/]+)", Handler.preupload),
    ("POST", r"/datasets/org/name\.git/info/lfs/objects/batch", Handler.batch),
    ("PUT", r"/lfs/(?P<oid>[0-9a-f]{64})", Handler.upload),
    ("POST", rf"{_REPO}/commit/(?P<revision>[^/]+)", Handler.commit),
    ("POST", rf"{_REPO}/tag/(?P<revision>[^/]+)", Handler.tag),
    ("GET HEAD", r"/datasets/org/name/resolve/(?P<revision>[^/]+)/(?P<path>.+)", Handler.file),
)


@contextmanager
def running_hub() -> Iterator[StubHub]:
    """Serve a fresh stub until the block ends."""
    hub = StubHub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"hub": hub}))
    hub.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
