"""``jeto-bench eval``: predictions in, a report out."""

from __future__ import annotations

import json as json_module
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.errors import UsageError
from jeto_bench.load import load_records
from jeto_bench.predictions import GOLD, OnDuplicate, gold_predictions, read_predictions
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.cli.options import OwnTestTimeout
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.reports import exit_code
from jeto_evaluate.reports.encode import to_json
from jeto_evaluate.reports.render import render_instance, render_run
from jeto_evaluate.reports.write import run_report_path
from jeto_evaluate.rules import DEFAULT_RULES, RULE_NAMES, parse_rules
from jeto_evaluate.run.cpusets import format_cpuset, plan_cpus
from jeto_evaluate.run.evaluate import evaluate_predictions
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.progress import make_progress
from jeto_evaluate.run.request import Request, chosen_predictions
from jeto_evaluate.run.settings import Deadlines, RunSettings, TestChoice

__all__ = ["eval_command"]

_SIZE = re.compile(r"(\d+)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
_FEW = 4


def eval_command(
    predictions: Annotated[
        str,
        typer.Option(
            "--predictions",
            "--predictions_path",
            "-p",
            help="JSONL, JSON list or JSON map of predictions, or 'gold'.",
        ),
    ],
    run_id: Annotated[str, typer.Option("--run-id", "--run_id", help="Name of the run.")],
    *,
    dataset: Annotated[
        str | None,
        typer.Option(
            "--dataset",
            "--dataset_name",
            "-d",
            help="Parquet or JSONL file, dataset folder or Hub id; default: the embedded one.",
        ),
    ] = None,
    config: Annotated[str, typer.Option(help="Config of the dataset.")] = "mini",
    instance: Annotated[
        list[str] | None,
        typer.Option("--instance", "--instance_ids", "-i", help="Only this one; repeatable."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            "--max_workers",
            "-j",
            min=1,
            help="Instances measured at once, each on CPUs of its own.",
        ),
    ] = 1,
    timeout: Annotated[
        float,
        typer.Option("--timeout", "-t", min=1, help="Seconds that one instance may take."),
    ] = Deadlines().instance,
    run_timeout: Annotated[
        float, typer.Option(min=0, help="Seconds that the run may take; 0 for no limit.")
    ] = 0.0,
    own_test_timeout: OwnTestTimeout = Deadlines().own_test,
    criteria: Annotated[
        str,
        typer.Option("--criteria", "-c", help=f"The rule that decides: {', '.join(RULE_NAMES)}."),
    ] = DEFAULT_RULES.name,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Measured pairs, instead of the criteria's 30.")
    ] = None,
    tests: Annotated[
        TestChoice,
        typer.Option(help="Test classes to measure: all, or only the record's detectors."),
    ] = TestChoice.ALL,
    reference: Annotated[
        bool,
        typer.Option(
            "--reference",
            help="Measure the developers' patch too, for GSO's and SWE-Perf's figures.",
        ),
    ] = False,
    early_stop: Annotated[
        bool,
        typer.Option(
            "--early-stop", help="End the rounds when no continuation can change the verdict."
        ),
    ] = False,
    seed: Annotated[
        int, typer.Option(help="Seed of the order of the arms and of the test classes.")
    ] = 0,
    cpus: Annotated[
        int | None,
        typer.Option(min=1, help="CPUs per arm; default: 2, or 1 if there is one."),
    ] = None,
    memory: Annotated[str, typer.Option(help="Memory limit of an arm, such as 4g.")] = "4g",
    network: Annotated[
        str, typer.Option(help="Docker network of the arms; anything but none is reported.")
    ] = "none",
    on_duplicate: Annotated[
        OnDuplicate, typer.Option(help="Two different predictions for one instance.")
    ] = OnDuplicate.ERROR,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse predictions for unknown instances.")
    ] = False,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite", help="Measure again what this run measured with other settings."
        ),
    ] = False,
    report_dir: Annotated[
        Path, typer.Option("--report-dir", "--report_dir", help="Where MODEL.RUN.json goes.")
    ] = Path(),
    logs: Annotated[Path, typer.Option(help="Directory that holds run_evaluation/.")] = Path(
        "logs"
    ),
    docker_host: Annotated[str | None, typer.Option(help="Docker engine endpoint.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done, and stop.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON instead of tables.")
    ] = False,
) -> None:
    """Evaluate predictions: apply, build, measure in pairs, judge, report."""
    console = table_console(stderr=json)
    rules = parse_rules(criteria)
    if rounds is not None:
        rules = rules.with_rounds(rounds)
    settings = replace(
        RunSettings.under(rules, run_id=run_id),
        tests=tests,
        reference=reference,
        early_stop=early_stop,
        seed=seed,
        cpus=cpus,
        memory_bytes=parse_size(memory),
        network=network,
        deadlines=Deadlines(instance=timeout, run=run_timeout, own_test=own_test_timeout),
    )
    records = load_records(config, path=dataset)
    given = (
        gold_predictions(records)
        if predictions == GOLD
        else read_predictions(Path(predictions), on_duplicate=on_duplicate)
    )
    request = Request(
        records=records,
        dataset_name=dataset or config,
        predictions=given,
        instance_ids=tuple(instance or ()),
        strict=strict,
        overwrite=overwrite,
        logs=logs,
        report_dir=report_dir,
    )
    todo, notes = chosen_predictions(request)
    plan = plan_cpus(usable_cores(), slots=workers, cpus=cpus)
    for note in notes:
        console.print(note, style="yellow", markup=False, highlight=False)
    sets = ", ".join(format_cpuset(item) for item in plan.sets)
    console.print(
        f"{len(todo)} instances, {rules.jeto.warmup_rounds} + {rules.rounds} rounds per arm, "
        f"criteria {rules.name}, CPUs {sets}",
        markup=False,
        highlight=False,
    )
    if dry_run:
        return
    client = connect(resolve_endpoint(docker_host, environ=os.environ, home=Path.home()))
    progress = make_progress(console, instances=len(todo), rounds=rules.rounds)
    run, reports = evaluate_predictions(
        client, request, settings=settings, plan=plan, progress=progress
    )
    if json:
        typer.echo(json_module.dumps(json_module.loads(to_json(run)), indent=2))
    else:
        if len(reports) <= _FEW:
            for item in sorted(reports, key=lambda report: report.instance_id):
                console.print(render_instance(item))
        console.print(render_run(run))
    path = run_report_path(report_dir, run_id=run_id, model=run.model)
    console.print(f"Report: {path}", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(exit_code(run))


def parse_size(text: str) -> int:
    """Return bytes for ``4g``, ``512m`` and the like.

    Raises:
        UsageError: Not a size.
    """
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise UsageError(f"--memory {text!r} is not a size such as 4g or 512m")
    return int(found[1]) << 10 * " kmgt".index(found[2].lower() or " ")
