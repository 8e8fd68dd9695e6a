"""A container in which images are built or proved.

What only a build needs (archives, certificates, settings) lies in an anonymous volume at
``/mnt``: it goes away with the container, needs no folder shared with the engine's machine, and
cannot become part of an image.
"""

from __future__ import annotations

import io
import os
import tarfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import docker
import requests
from docker.errors import DockerException
from docker.models.containers import Container
from docker.types import Mount

from jeto_bench.errors import ImageError, SandboxError
from jeto_evaluate.engine.container import (
    EXPIRES_LABEL,
    PID_LABEL,
    RUN_LABEL,
    ContainerSettings,
    remove_container,
    start_container,
)
from jeto_evaluate.images.layout import ARTIFACT_CACHE_VOLUME, Label
from jeto_evaluate.images.settings import proxy_environment

__all__ = ["BUILD_RUN", "CACHE", "STAGE", "Limits", "Workshop", "open_workshop"]

STAGE: Final = "/mnt"
"""Where the temporary volume lies: a folder that every base has, so no image gains one."""

CACHE: Final = "/media"
"""Where the download cache lies."""

BUILD_RUN: Final = "images"
"""Run label of containers that build or prove images."""

_LIFETIME_S: Final = 3 * 3600


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a proof's container may use; the rest is as in an evaluation.

    Attributes:
        memory_bytes: Memory; swap is not added.
        cpuset: CPUs, such as ``0,1``; empty for all.
    """

    memory_bytes: int = 4 * 1024**3
    cpuset: str = ""


@dataclass(frozen=True, slots=True)
class Workshop:
    """A running container with a log file that receives every command and its output."""

    container: Container
    log_path: Path

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
                f"{what} failed{late} (status {status}): {_last_line(output)}",
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


@contextmanager
def open_workshop(
    client: docker.DockerClient,
    image: str,
    *,
    log_path: Path,
    isolated: Limits | None = None,
    cached: bool = False,
) -> Iterator[Workshop]:
    """Start a container of ``image`` and remove it at the end.

    Args:
        client: The engine.
        image: Name or id.
        log_path: Where commands and output are appended.
        isolated: Limits of an evaluation, and no network; else the host's network, for building.
        cached: Mount the shared download cache, where only root can write.

    Raises:
        ImageError: The engine refused, or the connection was lost.
    """
    log_path.parent.mkdir(parents=True, exist_ok=True)
    container: Container | None = None
    try:
        container = (
            _build_container(client, image, cached=cached)
            if isolated is None
            else start_container(client, _settings(image, isolated))
        )
        yield Workshop(container, log_path)
    except (DockerException, requests.RequestException, SandboxError) as error:
        raise ImageError(
            f"the engine gave up while building from {image}: {error}",
            advice=f"See {log_path} and the engine's own log.",
        ) from error
    finally:
        if container is not None:
            remove_container(container)


def _settings(image: str, limits: Limits) -> ContainerSettings:
    return ContainerSettings(
        image=image,
        cpuset=limits.cpuset,
        memory_bytes=limits.memory_bytes,
        lifetime=_LIFETIME_S,
        run_id=BUILD_RUN,
    )


def _build_container(client: docker.DockerClient, image: str, *, cached: bool) -> Container:
    mounts = [Mount(target=STAGE, source=None, type="volume")]
    if cached:
        mounts.append(
            Mount(
                target=CACHE,
                source=ARTIFACT_CACHE_VOLUME,
                type="volume",
                labels={Label.CREATED_BY.value: "jeto-bench"},
            )
        )
    return client.containers.run(
        image,
        ["sleep", str(_LIFETIME_S)],
        entrypoint="",
        detach=True,
        init=True,
        user="root",
        mounts=mounts,
        network_mode="host",
        environment=proxy_environment(os.environ),
        security_opt=["no-new-privileges"],
        labels={
            RUN_LABEL: BUILD_RUN,
            PID_LABEL: str(os.getpid()),
            EXPIRES_LABEL: str(int(time.time()) + _LIFETIME_S),
        },
    )
