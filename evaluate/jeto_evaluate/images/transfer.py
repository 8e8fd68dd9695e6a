"""Instance images from and to any registry."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import docker
import requests
from docker.errors import DockerException

from jeto_bench.errors import ImageError
from jeto_bench.records import EtipRecord
from jeto_evaluate.engine.client import retrying
from jeto_evaluate.images.facts import ImageFacts
from jeto_evaluate.images.layout import image_name
from jeto_evaluate.images.verify import ensure_image

__all__ = ["pull_image", "push_image", "remote_repository"]

_LOG = logging.getLogger(__name__)


def remote_repository(name: str, registry: str) -> tuple[str, str]:
    """Repository and tag of an image in a registry.

    ``registry`` is put before the name; empty means that the name says it all.
    """
    repository, _, tag = name.rpartition(":")
    return (f"{registry.rstrip('/')}/{repository}" if registry else repository), tag


def pull_image(
    client: docker.DockerClient, record: EtipRecord, *, registry: str = ""
) -> ImageFacts:
    """Have a record's image on this machine, downloading it only if it is not there yet.

    A pull of an image that is present would cost registry quota too (field.md row 29). With a
    digest in the record that very content is pulled, whatever its tag points at meanwhile.

    Args:
        client: The engine.
        record: The record.
        registry: ``host:port`` or ``host:port/prefix`` put before the image's name.

    Raises:
        ImageError: It cannot be pulled, or what came is not the record's image.
    """
    try:
        return ensure_image(client, record)
    except ImageError as error:
        _LOG.info("pulling: %s", error.message)
    name = image_name(record)
    repository, tag = remote_repository(name, registry)
    wanted = record.image_digest or tag
    try:
        image = _pull(client, repository, wanted)
        own_repository, _, own_tag = name.rpartition(":")
        image.tag(own_repository, own_tag)
    except (DockerException, requests.RequestException) as error:
        raise ImageError(
            f"{record.instance_id}: {repository} ({wanted}) cannot be pulled: {error}",
            advice="Is the registry right (--registry)? A private one, or one with a quota, may"
            " want `docker login`.",
        ) from error
    return ensure_image(client, record)


@retrying
def _pull(client: docker.DockerClient, repository: str, wanted: str) -> Any:
    return client.images.pull(repository, tag=wanted)


def push_image(client: docker.DockerClient, record: EtipRecord, *, registry: str) -> str:
    """Push a record's image to a registry.

    Returns:
        Its digest there, ``sha256:...``, for the record's ``image_digest``.

    Raises:
        ImageError: The image is not here, or the registry refused it.
    """
    facts = ensure_image(client, record)
    repository, tag = remote_repository(facts.name, registry)
    try:
        image = client.images.get(facts.image_id)
        image.tag(repository, tag)
        return _pushed_digest(_push(client, repository, tag), f"{repository}:{tag}")
    except (DockerException, requests.RequestException) as error:
        raise ImageError(
            f"{repository}:{tag} cannot be pushed: {error}", advice="Does it want `docker login`?"
        ) from error


@retrying
def _push(client: docker.DockerClient, repository: str, tag: str) -> list[dict[str, Any]]:
    return list(client.images.push(repository, tag=tag, stream=True, decode=True))


def _pushed_digest(lines: Iterable[dict[str, Any]], name: str) -> str:
    digest = ""
    for line in lines:
        if "error" in line:
            raise ImageError(
                f"{name} cannot be pushed: {line['error']}", advice="Does it want `docker login`?"
            )
        digest = str((line.get("aux") or {}).get("Digest") or digest)
    if not digest:
        raise ImageError(f"{name}: the engine did not say the digest")
    return digest
