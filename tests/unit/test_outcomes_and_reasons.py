from __future__ import annotations

import pytest

from jeto_evaluate.outcomes import GRADED, LEFT_OUT, MEASURED, PREDICTION_FAULTS, Outcome
from jeto_evaluate.reasons import Reason, reason_table


def test_the_groups_partition_the_outcomes() -> None:
    """field.md row 23: disjoint statuses."""
    assert set(Outcome) == MEASURED | PREDICTION_FAULTS | LEFT_OUT
    assert len(MEASURED) + len(PREDICTION_FAULTS) + len(LEFT_OUT) == len(Outcome)
    assert GRADED == MEASURED | PREDICTION_FAULTS


def test_a_broken_environment_is_the_only_thing_left_out_of_the_rate() -> None:
    """field.md row 24: what base does is never the prediction's fault."""
    assert {Outcome.INFRA_ERROR} == LEFT_OUT
    for reason in Reason:
        if reason.name.startswith("BASE_"):
            assert reason.outcome is Outcome.INFRA_ERROR


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_a_reason(outcome: Outcome) -> None:
    assert [reason for reason in Reason if reason.outcome is outcome]


def test_codes_are_their_names_in_lower_case_and_described_in_one_line() -> None:
    for reason in Reason:
        assert reason.value == reason.name.lower()
        assert 0 < len(reason.description) <= 90
        assert "\n" not in reason.description
        assert "|" not in reason.description
        assert Reason(reason.value) is reason


def test_the_table_holds_every_reason_once() -> None:
    """field.md row 23: a documented table generated from the enum."""
    rows = reason_table().splitlines()[2:]
    assert len(rows) == len(Reason)
    for reason in Reason:
        assert f"| `{reason.outcome}` | `{reason}` | {reason.description} |" in rows
