from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from jeto_bench import decode_jsonl
from jeto_evaluate.engine.container import ContainerSettings
from jeto_evaluate.run import docker_arms
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
RECORD = decode_jsonl(GOLDEN.read_bytes())[0]


def test_both_arms_of_a_slot_get_the_same_image_cpus_and_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """field.md row 61: disjoint core sets per worker, both arms on the same set."""
    given: list[ContainerSettings] = []
    monkeypatch.setattr(docker_arms, "DockerSandbox", lambda _, settings: given.append(settings))
    for cpus in ((0, 1), (2, 3)):
        slot = DockerArms(client=Mock(), cpus=cpus, settings=RunSettings(run_id="r"))
        for arm in (Arm.BASE, Arm.CANDIDATE):
            slot.open(RECORD, arm, "sha256:1")
    assert [item.cpuset for item in given] == ["0-1", "0-1", "2-3", "2-3"]
    assert given[0] == given[1]
    assert given[2] == given[3]
