"""A dataset with its images in one place, for sites without a network (field.md row 47).

A bundle is a folder, or a tar file of one: ``bundle.json`` with the SHA-256 of every other file,
``dataset/`` as it was, and ``images/ID.tar`` as ``docker save`` writes them. It comes from outside:
names are checked before anything is written, and hashes before anything is used.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from itertools import count
from pathlib import Path, PurePosixPath
from typing import IO

from jeto_bench.bundles.files import new_place, read_bundle, sha256_of, unpack, verify_bundle
from jeto_bench.bundles.model import (
    BUNDLE_FILE,
    BundledFile,
    BundledImage,
    BundleManifest,
    ImageArchives,
)
from jeto_bench.encode import row_to_dict
from jeto_bench.errors import InputError
from jeto_bench.files import write_atomically
from jeto_bench.records import EtipRecord

__all__ = ["export_bundle", "import_bundle"]


def export_bundle(
    dataset: Path,
    target: Path,
    *,
    name: str,
    version: str,
    records: Iterable[EtipRecord],
    images: ImageArchives | None,
) -> BundleManifest:
    """Write a bundle of a dataset's folder.

    Args:
        dataset: The dataset's folder.
        target: Folder, or tar file if it is called so; must not be there.
        name: Name of the dataset.
        version: Its version.
        records: Those whose images go along, each instance once.
        images: Where images come from; None for rows alone.

    Raises:
        InputError: ``target`` is there, or the dataset holds something else than files.
        ImageError: An image is missing or is not the record's.
    """
    with new_place(target) as part:
        for file in sorted(dataset.rglob("*")):
            if file.is_symlink():
                raise InputError(f"{file} is a link; a bundle holds files only")
            if file.is_file():
                place = part / "dataset" / file.relative_to(dataset)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, place)
        found = [_save(part, record, images) for record in records] if images is not None else []
        files = tuple(
            BundledFile(
                path=file.relative_to(part).as_posix(),
                size=file.stat().st_size,
                sha256=sha256_of(file),
            )
            for file in sorted(part.rglob("*"))
            if file.is_file()
        )
        manifest = BundleManifest(name=name, version=version, files=files, images=tuple(found))
        text = json.dumps(row_to_dict(manifest), indent=2, ensure_ascii=False)
        write_atomically(part / BUNDLE_FILE, text.encode() + b"\n")
    return manifest


def import_bundle(bundle: Path, target: Path, *, images: ImageArchives | None) -> BundleManifest:
    """Check a bundle, load its images, and put its dataset into a folder.

    Args:
        bundle: Folder or tar file.
        target: Folder of the dataset; must not be there.
        images: Where images go; None to leave them out.

    Raises:
        InputError: ``target`` is there, or the bundle is not whole, or names what it may not.
        ImageError: An image cannot be loaded or is another one.
    """
    with new_place(target) as part:
        root = bundle
        if bundle.is_file():
            root = part / "unpacked"
            unpack(bundle, root)
        manifest = read_bundle(root, bundle)
        verify_bundle(root, manifest, bundle)
        for image in manifest.images if images is not None else ():
            assert images is not None  # noqa: S101  # for the type checker
            images.load(root / image.path, image)
        placed = part / _free_name(manifest)
        for item in manifest.files:
            inside = PurePosixPath(item.path)
            if inside.parts[0] == "dataset":
                place = placed.joinpath(*inside.parts[1:])
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / item.path, place)
        if not placed.is_dir():
            raise InputError(f"{bundle} holds no dataset")
        _keep_only(part, placed)
    return manifest


def _free_name(manifest: BundleManifest) -> str:
    """A name that nothing has at the top of the dataset, which is to replace the folder."""
    taken = {part for item in manifest.files for part in item.path.split("/")}
    return next(name for n in count() if (name := f"placed{n}") not in taken)


def _keep_only(part: Path, placed: Path) -> None:
    """Make a folder what one folder below it is."""
    for entry in list(part.iterdir()):
        if entry != placed:
            shutil.rmtree(entry)
    for entry in list(placed.iterdir()):
        entry.rename(part / entry.name)
    placed.rmdir()


def _save(part: Path, record: EtipRecord, images: ImageArchives) -> BundledImage:
    image_id, chunks = images.save(record)
    path = f"images/{record.instance_id}.tar"
    place = part / path
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("wb") as stream:
        _write(stream, chunks)
    return BundledImage(
        instance_id=record.instance_id,
        image=record.image,
        digest=record.image_digest,
        image_id=image_id,
        path=path,
    )


def _write(stream: IO[bytes], chunks: Iterable[bytes]) -> None:
    for chunk in chunks:
        stream.write(chunk)
