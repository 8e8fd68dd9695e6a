"""Writes a dataset as a folder that the Hub, ``datasets`` and readers of Parquet understand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pyarrow as pa

from jeto_bench._version import __version__
from jeto_bench.card.facts import config_facts, figure_data, repository_rows
from jeto_bench.card.front_matter import SplitFile, front_matter, hub_licences
from jeto_bench.card.render import CardText, render_card
from jeto_bench.encode import records_to_parquet
from jeto_bench.errors import InputError, UsageError
from jeto_bench.files import write_atomically
from jeto_bench.folders import new_folder, write_split
from jeto_bench.index.rows import IndexRow, index_to_parquet
from jeto_bench.lifecycle.in_use import lives_of
from jeto_bench.lifecycle.lives import write_lives
from jeto_bench.lifecycle.status import RowLife
from jeto_bench.load import INDEX, is_hub_id
from jeto_bench.records import EtipRecord, Tier
from jeto_bench.schema import RECORD_SCHEMA
from jeto_bench.versions.manifest import (
    Manifest,
    Parent,
    content_hash,
    describe_file,
    pin_images,
    write_manifest,
)

__all__ = [
    "HUB_ID",
    "TIERS",
    "Exported",
    "dataset_version",
    "export_folder",
    "tier_configs",
]

HUB_ID: Final = "ORG/NAME"
TIERS: Final = ("identified", "executable", "verified", "with_tests")
"""Configs that a file of records is divided into, widest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Exported:
    """What was written.

    Attributes:
        folder: Where.
        files: The data files.
        figures: Names of the figures.
    """

    folder: Path
    files: tuple[SplitFile, ...]
    figures: tuple[str, ...]


def tier_configs(records: Sequence[EtipRecord]) -> dict[str, tuple[EtipRecord, ...]]:
    """Divide records into the configs of the paper's tiers; one without records is left out.

    A verified record is executable too, and an executable one identified. ``with_tests`` has those
    that carry the fix's own tests; in the others ``test_patch`` is empty, as in the paper.
    """
    bare = [replace(item, test_patch="") for item in records]
    made = {
        "identified": tuple(bare),
        "executable": tuple(item for item in bare if item.tier is not Tier.IDENTIFIED),
        "verified": tuple(item for item in bare if item.tier is Tier.VERIFIED),
        "with_tests": tuple(
            item for item in records if item.test_patch and item.tier is not Tier.IDENTIFIED
        ),
    }
    return {name: items for name, items in made.items() if items}


def dataset_version(configs: Mapping[str, Sequence[EtipRecord]]) -> str:
    """Return the version that all records agree on.

    Raises:
        UsageError: They do not.
    """
    versions = sorted({item.dataset_version for items in configs.values() for item in items})
    if len(versions) != 1:
        raise UsageError(
            f"the records are of {len(versions)} versions: {', '.join(versions[:5])}",
            advice="Say which one this is with --version.",
        )
    return versions[0]


