"""Base images: one per JDK, from a registry image where one is reachable, else from Debian.

A provider makes a raw image with a JDK; one set-up step, the same for all, adds the users, the
folders and the environment.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import docker
from docker.errors import ImageNotFound

from jeto_bench.errors import UsageError
from jeto_evaluate.images.assemble import assemble
from jeto_evaluate.images.debian import DebianProvider
from jeto_evaluate.images.launcher_files import script
from jeto_evaluate.images.layout import FORMAT, JAVA_VERSIONS, Label, base_tag
from jeto_evaluate.images.registry import RegistryProvider

__all__ = ["Provider", "ProviderName", "ensure_base_image", "provider_named"]


class ProviderName(StrEnum):
    """Where base images come from."""

    AUTO = "auto"
    REGISTRY = "registry"
    DEBIAN = "debian"


class Provider(Protocol):
    """Makes a raw image that has a JDK, git, curl and unzip."""

    @property
    def name(self) -> str:
        """Name for the label."""
        ...

    def raw_image(self, client: docker.DockerClient, java: int, log_path: Path) -> str:
        """Make the image and return its name or id; raises ``ImageError``."""
        ...


_LOG = logging.getLogger(__name__)

_LOCKS = {java: threading.Lock() for java in JAVA_VERSIONS}
"""Instances that are built side by side share one bootstrap."""

_DOCKERFILE = """\
FROM {raw}
USER root
COPY setup-base.sh /opt/
RUN sh /opt/setup-base.sh && rm /opt/setup-base.sh
ENV LANG=C.UTF-8 LC_ALL=C.UTF-8 TZ=UTC JAVA_HOME=/opt/jdk \\
    PATH=/opt/jdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /jeto
ENTRYPOINT []
CMD ["sleep", "infinity"]
"""


def provider_named(name: ProviderName, client: docker.DockerClient) -> Provider:
    """The provider that the user chose; ``auto``: the registry if it answers, else Debian."""
    if name is ProviderName.REGISTRY or (
        name is ProviderName.AUTO and RegistryProvider.reachable(client)
    ):
        return RegistryProvider()
    if name is ProviderName.DEBIAN or DebianProvider.available():
        return DebianProvider()
    raise UsageError(
        "no way to make base images: neither mmdebstrap nor a registry is at hand",
        advice="On Debian: `apt-get install mmdebstrap`. Elsewhere: let the engine reach a"
        " registry, or load base images with `jeto-bench images pull`.",
    )


def ensure_base_image(
    client: docker.DockerClient,
    java: int,
    *,
    provider: ProviderName = ProviderName.AUTO,
    log_dir: Path,
) -> str:
    """The base image of a JDK, made if it is not there yet.

    Returns:
        Its id.

    Raises:
        UsageError: No base image is made for this JDK, or nothing can make one here.
        ImageError: Making it failed.
    """
    if java not in JAVA_VERSIONS:
        raise UsageError(f"JDK {java}: base images exist for {', '.join(map(str, JAVA_VERSIONS))}")
    with _LOCKS[java]:
        return _ensure(client, java, provider, log_dir)


def _source_hash() -> str:
    return hashlib.sha256(_DOCKERFILE.encode() + script("setup-base.sh")).hexdigest()


def _ensure(client: docker.DockerClient, java: int, provider: ProviderName, log_dir: Path) -> str:
    try:
        present = client.images.get(base_tag(java))
    except ImageNotFound:
        pass
    else:
        if present.labels.get(Label.SOURCE_HASH) == _source_hash():
            return str(present.id)
    chosen = provider_named(provider, client)
    log_path = log_dir / f"base-jdk{java}.log"
    _LOG.info("making the base image of JDK %d from %s; this takes a minute", java, chosen.name)
    raw = chosen.raw_image(client, java, log_path)
    return assemble(
        client,
        dockerfile=_DOCKERFILE.format(raw=raw),
        files={"setup-base.sh": script("setup-base.sh")},
        tag=base_tag(java),
        labels={
            Label.CREATED_BY.value: "jeto-bench",
            Label.KIND.value: "base",
            Label.FORMAT.value: str(FORMAT),
            Label.JAVA.value: str(java),
            Label.PROVIDER.value: chosen.name,
            Label.SOURCE_HASH.value: _source_hash(),
        },
        log_path=log_path,
        network="host",
    )
