"""A dataset of one's own from rows of another, which says where it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jeto_bench.card.render import cell
from jeto_bench.dataset import SINGLE, Dataset
from jeto_bench.errors import UsageError
from jeto_bench.files import write_atomically
from jeto_bench.filters import filtered, parse_filter
from jeto_bench.load import is_hub_id
from jeto_bench.publishing.export import HUB_ID, Exported, export_folder, tier_configs
from jeto_bench.records import EtipRecord
from jeto_bench.versions.manifest import Parent, content_hash
from jeto_bench.versions.numbers import SemanticVersion

__all__ = ["fork_dataset"]


def fork_dataset(
    source: Dataset, target: Path, *, filters: Sequence[str], name: str, version: str
) -> Exported:
    """Write a self-standing dataset of the rows that satisfy every filter.

    Images stay those of the parent: rows name and pin them as before.

    Args:
        source: What is forked.
        target: Folder that is not there yet, or is empty.
        filters: Expressions as in ``filters``.
        name: Name of the new dataset; as ``owner/name`` it is also its place on the Hub.
        version: Its semantic version.

    Raises:
        UsageError: An expression or the version makes no sense, or no record is left.
        InputError: ``target`` holds something.
    """
    SemanticVersion.parse(version)
    parsed = [parse_filter(text, EtipRecord) for text in filters]
    configs = source.configs
    if set(configs) == {SINGLE}:
        configs = tier_configs(configs[SINGLE])
    kept = {config: filtered(items, parsed) for config, items in configs.items()}
    records = [record for items in kept.values() for record in items]
    if not records:
        raise UsageError(
            f"no record of {source.name} satisfies {' and '.join(filters) or 'nothing at all'}",
            advice="Loosen --filter. A fork of facts alone needs records: hydrate the index first.",
        )
    ids = {record.instance_id for record in records}
    fixes = {(record.repo, record.fix_commits[-1]) for record in records}
    parent = Parent(
        name=source.name,
        version=source.version,
        source=source.place,
        content_sha256=content_hash(source.records()),
        filters=tuple(filters),
    )
    done = export_folder(
        target,
        kept,
        name=name,
        hub_id=name if is_hub_id(name) else HUB_ID,
        index=[row for row in source.index if (row.repo, row.fix_commits[-1]) in fixes],
        version=version,
        parent=parent,
        lives=[life for life in source.lives if life.instance_id in ids],
    )
    _tell_parent(target, parent, version, kept=len(ids), of=_count(source))
    return done


def _count(source: Dataset) -> int:
    return len({record.instance_id for record in source.records()})


def _tell_parent(target: Path, parent: Parent, version: str, *, kept: int, of: int) -> None:
    """Say in card and changelog, in words, what ``version.json`` says."""
    told = ", with ".join(
        [f"{kept} of {of} instances of {cell(parent.name)} {parent.version}".rstrip()]
        + [" and ".join(f"`{text}`" for text in parent.filters)] * bool(parent.filters)
    )
    card = target / "README.md"
    text = card.read_text("utf-8").rstrip("\n")
    section = f"\n\n## Where it comes from\n\nA fork: {told}.\n"
    write_atomically(card, (text + section).encode())
    changelog = f"# Changelog of the data\n\n## {version}\n\nA fork: {told}.\n"
    write_atomically(target / "CHANGELOG.md", changelog.encode())
