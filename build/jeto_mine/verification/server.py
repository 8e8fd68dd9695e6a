"""Serves the pages of records to one annotator, on this machine only.

The address has a secret in its path, so that other users of the machine cannot open it; each form
carries another, so that no other page can send labels; requests for another host name are refused,
so that no name elsewhere can be pointed here.
"""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, quote

from jeto_bench.errors import InputError, JetoError, UsageError
from jeto_bench.records import EtipRecord
from jeto_mine.verification.evidence import evidence_of
from jeto_mine.verification.labels import add_label, read_labels
from jeto_mine.verification.model import REQUIREMENTS, Answers, make_label, patch_hash
from jeto_mine.verification.page import POLICY, Form, done_page, message_page, record_page
from jeto_mine.verification.progress import open_for, standings

__all__ = ["LOOPBACK", "Reply", "Site", "open_server"]

LOOPBACK: Final = "127.0.0.1"
_LARGEST_FORM: Final = 64 * 1024
_LENGTH: Final = re.compile(r"[0-9]{1,9}")
_MOST_FIELDS: Final = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What a request is answered with: a page, or the way to one."""

    status: int
    page: str = ""
    location: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """The pages of one annotator.

    Attributes:
        records: To be labelled.
        labels: File of the labels.
        annotator: Id of who labels.
        key: Secret in every path.
        token: Secret in every form.
    """

    records: Sequence[EtipRecord]
    labels: Path
    annotator: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    @property
    def root(self) -> str:
        """Path of the first page."""
        return f"/{self.key}/"

    def show(self, after: str = "", *, problem: str = "") -> Reply:
        """Return the page of the next record that waits, behind ``after`` if that is one."""
        known = read_labels(self.labels)
        waiting = open_for(self.annotator, self.records, known)
        if not waiting:
            return Reply(status=200, page=self._done())
        names = [item.instance_id for item in waiting]
        number = (names.index(after) + 1) % len(names) if after in names else 0
        return Reply(status=200, page=self._page(waiting[number], len(waiting), problem))

    def take(self, form: Mapping[str, str]) -> Reply:
        """Save the label of a form, and go on to the next record."""
        if not compare_digest(form.get("token", "").encode(), self.token.encode()):
            return self._refuse(403, "The form did not come from this page.")
        by_id = {item.instance_id: item for item in self.records}
        record = by_id.get(form.get("instance_id", ""))
        if record is None or patch_hash(record) != form.get("patch_sha256"):
            return self._refuse(409, "The record is not the one that was shown.")
        said = {name: form.get(name) for name in REQUIREMENTS}
        if any(value not in {"yes", "no"} for value in said.values()):
            problem = "Answer all three questions."
            return Reply(status=400, page=self._page(record, self._left(), problem))
        answers = Answers(**{name: value == "yes" for name, value in said.items()})
        waiting = open_for(self.annotator, self.records, read_labels(self.labels))
        if record not in waiting:
            return self._refuse(409, f"{record.instance_id} does not wait for your label.")
        label = make_label(record, self.annotator, answers, note=form.get("note", "")[:2000])
        try:
            add_label(self.labels, label)
        except InputError as error:
            return self._refuse(409, error.message)
        return Reply(status=303, location=f"{self.root}?after={quote(record.instance_id)}")

    def _left(self) -> int:
        return len(open_for(self.annotator, self.records, read_labels(self.labels)))

    def _refuse(self, status: int, why: str) -> Reply:
        page = message_page("Nothing was saved", why, self.root)
        return Reply(status=status, page=page)

    def _page(self, record: EtipRecord, left: int, problem: str) -> str:
        where = standings(self.records, read_labels(self.labels))
        own = [item for item in where.values() if item.visible_to(self.annotator)]
        form = Form(
            action=f"{self.root}label",
            skip=f"{self.root}?after={quote(record.instance_id)}",
            token=self.token,
            instance_id=record.instance_id,
            patch_sha256=patch_hash(record),
            annotator=self.annotator,
            left=left,
            labelled=len(own),
        )
        return record_page(evidence_of(record), form, problem=problem)

    def _done(self) -> str:
        where = standings(self.records, read_labels(self.labels))
        shown = [
            (name, str(item.decision or ""), item.visible_to(self.annotator))
            for name, item in where.items()
            if item.visible_to(self.annotator)
        ]
        return done_page(self.annotator, shown)


def open_server(site: Site, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of a site on the loopback interface; port 0 means any.

    Raises:
        UsageError: The port is taken.
    """
    handler = type("SiteHandler", (_Handler,), {"site": site})
    try:
        return _Server((LOOPBACK, port), handler)
    except OSError as error:
        raise UsageError(
            f"port {port} cannot be used: {error.strerror or error}", advice="Give another --port."
        ) from error


class _Server(ThreadingHTTPServer):
    """A server that says nothing of browsers that went away."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over broken connections; anything else is a fault of ours, and shown."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def _fields(text: str) -> dict[str, str]:
    """The fields of a form or query, the last of each name; none if there are too many."""
    try:
        found = parse_qs(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return {}
    return {name: values[-1] for name, values in found.items()}


class _Handler(BaseHTTPRequestHandler):
    """Turns requests into calls of a site; knows nothing of labels."""

    site: Site
    server: ThreadingHTTPServer
    timeout = 60

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if self._is_ours(path, self.site.root):
            after = _fields(query).get("after", "")
            self._answer(lambda: self.site.show(after))

    def do_POST(self) -> None:
        if not self._is_ours(self.path.partition("?")[0], f"{self.site.root}label"):
            return
        length = self.headers.get("Content-Length", "")
        if not _LENGTH.fullmatch(length) or int(length) > _LARGEST_FORM:
            self._send(Reply(status=413, page="too large"))
            return
        form = _fields(self.rfile.read(int(length)).decode("utf-8", "replace"))
        self._answer(lambda: self.site.take(form))

    def _answer(self, make: Callable[[], Reply]) -> None:
        """Send a reply, or why the labels cannot be used: others write into their file too."""
        try:
            reply = make()
        except (JetoError, OSError) as error:
            page = message_page("The labels cannot be used", str(error), self.site.root)
            reply = Reply(status=500, page=page)
        self._send(reply)

    def log_message(self, *_: object) -> None:
        """Say nothing: the path holds the secret."""

    def _is_ours(self, path: str, wanted: str) -> bool:
        port = self.server.server_address[1]
        hosts = {f"{LOOPBACK}:{port}", f"localhost:{port}"}
        origin = self.headers.get("Origin")
        known = self.headers.get("Host") in hosts
        known = known and (origin is None or origin in {f"http://{h}" for h in hosts})
        if known and compare_digest(path.encode("utf-8", "replace"), wanted.encode()):
            return True
        self._send(Reply(status=404 if known else 403, page="not here"))
        return False

    def _send(self, reply: Reply) -> None:
        data = reply.page.encode("utf-8", "replace")
        self.send_response(reply.status)
        if reply.location:
            self.send_header("Location", reply.location)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "same-origin")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)
