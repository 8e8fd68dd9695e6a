"""What each record must satisfy beyond its schema. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from jeto_bench.checks.finding import Check, Finding, error, warning
from jeto_bench.patches import PatchError, changed_paths, parse_patch
from jeto_bench.patches.identity import changes_code
from jeto_bench.records import EtipRecord, Tier

__all__ = ["check_row"]

_DEPTH = 1
"""Patches of records have the prefixes ``a/`` and ``b/``."""


def check_row(config: str, record: EtipRecord) -> Iterator[Finding]:
    """Yield what is wrong with one record by itself."""
    where = f"{config}/{record.instance_id}"
    yield from _check_patch(where, record)
    yield from _check_tests(where, record)
    if record.tier is not Tier.IDENTIFIED and not record.image_digest:
        yield warning(
            Check.IMAGE,
            where,
            f"no digest: {record.image} can only be built, and whoever builds it has another image",
        )
    if not record.problem_statement.strip():
        yield warning(Check.SCHEMA, where, "problem_statement is empty: nothing tells what is slow")


def _check_patch(where: str, record: EtipRecord) -> Iterator[Finding]:
    if not record.patch:
        yield error(Check.PATCH, where, "patch is empty: there is no reference")
        return
    raw = record.patch.encode()
    try:
        paths = changed_paths(parse_patch(raw), _DEPTH)
    except PatchError as problem:
        yield error(Check.PATCH, where, problem.message)
        return
    if paths != record.changed_files:
        differing = sorted(set(paths) ^ set(record.changed_files))
        yield error(
            Check.PATCH,
            where,
            f"patch and changed_files differ by {differing[0]}"
            + (f" and {len(differing) - 1} more" if differing[1:] else ""),
        )
    if not changes_code(raw):
        # Of identified rows nobody has run or read anything yet; those are told, not refused.
        told = warning if record.tier is Tier.IDENTIFIED else error
        yield told(
            Check.EFFECT, where, "the patch changes only white space and comments: it is no fix"
        )


def _check_tests(where: str, record: EtipRecord) -> Iterator[Finding]:
    if not record.test_patch:
        return
    try:
        tests = changed_paths(parse_patch(record.test_patch.encode()), _DEPTH)
    except PatchError as problem:
        yield error(Check.PATCH, where, f"test_patch: {problem.message}")
        return
    both = sorted(set(tests) & set(record.changed_files))
    if both:
        yield error(Check.PATCH, where, f"patch and test_patch both change {both[0]}")
