"""Regular files of a tar archive that comes out of a container."""

from __future__ import annotations

import io
import tarfile

__all__ = ["read_archive"]


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
