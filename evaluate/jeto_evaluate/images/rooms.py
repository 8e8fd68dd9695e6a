"""Containers in which images are built, with network, or proved, with an evaluation's limits."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import docker
import requests
from docker.errors import DockerException
from docker.models.containers import Container
from docker.types import Mount

from jeto_bench.errors import ImageError, SandboxError
from jeto_evaluate.engine.container import (
    ContainerSettings,
    owner_labels,
    remove_container,
    start_container,
)
from jeto_evaluate.images.layout import ARTIFACT_CACHE_VOLUME, Label
from jeto_evaluate.images.settings import proxy_environment
from jeto_evaluate.images.workshop import CACHE, STAGE, Workshop

__all__ = ["BUILD_RUN", "Limits", "open_workshop"]

BUILD_RUN: Final = "images"
"""Run label of containers that build or prove images."""

_LIFETIME_S: Final = 3 * 3600


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a proof's container may use; the rest is as in an evaluation.

    Attributes:
        memory_bytes: Memory; swap is not added.
        cpuset: CPUs, such as ``0,1``; empty for all.
    """

    memory_bytes: int = 4 * 1024**3
    cpuset: str = ""


@contextmanager
def open_workshop(
    client: docker.DockerClient,
    image: str,
    *,
    log_path: Path,
    subject: str,
    isolated: Limits | None = None,
    cached: bool = False,
    cpuset: str = "",
) -> Iterator[Workshop]:
    """Start a container of ``image`` and remove it at the end.

    Args:
        client: The engine.
        image: Name or id.
        log_path: Where commands and output are appended.
        subject: What is being made, for messages.
        isolated: Limits of an evaluation, and no network; else the host's network, for building.
        cached: Mount the shared download cache, where only root can write.
        cpuset: CPUs of a build container; empty for all.

    Raises:
        ImageError: The engine refused, or the connection was lost.
    """
    log_path.parent.mkdir(parents=True, exist_ok=True)
    container: Container | None = None
    try:
        container = (
            _build_container(client, image, cached=cached, cpuset=cpuset)
            if isolated is None
            else start_container(client, _settings(image, isolated))
        )
        yield Workshop(client, container, log_path, subject)
    except (DockerException, requests.RequestException, SandboxError) as error:
        raise ImageError(
            f"the engine gave up while building from {image}: {error}",
            advice=f"See {log_path} and the engine's own log.",
        ) from error
    finally:
        if container is not None:
            remove_container(container)


def _settings(image: str, limits: Limits) -> ContainerSettings:
    return ContainerSettings(
        image=image,
        cpuset=limits.cpuset,
        memory_bytes=limits.memory_bytes,
        lifetime=_LIFETIME_S,
        run_id=BUILD_RUN,
    )


def _build_container(
    client: docker.DockerClient, image: str, *, cached: bool, cpuset: str
) -> Container:
    mounts = [Mount(target=STAGE, source=None, type="volume")]
    if cached:
        mounts.append(
            Mount(
                target=CACHE,
                source=ARTIFACT_CACHE_VOLUME,
                type="volume",
                labels={Label.CREATED_BY.value: "jeto-bench"},
            )
        )
    return client.containers.run(
        image,
        ["sleep", str(_LIFETIME_S)],
        entrypoint="",
        detach=True,
        init=True,
        user="root",
        mounts=mounts,
        network_mode="host",
        cpuset_cpus=cpuset or None,
        environment=proxy_environment(os.environ),
        security_opt=["no-new-privileges"],
        labels=owner_labels(BUILD_RUN, _LIFETIME_S),
    )
