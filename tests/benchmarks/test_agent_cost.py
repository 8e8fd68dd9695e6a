"""What the agent in the test JVM costs: container CPU time of rounds with it and without it.

Nothing about time is asserted; the figures are printed (``pytest -s``). Rounds alternate, so that
drift of the machine falls on both. ``JETO_TRUST_RECORDS`` names a JSONL file of other records than
the mini split's, whose images are there.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import docker
import numpy as np
import pytest

import jeto_bench
from jeto_bench.decode import decode_jsonl
from jeto_bench.records import EtipRecord
from jeto_evaluate.engine.container import ContainerSettings
from jeto_evaluate.images.verify import ensure_image
from jeto_evaluate.run.cpusets import format_cpuset, plan_cpus
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.maven_arm import MavenArm
from jeto_evaluate.sandbox.docker import DockerSandbox

ROUNDS = int(os.environ.get("JETO_BENCH_ROUNDS", "20"))
FILE = os.environ.get("JETO_TRUST_RECORDS", "")
RECORDS = decode_jsonl(Path(FILE).read_bytes()) if FILE else jeto_bench.load("mini")
WRAPPER = "/opt/jeto/jdk/bin/java"
LOADS_IT = "unshift @ARGV"


@pytest.mark.parametrize("record", RECORDS, ids=[item.instance_id for item in RECORDS])
def test_share_of_the_agent_in_a_rounds_processor_time(record: EtipRecord) -> None:
    client = docker.from_env(timeout=600)
    settings = ContainerSettings(
        image=ensure_image(client, record).image_id,
        cpuset=format_cpuset(plan_cpus(usable_cores(), slots=1, cpus=None).sets[0]),
        memory_bytes=4 * 1024**3,
        run_id="benchmark-agent",
    )
    with ExitStack() as stack:
        arms = {}
        for name in ("with", "without"):
            sandbox = stack.enter_context(DockerSandbox(client, settings))
            if name == "without":
                wrapper = sandbox.get(WRAPPER)["java"].decode()
                assert wrapper.count(LOADS_IT) == 1
                sandbox.put(
                    WRAPPER, wrapper.replace(LOADS_IT, f"# {LOADS_IT}").encode(), mode=0o755
                )
            arms[name] = MavenArm(sandbox, record)
            assert arms[name].build(deadline=300).ok
        spent: dict[str, list[int]] = {name: [] for name in arms}
        for number in range(ROUNDS + 1):
            for name in (*arms,) if number % 2 else (*reversed(arms),):
                output = arms[name].round(record.test_classes, deadline=120)
                assert output.exit_code == 0
                lines = [data for path, data in output.files.items() if "agent-" in path and data]
                assert bool(lines) == (name == "with")
                if number:
                    assert output.cpu_ms is not None
                    spent[name].append(output.cpu_ms)
    own, plain = (median(spent[name]) for name in ("with", "without"))
    shares = [a / b - 1 for a, b in zip(spent["with"], spent["without"], strict=True)]
    drawn = np.median(np.random.default_rng(1).choice(shares, (2000, len(shares))), axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    print(  # noqa: T201  # a benchmark's result
        f"\n{record.instance_id}: {plain:.0f} ms of CPU a round, {own:.0f} ms with the agent;"
        f" median over pairs {median(shares):+.1%}, 95 % interval {low:+.1%} to {high:+.1%}"
    )
