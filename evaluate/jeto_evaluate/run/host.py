"""What this machine is, as far as a verdict depends on it."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jeto_evaluate.reports.provenance import Host

if TYPE_CHECKING:
    import docker

__all__ = ["harness_commit", "host_facts", "usable_cores"]

_CPU_DIRECTORY = Path("/sys/devices/system/cpu")


def host_facts(client: docker.DockerClient) -> Host:
    """Ask the engine and the kernel; settings of the host are read, never changed."""
    info: Mapping[str, object] = client.info()
    version: Mapping[str, object] = client.version()
    return Host(
        cpu_model=_cpu_model(),
        cores=len(os.sched_getaffinity(0)),
        memory_bytes=int(str(info.get("MemTotal", 0))),
        kernel=str(info.get("KernelVersion", platform.release())),
        engine_version=f"docker {version.get('Version', 'unknown')}",
    )


def usable_cores(allowed: frozenset[int] | None = None) -> tuple[tuple[int, ...], ...]:
    """Return the logical CPUs this process may use, grouped by physical core.

    Args:
        allowed: Use these instead of the process's own.
    """
    cpus = frozenset(os.sched_getaffinity(0)) if allowed is None else allowed
    groups: dict[str, list[int]] = {}
    for cpu in sorted(cpus):
        siblings = _CPU_DIRECTORY / f"cpu{cpu}" / "topology" / "thread_siblings_list"
        try:
            key = siblings.read_text().strip()
        except OSError:
            key = str(cpu)
        groups.setdefault(key, []).append(cpu)
    return tuple(tuple(group) for group in groups.values())


def harness_commit() -> str:
    """Return the commit of the checkout that this code runs from; empty outside a checkout."""
    here = Path(__file__).resolve().parents[3]
    if not (here / ".git").exists():
        return ""
    found = subprocess.run(  # noqa: S603  # a fixed command
        ["git", "-C", str(here), "rev-parse", "HEAD"],  # noqa: S607  # found on the PATH
        capture_output=True,
        text=True,
        check=False,
        timeout=10,
    )
    return found.stdout.strip() if found.returncode == 0 else ""


def _cpu_model() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.processor() or "unknown"
