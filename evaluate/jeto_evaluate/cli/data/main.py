"""``jeto-bench data``: the commands together."""

from __future__ import annotations

import typer

from jeto_evaluate.cli.data.export import export
from jeto_evaluate.cli.data.publish import publish

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    help="The dataset: index, hydrate, check, compare, fork, bundle, export, publish.",
)
app.command("export")(export)
app.command("publish")(publish)
