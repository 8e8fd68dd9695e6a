"""The harness from Python: one record, one patch, one report."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from jeto_bench.predictions import GOLD
from jeto_bench.predictions.entry import make_prediction
from jeto_bench.predictions.model import PredictionSet
from jeto_bench.records import EtipRecord
from jeto_evaluate.criteria import Criteria
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.reports import InstanceReport
from jeto_evaluate.rules import Decider, parse_rules
from jeto_evaluate.run.cpusets import plan_cpus
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.instance import run_instance
from jeto_evaluate.run.origin import run_provenance
from jeto_evaluate.run.request import Request
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.statistics.robust_criteria import ROBUST

__all__ = ["evaluate"]


def evaluate(
    record: EtipRecord,
    patch: str | None = None,
    *,
    criteria: str | Criteria = ROBUST.name,
    model: str = "",
    settings: RunSettings | None = None,
    docker_host: str | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> InstanceReport:
    """Evaluate one patch in containers of this machine; nothing is written to disk.

    Args:
        record: The ETIP, for example one of ``jeto_bench.load()``.
        patch: A unified diff against the base commit; ``None`` for the developers' own.
        criteria: The rule that decides: its name and settings as the command line takes them
            (``"robust"``, ``"jeto,alpha=0.05"``), or the paper's rule with its number of rounds.
        model: Name for the report.
        settings: Limits, seed and criteria; with it ``criteria`` is not read.
        docker_host: Engine endpoint; found as the command line finds it if not given.
        progress: Called with the name of every step.

    Raises:
        EngineError: No engine answers.
        UsageError: No such criteria, or the machine has fewer CPUs than the settings ask for.
    """
    text = record.patch if patch is None else patch
    name = model or (GOLD if patch is None else "python")
    prediction = make_prediction(instance_id=record.instance_id, model=name, patch=text, line=None)
    chosen = settings or _settings(criteria)
    plan = plan_cpus(usable_cores(), slots=1, cpus=chosen.cpus)
    client = connect(resolve_endpoint(docker_host, environ=os.environ, home=Path.home()))
    request = Request(
        records=(record,),
        dataset_name=record.instance_id,
        predictions=PredictionSet(source=name, model=name, predictions=(prediction,)),
    )
    return run_instance(
        record,
        prediction,
        factory=DockerArms(client=client, cpus=plan.sets[0], settings=chosen),
        settings=chosen,
        provenance=run_provenance(client, request, chosen, plan),
        progress=progress,
    ).report


def _settings(criteria: str | Criteria) -> RunSettings:
    run_id = f"python-{os.getpid()}"
    if isinstance(criteria, Criteria):
        return RunSettings(run_id=run_id, criteria=criteria, decides=Decider.JETO)
    return RunSettings.under(parse_rules(criteria), run_id=run_id)
