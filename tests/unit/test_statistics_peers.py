from __future__ import annotations

from fractions import Fraction
from math import inf, nan

import pytest

from jeto_evaluate.statistics import (
    SWEPERF,
    SWEPERF_PAPER_LITERAL,
    SWEPERF_PAPER_STEP,
    AttemptReport,
    AttemptStatus,
    DeltaRule,
    adjust,
    benjamini_yekutieli,
    compare_means,
    exact_speedup,
    filter_outliers,
    find_delta,
    geometric_mean,
    holm,
    keeps_test,
    mann_whitney_greater,
    meets_reference,
    merge_attempts,
    opt_at_k,
    opt_status,
    paper_opt,
    pass_at_k,
    rejected,
)
from jeto_evaluate.statistics.gso import OptReading
from jeto_evaluate.statistics.multiplicity import Correction

BASE = [1000 + round_number for round_number in range(20)]


def test_the_three_readings_of_delta_on_whole_milliseconds() -> None:
    head = [time - 100 for time in BASE]
    released = find_delta(BASE, head)
    paper = find_delta(BASE, head, rule=SWEPERF_PAPER_STEP)
    assert (released.steps, paper.steps) == (96, 9)
    assert keeps_test(released)
    assert find_delta(BASE, head, rule=SWEPERF_PAPER_LITERAL).delta == 0
    assert find_delta(head, BASE, rule=SWEPERF_PAPER_LITERAL).steps == 9


def test_fifty_steps_of_the_released_scoring_are_above_five_percent() -> None:
    """The code's x is a running sum of floats; five steps of 0.01 are not above."""
    assert find_delta([1000] * 20, [949.5] * 20).steps == 50
    assert keeps_test(find_delta([1000] * 20, [949.5] * 20))
    assert not keeps_test(find_delta([1000] * 20, [949.5] * 20, rule=SWEPERF_PAPER_STEP))


def test_an_improvement_to_nothing_runs_out_of_steps() -> None:
    found = find_delta(BASE, [0] * 20)
    assert found.steps == 999
    assert found.p_at_stop is None


def test_a_sample_without_times_has_no_delta() -> None:
    """S5: the code breaks, or scores 0, by the version of scipy."""
    for base, head in (([], BASE), (BASE, []), ([], [])):
        for rule in (SWEPERF, DeltaRule(name="unfiltered", step=0.01, filtered=False)):
            with pytest.raises(ValueError, match=r"no times|an empty sample"):
                find_delta(base, head, rule=rule)
    with pytest.raises(ValueError, match="no times"):
        filter_outliers([])
    with pytest.raises(ValueError, match="0 against 1"):
        mann_whitney_greater([], [1])


@pytest.mark.parametrize("value", [nan, inf])
def test_times_that_are_no_numbers_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        filter_outliers([1, value])
    with pytest.raises(ValueError, match="not finite"):
        mann_whitney_greater([1, value], [1])
    with pytest.raises(ValueError, match="not finite"):
        compare_means([value], [1])
    with pytest.raises(ValueError, match="negative"):
        find_delta([1, -1], [1])
    with pytest.raises(ValueError, match="negative"):
        compare_means([1], [-1])
    with pytest.raises(ValueError, match="negative"):
        exact_speedup([1], [-1])


@pytest.mark.parametrize("field", [{"step": 0}, {"step": 2}, {"alpha": 1}, {"max_delta": 1.1}])
def test_rules_without_a_meaning_are_refused(field: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(field))):
        DeltaRule(**{"name": "bad", "step": 0.01, **field})  # type: ignore[arg-type]


def test_lost_tests_are_refused_and_not_paired_with_what_is_left() -> None:
    """G6: the code pairs base test 3 with patch test 2 after a patch lost test 2."""
    base, commit = [[10], [100], [30]], [[5], [50], [15]]
    for patch in ([[5], [], [15]], [[5], [50]], []):
        with pytest.raises(ValueError, match=r"no repetitions|cannot pair|no tests"):
            opt_status(base=base, patch=patch, commit=commit)
        with pytest.raises(ValueError, match=r"no repetitions|cannot pair"):
            paper_opt(commit=commit, patch=patch)
    with pytest.raises(ValueError, match="main was measured"):
        opt_status(base=base, patch=commit, commit=commit, main=[])
    shifted = opt_status(base=base, patch=[[5], [], [15]], commit=commit, as_published=True)
    assert shifted.patch_base.per_test == (2, 100 / 15)


