"""The image of one instance: built online by really running the tests, then proved offline.

Prefetching by Maven's dependency goals leaves out what Surefire resolves while tests run (its
provider for JUnit), so both versions' tests are run once with network (field.md row 85). The
files that count are then copied onto the base image; the container they come from is dropped.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import docker
from docker.errors import APIError, ImageNotFound

from jeto_bench.records import EtipRecord
from jeto_evaluate.images.assemble import assemble
from jeto_evaluate.images.base import ProviderName, ensure_base_image
from jeto_evaluate.images.facts import ImageFacts, read_facts
from jeto_evaluate.images.fingerprint import source_hash
from jeto_evaluate.images.launcher_files import BUILD_SCRIPTS, agent_files, launcher_files, script
from jeto_evaluate.images.layer import BuildOptions, write_layer
from jeto_evaluate.images.layout import BASE_REPOSITORY, FORMAT, Label, image_name
from jeto_evaluate.images.proof import prove
from jeto_evaluate.images.serial import require_serial_tests
from jeto_evaluate.images.sources import SourceTree, from_folder
from jeto_evaluate.images.steps import Warmed

__all__ = [
    "BuildOptions",
    "Unproved",
    "build_from_tree",
    "build_instance_image",
    "log_of",
    "present_image",
]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Unproved:
    """An image that has not shown yet that it works offline.

    Attributes:
        image: Its temporary name.
        maven_command: What starts Maven in it.
        log_path: Log of its build.
        recipe: How to make it by hand; see ``recipe.recipe``.
    """

    image: str
    maven_command: str
    log_path: Path
    recipe: Mapping[str, bytes]


_DOCKERFILE = """\
FROM {base}
ADD layer.tar /
USER jeto
WORKDIR /jeto/repo
"""


def build_instance_image(
    client: docker.DockerClient,
    record: EtipRecord,
    source: Path,
    *,
    generate_wrapper: bool,
    ca_bundle: Path | None = None,
    provider: ProviderName = ProviderName.AUTO,
    log_dir: Path,
) -> ImageFacts:
    """Build, prove and tag a record's image from a folder; see ``build_from_tree``.

    Args:
        client: The engine.
        record: The record; its ``patch`` is the reference.
        source: Folder with the base tree.
        generate_wrapper: As in ``layer.BuildOptions``.
        ca_bundle: As in ``layer.BuildOptions``.
        provider: As in ``layer.BuildOptions``.
        log_dir: Folder for the logs of the build.
    """
    options = BuildOptions(
        generate_wrapper=generate_wrapper, ca_bundle=ca_bundle, provider=provider
    )
    return build_from_tree(client, record, from_folder(source), options=options, log_dir=log_dir)


def build_from_tree(
    client: docker.DockerClient,
    record: EtipRecord,
    tree: SourceTree,
    *,
    options: BuildOptions,
    log_dir: Path,
    settle: Callable[[Unproved], EtipRecord] | None = None,
) -> ImageFacts:
    """Build, prove and tag a record's image; one that is there from the same source is reused.

    Args:
        client: The engine.
        record: The record; its ``patch`` is the reference.
        tree: The base tree.
        options: How to build.
        log_dir: Folder for the logs of the build.
        settle: Called with the image before its proof; returns the record with the test classes
            that must pass it. Only with it is an image that is there built again, and is the log
            added to what is there: other JDKs may have been tried before.

    Raises:
        UsageError: The JDK has no base image, or certificates cannot be read.
        ImageError: The tests cannot be made to run one by one, or a step failed; the message
            names the log. Nothing is tagged then.
    """
    require_serial_tests(tree, record.instance_id)
    name = image_name(record)
    fingerprint = _fingerprint(record, tree, options)
    present = _present(client, name, fingerprint)
    if present is not None and settle is None:
        return present
    log_path = log_of(record.instance_id, log_dir)
    log_path.parent.mkdir(parents=True, exist_ok=True)
    if settle is None:
        log_path.unlink(missing_ok=True)
    with log_path.open("a", encoding="utf-8") as log:
        log.write(f"== {name} with JDK {record.java_version}\n")
    made = _assembled(client, record, tree, options, fingerprint=fingerprint, log_path=log_path)
    try:
        prove(
            client,
            record if settle is None else settle(made),
            made.image,
            maven_command=made.maven_command,
            limits=options.limits,
            log_path=log_path,
        )
        _replace(client, made.image, name)
    finally:
        client.images.remove(made.image, force=True)
    return read_facts(client.images.get(name), name)


def log_of(instance_id: str, log_dir: Path) -> Path:
    """Return where the log of a record's build is."""
    return log_dir / f"{instance_id}.build.log"


