"""The settings of a container in which code under test runs, and its life."""

from __future__ import annotations

import logging
import os
import platform
import time
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Final

import requests
from docker.errors import APIError, DockerException, NotFound

from jeto_bench.errors import EngineError, SandboxError

if TYPE_CHECKING:
    import docker
    from docker.models.containers import Container

__all__ = [
    "ContainerSettings",
    "owner_labels",
    "remove_container",
    "remove_own_containers",
    "start_container",
    "sweep",
]

_LOG = logging.getLogger(__name__)

RUN_LABEL: Final = "org.jeto-bench.run"
PID_LABEL: Final = "org.jeto-bench.pid"
HOST_LABEL: Final = "org.jeto-bench.host"
EXPIRES_LABEL: Final = "org.jeto-bench.expires"


@dataclass(frozen=True, kw_only=True, slots=True)
class ContainerSettings:
    """Limits of a container, the same for every arm of an instance.

    Attributes:
        image: Image id or name.
        cpuset: CPUs as the kernel writes sets, such as ``0-1``.
        memory_bytes: Limit of memory, swap included.
        network: Docker network mode; ``none`` for evaluation.
        pids: Limit of processes and threads.
        lifetime: Seconds after which the container ends by itself, whatever became of the harness.
        run_id: Label by which leftovers are found.
    """

    image: str
    cpuset: str
    memory_bytes: int
    network: str = "none"
    pids: int = 512
    lifetime: int = 4 * 3600
    run_id: str = ""


def owner_labels(run_id: str, lifetime: int) -> dict[str, str]:
    """Return labels by which ``sweep`` knows whose a container is.

    Args:
        run_id: What it is for.
        lifetime: Seconds after which nobody needs it.
    """
    return {
        RUN_LABEL: run_id,
        HOST_LABEL: _host(),
        PID_LABEL: str(os.getpid()),
        EXPIRES_LABEL: str(int(time.time()) + lifetime),
    }


def start_container(client: docker.DockerClient, settings: ContainerSettings) -> Container:
    """Start a container that does nothing until something is executed in it.

    Raises:
        SandboxError: The engine refused.
    """
    # Without a network the container's own name must still resolve (field.md row 33); Docker
    # forbids a host name in network mode "host", where the host's own resolves.
    named = settings.network != "host"
    try:
        return client.containers.run(
            settings.image,
            ["sleep", str(settings.lifetime)],
            entrypoint="",
            detach=True,
            init=True,
            user="root",
            network_mode=settings.network,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            pids_limit=settings.pids,
            mem_limit=settings.memory_bytes,
            memswap_limit=settings.memory_bytes,
            cpuset_cpus=settings.cpuset,
            shm_size="256m",
            labels=owner_labels(settings.run_id, settings.lifetime),
            hostname="box" if named else None,
            extra_hosts={"box": "127.0.0.1"} if named else None,
        )
    except DockerException as error:
        raise SandboxError(f"cannot start a container of {settings.image}: {error}") from error


def remove_container(container: Container) -> None:
    """Remove a container by force; trouble is logged, as the results are safe by now."""
    try:
        container.remove(force=True, v=True)
    except NotFound:
        pass
    except APIError as error:
        if error.status_code != HTTPStatus.CONFLICT:  # somebody else is removing it
            _LOG.warning("container %s was not removed: %s", container.id, error)
    except DockerException as error:
        _LOG.warning("container %s was not removed: %s", container.id, error)


def remove_own_containers(client: docker.DockerClient) -> None:
    """Remove every container that this process has started; trouble is logged."""
    labels = [f"{PID_LABEL}={os.getpid()}", f"{HOST_LABEL}={_host()}"]
    try:
        found = client.containers.list(all=True, filters={"label": labels}, ignore_removed=True)
    except (DockerException, requests.RequestException) as error:
        _LOG.warning("cannot list containers: %s", error)
        return
    for container in found:
        remove_container(container)


def sweep(client: docker.DockerClient, *, run_id: str | None = None) -> int:
    """Remove leftover containers: those of ``run_id``, else those past their expiry or orphaned.

    A container is orphaned when the process that started it on this host is gone.

    Returns:
        How many were removed.

    Raises:
        EngineError: The engine does not answer.
    """
    wanted = RUN_LABEL if run_id is None else f"{RUN_LABEL}={run_id}"
    removed = 0
    try:
        # Others remove containers meanwhile: the workers of this run, and other runs.
        found = client.containers.list(all=True, filters={"label": wanted}, ignore_removed=True)
    except (DockerException, requests.RequestException) as error:
        raise EngineError(f"cannot list containers: {error}") from error
    for container in found:
        labels = container.labels
        expired = int(labels.get(EXPIRES_LABEL) or 0) < time.time()
        ours = labels.get(HOST_LABEL) == _host()
        orphaned = ours and not _alive(labels.get(PID_LABEL, ""))
        if run_id is not None or expired or orphaned:
            remove_container(container)
            removed += 1
    return removed


def _host() -> str:
    """Name this boot of this machine: process ids mean nothing beyond it."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return platform.node()


def _alive(pid: str) -> bool:
    if not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def is_running(container: Container) -> bool:
    """Whether the container is alive, asking the engine."""
    try:
        container.reload()
    except (APIError, DockerException):
        return False
    return bool(container.status == "running")
