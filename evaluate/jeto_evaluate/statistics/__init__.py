"""Statistics of paired times: pure, exact where the source allows, only ``math`` and fractions."""

from jeto_evaluate.statistics.curtail import Curtailment, CurtailVerdict, state_verdict, stop_path
from jeto_evaluate.statistics.intervals import Interval, wilson_interval
from jeto_evaluate.statistics.jeto import (
    BinomialTest,
    ClassStatus,
    ClassTest,
    PairRule,
    binomial_tail,
    compare_class,
    compare_pairs,
    minimal_wins,
)

__all__ = [
    "BinomialTest",
    "ClassStatus",
    "ClassTest",
    "CurtailVerdict",
    "Curtailment",
    "Interval",
    "PairRule",
    "binomial_tail",
    "compare_class",
    "compare_pairs",
    "minimal_wins",
    "state_verdict",
    "stop_path",
    "wilson_interval",
]