def export_folder(
    target: Path,
    configs: Mapping[str, Sequence[EtipRecord]],
    *,
    name: str,
    hub_id: str = HUB_ID,
    index: Sequence[IndexRow] = (),
    lives: Sequence[RowLife] = (),
    parent: Parent | None = None,
    version: str | None = None,
    licences: Sequence[str] | None = None,
) -> Exported:
    """Write a dataset's folder, check it, and put it in its place.

    The folder is written beside its place and renamed only when its card holds, so that ``target``
    is never half a dataset.

    Args:
        target: Folder that is not there yet, or is empty.
        configs: Records by config; the first is the default one.
        name: Shown name of the dataset.
        hub_id: ``owner/name`` that the card's examples load.
        index: Rows of the config ``index``, if it is to have one.
        lives: Validation records; those of other rows are left out, but for retired ones.
        parent: What the dataset was forked from.
        version: Put into every row; without it the rows must agree on one.
        licences: As the Hub spells them; without it the repositories' own.

    Raises:
        InputError: ``target`` holds something, or there is nothing to write.
        UsageError: A library is missing, or the rows are of several versions.
    """
    chosen = {config: tuple(items) for config, items in configs.items() if items}
    if not chosen:
        raise InputError(
            "no records to export",
            advice="Give a file of records, or a folder with data/<config>/test-*.parquet.",
        )
    if not name.isprintable():
        raise UsageError(f"the name {name!r} holds characters that cannot be shown")
    if not is_hub_id(hub_id):
        raise UsageError(
            f"{hub_id!r} is not a dataset's place on the Hub", advice="owner/name, such as me/mine"
        )
    if version is not None:
        chosen = {
            config: tuple(replace(item, dataset_version=version) for item in items)
            for config, items in chosen.items()
        }
    with new_folder(target) as part:
        files = tuple(_write_data(part, chosen, index))
        figures = _write_figures(part, chosen, index)
        found = {item.repo_license for items in chosen.values() for item in items}
        block = front_matter(
            name=name,
            version=dataset_version(chosen),
            licences=tuple(licences or hub_licences(found)),
            files=files,
            default=next(iter(chosen)),
        )
        text = _card_text((name, hub_id), block, chosen, index, figures)
        write_atomically(part / "README.md", render_card(text))
        if own := lives_of(chosen, lives):
            write_lives(part, own)
        manifest = _manifest(part, files, chosen, text, parent)
        write_manifest(part, manifest)
    return Exported(folder=target, files=files, figures=figures)


def _write_data(
    folder: Path, configs: Mapping[str, Sequence[EtipRecord]], index: Sequence[IndexRow]
) -> list[SplitFile]:
    files = [
        write_split(folder, config, records_to_parquet(items)) for config, items in configs.items()
    ]
    if index:
        files.append(write_split(folder, INDEX, index_to_parquet(index)))
    return files


def _manifest(
    folder: Path,
    files: Sequence[SplitFile],
    configs: Mapping[str, Sequence[EtipRecord]],
    text: CardText,
    parent: Parent | None,
) -> Manifest:
    records = [item for items in configs.values() for item in items]
    return Manifest(
        name=text.name if text.hub_id == HUB_ID else text.hub_id,
        version=text.version,
        minimum_harness=__version__,
        created_at=datetime.now(UTC).replace(microsecond=0).isoformat(),
        content_sha256=content_hash(records),
        files=tuple(
            describe_file(folder, item.path, config=item.config, split=item.split, rows=item.rows)
            for item in files
        ),
        images=pin_images(records),
        parent=parent,
    )


def _write_figures(
    folder: Path, configs: Mapping[str, Sequence[EtipRecord]], index: Sequence[IndexRow]
) -> tuple[str, ...]:
    from jeto_bench.card.figures import draw_figures  # noqa: PLC0415  # matplotlib takes a second

    records = [item for items in configs.values() for item in items]
    made = draw_figures(figure_data(records, index))
    for file, data in made.items():
        write_atomically(folder / "figures" / file, data)
    return tuple(made)


def _card_text(
    names: tuple[str, str],
    block: Mapping[str, object],
    configs: Mapping[str, Sequence[EtipRecord]],
    index: Sequence[IndexRow],
    figures: Sequence[str],
) -> CardText:
    return CardText(
        name=names[0],
        hub_id=names[1],
        version=str(block["version"]),
        front_matter=block,
        configs=[config_facts(config, items) for config, items in configs.items()],
        index_rows=len(index),
        index_tiers={
            tier.value: count for tier in Tier if (count := sum(row.tier is tier for row in index))
        },
        repositories=repository_rows(item for items in configs.values() for item in items),
        figures=figures,
        columns=[(item.name, _words(item.type)) for item in RECORD_SCHEMA],
        default=next(iter(configs)),
    )


def _words(kind: pa.DataType) -> str:
    if isinstance(kind, pa.ListType):
        return f"list of {_words(kind.value_type)}"
    if isinstance(kind, pa.StructType):
        return "{" + ", ".join(item.name for item in kind) + "}"
    return str(kind)
