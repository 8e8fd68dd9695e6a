"""Asks a language model behind an OpenAI-compatible chat endpoint. Needs ``httpx``.

Answers are kept by prompt, model and issue, as they came: asked again, they cost nothing, and a
better reading of them needs no new answer.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from jeto_bench.errors import ForgeError, InfrastructureError, UsageError
from jeto_bench.github.cache import Cache
from jeto_bench.github.limits import Kind, Trouble, trouble_of
from jeto_bench.github.retrying import AgainError, Clock, retried
from jeto_bench.github.token import Token
from jeto_mine.classifiers.prices import Budget, Price
from jeto_mine.classifiers.prompt import (
    AGAIN,
    SYSTEM,
    UnreadableAnswerError,
    prompt_id,
    question,
    read_answer,
)
from jeto_mine.classifiers.protocol import Classification, IssueText, Label

__all__ = ["EndpointClassifier"]

_LOG: Final = logging.getLogger(__name__)
_ATTEMPTS: Final = 3
"""Times that a model is asked for an answer that can be read."""
_MOST_TOKENS: Final = 300
_TIMEOUT_S: Final = 120.0
_OK: Final = 200
_SHOWN: Final = 300

Message = dict[str, str]


@dataclass(kw_only=True, slots=True)
class EndpointClassifier:
    """A classifier that asks a model.

    Attributes:
        url: Root of the API, such as ``https://HOST/v1``.
        model: Its name there.
        token: Key; may be empty for a model of one's own.
        price: Of its tokens.
        budget: What is spent, and may be.
        cache: Answers so far.
        clock: Time and chance.
        transport: What carries requests; None for the network.
    """

    url: str
    model: str
    token: Token
    price: Price
    budget: Budget
    cache: Cache
    clock: Clock = field(default_factory=Clock)
    transport: httpx.BaseTransport | None = None
    _http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        """Open the connection pool; nothing is sent yet."""
        url = httpx.URL(self.url)
        if url.scheme not in {"http", "https"} or not url.host or url.userinfo:
            raise UsageError(
                "the model's address is http:// or https:// and a host, without user and password",
                advice="For example http://localhost:8000/v1",
            )
        self.url = self.url.rstrip("/")
        self._http = httpx.Client(transport=self.transport, timeout=_TIMEOUT_S)

    @property
    def name(self) -> str:
        """Names model and prompt."""
        return f"{self.model}-{prompt_id()}"

    def classify(self, issues: Sequence[IssueText]) -> Iterator[Classification]:
        """Answer for each issue; unsure where the model's answers cannot be read.

        Raises:
            UsageError: The next answer might cost more than is left.
            InfrastructureError: The endpoint refuses, or does not answer.
        """
        for issue in issues:
            yield self._answer(issue)

    def _answer(self, issue: IssueText) -> Classification:
        messages = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": question(issue)},
        ]
        raws: list[str] = []
        cost = 0.0
        reason = ""
        for _ in range(_ATTEMPTS):
            raw, paid = self._ask(messages)
            raws.append(raw)
            cost += paid
            try:
                label, reason = read_answer(raw)
            except UnreadableAnswerError as error:
                _LOG.warning("%s#%d: %s", issue.ref.repo, issue.ref.number, error)
                reason = f"no answer that can be read: {error}"
                messages += [
                    {"role": "assistant", "content": raw or "(nothing)"},
                    {"role": "user", "content": AGAIN},
                ]
                continue
            break
        else:
            label = Label.UNSURE
        return Classification(
            ref=issue.ref,
            label=label,
            reason=reason,
            classifier=self.name,
            raw="\n---\n".join(raws),
            cost=cost,
        )

    def _ask(self, messages: Sequence[Message]) -> tuple[str, float]:
        """The model's answer and what it cost now: nothing if it was asked before."""
        body = {
            "model": self.model,
            "messages": list(messages),
            "temperature": 0,
            "max_tokens": _MOST_TOKENS,
        }
        data = json.dumps(body, ensure_ascii=True, sort_keys=True).encode()
        asked = f"chat {self.url} {hashlib.sha256(data).hexdigest()}"
        known = self.cache.get(asked)
        if known is not None:
            return known.body.decode("utf-8", "replace"), 0.0
        characters = sum(len(message["content"]) for message in messages)
        most = self.price.at_most(characters, _MOST_TOKENS)

        def ask() -> tuple[str, float]:
            self.budget.reserve(most)
            value = self._send(data)
            text = _text(value)
            paid = self._pay(value, most)
            return text, paid

        try:
            text, paid = retried(ask, clock=self.clock, note=_note)
        except AgainError as error:
            raise InfrastructureError(
                f"{self.url}: {error}, {error.times} times",
                advice="What was answered is kept; the same command goes on from there.",
            ) from None
        clean = self.token.hide(text)
        self.cache.put(asked, clean.encode(), etag="", now=self.clock.now())
        return clean, paid

    def _send(self, data: bytes) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", **self.token.headers()}
        try:
            answer = self._http.post(f"{self.url}/chat/completions", content=data, headers=headers)
        except httpx.RequestError as error:
            text = self.token.hide(f"{type(error).__name__}: {error}")
            raise AgainError(Trouble(kind=Kind.SERVER), text) from None
        status = answer.status_code
        if status != _OK:
            trouble = trouble_of(status, answer.headers, answer.text, now=self.clock.now())
            if trouble is not None:
                raise AgainError(trouble, f"HTTP {status}")
            said = self.token.hide(" ".join(answer.text.split()))[:_SHOWN]
            raise ForgeError(
                f"{self.url}: HTTP {status}: {said}", advice="Is the key set, and the model there?"
            )
        try:
            value = json.loads(answer.content)
        except ValueError:
            raise AgainError(Trouble(kind=Kind.SERVER), "an answer that is cut off") from None
        if not isinstance(value, dict) or not isinstance(value.get("choices"), list):
            raise AgainError(Trouble(kind=Kind.SERVER), "an answer without choices")
        return value

    def _pay(self, value: dict[str, Any], most: float) -> float:
        usage = value.get("usage")
        asked = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        answered = usage.get("completion_tokens") if isinstance(usage, dict) else None
        if isinstance(asked, int) and isinstance(answered, int):
            cost = self.price.cost(asked, answered)
            self.budget.spend(cost, asked=asked, answered=answered)
            return cost
        # Not told: what it costs at most is counted.
        self.budget.spend(most, asked=0, answered=0)
        return most


def _text(value: dict[str, Any]) -> str:
    choices = value["choices"]
    message = choices[0].get("message") if choices and isinstance(choices[0], dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, str) else ""


def _note(kind: Kind, seconds: float, why: str) -> None:
    _LOG.info("model: %s (%s); waiting %.0f s", why, kind.value, seconds)
