"""Whole evaluation of one mini prediction against the plain procedure, in one run on one machine.

The plain procedure is the paper's: in one container, every round of either version is a whole
``./mvnw test``. Nothing about time is asserted; the figures are printed (``pytest -s``).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import docker
import pytest

import jeto_bench
from jeto_bench.records import EtipRecord
from jeto_evaluate.criteria import JETO
from jeto_evaluate.engine.container import ContainerSettings
from jeto_evaluate.images.verify import ensure_image
from jeto_evaluate.judging import judge, outcome_of
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.cpusets import format_cpuset, plan_cpus
from jeto_evaluate.run.docker_arms import DockerArms
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.instance import run_instance
from jeto_evaluate.run.origin import run_provenance
from jeto_evaluate.run.request import Request
from jeto_evaluate.run.schedule import pair_order
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm, RoundResult, Samples
from jeto_evaluate.sandbox.docker import DockerSandbox
from jeto_evaluate.surefire import class_times, read_round

ROUNDS = int(os.environ.get("JETO_BENCH_ROUNDS", "30"))
INSTANCE = os.environ.get("JETO_BENCH_INSTANCE", "jeto-bench__textmill-61")
CRITERIA = replace(JETO, rounds=ROUNDS)
PLACES = {Arm.BASE: "/jeto/repo", Arm.CANDIDATE: "/jeto/candidate"}


@pytest.fixture(scope="module")
def client() -> docker.DockerClient:
    return docker.from_env(timeout=600)


@pytest.fixture(scope="module")
def record() -> EtipRecord:
    return next(item for item in jeto_bench.load("mini") if item.instance_id == INSTANCE)


def plain_command(record: EtipRecord) -> list[str]:
    """Return the paper's command line for one round (its published harness, July 2026)."""
    modules = [] if record.modules == (".",) else ["-pl", ",".join(record.modules), "-am"]
    return ["./mvnw", *modules, "test", "-Dsurefire.runOrder=alphabetical", "-DfailIfNoTests=false"]


def plain(client: docker.DockerClient, record: EtipRecord) -> tuple[Samples, float]:
    """Run the plain procedure and return its samples and seconds."""
    started = time.monotonic()
    settings = ContainerSettings(
        image=ensure_image(client, record).image_id,
        cpuset=format_cpuset(plan_cpus(usable_cores(), slots=1, cpus=None).sets[0]),
        memory_bytes=RunSettings(run_id="plain").memory_bytes,
        run_id="plain",
    )
    done: list[RoundResult] = []
    with DockerSandbox(client, settings) as sandbox:
        sandbox.put("/jeto/reference.patch", record.patch.encode())
        for command in (
            f"cp -a {PLACES[Arm.BASE]} {PLACES[Arm.CANDIDATE]}",
            f"cd {PLACES[Arm.CANDIDATE]} && git apply /jeto/reference.patch",
        ):
            assert sandbox.exec(["sh", "-c", command], deadline=60).ok
        order = [(Arm.BASE, Arm.CANDIDATE), *pair_order(ROUNDS, seed=1)]
        for number, pair in enumerate(order):
            for position, arm in enumerate(pair):
                ended = sandbox.exec(plain_command(record), deadline=600, cwd=PLACES[arm])
                assert ended.ok, ended.output[-2000:]
                files = {
                    f"{module}/{path}": data
                    for module in record.modules
                    for path, data in sandbox.get(
                        f"{PLACES[arm]}/{module}/target/surefire-reports"
                    ).items()
                    if path.startswith("TEST-")
                }
                done.append(
                    RoundResult(
                        arm=arm,
                        round=number,
                        position=position,
                        started_at=time.time(),
                        wall_ms=round(ended.seconds * 1000),
                        classes=class_times(read_round(files)),
                    )
                )
    samples = Samples(instance_id=record.instance_id, order_seed=1, rounds=tuple(done))
    return samples, time.monotonic() - started


def share(samples: Samples) -> float:
    """Return the median share of a round's wall time that its test classes account for."""
    return median(
        sum(item.milliseconds for item in one.classes) / one.wall_ms
        for one in samples.rounds
        if one.round > 0
    )


def test_whole_evaluation_against_the_plain_procedure(
    client: docker.DockerClient, record: EtipRecord
) -> None:
    plan = plan_cpus(usable_cores(), slots=1, cpus=None)
    settings = RunSettings(run_id="benchmark", criteria=CRITERIA, decides=Decider.JETO)
    gold = jeto_bench.predictions.gold_predictions([record])
    request = Request(records=(record,), dataset_name="mini", predictions=gold)
    started = time.monotonic()
    ours = run_instance(
        record,
        gold.predictions[0],
        factory=DockerArms(client=client, cpus=plan.sets[0], settings=settings),
        settings=settings,
        provenance=run_provenance(client, request, settings, plan),
    )
    seconds = time.monotonic() - started
    assert ours.samples is not None, ours.report
    plain_samples, plain_seconds = plain(client, record)
    plain_outcome, _ = outcome_of(judge(plain_samples, CRITERIA))
    print(  # noqa: T201  # a benchmark's result
        f"\n{record.instance_id}, {ROUNDS} + 1 rounds per arm: evaluation {seconds:.1f} s, "
        f"plain procedure {plain_seconds:.1f} s, ratio {plain_seconds / seconds:.2f}"
        f"\nshare of the tests' own time in a round: {share(ours.samples):.2f}, "
        f"plain {share(plain_samples):.2f}"
        f"\nphases: {[(item.phase, item.seconds) for item in ours.report.phases]}"
    )
    assert ours.report.outcome is plain_outcome


def test_peak_memory_of_the_harness_with_two_slots(tmp_path: Path) -> None:
    if sum(len(core) for core in usable_cores()) < 2:
        pytest.skip("two slots need two CPUs")
    script = (
        "import sys, resource\n"
        "from jeto_evaluate.cli.main import app\n"
        "try:\n    app(sys.argv[1:])\nexcept SystemExit as end:\n    assert end.code == 0, end\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)\n"
    )
    names = [item.instance_id for item in jeto_bench.load("mini")[:2]]
    argv = ["eval", "-p", "gold", "--run-id", "memory", "-j", "2", "--cpus", "1", "--rounds", "4"]
    ended = subprocess.run(
        [sys.executable, "-c", script, *argv, "-i", names[0], "-i", names[1]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    peak = int(ended.stdout.split()[-1])
    print(f"\npeak memory of the harness with 2 slots: {peak} MiB")  # noqa: T201
