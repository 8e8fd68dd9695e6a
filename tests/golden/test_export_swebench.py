"""Rows under SWE-bench's names, as its tools read them."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from synthetic_records import synthetic_records

from jeto_bench import InputError, load
from jeto_bench.card.check import check_folder
from jeto_bench.publishing.swebench import export_swebench, swebench_row

MINI = load("mini")
FIELDS = {
    *("instance_id", "repo", "base_commit", "patch", "test_patch", "problem_statement"),
    *("hints_text", "created_at", "version", "FAIL_TO_PASS", "PASS_TO_PASS"),
    "environment_setup_commit",
}
"""Columns of SWE-bench's own dataset."""
SCRIPT = """
import json, sys, datasets
print(json.dumps(list(datasets.load_dataset(sys.argv[1], split="test"))))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    target = tmp_path / "swe"
    export_swebench(target, MINI, name="Mini", config="mini")
    return target


def test_load_dataset_without_a_config_gives_swe_benchs_columns(
    folder: Path, tmp_path: Path
) -> None:
    """As mini-swe-agent and OpenHands call it."""
    assert list(check_folder(folder)) == []
    environment = {**os.environ, "HF_HOME": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, str(folder)],
        check=False,
        capture_output=True,
        encoding="utf-8",
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout.splitlines()[-1])
    assert set(rows[0]) == FIELDS | {"image_name", "docker_image"}
    for row, record in zip(rows, MINI, strict=True):
        assert row["instance_id"] == record.instance_id
        assert row["patch"] == record.patch
        assert json.loads(row["FAIL_TO_PASS"]) == []
        assert json.loads(row["PASS_TO_PASS"]) == list(record.test_classes)
        assert row["image_name"] == row["docker_image"] == record.image
        assert row["environment_setup_commit"] == record.base_commit


def test_json_lines_say_the_same(folder: Path) -> None:
    lines = (folder / "instances.jsonl").read_text("utf-8").split("\n")[:-1]
    rows = [json.loads(line) for line in lines]
    assert [row["instance_id"] for row in rows] == [item.instance_id for item in MINI]
    assert set(rows[0]) >= FIELDS


def test_a_line_ends_where_any_reader_ends_it(tmp_path: Path) -> None:
    """SWE-agent splits lines at U+2028 too; an issue that held one broke its file."""
    odd = replace(MINI[0], problem_statement="slow\u2028very\u0085slow {{ task }}")
    export_swebench(tmp_path / "swe", [odd], name="Mini", config="mini")
    for name in ("instances.jsonl", "swe-agent.jsonl"):
        (line,) = (tmp_path / "swe" / name).read_text("utf-8").splitlines()
        assert json.loads(line)["problem_statement"] == odd.problem_statement


def test_swe_agents_file_names_the_images_only_commit(folder: Path) -> None:
    lines = (folder / "swe-agent.jsonl").read_text("utf-8").split("\n")[:-1]
    assert {json.loads(line)["base_commit"] for line in lines} == {"HEAD"}
    assert [json.loads(line)["image_name"] for line in lines] == [item.image for item in MINI]
    assert not any("patch" in json.loads(line) for line in lines)


def test_a_record_without_an_image_is_refused() -> None:
    with pytest.raises(InputError, match="acme0__lib-1 is identified only"):
        swebench_row(synthetic_records(1)[0])


def test_a_registry_comes_before_the_image() -> None:
    assert swebench_row(MINI[0], registry="localhost:5000/x/").image_name == (
        f"localhost:5000/x/{MINI[0].image}"
    )


def test_mini_swe_agent_finds_the_image_and_its_settings(folder: Path) -> None:
    """Its own functions, on our row and our settings."""
    if importlib.util.find_spec("minisweagent") is None:
        pytest.skip("mini-swe-agent is not installed: pip install 'jeto-bench[agents]'")
    script = """
import json, sys
from minisweagent.config import builtin_config_dir, get_config_from_spec
from minisweagent.run.benchmarks.swebench import get_swebench_docker_image_name
from minisweagent.utils.serialize import recursive_merge
row = json.loads(open(sys.argv[1]).readline())
specs = [str(builtin_config_dir / "benchmarks" / "swebench.yaml"), sys.argv[2]]
config = recursive_merge(*[get_config_from_spec(spec) for spec in specs])
print(json.dumps([get_swebench_docker_image_name(row), config["environment"]["cwd"],
                  config["agent"]["instance_template"]]))
"""
    done = subprocess.run(
        [
            *(sys.executable, "-W", "ignore", "-c", script),
            *(str(folder / "instances.jsonl"), str(folder / "mini-swe-agent.yaml")),
        ],
        check=False,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "MSWEA_SILENT_STARTUP": "1", "MSWEA_CONFIGURED": "true"},
    )
    assert done.returncode == 0, done.stderr
    settings = yaml.safe_load((folder / "mini-swe-agent.yaml").read_text())
    assert json.loads(done.stdout.splitlines()[-1]) == [
        MINI[0].image,
        "/jeto/repo",
        settings["agent"]["instance_template"],
    ]
