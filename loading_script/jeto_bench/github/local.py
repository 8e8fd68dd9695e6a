"""An export of a forge in a folder, so that everything runs without network.

One JSON object per line, its keys the fields of ``github/model.py`` (``comments`` may be left out):

- ``repositories.jsonl``, ``pulls.jsonl``, ``issues.jsonl``;
- ``commits.jsonl``, if there is one: ``{"repo", "commit", "pulls": [numbers]}``, what the forge
  itself said of a commit. A pull request merged by rebasing shares no commit but the last with the
  branch it was merged into; only the forge knows the others;
- ``moved.jsonl``, if there is one: ``{"asked", "full_name"}``, repositories under another name.

A file that is not there holds nothing; a folder without any of the first three is refused. In the
place of a folder a single file of issues will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from jeto_bench.convert import Where, convert
from jeto_bench.errors import InputError, UsageError
from jeto_bench.github.check import problems
from jeto_bench.github.exported import CommitPulls, Key, Moved, export_key
from jeto_bench.github.model import Issue, PullRequest, Repository
from jeto_bench.json_text import object_lines

__all__ = [
    "COMMITS",
    "ISSUES",
    "MOVED",
    "PULLS",
    "REPOSITORIES",
    "LocalStore",
    "read_export",
]

REPOSITORIES: Final = "repositories.jsonl"
PULLS: Final = "pulls.jsonl"
ISSUES: Final = "issues.jsonl"
COMMITS: Final = "commits.jsonl"
MOVED: Final = "moved.jsonl"

T = TypeVar("T", Repository, PullRequest, Issue, CommitPulls, Moved)


class LocalStore:
    """Answers from an exported folder; a ``GitHubSource``. Files are read when first needed.

    Names of repositories are compared without regard to case, as GitHub does.
    """

    def __init__(self, folder: Path) -> None:
        """Open a folder, or a file of issues.

        Raises:
            UsageError: It is not there, or holds no export.
        """
        self._folder = folder
        if folder.is_file():
            return
        if not any((folder / name).is_file() for name in (REPOSITORIES, PULLS, ISSUES)):
            raise UsageError(
                f"{folder} holds no export of a forge",
                advice=f"It has {REPOSITORIES}, {PULLS} or {ISSUES}, one JSON object per line.",
            )

    @property
    def answered(self) -> Sequence[float]:
        """Nothing: an export does not say when it was true."""
        return ()

    def repository(self, repo: str) -> Repository | None:
        """Facts of a repository; None if the export has none."""
        return self._repositories.get((self._name(repo), 0, ""))

    def pulls_of_commits(
        self, repo: str, commits: Sequence[str]
    ) -> Mapping[str, tuple[PullRequest, ...]]:
        """For each commit that belongs to some, the merged pull requests, by number."""
        name = self._name(repo)
        found: dict[str, tuple[PullRequest, ...]] = {}
        for commit in commits:
            numbers = self._numbers.get((name, 0, commit), set())
            known = (self._pulls.get((name, number, "")) for number in sorted(numbers))
            merged = tuple(pull for pull in known if pull is not None and pull.merged_at)
            if merged:
                found[commit] = merged
        return found

    def pulls(self, repo: str, numbers: Sequence[int]) -> Mapping[int, PullRequest]:
        """Pull requests by number, as far as the export has them."""
        name = self._name(repo)
        known = {number: self._pulls.get((name, number, "")) for number in numbers}
        return {number: pull for number, pull in known.items() if pull is not None}

    def issues(
        self, repo: str, numbers: Sequence[int], *, comments: bool = False
    ) -> Mapping[int, Issue]:
        """Issues by number, as far as the export has them; texts of comments only if asked for."""
        name = self._name(repo)
        known = {number: self._issues.get((name, number, "")) for number in numbers}
        return {
            number: issue if comments else replace(issue, comments=())
            for number, issue in known.items()
            if issue is not None
        }

    def all_issues(self) -> tuple[Issue, ...]:
        """Every issue of the export, in its order."""
        return tuple(self._issues.values())

    def _name(self, repo: str) -> str:
        folded = repo.casefold()
        moved = self._moved.get((folded, 0, ""))
        return folded if moved is None else moved.full_name.casefold()

    @cached_property
    def _repositories(self) -> dict[Key, Repository]:
        return read_export(self._folder / REPOSITORIES, Repository)

    @cached_property
    def _pulls(self) -> dict[Key, PullRequest]:
        return read_export(self._folder / PULLS, PullRequest)

    @cached_property
    def _issues(self) -> dict[Key, Issue]:
        alone = self._folder.is_file()
        return read_export(self._folder if alone else self._folder / ISSUES, Issue)

    @cached_property
    def _moved(self) -> dict[Key, Moved]:
        return read_export(self._folder / MOVED, Moved)

    @cached_property
    def _numbers(self) -> dict[Key, set[int]]:
        """Numbers of pull requests by commit: what they say, and above that what the forge said."""
        numbers: dict[Key, set[int]] = {}
        for (repo, number, _), pull in self._pulls.items():
            for commit in {*pull.commits, pull.merge_commit} - {""}:
                numbers.setdefault((repo, 0, commit), set()).add(number)
        said = read_export(self._folder / COMMITS, CommitPulls)
        return numbers | {key: set(item.pulls) for key, item in said.items()}


def read_export(path: Path, kind: type[T]) -> dict[Key, T]:
    """Return the objects of one file of an export, in its order; none if it is not there.

    Raises:
        DecodeError: A line is no such object, or tells of what another line tells.
    """
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    found: dict[Key, T] = {}
    lines: dict[Key, int] = {}
    for line, value in object_lines(data, source=str(path)):
        where = Where(source=str(path), line=line)
        whole = {"comments": [], **value} if kind is Issue else value
        item: T = convert(whole, kind, where, "")
        for message, field, advice in problems(item):
            where.fail(message, field, advice=advice)
        key = export_key(item)
        if key in found:
            where.fail(
                f"what it tells is already in line {lines[key]}", "", advice="Remove one of them."
            )
        found[key] = item
        lines[key] = line
    return found
