"""What an evaluation asks of an arm: apply, build, run a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from jeto_evaluate.patching import PatchResult

__all__ = ["ArmSession", "BuildResult", "RoundOutput"]


@dataclass(frozen=True, kw_only=True, slots=True)
class BuildResult:
    """How compiling an arm ended.

    Attributes:
        ok: Main and test classes are compiled.
        seconds: Wall time by the harness's clock.
        output: End of Maven's output, raw bytes; for people only.
        timed_out: The deadline passed.
        oom_killed: The kernel killed a process for memory.
        outputs: SHA-256 by path of everything below the modules' ``target/classes``.
    """

    ok: bool
    seconds: float
    output: bytes
    timed_out: bool = False
    oom_killed: bool = False
    outputs: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundOutput:
    """What one round left.

    Attributes:
        exit_code: Maven's status: 0 or 1; ``None`` if the deadline passed.
        started_at: Seconds since the epoch by the harness's clock.
        wall_ms: Whole milliseconds by the harness's clock, launch included.
        cpu_ms: Processor time of the whole container meanwhile, by the kernel; ``None`` if
            unknown.
        files: The reports by relative path, the agents' among them.
        output: End of Maven's log, raw bytes; empty if the round passed. For people only.
        timed_out: The deadline passed.
        oom_killed: The kernel killed a process for memory.
        leftovers: Command lines of processes that the round left, killed since.
    """

    exit_code: int | None
    started_at: float
    wall_ms: int
    files: Mapping[str, bytes]
    cpu_ms: int | None = None
    output: bytes = b""
    timed_out: bool = False
    oom_killed: bool = False
    leftovers: tuple[str, ...] = ()


class ArmSession(Protocol):
    """One version in a place of its own. Methods raise ``SandboxError`` for engine trouble."""

    def add_tests(self, patch: bytes, *, deadline: float) -> str:
        """Add the fix's own tests to the base tree; return why not, empty if they are there."""
        ...

    def apply(self, patch: bytes, *, deadline: float) -> PatchResult:
        """Apply a patch to the base tree; all or nothing."""
        ...

    def build(self, *, deadline: float) -> BuildResult:
        """Compile main and test classes once, and get ready for rounds."""
        ...

    def round(self, classes: Sequence[str], *, seed: int = 0, deadline: float) -> RoundOutput:
        """Run the test classes once, in a JVM of their own, in the order that ``seed`` gives."""
        ...

    def close(self) -> None:
        """Give everything back; trouble here is logged, not raised."""
        ...
