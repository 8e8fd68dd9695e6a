"""Images as files, for bundles: what ``docker save`` and ``docker load`` do, checked."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import docker
import requests
from docker.errors import DockerException

from jeto_bench.bundles.model import BundledImage
from jeto_bench.errors import ImageError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.verify import ensure_image, vouch

__all__ = ["DockerArchives"]

_TROUBLE = (DockerException, requests.RequestException)
_NAME: Final = "io.containerd.image.name"
_MOST_BYTES: Final = 1 << 20


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
    """The names that loading an archive would give or take away, whatever they stood for before.

    Engines read them from either of two files, by their kind of store.
    """
    try:
        with tarfile.open(archive, "r:") as tar:
            told = _member(tar, "manifest.json") or []
            index = _member(tar, "index.json") or {}
        names = {str(name) for entry in told for name in entry["RepoTags"] or []}
        marked = (entry.get("annotations") or {} for entry in index.get("manifests") or [])
        names |= {_short(str(item[_NAME]), image) for item in marked if _NAME in item}
    except (tarfile.TarError, EOFError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ImageError(f"{image.path} is no archive of an image: {error}") from error
    return sorted(names)


def _member(tar: tarfile.TarFile, name: str) -> Any:
    if name not in tar.getnames():
        return None
    stream = tar.extractfile(name)
    data = b"" if stream is None else stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError(f"{name} is longer than {_MOST_BYTES} bytes")
    return json.loads(data)


def _short(name: str, image: BundledImage) -> str:
    """The image's own name where an engine put the registry before it that it means by none."""
    return image.image if name.endswith(f"/{image.image}") else name


def _wrong(image: BundledImage, found: str) -> ImageError:
    return ImageError(
        f"{image.path} holds {found}, not {image.image} ({image.image_id})",
        advice="The bundle was put together wrongly; nothing of it should be trusted.",
    )
