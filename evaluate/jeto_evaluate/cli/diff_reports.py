"""``jeto-bench diff-reports``: why two runs do not say the same."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from jeto_bench.errors import DecodeError
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.reports import RunReport
from jeto_evaluate.reports.decode import run_report
from jeto_evaluate.reports.differences import Difference, differences
from jeto_evaluate.reports.phrases import safe_text

__all__ = ["diff_reports"]


def diff_reports(
    first: Annotated[Path, typer.Argument(help="MODEL.RUN.json of one run.")],
    second: Annotated[Path, typer.Argument(help="MODEL.RUN.json of the other.")],
    *,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines instead of a table.")
    ] = False,
) -> None:
    """Name every difference of setting, host and verdict between two runs.

    Ends with 0 if there is none, and with 1 if there are some, as diff does.
    """
    found = differences(_read(first), _read(second))
    if json:
        for item in found:
            typer.echo(json_module.dumps(asdict(item)))
    elif found:
        table_console().print(_table(found, first, second))
    else:
        typer.echo("No difference of setting, host or verdict.")
    if found:
        raise typer.Exit(1)


def _read(path: Path) -> RunReport:
    try:
        return run_report(path.read_bytes(), source=str(path))
    except OSError as error:
        raise DecodeError(
            f"cannot be read: {error.strerror}",
            source=str(path),
            advice="Give the MODEL.RUN.json that eval wrote; --report-dir says where.",
        ) from error


def _table(found: tuple[Difference, ...], first: Path, second: Path) -> Table:
    table = Table()
    for title in ("kind", "instance", "what", str(first), str(second)):
        table.add_column(safe_text(title), overflow="fold")
    for item in found:
        cells = (item.kind, item.where, item.what, item.first, item.second)
        table.add_row(*map(safe_text, cells))
    return table
