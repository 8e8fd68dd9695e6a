"""Many repositories: processes on this machine, or workers of a Ray cluster."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from jeto_bench.errors import UsageError
from jeto_mine.identified.work import Done, Task, scan_repository

__all__ = ["scan_here", "scan_on_ray"]


def scan_here(tasks: Sequence[Task], *, jobs: int) -> Iterator[Done]:
    """Scan on this machine, ``jobs`` repositories at a time; results as they come."""
    if jobs == 1 or len(tasks) == 1:
        yield from map(scan_repository, tasks)
        return
    # Fresh processes: a forked one could inherit another thread's locks.
    with ProcessPoolExecutor(max_workers=jobs, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(scan_repository, task) for task in tasks]):
            yield future.result()


def scan_on_ray(tasks: Sequence[Task], *, address: str) -> Iterator[Done]:
    """Scan on a Ray cluster; clones, exports and results must be where every node sees them.

    Args:
        tasks: What to scan.
        address: Of the cluster: ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``; ``local`` starts
            one for the time being.

    Raises:
        UsageError: Ray is not installed, or no cluster answers.
    """
    try:
        ray: Any = importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise UsageError("--ray needs Ray", advice="pip install 'jeto-bench[ray]'") from error
    try:
        ray.init(address=address, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise UsageError(
            f"no Ray cluster answers at {address}: {error}", advice="ray start --head starts one."
        ) from error
    try:
        remote = ray.remote(num_cpus=1)(scan_repository)
        waiting = [remote.remote(task) for task in tasks]
        while waiting:
            (ready, *_), waiting = ray.wait(waiting)
            yield ray.get(ready)
    finally:
        ray.shutdown()
