"""What a search found, and what it lacks. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from jeto_bench.github.model import Repository

__all__ = ["Found", "Part"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One window of a search.

    Attributes:
        window: ``START..END``.
        total: Repositories that GitHub says it has.
        received: Those that came; fewer only if GitHub's answers do not agree with each other.
        split: It was split into smaller ones, and what came is not counted here.
        repositories: What came.
    """

    window: str
    total: int
    received: int
    split: bool
    repositories: tuple[Repository, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        repositories: Each once, by name.
        parts: The windows that were not split, in order of time.
        until: Repositories created later were not looked for; ISO 8601, UTC.
    """

    repositories: tuple[Repository, ...]
    parts: tuple[Part, ...]
    until: str

    @property
    def total(self) -> int:
        """Repositories that GitHub says there are."""
        return sum(part.total for part in self.parts)

    @property
    def missing(self) -> int:
        """Repositories that GitHub counted and did not give."""
        return sum(max(0, part.total - part.received) for part in self.parts)
