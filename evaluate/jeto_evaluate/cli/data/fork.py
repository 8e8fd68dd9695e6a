"""``jeto-bench data fork``: a dataset of one's own from rows of another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.dataset import open_dataset
from jeto_bench.fork import fork_dataset

__all__ = ["fork"]


def fork(
    source: Annotated[
        str, typer.Argument(help="Folder, Parquet or JSONL file, or owner/name@REVISION.")
    ],
    new: Annotated[Path, typer.Argument(help="Folder to write; must not hold anything yet.")],
    *,
    name: Annotated[str, typer.Option(help="Name of the new dataset, such as org/my-bench.")],
    version: Annotated[str, typer.Option(help="Its semantic version, such as 1.0.0.")],
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            help="Only such rows, as repo=apache/*, java_version>=17 or detector_tests>=1;"
            " repeatable, all must hold.",
        ),
    ] = None,
) -> None:
    """Write a self-standing dataset with the provenance of its parent."""
    done = fork_dataset(
        open_dataset(source), new, filters=filters or [], name=name, version=version
    )
    for item in done.files:
        typer.echo(f"{item.config}: {item.rows} rows")
    typer.echo(f"{name} {version} is in {new}; check it with: jeto-bench data validate {new}")
