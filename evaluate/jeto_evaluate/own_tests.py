"""Tests that came with a fix: which classes they are, and which failures are the clock's. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from jeto_bench.patches import changed_paths, parse_patch
from jeto_bench.records import EtipRecord
from jeto_evaluate.surefire import CaseResult

__all__ = ["files_of_tests", "is_time_out", "other_classes", "own_classes", "paths_of_tests"]

_TEST_ROOT: Final = re.compile(r"(?:^|/)src/(?:test|it)/java/(?P<name>.+)\.java$")
_TIME_OUT: Final = re.compile(
    r"timed out|timeout|time-out|did(?:n't| not) (?:finish|complete) within", re.IGNORECASE
)


def paths_of_tests(test_patch: str) -> tuple[str, ...]:
    """Return the files that a patch of tests adds or changes.

    Args:
        test_patch: As git writes it, with ``a/`` and ``b/``; it may be empty.

    Raises:
        PatchError: It is malformed.
    """
    if not test_patch.strip():
        return ()
    return changed_paths(parse_patch(test_patch.encode("utf-8", "surrogateescape")), 1)


def files_of_tests(test_patch: str) -> tuple[str, ...]:
    """Return the classes, by their files, that a patch of tests adds or changes, sorted.

    Raises:
        PatchError: It is malformed.
    """
    paths = paths_of_tests(test_patch)
    found = (match for path in paths if (match := _TEST_ROOT.search(path)))
    return tuple(sorted({match["name"].replace("/", ".") for match in found}))


def own_classes(record: EtipRecord) -> tuple[str, ...]:
    """Return the record's test classes whose files its ``test_patch`` adds or changes, sorted.

    Raises:
        PatchError: ``test_patch`` is malformed.
    """
    listed = set(record.test_classes)
    return tuple(name for name in files_of_tests(record.test_patch) if name in listed)


def other_classes(record: EtipRecord) -> tuple[str, ...]:
    """Return the record's test classes that base had before, in their order."""
    own = set(own_classes(record))
    return tuple(name for name in record.test_classes if name not in own)


def is_time_out(broken: Iterable[CaseResult]) -> bool:
    """Whether every one of these failures is a test's own time limit; of none, no."""
    messages = [case.message or "" for case in broken]
    return bool(messages) and all(_TIME_OUT.search(message) for message in messages)
