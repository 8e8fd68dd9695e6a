"""The robust verdict: paired signed-rank tests that stay right whatever the number of classes.

Per class and direction, the log ratios of the pairs are tested against "better by no more than
``min_improvement``" (Wilcoxon's signed-rank test, exact, ``signed_rank.py``). A pair's two rounds
ran back to back in random order, so its log ratio is symmetric about the true change whatever the
round as a whole was like; nothing is divided out that a patch could cause. Holm's procedure over
classes and directions bounds the chance of any false claim by alpha, for every dependence between
classes. Classes below the clock's floor are in no family; those that are merely noisy stay in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from statistics import median

from jeto_evaluate.statistics.looks import LookPlan
from jeto_evaluate.statistics.paired_metric import PairedMetric, module_sums
from jeto_evaluate.statistics.robust_class import (
    RobustClass,
    RobustDirection,
    RobustStatus,
    Side,
    is_above_floor,
    one_sided_p,
    robust_class,
)
from jeto_evaluate.statistics.robust_criteria import RobustCriteria
from jeto_evaluate.statistics.weighted_holm import weighted_holm

__all__ = [
    "Family",
    "RobustVerdict",
    "judge_family",
    "judge_robust",
    "round_medians",
    "whole_family",
]

Family = Mapping[tuple[str, Side], Fraction]
"""The hypotheses that are corrected together, each with its weight."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RobustVerdict:
    """The verdict on one arm against base from one stage.

    Attributes:
        classes: One per test class, sorted by name.
        module: The same test on the per-round sums over all classes, corrected over its two
            directions alone; reported beside the classes, it decides nothing.
        round_speedups: Median over the classes above the floor of base / other, per pair, shape
            (pairs,): what a launch, or a patch to code that all classes share, did to all of
            them. Empty if no class is above the floor.
    """

    classes: tuple[RobustClass, ...]
    module: RobustClass
    round_speedups: tuple[float, ...]

    @property
    def improved(self) -> tuple[str, ...]:
        """Names of the classes that are significantly faster."""
        return tuple(item.test_class for item in self.classes if item.improved.significant)

    @property
    def regressed(self) -> tuple[str, ...]:
        """Names of the classes that are significantly slower."""
        return tuple(item.test_class for item in self.classes if item.regressed.significant)

    @property
    def measurable(self) -> tuple[str, ...]:
        """Names of the classes whose result says something."""
        return tuple(item.test_class for item in self.classes if item.status is RobustStatus.TESTED)


def judge_robust(
    classes: Mapping[str, PairedMetric], criteria: RobustCriteria, *, plan: LookPlan | None = None
) -> RobustVerdict:
    """Judge every class, corrected over all of them and both directions, and the sums.

    Args:
        classes: The chosen metric of every class, the same pairs of each.
        criteria: The rule.
        plan: The looks, if measuring may have stopped at one of them; p-values then pay for them.

    Raises:
        ValueError: No classes, or unlike numbers of pairs; without a plan, another number of pairs
            than ``criteria.rounds`` (stopping where it looks good has no known error).
    """
    sums = module_sums(list(classes.values()))
    if plan is None and sums.pairs != criteria.rounds:
        raise ValueError(f"{sums.pairs} pairs, but the criteria ask for {criteria.rounds}")
    together = {"": sums}
    return RobustVerdict(
        classes=judge_family(classes, whole_family(classes, criteria), criteria, plan=plan),
        module=judge_family(together, whole_family(together, criteria), criteria, plan=plan)[0],
        round_speedups=tuple(map(exp, round_medians(classes, criteria))),
    )


def whole_family(classes: Mapping[str, PairedMetric], criteria: RobustCriteria) -> Family:
    """Return both directions of every class above the clock's floor, with equal weights."""
    return {
        (name, side): Fraction(1)
        for name, values in sorted(classes.items())
        if is_above_floor(values, criteria)
        for side in Side
    }


def round_medians(
    classes: Mapping[str, PairedMetric], criteria: RobustCriteria
) -> tuple[float, ...]:
    """Return, per pair, the median over the classes above the floor of log(base / other)."""
    rows = [
        [log(slow) - log(fast) for slow, fast in zip(*values.resolved, strict=True)]
        for values in classes.values()
        if is_above_floor(values, criteria)
    ]
    return tuple(float(median(row)) for row in zip(*rows, strict=True))


def judge_family(
    classes: Mapping[str, PairedMetric],
    family: Family,
    criteria: RobustCriteria,
    *,
    plan: LookPlan | None = None,
) -> tuple[RobustClass, ...]:
    """Judge classes, the hypotheses of ``family`` being corrected together.

    Args:
        classes: What was measured; numbers of pairs may differ between classes.
        family: Hypotheses and their weights, chosen without looking at ``classes``, except by
            ``is_above_floor``. One whose class was not measured or is below the floor stays in
            the family with p = 1.
        criteria: The rule.
        plan: The looks that the p-values must pay for, if any.

    Returns:
        One per measured class, sorted by name; directions outside the family have no adjusted p.
    """
    raw = {
        (name, side): one_sided_p(values, side, share=criteria.min_improvement, plan=plan)
        for name, values in classes.items()
        for side in Side
    }
    tested = {
        key: raw[key] if key in raw and is_above_floor(classes[key[0]], criteria) else Fraction(1)
        for key in family
    }
    adjusted = dict(
        zip(family, weighted_holm(list(tested.values()), list(family.values())), strict=True)
    )

    def direction(name: str, side: Side) -> RobustDirection:
        corrected = adjusted.get((name, side))
        return RobustDirection(
            p_value=float(raw[name, side]),
            adjusted_p=None if corrected is None else float(corrected),
            significant=corrected is not None and corrected < criteria.alpha,
        )

    def level(name: str) -> Fraction:
        spent = Fraction(1) if plan is None else plan.spending[-1]
        weight = max((family.get((name, side), Fraction(0)) for side in Side), default=Fraction(0))
        return criteria.alpha * spent * weight / sum(family.values()) if weight else Fraction(0)

    return tuple(
        robust_class(
            name,
            values,
            improved=direction(name, Side.IMPROVED),
            regressed=direction(name, Side.REGRESSED),
            level=level(name),
            rounds=values.pairs if plan is None else plan.pairs[-1],
            criteria=criteria,
        )
        for name, values in sorted(classes.items())
    )
