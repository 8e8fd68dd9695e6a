"""From rounds as they ran to pairs, or a refusal: nothing is paired with what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jeto_bench.errors import InputError
from jeto_evaluate.samples import Arm, ClassTime, Pair, RoundResult, Samples

__all__ = ["ClassPair", "SamplesError", "paired_apart", "paired_classes", "paired_times"]

ClassPair = tuple[ClassTime, ClassTime]
"""A class in base and in the other arm, in one pair."""

_BALANCE_MATTERS_FROM = 3  # pairs; with fewer, one arm may have run first in all by chance


class SamplesError(InputError):
    """Samples that must not be judged: rounds or classes are missing, or the order is biased."""


def paired_times(samples: Samples, *, rounds: int, other: Arm) -> Mapping[str, tuple[Pair, ...]]:
    """Return Surefire's times of every test class as pairs; see ``paired_classes``."""
    return {
        name: tuple(
            Pair(base_ms=base.milliseconds, other_ms=changed.milliseconds)
            for base, changed in pairs
        )
        for name, pairs in paired_classes(samples, rounds=rounds, other=other).items()
    }


def paired_classes(
    samples: Samples, *, rounds: int, other: Arm
) -> Mapping[str, tuple[ClassPair, ...]]:
    """Return the pairs of every test class, by class name in order, each in round order.

    Args:
        samples: Every round in the order they ran; warm-up rounds (number 0) are left out here.
        rounds: Number of pairs that must be there, not fewer and not more.
        other: The arm to pair with base.

    Returns:
        Base and the other arm, per pair.

    Raises:
        SamplesError: A round or class is missing or there twice, or the order of the arms is
            biased: the rounds of a pair must be neighbours, and with three pairs or more neither
            arm may have run first in all of them.
    """
    measured = _measured(samples, other)
    base, changed = (_times(measured, arm, rounds) for arm in (Arm.BASE, other))
    if set(base) != set(changed):
        raise SamplesError(f"classes of only one arm: {_names(set(base) ^ set(changed))}")
    return {name: tuple(zip(base[name], changed[name], strict=True)) for name in sorted(base)}


def paired_apart(samples: Samples, *, other: Arm) -> Mapping[str, tuple[ClassPair, ...]]:
    """Return the pairs of classes that were measured apart, each for as many pairs as it took.

    Args:
        samples: Every round in the order they ran; a round holds the classes that were measured
            on, so later rounds may hold fewer. Warm-up rounds are left out here.
        other: The arm to pair with base.

    Returns:
        By class name in order, each in round order, without a gap.

    Raises:
        SamplesError: As for ``paired_classes``, or a class comes back after it was left out.
    """
    measured = _measured(samples, other)
    found: dict[str, list[ClassPair]] = {}
    for number, (first, second) in enumerate(zip(measured[::2], measured[1::2], strict=True)):
        base, changed = (first, second) if first.arm is Arm.BASE else (second, first)
        times, others = ({item.test_class: item for item in one.classes} for one in (base, changed))
        if set(times) != set(others) or first.round != number + 1:
            raise SamplesError(
                f"pair {number + 1} is not whole: {_names(set(times) ^ set(others))}"
            )
        for name in times:
            pairs = found.setdefault(name, [])
            if len(pairs) != number:
                raise SamplesError(f"{name} is missing in a pair before {number + 1}")
            pairs.append((times[name], others[name]))
    return {name: tuple(found[name]) for name in sorted(found)}


def _measured(samples: Samples, other: Arm) -> Sequence[RoundResult]:
    measured = [item for item in samples.rounds if item.round > 0 and item.arm in (Arm.BASE, other)]
    _check_order(measured, other)
    return measured


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


def _times(measured: Sequence[RoundResult], arm: Arm, rounds: int) -> Mapping[str, list[ClassTime]]:
    """Return the arm's times by class, each in the order of the round numbers."""
    by_round: dict[int, dict[str, ClassTime]] = {}
    for item in measured:
        if item.arm is not arm:
            continue
        times = {entry.test_class: entry for entry in item.classes}
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
