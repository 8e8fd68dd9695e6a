"""Which containers are limited how, and which leftovers are removed; without an engine."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import Any, cast
from unittest.mock import Mock

import docker
import pytest
from docker.errors import APIError, NotFound

from jeto_bench.errors import EngineError, SandboxError
from jeto_evaluate.engine import container as container_module
from jeto_evaluate.engine.container import (
    EXPIRES_LABEL,
    HOST_LABEL,
    PID_LABEL,
    RUN_LABEL,
    ContainerSettings,
    owner_labels,
    remove_container,
    remove_own_containers,
    start_container,
    sweep,
)

HOUR = 3600
GONE = "999999999"


@dataclass
class FakeContainer:
    labels: dict[str, str]
    id: str = "c"
    trouble: Exception | None = None
    removed: bool = False

    def remove(self, *, force: bool, v: bool) -> None:
        assert force
        assert v
        if self.trouble is not None:
            raise self.trouble
        self.removed = True


@dataclass
class FakeContainers:
    found: list[FakeContainer] = field(default_factory=list)
    trouble: Exception | None = None
    asked: list[dict[str, Any]] = field(default_factory=list)

    def list(self, **options: Any) -> list[FakeContainer]:
        self.asked.append(options)
        if self.trouble is not None:
            raise self.trouble
        wanted = options["filters"]["label"]
        pairs = [
            label.partition("=") for label in ([wanted] if isinstance(wanted, str) else wanted)
        ]
        return [
            item
            for item in self.found
            if all(
                name in item.labels and value in {"", item.labels[name]} for name, _, value in pairs
            )
        ]

    def run(self, *arguments: Any, **options: Any) -> FakeContainer:
        self.asked.append({"arguments": arguments, **options})
        if self.trouble is not None:
            raise self.trouble
        return FakeContainer(labels=options["labels"])


def client(containers: FakeContainers) -> docker.DockerClient:
    @dataclass
    class FakeClient:
        containers: FakeContainers

    return cast("docker.DockerClient", FakeClient(containers))


def labelled(*, run: str = "r", pid: str = "", lives: float = HOUR) -> FakeContainer:
    return FakeContainer(
        labels={
            RUN_LABEL: run,
            container_module.HOST_LABEL: container_module._host(),
            PID_LABEL: pid or str(os.getpid()),
            EXPIRES_LABEL: str(int(time.time() + lives)),
        }
    )


SETTINGS = ContainerSettings(image="i", cpuset="0-1", memory_bytes=1 << 30, run_id="r")


def test_a_container_has_no_network_no_privileges_and_limits() -> None:
    containers = FakeContainers()
    start_container(client(containers), SETTINGS)
    (asked,) = containers.asked
    assert asked["network_mode"] == "none"
    assert asked["cap_drop"] == ["ALL"]
    assert asked["security_opt"] == ["no-new-privileges"]
    assert asked["mem_limit"] == asked["memswap_limit"] == 1 << 30
    assert (asked["cpuset_cpus"], asked["init"]) == ("0-1", True)
    assert asked["pids_limit"] > 0
    assert asked["extra_hosts"] == {asked["hostname"]: "127.0.0.1"}


def test_a_container_ends_by_itself_and_can_be_found_by_run_and_process() -> None:
    """field.md row 37: labels of run, process and expiry on every object."""
    containers = FakeContainers()
    made = start_container(client(containers), SETTINGS)
    assert made.labels[RUN_LABEL] == "r"
    assert made.labels[PID_LABEL] == str(os.getpid())
    assert int(made.labels[EXPIRES_LABEL]) > time.time()
    assert containers.asked[0]["arguments"][1] == ["sleep", str(SETTINGS.lifetime)]


def test_an_engine_that_refuses_is_told_as_such() -> None:
    containers = FakeContainers(trouble=APIError("no such image"))
    with pytest.raises(SandboxError, match="no such image"):
        start_container(client(containers), SETTINGS)
    with pytest.raises(EngineError, match="cannot list containers"):
        sweep(client(containers))


def test_what_a_killed_run_left_is_removed_and_what_lives_is_not() -> None:
    """field.md row 37: after SIGKILL the next start finds the orphans."""
    alive, orphan = labelled(), labelled(pid=GONE)
    expired, stranger = labelled(lives=-1), FakeContainer(labels={"other": "x"})
    elsewhere = labelled(pid=GONE)
    elsewhere.labels[container_module.HOST_LABEL] = "another boot"
    nameless = labelled(pid="x")
    found = [alive, orphan, expired, stranger, elsewhere, nameless]
    assert sweep(client(FakeContainers(found))) == 3
    assert [item.removed for item in found] == [False, True, True, False, False, True]


def test_a_run_that_ends_removes_all_its_own_and_nothing_else() -> None:
    mine, other = labelled(run="r"), labelled(run="s")
    assert sweep(client(FakeContainers([mine, other])), run_id="r") == 1
    assert (mine.removed, other.removed) == (True, False)


@pytest.mark.parametrize("trouble", [NotFound("gone"), APIError("already in progress")])
def test_a_container_that_someone_else_removes_meanwhile_does_no_harm(trouble: Exception) -> None:
    """A worker closes its arm while the run is interrupted: the listing must not fail either."""
    vanishing, mine = labelled(), labelled()
    vanishing.trouble = trouble
    containers = FakeContainers([vanishing, mine])
    sweep(client(containers), run_id="r")
    assert mine.removed
    assert containers.asked[0]["ignore_removed"] is True


def test_only_what_this_process_started_is_its_own() -> None:
    own = FakeContainer(labels=owner_labels("images", HOUR))
    others = FakeContainer(labels=owner_labels("images", HOUR) | {PID_LABEL: GONE})
    elsewhere = FakeContainer(labels=owner_labels("images", HOUR) | {HOST_LABEL: "another boot"})
    client = Mock(containers=FakeContainers(found=[own, others, elsewhere]))
    remove_own_containers(client)
    assert [item.removed for item in (own, others, elsewhere)] == [True, False, False]


def test_an_engine_that_does_not_list_is_logged_while_others_still_work(
    caplog: pytest.LogCaptureFixture,
) -> None:
    client = Mock(containers=FakeContainers(trouble=APIError("busy")))
    remove_own_containers(client)
    assert "cannot list containers: busy" in caplog.text


def test_a_container_that_somebody_else_is_removing_is_no_news(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for status, told in ((409, False), (500, True)):
        caplog.clear()
        trouble = APIError("refused", response=Mock(status_code=status))
        remove_container(cast("Any", FakeContainer(labels={}, trouble=trouble)))
        assert ("was not removed" in caplog.text) is told
