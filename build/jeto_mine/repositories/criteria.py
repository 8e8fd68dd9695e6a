"""What a repository must be like. Pure.

Those of the paper: Java, a Maven wrapper, at least 20 stars, updated since a day, not archived.
Whether it builds with Java 8 or later is read from the build files at each commit, not here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from jeto_bench.github.model import Repository

__all__ = ["WRAPPER_FILES", "Criteria", "Drop"]

WRAPPER_FILES: Final = ("mvnw", "mvnw.cmd", ".mvn/wrapper/maven-wrapper.properties")
"""A default branch with one of these builds with a Maven wrapper."""


class Drop(StrEnum):
    """Why a repository is left out."""

    VANISHED = "vanished"
    """GitHub, or the export, does not have it, or has it no longer."""
    TWICE = "twice"
    """Another entry is the same repository, perhaps under a former name."""
    LANGUAGE = "language"
    STARS = "stars"
    NOT_UPDATED = "not_updated"
    ARCHIVED = "archived"
    FORK = "fork"
    NO_WRAPPER = "no_wrapper"


@dataclass(frozen=True, kw_only=True, slots=True)
class Criteria:
    """The criteria of a search.

    Attributes:
        language: Main language, as GitHub spells it.
        stars: At least so many.
        pushed_since: Last changed on this day or later.
        wrapper: The default branch has a Maven wrapper.
    """

    language: str = "Java"
    stars: int = 20
    pushed_since: date
    wrapper: bool = True

    def query(self) -> str:
        """GitHub's search terms; forks are left out by a search itself."""
        return (
            f"language:{self.language} stars:>={self.stars} "
            f"pushed:>={self.pushed_since.isoformat()} archived:false"
        )

    def refusal(self, facts: Repository, files: frozenset[str] | None) -> Drop | None:
        """The first reason against a repository, if any.

        Args:
            facts: Of the repository.
            files: Those of ``WRAPPER_FILES`` that it has; None if nobody looked.
        """
        pushed = datetime.fromisoformat(facts.pushed_at).date()
        reasons = {
            Drop.LANGUAGE: facts.language.casefold() != self.language.casefold(),
            Drop.STARS: facts.stars < self.stars,
            Drop.NOT_UPDATED: pushed < self.pushed_since,
            Drop.ARCHIVED: facts.archived,
            Drop.FORK: facts.fork,
            Drop.NO_WRAPPER: self.wrapper and files is not None and not files,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)
