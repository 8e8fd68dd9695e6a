"""When one repository was scanned, and how old what a forge said of it is. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jeto_mine.identified.assembled import iso_time

__all__ = ["ForgeAnswers", "RepositoryProvenance", "forge_answers"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ForgeAnswers:
    """How old what a forge said is: changes there since are not in the result.

    Attributes:
        count: Answers used, those from the cache included.
        oldest: When the oldest was the forge's answer; ISO 8601, UTC.
        newest: When the newest was.
    """

    count: int
    oldest: str
    newest: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RepositoryProvenance:
    """When one repository was scanned.

    Attributes:
        repo: ``owner/name``.
        tip: Commit that its history was read from.
        scanned_at: ISO 8601, UTC.
        answers: Of the API; ``None`` if it was not asked.
    """

    repo: str
    tip: str
    scanned_at: str
    answers: ForgeAnswers | None


def forge_answers(times: Sequence[float]) -> ForgeAnswers | None:
    """Return how old answers are that were the forge's at some times, seconds since 1970."""
    if not times:
        return None
    return ForgeAnswers(
        count=len(times), oldest=iso_time(int(min(times))), newest=iso_time(int(max(times)))
    )
