"""From an issue of a forge to what a classifier may read. Pure."""

from __future__ import annotations

from jeto_bench.github.model import Issue
from jeto_mine.classifiers.protocol import IssueText

__all__ = ["text_of"]


def text_of(issue: Issue) -> IssueText:
    """Title, text and labels; the discussion stays out, for it tells of the fix."""
    return IssueText(ref=issue.ref, title=issue.title, body=issue.body, labels=issue.labels)
