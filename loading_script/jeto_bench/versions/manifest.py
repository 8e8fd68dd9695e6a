"""``version.json`` beside the data: what exactly a version of a dataset is (field.md row 105).

A version pins every file by its hash, every image by its digest, and the oldest harness that may
read it. Whoever publishes, forks or bundles a dataset writes it; ``load`` holds the harness to it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench._version import __version__
from jeto_bench.convert import Where, convert
from jeto_bench.encode import records_to_jsonl, row_to_dict
from jeto_bench.errors import DecodeError, InputError, UsageError
from jeto_bench.files import write_atomically
from jeto_bench.json_text import decode_text, raw_decode
from jeto_bench.records import EtipRecord
from jeto_bench.versions.numbers import SemanticVersion

__all__ = [
    "MANIFEST_FILE",
    "DataFile",
    "ImagePin",
    "Manifest",
    "Parent",
    "check_harness",
    "content_hash",
    "describe_file",
    "manifest_to_json",
    "pin_images",
    "read_manifest",
    "write_manifest",
]

MANIFEST_FILE: Final = "version.json"
_FORMAT: Final = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class DataFile:
    """One file of the dataset.

    Attributes:
        config: Name of the config.
        split: Name of the split.
        path: Relative to the dataset's folder, ``/`` between directories.
        rows: Number of rows.
        size: Bytes.
        sha256: Of the file, 64 hex digits.
    """

    config: str
    split: str
    path: str
    rows: int
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ImagePin:
    """The image of one row.

    Attributes:
        instance_id: The row.
        image: ``repository:tag``.
        digest: ``sha256:...`` in a registry; empty where the image is built from sources.
    """

    instance_id: str
    image: str
    digest: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Parent:
    """The dataset that a fork was made from.

    Attributes:
        name: Its name.
        version: Its version; empty if it did not say.
        source: Where it was read: on the Hub, or the name of a local file or folder.
        content_sha256: Hash over its records, see ``content_hash``.
        filters: What rows had to satisfy to be taken.
    """

    name: str
    version: str
    source: str
    content_sha256: str
    filters: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """One version of a dataset.

    Attributes:
        name: Name of the dataset, such as ``org/jeto-bench``.
        version: Semantic version.
        minimum_harness: Oldest version of jeto-bench that may read it.
        created_at: ISO 8601, UTC.
        content_sha256: Hash over the records, whatever file they are in.
        files: Every Parquet file.
        images: Every image of an executable row.
        parent: What it was forked from, if anything.
        schema_version: Version of this file's format.
    """

    name: str
    version: str
    minimum_harness: str
    created_at: str
    content_sha256: str
    files: tuple[DataFile, ...]
    images: tuple[ImagePin, ...]
    parent: Parent | None
    schema_version: int = _FORMAT


def content_hash(records: Iterable[EtipRecord]) -> str:
    """Return the SHA-256 of records sorted by id, hexadecimal.

    It depends on what the rows say, not on how Parquet was written or in how many files. A record
    that is in several configs counts once for each.
    """
    lines = sorted(records_to_jsonl([record]) for record in records)
    return hashlib.sha256(b"".join(lines)).hexdigest()


def describe_file(root: Path, path: str, *, config: str, split: str, rows: int) -> DataFile:
    """Return what a manifest says of a file of the dataset below ``root``."""
    data = (root / path).read_bytes()
    return DataFile(
        config=config,
        split=split,
        path=path,
        rows=rows,
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
    )


def pin_images(records: Iterable[EtipRecord]) -> tuple[ImagePin, ...]:
    """Return the image of each record that has one, once each, sorted by id.

    Raises:
        InputError: Two configs name two images for one instance.
    """
    pins: dict[str, ImagePin] = {}
    for record in records:
        if not record.image:
            continue
        pin = ImagePin(
            instance_id=record.instance_id, image=record.image, digest=record.image_digest
        )
        if pins.setdefault(record.instance_id, pin) != pin:
            raise InputError(
                f"{record.instance_id} has the image {pins[record.instance_id].image} in one"
                f" config and {pin.image} ({pin.digest or 'no digest'}) in another",
                advice="One version of a dataset pins one image for each instance.",
            )
    return tuple(pins[name] for name in sorted(pins))


def manifest_to_json(manifest: Manifest) -> bytes:
    """Return a manifest as indented JSON, ended by LF."""
    return json.dumps(row_to_dict(manifest), indent=2, ensure_ascii=False).encode() + b"\n"


def write_manifest(root: Path, manifest: Manifest) -> Path:
    """Write ``version.json`` into a dataset's folder.

    Raises:
        UsageError: A version in it is not semantic.
    """
    SemanticVersion.parse(manifest.version)
    SemanticVersion.parse(manifest.minimum_harness)
    file = root / MANIFEST_FILE
    write_atomically(file, manifest_to_json(manifest))
    return file


def read_manifest(root: Path) -> Manifest | None:
    """Return the manifest of a dataset's folder, ``None`` if it has none.

    Raises:
        DecodeError: The file is not a manifest, or one of a newer format.
    """
    file = root / MANIFEST_FILE
    if not file.is_file():
        return None
    source = str(file)
    text = decode_text(file.read_bytes(), source, None)
    value, end = raw_decode(text, len(text) - len(text.lstrip()), source, 1)
    if text[end:].strip():
        raise DecodeError("more text after the JSON object", source=source)
    known = value.get("schema_version") if isinstance(value, dict) else None
    if isinstance(known, int) and known > _FORMAT:
        raise DecodeError(
            f"format {known} is newer than {_FORMAT}, the newest that is known here",
            source=source,
            field="schema_version",
            advice="Upgrade: pip install --upgrade jeto-bench",
        )
    where = Where(source=source, line=None)
    manifest: Manifest = convert(value, Manifest, where, "")
    where.refuse_unprintable(manifest.name, "name")
    where.refuse_unprintable(manifest.version, "version")
    return manifest


def check_harness(manifest: Manifest, *, harness: str = __version__) -> None:
    """Refuse a dataset that an older harness than it names would read wrongly.

    Raises:
        UsageError: This harness is too old.
    """
    if SemanticVersion.parse(harness) < SemanticVersion.parse(manifest.minimum_harness):
        raise UsageError(
            f"{manifest.name} {manifest.version} needs jeto-bench {manifest.minimum_harness} or"
            f" newer, this is {harness}",
            advice="Upgrade: pip install --upgrade jeto-bench",
        )
