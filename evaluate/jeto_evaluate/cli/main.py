"""``jeto-bench``: the commands together, and the one place where errors become exit codes."""

from __future__ import annotations

import errno
import sys
from typing import Annotated, Final

import typer

from jeto_bench import __version__
from jeto_bench.errors import InfrastructureError, InputError, Interrupted, JetoError
from jeto_evaluate.cli import images
from jeto_evaluate.cli.calibrate import calibrate
from jeto_evaluate.cli.check_predictions import check_predictions
from jeto_evaluate.cli.data.main import app as data_app
from jeto_evaluate.cli.diff_reports import diff_reports
from jeto_evaluate.cli.doctor import doctor
from jeto_evaluate.cli.eval import eval_command
from jeto_evaluate.cli.report import report
from jeto_evaluate.reports.phrases import clean

__all__ = ["app", "main", "run_app"]

_MACHINE: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)
"""Errors of the machine, not of the path that was given."""

app = typer.Typer(
    name="jeto-bench",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Say which patch makes a Java program faster.",
    epilog="Exit codes: 0 graded, 2 bad input, 3 infrastructure, 4 graded in part, "
    "130 interrupted.",
)
app.command("eval")(eval_command)
app.command("report")(report)
app.command("check-predictions")(check_predictions)
app.command("calibrate")(calibrate)
app.command("diff-reports")(diff_reports)
app.command("doctor")(doctor)
app.add_typer(images.app, name="images")
app.add_typer(data_app, name="data")


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line and exit with the code that ``jeto_bench.errors`` gives."""
    run_app(app)


def run_app(chosen: typer.Typer) -> None:
    """Run a command line; print errors as text, without a traceback.

    Messages quote files from outside, so nothing in them may drive the terminal.
    """
    try:
        chosen()
    except JetoError as error:
        _end(str(error), error.exit_code)
    except OSError as error:
        _end(*_of_system(error))
    except KeyboardInterrupt:
        sys.exit(Interrupted.exit_code)


def _of_system(error: OSError) -> tuple[str, int]:
    """What is said of a file that cannot be read or written, and the exit code."""
    named = error.filename2 or error.filename  # of a renaming, the place and not the temporary file
    place = f"{named}: " if named else ""
    said = f"{place}{error.strerror or error}"
    if error.errno in _MACHINE or not place:
        return f"{said}\n  The machine is at fault: space, memory, limits?", (
            InfrastructureError.exit_code
        )
    return f"{said}\n  Name another place, or make it readable and writable.", InputError.exit_code


def _end(message: str, code: int) -> None:
    sys.stderr.write(f"error: {clean(message)}\n")
    sys.exit(code)
