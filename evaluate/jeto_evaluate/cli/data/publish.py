"""``jeto-bench data publish``: a dataset's folder as a tagged version on the Hub."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.load import INDEX, available_configs, load, load_records
from jeto_bench.publishing.export import export_folder
from jeto_bench.publishing.hub import connect_hub
from jeto_bench.publishing.publish import Publication, plan_publication, publish_folder, tag_of

__all__ = ["publish"]


def publish(
    repo_id: Annotated[str, typer.Argument(metavar="ORG/NAME", help="Dataset on the Hub.")],
    *,
    version: Annotated[str, typer.Option(help="Semantic version; the tag is v and this.")],
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", help="Folder that `data export` wrote; default: the embedded records."
        ),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="A dataset that is made now is private.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes/--dry-run", help="Do it; otherwise only say what would be done.")
    ] = False,
) -> None:
    """Upload a dataset in one commit, tag it, and load it back at the tag.

    Without --yes nothing is changed. The token is read from HF_TOKEN, the endpoint from
    HF_ENDPOINT. A tag that is there is never moved.
    """
    tag_of(version)
    hub = connect_hub(sleep=time.sleep, say=typer.echo)
    with tempfile.TemporaryDirectory(prefix="jeto-export-") as place:
        if source is None:
            names = available_configs()
            source = export_folder(
                Path(place) / "out",
                {name: load_records(name) for name in names if name != INDEX},
                name="JETO-Bench",
                hub_id=repo_id,
                index=load(INDEX) if INDEX in names else (),
                version=version,
            ).folder
        plan = plan_publication(source, repo_id, version, hub)
        _tell(plan)
        if not yes:
            typer.echo("Nothing was changed. Give --yes to publish.")
            return
        commit = publish_folder(plan, hub, private=private, say=typer.echo)
    typer.echo(f'load_dataset("{repo_id}", split="test", revision="{plan.tag}")  # {commit}')


def _tell(plan: Publication) -> None:
    where = "a new dataset" if plan.new else f"main at {plan.head[:12] or 'no commit'}"
    typer.echo(f"{plan.repo_id}, {where}: {len(plan.add)} files, {plan.size:,} bytes, {plan.tag}")
    for path in plan.delete:
        typer.echo(f"  removes {path}")
