"""A run of made-up times, judged and rendered, against stored text and schema.

``JETO_REWRITE_GOLDEN=1 pytest tests/golden/test_reports_golden.py`` rewrites the stored files;
look at the difference before committing it.
"""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from pathlib import Path
from random import Random

import jsonschema
import pytest
from rich.console import Console, RenderableType

import jeto_evaluate.reports
from jeto_evaluate.agent_lines import Jvm
from jeto_evaluate.criteria import JETO
from jeto_evaluate.reasons import Reason, reason_table
from jeto_evaluate.reports import (
    Dataset,
    Host,
    InstanceReport,
    PatchFacts,
    PhaseTime,
    Provenance,
    RunReport,
    Setting,
    build_run_report,
)
from jeto_evaluate.reports.encode import encode, to_json
from jeto_evaluate.reports.json_schema import instance_schema, run_schema
from jeto_evaluate.reports.render import render_instance, render_run
from jeto_evaluate.robust_judging import Detector
from jeto_evaluate.rules import Rules
from jeto_evaluate.samples import AgentTimes, Arm, ClassTime, RoundResult, Samples
from jeto_evaluate.statistics.robust_class import Side
from jeto_evaluate.verdict import judge_report

DETECTORS = (Detector(test_class="acme.TextTest", side=Side.IMPROVED),)
STORED = Path(__file__).parent / "reports"
SCHEMAS = Path(jeto_evaluate.reports.__file__).parent / "schema"
PROVENANCE = Provenance(
    harness_version="0.1.0",
    harness_commit="0123456789abcdef0123456789abcdef01234567",
    dataset=Dataset(name="mini", version="0.1.0", sha256="ab" * 32),
    host=Host(
        cpu_model="Example CPU @ 3.00GHz",
        cores=2,
        memory_bytes=8 * 1024**3,
        kernel="6.1.0",
        engine_version="Docker 27.0",
    ),
    launcher_mode="launcher",
    seed=7,
    started_at="2026-01-02T03:04:05Z",
    policy=("network=none",),
)
SETTING = Setting(
    image="jeto-bench/acme__text-1:0.1.0",
    image_id="sha256:" + "cd" * 32,
    image_digest="",
    jdk="17.0.12",
    maven="3.9.9",
    surefire="3.2.5",
    cpuset="0-1",
    memory_bytes=2 * 1024**3,
)


def agent(order: int, milliseconds: int, random: Random) -> AgentTimes:
    return AgentTimes(
        order=order,
        wall_ns=milliseconds * 1_000_000 + 300_000,
        thread_cpu_ns=milliseconds * 960_000,
        java_cpu_ns=milliseconds * 970_000,
        wait_ns=200_000,
        jit_cpu_ns=40_000_000,
        gc_cpu_ns=1_000_000,
        vm_cpu_ns=2_000_000,
        thread_alloc=random.randrange(4_000_000, 4_004_000),
        java_alloc=random.randrange(5_000_000, 5_004_000),
        loaded=120,
    )


def samples(instance_id: str, speedups: dict[str, float], *, seed: int) -> Samples:
    """30 pairs of classes of 400 ms with 3 % noise; the candidate's are faster by ``speedups``."""
    random = Random(seed)  # noqa: S311  # noise, not secrets
    rounds: list[RoundResult] = []
    for number in range(1, 31):
        arms = [Arm.BASE, Arm.CANDIDATE] if number % 2 else [Arm.CANDIDATE, Arm.BASE]
        for position, arm in enumerate(arms):
            times = {
                name: round(random.gauss(400, 12) / (factor if arm is Arm.CANDIDATE else 1))
                for name, factor in speedups.items()
            }
            rounds.append(
                RoundResult(
                    arm=arm,
                    round=number,
                    position=position,
                    started_at=1_700_000_000.0 + len(rounds),
                    wall_ms=sum(times.values()) + 900,
                    cpu_ms=sum(times.values()) + 700,
                    classes=tuple(
                        ClassTime(
                            test_class=name,
                            milliseconds=time,
                            suite_ms=time,
                            cases_ms=time,
                            cases=3,
                            agent=agent(order, time, random),
                        )
                        for order, (name, time) in enumerate(sorted(times.items()))
                    ),
                )
            )
    return Samples(instance_id=instance_id, order_seed=seed, rounds=tuple(rounds))


