"""What a dataset's version says, against what is there (field.md row 105)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from jeto_bench.checks.finding import Check, Finding, error, warning
from jeto_bench.dataset import Dataset, config_files
from jeto_bench.errors import JetoError
from jeto_bench.versions.manifest import (
    MANIFEST_FILE,
    DataFile,
    Manifest,
    check_harness,
    content_hash,
    pin_images,
)
from jeto_bench.versions.numbers import SemanticVersion

__all__ = ["check_version"]


def check_version(root: Path, dataset: Dataset) -> Iterator[Finding]:
    """Yield where a manifest and the files, rows and images beside it differ."""
    manifest = dataset.manifest
    if manifest is None:
        yield warning(
            Check.VERSION,
            MANIFEST_FILE,
            "is not there: nothing pins rows, images and harness of this version",
        )
        return
    for text in (manifest.version, manifest.minimum_harness):
        try:
            SemanticVersion.parse(text)
        except JetoError as problem:
            yield error(Check.VERSION, MANIFEST_FILE, problem.message)
            return
    try:
        check_harness(manifest)
    except JetoError as problem:
        yield error(Check.VERSION, MANIFEST_FILE, problem.message)
    yield from _check_files(root, manifest)
    yield from _check_rows(dataset, manifest)


def _check_files(root: Path, manifest: Manifest) -> Iterator[Finding]:
    told = {item.path: item for item in manifest.files}
    there = {file.path.relative_to(root).as_posix() for file in config_files(root)}
    for path in sorted(there - told.keys()):
        yield error(Check.VERSION, path, f"is not in {MANIFEST_FILE}")
    for path in sorted(told.keys() - there):
        yield error(Check.VERSION, path, f"is in {MANIFEST_FILE}, but not there")
    for path in sorted(told.keys() & there):
        if _digest(root / path) != told[path].sha256:
            yield error(Check.VERSION, path, _told(told[path]))


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _told(item: DataFile) -> str:
    return (
        f"is another file than {MANIFEST_FILE} says (sha256 {item.sha256[:12]}..., {item.size} B)"
    )


def _check_rows(dataset: Dataset, manifest: Manifest) -> Iterator[Finding]:
    if content_hash(dataset.records()) != manifest.content_sha256:
        yield error(
            Check.VERSION, MANIFEST_FILE, "its content_sha256 is not that of the records here"
        )
    for config, records in dataset.configs.items():
        other = sorted({r.dataset_version for r in records} - {manifest.version})
        if other:
            yield error(
                Check.VERSION,
                config,
                f"has rows of version {other[0]}, the dataset is {manifest.version}",
            )
    try:
        pins = pin_images(dataset.records())
    except JetoError as problem:
        yield error(Check.IMAGE, MANIFEST_FILE, problem.message)
        return
    if pins != manifest.images:
        differing = sorted({pin.instance_id for pin in set(pins) ^ set(manifest.images)})
        yield error(
            Check.IMAGE, MANIFEST_FILE, f"pins other images than the rows name: {differing[0]}"
        )
