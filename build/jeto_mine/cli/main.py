"""``jeto-mine``: the commands together."""

from __future__ import annotations

import typer

from jeto_evaluate.cli.main import run_app
from jeto_mine.cli.execute import execute, index, stats
from jeto_mine.cli.filter_eval import filter_eval
from jeto_mine.cli.mini import mini
from jeto_mine.cli.repositories import repositories
from jeto_mine.cli.scan import scan
from jeto_mine.cli.verify import agreement_command, verify
from jeto_mine.cli.verify_by_model import verify_by_model

__all__ = ["app", "main"]

app = typer.Typer(
    name="jeto-mine",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Make datasets of executable Java performance patches.",
)
app.command()(mini)
app.command()(scan)
app.command()(execute)
app.command()(stats)
app.command()(index)
app.command()(verify)
app.command("verify-by-model")(verify_by_model)
app.command("agreement")(agreement_command)
app.command()(repositories)
app.command()(filter_eval)


def main() -> None:
    """Run the command line."""
    run_app(app)
