"""One repository, from its clone to identified records and the reasons of everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jeto_bench.github.model import Repository
from jeto_bench.github.source import GitHubSource
from jeto_bench.patches.identity import patch_identity
from jeto_bench.records import EtipRecord
from jeto_mine.classifiers.protocol import Classifier
from jeto_mine.identified.assembled import Assembled
from jeto_mine.identified.assembly import BuildChoice, assemble
from jeto_mine.identified.criteria import Criteria
from jeto_mine.identified.dedup import Change, Group, group_changes, picked_from
from jeto_mine.identified.history import read_history
from jeto_mine.identified.identified_records import identified_records
from jeto_mine.identified.issues import Linking, choose_issues
from jeto_mine.identified.object_store import ObjectStore, open_store
from jeto_mine.identified.pulls import as_pulls
from jeto_mine.identified.reasons import Mark, ScanReason
from jeto_mine.identified.selection import Candidate, select
from jeto_mine.identified.units import Funnel, Unit, unit_of

__all__ = ["ScanOptions", "Scanned", "scan_clone"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ScanOptions:
    """What decides the result, beside the history and what the forge knows.

    Attributes:
        criteria: What a change must be like.
        linking: What counts as a link to an issue.
        build: What the tree before it must be like.
        branch: Branch to read; empty: the default branch.
    """

    criteria: Criteria = field(default_factory=Criteria)
    linking: Linking = Linking.CLOSING
    build: BuildChoice = field(default_factory=BuildChoice)
    branch: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scanned:
    """What came of a repository.

    Attributes:
        tip: Commit that its history was read from.
        commits: Commits read; records and reasons add up to it.
        records: Identified ETIPs, oldest first.
        duplicates: Records of changes that another record represents.
        groups: Which ones these are.
        reasons: Commits by reason.
        marks: Records by mark.
        left_out: Commits that passed the criteria and had a link, with their reason.
    """

    tip: str
    commits: int
    records: tuple[EtipRecord, ...]
    duplicates: tuple[EtipRecord, ...]
    groups: tuple[Group, ...]
    reasons: Mapping[ScanReason, int]
    marks: Mapping[Mark, int] = field(default_factory=dict)
    left_out: Mapping[str, ScanReason] = field(default_factory=dict)


def scan_clone(
    clone: Path,
    repo: str,
    options: ScanOptions,
    *,
    source: GitHubSource | None = None,
    classifier: Classifier | None = None,
) -> Scanned:
    """Scan the history of one clone.

    Args:
        clone: The clone, bare or not, blobless or not.
        repo: ``owner/name``.
        options: What decides.
        source: The forge, or an export of it; ``None``: messages alone link, and no text of an
            issue is had.
        classifier: Says which issues are about time; ``None``: all are taken, and marked.

    Raises:
        JetoError: The clone cannot be read, or the forge or the classifier does not answer.
    """
    with open_store(clone, branch=options.branch) as store:
        selection = select(read_history(store), options.criteria, tip=store.tip)
        funnel = Funnel()
        funnel.reasons.update(selection.reasons)
        units = _units(
            selection.candidates,
            store,
            source,
            repo=repo,
            criteria=options.criteria,
            funnel=funnel,
        )
        units = choose_issues(
            units,
            source,
            repo=repo,
            linking=options.linking,
            classifier=classifier,
            funnel=funnel,
        )
        items = assemble(units, store, options.build, funnel)
        tip = store.tip
    facts = source.repository(repo) if source is not None else None
    return _scanned(items, funnel, repo=repo, facts=facts, tip=tip, commits=selection.commits)


def _units(
    candidates: Sequence[Candidate],
    store: ObjectStore,
    source: GitHubSource | None,
    *,
    repo: str,
    criteria: Criteria,
    funnel: Funnel,
) -> tuple[Unit, ...]:
    if source is None:
        return tuple(unit_of(candidate) for candidate in candidates)
    return as_pulls(candidates, store, source, repo=repo, criteria=criteria, funnel=funnel)


def _scanned(
    found: Sequence[Assembled],
    funnel: Funnel,
    *,
    repo: str,
    facts: Repository | None,
    tip: str,
    commits: int,
) -> Scanned:
    """Set duplicates apart and name the records."""
    items = sorted(found, key=lambda item: (item.unit.committed, item.unit.head))
    groups = _groups(items)
    others = {commit for group in groups for commit in group.others}
    kept = tuple(item for item in items if item.unit.head not in others)
    again = tuple(item for item in items if item.unit.head in others)
    for item in again:
        funnel.drop(item.unit.head, ScanReason.DUPLICATE)
    records = identified_records(kept, repo, facts)
    duplicates = identified_records(again, repo, facts, by_commit=True)
    names = {record.fix_commits[-1]: record.instance_id for record in (*records, *duplicates)}
    marks = {mark: sum(mark in item.unit.marks for item in kept) for mark in Mark}
    return Scanned(
        tip=tip,
        commits=commits,
        records=records,
        duplicates=duplicates,
        groups=tuple(_named(group, names) for group in groups),
        reasons=_counts(funnel),
        marks={mark: count for mark, count in marks.items() if count},
        left_out={
            commit: reason
            for commit, reason in sorted(funnel.left_out.items())
            if reason is not ScanReason.NOT_LINKED
        },
    )


def _counts(funnel: Funnel) -> Mapping[ScanReason, int]:
    return {reason: funnel.reasons[reason] for reason in ScanReason if funnel.reasons[reason]}


def _groups(items: Sequence[Assembled]) -> tuple[Group, ...]:
    return group_changes(
        [
            Change(
                name=item.unit.head,
                commits=item.unit.fix_commits,
                time=item.unit.committed,
                issue=item.unit.issue_number,
                subject=item.unit.message.text.strip().partition("\n")[0],
                identity=patch_identity(item.patch),
                picked=picked_from(item.unit.message.text),
            )
            for item in items
        ]
    )


def _named(group: Group, names: Mapping[str, str]) -> Group:
    """Return a group with the ids of records in the place of commits."""
    return replace(
        group,
        representative=names[group.representative],
        others=tuple(names[commit] for commit in group.others),
    )
