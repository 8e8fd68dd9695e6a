"""What is known of an image that is present, read from its labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docker.models.images import Image

from jeto_bench.errors import ImageError
from jeto_evaluate.images.layout import Label

__all__ = ["ImageFacts", "read_facts"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ImageFacts:
    """An instance image of this machine.

    Attributes:
        image_id: The engine's id, ``sha256:...``; containers are started from it, so that a
            tag moved meanwhile changes nothing.
        name: ``repository:tag``.
        digest: Digest in a registry; empty for an image that was built here and never pushed.
        instance_id: The record's id.
        java: Feature release.
        jdk: Full version and vendor of the JDK.
        maven: Version of Maven.
        maven_command: What starts Maven in the tree: ``./mvnw``, or the distribution's ``mvn``
            where the tree has no usable wrapper.
        surefire: Version, several joined by ``,`` where modules differ.
        architecture: Such as ``amd64``.
        source_hash: What the image was built from.
        size_bytes: Size on disk, base included.
        base_bytes: Size of the base it was built on; ``None`` for an image that does not say.
    """

    image_id: str
    name: str
    digest: str
    instance_id: str
    java: int
    jdk: str
    maven: str
    maven_command: str
    surefire: str
    architecture: str
    source_hash: str
    size_bytes: int
    base_bytes: int | None = None

    @property
    def added_bytes(self) -> int | None:
        """What the image adds to its base."""
        return None if self.base_bytes is None else self.size_bytes - self.base_bytes


def read_facts(image: Image, name: str) -> ImageFacts:
    """Facts of an instance image.

    Raises:
        ImageError: The image lacks a label, so this project did not build it.
    """
    labels: Mapping[str, str] = image.labels or {}
    attrs: Mapping[str, Any] = image.attrs
    try:
        return ImageFacts(
            image_id=str(image.id),
            name=name,
            digest=_digest(attrs, name),
            instance_id=labels[Label.INSTANCE],
            java=int(labels[Label.JAVA]),
            jdk=labels[Label.JDK],
            maven=labels[Label.MAVEN],
            maven_command=labels[Label.MAVEN_COMMAND],
            surefire=labels[Label.SUREFIRE],
            architecture=str(attrs.get("Architecture", "")),
            source_hash=labels[Label.SOURCE_HASH],
            size_bytes=int(attrs.get("Size", 0)),
            base_bytes=int(labels[Label.BASE_BYTES]) if Label.BASE_BYTES in labels else None,
        )
    except (KeyError, ValueError) as error:
        raise ImageError(
            f"{name} is not an instance image of this project (label {error})",
            advice="Remove or rename it, then build or pull the right one.",
        ) from error


def _digest(attrs: Mapping[str, Any], name: str) -> str:
    """The digest under the image's own repository, else the only one there is."""
    pairs = [str(entry).rpartition("@")[::2] for entry in attrs.get("RepoDigests") or ()]
    repository = name.rpartition(":")[0]
    own = [digest for place, digest in pairs if place == repository]
    every = sorted({digest for _, digest in pairs})
    return own[0] if own else (every[0] if len(every) == 1 else "")
