"""What every test shares: the flag for Docker, and Hypothesis without wall-clock limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("jeto", deadline=None, print_blob=True)
settings.load_profile("jeto")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--run-docker",
        action="store_true",
        help="also run tests/docker and tests/benchmarks, which need a Docker engine",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run-docker"):
        return
    here = Path(__file__).parent
    skip = pytest.mark.skip(reason="needs a Docker engine: give --run-docker")
    for item in items:
        if {"docker", "benchmarks"} & set(item.path.relative_to(here).parts):
            item.add_marker(skip)
