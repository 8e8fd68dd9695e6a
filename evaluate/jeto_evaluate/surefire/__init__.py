"""Reading Surefire's XML reports: bytes in, per-class results out; no input or output here."""

from __future__ import annotations

from jeto_evaluate.surefire.check import (
    RoundProblem,
    RoundProblemKind,
    check_round,
    round_problems,
)
from jeto_evaluate.surefire.classes import (
    CaseResult,
    CaseStatus,
    ClassReport,
    case_id,
    class_milliseconds,
)
from jeto_evaluate.surefire.expected import ExpectedClass, ExpectedTests, expected_tests
from jeto_evaluate.surefire.parallel import ParallelFinding, ParallelKind, find_parallel
from jeto_evaluate.surefire.rounds import RoundReport, class_times, read_round

__all__ = [
    "CaseResult",
    "CaseStatus",
    "ClassReport",
    "ExpectedClass",
    "ExpectedTests",
    "ParallelFinding",
    "ParallelKind",
    "RoundProblem",
    "RoundProblemKind",
    "RoundReport",
    "case_id",
    "check_round",
    "class_milliseconds",
    "class_times",
    "expected_tests",
    "find_parallel",
    "read_round",
    "round_problems",
]
