"""The time an instance may still take, and the time its phases took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from jeto_evaluate.reasons import Reason
from jeto_evaluate.reports.instance import PhaseTime
from jeto_evaluate.run.ending import InstanceEnded
from jeto_evaluate.samples import Arm

__all__ = ["Stopwatch"]


class Stopwatch:
    """Bounds every step by its own deadline and by what is left of the instance's.

    Args:
        limit: Seconds for the whole instance.
        clock: Seconds that only grow.
    """

    def __init__(self, limit: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + limit
        self._spent = dict.fromkeys(Arm, 0.0)
        self._phases: dict[str, float] = {}

    @property
    def phases(self) -> tuple[PhaseTime, ...]:
        """Phases in the order they first ran."""
        return tuple(
            PhaseTime(phase=name, seconds=round(seconds, 3))
            for name, seconds in self._phases.items()
        )

    def within(self, seconds: float) -> float:
        """Return the smaller of ``seconds`` and what is left of the instance's time.

        Raises:
            InstanceEnded: Nothing is left; blamed on the arm that used more of it.
        """
        left = self._end - self._clock()
        if left <= 0:
            slow = self._spent[Arm.CANDIDATE] > self._spent[Arm.BASE]
            raise InstanceEnded(Reason.DEADLINE_INSTANCE if slow else Reason.BASE_TIMED_OUT)
        return min(seconds, left)

    def charge(self, arm: Arm, seconds: float) -> None:
        """Add a round's time to an arm's account."""
        self._spent[arm] += seconds

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time a phase; entering it again adds to it."""
        started = self._clock()
        try:
            yield
        finally:
            self._phases[name] = self._phases.get(name, 0.0) + self._clock() - started
