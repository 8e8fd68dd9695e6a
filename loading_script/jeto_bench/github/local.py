"""An export of a forge in a folder, so that everything runs without network.

One JSON object per line, its keys the fields of ``github/model.py`` (``comments`` may be left out):

- ``repositories.jsonl``, ``pulls.jsonl``, ``issues.jsonl``;
- ``commits.jsonl``, if there is one: ``{"repo", "commit", "pulls": [numbers]}``, what the forge
  itself said of a commit. A pull request merged by rebasing shares no commit but the last with the
  branch it was merged into; only the forge knows the others;
- ``moved.jsonl``, if there is one: ``{"asked", "full_name"}``, repositories under another name.

A file that is not there holds nothing; a folder without any of the first three is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, TypeVar

from jeto_bench.convert import Where, convert
from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_bench.github.check import problems
from jeto_bench.github.model import Issue, PullRequest, Repository
from jeto_bench.json_text import object_lines

__all__ = [
    "COMMITS",
    "ISSUES",
    "MOVED",
    "PULLS",
    "REPOSITORIES",
    "CommitPulls",
    "LocalStore",
    "Moved",
    "decode_export",
]

REPOSITORIES: Final = "repositories.jsonl"
PULLS: Final = "pulls.jsonl"
ISSUES: Final = "issues.jsonl"
COMMITS: Final = "commits.jsonl"
MOVED: Final = "moved.jsonl"

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, kw_only=True, slots=True)
class CommitPulls:
    """What the forge said of one commit.

    Attributes:
        repo: ``owner/name``.
        commit: 40 hex digits.
        pulls: Numbers of the merged pull requests that it belongs to.
    """

    repo: str
    commit: str
    pulls: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """A repository that was asked for by another name than its own.

    Attributes:
        asked: The name asked for.
        full_name: Its name today.
    """

    asked: str
    full_name: str


class LocalStore:
    """Answers from an exported folder; a ``GitHubSource``. Files are read when first needed.

    Names of repositories are compared without regard to case, as GitHub does.
    """

    def __init__(self, folder: Path) -> None:
        """Open a folder.

        Raises:
            UsageError: It is not there, or holds no export.
        """
        if not any((folder / name).is_file() for name in (REPOSITORIES, PULLS, ISSUES)):
            raise UsageError(
                f"{folder} holds no export of a forge",
                advice=f"It has {REPOSITORIES}, {PULLS} or {ISSUES}, one JSON object per line.",
            )
        self._folder = folder

    def repository(self, repo: str) -> Repository | None:
        """Facts of a repository; None if the export has none."""
        return self._repositories.get(self._name(repo))

    def pulls_of_commits(
        self, repo: str, commits: Sequence[str]
    ) -> Mapping[str, tuple[PullRequest, ...]]:
        """For each commit that belongs to some, the merged pull requests, by number."""
        name = self._name(repo)
        found: dict[str, tuple[PullRequest, ...]] = {}
        for commit in commits:
            numbers = self._numbers.get((name, commit), set())
            known = (self._pulls.get((name, number)) for number in sorted(numbers))
            merged = tuple(pull for pull in known if pull is not None and pull.merged_at)
            if merged:
                found[commit] = merged
        return found

    def pulls(self, repo: str, numbers: Sequence[int]) -> Mapping[int, PullRequest]:
        """Pull requests by number, as far as the export has them."""
        name = self._name(repo)
        known = {number: self._pulls.get((name, number)) for number in numbers}
        return {number: pull for number, pull in known.items() if pull is not None}

    def issues(
        self, repo: str, numbers: Sequence[int], *, comments: bool = False
    ) -> Mapping[int, Issue]:
        """Issues by number, as far as the export has them; texts of comments only if asked for."""
        name = self._name(repo)
        known = {number: self._issues.get((name, number)) for number in numbers}
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
        moved = self._moved.get(folded)
        return folded if moved is None else moved.full_name.casefold()

    @cached_property
    def _repositories(self) -> dict[str, Repository]:
        return self._read(REPOSITORIES, Repository, lambda item: item.full_name.casefold())

    @cached_property
    def _pulls(self) -> dict[tuple[str, int], PullRequest]:
        return self._read(
            PULLS, PullRequest, lambda item: (item.ref.repo.casefold(), item.ref.number)
        )

    @cached_property
    def _issues(self) -> dict[tuple[str, int], Issue]:
        return self._read(ISSUES, Issue, lambda item: (item.ref.repo.casefold(), item.ref.number))

    @cached_property
    def _moved(self) -> dict[str, Moved]:
        return self._read(MOVED, Moved, lambda item: item.asked.casefold())

    @cached_property
    def _numbers(self) -> dict[tuple[str, str], set[int]]:
        """Numbers of pull requests by (repository, commit): what they say, and the forge."""
        numbers: dict[tuple[str, str], set[int]] = {}
        for (repo, number), pull in self._pulls.items():
            for commit in {*pull.commits, pull.merge_commit} - {""}:
                numbers.setdefault((repo, commit), set()).add(number)
        said = self._read(COMMITS, CommitPulls, lambda item: (item.repo.casefold(), item.commit))
        for key, item in said.items():
            numbers[key] = set(item.pulls)
        return numbers

    def _read(self, name: str, kind: type[T], key: Callable[[T], K]) -> dict[K, T]:
        path = self._folder / name
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from error
        return decode_export(data, kind, key, source=str(path))


def decode_export(data: bytes, kind: type[T], key: Callable[[T], K], *, source: str) -> dict[K, T]:
    """Return the objects of one file of an export by their key, in its order.

    Raises:
        DecodeError: A line is no such object, or another one has its key.
    """
    found: dict[K, T] = {}
    lines: dict[K, int] = {}
    for line, value in object_lines(data, source=source):
        where = Where(source=source, line=line)
        whole = {"comments": [], **value} if kind is Issue else value
        item: T = convert(whole, kind, where, "")
        if isinstance(item, Repository | PullRequest | Issue):
            for message, field, advice in problems(item):
                where.fail(message, field, advice=advice)
        name = key(item)
        if name in found:
            raise DecodeError(
                f"what it tells is already in line {lines[name]}",
                source=source,
                line=line,
                advice="Remove one of the two.",
            )
        found[name] = item
        lines[name] = line
    return found
