"""Warm-up and measured pairs: base first, every round checked, nothing paired with what is left."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jeto_evaluate.agent_lines import Jvm
from jeto_evaluate.run.arm import ArmSession
from jeto_evaluate.run.chance import Chance
from jeto_evaluate.run.round_runner import RoundRunner
from jeto_evaluate.run.schedule import pair_order, with_reference
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.run.stopping import stop_reason
from jeto_evaluate.run.stopwatch import Stopwatch
from jeto_evaluate.samples import Arm, RoundResult

__all__ = ["Measured", "measure", "one_warm_up"]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What measuring two arms gave.

    Attributes:
        rounds: All rounds in the order they ran, warm-up included.
        surefire: Version of Surefire, if the reports state it.
        jvms: The kinds of test JVMs that the rounds ran in, if an agent says so.
        stopped: Why fewer pairs were run than planned; empty if all were.
    """

    rounds: tuple[RoundResult, ...]
    surefire: str
    jvms: tuple[Jvm, ...]
    stopped: str


def measure(
    arms: Mapping[Arm, ArmSession],
    classes: Sequence[str],
    *,
    settings: RunSettings,
    seed: int,
    watch: Stopwatch,
    checkpoint: Callable[[str], None],
    chance: Chance | None = None,
) -> Measured:
    """Run the warm-up and all pairs.

    Args:
        arms: Base and candidate, and the reference if it is to be compared; all built.
        classes: The test classes; with none named, all that base runs.
        settings: Rounds and deadlines.
        seed: Seed of the order inside the pairs, and of the order of the classes.
        watch: Bounds the whole.
        checkpoint: Called before every round with its name; may raise to stop.
        chance: Says which pairs are run again; by default as many as the settings allow.

    Raises:
        InstanceEnded: A round does not count; base's trouble is never the candidate's fault.
        SandboxError: The engine failed.
    """
    rounds = RoundRunner(arms, classes, settings, watch, checkpoint, chance=chance)
    with watch.phase("warm-up"):
        rounds.warm_up(settings.criteria.warmup_rounds, seed)
    stopped = ""
    with watch.phase("rounds"):
        pairs = pair_order(settings.criteria.rounds, seed)
        orders = with_reference(pairs, seed) if Arm.REFERENCE in arms else pairs
        for number, order in enumerate(orders, start=1):
            rounds.pair(number, order, seed)
            stopped = stop_reason(rounds.done, number, settings)
            if stopped:
                _LOG.info("stopped after %d pairs; %s", number, stopped)
                break
    return Measured(
        rounds=one_warm_up(rounds.done),
        surefire=rounds.surefire or "",
        jvms=rounds.jvms,
        stopped=stopped,
    )


def one_warm_up(done: Sequence[RoundResult]) -> tuple[RoundResult, ...]:
    """Keep the last warm-up round of each arm: a round's number names it once per arm."""
    warm = {item.arm: item for item in done if item.round == 0}
    return (*warm.values(), *(item for item in done if item.round > 0))
