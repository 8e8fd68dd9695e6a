"""Writes down what was asked of a source, so that a run can be repeated without network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from jeto_bench.encode import row_to_dict
from jeto_bench.files import write_atomically
from jeto_bench.github.exported import CommitPulls, Exported, Key, Moved, export_key
from jeto_bench.github.local import (
    COMMITS,
    ISSUES,
    MOVED,
    PULLS,
    REPOSITORIES,
    read_export,
)
from jeto_bench.github.model import Issue, PullRequest, Repository
from jeto_bench.github.source import GitHubSource

__all__ = ["Recorder"]


class Recorder:
    """Passes questions on to a source and remembers the answers; a ``GitHubSource`` itself.

    What does not exist is not written: the export does not have it, which is the same answer.
    """

    def __init__(self, source: GitHubSource, folder: Path) -> None:
        """Ask ``source``; ``write`` adds to the export in ``folder``, which may be new.

        Raises:
            DecodeError: The folder has an export that does not follow the format.
        """
        self._source = source
        self._folder = folder
        self._repositories = read_export(folder / REPOSITORIES, Repository)
        self._pulls = read_export(folder / PULLS, PullRequest)
        self._issues = read_export(folder / ISSUES, Issue)
        self._commits = read_export(folder / COMMITS, CommitPulls)
        self._moved = read_export(folder / MOVED, Moved)

    @property
    def answered(self) -> Sequence[float]:
        """When the source's answers so far were the forge's."""
        return self._source.answered

    def repository(self, repo: str) -> Repository | None:
        """Ask the source, and remember."""
        found = self._source.repository(repo)
        if found is not None:
            self._repositories[export_key(found)] = found
            self._note_name(repo, found.full_name)
        return found

    def pulls_of_commits(
        self, repo: str, commits: Sequence[str]
    ) -> Mapping[str, tuple[PullRequest, ...]]:
        """Ask the source, and remember; that a commit belongs to none is remembered too."""
        found = self._source.pulls_of_commits(repo, commits)
        for pulls in found.values():
            self._note_pulls(repo, pulls)
        home = self._moved.get((repo.casefold(), 0, ""))
        name = repo if home is None else home.full_name
        for commit in commits:
            numbers = tuple(pull.ref.number for pull in found.get(commit, ()))
            said = CommitPulls(repo=name, commit=commit, pulls=numbers)
            self._commits[export_key(said)] = said
        return found

    def pulls(self, repo: str, numbers: Sequence[int]) -> Mapping[int, PullRequest]:
        """Ask the source, and remember."""
        found = self._source.pulls(repo, numbers)
        self._note_pulls(repo, found.values())
        return found

    def issues(
        self, repo: str, numbers: Sequence[int], *, comments: bool = False
    ) -> Mapping[int, Issue]:
        """Ask the source, and remember; comments that were had before are kept."""
        found = self._source.issues(repo, numbers, comments=comments)
        for issue in found.values():
            self._note_name(repo, issue.ref.repo)
            before = self._issues.get(export_key(issue))
            if comments or before is None or not before.comments:
                self._issues[export_key(issue)] = issue
        return found

    def write(self) -> None:
        """Write the export, each file whole or not at all, sorted. One process per folder."""
        self._write(REPOSITORIES, self._repositories)
        self._write(PULLS, self._pulls)
        self._write(ISSUES, self._issues)
        self._write(COMMITS, self._commits)
        self._write(MOVED, self._moved)

    def _note_pulls(self, repo: str, pulls: Iterable[PullRequest]) -> None:
        for pull in pulls:
            self._note_name(repo, pull.ref.repo)
            self._pulls[export_key(pull)] = pull

    def _note_name(self, asked: str, full_name: str) -> None:
        if asked.casefold() != full_name.casefold():
            moved = Moved(asked=asked, full_name=full_name)
            self._moved[export_key(moved)] = moved

    def _write(self, name: str, known: Mapping[Key, Exported]) -> None:
        ordered = (known[key] for key in sorted(known))
        lines = (json.dumps(row_to_dict(item), ensure_ascii=False) + "\n" for item in ordered)
        write_atomically(self._folder / name, "".join(lines).encode())
