"""Real engine, real Maven: a client, and the images of the mini split built when needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import docker
import pytest
from toy_projects import Quick, Toy

import jeto_bench
from jeto_bench.records import EtipRecord
from jeto_evaluate.engine.client import connect
from jeto_evaluate.engine.endpoint import resolve_endpoint
from jeto_evaluate.images.instance import BuildOptions, build_from_tree
from jeto_evaluate.images.layout import image_name
from jeto_evaluate.images.origin import find_origin
from jeto_evaluate.run.cpusets import plan_cpus
from jeto_evaluate.run.fake import FAKE_PROVENANCE
from jeto_evaluate.run.host import usable_cores
from jeto_evaluate.run.settings import RunSettings
from jeto_mine.executable.execute import Executed, Execution


@pytest.fixture(scope="session")
def client() -> Iterator[docker.DockerClient]:
    made = connect(resolve_endpoint(None, environ=os.environ, home=Path.home()))
    yield made
    made.close()


@pytest.fixture(scope="session")
def mini_record(
    client: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], EtipRecord]:
    """Return a mini record by its project's name, its image present."""
    records = {item.repo.partition("/")[2]: item for item in jeto_bench.load("mini")}
    logs = tmp_path_factory.mktemp("images")

    def get(slug: str) -> EtipRecord:
        record = records[slug]
        origin = find_origin(record, None)
        options = BuildOptions(generate_wrapper=origin.ours)
        build_from_tree(client, record, origin.tree, options=options, log_dir=logs)
        return record

    return get


@pytest.fixture
def mine(client: docker.DockerClient, tmp_path: Path) -> Callable[..., Executed]:
    """Make a project executable up to its measurement, and remove its image."""

    def run(toy: Toy, *, without_wrapper: bool = True) -> Executed:
        bench = Quick(
            client=client,
            clones=toy.clone.parent,
            cpus=plan_cpus(usable_cores(), slots=1, cpus=None).sets[0],
            settings=RunSettings(run_id="test-mining"),
            provenance=FAKE_PROVENANCE,
            logs=tmp_path / "logs",
            origin="",
        )
        try:
            return Execution(workbench=bench, without_wrapper=without_wrapper).run(toy.record)
        finally:
            for image in client.images.list(image_name(toy.record)):
                client.images.remove(str(image.id), force=True)

    return run
