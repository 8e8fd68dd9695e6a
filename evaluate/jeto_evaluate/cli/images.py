"""``jeto-bench images``: build, pull, push, list, check and clean instance images."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import docker
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from jeto_bench.errors import ImageError, JetoError
from jeto_bench.load import load_records
from jeto_bench.records import EtipRecord
from jeto_evaluate.cli.choice import chosen_records
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.images import store
from jeto_evaluate.images.base import ProviderName
from jeto_evaluate.images.instance import build_from_tree
from jeto_evaluate.images.layer import BuildOptions
from jeto_evaluate.images.layout import image_name
from jeto_evaluate.images.origin import find_origin
from jeto_evaluate.images.transfer import pull_image, push_image
from jeto_evaluate.images.verify import ensure_image

__all__ = ["app"]

app = typer.Typer(help="Instance images: build, pull, push, list, check, clean.")

Dataset = Annotated[
    str | None,
    typer.Option("--dataset", "-d", help="File, folder or Hub id; default: the embedded one."),
]
Config = Annotated[str, typer.Option(help="Config of the dataset.")]
Instances = Annotated[
    list[str] | None,
    typer.Option("--instance", "-i", help="Only this instance; repeatable."),
]
Host = Annotated[str | None, typer.Option("--docker-host", help="Endpoint of the Docker engine.")]
Registry = Annotated[
    str, typer.Option("--registry", help="HOST:PORT or HOST:PORT/PREFIX before image names.")
]


@app.command()
def build(
    *,
    dataset: Dataset = None,
    config: Config = "mini",
    instance: Instances = None,
    clones: Annotated[
        Path | None, typer.Option("--clones", help="Folder with clones of the repositories.")
    ] = None,
    provider: Annotated[
        ProviderName, typer.Option(help="Where base images come from.")
    ] = ProviderName.AUTO,
    ca_bundle: Annotated[
        Path | None, typer.Option("--ca-bundle", help="PEM file to trust while building.")
    ] = None,
    log_dir: Annotated[Path, typer.Option("--log-dir", help="Where build logs go.")] = Path(
        "logs/images"
    ),
    docker_host: Host = None,
) -> None:
    """Build instance images and prove each by running base and reference without network."""
    records = _chosen(dataset, config, instance)
    client = _client(docker_host)
    present = {one.name for one in store.list_images(client)}
    missing = [record for record in records if image_name(record) not in present]
    have = {one.java for one in store.list_images(client) if one.kind == "base"}
    bases = {str(record.java_version) for record in missing} - have
    store.require_room(store.free_bytes(client), bases=len(bases), instances=len(missing))
    console = Console(highlight=False, soft_wrap=True)
    failed: list[JetoError] = []
    for number, record in enumerate(records, 1):
        console.print(f"[{number}/{len(records)}] {record.instance_id}", markup=False)
        try:
            origin = find_origin(record, clones)
            options = BuildOptions(
                generate_wrapper=origin.ours, ca_bundle=ca_bundle, provider=provider
            )
            facts = build_from_tree(client, record, origin.tree, options=options, log_dir=log_dir)
            console.print(f"  {facts.name}  {facts.size_bytes / 1e6:.0f} MB", markup=False)
        except ImageError as error:
            failed.append(error)
            console.print(f"[red]  failed:[/] {escape(str(error))}")
    if failed:
        raise ImageError(f"{len(failed)} of {len(records)} images could not be built")


@app.command()
def pull(
    *,
    dataset: Dataset = None,
    config: Config = "mini",
    instance: Instances = None,
    registry: Registry = "",
    docker_host: Host = None,
) -> None:
    """Download the images that are not here yet, and check them against the records."""
    records = _chosen(dataset, config, instance)
    client = _client(docker_host)
    present = {one.name for one in store.list_images(client)}
    missing = sum(image_name(record) not in present for record in records)
    store.require_room(store.free_bytes(client), bases=0, instances=missing)
    for record in records:
        facts = pull_image(client, record, registry=registry)
        typer.echo(f"{record.instance_id}  {facts.name}  {facts.digest or '(built here)'}")


@app.command()
def push(
    *,
    registry: Registry,
    dataset: Dataset = None,
    config: Config = "mini",
    instance: Instances = None,
    docker_host: Host = None,
) -> None:
    """Upload images to a registry and print their digests."""
    records = _chosen(dataset, config, instance)
    client = _client(docker_host)
    for record in records:
        digest = push_image(client, record, registry=registry)
        typer.echo(f"{record.instance_id}  {digest}")


@app.command(name="list")
def list_(*, docker_host: Host = None) -> None:
    """Show this project's images on this machine."""
    table = Table(box=None, pad_edge=False)
    for heading in ("image", "kind", "JDK", "MB"):
        table.add_column(heading, justify="right" if heading in {"JDK", "MB"} else "left")
    for one in store.list_images(_client(docker_host)):
        megabytes = f"{one.size_bytes / 1e6:.0f}"
        table.add_row(escape(one.name or one.image_id), one.kind, one.java, megabytes)
    Console(highlight=False).print(table)


@app.command()
def check(
    *,
    dataset: Dataset = None,
    config: Config = "mini",
    instance: Instances = None,
    docker_host: Host = None,
) -> None:
    """Hold the images against the records: present, right build, digest, architecture."""
    records = _chosen(dataset, config, instance)
    client = _client(docker_host)
    wrong = 0
    for record in records:
        try:
            facts = ensure_image(client, record)
        except ImageError as error:
            wrong += 1
            typer.echo(str(error))
        else:
            typer.echo(f"{record.instance_id}: {facts.name} is right")
    if wrong:
        raise ImageError(f"{wrong} of {len(records)} images are missing or wrong")


@app.command()
def clean(
    *,
    run_id: Annotated[
        str | None, typer.Option("--run-id", help="Remove this run's containers, alive or not.")
    ] = None,
    images: Annotated[
        bool, typer.Option("--images", help="Remove images and the download cache too.")
    ] = False,
    docker_host: Host = None,
) -> None:
    """Remove what earlier runs left behind; nothing but this project's own objects."""
    removed = store.clean(_client(docker_host), run_id=run_id, images=images)
    typer.echo(
        f"removed {removed.containers} containers, {len(removed.images)} images"
        + (", the download cache" if removed.cache else "")
    )


def _client(docker_host: str | None) -> docker.DockerClient:
    return connect(resolve_endpoint(docker_host, environ=os.environ, home=Path.home()))


def _chosen(
    dataset: str | None, config: str, instances: list[str] | None
) -> tuple[EtipRecord, ...]:
    return chosen_records(load_records(config, path=dataset), instances)
