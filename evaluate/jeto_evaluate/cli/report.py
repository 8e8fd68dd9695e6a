"""``jeto-bench report``: judge a run again under any criteria and show it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.errors import InputError, UsageError
from jeto_bench.files import write_atomically
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.rejudge import rejudge_run
from jeto_evaluate.reports import exit_code
from jeto_evaluate.reports.encode import to_json
from jeto_evaluate.reports.render import render_instance, render_run
from jeto_evaluate.reports.write import models_of_run, run_report_path, runs_of
from jeto_evaluate.rules import DEFAULT_RULES, RULE_NAMES, parse_rules

__all__ = ["report"]


def report(
    run_id: Annotated[str, typer.Argument(help="Name of the run, as given to eval.")],
    *,
    criteria: Annotated[
        str,
        typer.Option(
            "--criteria",
            "-c",
            help=f"One of {', '.join(RULE_NAMES)}; settings may follow: jeto,alpha=0.05.",
        ),
    ] = DEFAULT_RULES.name,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="Needed if the run has several.")
    ] = None,
    logs: Annotated[
        Path, typer.Option("--logs", help="Directory that holds run_evaluation/.")
    ] = Path("logs"),
    report_dir: Annotated[
        Path, typer.Option("--report-dir", help="Where MODEL.RUN.CRITERIA.json goes.")
    ] = Path(),
    instance: Annotated[
        list[str] | None,
        typer.Option("--instance", "-i", help="Show every class of this instance; repeatable."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON instead of tables.")
    ] = False,
) -> None:
    """Judge a finished run again from its samples, without Docker, under any criteria."""
    rules = parse_rules(criteria)
    of_model = model or _only_model(logs, run_id)
    run, instances = rejudge_run(logs, run_id=run_id, model=of_model, rules=rules)
    views = {item.instance_id: item for item in instances}
    if unknown := [name for name in instance or () if name not in views]:
        raise UsageError(f"run {run_id} has no instance {', '.join(unknown)}")
    text = to_json(run)
    path = run_report_path(report_dir, run_id=run_id, model=run.model, criteria_name=rules.name)
    write_atomically(path, text.encode())
    if json:
        typer.echo(text, nl=False)
    else:
        console = table_console()
        console.print(render_run(run))
        for wanted in instance or ():
            console.print()
            console.print(render_instance(views[wanted]))
        console.print(f"\nWritten to {path}", markup=False, soft_wrap=True)
    if status := exit_code(run):
        raise typer.Exit(status)


def _only_model(logs: Path, run_id: str) -> str:
    models = models_of_run(logs, run_id)
    if not models:
        raise InputError(
            f"no run {run_id!r} in {logs / 'run_evaluation'}",
            advice=f"Runs here: {', '.join(runs)}."
            if (runs := runs_of(logs))
            else "Give the directory that holds run_evaluation/ with --logs.",
        )
    if len(models) > 1:
        raise UsageError(
            f"run {run_id} has {len(models)} models",
            advice=f"Choose one with --model: {', '.join(models)}.",
        )
    return models[0]
