"""GSO's verdict on one patch: faster than the base, and as fast as the expert's version.

Source: as for ``gso``. The code (c89aecd, ``get_opt_status``) asks more than the paper (G2): both
``opt_commit`` and ``opt_main`` also need the base gate, a mean time below the base's and a
geometric mean speedup over it that rounds to 1.2 or more at one decimal. Rounding is numpy's, half
to even, so the gate is 1.15 (G3). A patch that only matches an expert whose gain is smaller never
counts. The paper's rule, S(commit, patch) >= 0.95 and nothing else, is ``paper_opt``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, sqrt

from jeto_evaluate.statistics.gso import (
    OptReading,
    Speedup,
    compare_means,
    exact_speedup,
    meets_reference,
)

__all__ = ["OptStatus", "PaperOpt", "VersionTimes", "opt_status", "paper_opt"]

_GATE_IN_TENTHS = 11.5  # rounds to 12 tenths; rounding is monotone, so this is the whole rule


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionTimes:
    """The times of one version.

    Attributes:
        per_test: Mean over the repetitions of each test.
        mean: Mean of those.
        stdev: Sample standard deviation of those (n - 1); 0 for a single test, as the code has it.
    """

    per_test: tuple[float, ...]
    mean: float
    stdev: float


@dataclass(frozen=True, kw_only=True, slots=True)
class OptStatus:
    """The code's verdict on a patch, and what it rests on.

    Attributes:
        opt_base: The patch passes the base gate.
        opt_commit: It does, and matches the expert's commit.
        opt_main: It does, and matches the main branch; false where that was not measured.
        base: Times of the base.
        patch: Times of the base with the patch.
        commit: Times of the expert's commit; ``None`` only ``as_published``.
        main: Times of the main branch, if measured.
        patch_base: Speedup from base to patch.
        patch_commit: Speedup from commit to patch, on which ``opt_commit`` is decided.
        commit_base: Speedup from base to commit.
        patch_main: Speedup from main to patch; the code reports it only with ``opt_main``.
    """

    opt_base: bool
    opt_commit: bool
    opt_main: bool
    base: VersionTimes
    patch: VersionTimes
    commit: VersionTimes | None
    main: VersionTimes | None
    patch_base: Speedup
    patch_commit: Speedup | None
    commit_base: Speedup | None
    patch_main: Speedup | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PaperOpt:
    """The paper's verdict on a patch that is correct.

    Attributes:
        speedup: S(commit, patch), exact; ``None`` where it is not a number.
        opt: Whether it is at least 0.95; ``None`` with ``speedup``.
    """

    speedup: Fraction | None
    opt: bool | None


def opt_status(
    *,
    base: Sequence[Sequence[float]],
    patch: Sequence[Sequence[float]],
    commit: Sequence[Sequence[float]],
    main: Sequence[Sequence[float]] | None = None,
    as_published: bool = False,
) -> OptStatus:
    """Return the code's verdict.

    Args:
        base: Times of the base: per test its repetitions, any unit (milliseconds will do).
        patch: Times of the base with the patch: the same tests in the same order and unit.
        commit: Times of the expert's commit, likewise.
        main: Times of the main branch, likewise; ``None`` if not measured.
        as_published: Where tests were lost, do what the code does (G6): leave out a test without
            repetitions before pairing, and pair what is left by position.

    Raises:
        ValueError: A version has no tests, or a speedup has no harmonic mean; unless
            ``as_published``, also unequal numbers of tests or a test without repetitions.
    """
    base_times, patch_times, commit_times, main_times = (
        None if groups is None else _test_times(groups, as_published=as_published)
        for groups in (base, patch, commit, main)
    )
    if not as_published and main is not None and main_times is None:
        raise ValueError("main was measured, but has no tests")

    def compare(before: VersionTimes | None, after: VersionTimes | None) -> Speedup | None:
        if before is None or after is None:
            return None
        return compare_means(before.per_test, after.per_test, as_published=as_published)

    patch_base = compare(base_times, patch_times)
    patch_commit = compare(commit_times, patch_times)
    patch_main = compare(main_times, patch_times)
    if base_times is None or patch_times is None or patch_base is None:
        raise ValueError("the base or the patch has no tests")
    gained = base_times.mean > patch_times.mean and _passes_gate(patch_base.geometric)
    if patch_commit is None and (gained or not as_published):
        raise ValueError("the commit has no tests")
    return OptStatus(
        opt_base=gained,
        opt_commit=gained and _matches(patch_commit),
        opt_main=gained and _matches(patch_main),
        base=base_times,
        patch=patch_times,
        commit=commit_times,
        main=main_times,
        patch_base=patch_base,
        patch_commit=patch_commit,
        commit_base=compare(base_times, commit_times),
        patch_main=patch_main,
    )


def paper_opt(
    *, commit: Sequence[Sequence[int | Fraction]], patch: Sequence[Sequence[int | Fraction]]
) -> PaperOpt:
    """Return the paper's verdict, exact.

    Args:
        commit: Times of the expert's commit: per test its repetitions, whole milliseconds or
            fractions of any unit.
        patch: Times of the base with the patch: the same tests in the same order and unit.

    Raises:
        ValueError: Unequal numbers of tests, a test without repetitions, or a negative time.
    """
    if not all((*commit, *patch)):
        raise ValueError("a test has no repetitions")
    speedup = exact_speedup(
        [_exact_mean(times) for times in commit], [_exact_mean(times) for times in patch]
    )
    opt = None if speedup is None else meets_reference(speedup, OptReading.PAPER)
    return PaperOpt(speedup=speedup, opt=opt)


def _exact_mean(times: Sequence[int | Fraction]) -> Fraction:
    return sum(map(Fraction, times), Fraction()) / len(times)


def _test_times(groups: Sequence[Sequence[float]], *, as_published: bool) -> VersionTimes | None:
    if not as_published and not all(groups):
        raise ValueError("a test has no repetitions")
    means = tuple(fsum(times) / len(times) for times in groups if times)
    if not means:
        return None
    mean = fsum(means) / len(means)
    spread = fsum((value - mean) ** 2 for value in means) / max(len(means) - 1, 1)
    return VersionTimes(per_test=means, mean=mean, stdev=sqrt(spread) if len(means) > 1 else 0.0)


def _passes_gate(geometric: float | None) -> bool:
    return geometric is not None and geometric * 10 >= _GATE_IN_TENTHS


def _matches(speedup: Speedup | None) -> bool:
    return speedup is not None and meets_reference(speedup.harmonic)
