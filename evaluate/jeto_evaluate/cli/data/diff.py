"""``jeto-bench data diff``: which rows were added, retired, changed between two versions."""

from __future__ import annotations

import json as json_module
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from jeto_bench.dataset import SINGLE, Dataset, open_dataset
from jeto_bench.encode import row_to_dict
from jeto_bench.errors import JetoError
from jeto_bench.load import INDEX
from jeto_bench.publishing.export import tier_configs
from jeto_bench.versions.changelog import add_section
from jeto_bench.versions.difference import (
    DatasetChanges,
    Row,
    RowChange,
    compare_configs,
    compare_lives,
    least_version,
)
from jeto_bench.versions.numbers import SemanticVersion
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.reports.phrases import safe_text

__all__ = ["diff"]

_DIFFERENT = 1


def diff(
    first: Annotated[
        str, typer.Argument(help="Older one: folder, file, or owner/name@REVISION on the Hub.")
    ],
    second: Annotated[str, typer.Argument(help="Newer one, likewise.")],
    *,
    changelog: Annotated[
        Path | None,
        typer.Option(help="Put a section about the newer version on top of this Markdown file."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of a table.")
    ] = False,
) -> None:
    """Name every row that was added, removed, retired or changed, and in which fields.

    The version that each row carries does not count. Ends with 0 if nothing differs, else with 1.
    """
    before, after = open_dataset(first), open_dataset(second)
    changes = DatasetChanges(
        configs=compare_configs(_rows(before, like=after), _rows(after, like=before)),
        lives=compare_lives(before.lives, after.lives),
    )
    if changelog is not None:
        add_section(changelog, changes, version=after.version, before=before.version)
    if json:
        typer.echo(json_module.dumps(row_to_dict(changes)))
    else:
        _show(changes, before, after)
    if not changes.empty:
        raise typer.Exit(code=_DIFFERENT)


def _rows(dataset: Dataset, *, like: Dataset) -> dict[str, Sequence[Row]]:
    """The configs of a dataset; a single file is divided as the other one is."""
    configs = dataset.configs
    if SINGLE in configs and like.configs and SINGLE not in like.configs:
        divided = tier_configs(configs[SINGLE])
        configs = {name: divided.get(name, ()) for name in like.configs}
    rows: dict[str, Sequence[Row]] = dict(configs)
    return rows | ({INDEX: dataset.index} if dataset.index else {})


def _show(changes: DatasetChanges, before: Dataset, after: Dataset) -> None:
    if changes.empty:
        typer.echo("No row differs.")
        return
    table = Table(box=None, pad_edge=False)
    for title in ("config", "row", "change", "what"):
        table.add_column(title, overflow="fold")
    for config in changes.configs:
        for row in config.rows:
            _add(table, config.config, row)
    for row in changes.lives:
        _add(table, "(status)", row)
    table_console().print(table)
    for config in changes.configs:
        counts = Counter(row.change.value for row in config.rows)
        told = ", ".join(f"{count} {change}" for change, count in sorted(counts.items()))
        typer.echo(f"{config.config}: {config.before} -> {config.after} rows; {told or 'the same'}")
    typer.echo(_advice(changes, before.version, after.version))


def _add(table: Table, config: str, row: RowChange) -> None:
    what = row.reason or ", ".join(row.fields)
    table.add_row(*map(safe_text, (config, row.instance_id, row.change.value, what)))


def _advice(changes: DatasetChanges, before: str, after: str) -> str:
    """Whether the newer version's number says what the rows say."""
    try:
        least = least_version(SemanticVersion.parse(before), changes)
        told = SemanticVersion.parse(after)
    except JetoError:
        return f"versions {before or '(none)'} and {after or '(none)'} are not both semantic"
    if told < least:
        return f"{after} says too little: after {before} these changes are {least} or more"
    return f"{before} -> {after} is enough for these changes"
