from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from jeto_evaluate.engine.doctor import Check, EngineFacts, Status, check_engine
from jeto_evaluate.engine.host import HostFacts, check_host, gather_host

_ENGINE = EngineFacts(
    version="27.0.1",
    api_version="1.46",
    architecture="x86_64",
    cpus=4,
    memory_bytes=16 * 10**9,
    free_bytes=100 * 10**9,
    cgroup_version="2",
    memory_limit=True,
    swap_limit=True,
    base_images=(17,),
    instance_images=4,
    foreign_images=(),
)
_HOST = HostFacts(
    governors=("performance",),
    turbo=False,
    load=0.1,
    cpus=4,
    mmdebstrap=True,
    git=True,
    certificates="/etc/ssl/cert.pem",
)


def _of(checks: tuple[Check, ...], name: str) -> Check:
    return next(check for check in checks if check.name == name)


def test_good_machine_has_nothing_to_do() -> None:
    for check in (*check_engine(_ENGINE), *check_host(_HOST)):
        assert check.status is Status.OK, check
        assert not check.advice


@pytest.mark.parametrize(
    ("changes", "name", "status"),
    [
        ({"api_version": "1.39"}, "engine", Status.FAIL),
        ({"api_version": "1.100"}, "engine", Status.OK),
        ({"cpus": 1}, "cores", Status.WARN),
        ({"memory_bytes": 10**9}, "memory", Status.WARN),
        ({"free_bytes": 10**9}, "disk", Status.FAIL),
        ({"free_bytes": 10**10}, "disk", Status.WARN),
        ({"free_bytes": None}, "disk", Status.WARN),
        ({"memory_limit": False}, "limits", Status.FAIL),
        ({"swap_limit": False}, "limits", Status.WARN),
        ({"foreign_images": ("a:1",)}, "architecture", Status.FAIL),
        ({"instance_images": 0}, "images", Status.WARN),
    ],
)
def test_each_lack_of_the_engine_is_named_with_advice(
    changes: dict[str, Any], name: str, status: Status
) -> None:
    check = _of(check_engine(dataclasses.replace(_ENGINE, **changes)), name)
    assert check.status is status
    assert bool(check.advice) is (status is not Status.OK)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"governors": ("powersave",)}, "frequency"),
        ({"load": 3.0}, "load"),
        ({"mmdebstrap": False}, "building"),
        ({"certificates": ""}, "building"),
    ],
)
def test_the_hosts_faults_are_warnings(changes: dict[str, Any], name: str) -> None:
    check = _of(check_host(dataclasses.replace(_HOST, **changes)), name)
    assert check.status is Status.WARN
    assert check.advice


def test_governor_and_turbo_are_read_and_left_alone(tmp_path: Path) -> None:
    """field.md row 63: a tuning command changed the machine and left it slow."""
    system = tmp_path / "sys/devices/system/cpu"
    for cpu in ("cpu0", "cpu1"):
        (system / cpu / "cpufreq").mkdir(parents=True)
        (system / cpu / "cpufreq/scaling_governor").write_text("powersave\n")
    (system / "intel_pstate").mkdir()
    (system / "intel_pstate/no_turbo").write_text("0\n")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    facts = gather_host(root=tmp_path)
    assert (facts.governors, facts.turbo) == (("powersave",), True)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
    assert "powersave" in _of(check_host(facts), "frequency").found
