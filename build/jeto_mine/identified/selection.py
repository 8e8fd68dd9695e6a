"""Steps 2 to 4 on one history: what passes the criteria, and what its messages link. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from jeto_mine.identified.criteria import Criteria, judge_commit, reapplies, reverted_commits
from jeto_mine.identified.entries import Entry
from jeto_mine.identified.lines import LINE, Lines
from jeto_mine.identified.linking import Reference, references
from jeto_mine.identified.reasons import ScanReason
from jeto_mine.identified.texts import Text, decode_message

__all__ = ["Candidate", "Selection", "select"]

_SHA: Final = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A commit, or a merge with the commits that it brought, whose change passes the criteria.

    Attributes:
        commit: 40 hex digits; of a merge, the merge itself.
        parents: Its parents.
        committed: Committer's time, seconds since 1970.
        author: Author's name and address, as bytes, which a rebase keeps.
        by_forge: The forge itself made the commit (``noreply@github.com`` committed it).
        message: Its message.
        raw: Its changed files; see ``history.Entry``.
        brought: Commits that belong to it, oldest first, without itself.
        links: What the messages refer to: its own first, then those of the commits it brought.
    """

    commit: str
    parents: tuple[str, ...]
    committed: int
    author: tuple[bytes, bytes]
    by_forge: bool
    message: Text
    raw: bytes
    brought: tuple[str, ...]
    links: tuple[Reference, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """What came of a history.

    Attributes:
        commits: Commits read.
        candidates: Those that pass, newest first.
        reasons: How many commits ended for which reason; with the candidates, all of them.
        watched: Reasons of the commits that were asked for and are in no candidate; of one that
            belongs to a merge, the merge's.
    """

    commits: int
    candidates: tuple[Candidate, ...]
    reasons: Mapping[ScanReason, int]
    watched: Mapping[str, ScanReason] = field(default_factory=dict)


@dataclass(kw_only=True, slots=True)
class _Unit:
    """A merge that is a unit, while the commits that it brought come in."""

    brought: list[str] = field(default_factory=list)
    links: list[Reference] = field(default_factory=list)


def select(
    entries: Iterable[Entry],
    criteria: Criteria,
    *,
    tip: str,
    watch: frozenset[str] = frozenset(),
) -> Selection:
    """Judge every commit of a history once.

    Args:
        entries: The history, children before their parents.
        criteria: What a change must be like.
        tip: Where it begins.
        watch: Commits whose reasons are told one by one.
    """
    sieve = _Sieve(criteria=criteria, tip=tip, asked={commit.encode() for commit in watch})
    for entry in entries:
        sieve.take(entry)
    return sieve.selection()


@dataclass(kw_only=True, slots=True)
class _Sieve:
    """Takes one commit after the other; keeps what passes, and numbers of the rest."""

    criteria: Criteria
    tip: str
    asked: set[bytes]
    since: int = field(init=False)
    lines: Lines = field(init=False)
    commits: int = 0
    reasons: Counter[ScanReason] = field(default_factory=Counter)
    found: list[tuple[Entry, int | None]] = field(default_factory=list)
    units: dict[int, _Unit] = field(default_factory=dict)
    failed: dict[int, ScanReason] = field(default_factory=dict)
    reverted: set[bytes] = field(default_factory=set)
    watched: dict[str, ScanReason] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.since = self.criteria.since_seconds
        self.lines = Lines(tip=self.tip.encode(), passes=self._passes)

    def take(self, entry: Entry) -> None:
        """Judge a commit."""
        self.commits += 1
        place, unit = self.lines.place(entry)
        taken_back = reverted_commits(entry)
        if taken_back and not reapplies(_subject(entry)):
            self.reverted.update(taken_back)
        if place != LINE:
            self._belongs(entry, place)
            return
        reason = self._reason(entry, unit)
        if reason is None:
            self.found.append((entry, unit))
            if unit is not None:
                self.units[unit] = _Unit()
            return
        self._drop(entry.commit, reason)
        if unit is not None:
            self.failed[unit] = reason

    def selection(self) -> Selection:
        """Return what came of it, after the last commit."""
        kept = []
        for entry, unit in self.found:
            if _is_reverted(entry.commit, self.reverted):
                self._drop(entry.commit, ScanReason.REVERTED)
            else:
                kept.append(_candidate(entry, self.units[unit] if unit is not None else _Unit()))
        return Selection(
            commits=self.commits,
            candidates=tuple(kept),
            reasons=dict(self.reasons),
            watched=self.watched,
        )

    def _passes(self, entry: Entry) -> bool:
        return judge_commit(entry, self.criteria, self.since) is None

    def _belongs(self, entry: Entry, unit: int) -> None:
        self.reasons[ScanReason.IN_MERGE] += 1
        if unit in self.units:
            self.units[unit].brought.append(entry.commit.decode())
            self.units[unit].links += _links(entry)
        elif entry.commit in self.asked:
            self.watched[entry.commit.decode()] = self.failed[unit]

    def _reason(self, entry: Entry, unit: int | None) -> ScanReason | None:
        if entry.oversized:
            return ScanReason.OVERSIZED
        if unit is None and b" " in entry.parents:
            return ScanReason.MERGE_OF_BRANCHES
        return judge_commit(entry, self.criteria, self.since)

    def _drop(self, commit: bytes, reason: ScanReason) -> None:
        self.reasons[reason] += 1
        if commit in self.asked:
            self.watched[commit.decode()] = reason


def _is_reverted(commit: bytes, reverted: set[bytes]) -> bool:
    if commit in reverted:
        return True
    return any(commit.startswith(short) for short in reverted if len(short) < _SHA)


def _candidate(entry: Entry, unit: _Unit) -> Candidate:
    links = dict.fromkeys((*_links(entry), *reversed(unit.links)))
    return Candidate(
        commit=entry.commit.decode(),
        parents=tuple(entry.parents.decode().split()),
        committed=int(entry.committed),
        author=(entry.author, entry.author_email),
        by_forge=entry.committer_email == b"noreply@github.com",
        message=decode_message(entry.message, entry.encoding),
        raw=entry.raw,
        brought=tuple(reversed(unit.brought)),
        links=tuple(links),
    )


def _links(entry: Entry) -> tuple[Reference, ...]:
    return references(decode_message(entry.message, entry.encoding).text, markdown=False)


def _subject(entry: Entry) -> str:
    return entry.message.lstrip().partition(b"\n")[0].decode("utf-8", "replace")