def test_the_gate_is_a_geometric_mean_of_1_15() -> None:
    """G3: numpy rounds 1.15 up to 1.2; plain Python rounds it to 1.1."""
    for base_ms, passes in ((1149, False), (1150, True), (1151, True)):
        status = opt_status(base=[[base_ms]], patch=[[1000]], commit=[[1000]])
        assert (status.opt_base, status.opt_commit) == (passes, passes)
    infinite = opt_status(base=[[4], [4]], patch=[[0], [1]], commit=[[4], [4]])
    assert infinite.patch_base.geometric == inf
    assert infinite.opt_base


def test_no_number_is_none() -> None:
    assert geometric_mean([]) is None
    assert geometric_mean([0, inf]) is None
    assert compare_means([], []) is None
    assert exact_speedup([], []) is None
    assert exact_speedup([3], [0]) is None
    assert paper_opt(commit=[[3]], patch=[[0]]).opt is None
    assert pass_at_k(attempts=2, successes=1, k=3) is None
    assert opt_at_k([], 1) is None
    assert opt_at_k([[None, None]], 1) is None


def test_the_paper_counts_0_95_and_the_code_does_not() -> None:
    """G1; integers make the tie exact, where the code's floats decide by luck."""
    tie = paper_opt(commit=[[94, 96], [19]], patch=[[99, 101], [20]])
    assert (tie.speedup, tie.opt) == (Fraction(19, 20), True)
    exact = exact_speedup([95, 19], [100, 20])
    assert exact == Fraction(19, 20)
    assert meets_reference(exact, OptReading.PAPER)
    assert not meets_reference(exact, OptReading.CODE)


def test_tasks_that_all_fail_have_an_interval_all_the_same() -> None:
    found = opt_at_k([[False] * 3] * 10, 1)
    assert found is not None
    assert found.mean == found.shuffle_sd == found.task_interval.low == 0
    assert found.task_interval.high == pytest.approx(0.2775, abs=1e-4)


def test_numbers_of_attempts_without_a_meaning_are_refused() -> None:
    for attempts, successes, k in ((3, 4, 1), (3, -1, 1), (3, 1, 0)):
        with pytest.raises(ValueError, match="successes <= attempts"):
            pass_at_k(attempts=attempts, successes=successes, k=k)
    with pytest.raises(ValueError, match="k >= 1"):
        opt_at_k([[True]], 0)


def test_reports_that_cannot_be_merged_are_refused() -> None:
    tasks = frozenset({"a", "b"})
    report = AttemptReport(
        statuses=dict.fromkeys(tasks, AttemptStatus.PASSED),
        opt_base=tasks,
        opt_commit=tasks,
        opt_main=tasks,
    )
    assert merge_attempts([report], total_tasks=2, k=5).attempts == 1
    with pytest.raises(ValueError, match="2 tasks, the data set only 1"):
        merge_attempts([report], total_tasks=1, k=1)
    with pytest.raises(ValueError, match="not 0, 1, 2"):
        merge_attempts([], total_tasks=2, k=1)
    with pytest.raises(ValueError, match="k >= 1"):
        merge_attempts([report], total_tasks=2, k=0)


def test_a_correction_of_nothing_is_nothing_and_alpha_itself_is_not_rejected() -> None:
    assert holm([]) == benjamini_yekutieli([]) == ()
    assert rejected(holm([Fraction(1, 20), Fraction(1)]), Fraction(1, 10)) == (False, False)
    assert adjust([0.05, 1], Correction.HOLM) == (0.1, 1.0)
    for bad in (-0.1, 1.1, nan):
        with pytest.raises(ValueError, match="a p-value"):
            adjust([0.5, bad], Correction.NONE)
    with pytest.raises(ValueError, match="alpha"):
        rejected([0.5], Fraction(1))


def test_fifty_classes_of_noise_and_one_wins_by_chance() -> None:
    """field.md row 59: with 50 classes Holm needs 24 of 30 wins, not 20."""
    twenty = Fraction(26504551, 536870912)
    noise = [Fraction(1, 2)] * 49
    assert rejected([twenty], Fraction(1, 10)) == (True,)
    assert not any(rejected(holm([twenty, *noise]), Fraction(1, 10)))
