"""mini-swe-agent works in an instance's image, and ``jeto-bench eval`` grades what it hands in."""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jeto_bench import read_predictions
from jeto_bench.publishing.swebench import SETTINGS, export_swebench
from jeto_bench.records import EtipRecord

SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt"


def answers(commands: list[str]) -> dict[str, Any]:
    """Settings of its deterministic model, which says what it is told to say."""
    return {
        "model": {
            "model_class": "minisweagent.models.test_models.DeterministicModel",
            "model_name": "deterministic",
            "outputs": [
                {
                    "role": "assistant",
                    "content": f"Step {n}",
                    "extra": {"actions": [{"command": command}], "cost": 0.0},
                }
                for n, command in enumerate(commands)
            ],
        }
    }


def test_an_agent_made_for_swe_bench_solves_a_row(
    mini_record: Callable[[str], EtipRecord], tmp_path: Path
) -> None:
    if importlib.util.find_spec("minisweagent") is None:
        pytest.skip("mini-swe-agent is not installed: pip install 'jeto-bench[agents]'")
    record = mini_record("textmill")
    export_swebench(tmp_path / "rows", [record], name="Mini", config="mini")
    told = base64.b64encode(record.patch.encode()).decode()
    paths = " ".join(record.changed_files)
    steps = [
        f"test -d .git && echo {told} | base64 -d | git apply",
        f"git diff -- {paths} > patch.txt && wc -l patch.txt",
        SUBMIT,
    ]
    (tmp_path / "model.yaml").write_text(json.dumps(answers(steps)))
    environment = {
        **os.environ,
        "MSWEA_CONFIGURED": "true",
        "MSWEA_COST_TRACKING": "ignore_errors",
        "HF_HOME": str(tmp_path / "cache"),
        "HF_HUB_OFFLINE": "1",
    }
    agent = subprocess.run(
        [
            *(sys.executable, "-m", "minisweagent.run.benchmarks.swebench"),
            *("--subset", str(tmp_path / "rows"), "--split", "test", "-o", str(tmp_path / "out")),
            *("-c", "swebench.yaml", "-c", str(tmp_path / "rows" / SETTINGS)),
            *("-c", str(tmp_path / "model.yaml")),
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    predictions = tmp_path / "out" / "preds.json"
    assert predictions.is_file(), agent.stdout + agent.stderr
    (found,) = read_predictions(predictions).predictions
    assert found.instance_id == record.instance_id
    assert found.patch, agent.stdout + agent.stderr
    graded = subprocess.run(
        [
            *(sys.executable, "-m", "jeto_evaluate", "-p", str(predictions), "--run-id", "agent"),
            *("--tests", "detectors", "--early-stop"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    (report,) = tmp_path.glob("*.agent.json")
    assert json.loads(report.read_bytes())["resolved_ids"] == [record.instance_id], (
        graded.stdout + graded.stderr
    )
