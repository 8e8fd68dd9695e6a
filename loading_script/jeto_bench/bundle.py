"""A dataset with its images in one place, for sites without a network (field.md row 47).

A bundle is a folder, or a tar file of one: ``bundle.json`` with the SHA-256 of every other file,
``dataset/`` as it was, and ``images/ID.tar`` as ``docker save`` writes them. It comes from outside:
names are checked before anything is written, and hashes before anything is used.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final, Protocol

from jeto_bench.convert import Where, convert
from jeto_bench.encode import row_to_dict
from jeto_bench.errors import DecodeError, InputError
from jeto_bench.files import write_atomically
from jeto_bench.json_text import decode_text, raw_decode
from jeto_bench.records import EtipRecord

__all__ = [
    "BundleManifest",
    "BundledFile",
    "BundledImage",
    "ImageArchives",
    "export_bundle",
    "import_bundle",
]

BUNDLE_FILE: Final = "bundle.json"
_FORMAT: Final = 1
_CHUNK: Final = 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class BundledFile:
    """One file of a bundle.

    Attributes:
        path: From the bundle's folder, ``/`` between directories.
        size: Bytes.
        sha256: 64 hex digits.
    """

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BundledImage:
    """One image of a bundle.

    Attributes:
        instance_id: The row.
        image: ``repository:tag``.
        digest: As the row names it, empty if it names none.
        image_id: Id in the engine that saved it, ``sha256:...``.
        path: Its file.
    """

    instance_id: str
    image: str
    digest: str
    image_id: str
    path: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BundleManifest:
    """``bundle.json``.

    Attributes:
        name: Name of the dataset.
        version: Its version.
        files: Every file but this one, sorted by path.
        images: Every image.
        schema_version: Version of this format.
    """

    name: str
    version: str
    files: tuple[BundledFile, ...]
    images: tuple[BundledImage, ...]
    schema_version: int = _FORMAT


class ImageArchives(Protocol):
    """What a bundle asks of a container engine."""

    def save(self, record: EtipRecord) -> tuple[str, Iterator[bytes]]:
        """Return a record's image's id and its archive; raises if it is not the record's."""
        ...

    def load(self, archive: Path, image: BundledImage) -> None:
        """Load an archive; raises if what is in it is not the image."""
        ...


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
    with _new(target) as part:
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
                sha256=_sha256(file),
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
    with _new(target) as part:
        root = bundle
        if bundle.is_file():
            root = part / "unpacked"
            _unpack(bundle, root)
        manifest = _read_manifest(root, bundle)
        _verify(root, manifest, bundle)
        for image in manifest.images if images is not None else ():
            assert images is not None  # noqa: S101  # for the type checker
            images.load(root / image.path, image)
        placed = part / "placed"
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


def _keep_only(part: Path, placed: Path) -> None:
    """Make a folder what one folder below it is."""
    for entry in list(part.iterdir()):
        if entry != placed:
            shutil.rmtree(entry)
    for entry in list(placed.iterdir()):
        entry.rename(part / entry.name)
    placed.rmdir()


@contextmanager
def _new(target: Path) -> Iterator[Path]:
    """Give a folder that becomes ``target``, or a tar file of that name, if nothing fails."""
    if target.exists():
        raise InputError(f"{target} is there already", advice="Name a place that is not.")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    packed = part.with_suffix(".tar")
    try:
        yield part
        if target.suffix == ".tar":
            _pack(part, packed)
            packed.rename(target)
        else:
            part.chmod(0o755)
            part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        packed.unlink(missing_ok=True)


def _pack(folder: Path, archive: Path) -> None:
    """Write files in order of their names, ``bundle.json`` first, without owners and times."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    files.sort(key=lambda path: path.name != BUNDLE_FILE or path.parent != folder)
    with tarfile.open(archive, "w", format=tarfile.PAX_FORMAT) as tar:
        for path in files:
            info = tarfile.TarInfo(path.relative_to(folder).as_posix())
            info.size, info.mode = path.stat().st_size, 0o644
            with path.open("rb") as stream:
                tar.addfile(info, stream)


def _unpack(archive: Path, folder: Path) -> None:
    """Write the files of a tar file, by names that stay below the folder, and nothing else."""
    try:
        with tarfile.open(archive, "r:") as tar:
            for member in tar:
                place = folder / _checked(member.name, str(archive))
                if not member.isfile() or member.issparse():
                    raise InputError(f"{archive}: {member.name} is no plain file")
                if place.exists():
                    raise InputError(f"{archive}: {member.name} is there twice")
                place.parent.mkdir(parents=True, exist_ok=True)
                stream = tar.extractfile(member)
                assert stream is not None  # noqa: S101  # it is a file, as was asked above
                with stream, place.open("wb") as written:
                    shutil.copyfileobj(stream, written, _CHUNK)
    except (tarfile.TarError, EOFError) as error:
        raise InputError(f"{archive} is no whole tar file: {error}") from error


def _checked(name: str, source: str) -> str:
    """Return a path if it stays below the folder that it is read from."""
    parts = name.split("/")
    if not name or "\0" in name or "\\" in name or any(part in {"", ".", ".."} for part in parts):
        raise InputError(f"{source}: the path {name!r} is refused, it may lead out of the bundle")
    return name


def _read_manifest(root: Path, bundle: Path) -> BundleManifest:
    file = root / BUNDLE_FILE
    if not file.is_file() or file.is_symlink():
        raise InputError(
            f"{bundle} is no bundle: it has no {BUNDLE_FILE}",
            advice="`jeto-bench data bundle export` writes one.",
        )
    source = f"{bundle}/{BUNDLE_FILE}"
    text = decode_text(file.read_bytes(), source, None)
    value, _ = raw_decode(text, 0, source, 1)
    manifest: BundleManifest = convert(value, BundleManifest, Where(source=source, line=None), "")
    if manifest.schema_version != _FORMAT:
        raise DecodeError(
            f"format {manifest.schema_version} is not {_FORMAT}",
            source=source,
            field="schema_version",
            advice="Upgrade: pip install --upgrade jeto-bench",
        )
    return manifest


def _verify(root: Path, manifest: BundleManifest, bundle: Path) -> None:
    """Every file is listed, every listed file is there, whole and unchanged, and no link."""
    told = {_checked(item.path, BUNDLE_FILE): item for item in manifest.files}
    missing_images = [image.path for image in manifest.images if image.path not in told]
    if len(told) != len(manifest.files) or missing_images:
        raise InputError(f"{bundle}: {BUNDLE_FILE} contradicts itself")
    for file in root.rglob("*"):
        path = file.relative_to(root).as_posix()
        if file.is_symlink() or not (file.is_file() or file.is_dir()):
            raise InputError(f"{bundle}: {path} is no plain file")
        if file.is_file() and path not in told and path != BUNDLE_FILE:
            raise InputError(f"{bundle}: {path} is not listed in {BUNDLE_FILE}")
    for path, item in told.items():
        file = root / path
        if not file.is_file():
            raise InputError(f"{bundle}: {path} is listed in {BUNDLE_FILE}, but not there")
        if file.stat().st_size != item.size or _sha256(file) != item.sha256:
            raise InputError(
                f"{bundle}: {path} is damaged: its size or SHA-256 is another",
                advice="Bring the bundle over once more.",
            )


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


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
