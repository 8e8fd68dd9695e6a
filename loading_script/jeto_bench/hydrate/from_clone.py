"""What a clone says of a fix: its base, its commits, its diff."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from jeto_bench.errors import InputError
from jeto_bench.git.clones import run_git
from jeto_bench.git.diffs import ChangedPaths, changed_between, diff_between, object_directory
from jeto_bench.git.fetching import fetch_difference
from jeto_bench.hydrate.reasons import HydrationError, Missing
from jeto_bench.index.rows import IndexRow
from jeto_bench.patches import PatchError, parse_patch

__all__ = ["FixFacts", "compare_paths", "read_fix"]

_FETCH_TIMEOUT_S: Final = 3600.0
_MAX_COMMITS: Final = 250
"""Commits of one fix that are looked at; GitHub shows no more of a pull request either."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FixFacts:
    """A fix as the clone has it.

    Attributes:
        base_commit: 40 hex digits.
        fix_commits: Commits after base that are not merges, oldest first; the last commit of the
            fix is the last one, whatever it is.
        created_at: When the fix was committed; ISO 8601, UTC.
        started_at: When the first of its commits was written; ISO 8601, UTC.
        message: Messages of the commits that are not merges, oldest first.
        patch: The difference between base and fix.
        paths: What it changes.
        unlisted: Paths that it adds or removes and that the index does not name.
    """

    base_commit: str
    fix_commits: tuple[str, ...]
    created_at: str
    started_at: str
    message: str
    patch: str
    paths: ChangedPaths
    unlisted: tuple[str, ...]


def read_fix(row: IndexRow, clone: Path) -> FixFacts:
    """Return what the clone says of a row's fix.

    Raises:
        HydrationError: Something is missing, or is not what the index says.
    """
    fix = _commit(clone, row.fix_commits[-1], Missing.FIX)
    base = _commit(clone, row.base_commit or f"{fix}^1", Missing.BASE)
    paths = _paths(clone, base, fix)
    unlisted = compare_paths(row.changed_files, paths)
    patch = _patch(clone, base, fix)
    commits = _commits(clone, base, fix)
    written = [when for _, when, _ in commits]
    return FixFacts(
        base_commit=base,
        fix_commits=(*(sha for sha, _, _ in commits if sha != fix), fix),
        created_at=_time(_show(clone, fix, "%ct")),
        started_at=_time(min(written, key=int) if written else _show(clone, fix, "%at")),
        message="\n\n".join(text for _, _, text in commits) or _show(clone, fix, "%B").strip(),
        patch=patch,
        paths=paths,
        unlisted=unlisted,
    )


def compare_paths(indexed: tuple[str, ...], paths: ChangedPaths) -> tuple[str, ...]:
    """Return the paths of a diff that the index leaves out, if it may leave them out. Pure.

    An index names all changed files, or, as the paper does, all that are there before and after.

    Raises:
        HydrationError: The diff changes other files than the index says.
    """
    listed = set(indexed)
    if listed == set(paths.all):
        return ()
    if listed == set(paths.modified):
        return tuple(sorted((*paths.added, *paths.removed)))
    lacking = sorted(listed - set(paths.all))
    more = sorted(set(paths.all) - listed)
    told = [f"does not change {path}" for path in lacking] + [f"changes {path}" for path in more]
    raise HydrationError(
        Missing.OTHER_FILES,
        f"the diff {told[0]}" + (f", and {len(told) - 1} such paths more" if told[1:] else ""),
    )


def _commit(clone: Path, name: str, missing: Missing) -> str:
    try:
        found = run_git(
            object_directory(clone),
            ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"],
        )
    except InputError as error:
        raise HydrationError(missing, f"{clone} has no commit {name}") from error
    return found.decode("ascii").strip()


def _paths(clone: Path, base: str, fix: str) -> ChangedPaths:
    try:
        return changed_between(clone, base, fix)
    except InputError as error:
        raise HydrationError(Missing.CONTENT, error.message) from error


def _patch(clone: Path, base: str, fix: str) -> str:
    try:
        fetch_difference(clone, base, fix, timeout=_FETCH_TIMEOUT_S)
        raw = diff_between(clone, base, fix)
    except InputError as error:
        raise HydrationError(Missing.CONTENT, error.message) from error
    try:
        parse_patch(raw)
        return raw.decode("utf-8")
    except PatchError as error:
        raise HydrationError(Missing.NO_PATCH, error.message) from error
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise HydrationError(Missing.NOT_TEXT, f"line {line} of the diff is not UTF-8") from error


def _commits(clone: Path, base: str, fix: str) -> list[tuple[str, str, str]]:
    """Commits that are not merges as (SHA, author's time, message), oldest first."""
    arguments = ["log", "-z", "--reverse", "--no-merges", f"--max-count={_MAX_COMMITS}"]
    text = _text(clone, [*arguments, "--format=%H%n%at%n%B", f"{base}..{fix}", "--"])
    found = []
    for entry in text.split("\0"):
        sha, _, rest = entry.partition("\n")
        when, _, message = rest.partition("\n")
        if sha:
            found.append((sha, when, message.strip()))
    return found


def _show(clone: Path, commit: str, wanted: str) -> str:
    return _text(clone, ["show", "--no-patch", f"--format={wanted}", commit, "--"]).strip()


def _text(clone: Path, arguments: list[str]) -> str:
    encoded = ["-c", "i18n.logOutputEncoding=UTF-8", *arguments]
    try:
        return run_git(object_directory(clone), encoded).decode("utf-8", "replace")
    except InputError as error:
        raise HydrationError(Missing.CONTENT, error.message) from error


def _time(seconds: str) -> str:
    return datetime.fromtimestamp(int(seconds), tz=UTC).isoformat().replace("+00:00", "Z")
