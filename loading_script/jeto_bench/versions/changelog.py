"""The CHANGELOG of a dataset, beside its data: a line per row that is not as it was (row 105)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from jeto_bench.errors import UsageError
from jeto_bench.files import write_atomically
from jeto_bench.versions.difference import Change, DatasetChanges, RowChange

__all__ = ["add_section", "section"]

_TITLE: Final = "# Changelog of the data\n"


def section(changes: DatasetChanges, *, version: str, before: str) -> str:
    """Return what changed as a section of Markdown."""
    lines = [f"## {version} (after {before})" if before else f"## {version}"]
    for config in changes.configs:
        if config.rows:
            lines += ["", f"### {config.config}: {config.before} -> {config.after} rows", ""]
            lines += _by_kind(config.rows)
    if changes.lives:
        lines += ["", "### Status of rows", ""]
        lines += [f"- {row.instance_id}: {_told(row)}" for row in changes.lives]
    if changes.empty:
        lines += ["", "No row differs."]
    return "\n".join(lines) + "\n"


def add_section(file: Path, changes: DatasetChanges, *, version: str, before: str) -> None:
    """Put the section of a version on top of a changelog, which is made if it is not there.

    Raises:
        UsageError: The version is not told, or has a section already.
    """
    if not version:
        raise UsageError("--changelog: the newer dataset does not say its version")
    known = file.read_text("utf-8") if file.exists() else _TITLE
    if any(line.split()[1:2] == [version] for line in known.splitlines() if line[:3] == "## "):
        raise UsageError(f"{file} has a section about {version} already")
    title, _, rest = known.partition("\n")
    text = f"{title}\n\n{section(changes, version=version, before=before)}\n{rest.lstrip()}"
    write_atomically(file, (text.rstrip("\n") + "\n").encode())


def _by_kind(rows: Iterable[RowChange]) -> list[str]:
    ordered = list(rows)
    return [
        f"- {row.instance_id}: {_told(row)}"
        for kind in Change
        for row in ordered
        if row.change is kind
    ]


def _told(row: RowChange) -> str:
    more = row.reason or ", ".join(row.fields)
    return row.change.value + (f" ({more})" if more else "")
