"""What SWE-Perf and GSO would say of the same samples, each as its source defines it. Pure.

Both work on wall times; they get Surefire's, in milliseconds. SWE-Perf compares the times of a
test before and after, all rounds together; GSO the mean times of all tests. Neither corrects for
the number of tests. They are reported beside our verdicts and decide nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from jeto_evaluate.pairing import paired_times
from jeto_evaluate.samples import Arm, Pair, Samples
from jeto_evaluate.statistics.gso import compare_means
from jeto_evaluate.statistics.gso_status import opt_status, paper_opt
from jeto_evaluate.statistics.sweperf import find_delta, keeps_test

__all__ = ["GsoFigures", "PeerFigures", "SwePerfClass", "peer_figures"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SwePerfClass:
    """SWE-Perf's figure of one test class; source and reading: ``statistics/sweperf.py``.

    Attributes:
        test_class: Fully qualified name.
        delta: Share of base's time that is significantly saved, in [0, 1).
        kept: SWE-Perf would keep the test: delta is above 0.05.
        reference_delta: The same for the reference; ``None`` if it was not measured.
    """

    test_class: str
    delta: float
    kept: bool
    reference_delta: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class GsoFigures:
    """GSO's figures over all test classes; source and reading: ``statistics/gso_status.py``.

    Attributes:
        speedup: Harmonic mean over classes of base / candidate, times averaged over rounds;
            ``None`` where it is not a number.
        reference_speedup: Harmonic mean of base / reference; ``None`` also if not measured.
        against_reference: Harmonic mean of reference / candidate, likewise.
        opt: GSO's code counts the patch: faster than base, and more than 0.95 times as fast as
            the reference; ``None`` without a reference.
        opt_paper: The paper's rule alone, at least 0.95 times as fast; ``None`` likewise.
    """

    speedup: float | None
    reference_speedup: float | None
    against_reference: float | None
    opt: bool | None
    opt_paper: bool | None


@dataclass(frozen=True, kw_only=True, slots=True)
class PeerFigures:
    """The other families' figures, from the screen's samples."""

    sweperf: tuple[SwePerfClass, ...]
    gso: GsoFigures


def peer_figures(samples: Samples, *, rounds: int, other: Arm = Arm.CANDIDATE) -> PeerFigures:
    """Compute them.

    Args:
        samples: The screen; the reference's figures need its rounds.
        rounds: Pairs that must be there.
        other: The arm compared with base.

    Raises:
        SamplesError: Samples that must not be paired.
    """
    pairs = paired_times(samples, rounds=rounds, other=other)
    measured = any(item.arm is Arm.REFERENCE and item.round > 0 for item in samples.rounds)
    reference = paired_times(samples, rounds=rounds, other=Arm.REFERENCE) if measured else None
    return PeerFigures(
        sweperf=tuple(
            _sweperf(name, row, None if reference is None else reference[name])
            for name, row in pairs.items()
        ),
        gso=_gso(pairs, reference),
    )


def _sweperf(name: str, row: Sequence[Pair], reference: Sequence[Pair] | None) -> SwePerfClass:
    found = find_delta([p.base_ms for p in row], [p.other_ms for p in row])
    other = (
        None
        if reference is None
        else find_delta([p.base_ms for p in reference], [p.other_ms for p in reference]).delta
    )
    return SwePerfClass(
        test_class=name, delta=found.delta, kept=keeps_test(found), reference_delta=other
    )


def _gso(
    pairs: Mapping[str, Sequence[Pair]], reference: Mapping[str, Sequence[Pair]] | None
) -> GsoFigures:
    base = [[p.base_ms for p in row] for row in pairs.values()]
    patch = [[p.other_ms for p in row] for row in pairs.values()]
    if reference is None:
        return GsoFigures(
            speedup=_speedup(base, patch),
            reference_speedup=None,
            against_reference=None,
            opt=None,
            opt_paper=None,
        )
    commit = [[p.other_ms for p in reference[name]] for name in pairs]
    try:
        opt: bool | None = opt_status(base=base, patch=patch, commit=commit).opt_commit
    except ValueError:  # a speedup has no harmonic mean
        opt = None
    return GsoFigures(
        speedup=_speedup(base, patch),
        reference_speedup=_speedup(base, commit),
        against_reference=_speedup(commit, patch),
        opt=opt,
        opt_paper=paper_opt(commit=commit, patch=patch).opt,
    )


def _speedup(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> float | None:
    means = ([sum(times) / len(times) for times in groups] for groups in (before, after))
    try:
        found = compare_means(*means)
    except ValueError:
        return None
    return None if found is None or not isfinite(found.harmonic) else found.harmonic
