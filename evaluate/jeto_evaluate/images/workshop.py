"""A container in which images are built or proved.

What only a build needs (archives, certificates, settings) lies in an anonymous volume at
``/mnt``: it goes away with the container, needs no folder shared with the engine's machine, and
cannot become part of an image.
"""

from __future__ import annotations

import io
import tarfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import docker
from docker.models.containers import Container

from jeto_bench.errors import ImageError

__all__ = ["CACHE", "STAGE", "Done", "StepError", "Workshop"]

STAGE: Final = "/mnt"
"""Where the temporary volume lies: a folder that every base has, so no image gains one."""

CACHE: Final = "/media"
"""Where the download cache lies."""

_VERDICT: Final = "NOT PROVED:"
_SHOWN_ERRORS: Final = 5


class StepError(ImageError):
    """A command in a build container failed.

    Attributes:
        step: What it was for.
        output: All that it printed.
        late: It was killed at its deadline.
    """

    def __init__(self, message: str, *, advice: str, step: str, output: bytes, late: bool) -> None:
        super().__init__(message, advice=advice)
        self.step = step
        self.output = output
        self.late = late


@dataclass(frozen=True, slots=True)
class Done:
    """What was done in a container, so that it can be done again by hand.

    Attributes:
        files: Put below ``STAGE``, by path.
        steps: Commands that had to succeed and did, each with its user.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    steps: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Workshop:
    """A running container with a log file that receives every command and its output."""

    client: docker.DockerClient
    container: Container
    log_path: Path
    subject: str
    done: Done = field(default_factory=Done)

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write files below ``STAGE``, readable by all."""
        self.done.files.update(files)
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            for name, data in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                info.mode = 0o755 if name.endswith(".sh") else 0o644
                archive.addfile(info, io.BytesIO(data))
        self.container.put_archive(STAGE, buffer.getvalue())

    def run(
        self,
        argv: Sequence[str],
        *,
        user: str = "jeto",
        seconds: int = 600,
        env: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes]:
        """Run a command; returns its status and output, which also go to the log.

        After ``seconds`` the command is killed and the status is 124 or 137.
        """
        started = time.monotonic()
        output = io.BytesIO()
        killed = ["timeout", "-k", "5", str(seconds), *argv]
        status = self._exec(killed, user, output, output, env)
        with self.log_path.open("ab") as log:
            log.write(f"$ ({user}) {' '.join(argv)}\n".encode() + output.getvalue())
            log.write(f"-> {status}, {time.monotonic() - started:.1f} s\n".encode())
        return status, output.getvalue()

    def must(
        self, what: str, argv: Sequence[str], *, user: str = "jeto", seconds: int = 600
    ) -> bytes:
        """As ``run``; a status other than 0 is a ``StepError`` that says what failed."""
        status, output = self.run(argv, user=user, seconds=seconds)
        if status != 0:
            late = status in {124, 137}
            within = f" within {seconds} s" if late else ""
            raise StepError(
                f"{self.subject}: {what} failed{within} (status {status}): {_last_words(output)}",
                advice=f"The whole output is in {self.log_path}.",
                step=what,
                output=output,
                late=late,
            )
        self.done.steps.append((user, tuple(argv)))
        return output

    def stream(self, argv: Sequence[str], target: IO[bytes], *, user: str = "root") -> None:
        """Write a command's standard output to ``target``.

        Raises:
            ImageError: The command failed.
        """
        with self.log_path.open("ab") as log:
            status = self._exec(argv, user, target, log, {})
        if status != 0:
            raise ImageError(
                f"{self.subject}: {argv[0]} ended with {status}", advice=f"See {self.log_path}."
            )

    def _exec(
        self,
        argv: Sequence[str],
        user: str,
        out: IO[bytes],
        err: IO[bytes],
        env: Mapping[str, str] | None,
    ) -> int:
        """Run a command and return its status; its two streams are written as they come."""
        api = self.client.api
        created = api.exec_create(
            self.container.id,
            list(argv),
            user=user,
            environment={"HOME": "/root" if user == "root" else f"/home/{user}", **(env or {})},
        )
        stream = api.exec_start(created["Id"], stream=True, demux=True)
        try:
            for from_out, from_err in stream:
                out.write(from_out or b"")
                err.write(from_err or b"")
        finally:
            # The SDK's own close() leaves the connection to the garbage collector.
            stream._response.close()  # type: ignore[attr-defined]  # noqa: SLF001
        return int(api.exec_inspect(created["Id"])["ExitCode"])


def _last_words(output: bytes) -> str:
    """What says most: the proof's verdict, Maven's first errors, else the last line."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines()]
    verdict = next((line for line in lines if line.startswith(_VERDICT)), "")
    if verdict:
        return verdict.removeprefix(_VERDICT).strip()
    errors = [line.removeprefix("[ERROR]").strip() for line in lines if line.startswith("[ERROR]")]
    named = [line for line in errors if line][:_SHOWN_ERRORS]
    return " | ".join(named) or next((line for line in reversed(lines) if line), "no output")
