"""The ``index``: facts of ETIPs and of what was measured of them, without anybody's code or prose.

One row per ETIP; who measured what, when and on what is a list in it. An ETIP is known by its
repository and the last commit of its fix: its id may be another in another source.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from enum import StrEnum

import pyarrow as pa

from jeto_bench.convert import Where, convert
from jeto_bench.decode import parquet_rows
from jeto_bench.encode import row_to_dict, table_to_parquet
from jeto_bench.errors import DecodeError
from jeto_bench.lifecycle.status import LifeStatus
from jeto_bench.records import QuarantinedTest, Tier
from jeto_bench.schema import arrow_schema
from jeto_bench.validate import commit_problems, name_problems

__all__ = [
    "INDEX_SCHEMA",
    "IndexMeasurement",
    "IndexRow",
    "decode_index",
    "index_to_parquet",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexMeasurement:
    """What one source found of one ETIP.

    Attributes:
        source: Who: ``jeto-mine execute``, or a publication.
        measured_at: ISO 8601, UTC; empty, like all that follows, if the source does not say.
        machine: CPU, number of CPUs, memory, kernel, engine; in words.
        harness: Version that measured, with its commit.
        rounds: Pairs; 0 if nothing was measured or the source does not say.
        outcome: ``executable``, or the reason why it is not, in the source's own words.
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
        overall_improvement: Share of base's time that the reference saves over all classes, as the
            source computes it; negative if it is slower.
        overall_p_value: One-sided p of that, by the source's own test.
        about_execution_time: Whether people found the change to be about execution time.
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
    overall_improvement: float | None = None
    overall_p_value: float | None = None
    about_execution_time: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexRow:
    """Facts of one ETIP.

    Attributes:
        instance_id: As in the other configs.
        repo: ``owner/name``.
        base_commit: 40 hex digits; empty if it is not told: then it is the first parent of the fix.
        fix_commits: 40 hex digits each, oldest first.
        pull_number: Number of the pull request, if any.
        issue_number: Number of the issue.
        changed_files: Paths that the developers' patch changes. The paper names those that are
            there before and after, and leaves out added and removed ones.
        measurements: What was found, by whom; the newest last.
        modules: Maven modules that the patch changes, ``.`` for the root.
        tier: The highest that any source gives it.
        sources: Who tells of this ETIP, sorted.
        status: Whether it is of use.
        status_reason: Why it is weak or retired; empty if it is active.
    """

    instance_id: str
    repo: str
    base_commit: str
    fix_commits: tuple[str, ...]
    pull_number: int | None
    issue_number: int | None
    changed_files: tuple[str, ...]
    measurements: tuple[IndexMeasurement, ...]
    modules: tuple[str, ...] = ()
    tier: Tier = Tier.IDENTIFIED
    sources: tuple[str, ...] = ()
    status: LifeStatus = LifeStatus.ACTIVE
    status_reason: str = ""


INDEX_SCHEMA = arrow_schema(IndexRow)


def index_to_parquet(rows: Iterable[IndexRow]) -> bytes:
    """Return rows as one Parquet file, sorted by id."""
    ordered = sorted(rows, key=lambda row: row.instance_id)
    values = [row_to_dict(row) for row in ordered]
    return table_to_parquet(pa.Table.from_pylist(values, schema=INDEX_SCHEMA))


def decode_index(data: bytes, *, source: str = "") -> tuple[IndexRow, ...]:
    """Return the rows of a Parquet file.

    Raises:
        DecodeError: Another schema, an ETIP that is there twice, or a name or commit that is none:
            they become names of files and arguments of git.
    """
    found: dict[str, IndexRow] = {}
    for number, value in enumerate(parquet_rows(data, source=source), start=1):
        where = Where(source=source, line=number)
        row: IndexRow = convert(_completed(value), IndexRow, where, "")
        bases = (row.base_commit,) if row.base_commit else ()
        for problem in (
            *name_problems(row.instance_id, row.repo),
            *commit_problems(row.fix_commits),
            *(replace(item, field="base_commit") for item in commit_problems(bases) if bases),
        ):
            where.fail(problem.message, problem.field, advice=problem.advice)
        if row.instance_id in found:
            raise DecodeError(
                f"{row.instance_id} is there twice", source=source, line=number, field="instance_id"
            )
        found[row.instance_id] = row
    return tuple(found.values())


def _completed(value: Mapping[str, object]) -> dict[str, object]:
    """Give a row of an index written before a field was added that field's default."""
    row = {**_defaults(IndexRow), **value}
    found = row.get("measurements")
    if isinstance(found, list):
        defaults = _defaults(IndexMeasurement)
        row["measurements"] = [
            {**defaults, **item} if isinstance(item, Mapping) else item for item in found
        ]
    return row


def _defaults(record: type[IndexRow | IndexMeasurement]) -> dict[str, object]:
    return {
        item.name: item.default.value if isinstance(item.default, StrEnum) else item.default
        for item in fields(record)
        if item.default is not MISSING
    }
