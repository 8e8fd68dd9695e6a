"""``jeto-bench data export``: a dataset's folder, ready to be loaded or published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.errors import InputError, UsageError
from jeto_bench.index.rows import IndexRow, decode_index
from jeto_bench.lifecycle.in_use import in_use
from jeto_bench.lifecycle.lives import read_lives
from jeto_bench.load import INDEX, available_configs, load, load_records
from jeto_bench.publishing.export import HUB_ID, TIERS, Exported, export_folder, tier_configs
from jeto_bench.publishing.swebench import export_swebench
from jeto_bench.records import EtipRecord

__all__ = ["Format", "export"]


class Format(StrEnum):
    """Whose rows are written."""

    JETO = "jeto"
    SWEBENCH = "swebench"


def export(
    folder: Annotated[Path, typer.Argument(help="Folder to write; must not hold anything yet.")],
    *,
    dataset: Annotated[
        str | None,
        typer.Option(
            "--dataset", "-d", help="File, folder or Hub id; default: the embedded records."
        ),
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option(
            "--config",
            help="Config to write; repeatable, the first is the default one. Without it all of a "
            "folder; of a file those of identified, executable, verified, with_tests that it has.",
        ),
    ] = None,
    index: Annotated[
        Path | None,
        typer.Option("--index", help="Parquet file of an index, written as the config 'index'."),
    ] = None,
    name: Annotated[str, typer.Option(help="Shown name of the dataset.")] = "JETO-Bench",
    hub_id: Annotated[
        str, typer.Option("--hub-id", help="owner/name on the Hub, for the card's examples.")
    ] = HUB_ID,
    version: Annotated[
        str | None,
        typer.Option(help="Version put into every row; default: the one the rows agree on."),
    ] = None,
    licence: Annotated[
        list[str] | None,
        typer.Option(
            "--licence", help="As the Hub spells it; repeatable; default: the repositories'."
        ),
    ] = None,
    of: Annotated[
        Format,
        typer.Option("--format", help="jeto: all columns and a full card; swebench: for agents."),
    ] = Format.JETO,
    registry: Annotated[
        str,
        typer.Option(help="With swebench: HOST:PORT or HOST:PORT/PREFIX before image names."),
    ] = "",
    keep_retired: Annotated[
        bool, typer.Option("--keep-retired", help="Write rows that validation.jsonl retires too.")
    ] = False,
) -> None:
    """Write a dataset as a Hugging Face folder: Parquet, card with statistics and figures.

    Rows that were retired are left out, except of identified; validation.jsonl still says why.
    """
    configs = chosen_configs(dataset, config)
    rows = read_index(index, dataset)
    lives = read_lives(Path(dataset)) if dataset is not None else ()
    if not keep_retired:
        left, configs = configs, in_use(configs, lives)
        for config_name, records in configs.items():
            if gone := len(left[config_name]) - len(records):
                typer.echo(f"{config_name}: {gone} retired rows are left out")
    if of is Format.SWEBENCH:
        records, config_name = _one_config(configs, version)
        _tell(
            export_swebench(
                folder,
                records,
                config=config_name,
                name=name,
                registry=registry,
                licences=licence,
            )
        )
        return
    if registry:
        raise UsageError("--registry belongs to --format swebench")
    done = export_folder(
        folder,
        configs,
        name=name,
        hub_id=hub_id,
        index=rows,
        lives=lives,
        version=version,
        licences=licence,
    )
    _tell(done)


def _one_config(
    configs: Mapping[str, Sequence[EtipRecord]], version: str | None
) -> tuple[tuple[EtipRecord, ...], str]:
    """The narrowest config of several, since tools of SWE-bench do not ask for one."""
    order = {name: -n for n, name in enumerate(TIERS[:3])}
    config = min(configs, key=lambda name: order.get(name, 1))
    records = configs[config]
    if version is not None:
        records = [replace(item, dataset_version=version) for item in records]
    return tuple(records), config


def chosen_configs(
    dataset: str | None, wanted: Sequence[str] | None
) -> dict[str, tuple[EtipRecord, ...]]:
    """Return the records of each config that is to be written.

    Raises:
        InputError: A config is not there.
    """
    place = Path(dataset) if dataset is not None else None
    if place is None or place.is_dir():
        names = wanted or [name for name in available_configs(place) if name != INDEX]
        return {name: load_records(name, place) for name in names}
    if not place.is_file():
        # On the Hub nothing says which configs there are before one is asked for.
        return {name: load_records(name, dataset) for name in wanted or ("verified",)}
    records = load_records(path=place)
    divided = tier_configs(records)
    if not wanted:
        return divided
    missing = [name for name in wanted if name in TIERS and name not in divided]
    if missing:
        raise InputError(
            f"{place} has no records for the config {', '.join(missing)}",
            advice=f"It has some for {', '.join(divided)}.",
        )
    return {name: divided.get(name, records) for name in wanted}


def read_index(index: Path | None, dataset: str | None) -> tuple[IndexRow, ...]:
    """Return the rows of the index that is named, else of the dataset's own folder, else none."""
    if index is None:
        place = Path(dataset) if dataset is not None else None
        has_own = (place is None or place.is_dir()) and INDEX in available_configs(place)
        return load(INDEX, place) if has_own else ()
    try:
        return decode_index(index.read_bytes(), source=str(index))
    except OSError as error:
        raise InputError(f"cannot read {index}: {error.strerror or error}") from error


def _tell(done: Exported) -> None:
    for item in done.files:
        typer.echo(f"{item.config}/{item.split}: {item.rows} rows, {item.file_bytes:,} bytes")
    typer.echo(f"{len(done.figures)} figures")
    typer.echo(f"Written to {done.folder}; the card was checked against the files.")
