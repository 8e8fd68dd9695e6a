"""What the steps of an evaluation ask of the place where an arm lives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

__all__ = ["ExecResult", "Sandbox", "User"]


class User(StrEnum):
    """The two unprivileged users of an instance image.

    ``jeto`` owns the tree, builds, and writes the reports; ``runner`` executes code under test
    and can change nothing that ``jeto`` owns.
    """

    JETO = "jeto"
    RUNNER = "runner"


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecResult:
    """How a command in the sandbox ended.

    Attributes:
        exit_code: The command's status; ``None`` if it was killed at the deadline.
        seconds: Wall time by the harness's clock.
        output: Last 64 KiB of stdout and stderr together, raw bytes. Never used for grading.
        timed_out: The deadline passed.
        oom_killed: The kernel killed a process of the container for memory meanwhile.
    """

    exit_code: int | None
    seconds: float
    output: bytes
    timed_out: bool = False
    oom_killed: bool = False

    @property
    def ok(self) -> bool:
        """Whether the command ended by itself with status 0."""
        return self.exit_code == 0


class Sandbox(Protocol):
    """One arm's container. Methods raise ``SandboxError`` for trouble of the engine."""

    def exec(
        self,
        argv: Sequence[str],
        *,
        deadline: float,
        user: User = User.JETO,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> ExecResult:
        """Run a command with closed stdin for at most ``deadline`` seconds.

        At the deadline every process of ``user`` in the sandbox is killed.
        """
        ...

    def put(self, path: str, data: bytes, *, mode: int = 0o644, user: User = User.JETO) -> None:
        """Write one file, byte for byte, creating parents."""
        ...

    def get(self, path: str, *, max_bytes: int = 64 * 1024 * 1024) -> Mapping[str, bytes]:
        """Return all regular files below ``path`` by relative path; empty if absent.

        Links and special files are left out. Raises ``SandboxError`` above ``max_bytes``.
        """
        ...

    def close(self) -> None:
        """Remove the container; trouble here is logged, not raised."""
        ...
