"""How often the kernel has killed a process of a container for want of memory."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

__all__ = ["OOM_EVENTS", "OomKills"]

OOM_EVENTS: Final = (
    "sh",
    "-c",
    "cat /sys/fs/cgroup/memory/memory.oom_control /sys/fs/cgroup/memory.events 2>/dev/null",
)
"""The command that prints the counters, of either version of control groups."""


class OomKills:
    """Watches the counters of one container."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        """Begin to count.

        Args:
            read: Gives what ``OOM_EVENTS`` prints in the container.
        """
        self._read = read
        self._seen = 0
        self._seen = self._count()

    def grown(self) -> bool:
        """Whether there were more since this was asked last."""
        before, self._seen = self._seen, self._count()
        return self._seen > before

    def _count(self) -> int:
        words = self._read().split()
        found = [
            int(value) for key, value in pairwise(words) if key == b"oom_kill" and value.isdigit()
        ]
        # A command that is killed says nothing, which is not the news that there was none.
        return sum(found) if found else self._seen
