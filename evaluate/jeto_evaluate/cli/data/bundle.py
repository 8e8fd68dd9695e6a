"""``jeto-bench data bundle``: a dataset with its images, for sites without a network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.bundles.bundle import export_bundle, import_bundle
from jeto_bench.bundles.model import BundleManifest
from jeto_bench.dataset import open_dataset
from jeto_bench.errors import UsageError
from jeto_bench.records import EtipRecord, Tier
from jeto_bench.versions.manifest import read_manifest
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.images.archives import DockerArchives

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True, help="Carry a dataset with its images to a site without a network."
)

Images = Annotated[
    bool, typer.Option("--images/--no-images", help="With the images, or rows alone.")
]
Host = Annotated[str | None, typer.Option("--docker-host", help="Endpoint of the Docker engine.")]


@app.command("export")
def export_(
    dataset: Annotated[
        Path, typer.Argument(help="Folder that `data export` or `data fork` wrote.")
    ],
    to: Annotated[Path, typer.Argument(help="Folder, or file.tar; must not be there.")],
    *,
    images: Images = True,
    docker_host: Host = None,
) -> None:
    """Put rows, images and checksums into one folder or tar file.

    Every image must be here already: jeto-bench images pull, or build.
    """
    if not dataset.is_dir() or read_manifest(dataset) is None:
        raise UsageError(
            f"{dataset} is no folder of a dataset with a version.json",
            advice="Write one: jeto-bench data export, or fork.",
        )
    found = open_dataset(dataset)
    records: dict[str, EtipRecord] = {}
    for record in found.records():
        if record.tier is not Tier.IDENTIFIED:
            records.setdefault(record.instance_id, record)
    done = export_bundle(
        dataset,
        to,
        name=found.name,
        version=found.version,
        records=records.values(),
        images=_archives(docker_host) if images and records else None,
    )
    _tell(done, to)


@app.command("import")
def import_(
    bundle: Annotated[Path, typer.Argument(help="Folder or tar file that `export` wrote.")],
    to: Annotated[Path, typer.Argument(help="Folder for the dataset; must not be there.")],
    *,
    images: Images = True,
    docker_host: Host = None,
) -> None:
    """Check a bundle, load its images into the engine, and put its dataset into a folder.

    Afterwards: jeto-bench eval --dataset TO. Nothing of this needs a network.
    """
    done = import_bundle(bundle, to, images=_archives(docker_host) if images else None)
    _tell(done, to)


def _archives(docker_host: str | None) -> DockerArchives:
    endpoint = resolve_endpoint(docker_host, environ=os.environ, home=Path.home())
    return DockerArchives(connect(endpoint))


def _tell(done: BundleManifest, place: Path) -> None:
    size = sum(item.size for item in done.files) / 1e6
    typer.echo(
        f"{place}: {done.name} {done.version}, {len(done.files)} files, {len(done.images)} images,"
        f" {size:.1f} MB, checksums hold"
    )
