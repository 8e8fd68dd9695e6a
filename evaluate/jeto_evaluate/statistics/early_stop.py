"""When to stop measuring a class: it is decided, or it is hopeless.

*Decided*: significant at a look, by p-values that pay for the looks (``looks.py``).
*Hopeless*: stochastic curtailment (K. K. G. Lan, R. Simon, M. Halperin, "Stochastically curtailed
tests in long-term clinical trials", Sequential Analysis 1 (1982)). At a look, the chance of being
significant at the last one is computed as if the true change were the larger of what the pairs so
far show and ``change_of_interest``, or the end of its 95 % interval where even that is smaller;
below the plan's ``hopeless`` the class is given up. That claims nothing, so it cannot raise the
error; what it costs in power, and saves, is in ``tests/benchmarks/trust``. Only this rule, and no
claim, rests on a normal approximation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from statistics import NormalDist

from jeto_evaluate.statistics.looks import LookPlan
from jeto_evaluate.statistics.paired_metric import PairedMetric
from jeto_evaluate.statistics.robust import Family, judge_family
from jeto_evaluate.statistics.robust_class import (
    EFFICIENCY,
    RobustClass,
    Side,
    is_above_floor,
    one_sided_p,
)
from jeto_evaluate.statistics.robust_criteria import RobustCriteria

__all__ = ["Progress", "chance_left", "progress"]

_NORMAL = NormalDist()


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """What is left to measure.

    Attributes:
        still_open: Classes that another pair may decide, sorted; empty means stop.
        decided: Classes with a significant direction.
        given_up: Classes of which no direction can be expected to become significant, those
            below the floor and those at the last look included.
    """

    still_open: tuple[str, ...]
    decided: tuple[str, ...]
    given_up: tuple[str, ...]


def progress(
    classes: Mapping[str, PairedMetric], family: Family, criteria: RobustCriteria, plan: LookPlan
) -> Progress:
    """Sort the measured classes of a family by whether to measure them on.

    Ask at any time; the answer changes at looks only. The verdict itself is that of
    ``judge_robust`` or ``confirm`` with the same plan and pairs, wherever measuring stopped.

    Args:
        classes: The pairs so far, measured side by side: a class that has fewer than another was
            left out at an earlier look, and is not taken up again.
        family: As given to ``judge_family``: ``whole_family``, or what was named with weights.
        criteria: The rule.
        plan: The looks fixed before the first pair.
    """
    judged = judge_family(classes, family, criteria, plan=plan)
    claims = {(item.test_class, side) for item in judged for side in item.significant_sides}
    left = {key: weight for key, weight in family.items() if key not in claims}
    budget = criteria.alpha / max(sum(left.values(), Fraction(0)), Fraction(1))

    def chance(item: RobustClass) -> float:
        name = item.test_class
        return max(
            (
                chance_left(
                    item, classes[name], side, level=budget * weight, criteria=criteria, plan=plan
                )
                for (test_class, side), weight in left.items()
                if test_class == name
            ),
            default=0.0,
        )

    decided = {name for name, _ in claims}
    most = max((item.pairs for item in judged), default=0)
    hopeful = {
        item.test_class
        for item in judged
        if item.test_class not in decided and item.pairs == most and chance(item) >= plan.hopeless
    }
    return Progress(
        still_open=tuple(sorted(hopeful)),
        decided=tuple(sorted(decided)),
        given_up=tuple(sorted(set(classes) - decided - hopeful)),
    )


def chance_left(
    judged: RobustClass,
    values: PairedMetric,
    side: Side,
    *,
    level: Fraction,
    criteria: RobustCriteria,
    plan: LookPlan,
) -> float:
    """Return the chance that one direction of a class is significant at the last look.

    Args:
        judged: The class as judged from ``values``.
        values: Its pairs so far.
        side: The direction.
        level: Level of the hypothesis before it is divided over the looks.
        criteria: The rule.
        plan: The looks.

    Returns:
        1 before the first look, between looks what it was at the last one; 0 if there are no more
        looks or the class is below the floor.
    """
    looks = plan.reached(values.pairs)
    if not is_above_floor(values, criteria) or len(looks) == len(plan.pairs):
        return 0.0
    if not looks or judged.noise is None:
        return 1.0
    last = plan.pairs[-1]
    part = looks[-1] / last
    p = one_sided_p(values.first(looks[-1]), side, share=criteria.min_improvement)
    reached = _NORMAL.inv_cdf(1 - min(max(float(p), 1e-12), 1 - 1e-12))
    needed = _NORMAL.inv_cdf(1 - float(level * plan.spending[-1]))
    change = _plausible(judged, side, criteria) + log(1 - criteria.min_improvement)
    drift = change * sqrt(EFFICIENCY * last) / judged.noise
    mean = reached * sqrt(part) + drift * (1 - part)
    return 1 - _NORMAL.cdf((needed - mean) / sqrt(1 - part))


def _plausible(judged: RobustClass, side: Side, criteria: RobustCriteria) -> float:
    """The largest log ratio in a direction that is worth hoping for."""
    sign = 1 if side is Side.IMPROVED else -1
    end = judged.speedup_high if side is Side.IMPROVED else judged.speedup_low
    hoped = max(sign * log(judged.speedup), -log(1 - criteria.change_of_interest))
    return hoped if end is None else min(hoped, sign * log(end))
