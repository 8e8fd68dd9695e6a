"""Gathering of what the doctor judges; nothing is changed, nothing is kept."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import docker
import requests
from docker.errors import DockerException

from jeto_bench.errors import EngineError
from jeto_evaluate.engine.doctor import EngineFacts, HostFacts
from jeto_evaluate.images.layout import Label
from jeto_evaluate.images.settings import BUNDLE_PATHS
from jeto_evaluate.images.store import free_bytes, list_images

__all__ = ["gather_engine", "gather_host"]

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


def gather_host(*, root: Path = Path("/")) -> HostFacts:
    """Read this machine's own files and commands.

    Args:
        root: Where ``sys`` and ``etc`` are; tests set it.
    """
    system = root / "sys/devices/system/cpu"
    governors = {_text(path) for path in system.glob("cpu*/cpufreq/scaling_governor")}
    bundles = [root / path.lstrip("/") for path in BUNDLE_PATHS]
    return HostFacts(
        governors=tuple(sorted(governors - {""})),
        turbo=_turbo(system),
        load=os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        cpus=os.cpu_count() or 1,
        mmdebstrap=shutil.which("mmdebstrap") is not None,
        git=shutil.which("git") is not None,
        certificates=next((str(path) for path in bundles if path.is_file()), ""),
    )


def _turbo(system: Path) -> bool | None:
    """Whether turbo is on: Intel's file says whether it is off, others whether it is on."""
    no_turbo = _text(system / "intel_pstate/no_turbo")
    if no_turbo:
        return no_turbo == "0"
    boost = _text(system / "cpufreq/boost")
    return boost == "1" if boost else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
