"""Labels as people give them. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from jeto_bench.errors import UsageError
from jeto_bench.records import EtipRecord

__all__ = [
    "REQUIREMENTS",
    "Answers",
    "Decision",
    "LabelEntry",
    "check_annotator",
    "make_label",
    "patch_hash",
]


class Decision(StrEnum):
    """Is the change an execution time improvement patch?"""

    IMPROVEMENT = "improvement"
    NO_IMPROVEMENT = "no_improvement"


REQUIREMENTS: Final = {
    "improves": "The change inherently improves execution time.",
    "beyond_tests": "It changes the program, not only tests.",
    "keeps_functionality": "It changes nothing else that the program does.",
}
"""The paper's three requirements, by field of ``Answers``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """What an annotator says of the paper's three requirements.

    Attributes:
        improves: The change inherently improves execution time.
        beyond_tests: It is not one of tests only.
        keeps_functionality: It does not change functionality.
    """

    improves: bool
    beyond_tests: bool
    keeps_functionality: bool

    @property
    def decision(self) -> Decision:
        """An improvement is what meets all three."""
        every = self.improves and self.beyond_tests and self.keeps_functionality
        return Decision.IMPROVEMENT if every else Decision.NO_IMPROVEMENT


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelEntry:
    """One annotator's label of one record.

    Attributes:
        instance_id: The record.
        patch_sha256: Of the patch that was shown; a label of another patch does not count.
        annotator: Id of who gave it.
        answers: To the three requirements.
        note: Free text; may be empty.
        labelled_at: ISO 8601, UTC.
    """

    instance_id: str
    patch_sha256: str
    annotator: str
    answers: Answers
    note: str
    labelled_at: str

    @property
    def decision(self) -> Decision:
        """What the answers come to."""
        return self.answers.decision


def patch_hash(record: EtipRecord) -> str:
    """Return the SHA-256 of a record's patch, hexadecimal."""
    return hashlib.sha256(record.patch.encode()).hexdigest()


def make_label(
    record: EtipRecord,
    annotator: str,
    answers: Answers,
    *,
    note: str = "",
    now: datetime | None = None,
) -> LabelEntry:
    """Return a label of a record, dated now."""
    at = (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
    return LabelEntry(
        instance_id=record.instance_id,
        patch_sha256=patch_hash(record),
        annotator=check_annotator(annotator),
        answers=answers,
        note=note.strip(),
        labelled_at=at.isoformat(),
    )


def check_annotator(annotator: str) -> str:
    """Return an annotator's id.

    Raises:
        UsageError: It is empty, or would not show as one word.
    """
    if not annotator or not annotator.isprintable() or annotator.split() != [annotator]:
        raise UsageError(f"{annotator!r} is not an annotator's id", advice="Give one word: ada")
    return annotator
