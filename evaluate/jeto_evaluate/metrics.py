"""From samples to the measurements that the robust rule compares. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jeto_evaluate.pairing import ClassPair, paired_apart, paired_classes
from jeto_evaluate.samples import Arm, ClassTime, Samples
from jeto_evaluate.statistics.paired_metric import (
    AgentCost,
    ClassCost,
    Metric,
    PairedMetric,
    choose_metric,
    paired_metric,
)

__all__ = ["allocation", "chosen_metrics", "measured_apart"]


def chosen_metrics(
    samples: Samples, *, rounds: int, other: Arm = Arm.CANDIDATE
) -> Mapping[str, PairedMetric]:
    """Return every class's measurements under the metric that suits it.

    CPU time does not see a class that waits, so a class that waits in base *or* in the other arm
    is judged by wall time less run-queue delay: else a patch that sleeps instead of computing
    would look faster. The choice is the same if the arms are swapped, so it favours neither.
    Where the agent is missing in any round of either arm, Surefire's times are judged.

    Args:
        samples: Every round.
        rounds: Number of pairs that must be there.
        other: The arm to pair with base.

    Raises:
        SamplesError: Samples that must not be paired.
    """
    paired = paired_classes(samples, rounds=rounds, other=other)
    return {name: _measured(pairs) for name, pairs in paired.items()}


def allocation(
    samples: Samples, *, rounds: int, other: Arm = Arm.CANDIDATE
) -> Mapping[str, PairedMetric]:
    """Return the bytes that the classes allocate, of those where the agent saw every round.

    Args and errors as for ``chosen_metrics``.
    """
    found: dict[str, PairedMetric] = {}
    for name, pairs in paired_classes(samples, rounds=rounds, other=other).items():
        base, changed = _costs(pairs)
        if all(cost.agent is not None for cost in (*base, *changed)):
            found[name] = paired_metric(base, changed, metric=Metric.ALLOCATED)
    return found


def measured_apart(samples: Samples, *, other: Arm = Arm.CANDIDATE) -> Mapping[str, PairedMetric]:
    """Return the measurements of classes that were measured apart; see ``paired_apart``."""
    return {name: _measured(pairs) for name, pairs in paired_apart(samples, other=other).items()}


def _measured(pairs: Sequence[ClassPair]) -> PairedMetric:
    base, changed = _costs(pairs)
    chosen = {choose_metric(base), choose_metric(changed)}
    metric = next(
        item
        for item in (Metric.SUREFIRE_WALL, Metric.WALL_LESS_WAIT, Metric.JAVA_CPU)
        if item in chosen
    )
    return paired_metric(base, changed, metric=metric)


def _costs(pairs: Sequence[ClassPair]) -> tuple[list[ClassCost], list[ClassCost]]:
    return [_cost(base) for base, _ in pairs], [_cost(changed) for _, changed in pairs]


def _cost(entry: ClassTime) -> ClassCost:
    agent = entry.agent
    if agent is None:
        return ClassCost(surefire_ms=entry.milliseconds)
    figures = (agent.thread_cpu_ns, agent.java_cpu_ns, agent.wait_ns, agent.java_alloc)
    thread_cpu, java_cpu, wait, allocated = figures
    if thread_cpu is None or java_cpu is None or wait is None or allocated is None:
        return ClassCost(surefire_ms=entry.milliseconds)
    return ClassCost(
        surefire_ms=entry.milliseconds,
        agent=AgentCost(
            wall_ns=agent.wall_ns,
            thread_cpu_ns=thread_cpu,
            java_cpu_ns=java_cpu,
            wait_ns=wait,
            allocated_bytes=allocated,
        ),
    )
