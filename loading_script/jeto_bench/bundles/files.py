"""A bundle's files: written whole or not at all, and checked before anything is believed."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from jeto_bench.bundles.model import BUNDLE_FILE, BUNDLE_FORMAT, BundleManifest
from jeto_bench.convert import Where, convert
from jeto_bench.errors import DecodeError, InputError
from jeto_bench.json_text import decode_text, raw_decode

__all__ = ["new_place", "read_bundle", "sha256_of", "unpack", "verify_bundle"]

_CHUNK: Final = 1024 * 1024
_LONGEST_PATH: Final = 255
"""Bytes: what file systems allow for one name."""


@contextmanager
def new_place(target: Path) -> Iterator[Path]:
    """Give a folder that becomes ``target``, or a tar file of that name, if nothing fails.

    Raises:
        InputError: ``target`` is there.
    """
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


def unpack(archive: Path, folder: Path) -> None:
    """Write the files of a tar file, by names that stay below the folder, and nothing else.

    Raises:
        InputError: It is no whole tar file, or holds a link, a device, or a name that leads away.
    """
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
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"{archive}: one name is of a file and of a folder") from error
    except (tarfile.TarError, EOFError) as error:
        raise InputError(f"{archive} is no whole tar file: {error}") from error


def _checked(name: str, source: str) -> str:
    """Return a path if it stays below the folder that it is read from."""
    parts = name.split("/")
    if not name or "\0" in name or "\\" in name or any(part in {"", ".", ".."} for part in parts):
        raise InputError(f"{source}: the path {name!r} is refused, it may lead out of the bundle")
    if len(name.encode("utf-8", "surrogateescape")) > _LONGEST_PATH:
        raise InputError(f"{source}: the path {name[:60]!r}... is refused, it is too long")
    return name


def read_bundle(root: Path, bundle: Path) -> BundleManifest:
    """Return what a bundle that lies in ``root`` says of itself; errors name it ``bundle``.

    Raises:
        InputError: It is no bundle.
        DecodeError: Its list is not one, or is of another format.
    """
    file = root / BUNDLE_FILE
    if not file.is_file() or file.is_symlink():
        raise InputError(
            f"{bundle} is no bundle: it has no {BUNDLE_FILE}",
            advice="`jeto-bench data bundle export` writes one.",
        )
    source = f"{bundle}/{BUNDLE_FILE}"
    text = decode_text(file.read_bytes(), source, None)
    value, end = raw_decode(text, 0, source, 1)
    if text[end:].strip():
        raise DecodeError("more text after the JSON object", source=source)
    where = Where(source=source, line=None)
    manifest: BundleManifest = convert(value, BundleManifest, where, "")
    where.refuse_unprintable(manifest.name, "name")
    where.refuse_unprintable(manifest.version, "version")
    if manifest.schema_version != BUNDLE_FORMAT:
        raise DecodeError(
            f"format {manifest.schema_version} is not {BUNDLE_FORMAT}",
            source=source,
            field="schema_version",
            advice="Upgrade: pip install --upgrade jeto-bench",
        )
    return manifest


def verify_bundle(root: Path, manifest: BundleManifest, bundle: Path) -> None:
    """See that every file is listed, and every listed file there, whole, unchanged and no link.

    Raises:
        InputError: Something of that does not hold.
    """
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
        if file.stat().st_size != item.size or sha256_of(file) != item.sha256:
            raise InputError(
                f"{bundle}: {path} is damaged: its size or SHA-256 is another",
                advice="Bring the bundle over once more.",
            )


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file, hexadecimal."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
