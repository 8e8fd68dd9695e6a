"""A search for repositories that is complete, or says what it lacks (field.md row 113).

The search is split by the date of creation until no part reaches GitHub's cap. Each part's total is
compared with what was received, and kept in a folder as soon as it is complete, so that a search
that was interrupted goes on with the parts that are left.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from jeto_bench.convert import Where, convert
from jeto_bench.encode import row_to_dict
from jeto_bench.errors import ForgeError, UsageError
from jeto_bench.files import write_atomically
from jeto_bench.github.api import Api
from jeto_bench.github.found import Found, Part
from jeto_bench.github.model import Repository
from jeto_bench.github.nodes import repository_of
from jeto_bench.github.windows import CAP, FIRST_DAY, Window, split
from jeto_bench.json_text import decode_line

__all__ = ["Search"]

_LOG: Final = logging.getLogger(__name__)
_PAGE: Final = 100
_ATTEMPTS: Final = 3
_CURSOR: Final = "search.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Cursor:
    query: str
    until: str


class Search:
    """One search, with the folder that holds how far it is."""

    def __init__(self, api: Api, query: str, folder: Path) -> None:
        """Begin a search, or go on with the one in ``folder``.

        Args:
            api: What is asked.
            query: GitHub's search terms, without ``created:``.
            folder: Its cursor: what was asked, and one file per window that is done.

        Raises:
            UsageError: The folder has another search, or the query splits by date itself.
        """
        if "created:" in query:
            raise UsageError(
                "created: splits the search and cannot be a criterion", advice="Use pushed:"
            )
        self._api = api
        self._query = query
        self._folder = folder
        path = folder / _CURSOR
        if path.exists():
            where = Where(source=str(path), line=1)
            value = decode_line(path.read_bytes(), source=str(path), line=1)
            cursor: _Cursor = convert(value, _Cursor, where, "")
            if cursor.query != query:
                raise UsageError(
                    f"{folder} has the search {cursor.query!r}, not {query!r}",
                    advice="Name another folder, or remove this one.",
                )
        else:
            until = datetime.fromtimestamp(int(api.clock.now()), tz=UTC)
            cursor = _Cursor(query=query, until=until.isoformat())
            write_atomically(path, json.dumps(row_to_dict(cursor)).encode() + b"\n")
        self._until = datetime.fromisoformat(cursor.until)

    def run(self) -> Found:
        """Ask for every window that is not done yet; return everything.

        Raises:
            ForgeError: More repositories than GitHub gives were created within one second, or it
                does not answer. What was had is kept.
        """
        parts = tuple(self._walk(Window(start=FIRST_DAY, end=self._until)))
        unique = {item.database_id: item for part in parts for item in part.repositories}
        found = Found(
            repositories=tuple(sorted(unique.values(), key=lambda item: item.full_name.casefold())),
            parts=parts,
            until=self._until.isoformat(),
        )
        _LOG.info(
            "search: %d windows, %d counted, %d received, %d missing",
            len(parts), found.total, len(found.repositories), found.missing,
        )  # fmt: skip
        return found

    def _walk(self, window: Window) -> Iterator[Part]:
        part = self._kept(window) or self._ask(window)
        if not part.split:
            yield part
            return
        for smaller in split(window, part.total):
            yield from self._walk(smaller)

    def _ask(self, window: Window) -> Part:
        part = self._received(window)
        for _ in range(_ATTEMPTS - 1):
            if part.split or part.received >= part.total:
                break
            _LOG.warning("search: %s: %d of %d came", window, part.received, part.total)
            part = self._received(window, again=True)
        _LOG.info(
            "search: %s: %d counted, %s",
            window, part.total, "split" if part.split else f"{part.received} received",
        )  # fmt: skip
        line = json.dumps(row_to_dict(part), ensure_ascii=False)
        write_atomically(self._file(window), line.encode() + b"\n")
        return part

    def _received(self, window: Window, *, again: bool = False) -> Part:
        """Ask for the pages of a window; stop at the first if there are too many."""
        found: dict[int, Repository] = {}
        total = 0
        page = 0
        while page == 0 or page * _PAGE < total:
            page += 1
            answer = self._page(window, page, again=again)
            total = max(total, answer["total_count"])
            if total >= CAP:
                if window.seconds == 1:
                    raise ForgeError(
                        f"{total} repositories were created in the second {window}; GitHub gives "
                        f"less than {CAP}",
                        advice="Narrow the criteria.",
                    )
                return _part(window, total, (), cut=True)
            for item in answer["items"]:
                repository = repository_of(item, source=f"GitHub: search {window}")
                found[repository.database_id] = repository
            if not answer["items"]:
                break
        return _part(window, total, tuple(found.values()), cut=False)

    def _page(self, window: Window, page: int, *, again: bool) -> dict[str, Any]:
        parameters: dict[str, str | int] = {
            "q": f"{self._query} created:{window}",
            "sort": "stars",
            "order": "desc",
            "per_page": _PAGE,
            "page": page,
        }
        for attempt in range(_ATTEMPTS):
            fresh = again or attempt > 0
            answer: Any = self._api.get("/search/repositories", parameters, fresh=fresh)
            try:
                complete = not answer["incomplete_results"]
                _ = answer["total_count"] + 0, answer["items"][:0]
            except (KeyError, TypeError) as error:
                raise ForgeError(f"GitHub: search {window}: no answer to a search") from error
            if complete:
                return dict(answer)
            _LOG.warning("search: %s: GitHub ran out of time", window)
        raise ForgeError(
            f"GitHub: search {window}: incomplete results, {_ATTEMPTS} times",
            advice="Try later; windows that are done are kept.",
        )

    def _kept(self, window: Window) -> Part | None:
        path = self._file(window)
        if not path.exists():
            return None
        value = decode_line(path.read_bytes(), source=str(path), line=1)
        part: Part = convert(value, Part, Where(source=str(path), line=1), "")
        return part

    def _file(self, window: Window) -> Path:
        name = hashlib.sha256(str(window).encode()).hexdigest()[:16]
        return self._folder / f"{window.start:%Y%m%dT%H%M%S}-{name}.json"


def _part(window: Window, total: int, found: tuple[Repository, ...], *, cut: bool) -> Part:
    return Part(window=str(window), total=total, received=len(found), split=cut, repositories=found)
