"""Gathering of what the doctor judges of an engine."""

from __future__ import annotations

from typing import Any

import docker
import requests
from docker.errors import DockerException

from jeto_bench.errors import EngineError
from jeto_evaluate.engine.doctor import EngineFacts
from jeto_evaluate.images.layout import Label
from jeto_evaluate.images.store import free_bytes, list_images

__all__ = ["gather_engine"]

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def gather_engine(client: docker.DockerClient) -> EngineFacts:
    """Ask the engine.

    Raises:
        EngineError: It refused.
    """
    try:
        info: dict[str, Any] = client.info()
        version: dict[str, Any] = client.version()
        images = client.images.list(filters={"label": Label.KIND.value})
    except (DockerException, requests.RequestException) as error:
        raise EngineError(f"the engine does not say what it is: {error}") from error
    architecture = str(info.get("Architecture", ""))
    own = _ARCHITECTURES.get(architecture, architecture)
    stored = list_images(client)
    return EngineFacts(
        version=str(version.get("Version", "")),
        api_version=str(version.get("ApiVersion", "")),
        architecture=architecture,
        cpus=int(info.get("NCPU", 0)),
        memory_bytes=int(info.get("MemTotal", 0)),
        free_bytes=free_bytes(client),
        cgroup_version=str(info.get("CgroupVersion", "")),
        memory_limit=bool(info.get("MemoryLimit")),
        swap_limit=bool(info.get("SwapLimit")),
        base_images=tuple(sorted(int(one.java) for one in stored if one.kind == "base")),
        instance_images=sum(one.kind == "instance" for one in stored),
        foreign_images=tuple(
            name
            for image in images
            if image.attrs.get("Architecture", own) != own
            for name in image.tags
        ),
    )
