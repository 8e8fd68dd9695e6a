from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from jeto_bench.errors import UsageError
from jeto_evaluate.criteria import JETO, JETO_CONSERVATIVE, JETO_PUBLISHED, PRESETS, parse_criteria


def test_presets_have_the_papers_numbers() -> None:
    assert (JETO.min_improvement, JETO.alpha, JETO.rounds) == (Fraction(1, 20), Fraction(1, 10), 30)
    assert (JETO_CONSERVATIVE.min_improvement, JETO_CONSERVATIVE.alpha) == (
        Fraction(1, 10),
        Fraction(1, 20),
    )
    assert (JETO_PUBLISHED.inclusive_ties, JETO_PUBLISHED.floor_ms) == (True, 10)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_found_by_its_name(name: str) -> None:
    assert parse_criteria(name) == PRESETS[name]


def test_settings_are_read_exactly_and_named() -> None:
    criteria = parse_criteria("jeto,min_improvement=0.2,alpha=0.01,floor_ms=5")
    assert criteria.min_improvement == Fraction(1, 5)
    assert criteria.alpha == Fraction(1, 100)
    assert criteria.floor_ms == 5
    assert criteria.name == "jeto,min_improvement=0.2,alpha=0.01,floor_ms=5"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "jett",
        "jeto,alpha",
        "jeto,alpha=x",
        "jeto,rounds=3",
        "jeto,floor_ms=1.5",
        "jeto,alpha=0",
    ],
)
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_criteria(text)


def test_meaningless_values_are_refused() -> None:
    with pytest.raises(UsageError, match="min_improvement"):
        replace(JETO, min_improvement=Fraction(1))
    with pytest.raises(UsageError, match="rounds"):
        replace(JETO, rounds=0)
    with pytest.raises(UsageError, match="correction"):
        replace(JETO, correction="holm")
