"""Every sample prediction of the mini split, evaluated in full, against its expected outcome.

Takes more than half an hour. Chance alarms of the paper's rule, which tests every class without
correction, are counted and printed (``pytest -s``), not hidden.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import jeto_bench
from jeto_bench.records import CriteriaName
from jeto_evaluate.reports.decode import instance_report

FOLDER = Path(jeto_bench.__file__).parents[2] / "data" / "mini" / "predictions"
EXPECTED: dict[str, dict[str, str]] = json.loads((FOLDER / "expected.json").read_bytes())[
    "expected"
]
SHOWN = ("gold", "alternative", "edits_tests")  # where the record's detectors must show
RECORDS = {record.instance_id: record for record in jeto_bench.load("mini")}


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_a_sample_ends_in_its_expected_outcome(kind: str, tmp_path: Path) -> None:
    source = kind if kind == "gold" else str(FOLDER / f"{kind}.jsonl")
    command = [sys.executable, "-m", "jeto_evaluate", "-p", source, "--run-id", kind]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found: dict[str, str] = {}
    for path in sorted((tmp_path / "logs").rglob("report.json")):
        report = instance_report(path.read_bytes(), source=str(path))
        found[report.instance_id] = report.outcome.value
        named = {
            item.test_class
            for item in RECORDS[report.instance_id].detector_tests
            if item.criteria is CriteriaName.DEFAULT
        }
        for item in report.classes:
            faster, slower = item.improved.significant, item.regressed.significant
            detector = kind in SHOWN and item.test_class in named
            if faster or slower:
                print(  # noqa: T201  # a benchmark's result
                    f"\n{kind} {report.instance_id} {item.test_class.rpartition('.')[2]}: "
                    f"{'faster' if faster else 'slower'} {item.improved.wins}/"
                    f"{item.regressed.wins} of {item.pairs}, {item.base_median_ms:.0f} -> "
                    f"{item.other_median_ms:.0f} ms{'' if detector else ' (no detector)'}"
                )
    assert found == EXPECTED[kind], ended.stdout + ended.stderr
