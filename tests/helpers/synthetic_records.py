"""Records and index rows of any number, different from each other, the same each time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jeto_bench.decode import decode_jsonl
from jeto_bench.index.rows import IndexMeasurement, IndexRow
from jeto_bench.records import EtipRecord, Tier, Verification

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
_TIERS = (Tier.IDENTIFIED, Tier.EXECUTABLE, Tier.VERIFIED)
_LICENCES = ("Apache-2.0", "MIT", "EPL-2.0", "GPL-3.0-only", "")


def synthetic_records(count: int, *, lines: int = 40) -> tuple[EtipRecord, ...]:
    """``count`` records over ``count / 6`` repositories; every third is verified."""
    model = decode_jsonl(GOLDEN.read_bytes())[0]
    return tuple(_record(model, n, lines) for n in range(count))


def synthetic_index(count: int) -> tuple[IndexRow, ...]:
    """Index rows of the first ``count`` synthetic records, each measured once."""
    return tuple(
        IndexRow(
            instance_id=item.instance_id,
            repo=item.repo,
            base_commit=item.base_commit,
            fix_commits=item.fix_commits,
            pull_number=item.pull_number,
            issue_number=item.issue_number,
            changed_files=item.changed_files,
            measurements=(_measurement(n),),
        )
        for n, item in enumerate(synthetic_records(count))
    )


def _record(model: EtipRecord, n: int, lines: int) -> EtipRecord:
    tier = _TIERS[n % 3]
    repo = f"acme{n // 6}/lib"
    body = "".join(
        f"-  int old{k} = {n * k % 9973};\n+  int new{k} = {n + k};\n" for k in range(lines)
    )
    files = tuple(sorted(f"src/main/java/acme/Text{k}.java" for k in range(1 + n % 4)))
    patch = "".join(
        f"diff --git a/{path} b/{path}\nindex 1111111..2222222 100644\n--- a/{path}\n+++ b/{path}\n"
        f"@@ -1,{lines + 1} +1,{lines + 1} @@\n class Text {{\n{body}"
        for path in files
    )
    said = Verification(
        labels=("improvement", "improvement"), annotators=("r1", "r2"), decision="improvement"
    )
    return replace(
        model,
        instance_id=f"{repo.replace('/', '__')}-{n + 1}",
        repo=repo,
        base_commit=f"{n:040x}",
        fix_commits=(f"{n + 1:040x}",),
        pull_number=n + 1,
        created_at=(datetime(2012, 1, 1, tzinfo=UTC) + timedelta(days=n * 7 % 5000)).isoformat(),
        problem_statement=f"Joining {n} parts is slow\n\nIt takes {n} minutes, see below.\n" * 3,
        patch=patch,
        changed_files=files,
        modules=model.modules[: 1 + n % 2],
        detector_tests=model.detector_tests[: n % 3] if tier is not Tier.IDENTIFIED else (),
        tier=tier,
        verification=said if tier is Tier.VERIFIED else Verification(),
        repo_stars=None if n // 6 % 7 == 0 else 10 ** (1 + n // 6 % 4) + n // 6,
        repo_license=_LICENCES[n // 6 % len(_LICENCES)],
    )


def _measurement(n: int) -> IndexMeasurement:
    return IndexMeasurement(
        source="jeto-mine execute",
        measured_at="2026-01-02T00:00:00+00:00",
        machine="a CPU, 2 CPUs",
        harness="0.1.0",
        rounds=30,
        outcome="executable",
        modules=("core",),
        java_version=17,
        java_evidence=(),
        maven_version="3.9.9",
        wrapper="jar",
        test_classes=44,
        quarantined_tests=(),
        strict=True,
        verdict="improved",
        improved=(),
        regressed=(),
        jeto_improved=(),
        jeto_regressed=(),
        overall_speedup=1.0,
        round_seconds=7.5,
        total_seconds=120.0 + 37 * n % 4000,
        image_bytes=400_000_000 + 7_000_000 * n % 500_000_000,
    )
