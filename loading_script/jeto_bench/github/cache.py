"""Answers of the API on disk, so that nothing is asked for twice and what has not changed is free.

A folder with ``entries/`` (one small JSON file per question: time, ETag, hash of the answer) and
``contents/`` (the answers, named by their SHA-256). Both are written atomically, the content first,
so that a crash leaves an answer or none. Headers of requests are not kept, so no token is.
"""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.convert import Where, convert
from jeto_bench.encode import row_to_dict
from jeto_bench.errors import DecodeError
from jeto_bench.files import write_atomically
from jeto_bench.json_text import decode_line

__all__ = ["Answer", "Cache"]

_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What was answered before.

    Attributes:
        body: The answer, whole.
        etag: Its ETag; empty if it had none.
        checked_at: Seconds since 1970 when the server last said so.
    """

    body: bytes
    etag: str
    checked_at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    question: str
    etag: str
    checked_at: float
    content: str


class Cache:
    """Answers by question, in a folder that several processes may share."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which need not be there yet."""
        self._folder = folder

    def get(self, question: str) -> Answer | None:
        """What was answered to a question; None if nothing was, or if it is damaged."""
        path = self._entry(question)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            value = decode_line(data, source=str(path), line=1)
            entry: _Entry = convert(value, _Entry, Where(source=str(path), line=1), "")
            body = self._content(entry.content).read_bytes()
        except (DecodeError, FileNotFoundError) as error:
            _LOG.warning("cache: %s is damaged and is asked for again: %s", path, error)
            return None
        if entry.question != question or hashlib.sha256(body).hexdigest() != entry.content:
            _LOG.warning("cache: the content of %s is damaged and is asked for again", path)
            return None
        return Answer(body=body, etag=entry.etag, checked_at=entry.checked_at)

    def put(self, question: str, body: bytes, *, etag: str, now: float) -> None:
        """Keep an answer."""
        content = hashlib.sha256(body).hexdigest()
        path = self._content(content)
        # A damaged one of the same name is replaced.
        if not path.is_file() or path.stat().st_size != len(body) or path.read_bytes() != body:
            write_atomically(path, body)
        entry = _Entry(question=question, etag=etag, checked_at=now, content=content)
        line = json.dumps(row_to_dict(entry), ensure_ascii=False)
        write_atomically(self._entry(question), line.encode() + b"\n")

    def _entry(self, question: str) -> Path:
        name = hashlib.sha256(question.encode()).hexdigest()
        return self._folder / "entries" / name[:2] / f"{name}.json"

    def _content(self, name: str) -> Path:
        return self._folder / "contents" / name[:2] / name
