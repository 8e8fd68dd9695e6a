"""A whole dataset: every config of a folder, with what stands beside the data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jeto_bench.decode import decode_jsonl, decode_parquet, parquet_columns
from jeto_bench.errors import DecodeError, InputError
from jeto_bench.index.rows import IndexRow, decode_index
from jeto_bench.lifecycle.lives import read_lives
from jeto_bench.lifecycle.status import RowLife
from jeto_bench.load import INDEX, available_configs, download, is_hub_id
from jeto_bench.records import EtipRecord
from jeto_bench.versions.manifest import Manifest, read_manifest

__all__ = ["SINGLE", "ConfigFile", "Dataset", "config_files", "open_dataset", "read_file"]

SINGLE: Final = "records"
"""Config of records that are in one file and do not say of which config."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfigFile:
    """One file of a dataset.

    Attributes:
        config: Its config.
        path: Where it is.
    """

    config: str
    path: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Dataset:
    """A dataset that was read.

    Attributes:
        source: As the user named it.
        manifest: Its version, if it says one.
        configs: Records by config, sorted by name.
        index: Rows of the config ``index``.
        lives: Validation records.
    """

    source: str
    manifest: Manifest | None
    configs: dict[str, tuple[EtipRecord, ...]]
    index: tuple[IndexRow, ...]
    lives: tuple[RowLife, ...]

    @property
    def name(self) -> str:
        """Its own name, else that of its file, folder or repository."""
        return self.manifest.name if self.manifest is not None else self.place

    @property
    def place(self) -> str:
        """Where it was read, without the way there: that is the reader's, and nobody else's."""
        local = Path(self.source)
        return local.resolve().name if local.exists() else self.source

    @property
    def version(self) -> str:
        """Its version; else the one that its records agree on; else empty."""
        if self.manifest is not None:
            return self.manifest.version
        versions = {record.dataset_version for record in self.records()}
        return versions.pop() if len(versions) == 1 else ""

    def records(self) -> Iterable[EtipRecord]:
        """Every record of every config."""
        for records in self.configs.values():
            yield from records


def config_files(root: Path) -> tuple[ConfigFile, ...]:
    """Return the data files of a dataset's folder, by config and name.

    Raises:
        InputError: There is none.
    """
    found = []
    for config in available_configs(root):
        places = [root / "data" / config, root / config]
        folder = next(place for place in places if list(place.glob("test-*.parquet")))
        files = sorted(folder.glob("test-*.parquet"))
        found += [ConfigFile(config=config, path=path) for path in files]
    if not found:
        raise InputError(
            f"{root} is no dataset: it has no data/<config>/test-*.parquet",
            advice="Give a folder that `jeto-bench data export` or `fork` wrote.",
        )
    return tuple(found)


def read_file(path: Path) -> tuple[EtipRecord, ...] | tuple[IndexRow, ...]:
    """Return the rows of one file, records or facts by what columns it has.

    Raises:
        InputError: It cannot be read.
        DecodeError: Its rows do not follow the schema.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    source = str(path)
    if not (data.startswith(b"PAR1") or path.suffix == ".parquet"):
        return decode_jsonl(data, source=source)
    if "measurements" in parquet_columns(data, source=source):
        return decode_index(data, source=source)
    return decode_parquet(data, source=source)


def open_dataset(place: str | Path, *, problems: list[DecodeError] | None = None) -> Dataset:
    """Read all of a dataset.

    Args:
        place: A folder, a single Parquet or JSONL file, or ``owner/name`` on the Hub, with
            ``@REVISION`` behind it if it is not to be the newest.
        problems: Files that do not follow the schema are told here and left out; without it the
            first one raises.

    Raises:
        InputError: There is no such dataset.
        DecodeError: A file does not follow the schema.
        InfrastructureError: The Hub cannot be reached.
    """
    root, source = Path(place), str(place)
    if not root.exists():
        name, _, revision = source.partition("@")
        if not is_hub_id(name):
            raise InputError(f"there is no file or folder {place}")
        root = download(name, "*", revision or None)
    single = root.is_file()
    files = (ConfigFile(config=SINGLE, path=root),) if single else config_files(root)
    configs: dict[str, list[EtipRecord]] = {}
    index: list[IndexRow] = []
    for file in files:
        try:
            rows = read_file(file.path)
            for row in rows:
                if isinstance(row, IndexRow):
                    index.append(row)
                else:
                    configs.setdefault(file.config, []).append(row)
        except DecodeError as error:
            if problems is None:
                raise
            problems.append(error)
    return Dataset(
        source=source,
        manifest=None if single else read_manifest(root),
        configs={name: tuple(configs[name]) for name in sorted(configs) if name != INDEX},
        index=tuple(index),
        lives=() if single else read_lives(root),
    )
