"""What the JETO-Bench paper's authors found of their 660 ETIPs, as rows of the index."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from jeto_bench.convert import Where, convert
from jeto_bench.errors import DecodeError
from jeto_bench.index.rows import IndexMeasurement, IndexRow
from jeto_bench.instance_ids import EtipName, instance_id, unique_ids
from jeto_bench.json_text import decode_line, split_lines
from jeto_bench.records import Tier
from jeto_bench.validate import commit_problems, name_problems

__all__ = ["PAPER", "PaperRow", "PaperStatus", "decode_paper", "paper_index"]

PAPER: Final = "JETO-Bench paper"
"""The source that these facts are attributed to."""


class PaperStatus(StrEnum):
    """How far the paper's authors came with an ETIP."""

    IDENTIFIED = "identified"
    BUILT_WITHOUT_TESTS = "built_without_tests"
    EXECUTABLE = "executable"


@dataclass(frozen=True, kw_only=True, slots=True)
class PaperRow:
    """One line of the paper's list.

    Attributes:
        repo: ``owner/name``.
        fix_commit: 40 hex digits; the last commit of the fix.
        base_commit: 40 hex digits where a pull request is known; else the first parent is meant.
        issue_number: The issue.
        pull_number: The pull request, if any.
        modules: Maven modules that the patch changes.
        changed_files: Paths that the patch modifies; added and removed ones are not told.
        status: How far it came.
        about_execution_time: The manual label, of executable ones.
        overall_improvement: Share of base's time that is saved over all test classes.
        overall_p_value: One-sided p of that.
        detectors_reference_faster: Classes significantly faster with the patch.
        detectors_base_faster: Classes significantly slower with it.
    """

    repo: str
    fix_commit: str
    base_commit: str | None
    issue_number: int | None
    pull_number: int | None
    modules: tuple[str, ...]
    changed_files: tuple[str, ...]
    status: PaperStatus
    about_execution_time: bool | None
    overall_improvement: float | None
    overall_p_value: float | None
    detectors_reference_faster: tuple[str, ...]
    detectors_base_faster: tuple[str, ...]


def decode_paper(data: bytes, *, source: str = "") -> tuple[PaperRow, ...]:
    """Return the lines of the paper's list.

    Raises:
        DecodeError: A line has other fields, a name or commit that is none, or a fix that is there
            already.
    """
    seen: dict[tuple[str, str], int] = {}
    rows: list[PaperRow] = []
    for number, text in enumerate(split_lines(data), start=1):
        value = decode_line(text, source=source, line=number)
        where = Where(source=source, line=number)
        row: PaperRow = convert(value, PaperRow, where, "")
        for problem in (
            *name_problems(instance_id(_name(row)), row.repo),
            *commit_problems((row.fix_commit,)),
        ):
            field = problem.field.replace("fix_commits[0]", "fix_commit")
            where.fail(problem.message, field, advice=problem.advice)
        earlier = seen.setdefault((row.repo, row.fix_commit), number)
        if earlier != number:
            raise DecodeError(
                f"{row.fix_commit} is already in line {earlier}",
                source=source,
                line=number,
                field="fix_commit",
                advice="Remove one of the two.",
            )
        rows.append(row)
    return tuple(rows)


def paper_index(rows: tuple[PaperRow, ...]) -> tuple[IndexRow, ...]:
    """Return the paper's list as rows of the index, in the same order."""
    names = unique_ids([_name(row) for row in rows])
    return tuple(_row(name, row) for name, row in zip(names, rows, strict=True))


def _name(row: PaperRow) -> EtipName:
    return EtipName(
        repo=row.repo,
        fix_commit=row.fix_commit,
        pull_number=row.pull_number,
        issue_number=row.issue_number,
    )


def _row(name: str, row: PaperRow) -> IndexRow:
    return IndexRow(
        instance_id=name,
        repo=row.repo,
        base_commit=row.base_commit or "",
        fix_commits=(row.fix_commit,),
        pull_number=row.pull_number,
        issue_number=row.issue_number,
        changed_files=tuple(sorted(row.changed_files)),
        modules=row.modules,
        tier=_tier(row),
        sources=(PAPER,),
        measurements=(_measurement(row),),
    )


def _tier(row: PaperRow) -> Tier:
    if row.status is not PaperStatus.EXECUTABLE:
        return Tier.IDENTIFIED
    return Tier.VERIFIED if row.about_execution_time else Tier.EXECUTABLE


def _measurement(row: PaperRow) -> IndexMeasurement:
    """What the paper does not tell stays empty."""
    return IndexMeasurement(
        source=PAPER,
        measured_at="",
        machine="",
        harness="",
        rounds=0,
        outcome=row.status.value,
        modules=row.modules,
        java_version=0,
        java_evidence=(),
        maven_version="",
        wrapper="",
        test_classes=0,
        quarantined_tests=(),
        strict=False,
        verdict="",
        improved=(),
        regressed=(),
        jeto_improved=row.detectors_reference_faster,
        jeto_regressed=row.detectors_base_faster,
        overall_speedup=0.0,
        round_seconds=0.0,
        total_seconds=0.0,
        image_bytes=0,
        overall_improvement=row.overall_improvement,
        overall_p_value=row.overall_p_value,
        about_execution_time=row.about_execution_time,
    )
