"""Which CPUs an instance is measured on: disjoint sets, no shared siblings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jeto_bench.errors import UsageError

__all__ = ["CpuPlan", "format_cpuset", "parse_cpuset", "plan_cpus"]

_ENOUGH = 2  # one for the tests, one for the JIT and the collector


@dataclass(frozen=True, kw_only=True, slots=True)
class CpuPlan:
    """The sets of a run.

    Attributes:
        sets: One set of logical CPUs per slot; an instance's arms run in turn on one of them.
        spare: CPUs that no slot uses, left to the engine and the harness.
        few: An arm has one CPU: the JIT competes with the tests, and noise about doubles.
    """

    sets: tuple[tuple[int, ...], ...]
    spare: tuple[int, ...]
    few: bool


def plan_cpus(cores: Sequence[Sequence[int]], *, slots: int, cpus: int | None) -> CpuPlan:
    """Divide a machine's CPUs among slots.

    Whole physical cores go to a slot, so that two slots never share one; the first core stays
    with the engine where there is one to spare.

    Args:
        cores: Logical CPUs that may be used, grouped by physical core.
        slots: Instances measured at the same time.
        cpus: CPUs per slot; ``None`` for two, or one on a machine with one.

    Raises:
        UsageError: The machine has too few.
    """
    total = sum(len(core) for core in cores)
    wanted = cpus if cpus is not None else min(_ENOUGH, total)
    if slots < 1 or wanted < 1:
        raise UsageError(f"-j {slots} and --cpus {wanted}: both must be at least 1")
    groups: list[tuple[int, ...]] = []
    taken: list[int] = []
    # Cores are taken from the end: CPU 0 serves the most interrupts.
    for core in reversed([tuple(core) for core in cores]):
        if len(groups) == slots:
            break
        taken += core
        if len(taken) >= wanted:
            groups.append(tuple(sorted(taken)[:wanted]))
            taken = []
    if len(groups) < slots:
        possible = len(groups)
        raise UsageError(
            f"-j {slots} with {wanted} CPUs each: this machine has {total} usable CPUs on "
            f"{len(cores)} cores, enough for {possible}",
            advice="Times measured on shared CPUs mean nothing. Use a smaller -j or --cpus.",
        )
    inside = {cpu for group in groups for cpu in group}
    spare = tuple(cpu for core in cores for cpu in core if cpu not in inside)
    return CpuPlan(sets=tuple(sorted(groups)), spare=spare, few=wanted < _ENOUGH)


def format_cpuset(cpus: Sequence[int]) -> str:
    """Write CPUs as the kernel does: ``0-1,4``."""
    parts: list[str] = []
    ordered = sorted(cpus)
    start = 0
    for end in range(1, len(ordered) + 1):
        if end == len(ordered) or ordered[end] != ordered[end - 1] + 1:
            first, last = ordered[start], ordered[end - 1]
            parts.append(str(first) if first == last else f"{first}-{last}")
            start = end
    return ",".join(parts)


def parse_cpuset(text: str) -> tuple[int, ...]:
    """Read a set as the kernel writes it.

    Raises:
        ValueError: Not a set.
    """
    cpus: set[int] = set()
    for part in text.strip().split(","):
        first, dash, last = part.partition("-")
        cpus.update(range(int(first), int(last if dash else first) + 1))
    return tuple(sorted(cpus))
