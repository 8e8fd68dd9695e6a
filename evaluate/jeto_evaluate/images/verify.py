"""The image that an evaluation starts from: present, and the one that the record names."""

from __future__ import annotations

from typing import Final

import docker
import requests
from docker.errors import DockerException, ImageNotFound
from docker.models.images import Image

from jeto_bench.errors import ImageError, ImageMismatchError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.facts import ImageFacts, read_facts
from jeto_evaluate.images.layout import FORMAT, Label, image_name

__all__ = ["ensure_image", "image_problem", "vouch"]

_VOUCHED: Final = "jeto-bench/imported"
"""Repository whose tags are digests that a bundle told of the images it brought."""

_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "armv8": "arm64"}


def ensure_image(client: docker.DockerClient, record: EtipRecord) -> ImageFacts:
    """Facts of a record's image on this machine; nothing is downloaded.

    Start containers from ``image_id`` of the result: the name may be moved meanwhile.

    Raises:
        ImageError: It is not here.
        ImageMismatchError: It is of another build, or would run emulated.
    """
    name = image_name(record)
    try:
        image = client.images.get(name)
    except ImageNotFound:
        raise ImageError(
            f"{record.instance_id}: the image {name} is not on this machine",
            advice="Get it with `jeto-bench images pull`, or make it with `jeto-bench images"
            " build`.",
        ) from None
    facts = read_facts(image, name)
    labels = image.labels or {}
    problem = image_problem(
        record,
        facts,
        labels_format=labels.get(Label.FORMAT, ""),
        base_commit=labels.get(Label.BASE_COMMIT, ""),
        digests=(*(image.attrs.get("RepoDigests") or ()), *_vouched(image)),
        engine_architecture=str(client.info().get("Architecture", "")),
    )
    if problem:
        raise ImageMismatchError(
            f"{record.instance_id}: {name} {problem}",
            advice="Remove it with `jeto-bench images clean --images`, then pull or build it.",
        )
    return facts


def vouch(image: Image, digest: str) -> None:
    """Keep what a checked bundle says of an image's digest, which the engine cannot know.

    Args:
        image: The image as it was loaded.
        digest: ``sha256:...`` in the registry that it once came from.

    Raises:
        ImageError: The engine refuses the tag.
    """
    try:
        image.tag(_VOUCHED, digest.replace(":", "-"))
    except (DockerException, requests.RequestException) as error:
        raise ImageError(f"{image.id} cannot be tagged: {error}") from error


def _vouched(image: Image) -> list[str]:
    names = (str(tag).rpartition(":") for tag in image.attrs.get("RepoTags") or ())
    return [
        f"{repository}@{tag.replace('-', ':', 1)}"
        for repository, _, tag in names
        if repository == _VOUCHED
    ]


def image_problem(
    record: EtipRecord,
    facts: ImageFacts,
    *,
    labels_format: str,
    base_commit: str,
    digests: tuple[str, ...],
    engine_architecture: str,
) -> str:
    """Why an image may not stand for a record; empty if it may. Pure.

    Args:
        record: The record.
        facts: The image's labels.
        labels_format: Version of the layout that it was built with.
        base_commit: Commit that it was built from.
        digests: ``repository@sha256:...`` of the registries that it came from or went to.
        engine_architecture: As the engine names it; times under emulation mean nothing.
    """
    known = [entry.rpartition("@")[2] for entry in digests]
    wanted = _ARCHITECTURES.get(engine_architecture, engine_architecture)
    have = _ARCHITECTURES.get(facts.architecture, facts.architecture)
    problems = (
        (labels_format != str(FORMAT), f"has layout {labels_format or '(none)'}, not {FORMAT}"),
        (facts.instance_id != record.instance_id, f"is the image of {facts.instance_id}"),
        (
            base_commit != record.base_commit,
            f"was built from {base_commit or '(nothing)'}, not from {record.base_commit}",
        ),
        (
            facts.java != record.java_version,
            f"has JDK {facts.java}, the record needs {record.java_version}",
        ),
        (
            facts.maven != record.maven_version,
            f"has Maven {facts.maven}, the record needs {record.maven_version}",
        ),
        (
            bool(record.image_digest) and record.image_digest not in known,
            f"has digest {', '.join(known) or '(none)'}, the record names {record.image_digest}",
        ),
        (
            wanted != have,
            f"is for {have}, the engine's machine is {wanted}: its times would mean nothing",
        ),
    )
    return next((text for holds, text in problems if holds), "")
