"""``jeto-bench calibrate``: how small a change can be seen here, and how often one that is none."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from jeto_bench import __version__
from jeto_bench.files import write_atomically
from jeto_bench.load import load_records
from jeto_bench.records import EtipRecord
from jeto_evaluate.calibration import CalibratedInstance, HostCertificate
from jeto_evaluate.cli.choice import chosen_records
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.engine.host import gather_host
from jeto_evaluate.reports.encode import to_json
from jeto_evaluate.reports.phrases import safe_text, short_name
from jeto_evaluate.reports.write import certificate_path
from jeto_evaluate.rules import DEFAULT_RULES
from jeto_evaluate.run.calibrate import calibrate_instance
from jeto_evaluate.run.cpusets import plan_cpus
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.host import harness_commit, host_facts, usable_cores
from jeto_evaluate.run.origin import run_policy
from jeto_evaluate.run.progress import RunProgress, make_progress
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples_io import write_samples

__all__ = ["calibrate"]


def calibrate(
    *,
    dataset: Annotated[
        str | None,
        typer.Option(
            "--dataset",
            "-d",
            help="Parquet or JSONL file, dataset folder or Hub id; default: the embedded one.",
        ),
    ] = None,
    config: Annotated[str, typer.Option(help="Config of the dataset.")] = "mini",
    instance: Annotated[
        list[str] | None, typer.Option("--instance", "-i", help="Only this one; repeatable.")
    ] = None,
    reference: Annotated[
        bool, typer.Option(help="Measure the developers' patch in the same pairs as well.")
    ] = True,
    rounds: Annotated[int, typer.Option(min=6, help="Measured pairs.")] = 30,
    seed: Annotated[int, typer.Option(help="Seed of all orders.")] = 0,
    cpus: Annotated[
        int | None, typer.Option(min=1, help="CPUs per arm; default: as for eval.")
    ] = None,
    logs: Annotated[
        Path, typer.Option(help="Where the certificate goes, and where eval looks for it.")
    ] = Path("logs"),
    docker_host: Annotated[str | None, typer.Option(help="Docker engine endpoint.")] = None,
) -> None:
    """Compare versions with themselves; say what this host can measure, for reports to cite."""
    records = chosen_records(load_records(config, path=dataset), instance)
    rules = DEFAULT_RULES.with_rounds(rounds)
    settings = replace(
        RunSettings.under(rules, run_id="calibrate"), reference=reference, seed=seed, cpus=cpus
    )
    plan = plan_cpus(usable_cores(), slots=1, cpus=cpus)
    client = connect(resolve_endpoint(docker_host, environ=os.environ, home=Path.home()))
    factory = DockerArms(client=client, cpus=plan.sets[0], settings=settings)
    before = gather_host()
    console = table_console()
    progress = make_progress(console, instances=len(records), rounds=rounds)
    found = _compare(records, factory, settings, progress, logs / "calibration")
    certificate = HostCertificate(
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        harness_version=__version__,
        harness_commit=harness_commit(),
        host=host_facts(client),
        governors=before.governors,
        load_before=before.load,
        load_after=gather_host().load,
        policy=run_policy(settings, plan),
        rules=rules,
        instances=found,
    )
    path = certificate_path(logs)
    write_atomically(path, to_json(certificate).encode())
    _show(console, certificate)
    console.print(f"Certificate: {path}", markup=False, soft_wrap=True)


def _compare(
    records: Sequence[EtipRecord],
    factory: DockerArms,
    settings: RunSettings,
    progress: RunProgress,
    folder: Path,
) -> tuple[CalibratedInstance, ...]:
    """Measure record by record; the raw times of each are kept in ``folder``."""
    found: list[CalibratedInstance] = []
    with progress:
        for record in records:
            name = record.instance_id
            done, samples = calibrate_instance(
                record, factory=factory, settings=settings, progress=partial(progress.step, name)
            )
            write_samples(folder / f"{name}.parquet", samples)
            progress.done(name, "an alarm" if done.robust_alarm else "no alarm")
            found.append(done)
    return tuple(found)


def _show(console: Console, certificate: HostCertificate) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("instance", overflow="fold")
    table.add_column("test class", overflow="fold")
    for name in ("ms", "noise", "can see", "robust", "paper"):
        table.add_column(name, justify="right", no_wrap=True)
    for item in certificate.instances:
        for entry in item.classes:
            least = entry.smallest_detectable
            table.add_row(
                safe_text(item.instance_id),
                safe_text(short_name(entry.test_class)),
                f"{entry.median_ms:.0f}",
                "-" if entry.noise is None else f"{100 * entry.noise:.1f} %",
                "-" if least is None else f"{100 * least:.1f} %",
                "alarm" if entry.robust_alarm else "",
                "alarm" if entry.jeto_alarm else "",
            )
    console.print(table)
    for item in certificate.instances:
        if item.reference is not None:
            faster = ", ".join(map(short_name, item.reference.improved)) or "in no class"
            console.print(safe_text(f"{item.instance_id}: the reference is faster: {faster}"))
    total = len(certificate.instances)
    robust = sum(item.robust_alarm for item in certificate.instances)
    paper = sum(item.jeto_alarm for item in certificate.instances)
    console.print(
        f"False alarms: robust {robust} of {total} comparisons, the paper's rule {paper}.",
        markup=False,
    )
