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
    """

    commits: int
    candidates: tuple[Candidate, ...]
    reasons: Mapping[ScanReason, int]


@dataclass(kw_only=True, slots=True)
class _Unit:
    """A merge that is a unit, while the commits that it brought come in."""

    brought: list[str] = field(default_factory=list)
    links: list[Reference] = field(default_factory=list)


def select(entries: Iterable[Entry], criteria: Criteria, *, tip: str) -> Selection:
    """Judge every commit of a history once.

    Args:
        entries: The history, children before their parents.
        criteria: What a change must be like.
        tip: Where it begins.
    """
    since = criteria.since_seconds
    lines = Lines(
        tip=tip.encode(), passes=lambda entry: judge_commit(entry, criteria, since) is None
    )
    reasons: Counter[ScanReason] = Counter()
    found: list[tuple[Entry, int | None]] = []
    units: dict[int, _Unit] = {}
    reverted: set[bytes] = set()
    commits = 0
    for entry in entries:
        commits += 1
        place, unit = lines.place(entry)
        taken_back = reverted_commits(entry)
        if taken_back and not reapplies(_subject(entry)):
            reverted.update(taken_back)
        if place != LINE:
            reasons[ScanReason.IN_MERGE] += 1
            if place in units:
                units[place].brought.append(entry.commit.decode())
                units[place].links += _links(entry)
            continue
        reason = _reason(entry, criteria, since, unit)
        if reason is None:
            found.append((entry, unit))
            if unit is not None:
                units[unit] = _Unit()
        else:
            reasons[reason] += 1
    kept = []
    for entry, unit in found:
        if _is_reverted(entry.commit, reverted):
            reasons[ScanReason.REVERTED] += 1
        else:
            kept.append(_candidate(entry, units[unit] if unit is not None else _Unit()))
    return Selection(commits=commits, candidates=tuple(kept), reasons=dict(reasons))


def _reason(entry: Entry, criteria: Criteria, since: int, unit: int | None) -> ScanReason | None:
    if entry.oversized:
        return ScanReason.OVERSIZED
    if unit is None and b" " in entry.parents:
        return ScanReason.MERGE_OF_BRANCHES
    return judge_commit(entry, criteria, since)


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
