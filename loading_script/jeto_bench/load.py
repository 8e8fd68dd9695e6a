"""Finds a dataset and returns its records: embedded, from a file, a folder, or the Hub."""

from __future__ import annotations

import re
from pathlib import Path

from jeto_bench.decode import decode_jsonl, decode_parquet
from jeto_bench.errors import DecodeError, InfrastructureError, InputError, UsageError
from jeto_bench.records import EtipRecord

__all__ = ["available_configs", "embedded_root", "load"]

_HUB_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")
_CONFIG = re.compile(r"[A-Za-z0-9_]+")


def load(
    config: str = "mini", path: str | Path | None = None, revision: str | None = None
) -> tuple[EtipRecord, ...]:
    """Return the records of one config, split ``test``.

    Args:
        config: Name of the config.
        path: A Parquet or JSONL file, a folder that holds ``data/<config>/test-*.parquet``, or
            ``owner/name`` of a dataset on the Hub. By default the records embedded here.
        revision: Branch, tag or commit of the dataset on the Hub; only with such a ``path``.

    Raises:
        InputError: There is no such file, folder or config, or the options contradict each other.
        DecodeError: The data do not follow the schema.
        InfrastructureError: The Hub cannot be reached.
    """
    if not _CONFIG.fullmatch(config):
        raise UsageError(f"{config!r} is not a config name", advice="For example: mini")
    if path is None:
        if revision is not None:
            raise UsageError(
                "revision names a version of a dataset on the Hub, but no dataset is named",
                advice="Give path='owner/name' too. The embedded records have one version.",
            )
        return _load_folder(embedded_root(), config)
    place = Path(path)
    if revision is not None or not place.exists():
        if _HUB_ID.fullmatch(str(path)) and not place.exists():
            return _load_folder(_download(str(path), config, revision), config)
        if revision is not None:
            raise UsageError(f"revision {revision!r} makes no sense for the local path {place}")
        raise InputError(
            f"there is no file or folder {place}",
            advice="Give a .parquet or .jsonl file, or a folder with data/<config>/.",
        )
    return _load_folder(place, config) if place.is_dir() else _load_file(place)


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


def _load_folder(root: Path, config: str) -> tuple[EtipRecord, ...]:
    for folder in (root / "data" / config, root / config):
        files = sorted(folder.glob("test-*.parquet"))
        if files:
            break
    else:
        known = available_configs(root)
        raise InputError(
            f"{root} has no config {config!r}",
            advice=f"It has: {', '.join(known)}." if known else "It has no data/<config>/ at all.",
        )
    records = [record for file in files for record in _load_file(file)]
    seen: set[str] = set()
    for record in records:
        if record.instance_id in seen:
            raise DecodeError(
                f"{record.instance_id} is in two files", source=str(folder), field="instance_id"
            )
        seen.add(record.instance_id)
    return tuple(records)


def _load_file(path: Path) -> tuple[EtipRecord, ...]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if data.startswith(b"PAR1") or path.suffix == ".parquet":
        records = decode_parquet(data, source=str(path))
    else:
        records = decode_jsonl(data, source=str(path))
    if not records:
        raise DecodeError("no records", source=str(path), advice="The file is empty.")
    return records


def _download(name: str, config: str, revision: str | None) -> Path:
    """Fetch one config of a dataset from the Hub; the library is imported only here."""
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
            allow_patterns=[f"data/{config}/test-*.parquet"],
        )
    except (HfHubHTTPError, OSError, ValueError) as error:
        at = f" at {revision}" if revision else ""
        raise InfrastructureError(
            f"cannot fetch {name}{at} from the Hub: {error}",
            advice="Check name, revision and network; or give a local file or folder.",
        ) from error
    return Path(folder)
