"""``jeto-bench doctor``: what this machine lacks, and what to do about it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from jeto_bench.errors import EngineError
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.doctor import Check, Status, check_engine
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.engine.gather import gather_engine
from jeto_evaluate.engine.host import check_host, gather_host

__all__ = ["doctor"]

_COLOURS = {Status.OK: "green", Status.WARN: "yellow", Status.FAIL: "red"}
_CONNECT_TIMEOUT_S = 30


def doctor(
    docker_host: Annotated[
        str | None, typer.Option("--docker-host", help="Endpoint of the Docker engine.")
    ] = None,
) -> None:
    """Check engine, machine and images; exit status 3 if a run cannot work."""
    checks = (*_engine_checks(docker_host), *check_host(gather_host()))
    _show(checks)
    if any(check.status is Status.FAIL for check in checks):
        raise typer.Exit(EngineError.exit_code)


def _engine_checks(docker_host: str | None) -> tuple[Check, ...]:
    try:
        endpoint = resolve_endpoint(docker_host, environ=os.environ, home=Path.home())
        client = connect(endpoint, timeout=_CONNECT_TIMEOUT_S)
        facts = gather_engine(client)
    except EngineError as error:
        return (
            Check(name="endpoint", status=Status.FAIL, found=error.message, advice=error.advice),
        )
    found = f"{endpoint.url} ({endpoint.source})"
    return (Check(name="endpoint", status=Status.OK, found=found), *check_engine(facts))


def _show(checks: tuple[Check, ...]) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    for check in checks:
        colour = _COLOURS[check.status]
        text = escape(check.found) + (f"\n[dim]{escape(check.advice)}[/]" if check.advice else "")
        table.add_row(f"[{colour}]{check.status}[/]", check.name, text)
    Console(highlight=False).print(table)
