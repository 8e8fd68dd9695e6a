"""The JETO statistics against reference vectors from exact rational arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from jeto_evaluate.criteria import JETO_PUBLISHED
from jeto_evaluate.statistics import (
    BinomialTest,
    ClassStatus,
    PairRule,
    binomial_tail,
    compare_class,
    compare_pairs,
    minimal_wins,
    state_verdict,
    stop_path,
)

ALPHAS = {"a10": Fraction(1, 10), "a05": Fraction(1, 20)}
IMPROVEMENTS = {"m05": Fraction(1, 20), "m10": Fraction(1, 10)}
# Reading of the vectors file -> how a pair counts. The other readings are not offered.
READINGS = {
    "expected": {"inclusive": False, "plain_zeros": False},
    "inclusive": {"inclusive": True, "plain_zeros": True},
    "zero_plain": {"inclusive": False, "plain_zeros": True},
}
FAMILIES = ("jeto_binomial", "jeto_case", "jeto_curtail_state", "jeto_curtail_path")

Case = dict[str, Any]


def of_family(cases: list[Case], family: str) -> list[Case]:
    chosen = [case for case in cases if case["family"] == family]
    assert chosen, f"the vectors file has no {family} case"
    return chosen


def milliseconds(text: str) -> int:
    value = Fraction(text) * 1000
    assert value.denominator == 1, text
    return int(value)


def significance(p_value: Fraction) -> dict[str, bool]:
    return {name: p_value < alpha for name, alpha in ALPHAS.items()}


def verdict(improved: BinomialTest, regressed: BinomialTest) -> Case:
    return {
        "k_improved": improved.wins,
        "n_improved": improved.pairs,
        "p_improved": improved.p_value,
        "improved": significance(improved.p_value),
        "k_regressed": regressed.wins,
        "n_regressed": regressed.pairs,
        "p_regressed": regressed.p_value,
        "regressed": significance(regressed.p_value),
    }


def assert_equal(got: Case, want: Case, case_id: str) -> None:
    for key, value in got.items():
        if key.startswith("p_") and isinstance(want[key], str):
            assert value == Fraction(want[key]), f"{case_id} {key}"
        elif key.startswith("p_"):
            assert float(value) == pytest.approx(want[key], rel=1e-12), f"{case_id} {key}"
        else:
            assert value == want[key], f"{case_id} {key}: {value} != {want[key]}"


def test_every_jeto_family_of_the_file_is_tested(cases: list[Case]) -> None:
    families = {case["family"] for case in cases if case["family"].startswith("jeto")}
    assert families == set(FAMILIES)


def test_tail_probabilities(cases: list[Case]) -> None:
    for case in of_family(cases, "jeto_binomial"):
        pairs, wins = case["input"]["n"], case["input"]["k"]
        tail = binomial_tail(wins, pairs)
        assert tail == Fraction(case["expected"]["p"]), case["id"]
        assert float(tail) == pytest.approx(case["expected"]["p_float"], rel=1e-12), case["id"]
        assert significance(tail) == case["expected"]["significant"], case["id"]
        for name, alpha in ALPHAS.items():
            needed = minimal_wins(pairs, alpha)
            reached = needed is not None and wins >= needed
            assert reached == case["expected"]["significant"][name], case["id"]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("improvement", IMPROVEMENTS)
def test_cases(cases: list[Case], reading: str, improvement: str) -> None:
    rule = PairRule(min_improvement=IMPROVEMENTS[improvement], **READINGS[reading])
    for case in of_family(cases, "jeto_case"):
        base = [milliseconds(text) for text in case["input"]["original_s"]]
        other = [milliseconds(text) for text in case["input"]["patched_s"]]
        want = case["expected"] if reading == "expected" else case["alt"][reading]
        for name, alpha in ALPHAS.items():
            improved, regressed = compare_pairs(base, other, rule=rule, alpha=alpha)
            assert improved.significant == want[improvement]["improved"][name], case["id"]
            assert regressed.significant == want[improvement]["regressed"][name], case["id"]
            assert_equal(verdict(improved, regressed), want[improvement], case["id"])
        assert len(base) == case["expected"]["n_pairs"], case["id"]


def test_classes_below_the_floor_of_the_published_code_are_skipped(cases: list[Case]) -> None:
    rule = PairRule(
        min_improvement=JETO_PUBLISHED.min_improvement, inclusive=True, plain_zeros=True
    )
    for case in of_family(cases, "jeto_case"):
        tested = compare_class(
            [milliseconds(text) for text in case["input"]["original_s"]],
            [milliseconds(text) for text in case["input"]["patched_s"]],
            rule=rule,
            alpha=JETO_PUBLISHED.alpha,
            floor_ms=JETO_PUBLISHED.floor_ms,
        )
        skipped = case["alt"]["public_code_2026_07_19"]["class_skipped_10ms_floor"]
        assert (tested.status is ClassStatus.BELOW_FLOOR) == skipped, case["id"]


def test_states(cases: list[Case]) -> None:
    for case in of_family(cases, "jeto_curtail_state"):
        given = case["input"]
        got = state_verdict(
            rounds=given["n"],
            alpha=Fraction(given["alpha"]),
            rounds_done=given["rounds_done"],
            successes=given["successes"],
        )
        assert got == case["expected"]["verdict"], case["id"]


def test_paths(cases: list[Case]) -> None:
    for case in of_family(cases, "jeto_curtail_path"):
        given = case["input"]
        got = stop_path(
            rounds=given["n"], alpha=Fraction(given["alpha"]), successes=given["successes"]
        )
        assert got.stop_after_round == case["expected"]["stop_after_round"], case["id"]
        assert got.verdict == case["expected"]["verdict"], case["id"]
        assert got.rounds_saved == case["expected"]["rounds_saved"], case["id"]
