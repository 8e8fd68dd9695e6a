"""The second stage: the classes in question once more, each alone in its JVM, on fresh pairs.

A class alone is about twice as quiet as inside its module, since nothing that ran before it in the
same JVM has loaded, compiled or allocated for it; and only few classes are in question, so the
correction for looking at many is small.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from jeto_bench.records import EtipRecord, Favours
from jeto_evaluate.metrics import measured_apart
from jeto_evaluate.own_tests import own_classes
from jeto_evaluate.robust_judging import Detector, looks_of
from jeto_evaluate.run.arm import ArmSession
from jeto_evaluate.run.chance import Chance
from jeto_evaluate.run.round_runner import RoundRunner
from jeto_evaluate.run.schedule import confirmation_seed, pair_order
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import Arm, RoundResult, Samples
from jeto_evaluate.statistics.early_stop import progress
from jeto_evaluate.statistics.robust_class import Side
from jeto_evaluate.statistics.two_stages import Named, named_family

__all__ = ["confirm_classes", "detectors_of"]

_LOG = logging.getLogger(__name__)


def confirm_classes(
    arms: Mapping[Arm, ArmSession],
    screen: Samples,
    named: Sequence[Named],
    *,
    settings: RunSettings,
    watch: Stopwatch,
    checkpoint: Callable[[str], None],
    chance: Chance | None = None,
) -> Samples:
    """Measure what was named until it is decided, hopeless, or all pairs are run.

    Args:
        arms: Base and candidate, as they ran the screen.
        screen: Gives the instance and the seed.
        named: Classes with the direction and the weight that they will be tested with.
        settings: Rounds and deadlines.
        watch: Bounds the whole.
        checkpoint: Called before every round with its name; may raise to stop.
        chance: Says which pairs are run again; by default as many as the settings allow.

    Returns:
        The pairs, without warm-up: round j of an arm holds the classes measured in pair j.

    Raises:
        InstanceEnded: A round does not count; base's trouble is never the candidate's fault.
        SandboxError: The engine failed.
    """
    seed = confirmation_seed(screen.order_seed)
    robust = settings.robust_rule
    chance = chance or Chance(settings.repeats)
    runners = {
        name: RoundRunner(arms, [name], settings, watch, _of_class(checkpoint, name), chance=chance)
        for name in dict.fromkeys(item.test_class for item in named)
    }
    family = named_family(named)
    plan = looks_of(robust.rounds)
    still_open = set(runners)
    rounds: list[RoundResult] = []
    with watch.phase("confirmation"):
        for runner in runners.values():
            runner.warm_up(1, seed)
        for number, order in enumerate(pair_order(robust.rounds, seed), start=1):
            if not still_open:
                break
            chosen = [runner for name, runner in runners.items() if name in still_open]
            for runner in chosen:
                runner.pair(number, order, seed)
            rounds += [_together([runner.last(arm) for runner in chosen]) for arm in order]
            if plan is None or number not in plan.pairs:
                continue
            samples = Samples(instance_id=screen.instance_id, order_seed=seed, rounds=tuple(rounds))
            found = progress(measured_apart(samples), family, robust, plan)
            still_open = set(found.still_open)
            _LOG.info("after %d pairs: %s", number, found)
    return Samples(instance_id=screen.instance_id, order_seed=seed, rounds=tuple(rounds))


def detectors_of(record: EtipRecord) -> frozenset[Detector]:
    """Return the record's detectors, each with the direction that the reference changes it.

    Tests that came with the fix have a stage of their own and are not among them.
    """
    own = own_classes(record)
    sides = {Favours.REFERENCE: Side.IMPROVED, Favours.BASE: Side.REGRESSED}
    return frozenset(
        Detector(test_class=item.test_class, side=sides[item.favours])
        for item in record.detector_tests
        if item.test_class not in own
    )


def _of_class(checkpoint: Callable[[str], None], name: str) -> Callable[[str], None]:
    short = name.rpartition(".")[2]
    return lambda where: checkpoint(f"confirmation, {where} ({short})")


def _together(parts: Sequence[RoundResult]) -> RoundResult:
    """The same arm's rounds of several classes as one; each class ran in a JVM of its own."""
    first = parts[0]
    spent = [part.cpu_ms for part in parts if part.cpu_ms is not None]
    return RoundResult(
        arm=first.arm,
        round=first.round,
        position=first.position,
        started_at=first.started_at,
        wall_ms=sum(part.wall_ms for part in parts),
        classes=tuple(entry for part in parts for entry in part.classes),
        cpu_ms=sum(spent) if len(spent) == len(parts) else None,
    )
