"""Stopping early without changing the verdict (curtailed sampling).

A class is decided as soon as no completion of the remaining rounds can change whether the full
number of rounds would be significant: k wins reached, or too many rounds lost to reach them. The
verdict equals that of the full rounds, so there is no price in errors of either kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from jeto_evaluate.statistics.jeto import minimal_wins

__all__ = ["CurtailVerdict", "Curtailment", "state_verdict", "stop_path"]


class CurtailVerdict(StrEnum):
    """What is known before all rounds are run."""

    SIGNIFICANT = "significant"
    NOT_SIGNIFICANT = "not_significant"
    OPEN = "open"


@dataclass(frozen=True, kw_only=True, slots=True)
class Curtailment:
    """Where a sequence of rounds could have stopped.

    Attributes:
        stop_after_round: Rounds run when the verdict was known; 0 if it was known beforehand.
        verdict: That verdict.
        rounds_saved: Rounds left of the full number.
    """

    stop_after_round: int
    verdict: CurtailVerdict
    rounds_saved: int


def state_verdict(
    *, rounds: int, alpha: Fraction, rounds_done: int, successes: int
) -> CurtailVerdict:
    """Return what ``successes`` after ``rounds_done`` of ``rounds`` already decide.

    Raises:
        ValueError: Not 0 <= successes <= rounds_done <= rounds.
    """
    if not 0 <= successes <= rounds_done <= rounds:
        raise ValueError(
            "need 0 <= successes <= rounds_done <= rounds, not "
            f"{successes}, {rounds_done}, {rounds}"
        )
    needed = minimal_wins(rounds, alpha)
    if needed is None:
        return CurtailVerdict.NOT_SIGNIFICANT
    if successes >= needed:
        return CurtailVerdict.SIGNIFICANT
    if successes + rounds - rounds_done < needed:
        return CurtailVerdict.NOT_SIGNIFICANT
    return CurtailVerdict.OPEN


def stop_path(*, rounds: int, alpha: Fraction, successes: Sequence[bool]) -> Curtailment:
    """Return where a sequence of rounds could have stopped.

    Args:
        rounds: The full number of rounds.
        alpha: Significance level.
        successes: One entry per round in the order they ran; not more than ``rounds``.

    Returns:
        The first decided state; ``open`` after the last given round if none is.

    Raises:
        ValueError: More successes than rounds.
    """
    if len(successes) > rounds:
        raise ValueError(f"{len(successes)} rounds given, but the full number is {rounds}")
    done = wins = 0
    verdict = state_verdict(rounds=rounds, alpha=alpha, rounds_done=0, successes=0)
    while verdict is CurtailVerdict.OPEN and done < len(successes):
        wins += bool(successes[done])
        done += 1
        verdict = state_verdict(rounds=rounds, alpha=alpha, rounds_done=done, successes=wins)
    return Curtailment(stop_after_round=done, verdict=verdict, rounds_saved=rounds - done)
