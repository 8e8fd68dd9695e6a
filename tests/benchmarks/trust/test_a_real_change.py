"""A class whose work is really made larger, evaluated as a submitted patch would be.

``JETO_TRUST_REPEATS`` evaluations for each size (5); how often the class is found, and what else is
named, is printed (``pytest -s``), with how far the class's time really grew: it is less than the
work, since loading and compiling do not grow. Of ``Letters`` that is little; ``Words`` spends about
a third of its time so, and a launch decides how much.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import docker
import pytest
from scipy.stats import binom  # type: ignore[import-untyped]  # scipy ships no types

import jeto_bench
from jeto_bench.records import EtipRecord, Tier, Verification
from jeto_evaluate import evaluate
from jeto_evaluate.images.instance import build_from_tree
from jeto_evaluate.images.layer import BuildOptions
from jeto_evaluate.images.sources import from_folder
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.statistics import ROBUST

REPEATS = int(os.environ.get("JETO_TRUST_REPEATS", "5"))
TOY = Path(__file__).parent / "toy"
ROUNDS = {"Words": 20000, "Letters": 1000000}
LARGE = 10


def patch(name: str, percent: int) -> str:
    path = f"src/main/java/toy/{name}.java"
    lines = (TOY / path).read_text().splitlines()
    rounds = str(ROUNDS[name])
    at = next(number for number, line in enumerate(lines) if f"ROUNDS = {rounds};" in line)
    before, old, after = lines[at - 1 : at + 2]
    larger = str(ROUNDS[name] * (100 + percent) // 100)
    return (
        f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -{at},3 +{at},3 @@\n"
        f" {before}\n-{old}\n+{old.replace(rounds, larger)}\n {after}\n"
    )


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> EtipRecord:
    tests = sorted((TOY / "src/test/java/toy").glob("*.java"))
    made = replace(
        jeto_bench.load("mini")[0],
        instance_id="toy__work-1",
        repo="toy/work",
        patch=patch("Words", -50),
        changed_files=("src/main/java/toy/Words.java",),
        modules=(".",),
        java_version=17,
        maven_version="3.9.9",
        image="jeto-bench-test/work:0",
        test_classes=tuple(f"toy.{file.stem}" for file in tests),
        detector_tests=(),
        quarantined_tests=(),
        tier=Tier.EXECUTABLE,
        verification=Verification(),
    )
    client = docker.from_env(timeout=600)
    logs = tmp_path_factory.mktemp("logs")
    options = BuildOptions(generate_wrapper=True)
    build_from_tree(client, made, from_folder(TOY), options=options, log_dir=logs)
    return made


@pytest.mark.parametrize(
    ("name", "percent"),
    [("", 0), *((name, percent) for name in ROUNDS for percent in (5, LARGE))],
)
def test_more_work_is_found(record: EtipRecord, name: str, percent: int) -> None:
    changed = f"toy.{name}Test"
    found, growth = [], []
    for number in range(REPEATS):
        settings = RunSettings(run_id=f"more-work-{name}-{percent}", seed=number)
        text = patch(name, percent) if percent else _unused()
        report = evaluate(record, text, settings=settings)
        assert report.robust is not None, report.detail
        named = [*report.robust.improved, *report.robust.regressed]
        found.append((report.outcome, changed in report.robust.regressed, named))
        growth += [
            f"{1 / item.speedup:.3f} (noise {item.noise:.3f})"
            for item in report.robust.screen.classes
            if item.test_class == changed and item.noise is not None
        ]
    hits = sum(hit for _, hit, _ in found)
    others = sum(any(other != changed for other in named) for _, _, named in found)
    print(  # noqa: T201  # a benchmark's result
        f"\n{name or 'nothing'}, {percent} % more work: found in {hits} of {REPEATS} evaluations,"
        f" another class named in {others}; {[outcome.value for outcome, _, _ in found]};"
        f" time of the class in the module: {', '.join(growth)}"
    )
    if percent == 0:
        alarms = sum(bool(named) for _, _, named in found)
        assert binom.sf(alarms - 1, REPEATS, float(ROBUST.alpha)) > 0.001
    if percent == LARGE:
        assert hits


def _unused() -> str:
    path = "src/main/java/toy/Unused.java"
    return (
        f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
        "@@ -0,0 +1,3 @@\n+package toy;\n+\n+final class Unused {}\n"
    )
