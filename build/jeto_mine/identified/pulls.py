"""A commit that belongs to a pull request is replaced by the pull request as a whole.

Base and head are versions of the branch that it was merged into: the head is what the merge made,
the base what the branch was before. Their difference is the pull request's change and nothing else,
whichever way it was merged: of a merge the first parent and the merge, of a squash the one commit
and its parent, of a rebase the last of its commits and the parent of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from jeto_bench.github.model import PullRequest
from jeto_bench.github.source import GitHubSource
from jeto_mine.identified.contents import Pair, changes
from jeto_mine.identified.criteria import Criteria, judge_files
from jeto_mine.identified.linking import pull_of_subject, references
from jeto_mine.identified.object_store import ObjectStore
from jeto_mine.identified.reasons import ScanReason
from jeto_mine.identified.selection import Candidate
from jeto_mine.identified.steps import (
    Step,
    first_parents,
    on_branch,
    own_commits,
    rebased,
)
from jeto_mine.identified.texts import decode_message
from jeto_mine.identified.units import Funnel, Unit, unit_of

__all__ = ["as_pulls", "squashed"]

_MAX_COMMITS = 250
"""As many commits of a pull request as GitHub lists."""


def as_pulls(
    candidates: Sequence[Candidate],
    store: ObjectStore,
    source: GitHubSource,
    *,
    repo: str,
    criteria: Criteria,
    funnel: Funnel,
) -> tuple[Unit, ...]:
    """Return units, those of pull requests in the place of their commits.

    Raises:
        JetoError: The forge or git does not answer.
    """
    known = source.pulls_of_commits(repo, [item.commit for item in candidates])
    wholes: dict[int, Unit | ScanReason | None] = {}
    found: dict[str, _Found] = {}
    for candidate in candidates:
        pull = _chosen(known.get(candidate.commit, ()), candidate)
        whole: Unit | ScanReason | None = None
        if pull is not None and not _stands_for(candidate, pull):
            number = pull.ref.number
            if number not in wholes:
                wholes[number] = _whole(pull, store, source, repo)
            whole = wholes[number]
        if isinstance(whole, ScanReason):
            funnel.drop(candidate.commit, whole)
            continue
        unit = _with_links(whole, candidate) if whole is not None else unit_of(candidate)
        if pull is not None:
            unit = replace(unit, pull=pull, pull_number=pull.ref.number)
        if unit.head in found:
            # Any of its commits may have the link.
            earlier = found[unit.head]
            linked = _with_links(earlier.unit, candidate)
            found[unit.head] = earlier._replace(unit=linked)
            funnel.drop(candidate.commit, ScanReason.IN_MERGE)
        else:
            found[unit.head] = _Found(unit, candidate.commit, again=whole is not None)
    return _again(tuple(found.values()), store, criteria, funnel)


class _Found(NamedTuple):
    """A unit, the commit that led to it, and whether its files are still to be judged."""

    unit: Unit
    commit: str
    again: bool


def squashed(message: str, pull: PullRequest) -> bool:
    """Say whether a commit's message is that of a squash: it names the number or has the title."""
    subject = message.lstrip().partition("\n")[0].strip()
    return pull_of_subject(message, merge=False) == pull.ref.number or subject == pull.title.strip()


def _chosen(pulls: Sequence[PullRequest], candidate: Candidate) -> PullRequest | None:
    """The one that made the commit, else the first that was merged."""
    merged = [pull for pull in pulls if pull.merge_commit]
    made = [pull for pull in merged if pull.merge_commit == candidate.commit]
    return next(iter((*made, *merged)), None)


def _with_links(unit: Unit, candidate: Candidate) -> Unit:
    return replace(unit, links=tuple(dict.fromkeys((*unit.links, *candidate.links))))


def _stands_for(candidate: Candidate, pull: PullRequest) -> bool:
    """Say whether a commit is all of the pull request."""
    return candidate.commit == pull.merge_commit and (
        len(candidate.parents) > 1
        or len(pull.commits) <= 1
        or squashed(candidate.message.text, pull)
    )


def _whole(
    pull: PullRequest, store: ObjectStore, source: GitHubSource, repo: str
) -> Unit | ScanReason | None:
    """Return what a pull request became; ``None`` if this branch does not have it as a whole."""
    if not on_branch(store, pull.merge_commit):
        # Merged elsewhere, and brought here otherwise: as a pick, or by a push over the merge.
        return None
    line = first_parents(store, pull.merge_commit, max(min(len(pull.commits), _MAX_COMMITS), 1))
    last = line[0]
    if len(last.parents) > 1:
        return _from(line[:1], (*pull.commits, last.commit), pull)
    if squashed(decode_message(last.message, last.encoding).text, pull):
        return _from(line[:1], (last.commit,), pull)
    found = rebased(line, own_commits(store, pull)) or _told(line, pull, source, repo)
    if not found:
        return ScanReason.PULL_UNCLEAR
    return _from(line[:found], tuple(step.commit for step in reversed(line[:found])), pull)


def _told(line: Sequence[Step], pull: PullRequest, source: GitHubSource, repo: str) -> int:
    """How many commits from the merge back the forge itself counts to the pull request."""
    answers = source.pulls_of_commits(repo, [step.commit for step in line])
    count = 0
    for step in line:
        if pull.ref not in [item.ref for item in answers.get(step.commit, ())]:
            break
        count += 1
    # The last commit alone is what an export tells that knows no more.
    return count if count > 1 else 0


def _from(steps: Sequence[Step], commits: tuple[str, ...], pull: PullRequest) -> Unit:
    last, first = steps[0], steps[-1]
    links = [
        link
        for step in steps
        for link in references(decode_message(step.message, step.encoding).text, markdown=False)
    ]
    return Unit(
        base=first.parents[0] if first.parents else "",
        fix_commits=commits,
        committed=last.committed,
        message=decode_message(last.message, last.encoding),
        files=(),
        links=tuple(dict.fromkeys(links)),
        pull=pull,
    )


def _again(
    found: Sequence[_Found], store: ObjectStore, criteria: Criteria, funnel: Funnel
) -> tuple[Unit, ...]:
    """Judge the files of pull requests that are more than the commit that led to them."""
    pairs = [
        Pair(item.unit.base, item.unit.head) for item in found if item.again and item.unit.base
    ]
    differing = dict(zip(pairs, changes(store, pairs), strict=True)) if pairs else {}
    kept = []
    for item in found:
        if not item.again:
            kept.append(item.unit)
            continue
        files = differing.get(Pair(item.unit.base, item.unit.head), ())
        if judge_files(files, criteria) is None:
            kept.append(replace(item.unit, files=files))
        else:
            funnel.drop(item.commit, ScanReason.PULL_FILES)
    return tuple(kept)
