"""Semantic versions, of datasets and of the harness (semver.org, version 2.0.0). Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

from jeto_bench.errors import UsageError

__all__ = ["SemanticVersion"]

_NUMBER = r"(0|[1-9][0-9]{0,17})"
_LABELS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_VERSION = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_LABELS}))?(?:\+{_LABELS})?")


@total_ordering
@dataclass(frozen=True, slots=True)
class SemanticVersion:
    """A version that can be compared; build metadata do not count.

    Attributes:
        numbers: Major, minor, patch.
        labels: Of a pre-release, such as ``("rc", "1")``; empty for a release.
    """

    numbers: tuple[int, int, int]
    labels: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> SemanticVersion:
        """Return a version from its text.

        Raises:
            UsageError: It is no semantic version.
        """
        match = _VERSION.fullmatch(text)
        if match is None:
            raise UsageError(
                f"{text!r} is not a semantic version", advice="For example 1.0.0 or 1.1.0-rc.1."
            )
        major, minor, patch, labels = match.groups()
        return cls((int(major), int(minor), int(patch)), tuple(labels.split(".")) if labels else ())

    def __str__(self) -> str:
        numbers = ".".join(map(str, self.numbers))
        return numbers + (f"-{'.'.join(self.labels)}" if self.labels else "")

    def __lt__(self, other: SemanticVersion) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[tuple[int, int, int], bool, list[tuple[bool, int, str]]]:
        """Order as semver.org, clause 11: numbers before words, a release after all of its own."""
        labels = [
            (not label.isdigit(), int(label) if label.isdigit() else 0, label)
            for label in self.labels
        ]
        return self.numbers, not self.labels, labels
