"""What differs between two versions of a dataset, row by row (field.md row 105). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

from jeto_bench.index.rows import IndexRow
from jeto_bench.lifecycle.status import LifeStatus, RowLife
from jeto_bench.records import EtipRecord
from jeto_bench.versions.numbers import SemanticVersion

__all__ = [
    "Change",
    "ConfigChanges",
    "DatasetChanges",
    "Row",
    "RowChange",
    "compare_configs",
    "compare_lives",
    "least_version",
]


class Change(StrEnum):
    """What happened to a row."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    RETIRED = "retired"
    WEAK = "weak"
    REVIVED = "revived"


@dataclass(frozen=True, kw_only=True, slots=True)
class RowChange:
    """One row that differs.

    Attributes:
        instance_id: The row.
        change: What happened.
        fields: Names of the fields that differ, of a changed row; else empty.
        reason: Why it is weak or retired.
    """

    instance_id: str
    change: Change
    fields: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfigChanges:
    """What differs in one config.

    Attributes:
        config: Its name.
        before: Rows in the older version.
        after: Rows in the newer one.
        rows: Rows that differ, sorted by id.
    """

    config: str
    before: int
    after: int
    rows: tuple[RowChange, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class DatasetChanges:
    """What differs between two versions.

    Attributes:
        configs: Configs that one of them has, sorted by name.
        lives: Rows whose status differs, sorted by id.
    """

    configs: tuple[ConfigChanges, ...]
    lives: tuple[RowChange, ...]

    @property
    def empty(self) -> bool:
        """Nothing differs."""
        return not self.lives and not any(item.rows for item in self.configs)


Row = EtipRecord | IndexRow
Rows = Mapping[str, Sequence[Row]]

_IN_EVERY_ROW = {"dataset_version"}


def compare_configs(before: Rows, after: Rows) -> tuple[ConfigChanges, ...]:
    """Return what differs, config by config; the version that every row names does not count."""
    return tuple(
        _compare(name, before.get(name, ()), after.get(name, ()))
        for name in sorted({*before, *after})
    )


def compare_lives(before: Iterable[RowLife], after: Iterable[RowLife]) -> tuple[RowChange, ...]:
    """Return the rows whose status differs; a row without validations is active."""
    old = {life.instance_id: life.status for life in before}
    names = {LifeStatus.WEAK: Change.WEAK, LifeStatus.RETIRED: Change.RETIRED}
    found = []
    for life in sorted(after, key=lambda item: item.instance_id):
        if life.status is not old.get(life.instance_id, LifeStatus.ACTIVE):
            change = names.get(life.status, Change.REVIVED)
            found.append(RowChange(instance_id=life.instance_id, change=change, reason=life.reason))
    return tuple(found)


def least_version(before: SemanticVersion, changes: DatasetChanges) -> SemanticVersion:
    """Return the lowest version that the newer dataset may have.

    Results on rows that went away, were retired, or say something else are not comparable any
    more: that is a new major version (before 1.0.0, minor). New rows are a minor version.
    """
    major, minor, patch = before.numbers
    kinds = {row.change for item in changes.configs for row in item.rows}
    kinds |= {row.change for row in changes.lives}
    if kinds & {Change.REMOVED, Change.CHANGED, Change.RETIRED}:
        return SemanticVersion((major + 1, 0, 0) if major else (0, minor + 1, 0))
    if kinds:
        return SemanticVersion((major, minor + 1, 0))
    return SemanticVersion((major, minor, patch))


def _compare(config: str, before: Sequence[Row], after: Sequence[Row]) -> ConfigChanges:
    old = {row.instance_id: row for row in before}
    new = {row.instance_id: row for row in after}
    rows = []
    for name in sorted({*old, *new}):
        if name not in old:
            rows.append(RowChange(instance_id=name, change=Change.ADDED))
        elif name not in new:
            rows.append(RowChange(instance_id=name, change=Change.REMOVED))
        elif differing := _fields(old[name], new[name]):
            rows.append(RowChange(instance_id=name, change=Change.CHANGED, fields=differing))
    return ConfigChanges(config=config, before=len(before), after=len(after), rows=tuple(rows))


def _fields(old: Row, new: Row) -> tuple[str, ...]:
    if type(old) is not type(new):
        return ("(kind of row)",)
    names = [item.name for item in fields(old) if item.name not in _IN_EVERY_ROW]
    return tuple(name for name in names if not _same(old, new, name))


def _same(old: Row, new: Row, name: str) -> bool:
    """Whether a field says the same; a tag that is the dataset's version says no more than that."""
    if getattr(old, name) == getattr(new, name):
        return True
    if name == "image" and isinstance(old, EtipRecord) and isinstance(new, EtipRecord):
        return _untagged(old) == _untagged(new)
    return False


def _untagged(row: EtipRecord) -> str:
    return row.image.removesuffix(f":{row.dataset_version}")
