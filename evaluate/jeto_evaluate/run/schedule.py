"""The order of the arms inside the pairs: balanced, randomised, repeatable."""

from __future__ import annotations

import hashlib
import random

from jeto_evaluate.samples import Arm

__all__ = ["instance_seed", "pair_order"]


def instance_seed(run_seed: int, instance_id: str) -> int:
    """Derive an instance's seed, so that it does not depend on which others are evaluated."""
    digest = hashlib.sha256(f"{run_seed}:{instance_id}".encode()).digest()
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
