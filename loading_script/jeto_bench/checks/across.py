"""What the rows of a dataset must satisfy together. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from jeto_bench.checks.finding import Check, Finding, error, warning
from jeto_bench.lifecycle.status import LifeStatus, RowLife, life_of
from jeto_bench.patches.identity import patch_identity
from jeto_bench.records import EtipRecord, Tier

__all__ = ["check_copies", "check_ids", "check_lives"]

_TIER_CONFIGS: Final = {
    "identified": set(Tier),
    "executable": {Tier.EXECUTABLE, Tier.VERIFIED},
    "verified": {Tier.VERIFIED},
    "with_tests": {Tier.EXECUTABLE, Tier.VERIFIED},
}
_SAME: Final = ("repo", "base_commit", "patch", "image", "image_digest")
"""Fields that two configs must not tell differently of one instance."""


def check_ids(configs: Mapping[str, Sequence[EtipRecord]]) -> Iterator[Finding]:
    """Yield ids that are there twice, told differently by two configs, or in the wrong config.

    Ids that differ only in case are two names of one image and, where the disk does not tell them
    apart, of one file.
    """
    known: dict[str, tuple[str, EtipRecord]] = {}
    for config, records in configs.items():
        seen: set[str] = set()
        folded: dict[str, str] = {}
        for record in records:
            name = record.instance_id
            where = f"{config}/{name}"
            twin = folded.setdefault(name.lower(), name)
            if name in seen:
                yield error(Check.IDS, where, "is there twice")
            elif twin != name:
                yield error(Check.IDS, where, f"differs from {twin} only in case")
            seen.add(name)
            if record.tier not in _TIER_CONFIGS.get(config, set(Tier)):
                yield error(Check.IDS, where, f"is of tier {record.tier.value}")
            other, before = known.setdefault(name, (config, record))
            differing = [f for f in _SAME if getattr(before, f) != getattr(record, f)]
            if differing:
                told = ", ".join(differing)
                yield error(Check.IDS, where, f"config {other} tells another {told}")


def check_copies(configs: Mapping[str, Sequence[EtipRecord]]) -> Iterator[Finding]:
    """Yield changes that one config has several times, and issues that several fixes share.

    One change that was picked to two release branches would count twice in every score, and so
    may one that a fork took over, or that is there under the repository's old name.
    """
    for config, records in configs.items():
        first: dict[str, EtipRecord] = {}
        issues: dict[tuple[str, int], str] = {}
        for record in records:
            where = f"{config}/{record.instance_id}"
            if not record.patch:
                continue
            same = first.setdefault(patch_identity(record.patch.encode()), record)
            if same is not record:
                found = error if same.repo.lower() == record.repo.lower() else warning
                yield found(Check.COPIES, where, f"is the same change as {same.instance_id}")
                continue
            if record.issue_number is None:
                continue
            issue = (record.repo.lower(), record.issue_number)
            shared = issues.setdefault(issue, record.instance_id)
            if shared != record.instance_id:
                yield warning(
                    Check.COPIES, where, f"fixes issue {record.issue_number}, as {shared} does"
                )


def check_lives(
    configs: Mapping[str, Sequence[EtipRecord]], lives: Sequence[RowLife]
) -> Iterator[Finding]:
    """Yield validation records without a row, with a wrong status, and rows that are not active."""
    names = {record.instance_id for records in configs.values() for record in records}
    for life in lives:
        where = life.instance_id
        there = life.instance_id in names
        if not there and life.status is not LifeStatus.RETIRED:
            yield error(Check.LIFE, where, "has a validation record, but no row")
            continue
        told = life_of(life.instance_id, life.validations)
        if life.validations and (told.status, told.reason) != (life.status, life.reason):
            yield error(
                Check.LIFE,
                where,
                f"is called {life.status.value}, its validations say {told.status.value}",
            )
        if there and life.status is LifeStatus.RETIRED:
            yield warning(Check.EFFECT, where, f"is retired: {life.reason}")
        elif life.status is LifeStatus.WEAK:
            yield warning(Check.EFFECT, where, f"is weak: {life.reason}")
        if life.opposite:
            faster, slower = life.in_outcome("improved")[0], life.in_outcome("regressed")[0]
            yield warning(
                Check.EFFECT, where, f"is faster on {faster.host} and slower on {slower.host}"
            )
