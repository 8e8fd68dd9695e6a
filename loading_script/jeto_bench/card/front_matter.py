"""The card's YAML block as plain values: configs, features, sizes, licence, tags. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

__all__ = ["SplitFile", "features_of", "front_matter", "hub_licences", "size_category"]

_DTYPES: Final = {
    pa.string(): "string",
    pa.int64(): "int64",
    pa.float64(): "float64",
    pa.bool_(): "bool",
}
_SIZES: Final = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
)
_HUB_LICENCES: Final = frozenset(
    {
        *("agpl-3.0", "apache-2.0", "bsd-2-clause", "bsd-3-clause", "bsl-1.0", "cc0-1.0"),
        *("ecl-2.0", "epl-1.0", "epl-2.0", "eupl-1.1", "eupl-1.2", "gpl-2.0", "gpl-3.0", "isc"),
        *("lgpl-2.1", "lgpl-3.0", "mit", "mpl-2.0", "ncsa", "unlicense", "wtfpl", "zlib"),
    }
)
"""Identifiers that the Hub knows, of those that Java projects have."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SplitFile:
    """The one file of a split.

    Attributes:
        config: Name of the config.
        split: Name of the split.
        path: From the dataset's folder.
        rows: Number of rows.
        memory_bytes: Size as Arrow in memory, which ``datasets`` calls ``num_bytes``.
        file_bytes: Size of the file.
        schema: Its columns.
    """

    config: str
    split: str
    path: str
    rows: int
    memory_bytes: int
    file_bytes: int
    schema: pa.Schema


def front_matter(
    *,
    name: str,
    version: str,
    licences: Sequence[str],
    files: Sequence[SplitFile],
    default: str,
) -> dict[str, object]:
    """Return the block.

    ``license``, ``configs``, ``dataset_info`` and ``size_categories`` are what the Hub, its viewer
    and its Croissant description are made from.

    Args:
        name: Shown name.
        version: Of the data.
        licences: As the Hub spells them.
        files: One per split; the order of the configs is theirs.
        default: Config that ``load_dataset`` takes when none is named.
    """
    configs = dict.fromkeys(item.config for item in files)
    return {
        "pretty_name": name,
        "version": version,
        "license": licences[0] if len(licences) == 1 else list(licences),
        **({"license_name": "per-repository"} if "other" in licences else {}),
        "language": ["en", "code"],
        "task_categories": ["text-generation"],
        "annotations_creators": ["expert-generated"],
        "source_datasets": ["original"],
        "tags": ["code", "java", "performance", "benchmark", "software-engineering", "swe-bench"],
        "size_categories": [size_category(max((item.rows for item in files), default=0))],
        "configs": [
            _config(config, [item for item in files if item.config == config], default)
            for config in configs
        ],
        "dataset_info": [
            _info(config, [item for item in files if item.config == config]) for config in configs
        ],
    }


def features_of(schema: pa.Schema) -> list[dict[str, object]]:
    """Return columns as the card lists them, in the form that ``datasets`` 2 to 5 read alike.

    ``list`` and not ``sequence``: before version 4 a sequence of structs became a struct of lists.

    Raises:
        ValueError: A type that some reader does not know (field.md row 99).
    """
    return [{"name": item.name, **_feature(item.type)} for item in schema]


def size_category(rows: int) -> str:
    """Return the Hub's word for a number of rows."""
    return next((word for limit, word in _SIZES if rows < limit), "n>1M")


def hub_licences(spdx: Iterable[str]) -> tuple[str, ...]:
    """Return SPDX ids as the Hub spells them, sorted, each once; ``other`` for the rest."""
    found = set()
    for name in spdx:
        lower = name.lower().removesuffix("-only").removesuffix("-or-later")
        found.add(lower if lower in _HUB_LICENCES else "other")
    return tuple(sorted(found, key=lambda name: (name == "other", name))) or ("other",)


def _config(name: str, files: Sequence[SplitFile], default: str) -> dict[str, object]:
    return {
        "config_name": name,
        **({"default": True} if name == default else {}),
        "data_files": [{"split": item.split, "path": item.path} for item in files],
    }


def _info(name: str, files: Sequence[SplitFile]) -> dict[str, object]:
    return {
        "config_name": name,
        "features": features_of(files[0].schema),
        "splits": [
            {"name": item.split, "num_bytes": item.memory_bytes, "num_examples": item.rows}
            for item in files
        ],
        "download_size": sum(item.file_bytes for item in files),
        "dataset_size": sum(item.memory_bytes for item in files),
    }


def _feature(kind: pa.DataType) -> dict[str, object]:
    if kind in _DTYPES:
        return {"dtype": _DTYPES[kind]}
    if isinstance(kind, pa.ListType):
        inner = _feature(kind.value_type)
        return {"list": inner.get("dtype") or inner.get("struct") or inner}
    if isinstance(kind, pa.StructType):
        return {"struct": [{"name": item.name, **_feature(item.type)} for item in kind]}
    raise ValueError(f"no reader-independent name for the Arrow type {kind}")
