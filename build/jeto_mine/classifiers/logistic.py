"""Logistic regression on features that are there or not. Pure, without any library.

Minimises the weighted mean of the log loss plus ``ridge`` / 2 times the sum of squared distances of
the weights from given ones, by gradient steps with momentum. The bias is held back too: labels were
chosen, so the share of yes among them is not that among issues.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

__all__ = ["Example", "Weights", "fit"]

_STEPS: Final = 300
_RATE: Final = 0.5
_MOMENTUM: Final = 0.9
_FLOOR: Final = 1e-4


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """One labelled thing.

    Attributes:
        features: What it has.
        positive: Its label.
        weight: How much it counts.
    """

    features: frozenset[str]
    positive: bool
    weight: float = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """A model.

    Attributes:
        bias: Log odds of a thing that has nothing.
        weights: What each feature adds to them.
    """

    bias: float
    weights: Mapping[str, float]

    def score(self, features: Iterable[str]) -> float:
        """Probability that the label is positive."""
        total = self.bias + sum(self.weights.get(name, 0.0) for name in sorted(features))
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def fit(examples: Sequence[Example], *, ridge: float, start: Weights) -> Weights:
    """Learn weights.

    Args:
        examples: What to learn from.
        ridge: How much weights are held back.
        start: Towards what they are held back; those of features that no example has stay.
    """
    if not examples:
        return start
    names = sorted({*start.weights, *(name for item in examples for name in item.features)})
    place = {name: number for number, name in enumerate(names)}
    rows = [
        ([place[name] for name in sorted(item.features)], float(item.positive), item.weight)
        for item in examples
    ]
    whole = sum(item.weight for item in examples)
    held = [*(start.weights.get(name, 0.0) for name in names), start.bias]  # the last is the bias
    values = list(held)
    speed = [0.0] * len(values)
    for _ in range(_STEPS):
        slope = [ridge * (value - back) for value, back in zip(values, held, strict=True)]
        for columns, wanted, weight in rows:
            total = values[-1] + sum(values[column] for column in columns)
            error = (1 / (1 + exp(-max(-30.0, min(30.0, total)))) - wanted) * weight / whole
            slope[-1] += error
            for column in columns:
                slope[column] += error
        for number, inclination in enumerate(slope):
            speed[number] = _MOMENTUM * speed[number] - _RATE * inclination
            values[number] += speed[number]
    weights = {name: values[number] for name, number in place.items()}
    kept = {name: round(value, 4) for name, value in weights.items() if abs(value) > _FLOOR}
    return Weights(bias=round(values[-1], 4), weights=kept)
