"""What to check of an engine before a run: pure rules over gathered facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

__all__ = ["Check", "EngineFacts", "Status", "check_engine"]

_GB: Final = 1e9
_MIN_API: Final = (1, 40)
_MIN_CPUS: Final = 2
_MIN_MEMORY: Final = 4 * _GB
_MIN_FREE: Final = 5 * _GB
_GOOD_FREE: Final = 15 * _GB


class Status(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One line of the doctor's report.

    Attributes:
        name: What was looked at.
        status: How it is.
        found: What was found.
        advice: What to do; empty if nothing need be done.
    """

    name: str
    status: Status
    found: str
    advice: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineFacts:
    """What the engine says of itself and of this project's images.

    Attributes:
        version: Of the engine.
        api_version: Such as ``1.41``.
        architecture: Of the engine's machine, such as ``x86_64``.
        cpus: CPUs that containers may use.
        memory_bytes: Memory of the engine's machine.
        free_bytes: Free room where it keeps its data; ``None`` if unknown.
        cgroup_version: ``1`` or ``2``; empty if unknown.
        memory_limit: Whether it can limit memory.
        swap_limit: Whether it can limit swap.
        base_images: Feature releases of the JDKs that have a base image.
        instance_images: Number of instance images.
        foreign_images: Names of images of another architecture.
    """

    version: str
    api_version: str
    architecture: str
    cpus: int
    memory_bytes: int
    free_bytes: int | None
    cgroup_version: str
    memory_limit: bool
    swap_limit: bool
    base_images: tuple[int, ...]
    instance_images: int
    foreign_images: tuple[str, ...]


def check_engine(facts: EngineFacts) -> tuple[Check, ...]:
    """Judge the engine; ``fail`` where no evaluation is possible."""
    return (
        _api(facts),
        _cores(facts),
        _memory(facts),
        _disk(facts),
        _limits(facts),
        _architecture(facts),
        _images(facts),
    )


def _api(facts: EngineFacts) -> Check:
    numbers = tuple(int(part) for part in facts.api_version.split(".") if part.isdigit())
    found = f"version {facts.version}, API {facts.api_version}"
    if numbers < _MIN_API:
        wanted = ".".join(map(str, _MIN_API))
        return Check(
            name="engine",
            status=Status.FAIL,
            found=found,
            advice=f"API {wanted} or later is needed.",
        )
    return Check(name="engine", status=Status.OK, found=found)


def _cores(facts: EngineFacts) -> Check:
    found = f"{facts.cpus} CPUs"
    if facts.cpus >= _MIN_CPUS:
        return Check(name="cores", status=Status.OK, found=found)
    return Check(
        name="cores",
        status=Status.WARN,
        found=found,
        advice="With one CPU the JIT competes with the tests: times are about twice as noisy.",
    )


def _memory(facts: EngineFacts) -> Check:
    found = f"{facts.memory_bytes / _GB:.1f} GB"
    if facts.memory_bytes >= _MIN_MEMORY:
        return Check(name="memory", status=Status.OK, found=found)
    return Check(
        name="memory",
        status=Status.WARN,
        found=found,
        advice="An arm takes up to 4 GB by default: give less with --memory.",
    )


def _disk(facts: EngineFacts) -> Check:
    if facts.free_bytes is None:
        return Check(
            name="disk",
            status=Status.WARN,
            found="the engine's disk is on another machine",
            advice="See that it has some 15 GB free.",
        )
    found = f"{facts.free_bytes / _GB:.1f} GB free"
    if facts.free_bytes >= _GOOD_FREE:
        return Check(name="disk", status=Status.OK, found=found)
    status = Status.WARN if facts.free_bytes >= _MIN_FREE else Status.FAIL
    return Check(
        name="disk",
        status=status,
        found=found,
        advice="`jeto-bench images clean --images` removes this project's images.",
    )


def _limits(facts: EngineFacts) -> Check:
    found = f"cgroup v{facts.cgroup_version or '?'}"
    if not facts.memory_limit:
        return Check(
            name="limits",
            status=Status.FAIL,
            found=f"{found}, memory cannot be limited",
            advice="Enable the kernel's memory controller (cgroup_enable=memory).",
        )
    if not facts.swap_limit:
        return Check(
            name="limits",
            status=Status.WARN,
            found=f"{found}, swap cannot be limited",
            advice="Tests short of memory may swap: turn swap off while measuring.",
        )
    return Check(name="limits", status=Status.OK, found=found)


def _architecture(facts: EngineFacts) -> Check:
    if not facts.foreign_images:
        return Check(name="architecture", status=Status.OK, found=facts.architecture)
    return Check(
        name="architecture",
        status=Status.FAIL,
        found=f"{facts.architecture}, but not {', '.join(facts.foreign_images)}",
        advice="Times under emulation mean nothing: build these images here.",
    )


def _images(facts: EngineFacts) -> Check:
    bases = ", ".join(map(str, facts.base_images)) or "none"
    found = f"base images: JDK {bases}; instance images: {facts.instance_images}"
    if facts.instance_images:
        return Check(name="images", status=Status.OK, found=found)
    return Check(
        name="images",
        status=Status.WARN,
        found=found,
        advice="`jeto-bench images build` makes them, `jeto-bench images pull` fetches them.",
    )
