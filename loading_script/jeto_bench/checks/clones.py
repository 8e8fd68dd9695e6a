"""Whether patches apply to their bases, and are the developers', as a clone shows it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from jeto_bench.checks.finding import Check, Finding, error, warning
from jeto_bench.errors import InputError, UsageError
from jeto_bench.git.clones import find_clone, run_git
from jeto_bench.git.diffs import object_directory
from jeto_bench.records import EtipRecord

__all__ = ["check_base"]


def check_base(config: str, record: EtipRecord, clones: Path) -> Iterator[Finding]:
    """Yield why a record's patch is not what brings its base to its fix.

    Nothing is written into the clone: the index and new objects are in a folder of their own.
    """
    where = f"{config}/{record.instance_id}"
    try:
        clone = object_directory(find_clone(clones, record.repo))
    except UsageError:
        yield warning(Check.BASE, where, f"not looked at: no clone of {record.repo} below {clones}")
        return
    with tempfile.TemporaryDirectory(prefix="jeto-check-") as folder:
        yield from _check(where, record, clone, _environment(clone, Path(folder)))


def _environment(clone: Path, folder: Path) -> dict[str, str]:
    objects = folder / "objects"
    objects.mkdir()
    # Git says where it keeps objects: beside the clone's own, if it is a linked work tree. What
    # that store borrows from others in turn, git finds by itself.
    told = run_git(clone, ["rev-parse", "--git-path", "objects"]).decode().rstrip("\n")
    return {
        "GIT_INDEX_FILE": str(folder / "index"),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str((clone / told).resolve()),
    }


def _check(
    where: str, record: EtipRecord, clone: Path, environment: Mapping[str, str]
) -> Iterator[Finding]:
    try:
        run_git(clone, ["read-tree", record.base_commit], environment=environment)
    except InputError:
        yield error(Check.BASE, where, f"the clone has no base commit {record.base_commit}")
        return
    for name in ("patch", "test_patch"):
        patch: str = getattr(record, name)
        if not patch:
            continue
        command = ["apply", "--cached", "--whitespace=nowarn", "-"]
        try:
            run_git(clone, command, stdin=patch.encode(), environment=environment)
        except InputError as problem:
            yield error(Check.BASE, where, f"{name} does not apply to its base: {_reason(problem)}")
            return
    yield from _compare(where, record, clone, environment)


def _compare(
    where: str, record: EtipRecord, clone: Path, environment: Mapping[str, str]
) -> Iterator[Finding]:
    """The files that were changed must be those of the fix, byte for byte."""
    fix = record.fix_commits[-1]
    try:
        run_git(clone, ["cat-file", "-e", f"{fix}^{{commit}}"], environment=environment)
    except InputError:
        yield warning(Check.BASE, where, f"the clone has no fix commit {fix} to compare with")
        return
    options = ["--no-renames", "--name-only", "-z", "--no-ext-diff"]
    paths = [f":(literal){path}" for path in record.changed_files]
    command = ["diff", "--cached", *options, fix, "--", *paths]
    try:
        differing = run_git(clone, command, environment=environment).split(b"\0")
    except InputError as problem:
        yield warning(Check.BASE, where, f"cannot be compared with its fix: {_reason(problem)}")
        return
    if differing[0]:
        path = differing[0].decode("utf-8", "replace")
        yield error(Check.BASE, where, f"patch does not lead to what the fix has in {path}")


def _reason(problem: InputError) -> str:
    lines = [line for line in problem.message.splitlines() if line.strip()]
    return lines[0].partition("failed: ")[2] or lines[0]
