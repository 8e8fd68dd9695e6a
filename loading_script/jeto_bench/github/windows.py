"""Stretches of time that a search is split into, so that none has more than GitHub gives. Pure.

GitHub's search returns at most 1000 results, and says no more about the rest than their number.
Repositories do not change the day that they were created on, so that is what is split.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final

__all__ = ["CAP", "FIRST_DAY", "Window", "split"]

CAP: Final = 1000
"""Results that a search gives at most."""

FIRST_DAY: Final = datetime(2007, 10, 1, tzinfo=UTC)
"""No repository on GitHub is older."""

_TARGET: Final = 600
_MOST_PARTS: Final = 32


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Window:
    """A stretch of time in whole seconds, both ends included.

    Attributes:
        start: First second, UTC.
        end: Last second, UTC.
    """

    start: datetime
    end: datetime

    @property
    def seconds(self) -> int:
        """Length."""
        return int((self.end - self.start).total_seconds()) + 1

    def __str__(self) -> str:
        return f"{_text(self.start)}..{_text(self.end)}"


def split(window: Window, total: int) -> Iterator[Window]:
    """Cut a window with ``total`` results into parts that should each stay below the cap.

    The parts cover it without gap and without overlap.

    Raises:
        ValueError: It is one second long.
    """
    if window.seconds == 1:
        raise ValueError(f"{window} cannot be split")
    parts = min(_MOST_PARTS, window.seconds, max(2, -(-total // _TARGET)))
    edges = [window.seconds * number // parts for number in range(parts + 1)]
    for first, after in pairwise(edges):
        yield Window(
            start=window.start + timedelta(seconds=first),
            end=window.start + timedelta(seconds=after - 1),
        )


def _text(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
