"""What a card says of its data, computed from the records themselves. Pure.

The quantities are those that the paper's Tables 1 and 2 and Figures 4 to 8 show of its dataset:
ETIPs and repositories, stars, years, files and modules per patch, build time, image size and
detectors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles

from jeto_bench.index.rows import IndexRow
from jeto_bench.records import CriteriaName, EtipRecord, Favours, Tier

__all__ = ["ConfigFacts", "Figures", "Spread", "config_facts", "figure_data", "repository_rows"]

_DIFF_HEADS = ("+++", "---")


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """Five numbers of a sample.

    Attributes:
        count: Values.
        low: Smallest.
        lower: Lower quartile (inclusive method).
        middle: Median.
        upper: Upper quartile.
        high: Largest.
    """

    count: int
    low: float
    lower: float
    middle: float
    upper: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread | None:
        """Return the five numbers, ``None`` of nothing."""
        ordered = sorted(values)
        if not ordered:
            return None
        low, high = ordered[0], ordered[-1]
        if len(ordered) == 1:
            return cls(count=1, low=low, lower=low, middle=low, upper=low, high=low)
        lower, middle, upper = quantiles(ordered, n=4, method="inclusive")
        return cls(count=len(ordered), low=low, lower=lower, middle=middle, upper=upper, high=high)


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfigFacts:
    """One config in numbers.

    Attributes:
        name: Of the config.
        etips: Records.
        repositories: Different ``repo``.
        executable: Records of tier executable or verified.
        verified: Records of tier verified.
        with_detector: Records with a class that is faster after the fix, by criteria.
        files: Files per patch.
        lines: Lines added and removed per patch.
        modules: Measured modules per executable record.
        test_classes: Classes that count, per executable record.
        stars: Stars per repository, where they are known.
    """

    name: str
    etips: int
    repositories: int
    executable: int
    verified: int
    with_detector: Mapping[CriteriaName, int]
    files: Spread | None
    lines: Spread | None
    modules: Spread | None
    test_classes: Spread | None
    stars: Spread | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """Values behind the figures; an empty one has no figure.

    Attributes:
        repositories: ETIPs per repository.
        years: ETIPs per year of the fix.
        stars: Stars, one value per repository.
        files: Files per patch, one value per ETIP.
        modules: Modules per patch, one value per ETIP: measured ones, else changed ones.
        minutes: Minutes from the clone to the verdict, one value per ETIP that was measured.
        gigabytes: Image sizes (10^9 bytes, base included), one value per ETIP that has an image.
        faster: Detectors that favour the reference by any criteria, one value per executable ETIP.
        slower: Likewise those that favour the base.
    """

    repositories: Mapping[str, int]
    years: Mapping[int, int]
    stars: Sequence[float]
    files: Sequence[float]
    modules: Sequence[float]
    minutes: Sequence[float]
    gigabytes: Sequence[float]
    faster: Sequence[float]
    slower: Sequence[float]


def config_facts(name: str, records: Sequence[EtipRecord]) -> ConfigFacts:
    """Return a config in numbers."""
    executable = [item for item in records if item.tier is not Tier.IDENTIFIED]
    return ConfigFacts(
        name=name,
        etips=len(records),
        repositories=len({item.repo for item in records}),
        executable=len(executable),
        verified=sum(item.tier is Tier.VERIFIED for item in records),
        with_detector={
            criteria: sum(_has_detector(item, criteria) for item in records)
            for criteria in CriteriaName
        },
        files=Spread.of(len(item.changed_files) for item in records if item.changed_files),
        lines=Spread.of(_changed_lines(item.patch) for item in records if item.patch),
        modules=Spread.of(len(item.modules) for item in executable),
        test_classes=Spread.of(len(item.test_classes) for item in executable),
        stars=Spread.of(_stars(records).values()),
    )


def figure_data(records: Iterable[EtipRecord], index: Iterable[IndexRow]) -> Figures:
    """Return the values behind the figures, each ETIP counted once, whatever configs it is in.

    Where an ETIP is in several configs the record of the highest tier counts. An ETIP that only the
    index has counts with what the index knows of it.
    """
    order = list(Tier)
    chosen: dict[str, EtipRecord] = {}
    for item in records:
        known = chosen.get(item.instance_id)
        if known is None or order.index(item.tier) > order.index(known.tier):
            chosen[item.instance_id] = item
    rows = {row.instance_id: row for row in index}
    only_index = [row for name, row in rows.items() if name not in chosen]
    ran = [item for item in chosen.values() if item.tier is not Tier.IDENTIFIED]
    told = [row for row in only_index if row.tier is not Tier.IDENTIFIED]
    repos = [item.repo for item in chosen.values()] + [row.repo for row in only_index]
    modules = [item.modules for item in ran] + [row.modules for row in only_index]
    changed = [item.changed_files for item in chosen.values()]
    changed += [row.changed_files for row in only_index]
    return Figures(
        repositories=dict(Counter(repos)),
        years=dict(sorted(Counter(int(item.created_at[:4]) for item in chosen.values()).items())),
        stars=list(_stars(chosen.values()).values()),
        files=[len(paths) for paths in changed if paths],
        modules=[len(names) for names in modules if names],
        minutes=[value / 60 for value in _newest(rows.values(), "total_seconds")],
        gigabytes=[value / 1e9 for value in _newest(rows.values(), "image_bytes")],
        faster=[
            *(_detectors(item, Favours.REFERENCE) for item in ran),
            *(_told(row, "improved", "jeto_improved") for row in told),
        ],
        slower=[
            *(_detectors(item, Favours.BASE) for item in ran),
            *(_told(row, "regressed", "jeto_regressed") for row in told),
        ],
    )


def repository_rows(records: Iterable[EtipRecord]) -> list[tuple[str, int, int | None, str]]:
    """Return (repository, ETIPs, stars, licence), most ETIPs first, then by name."""
    counts: Counter[str] = Counter()
    stars: dict[str, int | None] = {}
    licences: dict[str, str] = {}
    for item in {item.instance_id: item for item in records}.values():
        counts[item.repo] += 1
        stars[item.repo] = _larger(stars.get(item.repo), item.repo_stars)
        licences[item.repo] = licences.get(item.repo) or item.repo_license
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    return [(name, counts[name], stars[name], licences[name]) for name in ordered]


def _newest(rows: Iterable[IndexRow], field: str) -> list[float]:
    """Of each row the newest measurement that has a value of a field, not 0."""
    known = ([getattr(item, field) for item in row.measurements] for row in rows)
    return [values[-1] for values in ([v for v in all_ if v > 0] for all_ in known) if values]


def _larger(left: int | None, right: int | None) -> int | None:
    """Return the larger of two numbers of which either may be unknown."""
    known = [value for value in (left, right) if value is not None]
    return max(known, default=None)


def _stars(records: Iterable[EtipRecord]) -> dict[str, int]:
    found: dict[str, int] = {}
    for item in records:
        if item.repo_stars is not None:
            found[item.repo] = max(item.repo_stars, found.get(item.repo, 0))
    return found


def _has_detector(record: EtipRecord, criteria: CriteriaName) -> bool:
    return any(
        item.favours is Favours.REFERENCE and item.criteria is criteria
        for item in record.detector_tests
    )


def _detectors(record: EtipRecord, favours: Favours) -> int:
    """Classes, each counted once, whatever criteria name it."""
    return len({item.test_class for item in record.detector_tests if item.favours is favours})


def _told(row: IndexRow, *fields: str) -> int:
    """Classes that any measurement of a row names in any of some fields."""
    return len({name for item in row.measurements for f in fields for name in getattr(item, f)})


def _changed_lines(patch: str) -> int:
    return sum(
        line.startswith(("+", "-")) and not line.startswith(_DIFF_HEADS)
        for line in patch.split("\n")
    )
