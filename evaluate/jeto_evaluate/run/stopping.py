"""Ending the rounds of a stage as soon as no continuation can change the verdict that decides."""

from __future__ import annotations

from collections.abc import Sequence

from jeto_evaluate.judging import pair_rule
from jeto_evaluate.metrics import chosen_metrics
from jeto_evaluate.pairing import paired_times
from jeto_evaluate.robust_judging import looks_of
from jeto_evaluate.rules import Decider
from jeto_evaluate.run.settings import RunSettings
from jeto_evaluate.samples import Arm, RoundResult, Samples
from jeto_evaluate.statistics.curtail import CurtailVerdict, state_verdict
from jeto_evaluate.statistics.early_stop import progress
from jeto_evaluate.statistics.robust import whole_family

__all__ = ["stop_reason"]


def stop_reason(rounds: Sequence[RoundResult], number: int, settings: RunSettings) -> str:
    """Say why no more pairs are needed; empty if they are.

    Under the paper's rule every class and direction must be decided whatever the remaining rounds
    bring (exact curtailment, ``statistics/curtail.py``). Under the robust rule, at the looks that
    its p-values pay for, every class must be decided or hopeless (``statistics/early_stop.py``).

    Args:
        rounds: Those of the stage so far, whole pairs.
        number: Pairs run.
        settings: The rule that decides, and whether to stop early at all.
    """
    if not settings.early_stop or number >= settings.criteria.rounds:
        return ""
    samples = Samples(instance_id="", order_seed=0, rounds=tuple(rounds))
    if settings.decides is Decider.JETO:
        return _curtailed(samples, number, settings)
    rule = settings.robust_rule
    plan = looks_of(rule.rounds)
    if plan is None or number not in plan.pairs:
        return ""
    metrics = chosen_metrics(samples, rounds=number)
    found = progress(metrics, whole_family(metrics, rule), rule, plan)
    if found.still_open:
        return ""
    return f"robust: {len(found.decided)} classes decided, {len(found.given_up)} hopeless"


def _curtailed(samples: Samples, number: int, settings: RunSettings) -> str:
    criteria = settings.criteria
    if criteria.floor_ms:
        # A later time below the floor would take a class out of the test.
        return ""
    rule = pair_rule(criteria)
    for pairs in paired_times(samples, rounds=number, other=Arm.CANDIDATE).values():
        faster = sum(rule.is_faster(pair.other_ms, pair.base_ms) for pair in pairs)
        slower = sum(rule.is_faster(pair.base_ms, pair.other_ms) for pair in pairs)
        for wins in (faster, slower):
            verdict = state_verdict(
                rounds=criteria.rounds, alpha=criteria.alpha, rounds_done=number, successes=wins
            )
            if verdict is CurtailVerdict.OPEN:
                return ""
    return f"{criteria.name}: no further round can change a class"
