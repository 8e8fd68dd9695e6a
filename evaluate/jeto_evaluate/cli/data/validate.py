"""``jeto-bench data validate``: whether a dataset is what it claims to be."""

from __future__ import annotations

import json as json_module
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import docker
import typer
from rich.table import Table

from jeto_bench.checks.across import check_copies, check_ids, check_lives
from jeto_bench.checks.clones import check_base
from jeto_bench.checks.facts import check_facts
from jeto_bench.checks.finding import Check, Finding, Severity, error
from jeto_bench.checks.rows import check_row
from jeto_bench.checks.versions import check_version
from jeto_bench.dataset import Dataset, open_dataset
from jeto_bench.encode import row_to_dict
from jeto_bench.errors import DecodeError, ImageError, UsageError
from jeto_bench.lifecycle.lives import LIVES_FILE, add_validations, write_lives
from jeto_bench.lifecycle.status import RowLife, Validation
from jeto_bench.records import EtipRecord, Tier
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.container import ContainerSettings
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.images.leaks import history_leak
from jeto_evaluate.images.verify import ensure_image
from jeto_evaluate.reports.decode import instance_report
from jeto_evaluate.reports.phrases import safe_text
from jeto_evaluate.sandbox.docker import DockerSandbox
from jeto_evaluate.validation import validation_of

__all__ = ["validate"]

_WRONG = 2
_MEMORY = 1024**3


def validate(
    dataset: Annotated[
        str, typer.Argument(help="Folder, Parquet or JSONL file, or owner/name on the Hub.")
    ],
    *,
    clones: Annotated[
        Path | None,
        typer.Option(help="Folder with clones: see that patches apply and are the developers'."),
    ] = None,
    images: Annotated[
        bool, typer.Option("--images", help="See that images are here, right, and without the fix.")
    ] = False,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            "--run",
            help="Log folder of a run of the developers' patches (logs/run_evaluation/RUN/gold):"
            " its verdicts become validations of the rows; repeatable.",
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write the validations into the dataset's folder.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines instead of a table.")
    ] = False,
    docker_host: Annotated[str | None, typer.Option(help="Docker engine endpoint.")] = None,
) -> None:
    """Check schema, ids, copies, hashes, patches, and on demand bases, images and effects.

    Ends with 0 if nothing is wrong (warnings allowed), else with 2.
    """
    if clones is not None and not clones.is_dir():
        raise UsageError(
            f"--clones: there is no folder {clones}", advice="Give the folder that holds clones."
        )
    root = Path(dataset)
    problems: list[DecodeError] = []
    found = open_dataset(dataset, problems=problems)
    lives = add_validations(found.lives, _validations(run or []))
    if write:
        if not root.is_dir():
            raise UsageError(f"--write: {dataset} is no folder")
        write_lives(root, lives)
    findings = [error(Check.SCHEMA, problem.source, problem.message) for problem in problems]
    if not problems and not found.index and not any(found.configs.values()):
        findings.append(error(Check.SCHEMA, dataset, "holds no row: nothing could be checked"))
    findings += _findings(root, found, lives)
    if clones is not None:
        findings += [
            item for config, record in _each(found) for item in check_base(config, record, clones)
        ]
    if images:
        findings += _check_images(found, docker_host)
    _show(findings, found, as_json=json)
    severe = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    if any(item.severity in severe for item in findings):
        raise typer.Exit(code=_WRONG)


def _findings(root: Path, found: Dataset, lives: tuple[RowLife, ...]) -> Iterator[Finding]:
    if root.is_dir():
        yield from check_version(root, found)
    yield from check_ids(found.configs)
    yield from check_copies(found.configs)
    for config, record in _each(found):
        yield from check_row(config, record)
    yield from check_facts(found.index)
    yield from check_lives(found.configs, lives)


def _each(found: Dataset) -> Iterator[tuple[str, EtipRecord]]:
    for config, records in found.configs.items():
        for record in records:
            yield config, record


def _validations(runs: list[Path]) -> dict[str, list[Validation]]:
    found: dict[str, list[Validation]] = {}
    for folder in runs:
        files = sorted(folder.glob("*/report.json"))
        if not files:
            raise UsageError(
                f"--run: {folder} has no INSTANCE/report.json",
                advice="Give logs/run_evaluation/RUN/gold of `jeto-bench eval -p gold`.",
            )
        for file in files:
            report = instance_report(file.read_bytes(), source=str(file))
            found.setdefault(report.instance_id, []).append(validation_of(report))
    return found


def _check_images(found: Dataset, docker_host: str | None) -> Iterator[Finding]:
    """Each image once, however many configs name it."""
    client = connect(resolve_endpoint(docker_host, environ=os.environ, home=Path.home()))
    seen: set[str] = set()
    for config, record in _each(found):
        if record.tier is Tier.IDENTIFIED or record.instance_id in seen:
            continue
        seen.add(record.instance_id)
        problem = _image_problem(client, record)
        if problem:
            yield error(Check.IMAGE, f"{config}/{record.instance_id}", problem)


def _image_problem(client: docker.DockerClient, record: EtipRecord) -> str:
    try:
        facts = ensure_image(client, record)
    except ImageError as problem:
        return problem.message
    settings = ContainerSettings(
        image=facts.image_id, cpuset="0", memory_bytes=_MEMORY, lifetime=600, run_id="validate"
    )
    with DockerSandbox(client, settings) as sandbox:
        leak = history_leak(sandbox, record)
    return f"{facts.name} tells the fix: {leak}" if leak else ""


def _show(findings: list[Finding], found: Dataset, *, as_json: bool) -> None:
    if as_json:
        for item in findings:
            typer.echo(json_module.dumps(row_to_dict(item)))
        return
    if findings:
        table = Table(box=None, pad_edge=False)
        for title in ("severity", "check", "where", "what"):
            table.add_column(title, overflow="fold")
        for item in findings:
            table.add_row(*map(safe_text, (item.severity, item.check, item.where, item.message)))
        table_console().print(table)
    counts = Counter(item.severity for item in findings)
    rows = ", ".join(f"{config} {len(records)}" for config, records in found.configs.items())
    typer.echo(
        f"{found.name} {found.version or '(no version)'}: {rows or 'no records'}"
        + (f", index {len(found.index)}" if found.index else "")
        + f"; {counts[Severity.ERROR]} errors, {counts[Severity.WARNING]} warnings"
        + (f"; {LIVES_FILE}: {len(found.lives)} rows" if found.lives else "")
    )
