"""The question that every classifier answers, and its answer. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from jeto_bench.github.model import IssueRef

__all__ = ["Classification", "Classifier", "IssueText", "Label"]


class Label(StrEnum):
    """Is the issue about a program that takes too long?"""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"
    """Not enough information, or no answer that can be read; counts as no when ETIPs are chosen."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IssueText:
    """What a classifier may read.

    Attributes:
        ref: Which issue.
        title: Its title.
        body: Its text.
        labels: Names of its labels.
    """

    ref: IssueRef
    title: str
    body: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Classification:
    """The answer for one issue.

    Attributes:
        ref: Which issue.
        label: The answer.
        reason: Why, in a sentence.
        classifier: Name and version of what answered, the same for the same answers.
        score: From 0 (no) to 1 (yes); None where there is none.
        raw: Answer before it was read; empty where nothing was parsed.
        cost: US dollars; 0 where nothing is paid.
    """

    ref: IssueRef
    label: Label
    reason: str
    classifier: str
    score: float | None = None
    raw: str = ""
    cost: float = 0.0


class Classifier(Protocol):
    """Says of issues whether they are about execution time."""

    @property
    def name(self) -> str:
        """Name and version; results of another name are not taken for its own."""
        ...

    def classify(self, issues: Sequence[IssueText]) -> Iterator[Classification]:
        """Answer for each issue, in the order given; one that cannot be had raises a JetoError."""
        ...
