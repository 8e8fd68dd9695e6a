"""Images as files, for bundles: what ``docker save`` and ``docker load`` do, checked."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import docker
import requests
from docker.errors import DockerException

from jeto_bench.bundles.model import BundledImage
from jeto_bench.errors import ImageError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.verify import ensure_image, vouch

__all__ = ["DockerArchives"]

_TROUBLE = (DockerException, requests.RequestException)


class DockerArchives:
    """The images of one engine."""

    def __init__(self, client: docker.DockerClient) -> None:
        """Save from and load into ``client``."""
        self._client = client

    def save(self, record: EtipRecord) -> tuple[str, Iterator[bytes]]:
        """Return the id of a record's image, and its archive with its name.

        Raises:
            ImageError: It is not here, is not the record's, or cannot be saved.
        """
        facts = ensure_image(self._client, record)
        try:
            return facts.image_id, self._client.images.get(facts.name).save(named=facts.name)
        except _TROUBLE as error:
            raise ImageError(f"{facts.name} cannot be saved: {error}") from error

    def load(self, archive: Path, image: BundledImage) -> None:
        """Load an image and see that it is the one that was saved.

        An engine forgets a registry's digest when it loads an archive. What the bundle said of it
        is kept as a tag, so that a record's digest can be held against it.

        Raises:
            ImageError: The engine refuses the archive, or another image is in it.
        """
        names = _names_in(archive, image)
        if names != [image.image]:
            raise _wrong(image, ", ".join(names) or "nothing with a name")
        try:
            with archive.open("rb") as stream:
                loaded = self._client.images.load(stream)
        except _TROUBLE as error:
            raise ImageError(f"{image.path} cannot be loaded: {error}") from error
        if [str(one.id) for one in loaded] != [image.image_id]:
            raise _wrong(image, ", ".join(str(one.id) for one in loaded) or "nothing")
        if image.digest:
            vouch(loaded[0], image.digest)


def _names_in(archive: Path, image: BundledImage) -> list[str]:
    """The names that loading an archive would give or take away, whatever they stood for before."""
    try:
        with tarfile.open(archive) as tar:
            stream = tar.extractfile("manifest.json")
            told = json.loads(b"" if stream is None else stream.read())
        return [str(name) for entry in told for name in entry["RepoTags"] or []]
    except (tarfile.TarError, EOFError, KeyError, TypeError, ValueError) as error:
        raise ImageError(f"{image.path} is no archive of an image: {error}") from error


def _wrong(image: BundledImage, found: str) -> ImageError:
    return ImageError(
        f"{image.path} holds {found}, not {image.image} ({image.image_id})",
        advice="The bundle was put together wrongly; nothing of it should be trusted.",
    )
