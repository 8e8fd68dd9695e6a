"""``jeto-mine mini``: rebuild the embedded split."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from jeto_bench.errors import UsageError
from jeto_bench.load import embedded_root
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.images.base import ProviderName
from jeto_evaluate.run.cpusets import plan_cpus
from jeto_evaluate.run.host import usable_cores
from jeto_mine.cli.options import CaBundle, Cpus, Engine, LogDir, plain_console
from jeto_mine.mini.rebuild import PARQUET_NAME, Rebuild
from jeto_mine.mini.sources import read_source, read_sources, sources_root

__all__ = ["mini"]


def mini(
    *,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Only this project; repeatable.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Where Parquet and predictions go; default: data/mini.")
    ] = None,
    cpus: Cpus = None,
    provider: Annotated[
        ProviderName, typer.Option(help="Where base images come from.")
    ] = ProviderName.AUTO,
    ca_bundle: CaBundle = None,
    log_dir: LogDir = Path("logs/images"),
    docker_host: Engine = None,
) -> None:
    """Rebuild the mini split: history, records, images, measured detectors, Parquet."""
    root = sources_root()
    wrong = sorted({slug for slug in only or () if not (root / slug).is_dir()})
    if wrong:
        raise UsageError(f"no such mini project: {', '.join(wrong)}")
    chosen = tuple(read_source(root / slug) for slug in only) if only else read_sources(root)
    if only and output is None:
        raise UsageError(
            "--only would leave the other projects out of data/mini", advice="Give --output."
        )
    checkout = embedded_root() / "data"
    if output is None and not checkout.is_dir():
        raise UsageError("not a checkout: say where the Parquet file goes", advice="Give --output.")
    target = output or checkout / "mini"
    console = plain_console()
    rebuild = Rebuild(
        client=connect(resolve_endpoint(docker_host, environ=os.environ, home=Path.home())),
        plan=plan_cpus(usable_cores(), slots=1, cpus=cpus),
        logs=log_dir,
        provider=provider,
        ca_bundle=ca_bundle,
        say=console.print,
    )
    records = rebuild.run(chosen, target)
    console.print(f"{len(records)} records in {target / PARQUET_NAME}")
