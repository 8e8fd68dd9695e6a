"""How much of the disk images may take."""

from __future__ import annotations

from collections.abc import Collection

import docker
import requests
from docker.errors import DockerException, ImageNotFound

from jeto_bench.errors import EngineError, InfrastructureError
from jeto_evaluate.images.layout import base_tag
from jeto_evaluate.images.store import INSTANCE_BYTES, StoredImage, list_images

__all__ = ["make_room"]


def make_room(
    client: docker.DockerClient, *, limit: int, slots: int, removable: Collection[str]
) -> None:
    """See that more images can be made, by removing what may go, the largest first.

    Args:
        client: The engine.
        limit: Bytes that all instance images together may add to their bases.
        slots: Images that are made at the same time.
        removable: Ids of instances whose image is in a registry.

    Raises:
        InfrastructureError: The limit would be passed.
        EngineError: The engine refused.
    """
    sizes = _added_bytes(list_images(client))
    needed = slots * INSTANCE_BYTES
    may_go = sorted((one for one in sizes if one.instance_id in removable), key=sizes.__getitem__)
    while sum(sizes.values()) + needed > limit and may_go:
        image = may_go.pop()
        _remove(client, image)
        del sizes[image]
    taken = sum(sizes.values())
    if taken + needed > limit:
        raise InfrastructureError(
            f"--disk-budget: instance images take {taken / 1e9:.1f} GB, and making {slots} more"
            f" takes up to {needed / 1e9:.1f} GB of {limit / 1e9:.1f} GB",
            advice="With --push, images that are in the registry are removed; or allow more, or"
            " remove images (jeto-bench images clean). Go on with --resume.",
        )


def _added_bytes(images: Collection[StoredImage]) -> dict[StoredImage, int]:
    """Return what each instance image adds to its base; one with several names counts once."""
    bases = {one.name: one.size_bytes for one in images if one.kind == "base"}
    instances = {one.image_id: one for one in images if one.kind == "instance"}
    return {
        one: one.size_bytes - bases.get(base_tag(int(one.java or 0)), 0)
        for one in instances.values()
    }


def _remove(client: docker.DockerClient, image: StoredImage) -> None:
    try:
        client.images.remove(image.image_id, force=True)
    except ImageNotFound:
        pass  # another slot was first
    except (DockerException, requests.RequestException) as error:
        raise EngineError(f"{image.name} cannot be removed: {error}") from error
