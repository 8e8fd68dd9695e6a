"""A bundle's image through a real engine: saved, removed, loaded, held against its record."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import docker
import pytest
from docker.errors import ImageNotFound
from image_labels import image_labels

from jeto_bench.bundles.bundle import export_bundle, import_bundle
from jeto_bench.decode import decode_jsonl
from jeto_bench.encode import write_parquet
from jeto_bench.errors import ImageError
from jeto_bench.records import EtipRecord
from jeto_evaluate.images.archives import DockerArchives
from jeto_evaluate.images.verify import ensure_image, vouch

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "etip.jsonl"
RECORD = replace(
    decode_jsonl(GOLDEN.read_bytes())[0],
    image="jeto-bench/bundle-test:0.1.0",
    image_digest="sha256:" + "d" * 64,
)


@pytest.fixture
def image(client: docker.DockerClient) -> Iterator[EtipRecord]:
    """An image with a record's labels and next to nothing in it, its digest vouched for."""
    labels = image_labels(RECORD)
    tree = io.BytesIO()
    with tarfile.open(fileobj=tree, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("empty"))
    repository, _, tag = RECORD.image.partition(":")
    client.api.import_image_from_data(
        tree.getvalue(),
        repository=repository,
        tag=tag,
        changes=[f'LABEL {key.value}="{value}"' for key, value in labels.items()],
    )
    vouch(client.images.get(RECORD.image), RECORD.image_digest)
    yield RECORD
    remove(client)


def remove(client: docker.DockerClient) -> None:
    for name in (RECORD.image, f"jeto-bench/imported:{RECORD.image_digest.replace(':', '-')}"):
        try:
            client.images.remove(name)
        except ImageNotFound:
            continue


def test_an_image_is_carried_and_is_the_records_afterwards(
    client: docker.DockerClient, image: EtipRecord, tmp_path: Path
) -> None:
    """field.md row 47: no registry is asked, and the pinned digest still holds."""
    dataset = tmp_path / "dataset"
    write_parquet([image], dataset / "data" / "verified" / "test-00000-of-00001.parquet")
    shelf = DockerArchives(client)
    packed = tmp_path / "bundle.tar"
    export_bundle(dataset, packed, name="x", version="1.0.0", records=[image], images=shelf)
    before = ensure_image(client, image).image_id
    remove(client)
    with pytest.raises(ImageError, match="is not on this machine"):
        ensure_image(client, image)
    import_bundle(packed, tmp_path / "there", images=shelf)
    assert ensure_image(client, image).image_id == before
