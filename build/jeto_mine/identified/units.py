"""What is mined: a commit, a merge, or a pull request, on its way to a record. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from jeto_bench.github.model import Issue, PullRequest
from jeto_mine.identified.criteria import ChangedFile, changed_files
from jeto_mine.identified.linking import Reference, pull_of_subject
from jeto_mine.identified.reasons import Mark, ScanReason
from jeto_mine.identified.selection import Candidate
from jeto_mine.identified.texts import Text

__all__ = ["Funnel", "Unit", "unit_of"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Unit:
    """One change that may be an ETIP.

    Attributes:
        base: Version before it, 40 hex digits.
        fix_commits: Its commits, oldest first; the last has the version after it.
        committed: Time of the last one, seconds since 1970.
        message: Message of the last one.
        files: Files that differ between the two versions.
        links: What its messages refer to, in order.
        pull: The pull request, if the forge named it.
        pull_number: Its number, if it is known.
        issue: The issue, if the forge was asked.
        issue_number: Its number; 0 until one is chosen.
        marks: What it lacks or has more.
    """

    base: str
    fix_commits: tuple[str, ...]
    committed: int
    message: Text
    files: tuple[ChangedFile, ...]
    links: tuple[Reference, ...]
    pull: PullRequest | None = None
    pull_number: int | None = None
    issue: Issue | None = None
    issue_number: int = 0
    marks: frozenset[Mark] = frozenset()

    @property
    def head(self) -> str:
        """The version after it."""
        return self.fix_commits[-1]


@dataclass(kw_only=True, slots=True)
class Funnel:
    """Counts what is left out: every commit ends once.

    Attributes:
        reasons: Commits by reason.
        left_out: Commits that passed the criteria, with the reason why they are no record.
    """

    reasons: Counter[ScanReason] = field(default_factory=Counter)
    left_out: dict[str, ScanReason] = field(default_factory=dict)

    def drop(self, commit: str, reason: ScanReason) -> None:
        """Leave a commit out."""
        self.reasons[reason] += 1
        self.left_out[commit] = reason


def unit_of(candidate: Candidate) -> Unit:
    """Return a commit or merge as it stands in the history, without asking a forge.

    The base is its first parent; without one it is empty. The number of a pull request is taken
    from a merge's message, and from ``(#N)`` where the forge itself made the commit; elsewhere it
    may be an issue's.
    """
    merge = len(candidate.parents) > 1
    number = pull_of_subject(candidate.message.text, merge=merge)
    return Unit(
        base=candidate.parents[0] if candidate.parents else "",
        fix_commits=(*candidate.brought, candidate.commit),
        committed=candidate.committed,
        message=candidate.message,
        files=changed_files(candidate.raw),
        links=candidate.links,
        pull_number=number if merge or candidate.by_forge else None,
    )
