"""Where the verdicts of a run come from, gathered once for all its reports."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from jeto_bench import __version__
from jeto_evaluate.calibration import cite
from jeto_evaluate.reports import Dataset, Provenance
from jeto_evaluate.reports.write import read_certificate
from jeto_evaluate.run.cpusets import CpuPlan
from jeto_evaluate.run.host import harness_commit, host_facts
from jeto_evaluate.run.jobs import dataset_hash
from jeto_evaluate.run.request import Request
from jeto_evaluate.run.settings import Deadlines, RunSettings

if TYPE_CHECKING:
    import docker

__all__ = ["LAUNCHER_MODE", "run_policy", "run_provenance"]

LAUNCHER_MODE = "resident-maven"


def run_provenance(
    client: docker.DockerClient, request: Request, settings: RunSettings, plan: CpuPlan
) -> Provenance:
    """Gather what every report of a run says of its origin."""
    host = host_facts(client)
    policy = run_policy(settings, plan)
    versions = sorted({record.dataset_version for record in request.records})
    return Provenance(
        harness_version=__version__,
        harness_commit=harness_commit(),
        dataset=Dataset(
            name=request.dataset_name,
            version=",".join(versions),
            sha256=dataset_hash(request.records),
        ),
        host=host,
        launcher_mode=LAUNCHER_MODE,
        seed=settings.seed,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        policy=policy,
        calibration=cite(read_certificate(request.logs), host, policy),
    )


def run_policy(settings: RunSettings, plan: CpuPlan) -> tuple[str, ...]:
    """Return the flags that change what is allowed or measured, sorted."""
    flags = [
        f"cpus_per_arm={len(plan.sets[0])}",
        f"network={settings.network}",
        f"slots={len(plan.sets)}",
        f"tests={settings.tests}",
    ]
    flags += ["early_stop"] if settings.early_stop else []
    flags += ["reference"] if settings.reference else []
    own = settings.deadlines.own_test
    flags += [f"own_test_timeout={own:g}"] if own != Deadlines().own_test else []
    return tuple(sorted(flags))
