"""``jeto-mine execute``, ``stats``, ``index``: executable records, and what came of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.errors import UsageError
from jeto_bench.index.files import read_index, write_index
from jeto_bench.index.merge import merge_rows
from jeto_bench.load import load
from jeto_evaluate.cli.choice import chosen_records
from jeto_evaluate.cli.console import table_console
from jeto_evaluate.cli.options import OwnTestTimeout
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.container import sweep
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.images.mirror import RepositoryMirror
from jeto_evaluate.run.cpusets import plan_cpus
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.settings import Deadlines
from jeto_mine.cli.options import CaBundle, Cpus, Engine, LogDir, plain_console
from jeto_mine.executable.clones import ORIGIN
from jeto_mine.executable.results import Folder
from jeto_mine.executable.session import Choices, open_batch
from jeto_mine.executable.tables import medians, result_table, yield_table
from jeto_mine.index import index_rows

__all__ = ["execute", "index", "stats"]


def execute(
    records: Annotated[Path, typer.Argument(help="JSONL or Parquet file of identified records.")],
    *,
    clones: Annotated[Path, typer.Option(help="Folder with clones of the repositories.")],
    output: Annotated[Path, typer.Option(help="Folder for results and executable records.")],
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on in a folder that has results already.")
    ] = False,
    only: Annotated[
        list[str] | None, typer.Option("--instance", "-i", help="Only this one; repeatable.")
    ] = None,
    without_wrapper: Annotated[
        bool, typer.Option("--without-wrapper", help="Take projects without a Maven wrapper too.")
    ] = False,
    also_upstream: Annotated[
        bool,
        typer.Option(
            "--also-upstream", help="Run and judge the tests of modules that changed ones need too."
        ),
    ] = False,
    rounds: Annotated[int, typer.Option(min=6, help="Measured pairs.")] = 30,
    own_test_timeout: OwnTestTimeout = Deadlines().own_test,
    workers: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Records at a time, each on CPUs of its own.")
    ] = 1,
    cpus: Cpus = None,
    clone_from: Annotated[
        str,
        typer.Option("--clone-from", help="URL of repositories without a clone; '' to make none."),
    ] = ORIGIN,
    push: Annotated[
        str, typer.Option("--push", help="HOST:PORT or HOST:PORT/PREFIX to push images to.")
    ] = "",
    mirror: Annotated[
        str,
        typer.Option(
            "--mirror",
            envvar="JETO_MIRROR",
            help="URL asked for all artifacts and for Maven, USER:PASSWORD@ included.",
        ),
    ] = "",
    disk_budget: Annotated[
        float | None,
        typer.Option(
            "--disk-budget", min=1, help="GB that instance images may add; pushed ones are removed."
        ),
    ] = None,
    ca_bundle: CaBundle = None,
    log_dir: LogDir = Path("logs/images"),
    docker_host: Engine = None,
) -> None:
    """Make identified records executable: image, tests, detectors, or the one reason why not."""
    chosen = chosen_records(load("identified", path=str(records)), only)
    folder = Folder(output)
    if folder.results() and not resume:
        raise UsageError(
            f"{output} has results already", advice="Go on with --resume, or name a new folder."
        )
    plan = plan_cpus(usable_cores(), slots=workers, cpus=cpus)
    choices = Choices(
        source=str(records),
        clones=clones,
        rounds=rounds,
        own_test_timeout=own_test_timeout,
        without_wrapper=without_wrapper,
        also_upstream=also_upstream,
        origin=clone_from,
        registry=push,
        disk_budget=None if disk_budget is None else int(disk_budget * 1e9),
        ca_bundle=ca_bundle,
        mirror=RepositoryMirror.parse(mirror) if mirror else None,
        logs=log_dir,
    )
    console = plain_console()
    client = connect(resolve_endpoint(docker_host, environ=os.environ, home=Path.home()))
    sweep(client)
    batch = open_batch(client, chosen, folder, choices, plan=plan, say=console.print)
    results = batch.run(chosen)
    console.print(yield_table(results))


def stats(
    output: Annotated[Path, typer.Argument(help="Folder that `execute` wrote.")],
) -> None:
    """Show what became of the records of a folder, and why."""
    results = Folder(output).results()
    if not results:
        raise UsageError(f"{output} has no results", advice="Run jeto-mine execute first.")
    console = table_console()
    console.print(result_table(results))
    console.print(yield_table(results))
    console.print(medians(results))


def index(
    output: Annotated[Path, typer.Argument(help="Folder that `execute` wrote.")],
    records: Annotated[Path, typer.Argument(help="File of the records that it was given.")],
    *,
    to: Annotated[Path, typer.Option(help="Parquet file of the index; rows are added.")],
) -> None:
    """Add what `execute` found to an index: facts only, no code and no log."""
    results = Folder(output).results()
    rows = index_rows(results, load("identified", path=str(records)))
    merged = merge_rows(read_index(to), rows)
    write_index(to, merged)
    typer.echo(f"{len(rows)} of {len(results)} results; {to} has {len(merged)} rows now")
