"""Finds a dataset and returns its records: embedded, from a file, a folder, or the Hub."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Literal, overload

from jeto_bench.decode import decode_jsonl, decode_parquet
from jeto_bench.errors import DecodeError, InfrastructureError, InputError, UsageError
from jeto_bench.index.rows import IndexRow, decode_index
from jeto_bench.records import EtipRecord
from jeto_bench.versions.manifest import MANIFEST_FILE, check_harness, read_manifest

__all__ = [
    "INDEX",
    "available_configs",
    "download",
    "embedded_root",
    "is_hub_id",
    "load",
    "load_records",
]

INDEX: Final = "index"
"""The config that holds facts, not records."""

_HUB_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")
_CONFIG = re.compile(r"[A-Za-z0-9_]+")


@overload
def load(  # type: ignore[overload-overlap]  # one name of a config differs from all others
    config: Literal["index"], path: str | Path | None = None, revision: str | None = None
) -> tuple[IndexRow, ...]: ...


@overload
def load(
    config: str = "mini", path: str | Path | None = None, revision: str | None = None
) -> tuple[EtipRecord, ...]: ...


def load(
    config: str = "mini", path: str | Path | None = None, revision: str | None = None
) -> tuple[EtipRecord, ...] | tuple[IndexRow, ...]:
    """Return the rows of one config, split ``test``: records, or facts if it is ``index``.

    Args:
        config: Name of the config.
        path: A Parquet or JSONL file, a folder that holds ``data/<config>/test-*.parquet``, or
            ``owner/name`` of a dataset on the Hub. By default the records embedded here.
        revision: Branch, tag or commit of the dataset on the Hub; only with such a ``path``.

    Raises:
        InputError: There is no such file, folder or config, or the options contradict each other.
        DecodeError: The data do not follow the schema.
        UsageError: The dataset needs a newer harness.
        InfrastructureError: The Hub cannot be reached.
    """
    files = _files(config, path, revision)
    if config == INDEX:
        rows = [row for file in files for row in decode_index(_read(file), source=str(file))]
        _refuse_repeated([row.instance_id for row in rows], files)
        return tuple(rows)
    records = [record for file in files for record in _load_file(file)]
    _refuse_repeated([record.instance_id for record in records], files)
    return tuple(records)


def load_records(
    config: str = "mini", path: str | Path | None = None, revision: str | None = None
) -> tuple[EtipRecord, ...]:
    """Return records as ``load``, and refuse the config that has none.

    Raises:
        UsageError: The config is ``index``; else as ``load``.
    """
    if config == INDEX:
        raise UsageError(
            "the config 'index' holds facts, without issue, patch or image",
            advice="Make records of its rows first: jeto-bench data hydrate",
        )
    return load(config, path, revision)


def _files(config: str, path: str | Path | None, revision: str | None) -> list[Path]:
    if not _CONFIG.fullmatch(config):
        raise UsageError(f"{config!r} is not a config name", advice="For example: mini")
    if path is None:
        if revision is not None:
            raise UsageError(
                "revision names a version of a dataset on the Hub, but no dataset is named",
                advice="Give path='owner/name' too. The embedded records have one version.",
            )
        return _files_of_folder(embedded_root(), config)
    place = Path(path)
    if revision is not None or not place.exists():
        if is_hub_id(str(path)) and not place.exists():
            return _files_of_folder(download(str(path), config, revision), config)
        if revision is not None:
            raise UsageError(f"revision {revision!r} makes no sense for the local path {place}")
        raise InputError(
            f"there is no file or folder {place}",
            advice="Give a .parquet or .jsonl file, or a folder with data/<config>/.",
        )
    return _files_of_folder(place, config) if place.is_dir() else [place]


def available_configs(path: str | Path | None = None) -> tuple[str, ...]:
    """Return the configs of a dataset folder, by default the embedded one, sorted."""
    root = embedded_root() if path is None else Path(path)
    places = (root / "data", root)
    names = {file.parent.name for place in places for file in place.glob("*/test-*.parquet")}
    return tuple(sorted(names))


def embedded_root() -> Path:
    """Return the folder whose ``data/`` or own subfolders hold the embedded configs.

    In a checkout it is the checkout itself, so that rebuilt records are used at once.
    """
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file() and (checkout / "data").is_dir():
        return checkout
    return Path(__file__).resolve().parent / "_data"


def _files_of_folder(root: Path, config: str) -> list[Path]:
    manifest = read_manifest(root)
    if manifest is not None:
        check_harness(manifest)
    for folder in (root / "data" / config, root / config):
        files = sorted(folder.glob("test-*.parquet"))
        if files:
            return files
    known = available_configs(root)
    raise InputError(
        f"{root} has no config {config!r}",
        advice=f"It has: {', '.join(known)}." if known else "It has no data/<config>/ at all.",
    )


def _refuse_repeated(names: list[str], files: list[Path]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DecodeError(
                f"{name} is in two files", source=str(files[0].parent), field="instance_id"
            )
        seen.add(name)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _load_file(path: Path) -> tuple[EtipRecord, ...]:
    data = _read(path)
    if data.startswith(b"PAR1") or path.suffix == ".parquet":
        records = decode_parquet(data, source=str(path))
    else:
        records = decode_jsonl(data, source=str(path))
    if not records:
        raise DecodeError("no records", source=str(path), advice="The file is empty.")
    return records


def is_hub_id(text: str) -> bool:
    """Return whether a text has the form of a dataset's name on the Hub."""
    return _HUB_ID.fullmatch(text) is not None


def download(name: str, config: str, revision: str | None) -> Path:
    """Fetch one config of a dataset from the Hub, or all if it is ``*``; return the folder.

    The library is imported only here.

    Raises:
        UsageError: The library is not installed.
        InfrastructureError: The Hub cannot be reached, or has no such dataset.
    """
    try:
        from huggingface_hub import snapshot_download  # noqa: PLC0415  # optional
        from huggingface_hub.errors import HfHubHTTPError  # noqa: PLC0415  # optional
    except ImportError as error:
        raise UsageError(
            f"reading {name} from the Hub needs the package huggingface_hub",
            advice="pip install huggingface_hub, or give a local file or folder.",
        ) from error
    try:
        folder = snapshot_download(
            name,
            repo_type="dataset",
            revision=revision,
            allow_patterns=[f"data/{config}/test-*.parquet", MANIFEST_FILE, "validation.jsonl"],
        )
    except (
        *(HfHubHTTPError, OSError, ValueError),
        *(LookupError, TypeError, AttributeError),  # of answers that are no Hub's
    ) as error:
        at = f" at {revision}" if revision else ""
        raise InfrastructureError(
            f"cannot fetch {name}{at} from the Hub: {error}",
            advice="Check name, revision and network; or give a local file or folder.",
        ) from error
    return Path(folder)
