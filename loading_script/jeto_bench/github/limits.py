"""How long to wait before GitHub may be asked again. Pure: clock and chance are given.

Source: GitHub's documentation, "Rate limits for the REST API" and "Rate limits and node limits for
the GraphQL API": with ``retry-after`` wait that many seconds; with ``x-ratelimit-remaining: 0``
wait until ``x-ratelimit-reset``; else wait at least a minute, and longer each time. A secondary
limit may come as 403 or 429, with a header or without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Final

__all__ = [
    "LONGEST_WAIT_S",
    "Budget",
    "Kind",
    "Trouble",
    "budget_of",
    "gives_up",
    "limit_of",
    "server_time",
    "trouble_of",
    "wait_seconds",
]

LONGEST_WAIT_S: Final = 3660.0
"""No wait is longer: GitHub's primary window is an hour; a header that says more is wrong."""

_SECONDARY_FIRST_S: Final = 60.0
_SECONDARY_LONGEST_S: Final = 900.0
_SERVER_FIRST_S: Final = 1.0
_SERVER_LONGEST_S: Final = 60.0
_JITTER: Final = 0.25
_NUMBER: Final = re.compile(r"[0-9]{1,15}")
_LIMIT_WORDS: Final = ("rate limit", "abuse detection")


class Kind(StrEnum):
    """Why an answer is to be asked for again."""

    PRIMARY = "primary"
    """The hour's requests (a search's minute's) are used up; the headers say until when."""
    SECONDARY = "secondary"
    """Too much at once."""
    SERVER = "server"
    """5xx, a broken connection, an answer cut off."""


_ATTEMPTS: Final = {Kind.SERVER: 6, Kind.PRIMARY: 8, Kind.SECONDARY: 8}


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """An answer that is to be asked for again.

    Attributes:
        kind: Why.
        after: Seconds that the server asks to wait; None if it does not say.
    """

    kind: Kind
    after: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """What is left of a primary limit.

    Attributes:
        remaining: Requests, or points of GraphQL.
        resets_in: Seconds, counted from the answer.
    """

    remaining: int
    resets_in: float


def trouble_of(status: int, headers: Mapping[str, str], body: str, *, now: float) -> Trouble | None:
    """Say whether, and why, an answer that is no success is to be asked for again.

    Args:
        status: HTTP status.
        headers: Names in lower case, or a mapping that does not mind.
        body: Text of the answer.
        now: Seconds since 1970, UTC, on this machine.

    Returns:
        None if waiting does not mend it.
    """
    if status >= 500 or status == 408:  # noqa: PLR2004  # HTTP statuses
        return Trouble(kind=Kind.SERVER, after=_retry_after(headers, now))
    trouble = limit_of(headers, now=now)
    # 403 is also plain refusal; only headers or words tell a limit from it.
    limited = status == 429 or any(word in body.casefold() for word in _LIMIT_WORDS)  # noqa: PLR2004
    if status in {403, 429} and (limited or trouble.after is not None):
        return trouble
    return None


def limit_of(headers: Mapping[str, str], *, now: float) -> Trouble:
    """What kind of limit an answer that was refused for one tells of."""
    after = _retry_after(headers, now)
    if after is not None:
        return Trouble(kind=Kind.SECONDARY, after=after)
    budget = budget_of(headers, now=now)
    if budget is not None and budget.remaining == 0:
        return Trouble(kind=Kind.PRIMARY, after=budget.resets_in)
    return Trouble(kind=Kind.SECONDARY)


def budget_of(headers: Mapping[str, str], *, now: float) -> Budget | None:
    """Read what is left of the primary limit; None if the headers do not say."""
    remaining = headers.get("x-ratelimit-remaining", "")
    reset = headers.get("x-ratelimit-reset", "")
    if not (_NUMBER.fullmatch(remaining) and _NUMBER.fullmatch(reset)):
        return None
    return Budget(
        remaining=int(remaining), resets_in=max(0.0, float(reset) - server_time(headers, now=now))
    )


def server_time(headers: Mapping[str, str], *, now: float) -> float:
    """The server's clock where it tells it, so that a wrong one here does not matter."""
    told = _date(headers.get("date", ""))
    return now if told is None else told


def wait_seconds(trouble: Trouble, *, attempt: int, draw: float) -> float:
    """How long to wait before the next attempt.

    Args:
        trouble: What the last one ended in.
        attempt: Number of attempts so far, from 1.
        draw: Drawn from [0, 1): spreads clients that were refused together.

    Returns:
        Seconds, at most ``LONGEST_WAIT_S``. Never less than the server asked for, within that.
    """
    if trouble.after is not None:
        # One second more: the server counts whole seconds.
        least = trouble.after + 1.0
    elif trouble.kind is Kind.SERVER:
        least = min(_SERVER_LONGEST_S, _SERVER_FIRST_S * 2 ** (attempt - 1))
    else:
        least = min(_SECONDARY_LONGEST_S, _SECONDARY_FIRST_S * 2 ** (attempt - 1))
    jitter = _JITTER * draw * min(least, _SECONDARY_FIRST_S)
    return min(LONGEST_WAIT_S, least + jitter)


def gives_up(trouble: Trouble, *, attempt: int) -> bool:
    """Say whether ``attempt`` attempts are enough."""
    return attempt >= _ATTEMPTS[trouble.kind]


def _retry_after(headers: Mapping[str, str], now: float) -> float | None:
    text = headers.get("retry-after", "").strip()
    if _NUMBER.fullmatch(text):
        return float(text)
    told = _date(text)
    return None if told is None else max(0.0, told - server_time(headers, now=now))


def _date(text: str) -> float | None:
    """Seconds since 1970 of a date as HTTP writes it; None if it is none."""
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
