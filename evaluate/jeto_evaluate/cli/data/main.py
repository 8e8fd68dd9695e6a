"""``jeto-bench data``: the commands together."""

from __future__ import annotations

import typer

from jeto_evaluate.cli.data import bundle
from jeto_evaluate.cli.data.diff import diff
from jeto_evaluate.cli.data.export import export
from jeto_evaluate.cli.data.fork import fork
from jeto_evaluate.cli.data.hydrate import hydrate
from jeto_evaluate.cli.data.index import index
from jeto_evaluate.cli.data.publish import publish
from jeto_evaluate.cli.data.validate import validate

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    help="The dataset: index, hydrate, check, compare, export, publish, fork, bundle.",
)
app.command("index")(index)
app.command("hydrate")(hydrate)
app.command("validate")(validate)
app.command("diff")(diff)
app.command("fork")(fork)
app.command("export")(export)
app.command("publish")(publish)
app.add_typer(bundle.app, name="bundle")
