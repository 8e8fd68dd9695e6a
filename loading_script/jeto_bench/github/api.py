"""Questions to GitHub's API over HTTP: retried, within its limits, cached; JSON comes back.

Needs ``httpx`` (``pip install 'jeto-bench[github]'``).
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

import httpx

from jeto_bench.errors import DecodeError, ForgeError, UsageError
from jeto_bench.github.cache import Cache
from jeto_bench.github.limits import (
    LONGEST_WAIT_S,
    Kind,
    Trouble,
    budget_of,
    limit_of,
    trouble_of,
)
from jeto_bench.github.retrying import AgainError, Clock, retried
from jeto_bench.github.token import TOKEN_VARIABLES, Token
from jeto_bench.json_text import JsonValue, decode_text, raw_decode, skip_space

__all__ = ["API", "DAY_S", "Api", "ServerTroubleError"]

_LOG: Final = logging.getLogger(__name__)

API: Final = "https://api.github.com"
DAY_S: Final = 86_400.0
_VERSION: Final = "2022-11-28"
_TIMEOUT_S: Final = 60.0
_GONE: Final = frozenset({404, 410, 451})
"""Not there, no longer there, or taken down."""
_OK: Final = 200
_NOT_MODIFIED: Final = 304
_SHOWN: Final = 300
_LIMITED: Final = ("RATE_LIMITED", "RATE_LIMIT")
_ADVICE: Final = {
    401: f"The token in {' or '.join(TOKEN_VARIABLES)} is not valid.",
    403: "The token may not read this; a classic token needs no scope for what is public.",
    422: "GitHub does not understand the question.",
}

T = TypeVar("T")


class ServerTroubleError(ForgeError):
    """The server failed, or cut its answer off, each time that it was asked."""


@dataclass(kw_only=True, slots=True)
class Api:
    """One API, one token, one cache.

    Attributes:
        cache: Answers so far.
        token: May be empty: then GraphQL is refused, and REST allows 60 requests an hour.
        base_url: Root of the REST API; an Enterprise server's is ``https://HOST/api/v3``.
        fresh_for: Seconds for which a cached answer is taken without asking whether it changed.
        clock: Time and chance.
        transport: What carries requests; None for the network.
        sent: Requests so far, by ``METHOD STATUS`` (``failed`` where none came).
        waited: Seconds waited so far, by kind of trouble.
        answered: When the answers that were given were the server's; seconds since 1970, one each.
    """

    cache: Cache
    token: Token
    base_url: str = API
    fresh_for: float = DAY_S
    clock: Clock = field(default_factory=Clock)
    transport: httpx.BaseTransport | None = None
    sent: Counter[str] = field(default_factory=Counter)
    waited: dict[Kind, float] = field(default_factory=dict)
    answered: list[float] = field(default_factory=list)
    _resume_at: dict[str, float] = field(default_factory=dict)
    _http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        """Open the connection pool; nothing is sent yet."""
        url = httpx.URL(self.base_url)
        if url.scheme not in {"http", "https"} or not url.host or url.userinfo:
            raise UsageError(
                "the API's address is http:// or https:// and a host, without user and password",
                advice=f"For example {API}; the token goes into {TOKEN_VARIABLES[0]}.",
            )
        self.base_url = self.base_url.rstrip("/")
        # Redirects (of moved repositories) are followed; httpx drops the token on another host.
        self._http = httpx.Client(
            transport=self.transport, timeout=_TIMEOUT_S, follow_redirects=True
        )

    def get(
        self,
        path: str,
        parameters: Mapping[str, str | int] | None = None,
        *,
        fresh: bool = False,
        check: Callable[[JsonValue], object] | None = None,
    ) -> JsonValue:
        """Answer of a GET; None if there is no such thing, or there is no longer.

        Args:
            path: Below the API's root.
            parameters: Of the query.
            fresh: Ask also if there is a fresh answer; one that was the server's mistake has no
                ETag that is worth keeping.
            check: Raises for an answer that is not worth keeping at all.

        Raises:
            ForgeError: Refused, or no usable answer after all attempts.
        """
        url = str(httpx.URL(self.base_url + path, params=dict(parameters or {})))
        question = f"GET {url}"
        known = None if fresh else self.cache.get(question)
        if known is not None and self.clock.now() - known.checked_at < self.fresh_for:
            self.answered.append(known.checked_at)
            return self._json(known.body, url)
        headers = {"If-None-Match": known.etag} if known is not None and known.etag else {}

        def ask() -> JsonValue:
            answer = self._send("GET", url, headers=headers)
            if answer.status_code == _NOT_MODIFIED and known is not None:
                body, etag = known.body, known.etag
            elif answer.status_code in _GONE:
                body, etag = b"null", ""
            else:
                self._check(answer, url)
                body, etag = answer.content, answer.headers.get("etag", "")
            value = self._json(body, url)
            if check is not None and value is not None:
                check(value)
            self._keep(question, body, etag=etag)
            return value

        return self._retry(ask, url)

    def graphql(self, query: str) -> dict[str, JsonValue]:
        """Answer of a query with ``data`` and ``errors``, as they came; not cached here.

        Raises:
            ServerTroubleError: The server failed each time; a smaller query may do.
            ForgeError: Refused, or no usable answer.
        """
        if not self.token:
            raise UsageError(
                "GitHub's GraphQL API needs a token",
                advice=f"Set {TOKEN_VARIABLES[0]}; reading public repositories needs no scope.",
            )
        url = self.base_url.removesuffix("/v3") + "/graphql"

        def ask() -> dict[str, JsonValue]:
            answer = self._send("POST", url, body=json.dumps({"query": query}).encode())
            self._check(answer, url)
            value = self._json(answer.content, url)
            if not isinstance(value, dict) or not (value.get("data") or value.get("errors")):
                raise AgainError(Trouble(kind=Kind.SERVER), "an answer without data")
            if _is_limited(value.get("errors")):
                trouble = limit_of(answer.headers, now=self.clock.now())
                raise AgainError(trouble, "a rate limit")
            return value

        return self._retry(ask, url)

    def remember(self, question: str) -> bytes | None:
        """A fresh answer kept by ``keep``, for questions that are parts of one query."""
        known = self.cache.get(f"{self.base_url} {question}")
        if known is None or self.clock.now() - known.checked_at >= self.fresh_for:
            return None
        self.answered.append(known.checked_at)
        return known.body

    def keep(self, question: str, body: bytes) -> None:
        """Keep the answer to a part of a query."""
        self._keep(f"{self.base_url} {question}", body, etag="")

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def _keep(self, question: str, body: bytes, *, etag: str) -> None:
        # A server that sends a token back would else have it written down.
        clean = self.token.hide(body.decode("utf-8", "surrogateescape"))
        data = clean.encode("utf-8", "surrogateescape")
        now = self.clock.now()
        self.answered.append(now)
        self.cache.put(question, data, etag=etag, now=now)

    def _send(
        self, method: str, url: str, *, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> httpx.Response:
        resource = "graphql" if method == "POST" else "search" if "/search/" in url else "core"
        pause = self._resume_at.pop(resource, 0.0) - self.clock.now()
        if pause > 0:
            pause = min(pause, LONGEST_WAIT_S)
            self._note(Kind.PRIMARY, pause, f"nothing left of {resource}")
            self.clock.sleep(pause)
        sent = {
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": _VERSION,
            "User-Agent": "jeto-bench",
            **(headers or {}),
            **self.token.headers(),
        }
        try:
            answer = self._http.request(method, url, headers=sent, content=body or None)
        except httpx.RequestError as error:
            self.sent[f"{method} failed"] += 1
            text = self.token.hide(f"{type(error).__name__}: {error}")
            raise AgainError(Trouble(kind=Kind.SERVER), text) from None
        self.sent[f"{method} {answer.status_code}"] += 1
        budget = budget_of(answer.headers, now=self.clock.now())
        if budget is not None and budget.remaining == 0:
            self._resume_at[resource] = self.clock.now() + budget.resets_in + 1.0
        return answer

    def _check(self, answer: httpx.Response, url: str) -> None:
        """Raise unless the answer is one that can be used."""
        status = answer.status_code
        if status == _OK:
            return
        trouble = trouble_of(status, answer.headers, answer.text, now=self.clock.now())
        if status == _NOT_MODIFIED:
            trouble = Trouble(kind=Kind.SERVER)
        if trouble is not None:
            raise AgainError(trouble, f"HTTP {status}")
        said = self.token.hide(" ".join(answer.text.split()))[:_SHOWN]
        raise ForgeError(f"{url}: HTTP {status}: {said}", advice=_ADVICE.get(status, ""))

    def _json(self, body: bytes, url: str) -> JsonValue:
        try:
            text = decode_text(body, url, None)
            value, end = raw_decode(text, skip_space(text, 0), url, 1)
        except DecodeError as error:
            raise AgainError(
                Trouble(kind=Kind.SERVER), f"an answer that is cut off: {error.message}"
            ) from None
        if skip_space(text, end) != len(text):
            raise AgainError(Trouble(kind=Kind.SERVER), "more than one answer")
        return value

    def _note(self, kind: Kind, seconds: float, why: str) -> None:
        _LOG.info("GitHub: %s (%s); waiting %.0f s", why, kind.value, seconds)
        self.waited[kind] = self.waited.get(kind, 0.0) + seconds

    def _retry(self, ask: Callable[[], T], url: str) -> T:
        try:
            return retried(ask, clock=self.clock, note=self._note)
        except AgainError as error:
            if error.trouble.kind is Kind.SERVER:
                raise ServerTroubleError(
                    f"{url}: {error}, {error.times} times",
                    advice="Try later; what was had is kept.",
                ) from None
            raise ForgeError(
                f"{url}: refused for its limits, {error.times} times: {error}",
                advice="Is another program using the same token? What was had is kept; try later.",
            ) from None


def _is_limited(errors: JsonValue) -> bool:
    listed = errors if isinstance(errors, list) else []
    return any(isinstance(item, dict) and item.get("type") in _LIMITED for item in listed)
