"""The ``index``: facts of ETIPs and of what was measured of them, without anybody's code or prose.

One row per ETIP; who measured what, when and on what is a list in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pyarrow as pa

from jeto_bench.convert import Where, convert
from jeto_bench.decode import parquet_rows
from jeto_bench.encode import row_to_dict, table_to_parquet
from jeto_bench.errors import DecodeError
from jeto_bench.records import QuarantinedTest
from jeto_bench.schema import arrow_schema

__all__ = [
    "INDEX_SCHEMA",
    "IndexMeasurement",
    "IndexRow",
    "decode_index",
    "index_to_parquet",
    "merge_rows",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexMeasurement:
    """What one source found of one ETIP.

    Attributes:
        source: Who: ``jeto-mine execute``, or a publication.
        measured_at: ISO 8601, UTC.
        machine: CPU, number of CPUs, memory, kernel, engine; in words.
        harness: Version that measured, with its commit.
        rounds: Pairs; 0 if nothing was measured.
        outcome: ``executable``, or the reason why it is not.
        modules: Modules whose tests were run.
        java_version: JDK that was chosen; 0 if none was.
        java_evidence: What the tree says of its JDK.
        maven_version: Version of Maven.
        wrapper: Kind of its wrapper.
        test_classes: Number that count.
        quarantined_tests: Those that do not.
        strict: Every class passes every time, as the paper's rule demands.
        verdict: How the reference was judged.
        improved: Classes that the robust rule calls faster.
        regressed: Classes that it calls slower.
        jeto_improved: Classes that the paper's rule calls faster.
        jeto_regressed: Classes that the paper's rule calls slower.
        overall_speedup: Median over pairs of base's sum over classes / the reference's; 0 if
            nothing was measured.
        round_seconds: Median of a round.
        total_seconds: From the clone to the verdict.
        image_bytes: Size of the image, base included.
    """

    source: str
    measured_at: str
    machine: str
    harness: str
    rounds: int
    outcome: str
    modules: tuple[str, ...]
    java_version: int
    java_evidence: tuple[str, ...]
    maven_version: str
    wrapper: str
    test_classes: int
    quarantined_tests: tuple[QuarantinedTest, ...]
    strict: bool
    verdict: str
    improved: tuple[str, ...]
    regressed: tuple[str, ...]
    jeto_improved: tuple[str, ...]
    jeto_regressed: tuple[str, ...]
    overall_speedup: float
    round_seconds: float
    total_seconds: float
    image_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexRow:
    """Facts of one ETIP.

    Attributes:
        instance_id: As in the other configs.
        repo: ``owner/name``.
        base_commit: 40 hex digits.
        fix_commits: Likewise.
        pull_number: Number of the pull request, if any.
        issue_number: Number of the issue.
        changed_files: Paths that the developers' patch changes.
        measurements: What was found, by whom; the newest last.
    """

    instance_id: str
    repo: str
    base_commit: str
    fix_commits: tuple[str, ...]
    pull_number: int | None
    issue_number: int | None
    changed_files: tuple[str, ...]
    measurements: tuple[IndexMeasurement, ...]


INDEX_SCHEMA = arrow_schema(IndexRow)


def index_to_parquet(rows: Iterable[IndexRow]) -> bytes:
    """Return rows as one Parquet file, sorted by id."""
    ordered = sorted(rows, key=lambda row: row.instance_id)
    values = [row_to_dict(row) for row in ordered]
    return table_to_parquet(pa.Table.from_pylist(values, schema=INDEX_SCHEMA))


def decode_index(data: bytes, *, source: str = "") -> tuple[IndexRow, ...]:
    """Return the rows of a Parquet file.

    Raises:
        DecodeError: Another schema, or an ETIP that is there twice.
    """
    found: dict[str, IndexRow] = {}
    for number, value in enumerate(parquet_rows(data, source=source), start=1):
        row: IndexRow = convert(value, IndexRow, Where(source=source, line=number), "")
        if row.instance_id in found:
            raise DecodeError(
                f"{row.instance_id} is there twice", source=source, line=number, field="instance_id"
            )
        found[row.instance_id] = row
    return tuple(found.values())


def merge_rows(known: Iterable[IndexRow], new: Iterable[IndexRow]) -> tuple[IndexRow, ...]:
    """Add what was newly found; a measurement that is there already is not added again.

    Facts of the ETIP itself are taken from the newer row.
    """
    merged = {row.instance_id: row for row in known}
    for row in new:
        before = merged.get(row.instance_id)
        earlier = before.measurements if before is not None else ()
        added = tuple(item for item in row.measurements if item not in earlier)
        both = sorted((*earlier, *added), key=lambda item: item.measured_at)
        merged[row.instance_id] = replace(row, measurements=tuple(both))
    return tuple(merged[name] for name in sorted(merged))
