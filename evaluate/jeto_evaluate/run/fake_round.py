"""Rounds made up for tests, with reports as Surefire writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.sax.saxutils import quoteattr

from jeto_evaluate.agent_lines import AGENT_VERSION
from jeto_evaluate.run.arm import RoundOutput

__all__ = ["FakeClass", "FakeRound"]

_LAUNCH_MS = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class FakeClass:
    """One test class of a round.

    Attributes:
        milliseconds: Its suite's time, spread over the cases that run.
        cases: Names of its cases.
        failed: Those of ``cases`` that fail.
        skipped: Those of ``cases`` that are skipped.
        message: What those that fail say.
    """

    milliseconds: int
    cases: tuple[str, ...] = ("works",)
    failed: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    message: str = "not equal"

    def report(self, test_class: str, surefire: str) -> bytes:
        """Write the class's ``TEST-*.xml`` as Surefire 3 does."""
        ran = [name for name in self.cases if name not in self.skipped]
        each, rest = divmod(self.milliseconds, len(ran) or 1)
        counts = (
            f'tests="{len(self.cases)}" errors="0" skipped="{len(self.skipped)}" '
            f'failures="{len(self.failed)}"'
        )
        version = f'<property name="surefire.version" value={quoteattr(surefire)}/>'
        lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f"<testsuite name={quoteattr(test_class)} time={_seconds(self.milliseconds)} {counts}>",
            f"<properties>{version}</properties>",
        ]
        for name in self.cases:
            time = 0 if name in self.skipped else each + (rest if name == ran[0] else 0)
            failure = f"<failure message={quoteattr(self.message)}/>"
            inside = failure if name in self.failed else ""
            inside = "<skipped/>" if name in self.skipped else inside
            lines.append(
                f"<testcase name={quoteattr(name)} classname={quoteattr(test_class)} "
                f"time={_seconds(time)}>{inside}</testcase>"
            )
        return "\n".join([*lines, "</testsuite>", ""]).encode()


@dataclass(frozen=True, kw_only=True, slots=True)
class FakeRound:
    """What one round of an arm gives.

    Attributes:
        classes: Test classes by name.
        files: More files by path, or others in place of those that ``classes`` gives.
        wall_ms: Milliseconds by the harness's clock; ``None`` for the classes' and a launch's.
        exit_code: Maven's status; ``None`` for 1 if a case fails, else 0.
        output: The end of Maven's log.
        oom_killed: The kernel killed a process for memory.
        leftovers: Command lines of processes that the round left.
        surefire: Version that the reports state.
        hangs: The round ends at its deadline, or by ``FakeArms.kill``.
        error: Raised instead.
        seen: The agent ran, and saw what the reports say.
        processors: As the agent's JVM sees them.
    """

    classes: Mapping[str, FakeClass] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    wall_ms: int | None = None
    exit_code: int | None = None
    output: bytes = b""
    oom_killed: bool = False
    leftovers: tuple[str, ...] = ()
    surefire: str = "3.2.5"
    hangs: bool = False
    error: Exception | None = None
    seen: bool = False
    processors: int = 2

    def only(self, classes: Sequence[str]) -> FakeRound:
        """Return the round if just one class is asked for; else all classes run."""
        if len(classes) != 1:
            return self
        return replace(self, classes={name: self.classes[name] for name in classes})

    def result(self, *, started_at: float, timed_out: bool) -> RoundOutput:
        """Return the round as an arm does; one that timed out left no reports."""
        made = {
            f"TEST-{name}.xml": item.report(name, self.surefire)
            for name, item in self.classes.items()
        }
        if self.seen:
            made["agent-1.jsonl"] = _agent_lines(self.classes, self.processors)
        reported = sum(item.milliseconds for item in self.classes.values())
        failed = any(item.failed for item in self.classes.values())
        status = int(failed) if self.exit_code is None else self.exit_code
        return RoundOutput(
            exit_code=None if timed_out else status,
            started_at=started_at,
            wall_ms=_LAUNCH_MS + reported if self.wall_ms is None else self.wall_ms,
            files={} if timed_out else {**made, **self.files},
            output=self.output,
            timed_out=timed_out,
            oom_killed=self.oom_killed,
            leftovers=self.leftovers,
        )


def _agent_lines(classes: Mapping[str, FakeClass], processors: int) -> bytes:
    lines: list[dict[str, object]] = [
        {
            "type": "start", "version": AGENT_VERSION, "java": "17.0.0",
            "processors": processors, "max_heap": 1 << 30, "collectors": ["Copy"],
        },
        {"type": "order", "ordered": True, "classes": len(classes)},
        *(
            {
                "type": "class", "seq": number, "position": number, "depth": 0, "name": name,
                "wall_ns": item.milliseconds * 1_000_000,
                "thread_cpu_ns": item.milliseconds * 1_000_000,
                "java_cpu_ns": item.milliseconds * 1_000_000,
                "wait_ns": 0, "java_alloc": item.milliseconds * 1000, "flags": [],
                "tests": [[case, 0, None, None] for case in item.cases],
            }
            for number, (name, item) in enumerate(classes.items())
        ),
        {"type": "end", "seq": len(classes), "trouble": []},
    ]  # fmt: skip
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _seconds(milliseconds: int) -> str:
    return f'"{milliseconds // 1000}.{milliseconds % 1000:03d}"'
