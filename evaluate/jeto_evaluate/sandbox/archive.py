"""The tar archives in which files go into a container and come out of it."""

from __future__ import annotations

import io
import tarfile
import time
from collections.abc import Iterator

from jeto_bench.errors import ContentError

__all__ = ["read_archive", "read_at_most", "write_archive"]


def write_archive(name: str, data: bytes, *, mode: int, owner: int) -> bytes:
    """Return an archive of one file.

    Args:
        name: Its name in the folder where the archive will be unpacked.
        data: Its content.
        mode: Its permissions.
        owner: Number of its user and group.
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.size, member.mode, member.mtime = len(data), mode, int(time.time())
        member.uid = member.gid = owner
        archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def read_at_most(stream: Iterator[bytes], limit: int, path: str) -> bytes:
    """Return everything that a stream holds.

    Args:
        stream: Its chunks.
        limit: Bytes that it may hold.
        path: What it is, for the error.

    Raises:
        ContentError: It holds more.
    """
    buffer = bytearray()
    for chunk in stream:
        buffer += chunk
        if len(buffer) > limit:
            raise ContentError(f"{path} holds more than {limit} bytes")
    return bytes(buffer)


def read_archive(data: bytes) -> dict[str, bytes]:
    """Return the regular files of an archive, by path below its first folder.

    Links and special files are left out.

    Raises:
        tarfile.TarError: The archive is damaged.
    """
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(data), mode="r|") as archive:
        for member in archive:
            source = archive.extractfile(member) if member.isreg() else None
            if source is not None:
                files[member.name.partition("/")[2] or member.name] = source.read()
    return files
