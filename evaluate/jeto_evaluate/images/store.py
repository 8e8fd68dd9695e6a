"""What of this project the engine holds: listing, room on disk, and removal."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import docker
import requests
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.models.images import Image

from jeto_bench.errors import EngineError, ImageError
from jeto_evaluate.engine.container import sweep
from jeto_evaluate.images.layout import ARTIFACT_CACHE_VOLUME, Label

__all__ = [
    "BASE_BYTES",
    "INSTANCE_BYTES",
    "Removed",
    "StoredImage",
    "clean",
    "free_bytes",
    "list_images",
    "require_room",
]

BASE_BYTES: Final = 1_500_000_000
"""Room that making a base image takes: the bootstrap's archive and the image."""

INSTANCE_BYTES: Final = 700_000_000
"""Room that making an instance image takes: its layer, twice, and the build container."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredImage:
    """One image of this project on this machine.

    Attributes:
        name: ``repository:tag``; empty if it has lost its name.
        image_id: The engine's id.
        kind: ``base``, ``tools`` or ``instance``.
        instance_id: The record's id for instance images.
        java: Feature release, as labelled.
        size_bytes: Size, shared layers included.
    """

    name: str
    image_id: str
    kind: str
    instance_id: str
    java: str
    size_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Removed:
    """What ``clean`` removed."""

    containers: int
    images: tuple[str, ...]
    cache: bool


def list_images(client: docker.DockerClient) -> tuple[StoredImage, ...]:
    """This project's images, found by label, sorted by name.

    Raises:
        EngineError: The engine refused.
    """
    try:
        images = client.images.list(filters={"label": Label.KIND.value})
    except (DockerException, requests.RequestException) as error:
        raise EngineError(f"the engine does not list its images: {error}") from error
    found = [_stored(image, name) for image in images for name in image.tags or [""]]
    return tuple(sorted(found, key=lambda one: (one.kind, one.name)))


def _stored(image: Image, name: str) -> StoredImage:
    labels = image.labels or {}
    return StoredImage(
        name=name,
        image_id=str(image.id),
        kind=labels.get(Label.KIND, ""),
        instance_id=labels.get(Label.INSTANCE, ""),
        java=labels.get(Label.JAVA, ""),
        size_bytes=int(image.attrs.get("Size", 0)),
    )


def free_bytes(client: docker.DockerClient) -> int | None:
    """Free room where the engine keeps its data; ``None`` if that is on another machine."""
    root = Path(str(client.info().get("DockerRootDir", "")))
    local = client.api.base_url.startswith("http+docker://")
    if not local or not root.is_absolute():
        return None
    try:
        return shutil.disk_usage(root).free
    except OSError:
        return None


def require_room(free: int | None, *, bases: int, instances: int) -> None:
    """Refuse to begin what would fill the disk in the middle (field.md row 28). Pure.

    Args:
        free: As from ``free_bytes``; ``None`` is let pass, as nothing is known.
        bases: Base images to make.
        instances: Instance images to make or pull.

    Raises:
        ImageError: There is not enough room; the message says how much is wanted.
    """
    wanted = bases * BASE_BYTES + instances * INSTANCE_BYTES
    if free is not None and free < wanted:
        raise ImageError(
            f"{instances} instance and {bases} base images need about {wanted / 1e9:.1f} GB,"
            f" the engine's disk has {free / 1e9:.1f} GB",
            advice="Free some with `jeto-bench images clean --images`, or take fewer instances"
            " with -i.",
        )


def clean(
    client: docker.DockerClient, *, run_id: str | None = None, images: bool = False
) -> Removed:
    """Remove leftovers of this project, never anything of others.

    Args:
        client: The engine.
        run_id: Remove this run's containers even if they are alive; else those left over.
        images: Remove all images of this project and the download cache too.

    Raises:
        EngineError: The engine refused.
    """
    try:
        containers = sweep(client, run_id=run_id)
        removed = _remove_images(client) if images else ()
        cache = _remove_cache(client) if images else False
    except (DockerException, requests.RequestException) as error:
        raise EngineError(f"cleaning up failed: {error}") from error
    return Removed(containers=containers, images=removed, cache=cache)


def _remove_images(client: docker.DockerClient) -> tuple[str, ...]:
    order = {"instance": 0, "tools": 1, "base": 2}
    stored = sorted(list_images(client), key=lambda one: order.get(one.kind, 0))
    for image in stored:
        try:
            client.images.remove(image.name or image.image_id, force=True)
        except ImageNotFound:
            continue
    return tuple(image.name or image.image_id for image in stored)


def _remove_cache(client: docker.DockerClient) -> bool:
    try:
        client.volumes.get(ARTIFACT_CACHE_VOLUME).remove()
    except NotFound:
        return False
    except APIError as error:
        if error.status_code == requests.codes.conflict:  # a build is using it
            return False
        raise
    return True
