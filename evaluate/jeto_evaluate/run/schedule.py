"""The order of the arms inside the pairs: balanced, randomised, repeatable."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from jeto_evaluate.samples import Arm

__all__ = ["class_seed", "confirmation_seed", "instance_seed", "pair_order", "with_reference"]


def instance_seed(run_seed: int, instance_id: str) -> int:
    """Derive an instance's seed, so that it does not depend on which others are evaluated."""
    return _derived(run_seed, instance_id)


def class_seed(seed: int, number: int) -> int:
    """Derive the seed of the order of the test classes: one per pair, the same in both arms."""
    return _derived(seed, f"classes of round {number}")


def with_reference(order: Sequence[tuple[Arm, Arm]], seed: int) -> tuple[tuple[Arm, Arm, Arm], ...]:
    """Add the reference to each pair, first or last, balanced and at random.

    Never in between: base and candidate stay back to back.
    """
    draw = random.Random(_derived(seed, "reference"))  # noqa: S311  # a schedule, not a secret
    found: list[tuple[Arm, Arm, Arm]] = []
    first = False
    for number, (one, two) in enumerate(order):
        first = draw.choice((True, False)) if number % 2 == 0 else not first
        found.append((Arm.REFERENCE, one, two) if first else (one, two, Arm.REFERENCE))
    return tuple(found)


def confirmation_seed(seed: int) -> int:
    """Derive the seed of an instance's second stage from that of the first."""
    return _derived(seed, "confirmation")


def _derived(seed: int, what: str) -> int:
    digest = hashlib.sha256(f"{seed}:{what}".encode()).digest()
    return int.from_bytes(digest[:6], "big")


def pair_order(pairs: int, seed: int, other: Arm = Arm.CANDIDATE) -> tuple[tuple[Arm, Arm], ...]:
    """Order the arms of each pair.

    Pairs come in blocks of two, one with each arm first, the order of a block drawn at random
    (randomised ABBA or BAAB). So drift cancels over any two pairs, neither arm is first more
    than once more often than the other, and nothing in the surroundings can keep in step.

    Args:
        pairs: How many.
        seed: Seed of the draws.
        other: The arm compared with base.
    """
    draw = random.Random(seed)  # noqa: S311  # a schedule, not a secret
    order: list[tuple[Arm, Arm]] = []
    while len(order) < pairs:
        block = [(Arm.BASE, other), (other, Arm.BASE)]
        draw.shuffle(block)
        order += block
    return tuple(order[:pairs])
