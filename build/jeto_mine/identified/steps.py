"""The commits that a pull request became on a branch, as far as git tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from jeto_bench.github.model import PullRequest
from jeto_mine.identified.object_store import ObjectStore

__all__ = ["Step", "author_times", "first_parents", "on_branch", "own_commits", "rebased"]

_STEP_FORMAT: Final = (
    "-z",
    "--no-mailmap",
    "--no-notes",
    "--encoding=none",
    "--format=tformat:%H%x00%P%x00%ae %at%x00%ct%x00%e%x00%B%x00",
)
_STEP_FIELDS: Final = 7


class Step(NamedTuple):
    """One commit of a first-parent line, as far as a rebase keeps it.

    Attributes:
        commit: 40 hex digits.
        parents: Its parents.
        author: Author's address and time; a rebase keeps both.
        committed: Committer's time, seconds since 1970.
        message: The message.
        encoding: As the commit declares it.
    """

    commit: str
    parents: tuple[str, ...]
    author: bytes
    committed: int
    message: bytes
    encoding: bytes


def rebased(line: Sequence[Step], own: Sequence[Step]) -> int:
    """Return how many commits at the end of a line are a pull request's own, rebased; 0 if none.

    Args:
        line: The branch, newest first.
        own: The pull request's commits, newest first.
    """
    count = len(own)
    same = [step.author for step in line[:count]] == [step.author for step in own]
    linear = all(len(step.parents) == 1 for step in line[:count])
    return count if count and same and linear else 0


def on_branch(store: ObjectStore, commit: str) -> bool:
    """Say whether the clone has a commit, and its default branch reaches it."""
    found = store.run("cat-file", "--batch-check", stdin=f"{commit}\n".encode())
    if not found.endswith(b"\n") or b" commit " not in found:
        return False
    outside = store.run("rev-list", "--max-count=1", commit, f"^{store.tip}")
    return not outside


def own_commits(store: ObjectStore, pull: PullRequest) -> tuple[Step, ...]:
    """The pull request's own commits, newest first; none if the clone does not have them all."""
    stdin = "".join(f"{commit}\n" for commit in reversed(pull.commits)).encode()
    found = store.run("cat-file", "--batch-check", stdin=stdin)
    if found.count(b" commit ") != len(pull.commits):
        return ()
    return _steps(store.run("log", *_STEP_FORMAT, "--no-walk=unsorted", "--stdin", stdin=stdin))


def first_parents(store: ObjectStore, commit: str, count: int) -> tuple[Step, ...]:
    """Return a commit and those before it on its branch, newest first."""
    return _steps(
        store.run("log", *_STEP_FORMAT, "--first-parent", f"--max-count={count}", commit, "--")
    )


def author_times(store: ObjectStore, commits: Sequence[str]) -> Mapping[str, int]:
    """Return when commits were written, seconds since 1970, of those that the clone has."""
    stdin = "".join(f"{commit}\n" for commit in dict.fromkeys(commits)).encode()
    known = store.run("cat-file", "--batch-check", stdin=stdin) if stdin else b""
    there = [line.split()[0] + b"\n" for line in known.splitlines() if b" commit " in line]
    if not there:
        return {}
    arguments = ("--no-walk=unsorted", "--no-mailmap", "--format=%H %at", "--stdin")
    told = store.run("log", *arguments, stdin=b"".join(there)).decode().split()
    return {commit: int(time) for commit, time in zip(told[::2], told[1::2], strict=True)}


def _steps(output: bytes) -> tuple[Step, ...]:
    fields = output.split(b"\0")
    found = []
    for at in range(0, len(fields) - _STEP_FIELDS + 1, _STEP_FIELDS):
        commit, parents, author, committed, encoding, message = fields[at : at + 6]
        step = Step(
            commit=commit.decode(),
            parents=tuple(parents.decode().split()),
            author=author,
            committed=int(committed),
            message=message,
            encoding=encoding,
        )
        found.append(step)
    return tuple(found)
