"""Puts ``version.json`` and the validation records beside the data: what makes it a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq

from jeto_bench._version import __version__
from jeto_bench.dataset import config_files
from jeto_bench.lifecycle import RowLife
from jeto_bench.lives import write_lives
from jeto_bench.manifest import (
    Manifest,
    Parent,
    content_hash,
    describe_file,
    pin_images,
    write_manifest,
)
from jeto_bench.records import EtipRecord

__all__ = ["seal_folder"]


def seal_folder(
    root: Path,
    configs: Mapping[str, Sequence[EtipRecord]],
    *,
    name: str,
    version: str,
    minimum_harness: str = __version__,
    parent: Parent | None = None,
    lives: Sequence[RowLife] = (),
) -> Manifest:
    """Write what a version of a dataset pins, beside its data.

    Args:
        root: Folder whose Parquet files are written already.
        configs: Their records.
        name: Name of the dataset.
        version: Semantic version.
        minimum_harness: Oldest version of jeto-bench that may read it.
        parent: What it was forked from.
        lives: Validation records of its rows.

    Raises:
        UsageError: A version is not semantic.
        InputError: Two configs name two images for one instance.
    """
    records = [record for items in configs.values() for record in items]
    files = []
    for file in config_files(root):
        path = file.path.relative_to(root).as_posix()
        rows = pq.read_metadata(file.path).num_rows
        files.append(describe_file(root, path, config=file.config, split="test", rows=rows))
    manifest = Manifest(
        name=name,
        version=version,
        minimum_harness=minimum_harness,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        content_sha256=content_hash(records),
        files=tuple(files),
        images=pin_images(records),
        parent=parent,
    )
    write_manifest(root, manifest)
    if lives:
        write_lives(root, lives)
    return manifest
