"""Hydrates rows, repository by repository, and keeps what was found at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jeto_bench.errors import InfrastructureError, UsageError
from jeto_bench.git.making import ensure_clone_of
from jeto_bench.github.source import GitHubSource
from jeto_bench.hydrate.build import ForgeFacts, build_record
from jeto_bench.hydrate.folder import HydratedRow, HydrationFolder, row_hash
from jeto_bench.hydrate.from_clone import FixFacts, read_fix
from jeto_bench.hydrate.reasons import HydrationError, Missing
from jeto_bench.index.rows import IndexRow
from jeto_bench.records import UNRELEASED

__all__ = ["HydrationSettings", "hydrate"]


@dataclass(frozen=True, kw_only=True, slots=True)
class HydrationSettings:
    """How rows are hydrated.

    Attributes:
        clones: Folder with clones.
        origin: URL with ``{repo}`` that missing clones are made from; empty: none is made.
        hints: The discussion before the fix is asked for too.
        exact: A diff that adds or removes files which the index leaves out is refused.
        dataset_version: Put into every record.
    """

    clones: Path
    origin: str = ""
    hints: bool = True
    exact: bool = False
    dataset_version: str = UNRELEASED

    def options(self, source: GitHubSource | None) -> tuple[str, ...]:
        """What a record depends on besides its row."""
        texts = "no texts" if source is None else f"hints={self.hints}"
        return texts, f"exact={self.exact}", self.dataset_version


def hydrate(
    rows: Sequence[IndexRow],
    folder: HydrationFolder,
    settings: HydrationSettings,
    *,
    source: GitHubSource | None,
    say: Callable[[str], None],
) -> tuple[HydratedRow, ...]:
    """Return what became of each row; rows that are done already are not done again.

    Args:
        rows: Rows of an index.
        folder: Where results are kept.
        settings: Options.
        source: Where texts, stars and licences come from; None for records without them.
        say: Told a line for each row.

    Raises:
        JetoError: What the user gave cannot be read, or the disk is full.
    """
    options = settings.options(source)
    hashes = {row.instance_id: row_hash(row, options) for row in rows}
    results: dict[str, HydratedRow] = {}
    todo: dict[str, list[IndexRow]] = {}
    for row in rows:
        done = folder.done(row.instance_id, hashes[row.instance_id])
        if done is not None:
            results[row.instance_id] = done
        else:
            todo.setdefault(row.repo, []).append(row)
    if results:
        say(f"{len(results)} of {len(rows)} rows are done already")
    for repo, group in todo.items():
        for result in _repository(repo, group, hashes, settings, source):
            folder.keep(result)
            results[result.instance_id] = result
            what = f"{result.reason}: {result.detail}" if result.reason else "hydrated"
            more = f", {len(result.unlisted)} paths beside the index" if result.unlisted else ""
            say(f"{result.instance_id}  {what}{more}")
    ordered = tuple(results[row.instance_id] for row in rows)
    folder.finish(ordered)
    return ordered


def _repository(
    repo: str,
    rows: Sequence[IndexRow],
    hashes: dict[str, str],
    settings: HydrationSettings,
    source: GitHubSource | None,
) -> list[HydratedRow]:
    """One clone and one question to the forge for all rows of a repository."""
    found = _read_all(repo, rows, settings)
    readable = [row for row in rows if isinstance(found[row.instance_id], FixFacts)]
    forge = None
    try:
        if source is not None and readable:
            forge = _ask(source, repo, readable, settings)
    except InfrastructureError as error:
        failed = HydrationError(Missing.SOURCE, error.message)
        found |= dict.fromkeys((row.instance_id for row in readable), failed)
    return [
        _result(row, hashes[row.instance_id], found[row.instance_id], forge, settings)
        for row in rows
    ]


def _read_all(
    repo: str, rows: Sequence[IndexRow], settings: HydrationSettings
) -> dict[str, FixFacts | HydrationError]:
    """What the clone says of each row, or why it does not."""
    found: dict[str, FixFacts | HydrationError] = {}
    try:
        clone = ensure_clone_of(settings.clones, repo, origin=settings.origin, blobless=True)
    except UsageError as error:
        told = error.message if settings.origin else f"no clone of {repo} below {settings.clones}"
        lacking = HydrationError(Missing.CLONE, told)
        return {row.instance_id: lacking for row in rows}
    for row in rows:
        try:
            found[row.instance_id] = _read(row, clone, settings)
        except HydrationError as error:
            found[row.instance_id] = error
    return found


def _read(row: IndexRow, clone: Path, settings: HydrationSettings) -> FixFacts:
    fix = read_fix(row, clone)
    if fix.unlisted and settings.exact:
        raise HydrationError(
            Missing.OTHER_FILES, f"the diff changes {fix.unlisted[0]}, the index leaves it out"
        )
    return fix


def _ask(
    source: GitHubSource, repo: str, rows: Sequence[IndexRow], settings: HydrationSettings
) -> ForgeFacts:
    issues = sorted({row.issue_number for row in rows if row.issue_number is not None})
    pulls = sorted({row.pull_number for row in rows if row.pull_number is not None})
    return ForgeFacts(
        repository=source.repository(repo),
        issues=source.issues(repo, issues, comments=settings.hints) if issues else {},
        pulls=source.pulls(repo, pulls) if pulls else {},
    )


def _result(
    row: IndexRow,
    input_sha256: str,
    found: FixFacts | HydrationError,
    forge: ForgeFacts | None,
    settings: HydrationSettings,
) -> HydratedRow:
    try:
        if isinstance(found, HydrationError):
            raise found
        record = build_record(row, found, forge, dataset_version=settings.dataset_version)
    except HydrationError as error:
        return HydratedRow(
            instance_id=row.instance_id,
            input_sha256=input_sha256,
            reason=error.reason.value,
            detail=error.detail,
        )
    return HydratedRow(
        instance_id=row.instance_id,
        input_sha256=input_sha256,
        unlisted=found.unlisted,
        record=record,
    )
