"""Every sample prediction of the mini split, evaluated in full, against its expected outcome.

Takes more than an hour; ``JETO_SAMPLE_OPTIONS="--early-stop"`` makes it shorter. Chance alarms of
the paper's rule, which tests every class without correction, are printed (``pytest -s``), and so
is every class that the robust rule names.
"""

from __future__ import annotations

import json
import os
import shlex
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
OPTIONS = shlex.split(os.environ.get("JETO_SAMPLE_OPTIONS", ""))
SHOWN = ("gold", "alternative", "edits_tests")  # where the record's detectors must show
RECORDS = {record.instance_id: record for record in jeto_bench.load("mini")}


@pytest.mark.parametrize("kind", sorted(EXPECTED))
def test_a_sample_ends_in_its_expected_outcome(kind: str, tmp_path: Path) -> None:
    source = kind if kind == "gold" else str(FOLDER / f"{kind}.jsonl")
    command = [sys.executable, "-m", "jeto_evaluate", "-p", source, "--run-id", kind, *OPTIONS]
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
        claims = [
            ("paper", item.test_class, item.improved.significant, item.median_speedup or 0.0)
            for item in report.classes
            if item.improved.significant or item.regressed.significant
        ] + [
            ("robust", item.test_class, item.improved.significant, item.speedup)
            for item in (report.robust.deciding if report.robust else ())
            if item.improved.significant or item.regressed.significant
        ]
        for rule, test_class, faster, speedup in claims:
            detector = kind in SHOWN and test_class in named
            print(  # noqa: T201  # a benchmark's result
                f"\n{kind} {report.instance_id} {test_class.rpartition('.')[2]}: {rule}"
                f" {'faster' if faster else 'slower'}, {speedup:.2f}x of {report.rounds_done}"
                f"{'' if detector else ' (no detector)'}"
            )
    assert found == EXPECTED[kind], ended.stdout + ended.stderr
