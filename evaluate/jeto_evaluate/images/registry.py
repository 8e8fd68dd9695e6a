"""Raw images from a registry."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import docker
import requests
from docker.errors import DockerException

from jeto_bench.errors import ImageError
from jeto_evaluate.engine.client import retrying

__all__ = ["RegistryProvider"]

_REPOSITORY: Final = "eclipse-temurin"


class RegistryProvider:
    """Pulls Eclipse Temurin's JDK images."""

    name = "registry"

    @staticmethod
    def reachable(client: docker.DockerClient) -> bool:
        """Whether the engine can see the registry's image."""
        try:
            client.images.get_registry_data(f"{_REPOSITORY}:17-jdk")
        except (DockerException, requests.RequestException):
            return False
        return True

    def raw_image(self, client: docker.DockerClient, java: int, log_path: Path) -> str:
        """Pull the image; returns its name.

        Raises:
            ImageError: It cannot be pulled.
        """
        name = f"{_REPOSITORY}:{java}-jdk"
        try:
            _pull(client, f"{java}-jdk")
        except (DockerException, requests.RequestException) as error:
            raise ImageError(
                f"{name} cannot be pulled: {error}",
                advice="On Debian, --provider debian needs no registry.",
            ) from error
        log_path.parent.mkdir(parents=True, exist_ok=True)
        with log_path.open("a", encoding="utf-8") as log:
            log.write(f"pulled {name}\n")
        return name


@retrying
def _pull(client: docker.DockerClient, tag: str) -> None:
    client.images.pull(_REPOSITORY, tag=tag)
