"""Does a dataset's folder hold what its card says? The viewer's and the readers' rules.

A split that does not exist, a split named twice or a wrong size breaks loading for everyone who
comes after (field.md rows 100 and 104), so ``export`` and ``publish`` refuse such a folder.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from jeto_bench.card.front_matter import SplitFile, features_of
from jeto_bench.card.render import needs_libraries
from jeto_bench.errors import DecodeError

__all__ = ["check_folder", "read_front_matter", "refuse_wrong_card"]

_BLOCK: Final = re.compile(r"---\n(.*?\n)---(?:\n|\Z)", re.DOTALL)
_SPLIT: Final = re.compile(r"\w+(\.\w+)*")
_CONFIG: Final = re.compile(r"[A-Za-z0-9_.-]+")
_LARGEST_GROUP: Final = 300_000_000
"""Bytes of a row group that the Hub's viewer still reads."""


def read_front_matter(card: Path) -> Mapping[str, Any]:
    """Return the YAML block at the head of a card.

    Raises:
        DecodeError: There is no card, no block, or it is not YAML.
        UsageError: PyYAML is missing.
    """
    needs_libraries()
    import yaml  # noqa: PLC0415  # optional

    try:
        match = _BLOCK.match(card.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise DecodeError(f"cannot be read: {error}", source=str(card)) from error
    if match is None:
        raise DecodeError(
            "no front matter", source=str(card), line=1, advice="Begin with --- and a YAML block."
        )
    try:
        block = yaml.safe_load(match.group(1))
    except yaml.YAMLError as error:
        raise DecodeError(f"front matter is not YAML: {error}", source=str(card)) from error
    if not isinstance(block, dict):
        raise DecodeError("front matter is not a mapping", source=str(card), line=1)
    return block


def refuse_wrong_card(folder: Path) -> None:
    """Raise for the first few things that ``check_folder`` finds.

    Raises:
        DecodeError: Card and files disagree.
    """
    found = list(check_folder(folder))
    if found:
        raise DecodeError(
            "; ".join(found[:5]),
            source=str(folder / "README.md"),
            advice="Write the folder again: jeto-bench data export",
        )


def check_folder(folder: Path) -> Iterator[str]:
    """Yield what is wrong with a dataset's folder, in words; nothing if all holds.

    Raises:
        DecodeError: There is no card that can be read.
    """
    block = read_front_matter(folder / "README.md")
    configs = block.get("configs")
    if not isinstance(configs, list) or not configs:
        yield "configs: no explicit list, so that readers would guess"
        return
    problems, declared = _declared(configs)
    yield from problems
    files: list[SplitFile] = []
    for config, split, pattern in declared:
        found = sorted(folder.glob(pattern))
        if not found:
            yield f"config {config}, split {split}: no file matches {pattern}"
        for path in found:
            try:
                files.append(_read(folder, config, split, path))
            except (pa.ArrowException, OSError, ValueError) as error:
                yield f"{path.relative_to(folder)}: not readable by all readers: {error}"
    yield from _check_places(folder, files)
    yield from _check_info(block.get("dataset_info"), declared, files)


def _declared(configs: Sequence[Any]) -> tuple[list[str], list[tuple[str, str, str]]]:
    """Return what is wrong with the block ``configs``, and its (config, split, pattern)."""
    problems: list[str] = []
    found: list[tuple[str, str, str]] = []
    names: list[str] = []
    for n, item in enumerate(configs):
        name = str(item.get("config_name", "")) if isinstance(item, dict) else ""
        if not _CONFIG.fullmatch(name):
            problems.append(f"configs[{n}].config_name: {name!r} is not a name")
        names.append(name)
        data_files = item.get("data_files") if isinstance(item, dict) else None
        if not isinstance(data_files, list) or not data_files:
            problems.append(f"config {name}: no list of data_files")
            continue
        for entry in data_files:
            split, path = (entry.get("split"), entry.get("path")) if isinstance(
                entry, dict
            ) else (None, None)  # fmt: skip
            if not isinstance(split, str) or not _SPLIT.fullmatch(split):
                problems.append(f"config {name}: {split!r} is not a split's name")
            elif not isinstance(path, str) or not _is_below_data(path):
                problems.append(f"config {name}, split {split}: {path!r} is not below data/")
            else:
                found.append((name, split, path))
    problems += [f"config {name} is there twice" for name, n in Counter(names).items() if n > 1]
    twice = Counter((config, split) for config, split, _ in found)
    problems += [f"config {c}: split {s} is there twice" for (c, s), n in twice.items() if n > 1]
    if sum(bool(item.get("default")) for item in configs if isinstance(item, dict)) > 1:
        problems.append("configs: more than one default")
    return problems, found


def _is_below_data(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return parts[:1] == ("data",) and ".." not in parts and "**" not in path


def _read(folder: Path, config: str, split: str, path: Path) -> SplitFile:
    file = pq.ParquetFile(path)
    schema = file.schema_arrow
    if b"huggingface" in (schema.metadata or {}):
        raise ValueError("holds metadata of the datasets library")
    features_of(schema)
    groups = [file.metadata.row_group(n) for n in range(file.metadata.num_row_groups)]
    if any(group.total_byte_size > _LARGEST_GROUP for group in groups):
        raise ValueError(f"a row group of more than {_LARGEST_GROUP:,} bytes")
    return SplitFile(
        config=config,
        split=split,
        path=path.relative_to(folder).as_posix(),
        rows=file.metadata.num_rows,
        memory_bytes=file.read(use_threads=False).nbytes,
        file_bytes=path.stat().st_size,
        schema=schema,
    )


def _check_places(folder: Path, files: Sequence[SplitFile]) -> Iterator[str]:
    """Each data file belongs to one split, and beside it are data files only."""
    uses = Counter(item.path for item in files)
    yield from (f"{path}: belongs to more than one split" for path, n in uses.items() if n > 1)
    for path in sorted((folder / "data").rglob("*.parquet")):
        name = path.relative_to(folder).as_posix()
        if name not in uses:
            yield f"{name}: belongs to no split of the card"
    for parent in sorted({(folder / item.path).parent for item in files}):
        for path in sorted(parent.iterdir()):
            if path.is_file() and path.suffix != ".parquet":
                yield f"{path.relative_to(folder)}: not a data file, among data files"


def _check_info(
    info: Any, declared: Sequence[tuple[str, str, str]], files: Sequence[SplitFile]
) -> Iterator[str]:
    """Compare ``dataset_info``, where the card has it, with the files."""
    if info is None:
        return
    entries = info if isinstance(info, list) else [info]
    if not all(isinstance(item, dict) for item in entries):
        yield "dataset_info: not a list of mappings"
        return
    names = [str(item.get("config_name", "default")) for item in entries]
    wanted = list(dict.fromkeys(config for config, _, _ in declared))
    if sorted(names) != sorted(wanted):
        yield f"dataset_info: has {', '.join(names)}, but configs has {', '.join(wanted)}"
    for name, item in zip(names, entries, strict=True):
        yield from _check_entry(name, item, [one for one in files if one.config == name])


def _check_entry(name: str, info: Mapping[str, Any], files: Sequence[SplitFile]) -> Iterator[str]:
    where = f"dataset_info of {name}"
    for item in files:
        if info.get("features") != features_of(item.schema):
            yield f"{where}: features are not the columns of {item.path}"
    said = info.get("splits")
    said = [one for one in said if isinstance(one, dict)] if isinstance(said, list) else []
    found = {
        split: [item for item in files if item.split == split]
        for split in dict.fromkeys(item.split for item in files)
    }
    splits = [one.get("name") for one in said]
    if splits != list(found):
        yield f"{where}: has the splits {splits}, but the files are of {list(found)}"
    for one in said:
        own = found.get(str(one.get("name")), [])
        for key, real in (
            ("num_examples", sum(item.rows for item in own)),
            ("num_bytes", sum(item.memory_bytes for item in own)),
        ):
            if one.get(key) != real:
                yield f"{where}: {key} of {one.get('name')} is {one.get(key)}, really {real}"
    for key, real in (
        ("download_size", sum(item.file_bytes for item in files)),
        ("dataset_size", sum(item.memory_bytes for item in files)),
    ):
        if info.get(key) != real:
            yield f"{where}: {key} is {info.get(key)}, really {real}"
