"""The rule by which two versions are compared, as one frozen object."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["JETO", "JETO_CONSERVATIVE", "PRESETS", "Criteria"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Criteria:
    """Parameters of JETO's paired one-sided binomial test.

    Attributes:
        name: Name under which the set is chosen and reported.
        min_improvement: Share of the slower version's time that a pair must save to count.
        alpha: A p-value strictly below it is significant.
        rounds: Number of measured pairs.
        warmup_rounds: Rounds per arm that are run and discarded first.
        inclusive_ties: A pair exactly at the threshold counts as success (the authors' code).
        floor_ms: Classes with any time below this many milliseconds are skipped; 0 for none.
        correction: Name of the multiplicity correction; the paper's rule has none.
    """

    name: str
    min_improvement: Fraction
    alpha: Fraction
    rounds: int = 30
    warmup_rounds: int = 1
    inclusive_ties: bool = False
    floor_ms: int = 0
    correction: str = "none"


JETO = Criteria(name="jeto", min_improvement=Fraction(1, 20), alpha=Fraction(1, 10))
JETO_CONSERVATIVE = Criteria(
    name="jeto-conservative", min_improvement=Fraction(1, 10), alpha=Fraction(1, 20)
)
JETO_PUBLISHED = Criteria(
    name="jeto-published",
    min_improvement=Fraction(1, 20),
    alpha=Fraction(1, 10),
    inclusive_ties=True,
    floor_ms=10,
)
PRESETS = {item.name: item for item in (JETO, JETO_CONSERVATIVE, JETO_PUBLISHED)}
