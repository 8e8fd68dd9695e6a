"""Screen and confirmation: name classes liberally, then test only those, on fresh pairs.

A claim rests on the confirmation alone: its pairs are fresh, and its p-values are corrected over
the hypotheses that the screen named. Given the screen, whatever it named and however, that is a
level-alpha procedure; so it is one without that condition, and the family-wise error of both
stages together is at most alpha. (Two claims, one by either stage, would have twice that.)

So the screen is free to be as clever as it can:

- It tests against no change at all, not against ``min_improvement``, at a liberal level.
- It looks at each log ratio as it is and less the round's median over the classes that show no
  change. The second sees through what a launch does to all classes at once, which may be most of
  the noise. It would hide a patch to code that all classes share, so it may name but never claim;
  the first sees those. Two views are paid for by Bonferroni's factor, which saves time, not error.
- Other evidence, such as allocated bytes, may point at a direction beforehand (``hints``).
- One direction of a class is named, and only that is tested.
- The stronger its evidence, the larger a hypothesis's share of alpha (data-driven weights: K.
  Roeder, L. Wasserman, "Genome-wide significance levels and weighted hypothesis testing",
  Statistical Science 24 (2009)): the share is in proportion to 1 / p. Ratios of weights are
  bounded, so that one artefact of the screen cannot starve the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log

from jeto_evaluate.statistics.looks import LookPlan
from jeto_evaluate.statistics.paired_metric import PairedMetric
from jeto_evaluate.statistics.robust import Family, judge_family, round_medians
from jeto_evaluate.statistics.robust_class import RobustClass, Side, is_above_floor, one_sided_p
from jeto_evaluate.statistics.robust_criteria import RobustCriteria
from jeto_evaluate.statistics.signed_rank import signed_rank_p

__all__ = ["Named", "classes_to_confirm", "confirm", "named_family"]

LEAST_P = Fraction(1, 1000)
"""Evidence stronger than this gives no more weight."""

MANY_CLASSES = 5
"""With fewer, the median over classes follows single ones."""

CALM = Fraction(1, 100)
"""A class with a smaller p against no change has no part in that median."""

HINT = Fraction(1, 20)
"""What a hint is worth: the factor by which it makes a p-value smaller for naming."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """One direction of one class that is worth confirming.

    Attributes:
        test_class: Fully qualified name.
        side: The direction that will be tested.
        weight: Its weight in the confirmation, at least 1.
    """

    test_class: str
    side: Side
    weight: Fraction


def classes_to_confirm(
    screen: Mapping[str, PairedMetric],
    criteria: RobustCriteria,
    *,
    detectors: Collection[tuple[str, Side]] = (),
    hints: Collection[tuple[str, Side]] = (),
) -> tuple[Named, ...]:
    """Name what the screen gives reason to confirm.

    Args:
        screen: The chosen metric of every class, the same pairs of each.
        criteria: The rule: ``screen_alpha`` and ``confirm_at_most``.
        detectors: Classes and directions to confirm because the record says so, measured in the
            screen or not; they come first, with the largest weight, and may exceed the limit.
        hints: Classes and directions that other figures of the screen point at, such as a
            significant change of the bytes allocated; they are preferred, no more.

    Returns:
        What to confirm, the most urgent first (measure in this order if the budget is short).
    """
    measured = {name: values for name, values in screen.items() if is_above_floor(values, criteria)}
    evidence = {name: _plain(values) for name, values in measured.items()}
    # Classes that changed would pull the median along, and make all others look changed.
    calm = {name: measured[name] for name, found in evidence.items() if min(found)[0] >= CALM}
    if len(calm) >= MANY_CLASSES:
        typical = round_medians(calm, criteria)
        for name, values in measured.items():
            both = (*evidence[name], *_beside(values, typical))
            evidence[name] = tuple((min(Fraction(1), 2 * p), side) for p, side in both)
    found = {
        name: min((p * HINT if (name, side) in hints else p, side) for p, side in items)
        for name, items in evidence.items()
    }
    named = [
        Named(test_class=name, side=side, weight=1 / LEAST_P)
        for name, side in sorted(set(detectors))
    ]
    # A detector that went the other way is named for that as well.
    taken = {(item.test_class, item.side) for item in named}
    ranked = sorted(
        (p, name, side)
        for name, (p, side) in found.items()
        if p < criteria.screen_alpha and (name, side) not in taken
    )
    classes = {item.test_class for item in named}
    for p, name, side in ranked:
        if name in classes or len(classes) < criteria.confirm_at_most:
            classes.add(name)
            named.append(Named(test_class=name, side=side, weight=1 / max(p, LEAST_P)))
    return tuple(named)


def confirm(
    fresh: Mapping[str, PairedMetric],
    named: Sequence[Named],
    criteria: RobustCriteria,
    *,
    plan: LookPlan | None = None,
) -> tuple[RobustClass, ...]:
    """Test what was named, on pairs that had no part in naming it.

    Args:
        fresh: The chosen metric of the classes confirmed. A named class that is missing, for
            want of time or because it failed, stays in the family with p = 1, so that leaving one
            out can never help the others.
        named: Everything that was named, in whatever order.
        criteria: The rule.
        plan: The looks, if measuring may have stopped at one of them, for each class where it did.

    Returns:
        One per measured class, sorted by name. A direction that was not named claims nothing.

    Raises:
        ValueError: A class that was not named; without a plan, another number of pairs than
            ``criteria.rounds``.
    """
    family = named_family(named)
    if strangers := set(fresh) - {name for name, _ in family}:
        raise ValueError(f"measured but not named: {', '.join(sorted(strangers))}")
    for name, values in fresh.items():
        if plan is None and values.pairs != criteria.rounds:
            raise ValueError(
                f"{values.pairs} pairs of {name}, but the criteria ask for {criteria.rounds}"
            )
    return judge_family(fresh, family, criteria, plan=plan)


def named_family(named: Sequence[Named]) -> Family:
    """Return the hypotheses that the confirmation corrects together, with their weights."""
    return {(item.test_class, item.side): item.weight for item in named}


Evidence = tuple[tuple[Fraction, Side], ...]
"""p-values against no change, each with its direction."""


def _plain(values: PairedMetric) -> Evidence:
    return tuple((one_sided_p(values, side, share=Fraction(0)), side) for side in Side)


def _beside(values: PairedMetric, typical: Sequence[float]) -> Evidence:
    """Less what the round did to a typical class."""
    excess = [
        log(slow) - log(fast) - shift
        for slow, fast, shift in zip(*values.resolved, typical, strict=True)
    ]
    return (
        (signed_rank_p(excess), Side.IMPROVED),
        (signed_rank_p([-value for value in excess]), Side.REGRESSED),
    )
