"""Options that several commands have, and what they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

__all__ = ["CaBundle", "Cpus", "Engine", "LogDir", "plain_console"]

Cpus = Annotated[int | None, typer.Option(min=1, help="CPUs per arm.")]
CaBundle = Annotated[
    Path | None, typer.Option("--ca-bundle", help="PEM file to trust while building.")
]
LogDir = Annotated[Path, typer.Option(help="Where build logs go.")]
Engine = Annotated[str | None, typer.Option(help="Docker engine endpoint.")]


def plain_console() -> Console:
    """A console that says lines as they are: no markup, no highlighting, no wrapping."""
    return Console(highlight=False, markup=False, soft_wrap=True)