def _fingerprint(record: EtipRecord, tree: SourceTree, options: BuildOptions) -> str:
    harness = launcher_files() | {f"scripts/{one}": script(one) for one in BUILD_SCRIPTS}
    harness |= {f"agent/{path}": data for path, data in agent_files().items()}
    return source_hash(
        record, tree=tree.digest(), harness=harness, generate_wrapper=options.generate_wrapper
    )


def _assembled(
    client: docker.DockerClient,
    record: EtipRecord,
    tree: SourceTree,
    options: BuildOptions,
    *,
    fingerprint: str,
    log_path: Path,
) -> Unproved:
    """Warm up in a container and put what counts onto the base, under a temporary name."""
    base = ensure_base_image(
        client, record.java_version, provider=options.provider, log_dir=log_path.parent
    )
    _LOG.info("building %s from %s", image_name(record), base)
    unproved = f"{BASE_REPOSITORY}/unproved:{fingerprint[:16]}"
    with tempfile.TemporaryDirectory(prefix="jeto-image-") as folder:
        layer = Path(folder) / "layer.tar"
        with layer.open("wb") as target:
            made = write_layer(
                client, record, tree, base=base, options=options, target=target, log_path=log_path
            )
        assemble(
            client,
            dockerfile=_DOCKERFILE.format(base=base),
            files={"layer.tar": layer},
            tag=unproved,
            labels={
                **_labels(record, fingerprint, made.warmed),
                Label.BASE_BYTES.value: str(client.images.get(base).attrs["Size"]),
            },
            log_path=log_path,
        )
    return Unproved(
        image=unproved,
        maven_command=made.warmed.maven_command,
        log_path=log_path,
        recipe=made.recipe,
    )


def present_image(
    client: docker.DockerClient, record: EtipRecord, tree: SourceTree, options: BuildOptions
) -> ImageFacts | None:
    """Return the facts of a record's image that is there and was made from the same source."""
    return _present(client, image_name(record), _fingerprint(record, tree, options))


def _present(client: docker.DockerClient, name: str, fingerprint: str) -> ImageFacts | None:
    try:
        image = client.images.get(name)
    except ImageNotFound:
        return None
    if (image.labels or {}).get(Label.SOURCE_HASH) != fingerprint:
        return None
    return read_facts(image, name)


def _replace(client: docker.DockerClient, unproved: str, name: str) -> None:
    """Give a proved image its name; the one that had it goes, unless it is in use."""
    before = client.images.list(name)
    repository, _, tag = name.rpartition(":")
    client.images.get(unproved).tag(repository, tag)
    for image in before:
        image.reload()
        if not image.tags:
            with suppress(APIError):
                client.images.remove(str(image.id))


def _labels(record: EtipRecord, fingerprint: str, warmed: Warmed) -> dict[str, str]:
    return {
        Label.CREATED_BY.value: "jeto-bench",
        Label.KIND.value: "instance",
        Label.FORMAT.value: str(FORMAT),
        Label.INSTANCE.value: record.instance_id,
        Label.BASE_COMMIT.value: record.base_commit,
        Label.JAVA.value: str(record.java_version),
        Label.JDK.value: warmed.jdk,
        Label.MAVEN.value: record.maven_version,
        Label.MAVEN_COMMAND.value: warmed.maven_command,
        Label.SUREFIRE.value: warmed.surefire,
        Label.SOURCE_HASH.value: fingerprint,
    }
