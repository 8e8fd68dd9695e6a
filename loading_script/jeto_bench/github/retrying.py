"""Asking a server again, as long as that helps, on a clock that may be a test's own."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import tenacity

from jeto_bench.github.limits import Kind, Trouble, gives_up, wait_seconds

__all__ = ["AgainError", "Clock", "retried"]

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Clock:
    """Time and chance; a test has its own, and sleeps not at all.

    Attributes:
        now: Seconds since 1970, UTC.
        sleep: Waits for so many seconds.
        draw: Draws from [0, 1).
    """

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.random


class AgainError(Exception):
    """An answer that is to be asked for again; internal to whoever asks.

    Attributes:
        trouble: Why.
        times: How often it was asked for, once ``retried`` has given up.
    """

    def __init__(self, trouble: Trouble, what: str) -> None:
        super().__init__(what)
        self.trouble = trouble
        self.times = 1


def retried(ask: Callable[[], T], *, clock: Clock, note: Callable[[Kind, float, str], None]) -> T:
    """Return what ``ask`` returns, calling it again while it raises ``AgainError``.

    Args:
        ask: Asks once.
        clock: Time and chance.
        note: Told of each wait: kind, seconds, what was answered.

    Raises:
        AgainError: Asked often enough; the last answer's.
    """

    def failure(state: tenacity.RetryCallState) -> AgainError:
        error = None if state.outcome is None else state.outcome.exception()
        if not isinstance(error, AgainError):  # pragma: no cover  # the only kind retried
            raise TypeError(error)
        error.times = state.attempt_number
        return error

    def pause(state: tenacity.RetryCallState) -> float:
        trouble = failure(state).trouble
        return wait_seconds(trouble, attempt=state.attempt_number, draw=clock.draw())

    def tell(state: tenacity.RetryCallState) -> None:
        note(failure(state).trouble.kind, state.upcoming_sleep, str(failure(state)))

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(AgainError),
        wait=pause,
        stop=lambda state: gives_up(failure(state).trouble, attempt=state.attempt_number),
        before_sleep=tell,
        sleep=clock.sleep,
        reraise=True,
    )
    return retrying(ask)
