"""What ``jeto-mine execute`` leaves: the same results however often it was killed, and recipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import docker
import pytest
from toy_projects import build_supplies, git, java_test, make_toy, project

from jeto_bench.decode import decode_jsonl
from jeto_bench.encode import records_to_jsonl
from jeto_bench.records import Tier
from jeto_evaluate.engine.container import sweep
from jeto_evaluate.images.layout import image_name
from jeto_evaluate.images.proof import Limits, prove
from jeto_mine.executable.execute import Executed
from jeto_mine.executable.results import EtipResult, Folder

WORKED: Final = "assert Sum.of(20000) != 1;"
KILLED_AT: Final = (
    "image with JDK",
    "test classes to measure",
    "round 3 of candidate",
)


def test_the_recipe_beside_a_record_makes_an_image_that_proves_itself(
    client: docker.DockerClient, mine: Callable[..., Executed], tmp_path: Path
) -> None:
    """By hand, from the folder and a clone, with no command of ours."""
    toy = make_toy(tmp_path, "recipe", project("SumTest"))
    done = mine(toy)
    context = tmp_path / "context"
    for name, data in done.recipe.items():
        (context / name).parent.mkdir(parents=True, exist_ok=True)
        (context / name).write_bytes(data)
    for name in ("ca.pem", "trust.jks"):
        (context / "mnt" / name).write_bytes(build_supplies()[name])
    source = str(context / "mnt/source.tar")
    git(toy.clone, "archive", "-o", source, toy.record.base_commit)
    tag = "jeto-bench-test/by-hand:0"
    subprocess.run(
        ["docker", "build", "-q", "--network", "host", "-t", tag, str(context)],
        check=True,
        capture_output=True,
        env={**os.environ, "DOCKER_BUILDKIT": "0"},
    )
    try:
        prove(
            client,
            done.record,
            tag,
            maven_command=done.facts.maven_command,
            limits=Limits(),
            log_path=tmp_path / "proof.log",
        )
    finally:
        client.images.remove(tag, force=True)


def command(records: Path, clones: Path, output: Path) -> list[str]:
    program = [sys.executable, "-m", "jeto_mine", "execute", str(records)]
    places = ["--clones", str(clones), "--output", str(output), "--log-dir", str(output / "logs")]
    return [*program, *places, "--without-wrapper", "--rounds", "6", "--clone-from", "", "--resume"]


def kill_at(argv: list[str], words: str) -> None:
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if words in line:
                time.sleep(1)  # in the middle of it
                running.send_signal(signal.SIGKILL)
                break
        else:
            pytest.fail(f"it never said {words!r}")


def lasting(result: EtipResult) -> EtipResult:
    """A result without what differs from run to run."""
    result = replace(result, seconds=0, round_seconds=0, log="", image_bytes=0, added_bytes=0)
    return replace(result, measured_at="", machine="", overall_speedup=0)


def test_killed_at_any_step_it_goes_on_to_the_results_of_an_undisturbed_run(
    client: docker.DockerClient, tmp_path: Path
) -> None:
    clones = tmp_path / "clones"
    files = project("OtherTest", **{"src/test/java/toy/SumTest.java": java_test("SumTest", WORKED)})
    toys = [
        make_toy(clones, "first", project("SumTest", **{"pom.xml": "<project>"})),
        make_toy(clones, "second", files),
    ]
    records = tmp_path / "identified.jsonl"
    records.write_bytes(records_to_jsonl([toy.record for toy in toys]))
    try:
        killed = command(records, clones, tmp_path / "killed")
        for words in KILLED_AT:
            kill_at(killed, words)
        # The last time it was measuring: the image need not be made again.
        kill_at(killed, "image of an interrupted run")
        results = {}
        for name in ("killed", "undisturbed"):
            output = tmp_path / name
            subprocess.run(command(records, clones, output), check=True, capture_output=True)
            results[name] = [lasting(item) for item in Folder(output).results()]
            (made,) = decode_jsonl((output / "executable.jsonl").read_bytes())
            assert {item.test_class for item in made.detector_tests} == {"toy.SumTest"}
            assert made.tier is Tier.EXECUTABLE
        assert results["killed"] == results["undisturbed"]
        assert [item.outcome for item in results["killed"]] == ["broken_pom", "executable"]
    finally:
        for image in client.images.list(image_name(toys[1].record)):
            client.images.remove(str(image.id), force=True)
        sweep(client)
