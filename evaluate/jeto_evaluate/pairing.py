"""From rounds as they ran to pairs, or a refusal: nothing is paired with what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jeto_bench.errors import InputError
from jeto_evaluate.samples import Arm, Pair, RoundResult, Samples

__all__ = ["SamplesError", "paired_times"]

_BALANCE_MATTERS_FROM = 3  # pairs; with fewer, one arm may have run first in all by chance


class SamplesError(InputError):
    """Samples that must not be judged: rounds or classes are missing, or the order is biased."""


def paired_times(samples: Samples, *, rounds: int, other: Arm) -> Mapping[str, tuple[Pair, ...]]:
    """Return the pairs of every test class, by class name in order, each in round order.

    Args:
        samples: Every round in the order they ran; warm-up rounds (number 0) are left out here.
        rounds: Number of pairs that must be there, not fewer and not more.
        other: The arm to pair with base.

    Raises:
        SamplesError: A round or class is missing or there twice, or the order of the arms is
            biased: the rounds of a pair must be neighbours, and with three pairs or more neither
            arm may have run first in all of them.
    """
    measured = [item for item in samples.rounds if item.round > 0 and item.arm in (Arm.BASE, other)]
    _check_order(measured, other)
    base, changed = (_times(measured, arm, rounds) for arm in (Arm.BASE, other))
    if set(base) != set(changed):
        raise SamplesError(f"classes of only one arm: {_names(set(base) ^ set(changed))}")
    return {
        name: tuple(
            Pair(base_ms=first, other_ms=second)
            for first, second in zip(base[name], changed[name], strict=True)
        )
        for name in sorted(base)
    }


def _check_order(measured: Sequence[RoundResult], other: Arm) -> None:
    """Refuse orders under which drift of the machine looks like a difference of the arms.

    The two rounds of a pair must be neighbours, and with three pairs or more neither arm may have
    run first in all of them.
    """
    if len(measured) % 2:
        raise SamplesError(f"{len(measured)} rounds do not make pairs")
    first_arms: list[Arm] = []
    for first, second in zip(measured[::2], measured[1::2], strict=True):
        if first.round != second.round or first.arm is second.arm:
            raise SamplesError(
                f"round {first.round} of {first.arm} was followed by round {second.round} of "
                f"{second.arm}: the rounds of a pair must run back to back"
            )
        if first.position >= second.position:
            raise SamplesError(f"pair {first.round} stands in another order than it ran")
        first_arms.append(first.arm)
    if len(first_arms) >= _BALANCE_MATTERS_FROM and len(set(first_arms)) == 1:
        raise SamplesError(
            f"{first_arms[0]} ran first in all {len(first_arms)} pairs with {other}: drift of the "
            "machine would look like a difference"
        )


def _times(measured: Sequence[RoundResult], arm: Arm, rounds: int) -> Mapping[str, list[int]]:
    """Return the arm's times by class, milliseconds, each in the order of the round numbers."""
    by_round: dict[int, dict[str, int]] = {}
    for item in measured:
        if item.arm is not arm:
            continue
        times = {entry.test_class: entry.milliseconds for entry in item.classes}
        if len(times) != len(item.classes) or item.round in by_round:
            raise SamplesError(f"round {item.round} of {arm}, or a class in it, is there twice")
        by_round[item.round] = times
    if sorted(by_round) != list(range(1, rounds + 1)):
        raise SamplesError(f"{arm} has rounds {sorted(by_round)}, not 1 to {rounds}")
    names = set(by_round[1])
    if not names:
        raise SamplesError(f"round 1 of {arm} has no class")
    for number, times in by_round.items():
        if set(times) != names:
            raise SamplesError(
                f"rounds 1 and {number} of {arm} differ in {_names(names ^ set(times))}"
            )
    return {name: [by_round[number][name] for number in sorted(by_round)] for name in names}


def _names(classes: set[str]) -> str:
    return ", ".join(sorted(classes))
