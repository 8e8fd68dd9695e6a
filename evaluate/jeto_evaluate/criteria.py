"""The rule by which two versions are compared, as one frozen object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from jeto_bench.errors import UsageError

__all__ = [
    "JETO",
    "JETO_CONSERVATIVE",
    "JETO_PUBLISHED",
    "PRESETS",
    "Criteria",
    "decimal_settings",
    "parse_criteria",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Criteria:
    """Parameters of JETO's paired one-sided binomial test.

    Attributes:
        name: Name under which the set is chosen and reported.
        min_improvement: Share of the slower version's time that a pair must save to count.
        alpha: A p-value strictly below it is significant.
        rounds: Number of measured pairs.
        warmup_rounds: Rounds per arm that are run and discarded first.
        inclusive_ties: A pair exactly at the threshold counts as success, and a time of zero is
            an ordinary number (the authors' code); otherwise neither is a success.
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

    def __post_init__(self) -> None:
        """Refuse values under which the test has no meaning.

        Raises:
            UsageError: A value is out of range; the message names it.
        """
        if not 0 <= self.min_improvement < 1:
            raise UsageError(f"min_improvement must be in [0, 1), not {self.min_improvement}")
        if not 0 < self.alpha < 1:
            raise UsageError(f"alpha must be in (0, 1), not {self.alpha}")
        if self.rounds < 1 or self.warmup_rounds < 0 or self.floor_ms < 0:
            raise UsageError(
                "rounds must be at least 1, warmup_rounds and floor_ms at least 0, not "
                f"{self.rounds}, {self.warmup_rounds}, {self.floor_ms}"
            )
        if self.correction != "none":
            raise UsageError(
                f"correction {self.correction!r} is not offered; JETO's rule has 'none'"
            )


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

_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?")


def parse_criteria(text: str) -> Criteria:
    """Return the criteria that a user named.

    Args:
        text: A preset, then any number of ``,key=value`` with the keys ``min_improvement``,
            ``alpha`` and ``floor_ms``: ``jeto``, ``jeto-published,floor_ms=20``,
            ``jeto,min_improvement=0.2,alpha=0.01``. Values are decimals, read exactly.

    Returns:
        The criteria; a changed preset is named by ``text``, so that reports tell them apart.

    Raises:
        UsageError: Unknown preset or key, or a value that is not a plain decimal.
    """
    preset, _, settings = text.strip().partition(",")
    if preset not in PRESETS:
        raise UsageError(
            f"no criteria named {preset!r}", advice=f"Choose from {', '.join(PRESETS)}."
        )
    criteria = PRESETS[preset]
    for key, value in decimal_settings(settings):
        if key == "min_improvement":
            criteria = replace(criteria, min_improvement=Fraction(value))
        elif key == "alpha":
            criteria = replace(criteria, alpha=Fraction(value))
        elif key == "floor_ms" and value.isdecimal():
            criteria = replace(criteria, floor_ms=int(value))
        else:
            raise UsageError(
                f"criteria setting {key}={value} is not understood",
                advice="Keys are min_improvement and alpha (decimals) and floor_ms (a number).",
            )
    return replace(criteria, name=text.strip())


def decimal_settings(text: str) -> Iterator[tuple[str, str]]:
    """Split ``key=decimal,key=decimal``.

    Raises:
        UsageError: A setting is something else.
    """
    for setting in text.split(",") if text else ():
        key, _, value = setting.partition("=")
        if not _DECIMAL.fullmatch(value):
            raise UsageError(f"criteria setting {setting!r} is not key=decimal")
        yield key, value
