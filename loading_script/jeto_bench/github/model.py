"""Repositories, pull requests and issues as they are used here. Pure."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Issue", "IssueRef", "PullRequest", "Repository"]


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class IssueRef:
    """Names one issue or pull request.

    Attributes:
        repo: ``owner/name``, as GitHub spells it.
        number: Its number there.
    """

    repo: str
    number: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Repository:
    """A repository.

    Attributes:
        full_name: ``owner/name`` today; another name than the one asked for if it was moved.
        database_id: GitHub's number of it, which stays when it is renamed.
        stars: Stars.
        archived: No longer changed.
        fork: Made from another repository.
        license: SPDX id; empty if none is known.
        language: Main language; empty if none is known.
        default_branch: Name of the branch.
        pushed_at: ISO 8601, UTC.
    """

    full_name: str
    database_id: int
    stars: int
    archived: bool
    fork: bool
    license: str
    language: str
    default_branch: str
    pushed_at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Issue:
    """An issue, or a pull request asked for as one.

    Attributes:
        ref: Where it is.
        title: Title.
        body: Text in Markdown; may be empty.
        created_at: ISO 8601, UTC.
        labels: Names of its labels.
        is_pull_request: True if the number is a pull request's.
        comments: Texts of the discussion, oldest first, as (time, text); empty if not asked for.
    """

    ref: IssueRef
    title: str
    body: str
    created_at: str
    labels: tuple[str, ...]
    is_pull_request: bool
    comments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class PullRequest:
    """A merged pull request.

    Attributes:
        ref: Where it is.
        title: Title.
        body: Text in Markdown; may be empty.
        created_at: ISO 8601, UTC.
        merged_at: ISO 8601, UTC; empty if it was not merged.
        base_branch: Branch that it was merged into.
        base_commit: Tip of the base branch when the API was asked; not the merge base.
        head_commit: Tip of the pull request's own branch.
        merge_commit: Commit on the base branch that has its change: of a merge, the merge commit;
            of a squash, the one commit; of a rebase, the last. Empty if it was not merged.
        commits: Its own commits, oldest first.
        closing: Issues that it closes, as GitHub itself linked them.
    """

    ref: IssueRef
    title: str
    body: str
    created_at: str
    merged_at: str
    base_branch: str
    base_commit: str
    head_commit: str
    merge_commit: str
    commits: tuple[str, ...]
    closing: tuple[IssueRef, ...]
