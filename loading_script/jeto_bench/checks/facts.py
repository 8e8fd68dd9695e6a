"""What each row of an index must satisfy beyond its schema. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from jeto_bench.checks.finding import Check, Finding, error
from jeto_bench.index.rows import IndexRow
from jeto_bench.lifecycle.status import LifeStatus

__all__ = ["check_facts"]

_SHA: Final = re.compile(r"[0-9a-f]{40}")
_REPO: Final = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+")


def check_facts(rows: Sequence[IndexRow]) -> Iterator[Finding]:
    """Yield what is wrong with the rows of an index, and fixes that are there twice."""
    known: dict[tuple[str, str], str] = {}
    for row in rows:
        where = f"index/{row.instance_id}"
        for message in _problems(row):
            yield error(Check.SCHEMA, where, message)
        for fix in row.fix_commits[-1:]:
            first = known.setdefault((row.repo.lower(), fix), row.instance_id)
            if first != row.instance_id:
                yield error(Check.COPIES, where, f"has the fix of {first}")


def _problems(row: IndexRow) -> Iterator[str]:
    if not _REPO.fullmatch(row.repo):
        yield f"repo {row.repo!r} is not owner/name"
    elif not row.instance_id.startswith(row.repo.replace("/", "__") + "-"):
        yield f"does not belong to repo {row.repo}"
    yield from _wrong_commits(row)
    if not row.changed_files:
        yield "names no changed file"
    for path in row.changed_files:
        if {"", ".", ".."} & set(path.split("/")):
            yield f"{path!r} is not inside the tree"
    if (row.status is LifeStatus.ACTIVE) == bool(row.status_reason):
        yield f"is {row.status.value} with{'' if row.status_reason else 'out'} a reason"


def _wrong_commits(row: IndexRow) -> Iterator[str]:
    if row.base_commit and not _SHA.fullmatch(row.base_commit):
        yield "base_commit is not 40 hex digits"
    if not row.fix_commits:
        yield "names no commit of the fix"
    for n, commit in enumerate(row.fix_commits):
        if not _SHA.fullmatch(commit):
            yield f"fix_commits[{n}] is not 40 hex digits"
