"""The agent's figures of a round, held against Surefire's reports of the same round. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from jeto_bench.errors import DecodeError
from jeto_evaluate.agent_lines import AgentRun, AgentSet, Jvm, parse_agent
from jeto_evaluate.samples import AgentTimes, ClassTime
from jeto_evaluate.surefire.classes import outermost_class

__all__ = ["AgentRound", "Held", "read_agent", "with_agent"]


class AgentRound(NamedTuple):
    """What the agents of one round say.

    Attributes:
        runs: One per test JVM, in the order they started.
        problem: Why nothing of it is used; empty if all is well.
        broken: The lines are there and are not an agent's: something else has written.
    """

    runs: tuple[AgentRun, ...]
    problem: str = ""
    broken: bool = False

    @property
    def jvms(self) -> tuple[Jvm, ...]:
        """The different kinds of test JVMs, sorted."""
        return tuple(sorted({run.jvm for run in self.runs}))


class Held(NamedTuple):
    """The classes of a round, held against what the agents say.

    Attributes:
        classes: With the agent's figures, if they agree with the reports in every class.
        problem: Why the figures are not used; empty if they are.
        contradicted: The agents were there, and did not see what the reports say.
    """

    classes: tuple[ClassTime, ...]
    problem: str
    contradicted: bool


def read_agent(files: Mapping[str, bytes]) -> AgentRound:
    """Read the agents' files among those of a round; others are left alone."""
    names = sorted(
        path
        for path in files
        if fnmatchcase(path.rpartition("/")[2], "agent-*.jsonl") and files[path]
    )
    try:
        runs = tuple(parse_agent(files[name], source=name) for name in names)
    except DecodeError as error:
        return AgentRound((), str(error), broken=True)
    if not runs:
        return AgentRound((), "no agent has written")
    flags = sorted({flag for run in runs for item in run.sets for flag in item.flags})
    if flags:
        return AgentRound(runs, f"its figures are of something else: {', '.join(flags)}")
    return AgentRound(runs)


def with_agent(times: Sequence[ClassTime], said: AgentRound) -> Held:
    """Add the agent's figures to the classes of a round.

    Args:
        times: What the reports say.
        said: What the agents say.
    """
    if said.problem:
        return Held(tuple(times), said.problem, contradicted=said.broken)
    found = _by_class(said.runs)
    for entry in times:
        problem = _contradiction(entry, found.get(entry.test_class))
        if problem:
            return Held(tuple(times), f"{entry.test_class}: {problem}", contradicted=True)
    classes = tuple(replace(entry, agent=found[entry.test_class].times) for entry in times)
    return Held(classes, "", contradicted=False)


class _Class(NamedTuple):
    times: AgentTimes
    tests: int


def _by_class(runs: Iterable[AgentRun]) -> Mapping[str, _Class]:
    groups: dict[str, list[AgentSet]] = {}
    for run in runs:
        for item in sorted(run.sets, key=lambda item: item.position):
            groups.setdefault(outermost_class(item.name, item.name)[0], []).append(item)
    return {
        name: _Class(_sum(order, sets), sum(len(item.tests) for item in sets))
        for order, (name, sets) in enumerate(groups.items())
    }


def _sum(order: int, sets: Sequence[AgentSet]) -> AgentTimes:
    outer = [item for item in sets if item.depth == 0]

    def total(name: str) -> int | None:
        values = [item.counters[name] for item in outer]
        return None if None in values else sum(value for value in values if value is not None)

    return AgentTimes(
        order=order,
        wall_ns=sum(item.wall_ns for item in outer),
        thread_cpu_ns=total("thread_cpu_ns"),
        java_cpu_ns=total("java_cpu_ns"),
        wait_ns=total("wait_ns"),
        jit_cpu_ns=total("jit_cpu_ns"),
        gc_cpu_ns=total("gc_cpu_ns"),
        vm_cpu_ns=total("vm_cpu_ns"),
        thread_alloc=total("thread_alloc"),
        java_alloc=total("java_alloc"),
        loaded=total("loaded"),
    )


def _contradiction(entry: ClassTime, found: _Class | None) -> str:
    if found is None:
        return "the agent saw no such class"
    if found.tests != entry.cases:
        return f"{entry.cases} cases in the reports, {found.tests} seen by the agent"
    return ""
