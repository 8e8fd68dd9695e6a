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
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from docker.models.containers import Container

from jeto_bench.errors import ImageError

__all__ = ["CACHE", "STAGE", "Workshop"]

STAGE: Final = "/mnt"
"""Where the temporary volume lies: a folder that every base has, so no image gains one."""

CACHE: Final = "/media"
"""Where the download cache lies."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """A running container with a log file that receives every command and its output."""

    container: Container
    log_path: Path
    subject: str

    def put(self, files: Mapping[str, bytes], *, folder: str = STAGE) -> None:
        """Write files below ``folder``, readable by all."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            for name, data in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                info.mode = 0o755 if name.endswith(".sh") else 0o644
                archive.addfile(info, io.BytesIO(data))
        self.container.put_archive(folder, buffer.getvalue())

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
        result = self.container.exec_run(
            ["timeout", "-k", "5", str(seconds), *argv],
            user=user,
            environment=dict(_home(user), **(env or {})),
            stdin=False,
        )
        output = result.output if isinstance(result.output, bytes) else b""
        status = -1 if result.exit_code is None else result.exit_code
        with self.log_path.open("ab") as log:
            log.write(f"$ ({user}) {' '.join(argv)}\n".encode() + output)
            log.write(f"-> {status}, {time.monotonic() - started:.1f} s\n".encode())
        return status, output

    def must(
        self, what: str, argv: Sequence[str], *, user: str = "jeto", seconds: int = 600
    ) -> bytes:
        """As ``run``; a status other than 0 is an ``ImageError`` that says what failed."""
        status, output = self.run(argv, user=user, seconds=seconds)
        if status != 0:
            late = f" within {seconds} s" if status in {124, 137} else ""
            raise ImageError(
                f"{self.subject}: {what} failed{late} (status {status}): {_last_line(output)}",
                advice=f"The whole output is in {self.log_path}.",
            )
        return output

    def stream(self, argv: Sequence[str], target: IO[bytes], *, user: str = "root") -> None:
        """Write a command's standard output to ``target``.

        Raises:
            ImageError: The command failed.
        """
        api = self.container.client.api if self.container.client else None
        if api is None:
            raise ImageError("the container has no client")
        created = api.exec_create(self.container.id, list(argv), user=user)
        for out, err in api.exec_start(created["Id"], stream=True, demux=True):
            if out:
                target.write(out)
            if err:
                with self.log_path.open("ab") as log:
                    log.write(err)
        status = api.exec_inspect(created["Id"])["ExitCode"]
        if status != 0:
            raise ImageError(f"{argv[0]} ended with {status}", advice=f"See {self.log_path}.")


def _home(user: str) -> dict[str, str]:
    return {"HOME": "/root" if user == "root" else f"/home/{user}"}


def _last_line(output: bytes) -> str:
    """The line that says most: Maven's first error, else the last line."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines()]
    errors = [line for line in lines if line.startswith("[ERROR]")]
    full = [line for line in lines if line]
    return (errors or full[-1:] or ["no output"])[0]