def untimed(instance_id: str, reason: Reason, detail: str = "") -> InstanceReport:
    return InstanceReport(
        instance_id=instance_id,
        model="acme/model [v1]",
        outcome=reason.outcome,
        reason=reason,
        detail=detail,
        log_path=f"run_evaluation/demo/acme__model [v1]/{instance_id}/run_instance.log",
        criteria=JETO,
        patch=PatchFacts(),
        arm=Arm.CANDIDATE,
        rounds_done=0,
        order_seed=0,
        classes=(),
        overall=None,
        phases=(),
        provenance=PROVENANCE,
        setting=None,
    )


def timed(instance_id: str, speedups: dict[str, float], *, seed: int) -> InstanceReport:
    plain = replace(
        untimed(instance_id, Reason.NO_SIGNIFICANT_CLASS),
        rounds_done=30,
        order_seed=seed,
        setting=SETTING,
        jvms=(
            Jvm(
                java="17.0.12",
                processors=2,
                max_heap_bytes=1 << 30,
                collectors=("Copy", "MarkSweepCompact"),
            ),
        ),
        phases=(
            PhaseTime(phase="apply", seconds=0.4),
            PhaseTime(phase="build", seconds=6.25),
            PhaseTime(phase="rounds", seconds=91.5),
        ),
        patch=PatchFacts(
            normalized=("final_newline",),
            raw_sha256="12" * 32,
            patch_sha256="34" * 32,
            strategy="strict",
            changed=("src/main/java/acme/Text.java",),
            ignored_test_edits=("src/test/java/acme/TextTest.java",),
        ),
    )
    screen = samples(instance_id, speedups, seed=seed)
    fresh = samples(instance_id, speedups, seed=seed + 100)
    return judge_report(plain, screen, fresh, Rules(), detectors=DETECTORS)


def instances() -> tuple[InstanceReport, ...]:
    return (
        timed("acme__text-1", {"acme.TextTest": 1.4, "acme.io.ReaderTest": 1.0}, seed=1),
        timed("acme__text-2", {"acme.TextTest": 1.4, "acme.io.ReaderTest": 0.7}, seed=2),
        timed("acme__text-3", {"acme.TextTest": 1.0, "acme.io.ReaderTest": 0.8}, seed=3),
        timed("acme__text-4", {"acme.TextTest": 1.0, "acme.io.ReaderTest": 1.0}, seed=4),
        untimed("acme__text-5", Reason.PATCH_EMPTY),
        untimed("acme__text-6", Reason.PATCH_MISSING),
        untimed("acme__text-7", Reason.COMPILE_FAILED, "Text.java:[3,1] ';' expected"),
        untimed("acme__text-8", Reason.BASE_FAILED, "[TextTest] \x1b[31mfailed"),
        untimed("acme__text-9", Reason.PATCH_EMPTY),
    )


def run() -> RunReport:
    return build_run_report(
        instances(),
        run_id="demo",
        model="acme/model [v1]",
        criteria=JETO,
        dataset_ids=[f"acme__text-{number}" for number in range(1, 13)],
    )


def shown(renderable: RenderableType) -> str:
    console = Console(file=io.StringIO(), width=120, color_system=None, highlight=False)
    with console.capture() as capture:
        console.print(renderable)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


def assert_stored(path: Path, text: str) -> None:
    if os.environ.get("JETO_REWRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path} differs; see this file's docstring"


def test_the_summary_of_a_run() -> None:
    assert_stored(STORED / "run.txt", shown(render_run(run())))


def test_the_view_of_one_instance() -> None:
    assert_stored(STORED / "instance.txt", shown(render_instance(instances()[1])))


def test_the_json_of_a_run() -> None:
    assert_stored(STORED / "run.json", to_json(run()))


def test_the_json_of_one_instance() -> None:
    assert_stored(STORED / "instance.json", to_json(instances()[1]))


@pytest.mark.parametrize(
    ("name", "schema"), [("instance", instance_schema()), ("run", run_schema())]
)
def test_the_shipped_schema_is_that_of_the_dataclasses(name: str, schema: object) -> None:
    """field.md row 23: JSON Schema shipped."""
    assert_stored(SCHEMAS / f"{name}.schema.json", json.dumps(schema, indent=2) + "\n")


def test_the_shipped_table_of_reasons_is_that_of_the_enum() -> None:
    """field.md row 23: a documented table generated from the enum."""
    assert_stored(SCHEMAS / "reasons.md", reason_table())


@pytest.mark.parametrize("name", ["instance", "run"])
def test_reports_follow_the_shipped_schema(name: str) -> None:
    """field.md row 23: JSON Schema shipped, and what is written follows it."""
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    reports = [run()] if name == "run" else instances()
    for report in reports:
        validator.validate(json.loads(to_json(report)))
        broken = encode(report)
        assert isinstance(broken, dict)
        assert not validator.is_valid({**broken, "surprise": 1})
