"""What the agent inside a test JVM wrote, line by line: bytes in, values out. Pure.

The lines come out of a JVM that code under test shares: nothing in them is believed here beyond
its form. ``agent_times`` holds them against the reports.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jeto_bench.errors import DecodeError

__all__ = ["AGENT_VERSION", "AgentRun", "AgentSet", "AgentTest", "Jvm", "parse_agent"]

AGENT_VERSION = 1
"""Version of the lines; ``start`` states it."""

_MAX_LINES = 200_000
_MAX_NUMBER = 2**62
_COUNTERS = (
    "thread_cpu_ns",
    "java_cpu_ns",
    "wait_ns",
    "jit_cpu_ns",
    "gc_cpu_ns",
    "vm_cpu_ns",
    "thread_alloc",
    "java_alloc",
    "loaded",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentTest:
    """One test method: wall and CPU nanoseconds and bytes allocated, of its thread alone.

    All are ``None`` for a test that was skipped.
    """

    name: str
    wall_ns: int | None
    cpu_ns: int | None
    alloc: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentSet:
    """One test set as Surefire ran it: a class, a nested class, or one class's part of TestNG's.

    Attributes:
        name: As Surefire calls it.
        position: Place in its JVM, from 0.
        depth: 0 for a set that no other one was open around.
        wall_ns: By the JVM's monotonic clock.
        counters: The other figures by their names in ``AgentTimes``; ``None`` where unknown.
        flags: Why figures may mean something else, such as ``parallel`` or ``replay``.
        tests: Its methods in the order they ended.
    """

    name: str
    position: int
    depth: int
    wall_ns: int
    counters: Mapping[str, int | None]
    flags: tuple[str, ...]
    tests: tuple[AgentTest, ...]


@dataclass(frozen=True, order=True, kw_only=True, slots=True)
class Jvm:
    """A test JVM as it sees itself.

    Attributes:
        java: Its version.
        processors: Processors that it may use.
        max_heap_bytes: The most that its heap may grow to, bytes.
        collectors: Names of its garbage collectors.
    """

    java: str
    processors: int
    max_heap_bytes: int
    collectors: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentRun:
    """One test JVM's lines.

    Attributes:
        jvm: What it says of itself.
        ordered: The agent has set the order of the classes.
        sets: In the order they ended.
        ended: The last line is there; a JVM that was halted lacks it.
        trouble: What went wrong inside the agent.
    """

    jvm: Jvm
    ordered: bool
    sets: tuple[AgentSet, ...]
    ended: bool
    trouble: tuple[str, ...]


def parse_agent(data: bytes, *, source: str = "") -> AgentRun:
    """Read the lines of one JVM.

    Raises:
        DecodeError: Not such lines, a number out of range, or sets that are not numbered in turn:
            something else has written there.
    """
    lines = data.split(b"\n")
    if lines[-1] or len(lines) > _MAX_LINES:
        raise DecodeError("cut off, or too long", source=source)
    documents = [_Document(line, source, number) for number, line in enumerate(lines[:-1], start=1)]
    if not documents or documents[0].kind != "start":
        raise DecodeError("does not begin with the line start", source=source)
    start, rest = documents[0], documents[1:]
    if start.number("version") != AGENT_VERSION:
        raise DecodeError("written by an agent of another version", source=source, field="version")
    ends = [item for item in rest if item.kind == "end"]
    sets = [item for item in rest if item.kind == "class"]
    orders = [item for item in rest if item.kind == "order"]
    known = len(sets) + len(ends) + len(orders) == len(rest)
    if not known or len(ends) > 1 or (ends and rest[-1] is not ends[0]):
        raise DecodeError("lines out of turn", source=source)
    for number, item in enumerate(sets):
        if item.number("seq") != number:
            raise DecodeError(f"set {number} is not in its place", source=source, line=item.line)
    if ends and ends[0].number("seq") != len(sets):
        raise DecodeError(f"the end does not follow {len(sets)} sets", source=source)
    return AgentRun(
        jvm=Jvm(
            java=start.text("java"),
            processors=start.number("processors"),
            max_heap_bytes=start.number("max_heap"),
            collectors=start.texts("collectors"),
        ),
        ordered=bool(orders) and all(item.values.get("ordered") is True for item in orders),
        sets=tuple(_set(item) for item in sets),
        ended=bool(ends),
        trouble=ends[0].texts("trouble") if ends else (),
    )


class _Document:
    """One line, its fields checked as they are asked for."""

    def __init__(self, data: bytes, source: str, line: int) -> None:
        self.source = source
        self.line = line
        try:
            values = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise DecodeError(f"not JSON: {error}", source=source, line=line) from None
        if not isinstance(values, dict):
            raise self.error("", "is not an object")
        self.values: Mapping[str, object] = values
        self.kind = self.text("type")

    def error(self, field: str, what: str) -> DecodeError:
        return DecodeError(what, source=self.source, line=self.line, field=field)

    def text(self, field: str) -> str:
        value = self.values.get(field)
        if not isinstance(value, str):
            raise self.error(field, "is not a text")
        return value

    def texts(self, field: str) -> tuple[str, ...]:
        return tuple(str(item) for item in self.list(field))

    def list(self, field: str) -> Sequence[object]:
        value = self.values.get(field)
        if not isinstance(value, list):
            raise self.error(field, "is not a list")
        return value

    def number(self, field: str) -> int:
        value = self.count(self.values.get(field), field)
        if value is None:
            raise self.error(field, "is missing")
        return value

    def count(self, value: object, field: str) -> int | None:
        """A whole number of 0 or more, or nothing."""
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _MAX_NUMBER:
            raise self.error(field, f"{value!r} is not a count")
        return value


def _set(item: _Document) -> AgentSet:
    return AgentSet(
        name=item.text("name"),
        position=item.number("position"),
        depth=item.number("depth"),
        wall_ns=item.number("wall_ns"),
        counters={name: item.count(item.values.get(name), name) for name in _COUNTERS},
        flags=item.texts("flags"),
        tests=tuple(_test(item, entry) for entry in item.list("tests")),
    )


def _test(item: _Document, entry: object) -> AgentTest:
    match entry:
        case [str(name), wall, cpu, alloc]:
            return AgentTest(
                name=name,
                wall_ns=item.count(wall, "tests"),
                cpu_ns=item.count(cpu, "tests"),
                alloc=item.count(alloc, "tests"),
            )
    raise item.error("tests", f"{entry!r} is not a test")
