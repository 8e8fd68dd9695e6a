"""What a bundle holds, as ``bundle.json`` tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from jeto_bench.records import EtipRecord

__all__ = [
    "BUNDLE_FILE",
    "BUNDLE_FORMAT",
    "BundleManifest",
    "BundledFile",
    "BundledImage",
    "ImageArchives",
]

BUNDLE_FILE: Final = "bundle.json"
BUNDLE_FORMAT: Final = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class BundledFile:
    """One file of a bundle.

    Attributes:
        path: From the bundle's folder, ``/`` between directories.
        size: Bytes.
        sha256: 64 hex digits.
    """

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BundledImage:
    """One image of a bundle.

    Attributes:
        instance_id: The row.
        image: ``repository:tag``.
        digest: As the row names it, empty if it names none.
        image_id: Id in the engine that saved it, ``sha256:...``.
        path: Its file.
    """

    instance_id: str
    image: str
    digest: str
    image_id: str
    path: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BundleManifest:
    """``bundle.json``.

    Attributes:
        name: Name of the dataset.
        version: Its version.
        files: Every file but this one, sorted by path.
        images: Every image.
        schema_version: Version of this format.
    """

    name: str
    version: str
    files: tuple[BundledFile, ...]
    images: tuple[BundledImage, ...]
    schema_version: int = BUNDLE_FORMAT


class ImageArchives(Protocol):
    """What a bundle asks of a container engine."""

    def save(self, record: EtipRecord) -> tuple[str, Iterator[bytes]]:
        """Return a record's image's id and its archive; raises if it is not the record's."""
        ...

    def load(self, archive: Path, image: BundledImage) -> None:
        """Load an archive; raises if what is in it is not the image."""
        ...
